//! Generations for people and programs: a list with how far each is, and what each changed.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::begin::{self, Rescoring};
use super::difference::{self, Difference};
use super::generation::{self, Generation, Stage};
use crate::app::App;
use crate::contests::{Head, Kept, head, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::sent::Sent;
use crate::submit::queue;
use crate::who::Who;

/// The generations of a competition.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Generations {
    /// The latest first.
    pub generations: Vec<Generation>,
}

/// A generation with what it changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Whole {
    /// The generation.
    pub generation: Generation,
    /// What it changed.
    pub difference: Difference,
}

/// The generations that somebody may see: everybody sees them as soon as they see a board.
async fn seen(app: &App, who: &Who, kept: &Arc<Kept>) -> Result<Vec<Generation>, Failure> {
    let is_organiser = who.is_at_least(Role::Organiser);
    if !is_organiser && difference::boards(app, who, kept).await?.is_empty() {
        return Err(Failure::NotFound);
    }
    generation::all(app, &kept.contest.id, is_organiser).await
}

/// A generation with what it changed, as far as somebody may see it.
pub async fn whole(app: &App, who: &Who, kept: &Arc<Kept>, number: &str) -> Result<Whole, Failure> {
    let generation = seen(app, who, kept).await?.into_iter().find(|generation| generation.number.to_string() == number);
    let generation = generation.ok_or(Failure::NotFound)?;
    let difference = difference::of(app, who, kept, &generation).await?;
    Ok(Whole { generation, difference })
}

#[derive(Template)]
#[template(path = "rescore/list.html")]
struct ListPage {
    page: Page,
    head: Head,
    generations: Vec<Generation>,
    is_organiser: bool,
    /// Whether scores that everybody sees were made by another program than this one.
    is_old: bool,
    /// Phases and tasks: id and name.
    phases: Vec<(String, String)>,
    tasks: Vec<(String, String)>,
}

/// The list.
pub async fn list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let generations = seen(&app, &who, &kept).await?;
    let (contest, lang) = (&kept.contest, who.lang);
    show(&ListPage {
        page: Page::new(&who, "评分记录", "Generations of scores"),
        head: Head::new(&app, &who, &kept),
        is_organiser: who.is_at_least(Role::Organiser),
        is_old: generations.iter().any(|one| one.state == Stage::Current && one.is_of_other_scorer()),
        generations,
        phases: contest.phases.iter().map(|phase| (phase.id.clone(), phase.name.get(lang).to_owned())).collect(),
        tasks: contest.tasks.iter().map(|entry| (entry.task.id().to_owned(), entry.title.get(lang).to_owned())).collect(),
    })
}

/// The list, for programs.
pub async fn list_api(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Generations>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(Generations { generations: seen(&app, &who, &kept).await? }))
}

#[derive(Template)]
#[template(path = "rescore/one.html")]
struct OnePage {
    page: Page,
    head: Head,
    generation: Generation,
    difference: Difference,
    is_organiser: bool,
}

#[expect(clippy::unused_self, reason = "templates call methods")]
impl OnePage {
    /// The last part of a task's id.
    fn short<'t>(&self, task: &'t str) -> &'t str {
        head::short(task)
    }
}

/// What a generation changed.
pub async fn one(State(app): State<App>, who: Who, Path((id, number)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let Whole { generation, difference } = whole(&app, &who, &kept, &number).await?;
    show(&OnePage {
        page: Page::new(&who, format!("第 {number} 代评分"), format!("Generation {number}")),
        head: Head::new(&app, &who, &kept),
        generation,
        difference,
        is_organiser: who.is_at_least(Role::Organiser),
    })
}

/// The same, for programs.
pub async fn one_api(
    State(app): State<App>,
    who: Who,
    Path((id, number)): Path<(String, String)>,
) -> Result<Json<Whole>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(whole(&app, &who, &kept, &number).await?))
}

/// What the form sends.
#[derive(Deserialize)]
pub struct Beginning {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    phase: String,
    #[serde(default)]
    task: String,
    #[serde(default)]
    reset_quota: String,
}

/// Begins a generation by form.
pub async fn begin_form(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Beginning>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let Beginning { reason, phase, task, reset_quota } = given;
    let wanted = Rescoring { reason, phase, task, reset_quota: !reset_quota.is_empty() };
    let number = begin::begin(&app, &kept, Some(&who.me()?.id), &wanted).await?;
    queue::wake(&app);
    Ok(Redirect::to(&format!("/contests/{id}/generations/{number}")).into_response())
}

/// Begins a generation by program.
pub async fn begin_api(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<Rescoring>,
) -> Result<(StatusCode, Json<Generation>), Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let number = begin::begin(&app, &kept, Some(&who.me()?.id), &given).await?;
    queue::wake(&app);
    Ok((StatusCode::CREATED, Json(generation::find(&app, &id, number, true).await?)))
}

async fn retried(app: &App, who: &Who, id: &str, number: &str) -> Result<Generation, Failure> {
    kept::find(app, who, id).await?;
    let number: i64 = number.parse().map_err(|_| Failure::NotFound)?;
    generation::find(app, id, number, true).await?;
    begin::retry(app, id, number, Some(&who.me()?.id)).await?;
    queue::wake(app);
    generation::find(app, id, number, true).await
}

/// Tries again what could not be scored, by form.
pub async fn retry_form(
    State(app): State<App>,
    who: Who,
    Path((id, number)): Path<(String, String)>,
) -> Result<Response, Failure> {
    retried(&app, &who, &id, &number).await?;
    Ok(Redirect::to(&format!("/contests/{id}/generations/{number}")).into_response())
}

/// Tries again what could not be scored, by program.
pub async fn retry_api(
    State(app): State<App>,
    who: Who,
    Path((id, number)): Path<(String, String)>,
) -> Result<Json<Generation>, Failure> {
    Ok(Json(retried(&app, &who, &id, &number).await?))
}
