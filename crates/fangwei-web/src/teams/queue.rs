//! The organisers' list of teams: who waits, whom to approve, and rows for baselines, people and LLMs that organisers submit for.

use askama::Template;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use fangwei::lang::Say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::register::{New, checked_team_name, insert};
use super::team::{self, Contact, State, Team};
use crate::app::App;
use crate::audit;
use crate::contests::{Head, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::sent::Sent;
use crate::who::{Account, Who};

#[derive(Template)]
#[template(path = "teams/queue.html")]
struct QueuePage {
    page: Page,
    head: Head,
    teams: Vec<Team>,
}

/// The page.
pub async fn page(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    show(&QueuePage {
        page: Page::new(&who, "队伍", "Teams"),
        head: Head::new(&app, &who, &kept),
        teams: team::all(&app, &id).await?,
    })
}

/// The teams of a competition.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Teams {
    /// The teams, those that wait first.
    pub teams: Vec<Team>,
}

/// The list, for programs.
pub async fn list(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Json<Teams>, Failure> {
    kept::find(&app, &who, &id).await?;
    Ok(Json(Teams { teams: team::all(&app, &id).await? }))
}

/// What organisers decide.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Decision {
    /// `approved`, `refused`, or `left` for a team that takes part no more.
    pub state: State,
    /// What the team is told.
    #[serde(default)]
    pub answer: String,
    /// The version of the registration that was looked at.
    pub version: i64,
}

/// Decides by form.
pub async fn decide_form(
    Of(app): Of<App>,
    who: Who,
    Path((id, team)): Path<(String, String)>,
    Form(given): Form<Decision>,
) -> Result<Response, Failure> {
    decide(&app, who.me()?, &id, &team, &given).await?;
    Ok(Redirect::to(&format!("/contests/{id}/teams")).into_response())
}

/// Decides by program.
pub async fn decide_api(
    Of(app): Of<App>,
    who: Who,
    Path((id, team)): Path<(String, String)>,
    Sent(given): Sent<Decision>,
) -> Result<Json<Team>, Failure> {
    decide(&app, who.me()?, &id, &team, &given).await?;
    Ok(Json(team::find(&app, &id, &team).await?))
}

async fn decide(app: &App, me: &Account, contest: &str, id: &str, given: &Decision) -> Result<(), Failure> {
    let before = team::find(app, contest, id).await?;
    if given.state == State::Waiting {
        return Err(Failure::invalid("应为 approved、refused 或 left", "expected approved, refused or left"));
    }
    let answer: String = given.answer.trim().chars().take(1000).collect();
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let update = "UPDATE team SET state = $1, answer = $2, decided_by = $3, decided_at = $4, version = version + 1 WHERE id = $5 AND version = $6";
    let done = sqlx::query(update)
        .bind(given.state.as_str())
        .bind(answer.clone())
        .bind(me.id.clone())
        .bind(now)
        .bind(id.to_owned())
        .bind(given.version)
        .execute(&mut *changes)
        .await?;
    if done.rows_affected() == 0 {
        let say = Say::new("别人刚刚改过这支队伍，请刷新再看", "somebody has just changed this team; reload");
        return Err(Failure::Conflict(say, json!({ "version": before.version })));
    }
    let detail = json!({ "contest": contest, "from": before.state, "to": given.state, "answer": answer });
    audit::note(&mut changes, now, Some(&me.id), "decide-team", id, &detail).await?;
    changes.commit().await?;
    Ok(())
}

/// A row that is no team.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NewRow {
    /// Its name.
    pub name: String,
    /// `baseline`, `human` or `llm`.
    pub kind: String,
    /// Whose it is.
    #[serde(default)]
    pub institution: String,
}

/// Makes a row for a baseline, for people or for an LLM; organisers submit for it.
pub async fn make_row(
    Of(app): Of<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<NewRow>,
) -> Result<(StatusCode, Json<Team>), Failure> {
    let me = who.me()?;
    let kept = kept::find(&app, &who, &id).await?;
    let kind = ["baseline", "human", "llm"].into_iter().find(|kind| *kind == given.kind);
    let kind =
        kind.ok_or_else(|| Failure::invalid("类别应为 baseline、human 或 llm", "expected the kind baseline, human or llm"))?;
    let new = New {
        name: checked_team_name(&kept.contest.registration, &given.name)?,
        kind,
        sort: "other".to_owned(),
        institution: given.institution.trim().chars().take(100).collect(),
        leader: String::new(),
        people: String::new(),
        contact: Contact::default(),
    };
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let team = insert(&mut changes, now, &kept, &new, State::Approved, Some(&me.id)).await?;
    audit::note(&mut changes, now, Some(&me.id), "make-row", &team, &json!({ "contest": id, "name": new.name, "kind": kind }))
        .await?;
    changes.commit().await?;
    Ok((StatusCode::CREATED, Json(team::find(&app, &id, &team).await?)))
}
