//! Submitting: a file is looked at by the validator, refused with every defect or taken within the quota, and scored at once by a queue that survives its process.
//!
//! What was sent is kept by the hash of its bytes and never altered; every score names its scorer and its gold. By page, by program, or by `fangwei submit`: one way in.

mod api;
mod bounds;
mod entry;
mod examine;
pub(crate) mod log;
pub mod look;
mod pages;
mod place;
pub mod queue;
mod receive;
mod take;

pub use bounds::{MOST_PLAIN, MOST_SENT};
pub use examine::{Examiners, Files, files, files_in, items};
pub use place::Place;
pub use queue::Scoring;
pub use receive::{Senders, receive};

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::download::LINES;
use crate::policy::Policy::AtLeast;
use crate::policy::Role::Participant;
use crate::policy::Scope::{Read, Submit};
use crate::route::api as program;
use crate::route::{Route, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of submitting.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/submit", AtLeast(Participant), || get(pages::submit)),
    page(GET, "/contests/{contest}/submissions", AtLeast(Participant), || get(pages::list)),
    page(GET, "/contests/{contest}/submissions/{id}", AtLeast(Participant), || get(pages::one)),
    page(GET, "/contests/{contest}/uploads/{id}", AtLeast(Participant), || get(pages::defects)),
    program(
        POST,
        "/api/contests/{contest}/submissions",
        AtLeast(Participant),
        Submit,
        "Takes a file (up to 16 MB, plain, gzip, Zstandard or a zip of one) with ?task= ?phase= ?file= ?note= ?client=; answers with its score, or with every defect.",
        || post(take::submit),
    )
    .gives(SchemaGenerator::subschema_for::<take::Taken>),
    program(
        POST,
        "/api/contests/{contest}/check",
        AtLeast(Participant),
        Submit,
        "Looks at a file as for a submission, without taking it.",
        || post(take::check),
    )
    .gives(SchemaGenerator::subschema_for::<take::Checked>),
    program(GET, "/api/contests/{contest}/quota", AtLeast(Participant), Submit, "What may be submitted at this moment.", || {
        get(api::quota)
    })
    .gives(SchemaGenerator::subschema_for::<api::OpenPlaces>),
    program(GET, "/api/contests/{contest}/submissions", AtLeast(Participant), Read, "Your team's submissions, newest first.", || {
        get(api::list)
    })
    .gives(SchemaGenerator::subschema_for::<api::Submissions>),
    program(
        GET,
        "/api/contests/{contest}/submissions/{id}",
        AtLeast(Participant),
        Submit,
        "One submission with its score and its log.",
        || get(api::one),
    )
    .gives(SchemaGenerator::subschema_for::<look::Whole>),
    program(
        GET,
        "/api/contests/{contest}/submissions/{id}/items",
        AtLeast(Participant),
        Read,
        "The results of its items, where the phase shows them.",
        || get(api::items),
    )
    .gives_file(LINES),
    program(GET, "/api/contests/{contest}/submissions/{id}/file", AtLeast(Participant), Read, "The file as it was sent.", || {
        get(api::file)
    })
    .gives_file("application/octet-stream"),
    program(
        POST,
        "/api/contests/{contest}/submissions/{id}/choose",
        AtLeast(Participant),
        Submit,
        "Chooses a submission to count, where the phase lets teams choose.",
        || post(api::choose),
    )
    .takes(SchemaGenerator::subschema_for::<api::Choice>)
    .gives(SchemaGenerator::subschema_for::<api::Choice>),
    program(GET, "/api/contests/{contest}/uploads/{id}", AtLeast(Participant), Submit, "Every defect of a file that was sent.", || {
        get(api::defects)
    })
    .gives(SchemaGenerator::subschema_for::<api::DefectList>),
];
