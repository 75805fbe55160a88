//! Awards: what teams hand in before a deadline, what the jury thinks of it, and the result by the formula of 2021.
//!
//! Documents are seen by their team, the organisers and the jury. Who judges sees what others gave only after giving their own. The result is computed from the board
//! and the jury until an organiser makes it public; from then on it stays as it was.
//!
//! | room | what it does |
//! | --- | --- |
//! | `documents` | handing in: files and links, every version, the last counts |
//! | `jury` | who judges, points by criterion |
//! | `result` | candidates, the formula, what everybody sees |
//! | `pages` | all this for people |

mod documents;
mod jury;
mod pages;
mod result;

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::{Organiser, Participant, Reviewer};
use crate::policy::Scope::{Manage, Read, Submit};
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of awards.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/documents", AtLeast(Participant), || get(pages::documents)),
    page(POST, "/contests/{contest}/documents/{document}", AtLeast(Participant), || post(documents::hand_in_link)),
    page(GET, "/contests/{contest}/jury", AtLeast(Reviewer), || get(pages::jury)),
    page(POST, "/contests/{contest}/jury/{team}", AtLeast(Reviewer), || post(jury::give_form)),
    page(GET, "/contests/{contest}/awards", Everybody, || get(pages::awards)),
    page(POST, "/contests/{contest}/awards/jury", AtLeast(Organiser), || post(jury::name_form)),
    page(POST, "/contests/{contest}/awards/release", AtLeast(Organiser), || post(result::release_form)),
    api(
        GET,
        "/api/contests/{contest}/documents",
        AtLeast(Participant),
        Read,
        "What your team handed in; for organisers and the jury, what all did.",
        || get(documents::list),
    )
    .gives(SchemaGenerator::subschema_for::<documents::Documents>),
    api(
        POST,
        "/api/contests/{contest}/documents/{document}",
        AtLeast(Participant),
        Submit,
        "Hands in a document before its deadline: the body is the file (up to 16 MB; its name by ?file=), or ?link= is the link.",
        || post(documents::hand_in),
    )
    .gives(SchemaGenerator::subschema_for::<documents::Version>),
    api(
        GET,
        "/api/contests/{contest}/documents/{version}/file",
        AtLeast(Participant),
        Read,
        "A file that was handed in, for its team, the organisers and the jury.",
        || get(documents::file),
    )
    .gives_file("application/octet-stream"),
    api(
        GET,
        "/api/contests/{contest}/jury",
        AtLeast(Reviewer),
        Read,
        "Teams with their documents and points, for who judges.",
        || get(jury::list),
    )
    .gives(SchemaGenerator::subschema_for::<jury::Desk>),
    api(POST, "/api/contests/{contest}/jury/{team}", AtLeast(Reviewer), Manage, "Gives a team points by criterion.", || {
        post(jury::give)
    })
    .takes(SchemaGenerator::subschema_for::<jury::Given>)
    .gives(SchemaGenerator::subschema_for::<jury::Desk>),
    api(POST, "/api/contests/{contest}/awards/jury", AtLeast(Organiser), Manage, "Says who judges, by name.", || {
        post(jury::name)
    })
    .takes(SchemaGenerator::subschema_for::<jury::Naming>)
    .gives(SchemaGenerator::subschema_for::<jury::Jury>),
    api(
        GET,
        "/api/contests/{contest}/awards",
        Everybody,
        Read,
        "The awards as they were made public; for organisers, as they would be at this moment.",
        || get(result::answer),
    )
    .gives(SchemaGenerator::subschema_for::<result::Awards>),
    api(GET, "/api/contests/{contest}/awards.csv", Everybody, Read, "The same as a table.", || get(result::csv))
        .gives_file("text/csv"),
    api(
        POST,
        "/api/contests/{contest}/awards/release",
        AtLeast(Organiser),
        Manage,
        "Makes the awards public, as they are at this moment.",
        || post(result::release),
    )
    .gives(SchemaGenerator::subschema_for::<result::Awards>),
];
