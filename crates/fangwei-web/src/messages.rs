//! Messages about items as they are appended.

use crate::database::Changes;
use crate::failure::Failure;
use crate::id;

/// So long may a message be.
pub const MOST_LETTERS: usize = 5000;

/// A message that is to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewMessage<'a> {
    /// The batch.
    pub batch: &'a str,
    /// The item.
    pub item: &'a str,
    /// Who writes it.
    pub author: &'a str,
    /// `question`, `report`, `skip`, `answer`, `comment` or `resolved`.
    pub kind: &'a str,
    /// The message that it replies to.
    pub reply_to: Option<&'a str>,
    /// What it says.
    pub text: &'a str,
}

/// A text to be sent: without spaces around it, neither empty nor too long.
pub fn checked(text: &str) -> Result<&str, Failure> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MOST_LETTERS {
        return Err(Failure::invalid(
            format!("请写 1 到 {MOST_LETTERS} 字"),
            format!("expected a text of 1 to {MOST_LETTERS} characters"),
        ));
    }
    Ok(text)
}

/// Appends a message; gives its id.
pub async fn append(changes: &mut Changes, now: i64, message: NewMessage<'_>) -> Result<String, Failure> {
    let id = id::at(now);
    let insert =
        "INSERT INTO message (id, batch, item, author, kind, reply_to, text, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query(insert)
        .bind(id.clone())
        .bind(message.batch.to_owned())
        .bind(message.item.to_owned())
        .bind(message.author.to_owned())
        .bind(message.kind.to_owned())
        .bind(message.reply_to.map(ToOwned::to_owned))
        .bind(message.text.to_owned())
        .bind(now)
        .execute(&mut **changes)
        .await?;
    Ok(id)
}
