//! The track of prompts: a team submits a prompt, the organisers run it on hidden items, people grade the reasons without knowing whose they are.
//!
//! A prompt is a submission like any other (`submit`) that nothing scores by itself. `fangwei competition prompts` runs it and keeps here what came of it, sealed;
//! [`grading`] makes a blind batch of the reasons, and once all are graded the scoring queue asks [`outcome`] what a submission earned.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`entry`] | the prompts of a competition, and which of them count |
//! | [`run`] | what came of running one |
//! | [`grading`] | reasons to grade, and whether all are graded |
//! | `score` | answers and grades as a score |
//! | `look`, `pages` | what teams and organisers see; transcripts behind their gate |

pub mod entry;
pub mod grading;
mod look;
mod pages;
pub mod run;
mod score;

pub use grading::settle;
pub use look::{Exchange, PromptShown, RunShown, Said, Track, Transcript};
pub use score::outcome;

use axum::http::Method;
use axum::routing::{get, post};
use fangwei::contest::{Contest, PromptTrack, has_reasons};
use fangwei::task::Task;
use schemars::SchemaGenerator;
use serde_json::json;

use crate::contests::Kept;
use crate::failure::Failure;
use crate::policy::Policy::AtLeast;
use crate::policy::Role::{Organiser, Participant};
use crate::policy::Scope::{Manage, Read};
use crate::route::{Route, api, page};
use crate::submit::Place;

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// The routes of prompts.
pub const ROUTES: &[Route] = &[
    page(GET, "/contests/{contest}/prompts", AtLeast(Participant), || get(pages::track)),
    page(POST, "/contests/{contest}/prompts", AtLeast(Organiser), || post(pages::act)),
    page(GET, "/contests/{contest}/prompts/{run}", AtLeast(Participant), || get(pages::transcript)),
    api(
        GET,
        "/api/contests/{contest}/prompts",
        AtLeast(Participant),
        Read,
        "The track of prompts: your team's prompts and their runs; for organisers those of all teams.",
        || get(look::track),
    )
    .gives(SchemaGenerator::subschema_for::<Track>),
    api(
        GET,
        "/api/contests/{contest}/prompts/{run}/transcript",
        AtLeast(Participant),
        Read,
        "What was asked and answered in a run: for its team once transcripts are released, for organisers always.",
        || get(look::transcript),
    )
    .gives(SchemaGenerator::subschema_for::<Transcript>),
    api(
        POST,
        "/api/contests/{contest}/prompts/grading",
        AtLeast(Organiser),
        Manage,
        "Makes a batch of the reasons that nobody has graded yet, without names and in an order of the seed; scores what needs no grades.",
        || post(look::grade),
    )
    .takes(SchemaGenerator::subschema_for::<grading::Order>)
    .gives(SchemaGenerator::subschema_for::<grading::Made>),
];

/// The track of a competition and its place; not there where it has none.
pub fn track(kept: &Kept) -> Result<(&PromptTrack, Place), Failure> {
    let track = kept.contest.prompts.as_ref().ok_or(Failure::NotFound)?;
    let phase = kept.contest.phase(&track.phase).ok_or(Failure::NotFound)?;
    let task = phase.task(&track.task).ok_or(Failure::NotFound)?;
    Ok((track, Place { phase: phase.clone(), task: task.clone() }))
}

/// The path of the measure that ranks a task in a phase: its own, or the points of prompts whose reasons are graded.
pub fn measure(contest: &Contest, phase: &str, task: &dyn Task) -> String {
    let track = contest.prompts.as_ref().filter(|track| track.phase == phase && track.task == task.id() && has_reasons(task));
    match track {
        Some(track) => format!("{}.points", json!(track.rubric).as_str().unwrap_or_default()),
        None => task.scale().ranking.to_owned(),
    }
}
