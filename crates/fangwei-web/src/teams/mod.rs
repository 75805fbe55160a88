//! Teams: who takes part in a competition. A team registers with the agreement, organisers approve it, members join by link.
//!
//! The team is the unit of everything: quota, submissions, places on boards. Nobody sees another team's contact or submissions; on boards its name may be masked.

mod join;
mod own;
mod queue;
mod register;
mod sign_up;
pub mod team;

pub use team::{State, Team};

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::{Organiser, Participant};
use crate::policy::Scope::{Manage, Read, Submit};
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of teams.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/sign-up", Everybody, || get(sign_up::page)),
    page(POST, "/contests/{contest}/sign-up", Everybody, || post(sign_up::sign_up)),
    page(GET, "/contests/{contest}/register", AtLeast(Participant), || get(register::page)),
    page(POST, "/contests/{contest}/register", AtLeast(Participant), || post(register::register)),
    page(GET, "/contests/{contest}/team", AtLeast(Participant), || get(own::page)),
    page(POST, "/contests/{contest}/team/links", AtLeast(Participant), || post(own::make_link)),
    page(POST, "/contests/{contest}/team/links/end", AtLeast(Participant), || post(own::end_links)),
    page(POST, "/contests/{contest}/team/leave", AtLeast(Participant), || post(own::leave)),
    page(GET, "/teams/join/{secret}", Everybody, || get(join::page)),
    page(POST, "/teams/join/{secret}", AtLeast(Participant), || post(join::join)),
    page(GET, "/contests/{contest}/teams", AtLeast(Organiser), || get(queue::page)),
    page(POST, "/contests/{contest}/teams/{team}", AtLeast(Organiser), || post(queue::decide_form)),
    api(GET, "/api/teams", AtLeast(Participant), Submit, "The teams that you act for.", || get(own::answer_all))
        .gives(SchemaGenerator::subschema_for::<own::OwnTeams>),
    api(GET, "/api/contests/{contest}/team", AtLeast(Participant), Read, "Your team in a competition.", || get(own::answer))
        .gives(SchemaGenerator::subschema_for::<own::OwnTeam>),
    api(GET, "/api/contests/{contest}/teams", AtLeast(Organiser), Manage, "All teams, with their contacts.", || get(queue::list))
        .gives(SchemaGenerator::subschema_for::<queue::Teams>),
    api(
        POST,
        "/api/contests/{contest}/teams",
        AtLeast(Organiser),
        Manage,
        "Makes a row for a baseline, people or an LLM.",
        || post(queue::make_row),
    )
    .takes(SchemaGenerator::subschema_for::<queue::NewRow>)
    .gives(SchemaGenerator::subschema_for::<Team>),
    api(POST, "/api/contests/{contest}/teams/{team}", AtLeast(Organiser), Manage, "Approves or refuses a team.", || {
        post(queue::decide_api)
    })
    .takes(SchemaGenerator::subschema_for::<queue::Decision>)
    .gives(SchemaGenerator::subschema_for::<Team>),
];
