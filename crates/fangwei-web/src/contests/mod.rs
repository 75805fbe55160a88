//! Competitions: what everybody sees of one (home, tasks, data, schedule, news) and what organisers do with it.
//!
//! A competition is its file with its events applied (`fangwei::contest`); this room keeps both and asks the library every question about a moment.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`kept`], [`mod@put`] | what is kept: versions of files, events; how they come in |
//! | [`head`] | what all pages of a competition share |
//! | `pages`, `news` | home, pages, tasks, schedule; what happened |
//! | `data`, [`accept`] | files to download, the agreement before them |
//! | `manage`, `upload` | what organisers do |
//! | `api` | the same for programs |

pub mod accept;
mod api;
mod data;
pub mod head;
pub mod kept;
mod manage;
mod news;
mod pages;
pub mod put;
mod upload;

pub use head::Head;
pub use kept::{Contests, Kept, State};

use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::download::LINES;
use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::{Organiser, Participant};
use crate::policy::Scope::{Manage, Read, Submit};
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of competitions.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests", Everybody, || get(pages::list)),
    page(POST, "/contests", AtLeast(Organiser), || post(manage::make)),
    page(GET, "/contests/{contest}", Everybody, || get(pages::home)),
    page(GET, "/contests/{contest}/pages/{page}", Everybody, || get(pages::one)),
    page(GET, "/contests/{contest}/tasks/{task}", Everybody, || get(pages::task)),
    page(GET, "/contests/{contest}/schedule", Everybody, || get(pages::schedule)),
    page(GET, "/contests/{contest}/news", Everybody, || get(news::page)),
    page(GET, "/contests/{contest}/data", Everybody, || get(data::list)),
    page(GET, "/contests/{contest}/data/{file}", AtLeast(Participant), || get(data::file)),
    page(GET, "/contests/{contest}/agreement", Everybody, || get(accept::page)),
    page(POST, "/contests/{contest}/agreement", AtLeast(Participant), || post(accept::accept)),
    page(GET, "/contests/{contest}/manage", AtLeast(Organiser), || get(manage::page)),
    page(POST, "/contests/{contest}/manage", AtLeast(Organiser), || post(manage::change)),
    api(GET, "/api/contests", Everybody, Read, "Lists the competitions, the latest first.", || get(api::list))
        .gives(SchemaGenerator::subschema_for::<api::ContestList>),
    api(
        POST,
        "/api/contests",
        AtLeast(Organiser),
        Manage,
        "Takes the folder of a competition as a zip file (up to 64 MB): a draft, or a revision of the one of its id; ?reason= is told on its news page.",
        || post(upload::upload).layer(DefaultBodyLimit::max(upload::MOST_ARCHIVE)),
    )
    .gives(SchemaGenerator::subschema_for::<put::Put>),
    api(GET, "/api/contests/{contest}", Everybody, Read, "Tasks, phases, files and boards of a competition as of now.", || get(api::one))
        .gives(SchemaGenerator::subschema_for::<api::About>),
    api(GET, "/api/contests/{contest}/news", Everybody, Read, "What happened to a competition, the latest first.", || get(api::news))
        .gives(SchemaGenerator::subschema_for::<api::NewsList>),
    api(GET, "/api/contests/{contest}/data/{file}", AtLeast(Participant), Read, "A file that is released.", || get(data::file)).gives_file(LINES),
    api(POST, "/api/contests/{contest}/agreement", AtLeast(Participant), Submit, "Accepts a version of the agreement.", || post(api::accept))
        .takes(SchemaGenerator::subschema_for::<api::Acceptance>)
        .gives(SchemaGenerator::subschema_for::<api::Acceptance>),
    api(
        POST,
        "/api/contests/{contest}/changes",
        AtLeast(Organiser),
        Manage,
        "Makes a change: opens, closes, moves a deadline, releases a file, freezes a board, tells news.",
        || post(api::change),
    )
    .takes(SchemaGenerator::subschema_for::<serde_json::Value>)
    .gives(SchemaGenerator::subschema_for::<api::About>),
];
