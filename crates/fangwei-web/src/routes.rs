//! The table of contents of the platform: every address, whom it serves, what answers. Rooms keep their own rows.

use axum::http::Method;
use axum::routing::{get, post};
use schemars::SchemaGenerator;

use crate::accounts::{me, people, sign};
use crate::audit::log;
use crate::policy::Policy::{AtLeast, Everybody};
use crate::policy::Role::{Admin, Manager, Organiser, Participant};
use crate::policy::Scope;
use crate::route::{Route, api, page};
use crate::{
    agree, assets, awards, batches, board, contests, explore, health, home, openapi, prompts, rescore, review, submit, teams,
    work,
};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// All routes, by room.
pub const ROUTES: &[&[Route]] = &[
    COMMON,
    ACCOUNTS,
    batches::ROUTES,
    work::ROUTES,
    review::ROUTES,
    agree::ROUTES,
    contests::ROUTES,
    teams::ROUTES,
    submit::ROUTES,
    board::ROUTES,
    prompts::ROUTES,
    rescore::ROUTES,
    awards::ROUTES,
    explore::ROUTES,
];

const COMMON: &[Route] = &[
    page(GET, "/", AtLeast(Participant), || get(home::page)),
    page(GET, "/healthz", Everybody, || get(health::answer)).free(),
    page(GET, "/log", AtLeast(Organiser), || get(log::page)),
    api(GET, "/api/log", AtLeast(Organiser), Scope::Manage, "who did what, newest first", || get(log::list))
        .gives(SchemaGenerator::subschema_for::<log::Entries>),
    api(GET, "/api/openapi.json", Everybody, Scope::Read, "this description", || get(openapi::answer))
        .gives(SchemaGenerator::subschema_for::<openapi::Description>),
    page(GET, "/static/{*path}", Everybody, || get(assets::asset)).free(),
];

const ACCOUNTS: &[Route] = &[
    page(GET, "/login", Everybody, || get(sign::login_page)),
    page(POST, "/login", Everybody, || post(sign::login)),
    page(POST, "/logout", Everybody, || post(sign::logout)),
    page(GET, "/join/{secret}", Everybody, || get(sign::link_page)),
    page(POST, "/join/{secret}", Everybody, || post(sign::join)),
    page(GET, "/reset/{secret}", Everybody, || get(sign::link_page)),
    page(POST, "/reset/{secret}", Everybody, || post(sign::reset)),
    page(GET, "/lang/{lang}", Everybody, || get(me::set_lang)),
    page(GET, "/me", AtLeast(Participant), || get(me::page)),
    page(POST, "/me/password", AtLeast(Participant), || post(me::set_password)),
    page(POST, "/me/tokens", AtLeast(Participant), || post(me::make_token)),
    page(POST, "/me/tokens/{id}/revoke", AtLeast(Participant), || post(me::revoke_token)),
    page(GET, "/people", AtLeast(Manager), || get(people::page)),
    page(POST, "/people/invite", AtLeast(Manager), || post(people::invite)),
    page(POST, "/people/{id}", AtLeast(Manager), || post(people::change)),
    page(POST, "/people/{id}/reset", AtLeast(Admin), || post(people::reset_link)),
];
