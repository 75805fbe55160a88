//! What an editor gets: the item's texts, the form, the sheet, what the rules say, what people said.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::annotate::form::{BatchMode, Form, Sheet, SheetFinding};
use fangwei::lang::{Words, words};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use super::desk::{Desk, For, Revision, suggested};
use super::queue::{Around, around};
use super::talk::{Post, thread};
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::ready::Ready;
use crate::thread::on_thread;
use crate::who::Who;

/// An item as it is worked on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Work {
    /// The assignment.
    pub assignment: String,
    /// Its state.
    pub state: String,
    /// The last version, on which the next change stands.
    pub version: i64,
    /// `annotate` or `adjudicate`.
    pub part: String,
    /// The batch.
    pub batch: WorkBatch,
    /// The item.
    pub item: WorkItem,
    /// Its texts.
    pub texts: Vec<WorkText>,
    /// What there is to fill in.
    pub form: Form,
    /// What was filled in.
    pub sheet: Sheet,
    /// Who filled it in: `person`, `predictor:NAME`, `revision`, or `empty`.
    pub source: String,
    /// What a predictor says.
    pub suggestion: Option<Suggestion>,
    /// What the rules say of the sheet.
    pub findings: Vec<SheetFinding>,
    /// One's own questions and reports, and what was answered.
    pub thread: Vec<Post>,
    /// What reviewers said.
    pub reviews: Vec<Review>,
    /// Where a reviewer has it open.
    pub revision: Option<Revision>,
    /// One's next work in the batch.
    pub next: Option<String>,
    /// One's work before it.
    pub previous: Option<String>,
    /// Time spent on it so far.
    pub spent_ms: i64,
    /// Seconds for an item.
    pub time_limit_s: Option<u32>,
}

/// The batch of an item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkBatch {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its task.
    pub task: String,
    /// What it is for.
    pub mode: String,
    /// What people should know.
    pub instructions: String,
}

/// The item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkItem {
    /// Its id.
    pub id: String,
    /// Its identifier.
    pub qid: String,
    /// Its place among one's own work in the batch.
    pub number: usize,
    /// How much work that is.
    pub of: usize,
}

/// A text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkText {
    /// Its name, to which spans refer.
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// The text.
    pub text: String,
    /// Its words: start, end, and the class of a spatial word.
    pub words: Vec<(u32, u32, &'static str)>,
}

/// What a predictor says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Suggestion {
    /// Which.
    pub predictor: String,
    /// What it would fill in.
    pub sheet: Sheet,
}

/// What a reviewer said.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Review {
    /// The round.
    pub round: i64,
    /// The verdict.
    pub verdict: String,
    /// Why.
    pub comment: String,
    /// The place in the mark.
    pub pointer: String,
    /// When.
    pub at: i64,
    /// Who.
    pub reviewer: String,
}

/// Opens an item.
pub async fn answer(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(asked): Asked<For>,
) -> Result<Json<Work>, Failure> {
    let mut desk = Desk::open(&app, who.me()?, &id, &asked).await?;
    desk.begin(&app).await?;
    let ready = desk.ready(&app).await?;
    let sheet = desk.sheet(&ready)?;
    let (checked, given, lang) = (std::sync::Arc::clone(&ready), sheet.clone(), who.lang);
    let findings = on_thread(move || checked.findings(&given, lang)).await?;
    let suggestion = suggested(&app, &desk).await?.map(|suggested| Suggestion {
        sheet: ready.form.sheet(&suggested.mark, &ready.given.item),
        predictor: suggested.predictor,
    });
    // What lies around the work of somebody else, and what they talk about, is not the reviewer's.
    let (around, thread) = match desk.revision {
        Some(_) => (Around { place: 1, of: 1, ..Around::default() }, Vec::new()),
        None => (around(&app, &desk).await?, thread(&app, &desk).await?),
    };
    let item = WorkItem { id: desk.item.clone(), qid: desk.qid.clone(), number: around.place, of: around.of };
    Ok(Json(Work {
        texts: texts(&ready, desk.batch.settings.hints && desk.batch.mode != BatchMode::Human),
        form: ready.form.clone(),
        sheet,
        source: desk.kept.as_ref().map_or_else(|| "empty".to_owned(), |kept| kept.source.clone()),
        suggestion,
        findings,
        thread,
        reviews: reviews(&app, &desk.id).await?,
        item,
        revision: desk.revision,
        next: around.next,
        previous: around.previous,
        // The time of a test runs from the first look, whatever the editor counted.
        spent_ms: desk.opened_at.filter(|_| desk.state != "done").map_or(desk.spent_ms, |opened| (app.now() - opened).max(0)),
        time_limit_s: desk.batch.settings.time_limit_s,
        batch: WorkBatch {
            id: desk.batch.id,
            name: desk.batch.name,
            task: desk.batch.task.id().to_owned(),
            mode: desk.batch.mode.to_string(),
            instructions: desk.batch.settings.instructions,
        },
        assignment: desk.id,
        state: desk.state,
        version: desk.version,
        part: desk.part,
    }))
}

/// The texts with their words. A human test shows what machines get: words to move by, no classes.
fn texts(ready: &Ready, with_classes: bool) -> Vec<WorkText> {
    let class = |class: Option<fangwei::lexicon::Class>| class.filter(|_| with_classes).map_or("", |class| class.as_str());
    let texts = ready.given.texts.iter().zip(&ready.readings);
    texts
        .map(|(text, reading)| WorkText {
            name: text.name,
            label: label(text.name),
            text: text.text.to_string(),
            words: reading.words().map(|word| (word.start, word.end, class(word.class))).collect(),
        })
        .collect()
}

fn label(name: &str) -> Words {
    match name {
        "reason" => words("理由", "reason"),
        "context1" => words("文本一", "text 1"),
        "context2" => words("文本二", "text 2"),
        "word1" => words("第一个词", "first word"),
        "word2" => words("第二个词", "second word"),
        "judge" => words("判断", "judgement"),
        _ => words("文本", "text"),
    }
}

async fn reviews(app: &App, assignment: &str) -> Result<Vec<Review>, Failure> {
    let select = "SELECT review.round, review.verdict, review.comment, review.pointer, review.at, account.shown FROM review \
                  JOIN account ON account.id = review.reviewer WHERE review.assignment = $1 AND review.blind = 0 ORDER BY review.at, review.id";
    let rows = sqlx::query(select).bind(assignment.to_owned()).fetch_all(app.database.read()).await?;
    let review = |row: &sqlx::any::AnyRow| {
        Ok(Review {
            round: row.try_get(0)?,
            verdict: row.try_get(1)?,
            comment: row.try_get(2)?,
            pointer: row.try_get(3)?,
            at: row.try_get(4)?,
            reviewer: row.try_get(5)?,
        })
    };
    rows.iter().map(review).collect()
}
