//! Competitions for programs.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::contest::Change;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept::{self, Kept, State as Stage};
use super::{accept as agreement, news};
use crate::app::App;
use crate::failure::Failure;
use crate::sent::Sent;
use crate::who::Who;

/// A competition in a line.
#[derive(Serialize, JsonSchema)]
pub struct ContestLine {
    id: String,
    name: String,
    state: Stage,
}

/// All competitions.
#[derive(Serialize, JsonSchema)]
pub struct ContestList {
    contests: Vec<ContestLine>,
}

/// Lists competitions.
pub async fn list(State(app): State<App>, who: Who) -> Result<Json<ContestList>, Failure> {
    let line = |kept: &std::sync::Arc<Kept>| ContestLine {
        id: kept.contest.id.clone(),
        name: kept.contest.name.get(who.lang).to_owned(),
        state: kept.state,
    };
    let contests = kept::all(&app, &who).await?.iter().map(line).collect();
    Ok(Json(ContestList { contests }))
}

/// A phase as of now.
#[derive(Serialize, JsonSchema)]
pub struct PhaseAbout {
    id: String,
    name: String,
    /// RFC 3339.
    start: String,
    /// RFC 3339; the first moment that is no longer in it.
    end: String,
    is_open: bool,
    tasks: Vec<&'static str>,
    max_submissions: Option<u32>,
    max_submissions_per_day: Option<u32>,
    submission_rule: &'static str,
}

/// A file as of now.
#[derive(Serialize, JsonSchema)]
pub struct FileAbout {
    id: String,
    title: String,
    task: Option<String>,
    is_released: bool,
    /// Its SHA-256, once it is released.
    sha256: Option<String>,
}

/// A competition as of now.
#[derive(Serialize, JsonSchema)]
pub struct About {
    id: String,
    name: String,
    state: Stage,
    /// The version of its files.
    version: i64,
    /// The offset in which days are counted.
    zone: String,
    /// The version of the agreement, if there is one.
    agreement: Option<String>,
    tasks: Vec<&'static str>,
    phases: Vec<PhaseAbout>,
    data: Vec<FileAbout>,
    boards: Vec<String>,
}

fn about(app: &App, who: &Who, kept: &Kept) -> About {
    let (contest, now) = (&kept.contest, app.now());
    let phase = |phase: &fangwei::contest::Phase| PhaseAbout {
        id: phase.id.clone(),
        name: phase.name.get(who.lang).to_owned(),
        start: phase.start.to_string(),
        end: phase.end.to_string(),
        is_open: kept.state == Stage::Open && phase.is_open(now),
        tasks: phase.tasks.iter().map(|entry| entry.task.id()).collect(),
        max_submissions: phase.quota.total,
        max_submissions_per_day: phase.quota.per_day,
        submission_rule: phase.rule.as_str(),
    };
    let file = |file: &fangwei::contest::DataFile| FileAbout {
        id: file.id.clone(),
        title: file.title.get(who.lang).to_owned(),
        task: file.task.clone(),
        is_released: contest.is_released(file, now),
        sha256: kept.files.get(&file.file).filter(|_| contest.is_released(file, now)).cloned(),
    };
    About {
        id: contest.id.clone(),
        name: contest.name.get(who.lang).to_owned(),
        state: kept.state,
        version: kept.version,
        zone: contest.zone.to_string(),
        agreement: contest.agreement.as_ref().map(|agreement| agreement.version.clone()),
        tasks: contest.tasks.iter().map(|entry| entry.task.id()).collect(),
        phases: contest.phases.iter().map(phase).collect(),
        data: contest.data.iter().map(file).collect(),
        boards: contest.boards.iter().map(|board| board.id.clone()).collect(),
    }
}

/// One competition.
pub async fn one(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<About>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(about(&app, &who, &kept)))
}

/// Something that happened.
#[derive(Serialize, JsonSchema)]
pub struct NewsLine {
    number: i64,
    /// Milliseconds since 1970.
    at: i64,
    kind: &'static str,
    title: String,
    /// Why, or the whole text, in Markdown.
    text: String,
}

/// What happened.
#[derive(Serialize, JsonSchema)]
pub struct NewsList {
    news: Vec<NewsLine>,
}

/// What happened to a competition.
pub async fn news(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<NewsList>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let all = news::all(&app, &kept, who.lang).await?;
    let line = |one: news::News| NewsLine { number: one.number, at: one.at, kind: one.kind, title: one.title, text: one.text };
    Ok(Json(NewsList { news: all.into_iter().map(line).collect() }))
}

/// A version of the agreement.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Acceptance {
    version: String,
}

/// Accepts the agreement.
pub async fn accept(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<Acceptance>,
) -> Result<Json<Acceptance>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    agreement::accept_version(&app, &kept, &who, &given.version).await?;
    Ok(Json(given))
}

/// Makes a change: `{"kind":"release","file":"…"}`.
pub async fn change(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<Value>,
) -> Result<Json<About>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let change: Change = serde_json::from_value(given)
        .map_err(|error| Failure::invalid(format!("这个变动不能用：{error}"), format!("the change cannot be used: {error}")))?;
    if matches!(change, Change::Revise { .. } | Change::Rescore { .. } | Change::Jury { .. } | Change::Award { .. }) {
        return Err(Failure::invalid("修订、重新评分和评奖有各自的命令", "revisions, rescoring and awards have their own ways"));
    }
    let mut changes = app.database.begin().await?;
    kept::change(&app, &mut changes, &kept, Some(&who.me()?.id), &change).await?;
    changes.commit().await?;
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(about(&app, &who, &kept)))
}
