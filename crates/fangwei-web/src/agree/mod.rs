//! How far the annotators of a batch agree, who stands apart, what becomes gold: pages, JSON and files on top of `fangwei::agree`, which computes all of it.

pub mod decide;
pub mod exclude;
pub mod gather;
pub mod gold;
pub mod labels;
mod look;
mod page;
mod report;

pub use look::{Looked, Reports, Stretch, compute, grades, look, options};

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::download::LINES;
use crate::policy::Policy::AtLeast;
use crate::policy::Role::Manager;
use crate::policy::Scope;
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of agreement.
pub const ROUTES: &[Route] = &[
    page(GET, "/agree", AtLeast(Manager), || get(page::list)),
    page(GET, "/agree/{batch}", AtLeast(Manager), || get(page::report)),
    page(GET, "/agree/{batch}/report/{format}", AtLeast(Manager), || get(report::file)),
    page(POST, "/agree/{batch}/exclude", AtLeast(Manager), || post(page::exclude)),
    page(GET, "/agree/{batch}/triage", AtLeast(Manager), || get(page::triage)),
    page(POST, "/agree/{batch}/triage", AtLeast(Manager), || post(page::apply)),
    page(GET, "/agree/{batch}/gold", AtLeast(Manager), || get(page::gold)),
    page(GET, "/agree/{batch}/gold/file", AtLeast(Manager), || get(report::gold_file)),
    api(
        GET,
        "/api/agree/{batch}",
        AtLeast(Manager),
        Scope::Read,
        "The agreement of a batch's annotators, with grades and course over time",
        || get(report::json),
    )
    .gives(SchemaGenerator::subschema_for::<report::Reported>),
    api(
        POST,
        "/api/agree/{batch}/exclude",
        AtLeast(Manager),
        Scope::Manage,
        "Leave annotators out of the numbers of a batch, for a reason that is logged",
        || post(report::exclude),
    )
    .takes(SchemaGenerator::subschema_for::<exclude::Exclude>)
    .gives(SchemaGenerator::subschema_for::<report::Excluded>),
    api(
        POST,
        "/api/agree/{batch}/triage",
        AtLeast(Manager),
        Scope::Manage,
        "Decide which items become gold: a preview, or written with provenance",
        || post(report::triage),
    )
    .takes(SchemaGenerator::subschema_for::<decide::Triage>)
    .gives(SchemaGenerator::subschema_for::<decide::Plan>),
    api(GET, "/api/agree/{batch}/gold", AtLeast(Manager), Scope::Read, "The gold of a batch as the task's own file", || {
        get(report::gold_file)
    })
    .gives_file(LINES),
    api(
        GET,
        "/api/agree/{batch}/key",
        AtLeast(Manager),
        Scope::Read,
        "Which candidate each item of a batch is, with its origin, genre and replaced words",
        || get(report::key_file),
    )
    .gives_file(LINES),
    api(
        GET,
        "/api/agree/{batch}/objections",
        AtLeast(Manager),
        Scope::Read,
        "What the release step would object to in the gold of a batch",
        || get(report::objections),
    )
    .gives(SchemaGenerator::subschema_for::<report::Objected>),
];
