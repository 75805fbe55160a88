//! The page on which managers give out work: choose, look at what would happen, then do it.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use sqlx::Row;

use super::assign::{self, Preview, Recall, Request};
use super::batch::{self, Batch};
use crate::accounts::{Kept, people};
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

/// So many items are listed in a preview.
const MOST_LINES: usize = 500;

/// What a person gets and loses.
struct PersonRow {
    shown: String,
    had: usize,
    given: Vec<String>,
    checks: usize,
    recalled: Vec<String>,
}

/// Who has an item, and who would get and lose it.
struct ItemLine {
    qid: String,
    is_check: bool,
    had: Vec<String>,
    given: Vec<String>,
    recalled: Vec<String>,
}

#[derive(Template)]
#[template(path = "batches/assign.html")]
struct AssignPage {
    page: Page,
    batch: Batch,
    accounts: Vec<Kept>,
    request: Request,
    preview: Option<Preview>,
    people: Vec<PersonRow>,
    items: Vec<ItemLine>,
    /// Items that are not listed: more than anybody looks through.
    unlisted: usize,
}

impl AssignPage {
    fn is_chosen(&self, id: &str) -> bool {
        self.request.people.iter().any(|person| person == id)
    }

    fn is_from(&self, id: &str) -> bool {
        self.request.from.iter().any(|person| person == id)
    }

    fn recall(&self) -> &'static str {
        match self.request.recall {
            Recall::None => "none",
            Recall::Untouched => "untouched",
            Recall::Unfinished => "unfinished",
        }
    }
}

/// The request of a form: names may occur several times. Numbers that are none count as 0, and the plan shows it.
fn request_of(fields: &[(String, String)]) -> Request {
    let all = |name: &str| -> Vec<String> {
        fields.iter().filter(|(field, value)| field == name && !value.is_empty()).map(|(_, value)| value.clone()).collect()
    };
    let number = |name: &str| all(name).first().and_then(|value| value.parse().ok()).unwrap_or(0);
    Request {
        people: all("people"),
        load: number("load") as usize,
        checks: number("checks") as usize,
        seed: number("seed"),
        recall: match all("recall").first().map(String::as_str) {
            Some("untouched") => Recall::Untouched,
            Some("unfinished") => Recall::Unfinished,
            _ => Recall::None,
        },
        from: all("from"),
        hand_over: !all("hand_over").is_empty(),
    }
}

/// The form, and what would happen if one was sent.
pub async fn page(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(fields): Asked<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let accounts: Vec<Kept> = people::all(&app).await?.into_iter().filter(|kept| kept.state == "active").collect();
    let title = Page::new(&who, format!("{}：分配", batch.name), format!("{}: assign", batch.name));
    if fields.is_empty() {
        let load = 20;
        let checks = (load as f64 * batch.settings.check_share).ceil() as usize;
        let request = Request { load, checks, seed: 1, ..Request::default() };
        return show(&AssignPage {
            page: title,
            batch,
            accounts,
            request,
            preview: None,
            people: Vec::new(),
            items: Vec::new(),
            unlisted: 0,
        });
    }
    let request = request_of(&fields);
    let mut connection = app.database.read().acquire().await?;
    let standing = assign::load(&mut connection, &batch, &request).await?;
    drop(connection);
    let preview = standing.preview(&batch, &request);
    let items = item_names(&app, &batch.id).await?;
    let (people, mut lines) = tables(&accounts, &items, &standing.held, &preview);
    let unlisted = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    show(&AssignPage { page: title, batch, accounts, request, preview: Some(preview), people, items: lines, unlisted })
}

/// Identifier, and whether it is a check question, by item, in the order of the batch.
async fn item_names(app: &App, batch: &str) -> Result<Vec<(String, String, bool)>, Failure> {
    let select = sqlx::query("SELECT id, qid, is_check FROM item WHERE batch = $1 ORDER BY number").bind(batch.to_owned());
    let rows = select.fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get::<i64, _>(2)? == 1))).collect()
}

fn tables(
    accounts: &[Kept],
    items: &[(String, String, bool)],
    held: &[assign::Held],
    preview: &Preview,
) -> (Vec<PersonRow>, Vec<ItemLine>) {
    let shown: BTreeMap<&str, &str> =
        accounts.iter().map(|kept| (kept.account.id.as_str(), kept.account.shown.as_str())).collect();
    let qids: BTreeMap<&str, (&str, bool)> =
        items.iter().map(|(id, qid, is_check)| (id.as_str(), (qid.as_str(), *is_check))).collect();
    let name = |account: &str| shown.get(account).copied().unwrap_or(account).to_owned();
    let of_person = |pairs: &[assign::Pairing], account: &str, checks: bool| -> Vec<String> {
        let theirs = pairs.iter().filter(|pair| pair.account == account).filter_map(|pair| qids.get(pair.item.as_str()));
        theirs.filter(|(_, is_check)| *is_check == checks).map(|(qid, _)| (*qid).to_owned()).collect()
    };
    let mut people: Vec<PersonRow> = Vec::new();
    for kept in accounts {
        let id = kept.account.id.as_str();
        let had = held.iter().filter(|held| held.account == id).count();
        let (given, checks) = (of_person(&preview.given, id, false), of_person(&preview.given, id, true).len());
        let recalled = [of_person(&preview.recalled, id, false), of_person(&preview.recalled, id, true)].concat();
        if had + given.len() + checks + recalled.len() > 0 {
            people.push(PersonRow { shown: kept.account.shown.clone(), had, given, checks, recalled });
        }
    }
    let mut lines: BTreeMap<&str, ItemLine> = BTreeMap::new();
    let line = |item: &str| {
        let (qid, is_check) = qids.get(item).copied().unwrap_or_default();
        ItemLine { qid: qid.to_owned(), is_check, had: Vec::new(), given: Vec::new(), recalled: Vec::new() }
    };
    for pair in &preview.given {
        lines.entry(&pair.item).or_insert_with(|| line(&pair.item)).given.push(name(&pair.account));
    }
    for pair in &preview.recalled {
        lines.entry(&pair.item).or_insert_with(|| line(&pair.item)).recalled.push(name(&pair.account));
    }
    let gone: BTreeSet<(&str, &str)> = preview.recalled.iter().map(|pair| (pair.account.as_str(), pair.item.as_str())).collect();
    for held in held.iter().filter(|held| !gone.contains(&(held.account.as_str(), held.item.as_str()))) {
        if let Some(line) = lines.get_mut(held.item.as_str()) {
            line.had.push(name(&held.account));
        }
    }
    let ordered = items.iter().filter_map(|(id, ..)| lines.remove(id.as_str())).collect();
    (people, ordered)
}

/// Does what the preview said.
pub async fn apply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let hash = fields.iter().find(|(name, _)| name == "hash").map(|(_, hash)| hash.clone()).unwrap_or_default();
    assign::carry_out(&app, who.me()?, &id, &request_of(&fields), &hash).await?;
    Ok(Redirect::to(&format!("/batches/{id}")).into_response())
}
