//! A reviewer's list: what was changed since they last looked, what waits, what they are done with.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use crate::app::App;
use crate::failure::Failure;
use crate::who::Who;

/// Why an inspection stands in the list. The order is that of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// The annotator changed what was returned.
    Changed,
    /// Nobody looked yet.
    Waiting,
    /// It is with the annotator.
    Away,
    /// There is nothing to do.
    Done,
}

impl Needs {
    /// The name in templates.
    pub const fn as_str(self) -> &'static str {
        match self {
            Needs::Changed => "changed",
            Needs::Waiting => "waiting",
            Needs::Away => "away",
            Needs::Done => "done",
        }
    }
}

/// A row of the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queued {
    /// The inspection.
    pub inspection: String,
    /// The batch's name.
    pub batch: String,
    /// The item's name.
    pub qid: String,
    /// The item's number.
    pub number: i64,
    /// Whether it is a blind review.
    pub blind: bool,
    /// Whose work; empty in a blind review.
    pub annotator: String,
    /// Why it is in the list.
    pub needs: Needs,
}

const SELECT: &str = "SELECT inspection.id, batch.name, item.qid, item.number, inspection.blind, inspection.version, assignment.version, assignment.state, account.shown, \
     (SELECT COALESCE(MAX(review.version), 0) FROM review WHERE review.assignment = assignment.id AND review.reviewer = inspection.reviewer) \
     FROM inspection JOIN assignment ON assignment.id = inspection.assignment JOIN item ON item.id = assignment.item \
     JOIN batch ON batch.id = assignment.batch JOIN account ON account.id = assignment.account WHERE inspection.reviewer = $1 ORDER BY inspection.id";

/// The list of a reviewer, what needs them first.
pub async fn queue(app: &App, reviewer: &str) -> Result<Vec<Queued>, Failure> {
    let rows = sqlx::query(SELECT).bind(reviewer.to_owned()).fetch_all(app.database.read()).await?;
    let mut list = rows.iter().map(queued).collect::<Result<Vec<_>, Failure>>()?;
    list.sort_by(|a, b| (a.needs, &a.batch, a.number).cmp(&(b.needs, &b.batch, b.number)));
    Ok(list)
}

fn queued(row: &sqlx::any::AnyRow) -> Result<Queued, Failure> {
    let (blind, given, version, seen): (i64, i64, i64, i64) =
        (row.try_get(4)?, row.try_get(5)?, row.try_get(6)?, row.try_get(9)?);
    let (state, annotator): (String, String) = (row.try_get(7)?, row.try_get(8)?);
    let needs = match state.as_str() {
        // What became of the assignment would tell that somebody else spoke.
        _ if blind != 0 => {
            if seen >= given {
                Needs::Done
            } else {
                Needs::Waiting
            }
        }
        "done" if seen == 0 => Needs::Waiting,
        "done" if seen < version => Needs::Changed,
        "returned" | "draft" => Needs::Away,
        _ => Needs::Done,
    };
    Ok(Queued {
        inspection: row.try_get(0)?,
        batch: row.try_get(1)?,
        qid: row.try_get(2)?,
        number: row.try_get(3)?,
        blind: blind != 0,
        annotator: if blind != 0 { String::new() } else { annotator },
        needs,
    })
}

/// A reviewer's list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queue {
    /// What needs the reader first.
    pub queue: Vec<Queued>,
}

/// The list for programs.
pub async fn json(State(app): State<App>, who: Who) -> Result<Json<Queue>, Failure> {
    Ok(Json(Queue { queue: queue(&app, &who.me()?.id).await? }))
}
