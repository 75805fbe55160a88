//! What waits for somebody, for programs; the first page shows the same.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use super::desk::Desk;
use crate::app::App;
use crate::batches::queue::{self, Waiting};
use crate::failure::Failure;
use crate::who::Who;

/// One's own work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queue {
    /// What needs one first before the rest; then what is done.
    pub queue: Vec<Queued>,
}

/// A piece of work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queued {
    /// The assignment.
    pub assignment: String,
    /// The name of the batch.
    pub batch: String,
    /// The item.
    pub qid: String,
    /// Its place among one's own work in the batch.
    pub number: usize,
    /// Its state.
    pub state: String,
    /// Why it needs one: `returned`, `answered`, `draft`, `new`, or `done`.
    pub needs: String,
}

/// Tells what waits.
pub async fn answer(State(app): State<App>, who: Who) -> Result<Json<Queue>, Failure> {
    let me = who.me()?;
    let piles = queue::piles(&app, &me.id).await?;
    let row = |batch: &str, work: &Waiting, needs: &str| Queued {
        assignment: work.assignment.clone(),
        batch: batch.to_owned(),
        qid: work.qid.clone(),
        number: work.place,
        state: work.state.clone(),
        needs: needs.to_owned(),
    };
    let mut rows = Vec::new();
    for needs in queue::NEEDS.map(|(needs, _)| needs).into_iter().chain([""]) {
        for pile in &piles {
            let shown = if needs.is_empty() { "done" } else { needs };
            rows.extend(pile.work.iter().filter(|work| work.needs == needs).map(|work| row(&pile.name, work, shown)));
        }
    }
    Ok(Json(Queue { queue: rows }))
}

/// One's own work in the same batch, around a desk.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The place of the desk, from 1.
    pub place: usize,
    /// How many there are.
    pub of: usize,
    /// The one before.
    pub previous: Option<String>,
    /// The one after.
    pub next: Option<String>,
    /// The next that is not done; those before the desk come last.
    pub open: Option<String>,
}

/// Looks around.
pub async fn around(app: &App, desk: &Desk) -> Result<Around, Failure> {
    let select = "SELECT assignment.id, assignment.state FROM assignment JOIN item ON item.id = assignment.item \
                  WHERE assignment.account = $1 AND assignment.batch = $2 AND assignment.part = $3 AND assignment.state <> 'recalled' ORDER BY item.number";
    let select = sqlx::query(select).bind(desk.account.clone()).bind(desk.batch.id.clone()).bind(desk.part.clone());
    let rows = select.fetch_all(app.database.read()).await?;
    let own: Vec<(String, String)> =
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?;
    let Some(at) = own.iter().position(|(id, _)| *id == desk.id) else { return Ok(Around::default()) };
    let id = |at: usize| own.get(at).map(|(id, _)| id.clone());
    let waits = |(_, state): &&(String, String)| ["new", "draft", "returned"].contains(&state.as_str());
    let open = own[at + 1..].iter().chain(&own[..at]).find(waits).map(|(id, _)| id.clone());
    Ok(Around { place: at + 1, of: own.len(), previous: at.checked_sub(1).and_then(id), next: id(at + 1), open })
}
