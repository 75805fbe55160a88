//! The log as a page and as JSON: who did what when, newest first, by person, action or thing.

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;

use crate::app::App;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

/// So many rows a page.
const A_PAGE: i64 = 100;

/// What is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Wanted {
    /// By this account's name.
    #[serde(default)]
    who: String,
    /// This action.
    #[serde(default)]
    action: String,
    /// About this thing.
    #[serde(default)]
    object: String,
    /// Before this row.
    #[serde(default)]
    before: String,
}

/// A row of the log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Entry {
    /// Its id; asks for what came before it.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The name of the account; empty where nobody was signed in.
    pub who: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub object: String,
    /// Details.
    pub detail: Value,
}

/// Some rows of the log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Entries {
    /// Newest first.
    pub entries: Vec<Entry>,
}

async fn read(app: &App, wanted: &Wanted) -> Result<Vec<Entry>, Failure> {
    // An empty wish is no condition; one statement serves all.
    let select = "SELECT audit.id, audit.at, COALESCE(account.name, ''), action, object, detail \
                  FROM audit LEFT JOIN account ON account.id = audit.account \
                  WHERE ($1 = '' OR account.name = $1) AND ($2 = '' OR action = $2) AND ($3 = '' OR object = $3) AND ($4 = '' OR audit.id < $4) \
                  ORDER BY audit.id DESC LIMIT $5";
    let wishes = [&wanted.who, &wanted.action, &wanted.object, &wanted.before];
    let query = wishes.into_iter().fold(sqlx::query(select), |query, wish| query.bind(wish.trim().to_owned()));
    let rows = query.bind(A_PAGE).fetch_all(app.database.read()).await?;
    let entry = |row: &sqlx::any::AnyRow| {
        let detail: String = row.try_get(5)?;
        Ok(Entry {
            id: row.try_get(0)?,
            at: row.try_get(1)?,
            who: row.try_get(2)?,
            action: row.try_get(3)?,
            object: row.try_get(4)?,
            detail: serde_json::from_str(&detail).unwrap_or(Value::String(detail)),
        })
    };
    rows.iter().map(entry).collect()
}

#[derive(Template)]
#[template(path = "audit.html")]
struct LogPage {
    page: Page,
    wanted: Wanted,
    entries: Vec<Entry>,
    older: Option<String>,
}

/// The log as a page.
pub async fn page(State(app): State<App>, who: Who, Query(wanted): Query<Wanted>) -> Result<Response, Failure> {
    let entries = read(&app, &wanted).await?;
    let older = entries.last().filter(|_| entries.len() as i64 == A_PAGE).map(|entry| entry.id.clone());
    show(&LogPage { page: Page::new(&who, "日志", "Log"), wanted, entries, older })
}

/// The log for programs.
pub async fn list(State(app): State<App>, Query(wanted): Query<Wanted>) -> Result<Json<Entries>, Failure> {
    Ok(Json(Entries { entries: read(&app, &wanted).await? }))
}
