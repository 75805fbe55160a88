//! The pages of a batch for managers: the list, one batch with its numbers, its items.

use fangwei::annotate::form::BatchMode;
use std::collections::BTreeMap;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::batch::{self, Batch, BatchSettings, NewBatch, SuggestTo};
use super::cross_check::{self, CrossCheck};
use super::items::{self, Flags, ItemRow};
use super::numbers::label_words;
use super::progress::{self, Progress};
use super::queue::state_words;
use super::suggest::{self, Run};
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

#[derive(Template)]
#[template(path = "batches/list.html")]
struct ListPage {
    page: Page,
    batches: Vec<Batch>,
    /// Ids and titles.
    tasks: Vec<(&'static str, &'static str)>,
    modes: Vec<(&'static str, &'static str)>,
}

/// The list of batches.
pub async fn list(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    let batches = batch::all(&app).await?;
    let page = Page::new(&who, "批次", "Batches");
    let tasks = fangwei::tasks::all().map(|task| (task.id(), task.about().title.get(who.lang))).collect();
    let modes = BatchMode::ALL.iter().map(|mode| (mode.as_str(), mode.title(who.lang))).collect();
    show(&ListPage { page, batches, tasks, modes })
}

/// What the form for a batch sends.
#[derive(Deserialize)]
pub struct BatchForm {
    name: String,
    task: String,
    mode: BatchMode,
    per_item: u32,
    #[serde(default)]
    instructions: String,
}

/// Makes a batch.
pub async fn make(State(app): State<App>, who: Who, Form(given): Form<BatchForm>) -> Result<Response, Failure> {
    let settings = BatchSettings { instructions: given.instructions, ..BatchSettings::default() };
    let new = NewBatch { name: given.name, task: given.task, mode: given.mode, per_item: given.per_item, settings };
    let id = batch::make(&app, who.me()?, new).await?;
    Ok(Redirect::to(&format!("/batches/{id}/items")).into_response())
}

#[derive(Template)]
#[template(path = "batches/batch.html")]
struct BatchPage {
    page: Page,
    batch: Batch,
    progress: Progress,
    kept: BTreeMap<String, i64>,
    run: Option<Run>,
    /// Whose suggestions can be had, and what is set where that is gone.
    sources: Vec<String>,
}

impl BatchPage {
    fn state(&self, state: &str) -> &'static str {
        state_words(state).0.get(self.page.who.lang)
    }

    fn label<'a>(&self, label: &'a str) -> &'a str {
        label_words(label).map_or(label, |words| words.get(self.page.who.lang))
    }
}

/// One batch with its numbers.
pub async fn one(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let progress = progress::progress(&app, &batch).await?;
    let (kept, run) = (suggest::kept(&app, &batch.id).await?, app.runs.of(&batch.id));
    let mut sources = suggest::sources(&app).await?;
    // What was there once and is set, or has answered items, can still be shown.
    let others = kept.keys().chain([&batch.settings.predictor]).filter(|name| !name.is_empty());
    for name in others {
        if !sources.contains(name) {
            sources.push(name.clone());
        }
    }
    show(&BatchPage { page: Page::new(&who, batch.name.clone(), batch.name.clone()), batch, progress, kept, run, sources })
}

/// What the form for a state sends.
#[derive(Deserialize)]
pub struct StateForm {
    state: String,
}

/// Opens or closes a batch.
pub async fn set_state(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<StateForm>,
) -> Result<Response, Failure> {
    batch::set_state(&app, who.me()?, &id, &given.state).await?;
    Ok(Redirect::to(&format!("/batches/{id}")).into_response())
}

/// What the form for settings sends; a box that is not ticked is not sent.
#[derive(Deserialize)]
pub struct SettingsForm {
    #[serde(default)]
    predictor: String,
    #[serde(default)]
    instructions: String,
    #[serde(default)]
    hints: Option<String>,
    #[serde(default)]
    suggest_to: SuggestTo,
    check_share: f64,
    #[serde(default)]
    time_limit_s: String,
}

/// Changes what the makers set.
pub async fn set_settings(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<SettingsForm>,
) -> Result<Response, Failure> {
    let time_limit_s = match given.time_limit_s.trim() {
        "" => None,
        limit => Some(limit.parse().map_err(|_| Failure::invalid("限时应为整数秒", "expected whole seconds as time limit"))?),
    };
    let settings = BatchSettings {
        predictor: given.predictor.trim().to_owned(),
        instructions: given.instructions,
        hints: given.hints.is_some(),
        suggest_to: given.suggest_to,
        check_share: given.check_share,
        time_limit_s,
        blind_seed: 0,
    };
    batch::set_settings(&app, who.me()?, &id, settings).await?;
    Ok(Redirect::to(&format!("/batches/{id}")).into_response())
}

/// What the form for a cross-check sends.
#[derive(Deserialize)]
pub struct CrossCheckForm {
    name: String,
    mode: BatchMode,
    per_item: u32,
}

/// Makes a cross-check batch.
pub async fn make_cross_check(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<CrossCheckForm>,
) -> Result<Response, Failure> {
    let new = CrossCheck { name: given.name, mode: given.mode, per_item: given.per_item, instructions: String::new() };
    let made = cross_check::make(&app, who.me()?, &id, new).await?;
    Ok(Redirect::to(&format!("/batches/{}", made.id)).into_response())
}

/// What the form for pre-annotation sends.
#[derive(Deserialize)]
pub struct SuggestForm {
    #[serde(default)]
    predictor: String,
}

/// Begins to pre-annotate a batch.
pub async fn begin_run(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<SuggestForm>,
) -> Result<Response, Failure> {
    suggest::start(&app, who.me()?, &id, given.predictor.trim()).await?;
    Ok(Redirect::to(&format!("/batches/{id}")).into_response())
}

#[derive(Template)]
#[template(path = "batches/items.html")]
struct ItemsPage {
    page: Page,
    batch: Batch,
    items: Vec<ItemRow>,
    all: usize,
    /// Where the tiles before and after begin.
    before: Option<usize>,
    after: Option<usize>,
}

impl ItemsPage {
    fn title(&self, item: &ItemRow) -> &'static str {
        state_words(item.state()).0.get(self.page.who.lang)
    }
}

/// So many tiles are drawn at once.
const MOST_TILES: usize = 1000;

/// From where tiles are drawn.
#[derive(Debug, Default, Deserialize)]
pub struct From {
    #[serde(default)]
    from: usize,
}

/// The items of a batch, and how more are brought in.
pub async fn item_tiles(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(From { from }): Asked<From>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let items = items::list(&app, &batch.id).await?;
    let page = Page::new(&who, format!("{}：题目", batch.name), format!("{}: items", batch.name));
    let (all, before) = (items.len(), (from > 0).then(|| from.saturating_sub(MOST_TILES)));
    let after = from.checked_add(MOST_TILES).filter(|after| *after < all);
    let items = items.into_iter().skip(from).take(MOST_TILES).collect();
    show(&ItemsPage { page, batch, items, all, before, after })
}

/// Makes ticked items check questions, and those that are not ticked ordinary ones.
pub async fn set_checks(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let qids = fields.iter().filter(|(name, _)| name == "qid").map(|(_, qid)| qid.clone()).collect();
    let is_check = fields.iter().any(|(name, value)| name == "is_check" && value == "1");
    items::set_flags(&app, who.me()?, &id, &Flags { qids, is_check }).await?;
    Ok(Redirect::to(&format!("/batches/{id}/items")).into_response())
}
