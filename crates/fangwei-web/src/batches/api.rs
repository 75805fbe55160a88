//! Batches for programs: listed, made, opened, closed.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use fangwei::annotate::form::BatchMode;

use super::batch::{self, BatchSettings, NewBatch};
use crate::app::App;
use crate::failure::Failure;
use crate::sent::Sent;
use crate::who::Who;

/// A batch in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its task.
    pub task: String,
    /// What people do.
    pub mode: BatchMode,
    /// `draft`, `open` or `closed`.
    pub state: String,
    /// So many people an item.
    pub per_item: usize,
    /// When it was made.
    pub made_at: i64,
}

/// Batches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BatchList {
    /// The latest first.
    pub batches: Vec<Listed>,
}

/// Lists the batches.
pub async fn list(State(app): State<App>) -> Result<Json<BatchList>, Failure> {
    let listed = |batch: batch::Batch| Listed {
        id: batch.id,
        name: batch.name,
        task: batch.task.id().to_owned(),
        mode: batch.mode,
        state: batch.state,
        per_item: batch.per_item,
        made_at: batch.made_at,
    };
    Ok(Json(BatchList { batches: batch::all(&app).await?.into_iter().map(listed).collect() }))
}

/// What was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Made {
    /// Its id.
    pub id: String,
}

/// Makes a batch.
pub async fn make(State(app): State<App>, who: Who, Sent(given): Sent<NewBatch>) -> Result<(StatusCode, Json<Made>), Failure> {
    Ok((StatusCode::CREATED, Json(Made { id: batch::make(&app, who.me()?, given).await? })))
}

/// Tells what the makers of a batch set. The seed of names is not told.
pub async fn settings(State(app): State<App>, Path(id): Path<String>) -> Result<Json<BatchSettings>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    Ok(Json(BatchSettings { blind_seed: 0, ..batch.settings }))
}

/// Changes what the makers of a batch set: all of it, what is not sent to what it is in a batch that says nothing.
pub async fn set_settings(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<BatchSettings>,
) -> Result<Json<BatchSettings>, Failure> {
    batch::set_settings(&app, who.me()?, &id, given).await?;
    settings(State(app), Path(id)).await
}

/// A state.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewState {
    /// `draft`, `open` or `closed`.
    pub state: String,
}

/// Opens or closes a batch.
pub async fn set_state(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<NewState>,
) -> Result<Json<NewState>, Failure> {
    batch::set_state(&app, who.me()?, &id, &given.state).await?;
    Ok(Json(given))
}
