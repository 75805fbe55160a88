//! A folder of a competition as an archive: sent by a page or a program, checked, and kept as a draft or as a revision.

use std::io::Cursor;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use fangwei::contest::{at_root, unpack};
use serde::Deserialize;

use super::put::{self, Put};
use crate::app::App;
use crate::failure::Failure;
use crate::submit::queue;
use crate::thread::on_thread;
use crate::who::Who;

/// So large may an archive be.
pub const MOST_ARCHIVE: usize = 64 << 20;

/// Why it is sent.
#[derive(Deserialize)]
pub struct Why {
    #[serde(default)]
    reason: String,
}

/// Takes an archive.
pub async fn upload(
    State(app): State<App>,
    who: Who,
    Query(Why { reason }): Query<Why>,
    body: Bytes,
) -> Result<Json<Put>, Failure> {
    let me = who.me()?;
    let folder = on_thread(move || unpack(Cursor::new(body)).map(at_root).map_err(|error| Failure::Invalid(error.say()))).await?;
    let put = put::put(&app, &folder, Some(&me.id), &reason).await?;
    if put.generation.is_some() {
        queue::wake(&app);
    }
    Ok(Json(put))
}
