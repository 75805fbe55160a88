//! The log of what was done, by whom and when. Rows are appended together with the change that they tell of, and the database refuses to alter them.

pub mod log;

use serde_json::Value;

use crate::database::Changes;
use crate::id;

/// Appends a row.
pub async fn note(
    changes: &mut Changes,
    now: i64,
    account: Option<&str>,
    action: &str,
    object: &str,
    detail: &Value,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO audit (id, at, account, action, object, detail) VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(id::at(now))
        .bind(now)
        .bind(account.map(ToOwned::to_owned))
        .bind(action.to_owned())
        .bind(object.to_owned())
        .bind(detail.to_string())
        .execute(&mut **changes)
        .await?;
    Ok(())
}
