//! Submissions for programs: lists, one with its log, the file itself, results of items, what is left of quotas, the choice of what counts.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fangwei::contest::Rule;
use fangwei::lang::Say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row;

use super::examine::MOST_KEPT;
use super::log;
use super::look::{self, Shown, Whole};
use super::place::{Place, check_open};
use super::take::{QuotaLeft, left};
use crate::app::App;
use crate::asked::Asked;
use crate::contests::{Kept, kept};
use crate::download::{LINES, download};
use crate::failure::Failure;
use crate::guard::escape;
use crate::policy::Role;
use crate::sent::Sent;
use crate::teams::{Team, team};
use crate::who::Who;
use crate::{id, store};

/// Whose submissions are asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Whose {
    /// For organisers: a team.
    #[serde(default)]
    pub team: String,
}

/// The team whose submissions somebody may list.
pub async fn team_of(app: &App, who: &Who, kept: &Kept, whose: &Whose) -> Result<Team, Failure> {
    if !whose.team.is_empty() && who.is_at_least(Role::Organiser) {
        return team::find(app, &kept.contest.id, &whose.team).await;
    }
    team::of_account(app, &kept.contest.id, &who.me()?.id).await?.ok_or(Failure::NotFound)
}

/// Submissions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Submissions {
    /// The submissions, newest first.
    pub submissions: Vec<Shown>,
}

/// The submissions of a team.
pub async fn list(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(whose): Asked<Whose>,
) -> Result<Json<Submissions>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let team = team_of(&app, &who, &kept, &whose).await?;
    Ok(Json(Submissions { submissions: look::of_team(&app, &who, &kept, &team.id).await? }))
}

/// One submission with its log.
pub async fn one(
    State(app): State<App>,
    who: Who,
    Path((id, submission)): Path<(String, String)>,
) -> Result<Json<Whole>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(look::whole(&app, &who, &kept, &submission).await?))
}

/// The results of the items of a submission, a line each.
pub async fn items(
    State(app): State<App>,
    who: Who,
    Path((id, submission)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let shown = look::one(&app, &who, &kept, &submission).await?;
    let lines = look::items(&app, &who, &kept, &shown).await?;
    let text = lines.iter().map(|line| line.to_string() + "\n").collect();
    Ok(download(LINES, &format!("{}-items.jsonl", shown.id), text))
}

/// The file as it was sent.
pub async fn file(State(app): State<App>, who: Who, Path((id, submission)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let shown = look::one(&app, &who, &kept, &submission).await?;
    let bytes = store::get(app.database.read(), &shown.sha256).await?;
    let name = escape(&shown.file).replace('/', "-");
    let about = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{name}")),
    ];
    Ok((about, bytes).into_response())
}

/// What the validator said of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DefectList {
    /// What the file was called.
    pub file: String,
    /// `accepted` or `rejected`.
    pub verdict: String,
    /// How many defects there are.
    pub count: usize,
    /// Errors, then warnings: places, what was expected and found.
    pub defects: Vec<Value>,
}

/// Every defect of a file that was sent.
pub async fn defects(
    State(app): State<App>,
    who: Who,
    Path((id, upload)): Path<(String, String)>,
) -> Result<Json<DefectList>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(defects_of(&app, &who, &kept, &upload, MOST_KEPT).await?))
}

/// The defects of a file, for its team and the organisers.
pub async fn defects_of(app: &App, who: &Who, kept: &Kept, upload: &str, most: usize) -> Result<DefectList, Failure> {
    let select = "SELECT team, file_name, verdict FROM upload WHERE contest = $1 AND id = $2";
    let row =
        sqlx::query(select).bind(kept.contest.id.clone()).bind(upload.to_owned()).fetch_optional(app.database.read()).await?;
    let row = row.ok_or(Failure::NotFound)?;
    look::need_sight(app, who, kept, &row.try_get::<String, _>(0)?).await?;
    let (defects, count) = look::defects_of(app, upload, who.lang, most).await?;
    Ok(DefectList { file: row.try_get(1)?, verdict: row.try_get(2)?, count, defects })
}

