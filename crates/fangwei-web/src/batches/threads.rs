//! Questions and reports about items, and why they were laid aside: found by their words, the item or who asked, and answered by managers.
//!
//! Messages are appended, so the state of a thread follows from its last word: `open` after one of who asked, `answered` after an answer, `resolved` after a message
//! of kind `resolved`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::batch;
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::messages::{NewMessage, checked};
use crate::sent::Sent;
use crate::who::{Account, Who};
use crate::{audit, messages};

/// The kinds of messages that begin a thread.
const BEGINNINGS: [&str; 3] = ["question", "report", "skip"];

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Message {
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
}

/// A question, a report or a skipped item, with what was said to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Thread {
    /// The item.
    pub item: String,
    /// Its identifier.
    pub qid: String,
    /// Its number in the batch.
    pub number: i64,
    /// `open`, `answered` or `resolved`.
    pub state: String,
    /// The messages, the first first.
    pub messages: Vec<Message>,
}

/// The threads of a batch that have the words in a message, an author or the qid; what waits longest first, then the rest, latest first.
pub async fn find(app: &App, batch: &str, words: &str) -> Result<Vec<Thread>, Failure> {
    let select = "SELECT message.id, message.reply_to, message.kind, message.text, message.at, account.shown, item.id, item.qid, item.number \
                  FROM message JOIN account ON account.id = message.author JOIN item ON item.id = message.item WHERE message.batch = $1 \
                  ORDER BY message.at, message.id";
    let rows = sqlx::query(select).bind(batch.to_owned()).fetch_all(app.database.read()).await?;
    let (mut threads, mut root_of): (BTreeMap<String, Thread>, BTreeMap<String, String>) = (BTreeMap::new(), BTreeMap::new());
    for row in &rows {
        let message = Message {
            id: row.try_get(0)?,
            author: row.try_get(5)?,
            kind: row.try_get(2)?,
            text: row.try_get(3)?,
            at: row.try_get(4)?,
        };
        let reply_to: Option<String> = row.try_get(1)?;
        let root = reply_to.and_then(|to| root_of.get(&to).cloned()).unwrap_or_else(|| message.id.clone());
        root_of.insert(message.id.clone(), root.clone());
        let (item, qid, number) = (row.try_get(6)?, row.try_get(7)?, row.try_get(8)?);
        let empty = || Thread { item, qid, number, state: String::new(), messages: Vec::new() };
        threads.entry(root).or_insert_with(empty).messages.push(message);
    }
    let wanted = match words.trim() {
        "" => None,
        words => Some(roots_with(app, batch, words, &root_of).await?),
    };
    let mut found: Vec<Thread> = threads
        .into_iter()
        .filter(|(root, _)| wanted.as_ref().is_none_or(|wanted| wanted.contains(root)))
        .map(|(_, thread)| Thread { state: state(&thread.messages).to_owned(), ..thread })
        .filter(|thread| thread.messages.first().is_some_and(|first| BEGINNINGS.contains(&first.kind.as_str())))
        .collect();
    let last = |thread: &Thread| thread.messages.last().map_or(0, |message| message.at);
    found.sort_by_key(|thread| if thread.state == "open" { (0, last(thread)) } else { (1, -last(thread)) });
    Ok(found)
}

fn state(messages: &[Message]) -> &'static str {
    state_after(messages.last().map_or("", |message| &message.kind))
}

/// The state of a thread whose last message is of this kind.
fn state_after(kind: &str) -> &'static str {
    match kind {
        "resolved" => "resolved",
        "answer" => "answered",
        _ => "open",
    }
}

