//! Talking about an item. Annotators see what they said themselves and what was answered to that, not what others said: their judgement stays their own.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::desk::Desk;
use super::queue::around;
use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::messages::{NewMessage, checked};
use crate::sent::Sent;
use crate::who::Who;
use crate::{audit, messages};

/// A message.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Post {
    /// Its id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// `question`, `report`, `skip`, `answer`, `comment` or `resolved`.
    pub kind: String,
    /// What it says.
    pub text: String,
    /// When.
    pub at: i64,
    /// Whether it is one's own.
    pub mine: bool,
}

/// Why an item is laid aside.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Skip {
    /// Why.
    pub reason: String,
}

/// What is done after skipping.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Skipped {
    /// What to do next.
    pub next: Option<String>,
}

/// A question or a report.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Say {
    /// What it says.
    pub text: String,
}

/// A reply.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// The message that it replies to.
    pub to: String,
    /// What it says.
    pub text: String,
}

/// A message that was kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Told {
    /// Its id.
    pub id: String,
}

/// Lays an item aside.
pub async fn skip(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(Skip { reason }): Sent<Skip>,
) -> Result<Json<Skipped>, Failure> {
    let desk = Desk::find(&app, &who.me()?.id, &id).await?;
    desk.check_open()?;
    let reason = checked(&reason)?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let update =
        "UPDATE assignment SET state = 'skipped', changed_at = $2 WHERE id = $1 AND state IN ('new', 'draft', 'returned')";
    let done = sqlx::query(update).bind(desk.id.clone()).bind(now).execute(&mut *changes).await?;
    if done.rows_affected() == 0 {
        return Err(Failure::invalid("做完的题不能跳过", "what is done cannot be skipped"));
    }
    write(&mut changes, now, &desk, "skip", None, reason).await?;
    audit::note(&mut changes, now, Some(&desk.account), "skip", &desk.id, &json!({ "reason": reason })).await?;
    changes.commit().await?;
    Ok(Json(Skipped { next: around(&app, &desk).await?.open }))
}

/// Reports a bad item.
pub async fn report(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(Say { text }): Sent<Say>,
) -> Result<(StatusCode, Json<Told>), Failure> {
    tell(&app, &who, &id, "report", None, &text).await
}

/// Asks a question.
pub async fn ask(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(Say { text }): Sent<Say>,
) -> Result<(StatusCode, Json<Told>), Failure> {
    tell(&app, &who, &id, "question", None, &text).await
}

/// Goes on in a thread.
pub async fn reply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(Reply { to, text }): Sent<Reply>,
) -> Result<(StatusCode, Json<Told>), Failure> {
    tell(&app, &who, &id, "comment", Some(to), &text).await
}

async fn tell(
    app: &App,
    who: &Who,
    id: &str,
    kind: &str,
    to: Option<String>,
    text: &str,
) -> Result<(StatusCode, Json<Told>), Failure> {
    let desk = Desk::find(app, &who.me()?.id, id).await?;
    let text = checked(text)?;
    if let Some(to) = &to
        && thread(app, &desk).await?.iter().all(|post| post.id != *to)
    {
        return Err(Failure::NotFound);
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let id = write(&mut changes, now, &desk, kind, to.as_deref(), text).await?;
    if kind == "report" {
        audit::note(&mut changes, now, Some(&desk.account), "report", &desk.item, &json!({ "text": text })).await?;
    }
    changes.commit().await?;
    Ok((StatusCode::CREATED, Json(Told { id })))
}

async fn write(
    changes: &mut Changes,
    now: i64,
    desk: &Desk,
    kind: &str,
    reply_to: Option<&str>,
    text: &str,
) -> Result<String, Failure> {
    let message = NewMessage { batch: &desk.batch.id, item: &desk.item, author: &desk.account, kind, reply_to, text };
    messages::append(changes, now, message).await
}

/// One's own messages about the item, and what others said to them.
pub async fn thread(app: &App, desk: &Desk) -> Result<Vec<Post>, Failure> {
    let select = "SELECT message.id, account.shown, message.kind, message.text, message.at, message.author, message.reply_to \
                  FROM message JOIN account ON account.id = message.author WHERE message.item = $1 ORDER BY message.at, message.id";
    let rows = sqlx::query(select).bind(desk.item.clone()).fetch_all(app.database.read()).await?;
    let mut posts: Vec<Post> = Vec::new();
    for row in &rows {
        let (author, to): (String, Option<String>) = (row.try_get(5)?, row.try_get(6)?);
        let mine = author == desk.account;
        // A reply stands after what it replies to, so one pass finds whole threads.
        if mine || to.is_some_and(|to| posts.iter().any(|post| post.id == to)) {
            posts.push(Post {
                id: row.try_get(0)?,
                author: row.try_get(1)?,
                kind: row.try_get(2)?,
                text: row.try_get(3)?,
                at: row.try_get(4)?,
                mine,
            });
        }
    }
    Ok(posts)
}
