//! The pages of the track: prompts and their runs, what organisers do with them, a transcript.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::Change;
use serde::Deserialize;

use super::grading::{self, Order};
use super::look::{self, Track, Transcript};
use super::run::Run;
use crate::app::App;
use crate::contests::{Head, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::submit::queue;
use crate::who::Who;

#[derive(Template)]
#[template(path = "prompts/track.html")]
struct TrackPage {
    page: Page,
    head: Head,
    track: Track,
    is_organiser: bool,
}

/// The track.
pub async fn track(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    show(&TrackPage {
        page: Page::new(&who, "提示词赛道", "The track of prompts"),
        head: Head::new(&app, &who, &kept),
        track: look::shown(&app, &who, &kept).await?,
        is_organiser: who.is_at_least(Role::Organiser),
    })
}

/// What the forms of the page send.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Acting {
    what: String,
    seed: u64,
    partial: String,
}

/// Makes a batch of the reasons, or lets teams read their transcripts.
pub async fn act(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Acting>,
) -> Result<Response, Failure> {
    let (kept, me) = (kept::find(&app, &who, &id).await?, who.me()?);
    super::track(&kept)?;
    let to = match given.what.as_str() {
        "grade" => {
            let order = Order { seed: given.seed, partial: !given.partial.is_empty() };
            let made = grading::make(&app, &kept, Some(&me.id), &order).await?;
            queue::wake(&app);
            made.batch.map(|batch| format!("/batches/{batch}"))
        }
        "unseal" => {
            kept::change_now(&app, &id, Some(&me.id), &Change::Unseal {}).await?;
            None
        }
        other => return Err(Failure::invalid(format!("没有这种操作：{other}"), format!("unknown action: {other}"))),
    };
    Ok(Redirect::to(&to.unwrap_or_else(|| format!("/contests/{id}/prompts"))).into_response())
}

#[derive(Template)]
#[template(path = "prompts/transcript.html")]
struct TranscriptPage {
    page: Page,
    head: Head,
    run: Run,
    transcript: Transcript,
}

/// The transcript of a run.
pub async fn transcript(State(app): State<App>, who: Who, Path((id, run)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let (run, transcript) = look::unseal(&app, &who, &kept, &run).await?;
    show(&TranscriptPage {
        page: Page::new(&who, "运行记录", "Transcript"), head: Head::new(&app, &who, &kept), run, transcript
    })
}
