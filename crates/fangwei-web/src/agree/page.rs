//! The pages of agreement: batches, the report of one, triage with its preview, gold with what the release would say to it.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::agree::PathCount;
use fangwei::page::Block;
use fangwei::table::Table;
use serde::Deserialize;

use super::decide::{self, Kept, Others, Plan, Triage};
use super::exclude::{self, Exclude};
use super::gold::gold as gold_of;
use super::look::look;
use super::report::{Draws, page_of};
use crate::app::App;
use crate::asked::Asked;
use crate::batches::batch::{self, Batch};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::sent::names_in;
use crate::thread::on_thread;
use crate::who::Who;

#[derive(Template)]
#[template(path = "agree/list.html")]
struct ListPage {
    page: Page,
    batches: Vec<Batch>,
}

/// All batches.
pub async fn list(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    show(&ListPage { page: Page::new(&who, "一致性", "Agreement"), batches: batch::all(&app).await? })
}

/// A part of a report, as templates draw it.
enum Drawn {
    Heading(String),
    Paragraph(String),
    Table(Square),
}

/// A table for a template: heads and cells, each with whether it holds words.
struct Square {
    head: Vec<(String, bool)>,
    rows: Vec<Vec<(String, bool)>>,
}

impl Square {
    fn of(table: &Table) -> Square {
        let words: Vec<bool> = (0..table.head.len()).map(|column| table.is_words(column)).collect();
        let row = |cells: Vec<String>| cells.into_iter().zip(words.iter().copied()).collect();
        Square {
            head: row(table.head.clone()),
            rows: table.rows.iter().map(|cells| row(cells.iter().map(fangwei::table::Cell::short).collect())).collect(),
        }
    }
}

fn drawn(page: &fangwei::page::Page) -> Vec<Drawn> {
    let draw = |block: &Block| match block {
        Block::Heading(text) | Block::Subheading(text) => Some(Drawn::Heading(text.clone())),
        Block::Paragraph(text) => Some(Drawn::Paragraph(text.clone())),
        Block::Table(table) => Some(Drawn::Table(Square::of(table))),
        Block::Bars(_) | Block::Exhibit(_) => None,
    };
    page.blocks().iter().filter_map(draw).collect()
}

#[derive(Template)]
#[template(path = "agree/report.html")]
struct ReportPage {
    page: Page,
    batch: Batch,
    blocks: Vec<Drawn>,
    people: Vec<(String, bool)>,
}

/// The report of a batch.
pub async fn report(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Asked(asked): Asked<Draws>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    let looked = look(&app, &batch, asked.draws()).await?;
    let people = exclude::annotators(&looked.report);
    let blocks = drawn(&page_of(&looked, who.lang));
    let page = Page::new(&who, format!("一致性：{}", batch.name), format!("Agreement: {}", batch.name));
    show(&ReportPage { page, batch, blocks, people })
}

/// What the form for leaving out sends.
#[derive(Deserialize)]
pub struct ExcludeForm {
    #[serde(default)]
    annotators: String,
    #[serde(default)]
    reason: String,
}

/// Leaves annotators out.
pub async fn exclude(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<ExcludeForm>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let given = Exclude { annotators: names_in(&given.annotators), reason: given.reason };
    exclude::exclude(&app, who.me()?, &batch, &given).await?;
    Ok(Redirect::to(&format!("/agree/{}", batch.id)).into_response())
}

/// What the form for triage sends.
#[derive(Clone, Copy, Default, Deserialize)]
pub struct TriageForm {
    keep: Option<Kept>,
    #[serde(default)]
    rest: Others,
    least_marks: Option<usize>,
}

impl TriageForm {
    fn asked(self, apply: bool) -> Triage {
        Triage { keep: self.keep.unwrap_or_default(), rest: self.rest, least_marks: self.least_marks, apply }
    }
}

/// How many items leave by a path, in words.
struct CountRow {
    decision: String,
    label: String,
    path: String,
    items: u64,
}

fn count_row(page: &Page, count: &PathCount) -> CountRow {
    let lang = page.who.lang;
    CountRow {
        decision: count.decision.words().get(lang).to_owned(),
        label: count.label.as_ref().map(ToString::to_string).unwrap_or_default(),
        path: count.path.words().get(lang).to_owned(),
        items: count.items,
    }
}

#[derive(Template)]
#[template(path = "agree/triage.html")]
struct TriagePage {
    page: Page,
    batch: Batch,
    asked: Triage,
    least_marks: usize,
    refused: String,
    counts: Vec<CountRow>,
    plan: Plan,
    changing: usize,
}

/// What triage would do.
pub async fn triage(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(form): Asked<TriageForm>,
) -> Result<Response, Failure> {
    triage_page(&app, &who, &id, form.asked(false)).await
}

/// Does it.
pub async fn apply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(form): Form<TriageForm>,
) -> Result<Response, Failure> {
    triage_page(&app, &who, &id, form.asked(true)).await
}

async fn triage_page(app: &App, who: &Who, id: &str, asked: Triage) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), id).await?;
    let page = Page::new(who, format!("分流：{}", batch.name), format!("Triage: {}", batch.name));
    let empty = Plan { counts: Vec::new(), items: Vec::new(), excluded: Vec::new(), written: 0 };
    // Labels without extremes are a choice to make, not a failure.
    let (plan, refused) = match decide::decide(app, who.me()?, &batch, asked).await {
        Ok(plan) => (plan, String::new()),
        Err(Failure::Invalid(say)) => (empty, page.pick(&say).to_owned()),
        Err(failure) => return Err(failure),
    };
    let counts = plan.counts.iter().map(|count| count_row(&page, count)).collect();
    let changing = plan.items.iter().filter(|item| item.changes).count();
    show(&TriagePage { page, batch, asked, least_marks: asked.policy().least_marks, refused, counts, plan, changing })
}

#[derive(Template)]
#[template(path = "agree/gold.html")]
struct GoldPage {
    page: Page,
    batch: Batch,
    items: usize,
    paths: Vec<(String, usize)>,
    without_answer: Vec<String>,
    passes: bool,
    told: Vec<String>,
    square: Square,
}

/// The gold of a batch, and what the release would say to it.
pub async fn gold(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let page = Page::new(&who, format!("答案：{}", batch.name), format!("Gold: {}", batch.name));
    let (file, lang) = (gold_of(&app, &batch).await?, who.lang);
    let looked = on_thread(move || {
        let objections = file.objections(&batch, lang);
        Ok((batch, file, objections))
    });
    let (batch, file, objections) = looked.await?;
    let square = Square::of(&objections.survey.table(lang));
    let (items, passes, told) = (file.items.len(), objections.passes, objections.told);
    show(&GoldPage { page, batch, items, paths: file.paths, without_answer: file.without_answer, passes, told, square })
}
