//! Links that work once: one makes an account with a role, the other sets a new password. The first start makes one for the first admin.

use sqlx::Row;

use crate::app::App;
use crate::chance;
use crate::database::Changes;
use crate::failure::Failure;
use crate::policy::Role;

/// What a link does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Makes an account with this role.
    Join(Role),
    /// Sets the password of this account.
    Reset(String),
    /// The same for an account that was made for somebody and has no password yet: it lasts as long as an invitation.
    Welcome(String),
}

/// An invitation is good for two weeks, a new password for a day.
const fn lasts_ms(purpose: &Purpose) -> i64 {
    match purpose {
        Purpose::Join(_) | Purpose::Welcome(_) => 14 * 24 * 3600 * 1000,
        Purpose::Reset(_) => 24 * 3600 * 1000,
    }
}

/// Makes a link; gives its address.
pub async fn make(app: &App, changes: &mut Changes, purpose: &Purpose, by: Option<&str>) -> Result<String, Failure> {
    let (secret, now) = (chance::secret(), app.now());
    let (name, role, account) = match purpose {
        Purpose::Join(role) => ("join", role.as_str(), None),
        Purpose::Reset(account) | Purpose::Welcome(account) => ("reset", "", Some(account.clone())),
    };
    sqlx::query(
        "INSERT INTO link (hash, purpose, role, account, made_by, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(chance::hash(&secret))
    .bind(name)
    .bind(role)
    .bind(account)
    .bind(by.map(ToOwned::to_owned))
    .bind(now)
    .bind(now + lasts_ms(purpose))
    .execute(&mut **changes)
    .await?;
    Ok(format!("{}/{name}/{secret}", app.settings.public_url))
}

/// What a link is for, if it still works.
pub async fn find(app: &App, secret: &str) -> Result<Option<Purpose>, Failure> {
    let select = "SELECT purpose, role, account FROM link WHERE hash = $1 AND used_at IS NULL AND expires_at > $2";
    let row = sqlx::query(select).bind(chance::hash(secret)).bind(app.now()).fetch_optional(app.database.read()).await?;
    let Some(row) = row else { return Ok(None) };
    let (purpose, role, account): (String, String, Option<String>) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    Ok(match (purpose.as_str(), Role::parse(&role), account) {
        ("join", Some(role), _) => Some(Purpose::Join(role)),
        ("reset", _, Some(account)) => Some(Purpose::Reset(account)),
        _ => None,
    })
}

/// Uses a link up; refused if another request was faster.
pub async fn spend(app: &App, changes: &mut Changes, secret: &str) -> Result<(), Failure> {
    let update = "UPDATE link SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1";
    let done = sqlx::query(update).bind(app.now()).bind(chance::hash(secret)).execute(&mut **changes).await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(Failure::NotFound) }
}

/// The link for the first admin, if there is no account yet. Links of earlier starts end; of nodes that start together, the link of the last one works.
pub async fn first(app: &App) -> Result<Option<String>, Failure> {
    let mut changes = app.database.begin().await?;
    if has_accounts(&mut changes).await? {
        return Ok(None);
    }
    // One node after the other, or two would not see each other's links, and both would work.
    sqlx::query("UPDATE migration SET number = number WHERE number = 1").execute(&mut *changes).await?;
    sqlx::query("UPDATE link SET used_at = $1 WHERE used_at IS NULL").bind(app.now()).execute(&mut *changes).await?;
    // Somebody may have been joining by one of them: their changes were waited for, and they are there now.
    if has_accounts(&mut changes).await? {
        return Ok(None);
    }
    let address = make(app, &mut changes, &Purpose::Join(Role::Admin), None).await?;
    changes.commit().await?;
    Ok(Some(address))
}

async fn has_accounts(changes: &mut Changes) -> Result<bool, Failure> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM account").fetch_one(&mut **changes).await?;
    Ok(count > 0)
}
