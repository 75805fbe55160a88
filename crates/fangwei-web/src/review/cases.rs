//! The pages of adjudication: what is to be decided, one item with its marks side by side, and giving items out to adjudicators.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row;

use super::adjudicate::{Case, Decide, Side, decide, sides};
use super::reviewers;
use crate::app::App;
use crate::asked::Asked;
use crate::assignments::{Given, give};
use crate::audit;
use crate::batches::batch;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::sent::{Sent, names_in};
use crate::thread::on_thread;
use crate::who::{Account, Who};

/// An item of the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Waiting {
    /// The item.
    pub item: String,
    /// The batch's name.
    pub batch: String,
    /// The item's name.
    pub qid: String,
    /// Its number.
    pub number: i64,
    /// Whether who looks was given it.
    pub mine: bool,
    /// Whether it is decided.
    pub done: bool,
}

/// Which items to list.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Wanted {
    /// Of this batch; of all where empty.
    #[serde(default)]
    batch: String,
}

/// What is to be decided: of a reviewer, what they were given; of a manager, also what triage left over.
pub async fn waiting(app: &App, me: &Account, batch: &str) -> Result<Vec<Waiting>, Failure> {
    let select = "SELECT item.id, batch.name, item.qid, item.number, COALESCE(assignment.state, ''), COALESCE(gold.outcome, ''), COALESCE(gold.path, '') \
                  FROM item JOIN batch ON batch.id = item.batch \
                  LEFT JOIN assignment ON assignment.item = item.id AND assignment.account = $1 AND assignment.part = 'adjudicate' AND assignment.state <> 'recalled' \
                  LEFT JOIN gold ON gold.item = item.id AND gold.version = (SELECT MAX(version) FROM gold AS own WHERE own.item = item.id) \
                  WHERE (assignment.id IS NOT NULL OR gold.outcome = 'adjudicate' OR gold.path = 'adjudicated') AND ($2 = '' OR batch.id = $2) \
                  ORDER BY batch.name, item.number";
    let rows = sqlx::query(select).bind(me.id.clone()).bind(batch.to_owned()).fetch_all(app.database.read()).await?;
    let mut list = Vec::new();
    for row in &rows {
        let (state, path): (String, String) = (row.try_get(4)?, row.try_get(6)?);
        // What is finished in the editor is a further mark, and no decision yet.
        let (mine, done) = (!state.is_empty(), path == "adjudicated");
        if mine || me.role >= Role::Manager {
            let (item, batch, qid, number) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
            list.push(Waiting { item, batch, qid, number, mine, done });
        }
    }
    list.sort_by_key(|one| (one.done, !one.mine));
    Ok(list)
}

/// Items that are to be decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cases {
    /// What waits for the reader first.
    pub items: Vec<Waiting>,
}

/// The list for programs.
pub async fn json_list(State(app): State<App>, who: Who, Asked(wanted): Asked<Wanted>) -> Result<Json<Cases>, Failure> {
    Ok(Json(Cases { items: waiting(&app, who.me()?, &wanted.batch).await? }))
}

#[derive(Template)]
#[template(path = "review/cases.html")]
struct CasesPage {
    page: Page,
    list: Vec<Waiting>,
    batch: String,
    people: Vec<String>,
}

/// The list as a page; with a batch, a manager can give its items out.
pub async fn list(State(app): State<App>, who: Who, Asked(wanted): Asked<Wanted>) -> Result<Response, Failure> {
    let list = waiting(&app, who.me()?, &wanted.batch).await?;
    let people = reviewers::all(&app).await?;
    show(&CasesPage { page: Page::new(&who, "裁决", "Adjudicate"), list, batch: wanted.batch, people })
}

#[derive(Template)]
#[template(path = "review/case.html")]
struct CasePage {
    page: Page,
    case: Case,
    sides: Vec<Side>,
    near: Vec<(String, String, f64)>,
    refused: String,
}

/// The marks of one item side by side.
pub async fn one(State(app): State<App>, who: Who, Path(item): Path<String>) -> Result<Response, Failure> {
    let case = Case::find(&app, who.me()?, &item).await?;
    case_page(&who, case, String::new()).await
}

/// A case with its marks drawn, which takes too long for the threads that answer.
pub async fn drawn(who: &Who, case: Case) -> Result<(Case, Vec<Side>, Vec<(String, String, f64)>), Failure> {
    let (me, lang) = (who.me()?.clone(), who.lang);
    let computed = on_thread(move || {
        let (sides, near) = sides(&case, &me, lang);
        Ok((case, sides, near))
    });
    computed.await
}

async fn case_page(who: &Who, case: Case, refused: String) -> Result<Response, Failure> {
    let (case, sides, near) = drawn(who, case).await?;
    let title = format!("{} · {}", case.batch.name, case.known.item.qid);
    let page = Page::new(who, format!("裁决 {title}"), format!("Adjudicate {title}"));
    show(&CasePage { page, case, sides, near, refused })
}

