//! The page that holds the editor. It has no text of the item: the editor asks for that.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::desk::{Desk, For};
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

#[derive(Template)]
#[template(path = "work/item.html")]
struct ItemPage {
    page: Page,
    assignment: String,
    inspection: String,
}

/// The editor of one's own work, or of work that one reviews and revises.
pub async fn page(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(asked): Asked<For>,
) -> Result<Response, Failure> {
    let desk = Desk::open(&app, who.me()?, &id, &asked).await?;
    let title = format!("{} · {}", desk.batch.name, desk.qid);
    let page = Page::new(&who, title.clone(), title);
    let inspection = desk.revision.map(|revision| revision.inspection).unwrap_or_default();
    show(&ItemPage { page, assignment: desk.id, inspection })
}
