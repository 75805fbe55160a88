//! How one person did, over all batches: for managers, and for oneself.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::batch::{self, Batch};
use super::numbers::Person;
use super::progress;
use crate::accounts;
use crate::app::App;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::{Account, Who};

/// A share as people read it.
pub fn percent(share: Option<&f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

/// A length of time as people read it.
pub fn length(ms: Option<&i64>) -> String {
    let Some(ms) = ms else { return "–".to_owned() };
    match ms / 1000 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..7200 => format!("{} min", seconds / 60),
        seconds @ 7200..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

#[derive(Template)]
#[template(path = "batches/person.html")]
struct PersonPage {
    page: Page,
    account: Account,
    rows: Vec<(Batch, Person)>,
    /// Whether the person looks at themselves: what would tell check questions apart is left out.
    is_self: bool,
}

/// How one person did, over all batches.
pub async fn page(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = accounts::find(app.database.read(), &id).await?.ok_or(Failure::NotFound)?;
    person_page(&app, &who, kept.account, false).await
}

/// How one did oneself.
pub async fn self_page(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    let me = who.me()?.clone();
    person_page(&app, &who, me, true).await
}

async fn person_page(app: &App, who: &Who, account: Account, is_self: bool) -> Result<Response, Failure> {
    let select = "SELECT DISTINCT batch FROM assignment WHERE account = $1 AND part = 'annotate'";
    let ids: Vec<String> = sqlx::query_scalar(select).bind(account.id.clone()).fetch_all(app.database.read()).await?;
    let mut rows = Vec::new();
    for batch in batch::all(app).await?.into_iter().filter(|batch| ids.contains(&batch.id)) {
        let people = progress::progress(app, &batch).await?.people;
        rows.extend(people.into_iter().find(|person| person.account == account.id).map(|person| (batch, person)));
    }
    show(&PersonPage { page: Page::new(who, account.shown.clone(), account.shown.clone()), account, rows, is_self })
}
