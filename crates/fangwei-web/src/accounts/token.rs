//! Tokens for programs: shown once, kept hashed, good for some scopes and for some time.

use sqlx::Row;

use super::account_of;
use crate::app::App;
use crate::chance;
use crate::database::Changes;
use crate::failure::Failure;
use crate::id;
use crate::policy::Scope;
use crate::who::Account;

/// Tokens begin with this, so that scanners find one that was published by mistake.
const PREFIX: &str = "fangwei_";

/// A token as its owner sees it.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its id.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    pub scopes: String,
    /// When it ends.
    pub expires_at: i64,
    /// When it was last used.
    pub used_at: Option<i64>,
}

/// Makes a token; gives its secret, which is not kept.
pub async fn make(
    changes: &mut Changes,
    now: i64,
    account: &str,
    name: &str,
    scopes: &[Scope],
    days: i64,
) -> Result<String, Failure> {
    let secret = format!("{PREFIX}{}", chance::secret());
    let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    sqlx::query("INSERT INTO token (id, hash, account, name, scopes, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(id::at(now))
        .bind(chance::hash(&secret))
        .bind(account.to_owned())
        .bind(name.to_owned())
        .bind(scopes.join(" "))
        .bind(now)
        .bind(now + days * 24 * 3600 * 1000)
        .execute(&mut **changes)
        .await?;
    Ok(secret)
}

/// Whose token it is, and what for. Use is noted once a minute at most.
pub async fn find(app: &App, secret: &str) -> Result<Option<(Account, Vec<Scope>)>, Failure> {
    let now = app.now();
    let select = "SELECT account.id, account.name, account.shown, account.role, token.id, token.scopes, token.used_at \
                  FROM token JOIN account ON account.id = token.account \
                  WHERE token.hash = $1 AND token.expires_at > $2 AND token.revoked_at IS NULL AND account.state = 'active'";
    let row = sqlx::query(select).bind(chance::hash(secret)).bind(now).fetch_optional(app.database.read()).await?;
    let Some(row) = row else { return Ok(None) };
    let (id, scopes, used_at): (String, String, Option<i64>) = (row.try_get(4)?, row.try_get(5)?, row.try_get(6)?);
    if used_at.is_none_or(|used| now - used > 60_000) {
        let mut changes = app.database.begin().await?;
        let update = sqlx::query("UPDATE token SET used_at = $1 WHERE id = $2").bind(now).bind(id);
        update.execute(&mut *changes).await?;
        changes.commit().await?;
    }
    Ok(Some((account_of(&row)?, scopes.split(' ').filter_map(Scope::parse).collect())))
}

/// The tokens of an account that still work.
pub async fn of(app: &App, account: &str) -> Result<Vec<Token>, Failure> {
    let select = "SELECT id, name, scopes, expires_at, used_at FROM token \
                  WHERE account = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY id";
    let rows = sqlx::query(select).bind(account.to_owned()).bind(app.now()).fetch_all(app.database.read()).await?;
    rows.iter()
        .map(|row| {
            Ok(Token {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                scopes: row.try_get(2)?,
                expires_at: row.try_get(3)?,
                used_at: row.try_get(4)?,
            })
        })
        .collect()
}

/// Ends a token of an account; whether there was one.
pub async fn revoke(changes: &mut Changes, now: i64, account: &str, id: &str) -> Result<bool, Failure> {
    let update = "UPDATE token SET revoked_at = $1 WHERE id = $2 AND account = $3 AND revoked_at IS NULL";
    let done = sqlx::query(update).bind(now).bind(id.to_owned()).bind(account.to_owned()).execute(&mut **changes).await?;
    Ok(done.rows_affected() == 1)
}