/// What was decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Decided {
    /// The version of the gold.
    pub gold: i64,
}

/// Decides, for programs.
pub async fn json_decide(
    State(app): State<App>,
    who: Who,
    Path(item): Path<String>,
    Sent(asked): Sent<Decide>,
) -> Result<Json<Decided>, Failure> {
    let case = Case::find(&app, who.me()?, &item).await?;
    let gold = decide(&app, who.me()?, &case, &asked, who.lang).await?;
    Ok(Json(Decided { gold }))
}

/// What the form of a decision sends. `decision` is the id of a mark, `merge` or `discard`.
#[derive(Deserialize)]
pub struct DecideForm {
    decision: String,
    #[serde(default)]
    mark: String,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    marks: String,
    gold: i64,
}

/// Decides, from the page.
pub async fn say(
    State(app): State<App>,
    who: Who,
    Path(item): Path<String>,
    Form(form): Form<DecideForm>,
) -> Result<Response, Failure> {
    let case = Case::find(&app, who.me()?, &item).await?;
    let is_merge = form.decision == "merge";
    let asked = Decide {
        take: Some(form.decision.clone()).filter(|decision| decision != "merge" && decision != "discard"),
        mark: is_merge.then(|| serde_json::from_str(&form.mark).unwrap_or(Value::Null)),
        discard: form.decision == "discard",
        comment: form.comment,
        marks: form.marks.split_whitespace().map(ToOwned::to_owned).collect(),
        gold: form.gold,
    };
    match decide(&app, who.me()?, &case, &asked, who.lang).await {
        Ok(_) => Ok(Redirect::to("/adjudicate").into_response()),
        Err(failure @ (Failure::Database(_) | Failure::Internal(_))) => Err(failure),
        Err(refused) => {
            let again = Case::find(&app, who.me()?, &item).await?;
            let message = refused.say().get(who.lang).to_owned();
            Ok((refused.status(), case_page(&who, again, message).await?).into_response())
        }
    }
}

/// To whom items are given.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct HandOut {
    /// The names of the adjudicators, each of whom gets about as many.
    pub to: Vec<String>,
}

/// Gives the items that triage left over to adjudicators who did not mark them, each to one.
pub async fn hand_out(app: &App, me: &Account, batch: &str, given: &HandOut) -> Result<usize, Failure> {
    let people = reviewers::find(app, &given.to).await?;
    let select = "SELECT item.id FROM item JOIN gold ON gold.item = item.id WHERE item.batch = $1 AND gold.outcome = 'adjudicate' \
                  AND gold.version = (SELECT MAX(version) FROM gold AS own WHERE own.item = item.id) \
                  AND NOT EXISTS (SELECT 1 FROM assignment WHERE assignment.item = item.id AND assignment.part = 'adjudicate' AND assignment.state <> 'recalled') ORDER BY item.number";
    let (mut changes, now) = (app.database.begin().await?, app.now());
    // Held, so that of two who give out at once the second finds what the first gave.
    let batch = batch::hold(&mut changes, batch).await?;
    let items: Vec<String> = sqlx::query_scalar(select).bind(batch.id.clone()).fetch_all(&mut *changes).await?;
    let (mut loads, mut count) = (vec![0_usize; people.len()], 0);
    for item in &items {
        let annotators: Vec<String> = sqlx::query_scalar(
            "SELECT account FROM assignment WHERE item = $1 AND part = 'annotate' AND (state <> 'recalled' OR version > 0)",
        )
        .bind(item.clone())
        .fetch_all(&mut *changes)
        .await?;
        let free = (0..people.len()).filter(|place| !annotators.contains(&people[*place].id));
        let Some(place) = free.min_by_key(|place| loads[*place]) else { continue };
        loads[place] += 1;
        let given = Given { batch: &batch.id, item, account: &people[place].id, part: "adjudicate" };
        count += usize::from(give(&mut changes, now, given).await?);
    }
    audit::note(&mut changes, now, Some(&me.id), "give-adjudication", &batch.id, &json!({ "to": given.to, "given": count }))
        .await?;
    changes.commit().await?;
    Ok(count)
}

/// What was given out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HandedOut {
    /// How many items.
    pub given: usize,
}

/// Gives items out, for programs.
pub async fn json_hand_out(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Sent(given): Sent<HandOut>,
) -> Result<Json<HandedOut>, Failure> {
    Ok(Json(HandedOut { given: hand_out(&app, who.me()?, &batch, &given).await? }))
}

/// What the form for giving out sends.
#[derive(Deserialize)]
pub struct HandOutForm {
    #[serde(default)]
    to: String,
}

/// Gives items out, from the page.
pub async fn say_hand_out(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Form(form): Form<HandOutForm>,
) -> Result<Response, Failure> {
    hand_out(&app, who.me()?, &batch, &HandOut { to: names_in(&form.to) }).await?;
    Ok(Redirect::to(&format!("/adjudicate?batch={batch}")).into_response())
}
