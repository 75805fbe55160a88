//! Styles, scripts and icons. A debug build reads them from the folder at every request, so that a change is seen at once; a release carries them.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::failure::Failure;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Assets;

/// A static file. Browsers ask again each time and are told if nothing changed.
pub async fn asset(Path(path): Path<String>, headers: axum::http::HeaderMap) -> Result<Response, Failure> {
    let file = Assets::get(&path).ok_or(Failure::NotFound)?;
    let tag: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [
        (header::CONTENT_TYPE, content_type(&path).to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    if known {
        return Ok((axum::http::StatusCode::NOT_MODIFIED, about).into_response());
    }
    Ok((about, file.data.into_owned()).into_response())
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
