//! The work on a batch as it is in the database, for the numbers of [`super::numbers`].

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use fangwei::annotate::form::BatchMode;
use fangwei::task::Item;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use super::batch::{self, Batch};
use super::grades::{self, GradeSums};
use super::numbers::{self, Person, Work, read_gold};
use crate::agree::look;
use crate::app::App;
use crate::failure::Failure;
use crate::stored;

/// All work on a batch that people annotate in, taken back or not.
pub async fn works(app: &App, batch: &Batch) -> Result<Vec<Work>, Failure> {
    let mut verdicts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let select = "SELECT review.assignment, review.verdict FROM review JOIN assignment ON assignment.id = review.assignment \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND review.blind = 0 ORDER BY review.at, review.id";
    for row in &sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        verdicts.entry(row.try_get(0)?).or_default().push(row.try_get(1)?);
    }
    let mut marks: BTreeMap<String, (String, bool)> = BTreeMap::new();
    let select = "SELECT mark.assignment, mark.content, mark.late FROM mark JOIN assignment ON assignment.id = mark.assignment \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND mark.finished = 1 ORDER BY mark.assignment, mark.version";
    for row in &sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        marks.insert(row.try_get(0)?, (row.try_get(1)?, row.try_get::<i64, _>(2)? == 1));
    }
    let select = "SELECT id, item, account, state, spent_ms, finished_at FROM assignment WHERE batch = $1 AND part = 'annotate' ORDER BY id";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let work = |row: &sqlx::any::AnyRow| {
        let id: String = row.try_get(0)?;
        Ok(Work {
            item: row.try_get(1)?,
            account: row.try_get(2)?,
            state: row.try_get(3)?,
            spent_ms: row.try_get(4)?,
            finished_at: row.try_get(5)?,
            mark: marks.get(&id).and_then(|(content, _)| stored::mark(batch.task, content).ok()),
            late: marks.get(&id).is_some_and(|(_, late)| *late),
            verdicts: verdicts.remove(&id).unwrap_or_default(),
        })
    };
    rows.iter().map(work).collect()
}

/// The gold of the check questions of a batch, by item.
pub async fn checks(app: &App, batch: &Batch) -> Result<BTreeMap<String, Item>, Failure> {
    let select = sqlx::query("SELECT id, secret FROM item WHERE batch = $1 AND is_check = 1").bind(batch.id.clone());
    let mut checks = BTreeMap::new();
    for row in &select.fetch_all(app.database.read()).await? {
        let (id, secret): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        checks.extend(read_gold(batch.task, &secret).map(|gold| (id, gold)));
    }
    Ok(checks)
}

/// The names that accounts are shown under.
pub async fn names(app: &App) -> Result<BTreeMap<String, String>, Failure> {
    let rows = sqlx::query("SELECT id, shown FROM account").fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// A label and how often it was given.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Count {
    /// The label or state.
    pub name: String,
    /// How often.
    pub count: usize,
}

/// How far a batch is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Progress {
    /// Items, check questions included.
    pub items: usize,
    /// Check questions.
    pub checks: usize,
    /// Marks that were asked for: work given and not taken back or skipped.
    pub wanted: usize,
    /// Marks that are done.
    pub done: usize,
    /// How long the rest takes at the pace of late.
    pub remaining_ms: Option<i64>,
    /// Work by state.
    pub states: Vec<Count>,
    /// Labels of finished marks.
    pub labels: Vec<Count>,
    /// The share of pairs of marks on one item that have the same label, of spans and tuples the mean score of pairs; the agreement room has the measures that
    /// allow for chance.
    pub agreement: Option<f64>,
    /// Questions and reports that nobody has answered.
    pub open_threads: usize,
    /// What grades come to, in a grading batch.
    pub grades: Option<GradeSums>,
    /// How people did.
    pub people: Vec<Person>,
}

/// How far a batch is.
pub async fn progress(app: &App, batch: &Batch) -> Result<Progress, Failure> {
    let (works, checks, names) = (works(app, batch).await?, checks(app, batch).await?, names(app).await?);
    let select = sqlx::query_scalar("SELECT COUNT(*) FROM item WHERE batch = $1").bind(batch.id.clone());
    let items: i64 = select.fetch_one(app.database.read()).await?;
    let open_threads = super::threads::open_counts(app).await?.get(&batch.id).copied().unwrap_or_default();
    let mut people = numbers::people(batch.task, &works, &checks, &names);
    let mut agreement = numbers::agreement(&works);
    if batch.mode == BatchMode::Author {
        // Each author judges other texts: that they say the same says nothing.
        for person in &mut people {
            (person.agreement, person.compared) = (None, 0);
        }
        agreement = None;
    } else if works.iter().filter_map(|work| work.mark.as_ref()).all(|mark| numbers::label(mark).is_none()) {
        agreement = scored(app, batch, &mut people).await?;
    }
    let counts = |counts: Vec<(String, usize)>| counts.into_iter().map(|(name, count)| Count { name, count }).collect();
    let done = works.iter().filter(|work| work.is_done()).count();
    Ok(Progress {
        items: items as usize,
        checks: checks.len(),
        wanted: done + works.iter().filter(|work| work.is_open()).count(),
        done,
        remaining_ms: numbers::remaining_ms(&works, app.now()),
        states: counts(numbers::states(&works).into_iter().map(|(name, count)| (name.to_owned(), count)).collect()),
        labels: counts(numbers::labels(&works)),
        agreement,
        open_threads,
        grades: grades::sums(app, batch).await?,
        people,
    })
}

/// Spans and tuples have no label: people are scored against each other by the task's own scorer, as the report of agreement does, everybody included. Gives the
/// mean of all pairs.
async fn scored(app: &App, batch: &Batch, people: &mut [Person]) -> Result<Option<f64>, Failure> {
    let report = match look(app, batch, 0).await {
        Ok(looked) => looked.report.clone(),
        // What cannot be compared is told on the pages of agreement.
        Err(Failure::Invalid(_)) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let Some(scores) = report.scores_with_all.or(report.scores) else { return Ok(None) };
    let select = sqlx::query("SELECT id, name FROM account").fetch_all(app.database.read()).await?;
    let names: BTreeMap<String, String> =
        select.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?;
    for person in people {
        let Some(name) = names.get(&person.account) else { continue };
        person.agreement = scores.means.iter().find(|(known, _)| known == name).and_then(|(_, mean)| mean.get());
        person.compared = scores.pairs.iter().filter(|pair| pair.gold == *name).map(|pair| pair.shared as usize).sum();
    }
    Ok(scores.mean.get())
}

/// Tells how far a batch is.
pub async fn answer(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Progress>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    Ok(Json(progress(&app, &batch).await?))
}