/// How many threads of each batch are open, as the list of each would show: those that nobody has answered since who began them spoke last.
pub async fn open_counts(app: &App) -> Result<BTreeMap<String, usize>, Failure> {
    let rows =
        sqlx::query("SELECT id, reply_to, kind, batch FROM message ORDER BY at, id").fetch_all(app.database.read()).await?;
    let (mut root_of, mut last): (BTreeMap<String, String>, BTreeMap<String, (String, String)>) = Default::default();
    for row in &rows {
        let (id, reply_to, kind): (String, Option<String>, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let root = reply_to.and_then(|to| root_of.get(&to).cloned()).unwrap_or_else(|| id.clone());
        let begins = root == id;
        root_of.insert(id, root.clone());
        if !begins || BEGINNINGS.contains(&kind.as_str()) {
            last.insert(root, (row.try_get(3)?, kind));
        }
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (batch, kind) in last.into_values() {
        *counts.entry(batch).or_default() += usize::from(state_after(&kind) == "open");
    }
    Ok(counts)
}

/// The first messages of threads in which the words occur.
async fn roots_with(app: &App, batch: &str, words: &str, root_of: &BTreeMap<String, String>) -> Result<Vec<String>, Failure> {
    let select = "SELECT message.id FROM message JOIN account ON account.id = message.author JOIN item ON item.id = message.item \
                  WHERE message.batch = $1 AND (LOWER(message.text) LIKE $2 ESCAPE '!' OR LOWER(item.qid) LIKE $2 ESCAPE '!' \
                  OR LOWER(account.shown) LIKE $2 ESCAPE '!')";
    let escaped = words.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    let select = sqlx::query_scalar(select).bind(batch.to_owned()).bind(format!("%{escaped}%"));
    let ids: Vec<String> = select.fetch_all(app.database.read()).await?;
    Ok(ids.iter().filter_map(|id| root_of.get(id).cloned()).collect())
}

/// What to look for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Search {
    /// Words of a message, an author's name or a qid.
    #[serde(default)]
    pub q: String,
}

/// Threads.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Threads {
    /// What waits longest first.
    pub threads: Vec<Thread>,
}

/// Lists the questions and reports of a batch.
pub async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(search): Asked<Search>,
) -> Result<Json<Threads>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    Ok(Json(Threads { threads: find(&app, &batch.id, &search.q).await? }))
}

/// An answer to a question or report.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewAnswer {
    /// The message that it answers.
    pub to: String,
    /// What it says; may be empty where the thread is only resolved.
    #[serde(default)]
    pub text: String,
    /// Whether nothing remains to be said.
    #[serde(default)]
    pub resolved: bool,
}

/// What was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Answered {
    /// The message.
    pub id: String,
}

/// Answers a question or report, or calls it resolved.
pub async fn reply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<NewAnswer>,
) -> Result<(StatusCode, Json<Answered>), Failure> {
    Ok((StatusCode::CREATED, Json(Answered { id: write(&app, who.me()?, &id, &given).await? })))
}

/// The same; gives the id of the message.
pub async fn write(app: &App, me: &Account, batch: &str, given: &NewAnswer) -> Result<String, Failure> {
    let batch = batch::find(app.database.read(), batch).await?;
    let is_bare = given.resolved && given.text.trim().is_empty();
    let text = if is_bare { "" } else { checked(&given.text)? };
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let select = sqlx::query_scalar("SELECT item FROM message WHERE id = $1 AND batch = $2");
    let item: Option<String> = select.bind(given.to.clone()).bind(batch.id.clone()).fetch_optional(&mut *changes).await?;
    let item = item.ok_or(Failure::NotFound)?;
    let mut last = String::new();
    let kinds = [("answer", !text.is_empty()), ("resolved", given.resolved)];
    for (step, (kind, _)) in (0..).zip(kinds.iter().filter(|(_, wanted)| *wanted)) {
        let text = if *kind == "answer" { text } else { "" };
        let message = NewMessage { batch: &batch.id, item: &item, author: &me.id, kind, reply_to: Some(&given.to), text };
        // The word that ends a thread comes after the answer, also where both are written at once.
        last = messages::append(&mut changes, now + step, message).await?;
    }
    let detail = json!({ "to": given.to, "resolved": given.resolved });
    audit::note(&mut changes, now, Some(&me.id), "answer", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(last)
}
