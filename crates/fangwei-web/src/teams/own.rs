//! A team's own page: how far it is, who acts for it, links by which others join, leaving.

use askama::Template;
use axum::Json;
use axum::extract::{Path, State as Of};
use axum::response::{IntoResponse, Redirect, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::join;
use super::team::{self, Member, State, Team};
use crate::app::App;
use crate::audit;
use crate::contests::{Head, Kept, accept, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

/// A team with who acts for it, as it sees itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OwnTeam {
    /// The team.
    pub team: Team,
    /// Who acts for it.
    pub members: Vec<Member>,
    /// Whether who asks accepted the agreement of today.
    pub agreement_accepted: bool,
}

/// The teams of who asks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OwnTeams {
    /// The teams, one a competition.
    pub teams: Vec<Team>,
}

#[derive(Template)]
#[template(path = "teams/team.html")]
struct TeamPage {
    page: Page,
    head: Head,
    team: Team,
    members: Vec<Member>,
    accepted: bool,
    is_leader: bool,
    has_links: bool,
    link: String,
}

/// The page.
pub async fn page(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let kept = kept::find(&app, &who, &id).await?;
    if team::of_account(&app, &id, &me.id).await?.is_none() {
        return Ok(Redirect::to(&format!("/contests/{id}/register")).into_response());
    }
    team_page(&app, &who, &kept, String::new()).await
}

async fn team_page(app: &App, who: &Who, kept: &Kept, link: String) -> Result<Response, Failure> {
    let me = who.me()?;
    let OwnTeam { team, members, agreement_accepted } = load(app, who, kept).await?;
    show(&TeamPage {
        page: Page::new(who, "我的队伍", "My team"),
        head: Head::new(app, who, kept),
        is_leader: members.iter().any(|member| member.account == me.id && member.part == "leader"),
        has_links: join::open_links(app, &team.id).await? > 0,
        accepted: agreement_accepted,
        team,
        members,
        link,
    })
}

async fn load(app: &App, who: &Who, kept: &Kept) -> Result<OwnTeam, Failure> {
    let me = who.me()?;
    let team = team::of_account(app, &kept.contest.id, &me.id).await?.ok_or(Failure::NotFound)?;
    let members = team::members(app, &team.id).await?;
    Ok(OwnTeam { team, members, agreement_accepted: accept::is_settled(app, kept, &me.id).await? })
}

/// The team of who asks, for programs.
pub async fn answer(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Json<OwnTeam>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(load(&app, &who, &kept).await?))
}

/// All teams of who asks, for programs that are not told a competition.
pub async fn answer_all(Of(app): Of<App>, who: Who) -> Result<Json<OwnTeams>, Failure> {
    Ok(Json(OwnTeams { teams: team::all_of_account(&app, &who.me()?.id).await? }))
}

/// The leader's team.
async fn led(app: &App, who: &Who, contest: &str) -> Result<Team, Failure> {
    let me = who.me()?;
    let team = team::of_account(app, contest, &me.id).await?.ok_or(Failure::NotFound)?;
    let members = team::members(app, &team.id).await?;
    if members.iter().any(|member| member.account == me.id && member.part == "leader") {
        return Ok(team);
    }
    Err(Failure::forbidden("只有队长可以这样做", "only the leader of the team may do this"))
}

/// Makes a link by which others join, and shows it once. Earlier links end.
pub async fn make_link(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let team = led(&app, &who, &id).await?;
    let address = join::make_link(&app, who.me()?, &kept, &team).await?;
    team_page(&app, &who, &kept, address).await
}

/// Ends the links of a team.
pub async fn end_links(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let team = led(&app, &who, &id).await?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    join::end_links(&mut changes, now, &team.id).await?;
    audit::note(&mut changes, now, Some(&who.me()?.id), "end-join-links", &team.id, &json!({})).await?;
    changes.commit().await?;
    Ok(Redirect::to(&format!("/contests/{id}/team")).into_response())
}

/// Leaves a team. Who is its leader takes it out of the competition; members stay once it has submitted, so that nobody multiplies a quota by changing teams.
pub async fn leave(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let team = team::of_account(&app, &id, &me.id).await?.ok_or(Failure::NotFound)?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    team::hold(&mut changes, &team.id).await?;
    let count = "SELECT COUNT(*) FROM submission WHERE team = $1";
    let submitted: i64 = sqlx::query_scalar(count).bind(team.id.clone()).fetch_one(&mut *changes).await?;
    let is_leader = "SELECT COUNT(*) FROM member WHERE team = $1 AND account = $2 AND part = 'leader'";
    let leads: i64 = sqlx::query_scalar(is_leader).bind(team.id.clone()).bind(me.id.clone()).fetch_one(&mut *changes).await?;
    if leads > 0 {
        let update = "UPDATE team SET state = $1, version = version + 1 WHERE id = $2";
        sqlx::query(update).bind(State::Left.as_str()).bind(team.id.clone()).execute(&mut *changes).await?;
    } else if submitted > 0 {
        return Err(Failure::forbidden(
            "队伍已经提交过，成员不能再退出，请联系组织者",
            "the team has submitted, so members stay; ask the organisers",
        ));
    } else {
        let delete = "DELETE FROM member WHERE team = $1 AND account = $2";
        sqlx::query(delete).bind(team.id.clone()).bind(me.id.clone()).execute(&mut *changes).await?;
    }
    audit::note(&mut changes, now, Some(&me.id), "leave-team", &team.id, &json!({ "leader": leads > 0 })).await?;
    changes.commit().await?;
    Ok(Redirect::to(&format!("/contests/{id}/team")).into_response())
}
