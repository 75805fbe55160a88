//! The desk of an annotator: an item opens as a form, every change is kept as a version, what is finished has passed the rules.
//!
//! | room | what it does |
//! | --- | --- |
//! | `desk` | who works on what: an assignment with its batch, its item and its last version; never what is secret about the item |
//! | `open` | what an editor gets |
//! | `save` | what an editor sends: versions, retries, conflicts, finishing |
//! | `talk` | skipping, reports, questions and replies |
//! | `queue` | what waits |
//! | `page` | the page that holds the editor |

mod desk;
mod open;
mod page;
mod queue;
mod save;
mod talk;

use axum::http::Method;
use axum::routing::{get, post, put};
use schemars::SchemaGenerator;

use crate::policy::Policy::AtLeast;
use crate::policy::Role::Annotator;
use crate::policy::Scope::{Annotate, Read};
use crate::route::{self, Route, api};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of work. Everybody reaches what was given to them, and nothing else.
pub const ROUTES: &[Route] = &[
    route::page(GET, "/work/{assignment}", AtLeast(Annotator), || get(page::page)),
    api(GET, "/api/work", AtLeast(Annotator), Read, "Your work, what needs you first before the rest.", || get(queue::answer))
        .gives(SchemaGenerator::subschema_for::<queue::Queue>),
    api(GET, "/api/work/{assignment}", AtLeast(Annotator), Read, "An item with its form and what you said of it; with `?inspection=`, what you are to review and may revise.", || {
        get(open::answer)
    })
    .gives(SchemaGenerator::subschema_for::<open::Work>),
    api(
        Method::PUT,
        "/api/work/{assignment}",
        AtLeast(Annotator),
        Annotate,
        "Keeps a version of your sheet. 409 with what is there, if it does not stand on the last version; a retry is answered like the first time.",
        || put(save::put),
    )
    .takes(SchemaGenerator::subschema_for::<save::Change>)
    .gives(SchemaGenerator::subschema_for::<save::Saved>),
    api(POST, "/api/work/{assignment}/check", AtLeast(Annotator), Annotate, "What the rules say of a sheet; nothing is kept.", || {
        post(save::check)
    })
    .takes(SchemaGenerator::subschema_for::<save::Asked>)
    .gives(SchemaGenerator::subschema_for::<save::Findings>),
    api(
        POST,
        "/api/work/{assignment}/finish",
        AtLeast(Annotator),
        Annotate,
        "Keeps a version and calls it finished; 422 with the findings, if one of them is an error.",
        || post(save::finish),
    )
    .takes(SchemaGenerator::subschema_for::<save::Change>)
    .gives(SchemaGenerator::subschema_for::<save::Finished>),
    api(POST, "/api/work/{assignment}/skip", AtLeast(Annotator), Annotate, "Lays an item aside, with a reason.", || {
        post(talk::skip)
    })
    .takes(SchemaGenerator::subschema_for::<talk::Skip>)
    .gives(SchemaGenerator::subschema_for::<talk::Skipped>),
    api(POST, "/api/work/{assignment}/report", AtLeast(Annotator), Annotate, "Reports a bad item.", || post(talk::report))
        .takes(SchemaGenerator::subschema_for::<talk::Say>)
        .gives(SchemaGenerator::subschema_for::<talk::Told>),
    api(POST, "/api/work/{assignment}/ask", AtLeast(Annotator), Annotate, "Asks a question about an item.", || post(talk::ask))
        .takes(SchemaGenerator::subschema_for::<talk::Say>)
        .gives(SchemaGenerator::subschema_for::<talk::Told>),
    api(POST, "/api/work/{assignment}/reply", AtLeast(Annotator), Annotate, "Goes on in a thread of yours.", || post(talk::reply))
        .takes(SchemaGenerator::subschema_for::<talk::Reply>)
        .gives(SchemaGenerator::subschema_for::<talk::Told>),
];
