//! Work in batches: made, filled with items, given out with a preview, watched, talked about, pre-annotated, exported.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`batch`], [`mod@api`] | what a batch is; made, opened, closed |
//! | `import`, `items` | a file as items: what annotators may see apart from what stays on the server |
//! | `cross_check` | a batch from the pairs that authors wrote |
//! | [`plan`], `assign`, `assign_page` | who gets what: a pure plan, a preview, what is done |
//! | [`queue`] | what waits for somebody |
//! | `numbers`, `progress`, `pages`, `person` | how far, how fast, how well |
//! | `threads`, `threads_page` | questions and reports, and answers |
//! | [`suggest`] | what predictors say |
//! | `grades` | what two raters gave, behind the gate |
//! | `export` | what people said, as files |

pub mod api;
mod assign;
mod assign_page;
pub mod batch;
mod cross_check;
mod export;
mod grades;
pub(crate) mod import;
pub(crate) mod items;
pub(crate) mod numbers;
mod pages;
mod person;
pub mod plan;
mod progress;
pub mod queue;
pub mod suggest;
pub mod threads;
mod threads_page;

use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::routing::{get, post, put};
use schemars::SchemaGenerator;

use crate::download::LINES;
use crate::policy::Policy::AtLeast;
use crate::policy::Role::{Annotator, Manager};
use crate::policy::Scope::{Manage, Read};
use crate::route::{Route, api, page};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of batches.
pub const ROUTES: &[Route] = &[
    page(GET, "/me/work", AtLeast(Annotator), || get(person::self_page)),
    page(GET, "/people/{id}", AtLeast(Manager), || get(person::page)),
    page(GET, "/batches", AtLeast(Manager), || get(pages::list)),
    page(POST, "/batches", AtLeast(Manager), || post(pages::make)),
    page(GET, "/batches/{id}", AtLeast(Manager), || get(pages::one)),
    page(POST, "/batches/{id}/state", AtLeast(Manager), || post(pages::set_state)),
    page(POST, "/batches/{id}/settings", AtLeast(Manager), || post(pages::set_settings)),
    page(POST, "/batches/{id}/cross-check", AtLeast(Manager), || post(pages::make_cross_check)),
    page(POST, "/batches/{id}/suggestions", AtLeast(Manager), || post(pages::begin_run)),
    page(GET, "/batches/{id}/items", AtLeast(Manager), || get(pages::item_tiles)),
    page(POST, "/batches/{id}/checks", AtLeast(Manager), || post(pages::set_checks)),
    page(GET, "/batches/{id}/assign", AtLeast(Manager), || get(assign_page::page)),
    page(POST, "/batches/{id}/assign", AtLeast(Manager), || post(assign_page::apply)),
    page(GET, "/batches/{id}/threads", AtLeast(Manager), || get(threads_page::list)),
    page(POST, "/batches/{id}/threads", AtLeast(Manager), || post(threads_page::reply)),
    api(GET, "/api/batches", AtLeast(Manager), Read, "Lists the batches, the latest first.", || get(api::list))
        .gives(SchemaGenerator::subschema_for::<api::BatchList>),
    api(POST, "/api/batches", AtLeast(Manager), Manage, "Makes a batch.", || post(api::make))
        .takes(SchemaGenerator::subschema_for::<batch::NewBatch>)
        .gives(SchemaGenerator::subschema_for::<api::Made>),
    api(GET, "/api/batches/{id}", AtLeast(Manager), Read, "How far a batch is, and how people did.", || get(progress::answer))
        .gives(SchemaGenerator::subschema_for::<progress::Progress>),
    api(POST, "/api/batches/{id}/state", AtLeast(Manager), Manage, "Opens or closes a batch.", || post(api::set_state))
        .takes(SchemaGenerator::subschema_for::<api::NewState>)
        .gives(SchemaGenerator::subschema_for::<api::NewState>),
    api(GET, "/api/batches/{id}/settings", AtLeast(Manager), Read, "What the makers of a batch set.", || get(api::settings))
        .gives(SchemaGenerator::subschema_for::<batch::BatchSettings>),
    api(Method::PUT, "/api/batches/{id}/settings", AtLeast(Manager), Manage, "Sets them; what is not sent is as in a batch that says nothing.", || {
        put(api::set_settings)
    })
    .takes(SchemaGenerator::subschema_for::<batch::BatchSettings>)
    .gives(SchemaGenerator::subschema_for::<batch::BatchSettings>),
    api(POST, "/api/batches/{id}/cross-check", AtLeast(Manager), Manage, "Makes a batch from the pairs that an author batch has finished, for others than their authors.", || {
        post(cross_check::answer)
    })
    .takes(SchemaGenerator::subschema_for::<cross_check::CrossCheck>)
    .gives(SchemaGenerator::subschema_for::<cross_check::CrossChecked>),
    api(GET, "/api/batches/{id}/items", AtLeast(Manager), Read, "Lists the items of a batch by number.", || get(items::items))
        .gives(SchemaGenerator::subschema_for::<items::ItemList>),
    api(
        POST,
        "/api/batches/{id}/items",
        AtLeast(Manager),
        Manage,
        "Takes a file of items (JSON or JSON lines, up to 64 MB) into a batch, all or none; with ?checks=true as check questions, with ?gold=true only as the right judgements of a grading batch.",
        || post(items::import).layer(DefaultBodyLimit::max(items::MOST_FILE)),
    )
    .gives(SchemaGenerator::subschema_for::<items::Imported>),
    api(POST, "/api/batches/{id}/checks", AtLeast(Manager), Manage, "Makes items check questions, or ordinary ones.", || {
        post(items::flag)
    })
    .takes(SchemaGenerator::subschema_for::<items::Flags>)
    .gives(SchemaGenerator::subschema_for::<items::Flagged>),
    api(POST, "/api/batches/{id}/plan", AtLeast(Manager), Manage, "Says who would get and lose which items.", || {
        post(assign::preview)
    })
    .takes(SchemaGenerator::subschema_for::<assign::Request>)
    .gives(SchemaGenerator::subschema_for::<assign::Preview>),
    api(POST, "/api/batches/{id}/assign", AtLeast(Manager), Manage, "Does what a plan said; refused if something changed.", || {
        post(assign::apply)
    })
    .takes(SchemaGenerator::subschema_for::<assign::Order>)
    .gives(SchemaGenerator::subschema_for::<assign::Preview>),
    api(GET, "/api/batches/{id}/threads", AtLeast(Manager), Read, "Lists questions and reports; ?q= looks for words.", || {
        get(threads::list)
    })
    .gives(SchemaGenerator::subschema_for::<threads::Threads>),
    api(POST, "/api/batches/{id}/threads", AtLeast(Manager), Manage, "Answers a question or report.", || post(threads::reply))
        .takes(SchemaGenerator::subschema_for::<threads::NewAnswer>)
        .gives(SchemaGenerator::subschema_for::<threads::Answered>),
    api(GET, "/api/batches/{id}/suggestions", AtLeast(Manager), Read, "Tells which suggestions there are.", || {
        get(suggest::answer)
    })
    .gives(SchemaGenerator::subschema_for::<suggest::Suggestions>),
    api(POST, "/api/batches/{id}/suggestions", AtLeast(Manager), Manage, "Lets a predictor answer the items.", || {
        post(suggest::begin)
    })
    .takes(SchemaGenerator::subschema_for::<suggest::NewRun>)
    .gives(SchemaGenerator::subschema_for::<suggest::Run>),
    api(GET, "/api/batches/{id}/marks", AtLeast(Manager), Read, "Every version of every mark, as JSON lines.", || {
        get(export::marks)
    })
    .gives_file(LINES),
    api(
        GET,
        "/api/batches/{id}/labels",
        AtLeast(Manager),
        Read,
        "The last labels as `fangwei agree` reads them; with ?annotator= the answers of one person as records of the task.",
        || get(export::labels),
    )
    .gives_file(LINES),
    api(
        GET,
        "/api/batches/{id}/grades",
        AtLeast(Manager),
        Read,
        "The grades of a grading batch as `fangwei score --grades` reads them; 0 where the judgement is wrong.",
        || get(grades::file),
    )
    .gives_file("text/csv"),
];
