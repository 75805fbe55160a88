//! Sessions: a random secret in a cookie that scripts cannot read, its hash in the database.

use axum::http::{HeaderMap, HeaderValue};
use sqlx::Row;

use super::account_of;
use crate::app::App;
use crate::chance;
use crate::database::Changes;
use crate::failure::Failure;
use crate::who::{Account, By, cookie};

/// The name of the cookie.
pub const COOKIE: &str = "fangwei";

/// A session that nobody uses ends after two weeks.
const LASTS_MS: i64 = 14 * 24 * 3600 * 1000;

/// Use is noted at most so often, so that reading does not become writing.
const NOTE_EVERY_MS: i64 = 10 * 60 * 1000;

/// Begins a session; gives the cookie.
pub async fn begin(app: &App, changes: &mut Changes, account: &str) -> Result<HeaderValue, Failure> {
    let (secret, now) = (chance::secret(), app.now());
    sqlx::query("INSERT INTO session (hash, account, csrf, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)")
        .bind(chance::hash(&secret))
        .bind(account.to_owned())
        .bind(chance::secret())
        .bind(now)
        .bind(now + LASTS_MS)
        .execute(&mut **changes)
        .await?;
    made_cookie(app, &secret, LASTS_MS / 1000)
}

/// The cookie that makes a browser forget its session.
pub fn forget(app: &App) -> Result<HeaderValue, Failure> {
    made_cookie(app, "", 0)
}

fn made_cookie(app: &App, value: &str, seconds: i64) -> Result<HeaderValue, Failure> {
    let secure = if app.settings.secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&cookie).map_err(|error| Failure::Internal(error.to_string()))
}

/// Whose session a request belongs to.
pub async fn find(app: &App, headers: &HeaderMap) -> Result<Option<(Account, By)>, Failure> {
    let Some(secret) = cookie(headers, COOKIE).filter(|secret| !secret.is_empty()) else { return Ok(None) };
    let (hash, now) = (chance::hash(secret), app.now());
    let select = "SELECT account.id, account.name, account.shown, account.role, csrf, seen_at FROM session JOIN account ON account.id = session.account \
                  WHERE session.hash = $1 AND session.expires_at > $2 AND account.state = 'active'";
    let row = sqlx::query(select).bind(hash.clone()).bind(now).fetch_optional(app.database.read()).await?;
    let Some(row) = row else { return Ok(None) };
    let seen_at: i64 = row.try_get(5)?;
    if now - seen_at > NOTE_EVERY_MS {
        let mut changes = app.database.begin().await?;
        sqlx::query("UPDATE session SET seen_at = $1, expires_at = $2 WHERE hash = $3")
            .bind(now)
            .bind(now + LASTS_MS)
            .bind(hash.clone())
            .execute(&mut *changes)
            .await?;
        changes.commit().await?;
    }
    Ok(Some((account_of(&row)?, By::Session { hash, csrf: row.try_get(4)? })))
}

/// Ends one session.
pub async fn end(changes: &mut Changes, hash: &str) -> Result<(), Failure> {
    sqlx::query("DELETE FROM session WHERE hash = $1").bind(hash.to_owned()).execute(&mut **changes).await?;
    Ok(())
}

/// Ends all sessions of an account, except one if told.
pub async fn end_all(changes: &mut Changes, account: &str, except: &str) -> Result<(), Failure> {
    sqlx::query("DELETE FROM session WHERE account = $1 AND hash <> $2")
        .bind(account.to_owned())
        .bind(except.to_owned())
        .execute(&mut **changes)
        .await?;
    Ok(())
}
