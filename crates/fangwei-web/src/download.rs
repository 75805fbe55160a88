//! Files to save.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::guard::escape;

/// Records, one a line.
pub const LINES: &str = "application/x-ndjson";

/// A file to save. It is never shown in the frame of the site, whose rules its own styles would break.
pub fn download(kind: &str, name: &str, text: String) -> Response {
    let name = escape(name).replace('/', "-");
    let about =
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{name}"))];
    (about, text).into_response()
}
