//! One database behind two names: an SQLite file by default, PostgreSQL by its address.
//!
//! Statements keep to what both understand the same way: `$n`, BIGINT, TEXT, DOUBLE PRECISION, ids made here. SQLite has one writer, so writes have a
//! connection of their own and wait for each other there instead of failing; PostgreSQL uses one pool for both.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor, Transaction};

use crate::clock;

/// What went wrong with the database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The address names neither.
    #[error("expected sqlite:FILE or postgres://…, found {0:?}")]
    Address(String),
    /// It cannot be opened.
    #[error("cannot open {name}")]
    Open {
        /// The address without its password.
        name: String,
        /// Why.
        source: sqlx::Error,
    },
    /// A migration failed.
    #[error("migration {number} failed")]
    Migration {
        /// Which.
        number: i64,
        /// Why.
        source: sqlx::Error,
    },
    /// The database was made by a later version.
    #[error("the database is of version {found}, this program knows {known}; use the newer program")]
    Newer {
        /// Version of the database.
        found: i64,
        /// The last version known here.
        known: i64,
    },
    /// A statement failed.
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
}

/// Which of the two it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file.
    Sqlite(PathBuf),
    /// A server.
    Postgres(String),
}

impl FromStr for Address {
    type Err = DatabaseError;

    fn from_str(given: &str) -> Result<Address, DatabaseError> {
        if let Some(file) = given.strip_prefix("sqlite:") {
            let file = file.strip_prefix("//").unwrap_or(file);
            if file.is_empty() || file.starts_with(':') {
                return Err(DatabaseError::Address(given.to_owned()));
            }
            return Ok(Address::Sqlite(file.into()));
        }
        if given.starts_with("postgres://") || given.starts_with("postgresql://") {
            return Ok(Address::Postgres(given.to_owned()));
        }
        Err(DatabaseError::Address(given.to_owned()))
    }
}

impl std::fmt::Display for Address {
    /// Without the password.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Sqlite(file) => write!(out, "sqlite:{}", file.display()),
            Address::Postgres(address) => match (address.split_once("://"), address.rsplit_once('@')) {
                (Some((scheme, _)), Some((_, host))) => write!(out, "{scheme}://…@{host}"),
                _ => write!(out, "{address}"),
            },
        }
    }
}

/// A set of changes that happen together or not at all.
pub type Changes = Transaction<'static, Any>;

/// An open database, in the form of today.
#[derive(Clone, Debug)]
pub struct Database {
    address: Address,
    read: AnyPool,
    write: AnyPool,
    /// So many milliseconds is the server's clock ahead of this machine's.
    ahead: Arc<AtomicI64>,
}

/// The steps from an empty database to that of today: for both, for SQLite, for PostgreSQL.
pub(crate) const MIGRATIONS: [(&str, &str, &str); 3] = [
    (
        include_str!("../migrations/0001.sql"),
        include_str!("../migrations/0001.sqlite.sql"),
        include_str!("../migrations/0001.postgres.sql"),
    ),
    (
        include_str!("../migrations/0002.sql"),
        include_str!("../migrations/0002.sqlite.sql"),
        include_str!("../migrations/0002.postgres.sql"),
    ),
    (
        include_str!("../migrations/0003.sql"),
        include_str!("../migrations/0003.sqlite.sql"),
        include_str!("../migrations/0003.postgres.sql"),
    ),
];

/// Any number that only these processes use: nodes that start together migrate one after the other.
const MIGRATION_LOCK: i64 = 7_231_905;

/// A machine that vanishes in the middle of changes says nothing any more, and its connection seems open for hours: what it held is free after this time.
const NO_SILENT_HOLDERS: &str = "SET idle_in_transaction_session_timeout = '2min'";