/// What may be submitted at this moment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenPlace {
    /// The phase.
    pub phase: String,
    /// Its name.
    pub phase_name: String,
    /// The task.
    pub task: String,
    /// Its name.
    pub task_name: String,
    /// When the phase ends, in milliseconds since 1970.
    pub ends_at: i64,
    /// What is left of the quota.
    pub left: QuotaLeft,
}

/// What a team may submit at this moment.
pub async fn open_places(app: &App, who: &Who, kept: &Kept, team: &Team) -> Result<Vec<OpenPlace>, Failure> {
    let mut places = Vec::new();
    for phase in kept.contest.phases_at(app.now()) {
        for task in &phase.tasks {
            let place = Place { phase: phase.clone(), task: task.clone() };
            let id = task.task.id();
            let title = kept.contest.task(id).map_or_else(|| Say::same(id), |entry| entry.title.clone());
            places.push(OpenPlace {
                phase: phase.id.clone(),
                phase_name: phase.name.get(who.lang).to_owned(),
                task: id.to_owned(),
                task_name: title.get(who.lang).to_owned(),
                ends_at: phase.end.ms,
                left: left(app, kept, team, &place).await?.into(),
            });
        }
    }
    Ok(places)
}

/// What is left of quotas.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenPlaces {
    /// What may be submitted.
    pub places: Vec<OpenPlace>,
}

/// What may be submitted, for programs.
pub async fn quota(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<OpenPlaces>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let team = team_of(&app, &who, &kept, &Whose::default()).await?;
    Ok(Json(OpenPlaces { places: open_places(&app, &who, &kept, &team).await? }))
}

/// Whether a submission is to count.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// Whether it is.
    pub chosen: bool,
}

/// Chooses a submission to count, or no longer.
pub async fn choose(
    State(app): State<App>,
    who: Who,
    Path((id, submission)): Path<(String, String)>,
    Sent(choice): Sent<Choice>,
) -> Result<Json<Choice>, Failure> {
    let (me, kept) = (who.me()?, kept::find(&app, &who, &id).await?);
    let shown = look::one(&app, &who, &kept, &submission).await?;
    let phase = kept.contest.phase(&shown.phase).ok_or(Failure::NotFound)?;
    if phase.rule != Rule::Chosen {
        let title = phase.rule.title();
        return Err(Failure::forbidden(format!("本阶段{}", title.zh), format!("in this phase {}", title.en)));
    }
    check_open(phase, app.now())?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    team::hold(&mut changes, &shown.team).await?;
    // The last word on each submission of the team for this task, without the one at hand.
    let count = "SELECT COUNT(*) FROM choice JOIN submission ON submission.id = choice.submission \
                 WHERE submission.team = $1 AND submission.phase = $2 AND submission.task = $3 AND submission.id <> $4 AND choice.is_chosen = 1 \
                 AND NOT EXISTS (SELECT 1 FROM choice AS later WHERE later.submission = choice.submission AND later.id > choice.id)";
    let others: i64 = sqlx::query_scalar(count)
        .bind(shown.team.clone())
        .bind(shown.phase.clone())
        .bind(shown.task.clone())
        .bind(shown.id.clone())
        .fetch_one(&mut *changes)
        .await?;
    if choice.chosen && others >= i64::from(phase.choose) {
        let most = phase.choose;
        return Err(Failure::invalid(
            format!("至多选定 {most} 个提交，请先取消一个"),
            format!("at most {most} submissions can be chosen; give one up first"),
        ));
    }
    let insert = "INSERT INTO choice (id, submission, is_chosen, account, at) VALUES ($1, $2, $3, $4, $5)";
    let insert =
        sqlx::query(insert).bind(id::at(now)).bind(shown.id.clone()).bind(i64::from(choice.chosen)).bind(me.id.clone()).bind(now);
    insert.execute(&mut *changes).await?;
    log::note(&mut changes, now, &shown.id, "chosen", &json!({ "chosen": choice.chosen })).await?;
    changes.commit().await?;
    Ok(Json(choice))
}
