//! Backups: the whole database as one file that either database can be filled from, made while people work.
//!
//! The file is gzip-compressed JSON lines: a head (format, version of the tables, time), one line a row (`[table, [values]]`), and a tail with the number of rows
//! and their SHA-256, without which nothing is restored. All rows are read in one transaction, so the file is the state of one moment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Executor, Row};

use crate::database::{Address, Changes, Database, DatabaseError, MIGRATIONS};

/// The version of the file.
const FORMAT: i64 = 1;
/// So many rows are read at a time.
const CHUNK: i64 = 500;
/// A line may be so long; marks and records are bounded well below.
const MOST_LINE: u64 = 64 << 20;

/// Why a backup was not made or not restored.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A statement failed.
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    /// The file is none of ours, or was cut short or altered.
    #[error("line {line}: expected {expected}, found {found}")]
    Broken {
        /// The line.
        line: u64,
        /// What should stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// The target holds something.
    #[error("expected an empty database, found {rows} rows in {table}; restore into a new one")]
    NotEmpty {
        /// A table with rows.
        table: String,
        /// How many.
        rows: i64,
    },
}

/// What a backup holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// When it was made.
    pub made_at: i64,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// The hash of all rows.
    pub sha256: String,
}

#[derive(Serialize, Deserialize)]
struct Head {
    fangwei_backup: i64,
    migration: i64,
    made_at: i64,
}

#[derive(Serialize, Deserialize)]
struct Tail {
    rows: u64,
    sha256: String,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    Text,
    Int,
    Number,
}

/// A table with its columns, as the migrations make it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Table {
    name: &'static str,
    columns: Vec<(&'static str, Holds)>,
}

/// The tables of the first migrations, in an order in which rows may be inserted: no table refers to a later one.
fn tables(migrations: usize) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in MIGRATIONS.iter().take(migrations).flat_map(|(both, ..)| both.lines()) {
        if let Some(name) = line.strip_prefix("CREATE TABLE ") {
            tables.push(Table { name: name.trim_end_matches(" ("), columns: Vec::new() });
        } else if let Some(column) = line.strip_prefix("    ").and_then(column) {
            if let Some(table) = tables.last_mut() {
                table.columns.push(column);
            }
        } else if let Some((name, added)) = line.strip_prefix("ALTER TABLE ").and_then(|rest| rest.split_once(" ADD COLUMN "))
            && let (Some(table), Some(column)) = (tables.iter_mut().find(|table| table.name == name), column(added))
        {
            table.columns.push(column);
        }
    }
    tables
}

fn column(line: &'static str) -> Option<(&'static str, Holds)> {
    let (name, rest) = line.split_once(' ')?;
    let holds = match rest {
        rest if rest.starts_with("TEXT") => Holds::Text,
        rest if rest.starts_with("BIGINT") => Holds::Int,
        rest if rest.starts_with("DOUBLE PRECISION") => Holds::Number,
        _ => return None,
    };
    Some((name, holds))
}

impl Table {
    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    fn read(&self, row: &sqlx::any::AnyRow) -> Result<Vec<Value>, sqlx::Error> {
        let value = |(at, (_, holds)): (usize, &(&str, Holds))| {
            Ok(match holds {
                Holds::Text => row.try_get::<Option<String>, _>(at)?.into(),
                Holds::Int => row.try_get::<Option<i64>, _>(at)?.into(),
                Holds::Number => row.try_get::<Option<f64>, _>(at)?.into(),
            })
        };
        self.columns.iter().enumerate().map(value).collect()
    }

    /// Binds the values of a row; `None` where one is not what its column holds.
    fn bind<'q>(&self, mut query: Query<'q, Any, AnyArguments>, values: Vec<Value>) -> Option<Query<'q, Any, AnyArguments>> {
        if values.len() != self.columns.len() {
            return None;
        }
        for ((_, holds), value) in self.columns.iter().zip(values) {
            query = match (holds, value) {
                (Holds::Text, Value::Null) => query.bind(None::<String>),
                (Holds::Text, Value::String(text)) => query.bind(text),
                (Holds::Int, Value::Null) => query.bind(None::<i64>),
                (Holds::Int, value) => query.bind(value.as_i64()?),
                (Holds::Number, Value::Null) => query.bind(None::<f64>),
                (Holds::Number, value) => query.bind(value.as_f64()?),
                (Holds::Text, _) => return None,
            };
        }
        Some(query)
    }
}

/// Writes a backup; `told` hears how many rows are written.
pub async fn backup(database: &Database, now: i64, out: impl Write, mut told: impl FnMut(u64)) -> Result<Summary, ArchiveError> {
    let mut out = GzEncoder::new(out, Compression::default());
    let mut reading = database.read().begin().await?;
    if matches!(database.address(), Address::Postgres(_)) {
        reading.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    }
    let migration: i64 = sqlx::query_scalar("SELECT MAX(number) FROM migration").fetch_one(&mut *reading).await?;
    let (mut hash, mut rows, mut total) = (Sha256::new(), BTreeMap::new(), 0);
    write_line(&mut out, &Head { fangwei_backup: FORMAT, migration, made_at: now }, None)?;
    for table in tables(migration as usize) {
        let mut count = 0;
        loop {
            let (names, name, first) = (table.names(), table.name, table.columns[0].0);
            let select = format!("SELECT {names} FROM {name} ORDER BY {first} LIMIT {CHUNK} OFFSET {count}");
            let chunk = sqlx::query(AssertSqlSafe(select)).fetch_all(&mut *reading).await?;
            for row in &chunk {
                write_line(&mut out, &(name, table.read(row)?), Some(&mut hash))?;
            }
            count += chunk.len() as i64;
            total += chunk.len() as u64;
            told(total);
            if (chunk.len() as i64) < CHUNK {
                break;
            }
        }
        rows.insert(table.name.to_owned(), count as u64);
    }
    reading.rollback().await?;
    let sha256 = hex(hash);
    write_line(&mut out, &Tail { rows: total, sha256: sha256.clone() }, None)?;
    out.finish()?.flush()?;
    Ok(Summary { made_at: now, rows, sha256 })
}

