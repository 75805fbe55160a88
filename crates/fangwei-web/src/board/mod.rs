//! Boards: who stands where, overall and task by task, and how far each place can be trusted.
//!
//! A board is computed from rows that are never altered (scores, choices, the rows of its file), for one of a few eyes: organisers see everything, others what the
//! phase shows, the public part until it is revealed, and what stood at the freeze. Scores and places are always those of this moment; intervals and chances take
//! longer, are computed once for every state of the board, and follow.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`sight`] | what somebody may see of a board |
//! | [`gather`](mod@gather) | the rows of a board out of the database |
//! | [`trust`] | intervals, chances and groups: computed beside the requests, once |
//! | [`shown`] | the board as it is told |
//! | `draw` | its pictures |
//! | `pages`, `badge`, `items` | what answers |

mod badge;
mod draw;
pub mod gather;
mod items;
mod pages;
pub mod shown;
pub mod sight;
pub mod trust;

pub use trust::Boards;

use axum::http::Method;
use axum::routing::get;
use schemars::SchemaGenerator;

use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::Participant;
use crate::policy::Scope::Read;
use crate::route::{Route, api, page};

const GET: Method = Method::GET;

/// The routes of boards.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/boards", Everybody, || get(pages::list)),
    page(GET, "/contests/{contest}/boards/{board}", Everybody, || get(pages::one)),
    page(GET, "/contests/{contest}/boards/{board}/board.csv", Everybody, || get(pages::csv)),
    page(GET, "/contests/{contest}/boards/{board}/badge.svg", Everybody, || get(badge::answer)),
    page(GET, "/contests/{contest}/items", AtLeast(Participant), || get(items::page)),
    api(GET, "/api/contests/{contest}/boards", Everybody, Read, "The boards that you may see.", || get(pages::api_list))
        .gives(SchemaGenerator::subschema_for::<shown::BoardList>),
    api(
        GET,
        "/api/contests/{contest}/boards/{board}",
        Everybody,
        Read,
        "A board: places, scores, intervals, groups that cannot be told apart, chances of being first.",
        || get(pages::api_one),
    )
    .gives(SchemaGenerator::subschema_for::<shown::BoardShown>),
    api(
        GET,
        "/api/contests/{contest}/boards/{board}/live",
        Everybody,
        Read,
        "Whether a board has moved: its stamp is another one then. Honours If-None-Match.",
        || get(pages::live),
    )
    .gives(SchemaGenerator::subschema_for::<shown::Live>),
    api(
        GET,
        "/api/contests/{contest}/items",
        AtLeast(Participant),
        Read,
        "Released items of ?phase= and ?task=, fifty a ?page=, those with ?find= in their text; with your team's results and the answers where these are shown.",
        || get(items::api),
    )
    .gives(SchemaGenerator::subschema_for::<items::ItemPage>),
];
