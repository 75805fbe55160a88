//! Whether the platform is ready: it is when the database answers.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::Failure;

/// `{"status": "ready", …}` as soon as requests can be served.
pub async fn answer(State(app): State<App>) -> Result<Json<Value>, Failure> {
    let _: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM migration").fetch_one(app.database.read()).await?;
    Ok(Json(json!({ "status": "ready", "version": env!("CARGO_PKG_VERSION") })))
}
