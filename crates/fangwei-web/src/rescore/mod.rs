//! Rescoring: a scorer or gold that was corrected makes a generation of scores; the one before is kept, and what everybody sees changes when all of the next is there.
//!
//! | room | what it does |
//! | --- | --- |
//! | `begin` | a generation, and what is to be scored for it |
//! | [`settle`] | when it takes the place of the one before |
//! | [`generation`] | generations as they are kept, how far each is |
//! | [`difference`], [`gold`] | whose score and place changed, and why |
//! | `pages` | all this for people and programs |

mod begin;
pub mod difference;
pub mod generation;
pub mod gold;
mod pages;
pub mod settle;

pub use begin::{Rescoring, begin, correct, next_number, retry};
pub use pages::{Whole, whole};

pub(crate) use begin::{hold, start};

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::Organiser;
use crate::policy::Scope::{Manage, Read};
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of rescoring.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/generations", Everybody, || get(pages::list)),
    page(POST, "/contests/{contest}/generations", AtLeast(Organiser), || post(pages::begin_form)),
    page(GET, "/contests/{contest}/generations/{number}", Everybody, || get(pages::one)),
    page(POST, "/contests/{contest}/generations/{number}/retry", AtLeast(Organiser), || post(pages::retry_form)),
    api(
        GET,
        "/api/contests/{contest}/generations",
        Everybody,
        Read,
        "Generations of scores, the latest first, and how far each is.",
        || get(pages::list_api),
    )
    .gives(SchemaGenerator::subschema_for::<pages::Generations>),
    api(
        POST,
        "/api/contests/{contest}/generations",
        AtLeast(Organiser),
        Manage,
        "Scores all submissions anew, or those of a phase or a task; boards change when it is done.",
        || post(pages::begin_api),
    )
    .takes(SchemaGenerator::subschema_for::<Rescoring>)
    .gives(SchemaGenerator::subschema_for::<generation::Generation>),
    api(
        GET,
        "/api/contests/{contest}/generations/{number}",
        Everybody,
        Read,
        "Whose score and rank a generation changed, from what to what, and why.",
        || get(pages::one_api),
    )
    .gives(SchemaGenerator::subschema_for::<Whole>),
    api(
        POST,
        "/api/contests/{contest}/generations/{number}/retry",
        AtLeast(Organiser),
        Manage,
        "Puts what could not be scored in a generation into the queue again.",
        || post(pages::retry_api),
    )
    .gives(SchemaGenerator::subschema_for::<generation::Generation>),
];
