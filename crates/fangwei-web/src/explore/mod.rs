//! Exploring: whoever comes may paste a passage and see its spatial words, its roles, what is wrong and what would be right.
//!
//! Everything is said and drawn by `fangwei_predict::explore`; this room asks for the passage, bounds what may be asked, and keeps nothing of it.

mod pages;

pub use pages::Question;

use axum::http::Method;
use axum::routing::{get, post};
use fangwei::lang::{Lang, Say};
use fangwei_predict::explore::{Ask, ExploreError, Explored, Sources, explore};
use schemars::SchemaGenerator;
use std::sync::Arc;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::failure::Failure;
use crate::limit::EXPLORE;
use crate::policy::Policy::Everybody;
use crate::policy::Scope;
use crate::route::{Route, api, page};
use crate::thread::on_thread;
use crate::who::Who;

/// The routes of this room.
pub const ROUTES: &[Route] = &[
    page(Method::GET, "/explore", Everybody, || get(pages::page)),
    page(Method::POST, "/explore", Everybody, || post(pages::send)),
    page(Method::GET, "/explore/style.css", Everybody, || get(pages::style)).free(),
    api(Method::POST, "/api/explore", Everybody, Scope::Read, "spatial words, roles, errors and rivals of a passage", || {
        post(pages::answer)
    })
    .takes(SchemaGenerator::subschema_for::<Question>)
    .gives(SchemaGenerator::subschema_for::<Explored>),
];

/// So many passages are looked at in one moment; others wait.
const AT_ONCE: usize = 2;

/// Who answers, and how many may ask at once.
#[derive(Debug)]
pub struct Explorer {
    sources: Arc<Sources>,
    places: Arc<Semaphore>,
}

impl Explorer {
    /// An explorer that asks these.
    pub fn new(sources: Sources) -> Explorer {
        Explorer { sources: Arc::new(sources), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer::new(Sources::rules())
    }
}

/// Looks at a passage on a thread of its own; who asks too often waits.
async fn look(app: &App, who: &Who, address: &str, text: String, ask: Ask) -> Result<Explored, Failure> {
    let asker = who.account.as_ref().map_or(address, |(account, _)| &account.id);
    app.limits.take_at(EXPLORE, &format!("explore {asker}"), app.now()).map_err(Failure::TooMany)?;
    let place = app.explorer.places.clone().acquire_owned().await;
    let place = place.map_err(|error| Failure::Internal(format!("no place to explore: {error}")))?;
    let sources = app.explorer.sources.clone();
    on_thread(move || {
        let _place = place;
        explore(&text, &sources, ask).map_err(|error| match error {
            ExploreError::Predict(error) => Failure::Internal(error.to_string()),
            error => Failure::Invalid(Say::new(error.say(Lang::Zh), error.say(Lang::En))),
        })
    })
    .await
}
