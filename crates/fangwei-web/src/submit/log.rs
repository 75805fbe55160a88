//! What happened to a submission, for its team: received, scored, failed, chosen.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::Row;

use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::id;

/// A line of the log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// `received`, `run`, `grading`, `scored`, `failed`, `chosen`.
    pub kind: String,
    /// More of it.
    pub detail: Value,
    /// When.
    pub at: i64,
}

/// Appends a line.
pub async fn note(changes: &mut Changes, now: i64, submission: &str, kind: &str, detail: &Value) -> Result<(), Failure> {
    let insert = "INSERT INTO submission_log (id, submission, kind, detail, at) VALUES ($1, $2, $3, $4, $5)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(submission.to_owned())
        .bind(kind.to_owned())
        .bind(detail.to_string())
        .bind(now)
        .execute(&mut **changes)
        .await?;
    Ok(())
}

/// The log of a submission, oldest first.
pub async fn of(app: &App, submission: &str) -> Result<Vec<Line>, Failure> {
    let select = "SELECT kind, detail, at FROM submission_log WHERE submission = $1 ORDER BY at, CASE kind WHEN 'received' THEN 0 ELSE 1 END, id";
    let rows = sqlx::query(select).bind(submission.to_owned()).fetch_all(app.database.read()).await?;
    let one = |row: &sqlx::any::AnyRow| {
        let detail: String = row.try_get(1)?;
        Ok(Line { kind: row.try_get(0)?, detail: serde_json::from_str(&detail).unwrap_or_default(), at: row.try_get(2)? })
    };
    rows.iter().map(one).collect()
}
