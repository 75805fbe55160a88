//! What happened to a competition, for everybody: news of the organisers, moved deadlines, released files, revisions, grants.

use std::collections::HashMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::contest::{Change, Names, mask};
use fangwei::lang::Lang;
use sqlx::Row;

use super::head::Head;
use super::kept::{self, Kept};
use crate::app::App;
use crate::failure::Failure;
use crate::markdown::Markdown;
use crate::page::{Page, show};
use crate::who::Who;

/// Something that happened.
#[derive(Debug)]
pub struct News {
    /// Its number.
    pub number: i64,
    /// When.
    pub at: i64,
    /// What it is.
    pub kind: &'static str,
    /// What happened, in a line.
    pub title: String,
    /// Why, or the whole text, in Markdown.
    pub text: String,
}

impl News {
    /// The text as a page shows it.
    fn shown(&self) -> Markdown {
        Markdown::new(&self.text)
    }
}

/// What happened, the latest first, in a language.
pub async fn all(app: &App, kept: &Kept, lang: Lang) -> Result<Vec<News>, Failure> {
    let select =
        "SELECT number, at, detail FROM contest_event WHERE contest = $1 AND is_public = 1 AND number <= $2 ORDER BY number DESC";
    let rows = sqlx::query(select).bind(kept.contest.id.clone()).bind(kept.events).fetch_all(app.database.read()).await?;
    let teams = team_names(app, kept).await?;
    let named = |team: &str| teams.get(team).cloned().unwrap_or_else(|| lang.say("某队", "a team").to_owned());
    let one = |row: &sqlx::any::AnyRow| {
        let (number, at, detail): (i64, i64, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let change: Change =
            serde_json::from_str(&detail).map_err(|error| Failure::Internal(format!("an event cannot be read: {error}")))?;
        let text = match &change {
            Change::News { text, .. } => text.get(lang).to_owned(),
            change => change.reason().to_owned(),
        };
        Ok(News { number, at, kind: change.kind(), title: change.say(&kept.contest, named).get(lang).to_owned(), text })
    };
    rows.iter().map(one).collect()
}

/// The names of teams, as boards name them: where one masks them, so does the news.
async fn team_names(app: &App, kept: &Kept) -> Result<HashMap<String, String>, Failure> {
    let is_masked = kept.contest.boards.iter().any(|board| board.names == Names::Masked);
    let select = "SELECT id, name FROM team WHERE contest = $1";
    let rows = sqlx::query(select).bind(kept.contest.id.clone()).fetch_all(app.database.read()).await?;
    let one = |row: &sqlx::any::AnyRow| {
        let (id, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        Ok((id, if is_masked { mask(&name) } else { name }))
    };
    rows.iter().map(one).collect()
}

#[derive(Template)]
#[template(path = "contests/news.html")]
struct NewsPage {
    page: Page,
    head: Head,
    news: Vec<News>,
}

/// The page of news.
pub async fn page(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let news = all(&app, &kept, who.lang).await?;
    show(&NewsPage { page: Page::new(&who, "消息", "News"), head: Head::new(&app, &who, &kept), news })
}