/// Fills an empty database from a backup. Nothing is kept unless all of it is sound.
pub async fn restore(database: &Database, given: impl Read, mut told: impl FnMut(u64)) -> Result<Summary, ArchiveError> {
    let mut lines = Lines { given: BufReader::new(MultiGzDecoder::new(given)), line: 0 };
    let head: Head = lines.next("the head of a backup")?;
    let known = MIGRATIONS.len() as i64;
    if head.fangwei_backup != FORMAT || !(1..=known).contains(&head.migration) {
        return Err(DatabaseError::Newer { found: head.migration, known }.into());
    }
    let tables = tables(head.migration as usize);
    let mut changes = database.begin().await?;
    refuse_full(&mut changes, &tables).await?;
    let (mut hash, mut rows, mut total) = (Sha256::new(), BTreeMap::<String, u64>::new(), 0);
    let tail: Tail = loop {
        let text = lines.read("a row or the tail of a backup")?;
        let Ok((name, values)) = serde_json::from_str::<(String, Vec<Value>)>(&text) else {
            break lines.parse("a row or the tail of a backup", &text)?;
        };
        let table = tables.iter().find(|table| table.name == name);
        let table = table.ok_or_else(|| lines.broken("the name of a table", &name))?;
        let marks: Vec<String> = (1..=table.columns.len()).map(|number| format!("${number}")).collect();
        let insert = format!("INSERT INTO {} ({}) VALUES ({})", table.name, table.names(), marks.join(", "));
        let insert = table.bind(sqlx::query(AssertSqlSafe(insert)), values);
        insert.ok_or_else(|| lines.broken("a row that fits its table", &text))?.execute(&mut *changes).await?;
        hash.update(text.as_bytes());
        hash.update(b"\n");
        *rows.entry(name).or_default() += 1;
        total += 1;
        if total % 1000 == 0 {
            told(total);
        }
    };
    let sha256 = hex(hash);
    if tail.rows != total || tail.sha256 != sha256 {
        return Err(lines.broken("the hash of all rows", &format!("{} rows, {}", tail.rows, tail.sha256)));
    }
    changes.commit().await?;
    told(total);
    Ok(Summary { made_at: head.made_at, rows, sha256 })
}

async fn refuse_full(changes: &mut Changes, tables: &[Table]) -> Result<(), ArchiveError> {
    for table in tables {
        let count = AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", table.name));
        let rows: i64 = sqlx::query_scalar(count).fetch_one(&mut **changes).await?;
        if rows > 0 && table.name == "link" {
            // A platform that was started once holds the link for its first admin and nothing else.
            changes.execute("DELETE FROM link").await?;
        } else if rows > 0 {
            return Err(ArchiveError::NotEmpty { table: table.name.to_owned(), rows });
        }
    }
    Ok(())
}

fn write_line(out: &mut impl Write, line: &impl Serialize, hash: Option<&mut Sha256>) -> Result<(), ArchiveError> {
    let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
    text.push(b'\n');
    if let Some(hash) = hash {
        hash.update(&text);
    }
    Ok(out.write_all(&text)?)
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The lines of a backup, one at a time.
struct Lines<R> {
    given: R,
    line: u64,
}

impl<R: BufRead> Lines<R> {
    fn read(&mut self, expected: &'static str) -> Result<String, ArchiveError> {
        self.line += 1;
        let mut text = String::new();
        self.given.by_ref().take(MOST_LINE).read_line(&mut text).map_err(|error| self.broken(expected, &error.to_string()))?;
        if text.pop() != Some('\n') {
            return Err(self.broken(expected, "the end of the file"));
        }
        Ok(text)
    }

    fn parse<T: for<'d> Deserialize<'d>>(&self, expected: &'static str, text: &str) -> Result<T, ArchiveError> {
        serde_json::from_str(text).map_err(|_| self.broken(expected, text))
    }

    fn next<T: for<'d> Deserialize<'d>>(&mut self, expected: &'static str) -> Result<T, ArchiveError> {
        let text = self.read(expected)?;
        self.parse(expected, &text)
    }

    fn broken(&self, expected: &'static str, found: &str) -> ArchiveError {
        ArchiveError::Broken { line: self.line, expected, found: found.chars().take(120).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_tell_every_table_and_column() {
        let tables = tables(MIGRATIONS.len());
        let made = MIGRATIONS.iter().map(|(both, ..)| both.matches("CREATE TABLE").count()).sum::<usize>();
        assert_eq!(tables.len(), made);
        let session = tables.iter().find(|table| table.name == "session").expect("there are sessions");
        assert_eq!(session.columns[1], ("account", Holds::Text));
        assert_eq!(session.columns[3], ("created_at", Holds::Int));
        // A column on a line of its own: nothing else begins with four blanks and a small letter.
        let lines = MIGRATIONS.iter().flat_map(|(both, ..)| both.lines());
        let columns = lines.filter(|line| line.starts_with("    ") && line.trim().starts_with(char::is_lowercase)).count();
        assert_eq!(tables.iter().map(|table| table.columns.len()).sum::<usize>(), columns);
    }
}
