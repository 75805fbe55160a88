//! Review: which finished work is looked at, by whom, what they say of it, round after round; and adjudication where annotators differ. Nothing is overwritten.

mod adjudicate;
mod cases;
pub mod inspection;
mod own_desk;
mod page;
mod plan;
mod queue;
mod reviewers;
mod sample;
mod told;
mod verdict;

pub use sample::share_of;

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::policy::Policy::AtLeast;
use crate::policy::Role::{Manager, Reviewer};
use crate::policy::Scope;
use crate::route::{Route, api, page as page_route};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of review and adjudication.
pub const ROUTES: &[Route] = &[
    page_route(GET, "/review", AtLeast(Reviewer), || get(page::list)),
    page_route(GET, "/review/{inspection}", AtLeast(Reviewer), || get(page::one)),
    page_route(POST, "/review/{inspection}", AtLeast(Reviewer), || post(page::say)),
    page_route(GET, "/review/sample/{batch}", AtLeast(Manager), || get(plan::sample)),
    page_route(POST, "/review/sample/{batch}", AtLeast(Manager), || post(plan::try_sample)),
    page_route(GET, "/review/disagreements", AtLeast(Manager), || get(plan::apart_page)),
    page_route(GET, "/adjudicate", AtLeast(Reviewer), || get(cases::list)),
    page_route(GET, "/adjudicate/{item}", AtLeast(Reviewer), || get(cases::one)),
    page_route(POST, "/adjudicate/{item}", AtLeast(Reviewer), || post(cases::say)),
    page_route(POST, "/adjudicate/{item}/edit", AtLeast(Reviewer), || post(own_desk::say_go_on)),
    page_route(POST, "/adjudicate/hand-out/{batch}", AtLeast(Manager), || post(cases::say_hand_out)),
    api(
        GET,
        "/api/review",
        AtLeast(Reviewer),
        Scope::Read,
        "What waits for the reviewer, what was changed since, what is done",
        || get(queue::json),
    )
    .gives(SchemaGenerator::subschema_for::<queue::Queue>),
    api(
        GET,
        "/api/review/{inspection}",
        AtLeast(Reviewer),
        Scope::Read,
        "One inspection: mark, cards, findings, versions, rounds",
        || get(told::inspection),
    )
    .gives(SchemaGenerator::subschema_for::<told::InspectionTold>),
    api(
        POST,
        "/api/review/{inspection}",
        AtLeast(Reviewer),
        Scope::Manage,
        "Approve, return or revise the version that was looked at",
        || post(verdict::answer),
    )
    .takes(SchemaGenerator::subschema_for::<verdict::Said>)
    .gives(SchemaGenerator::subschema_for::<verdict::Settled>),
    api(
        POST,
        "/api/review/sample/{batch}",
        AtLeast(Manager),
        Scope::Manage,
        "Choose finished work for reviewers: a preview, or given out",
        || post(plan::json_sample),
    )
    .takes(SchemaGenerator::subschema_for::<sample::Sample>)
    .gives(SchemaGenerator::subschema_for::<sample::Sampled>),
    api(
        GET,
        "/api/review/disagreements",
        AtLeast(Manager),
        Scope::Read,
        "Where a blind second reviewer disagreed with the first",
        || get(plan::json_apart),
    )
    .gives(SchemaGenerator::subschema_for::<plan::Disagreements>),
    api(GET, "/api/adjudicate", AtLeast(Reviewer), Scope::Read, "Items that somebody is to decide on", || get(cases::json_list))
        .gives(SchemaGenerator::subschema_for::<cases::Cases>),
    api(
        GET,
        "/api/adjudicate/{item}",
        AtLeast(Reviewer),
        Scope::Read,
        "The marks of an item side by side, and what differs",
        || get(told::case),
    )
    .gives(SchemaGenerator::subschema_for::<told::CaseTold>),
    api(
        POST,
        "/api/adjudicate/{item}",
        AtLeast(Reviewer),
        Scope::Manage,
        "Take a mark, a merged one, or drop the item: it becomes gold",
        || post(cases::json_decide),
    )
    .takes(SchemaGenerator::subschema_for::<adjudicate::Decide>)
    .gives(SchemaGenerator::subschema_for::<cases::Decided>),
    api(
        POST,
        "/api/adjudicate/{item}/edit",
        AtLeast(Reviewer),
        Scope::Manage,
        "Put a mark of the item, or a merged one, on your own desk as a draft, to go on in the editor",
        || post(own_desk::json_go_on),
    )
    .takes(SchemaGenerator::subschema_for::<own_desk::Continue>)
    .gives(SchemaGenerator::subschema_for::<own_desk::Continued>),
    api(
        POST,
        "/api/adjudicate/hand-out/{batch}",
        AtLeast(Manager),
        Scope::Manage,
        "Give the items that triage left over to adjudicators",
        || post(cases::json_hand_out),
    )
    .takes(SchemaGenerator::subschema_for::<cases::HandOut>)
    .gives(SchemaGenerator::subschema_for::<cases::HandedOut>),
];