impl Database {
    /// Opens it, makes it where it is not there, and brings it to the form of today.
    pub async fn open(address: &Address) -> Result<Database, DatabaseError> {
        sqlx::any::install_default_drivers();
        let opened = |source| DatabaseError::Open { name: address.to_string(), source };
        let (read, write) = match address {
            Address::Sqlite(file) => {
                let options = sqlite_options(file).map_err(opened)?;
                try_once(&options, "PRAGMA journal_mode = WAL").await.map_err(opened)?;
                let pool = |most: u32| {
                    AnyPoolOptions::new().max_connections(most).acquire_timeout(Duration::from_secs(30)).after_connect(
                        |connection, _| {
                            Box::pin(async move {
                                // FULL: an acknowledged save is on the disk, not only in the system's memory.
                                for pragma in [
                                    "PRAGMA journal_mode = WAL",
                                    "PRAGMA synchronous = FULL",
                                    "PRAGMA foreign_keys = ON",
                                    "PRAGMA busy_timeout = 20000",
                                ] {
                                    connection.execute(pragma).await?;
                                }
                                Ok(())
                            })
                        },
                    )
                };
                let write = pool(1).connect_with(options.clone()).await.map_err(opened)?;
                (pool(4).connect_with(options).await.map_err(opened)?, write)
            }
            Address::Postgres(address) => {
                let options = AnyConnectOptions::from_str(address).map_err(opened)?;
                try_once(&options, "SELECT 1").await.map_err(opened)?;
                let pool = AnyPoolOptions::new().max_connections(16).acquire_timeout(Duration::from_secs(30));
                let pool = pool.after_connect(|connection, _| {
                    Box::pin(async move { connection.execute(NO_SILENT_HOLDERS).await.map(|_| ()) })
                });
                let pool = pool.connect_with(options).await.map_err(opened)?;
                (pool.clone(), pool)
            }
        };
        let database = Database { address: address.clone(), read, write, ahead: Arc::default() };
        database.ask_time().await?;
        database.migrate().await?;
        Ok(database)
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// So many milliseconds is the clock that counts ahead of this machine's: that of the server.
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Asks a server for its time. A file has no clock of its own.
    pub async fn ask_time(&self) -> Result<(), sqlx::Error> {
        if matches!(self.address, Address::Postgres(_)) {
            let mut connection = self.read.acquire().await?;
            self.ahead.store(clock::ahead(&mut connection).await?, Ordering::Relaxed);
        }
        Ok(())
    }

    /// For statements that change nothing.
    pub fn read(&self) -> &AnyPool {
        &self.read
    }

    /// Begins changes. Nothing is kept before `commit`.
    pub async fn begin(&self) -> Result<Changes, sqlx::Error> {
        match self.address {
            // A deferred transaction that reads before it writes can be refused in the middle.
            Address::Sqlite(_) => self.write.begin_with("BEGIN IMMEDIATE").await,
            Address::Postgres(_) => self.write.begin().await,
        }
    }

    /// Waits until nobody uses it, and closes it.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }

    async fn migrate(&self) -> Result<(), DatabaseError> {
        let is_sqlite = matches!(self.address, Address::Sqlite(_));
        let mut changes = self.begin().await?;
        if !is_sqlite {
            sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATION_LOCK).execute(&mut *changes).await?;
        }
        changes.execute("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY)").await?;
        let done: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(number), 0) FROM migration").fetch_one(&mut *changes).await?;
        let known = MIGRATIONS.len() as i64;
        if done > known {
            return Err(DatabaseError::Newer { found: done, known });
        }
        for (number, (both, sqlite, postgres)) in (1_i64..).zip(MIGRATIONS).skip(done as usize) {
            let failed = |source| DatabaseError::Migration { number, source };
            for statements in [both, if is_sqlite { sqlite } else { postgres }] {
                sqlx::raw_sql(statements).execute(&mut *changes).await.map_err(failed)?;
            }
            let note = sqlx::query("INSERT INTO migration (number) VALUES ($1)").bind(number);
            note.execute(&mut *changes).await.map_err(failed)?;
        }
        changes.commit().await?;
        Ok(())
    }
}

/// Connects and asks something. A pool would try again for half a minute before it says what is wrong.
async fn try_once(options: &AnyConnectOptions, ask: &'static str) -> Result<(), sqlx::Error> {
    let mut connection = AnyConnection::connect_with(options).await?;
    connection.execute(ask).await?;
    connection.close().await
}

fn sqlite_options(file: &Path) -> Result<AnyConnectOptions, sqlx::Error> {
    // The address is a URL: what has a meaning there is written as a number.
    let escaped: String = file
        .to_string_lossy()
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    AnyConnectOptions::from_str(&format!("sqlite:{escaped}?mode=rwc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        assert_eq!("sqlite:a/b.db".parse::<Address>().expect("a file"), Address::Sqlite("a/b.db".into()));
        let server: Address = "postgres://ann:hidden@host:5432/db".parse().expect("a server");
        assert_eq!(server.to_string(), "postgres://…@host:5432/db");
        assert!("mysql://x".parse::<Address>().is_err());
        assert!("sqlite::memory:".parse::<Address>().is_err(), "a database in memory would lose what was acknowledged");
    }
}
