//! Versions of marks as they are appended.

use crate::database::Changes;
use crate::failure::Failure;
use crate::id;

/// A version that is to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewMark<'a> {
    /// The assignment.
    pub assignment: &'a str,
    /// Its number: one more than that of the last.
    pub version: i64,
    /// Who made it.
    pub author: &'a str,
    /// `person`, `predictor:NAME` or `revision`.
    pub source: &'a str,
    /// The mark.
    pub content: &'a str,
    /// Whether it is finished.
    pub finished: bool,
    /// Whether it came after the time that a human test gives for an item.
    pub late: bool,
    /// The name of the change, by which a retry is known; empty for none.
    pub client: &'a str,
}

/// Appends a version.
pub async fn append(changes: &mut Changes, now: i64, mark: NewMark<'_>) -> Result<(), Failure> {
    let insert = "INSERT INTO mark (id, assignment, version, author, source, content, finished, late, at, client) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(mark.assignment.to_owned())
        .bind(mark.version)
        .bind(mark.author.to_owned())
        .bind(mark.source.to_owned())
        .bind(mark.content.to_owned())
        .bind(i64::from(mark.finished))
        .bind(i64::from(mark.late))
        .bind(now)
        .bind(mark.client.to_owned())
        .execute(&mut **changes)
        .await?;
    Ok(())
}
