//! Joining a team by its link: the link has places, each account takes one, and everybody accepts the agreement for themselves.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;
use sqlx::Row;

use super::register::add_member;
use super::team::{self, State, Team};
use crate::app::App;
use crate::contests::{Head, Kept, accept, kept};
use crate::database::Changes;
use crate::failure::Failure;
use crate::markdown::Markdown;
use crate::page::{Page, show};
use crate::who::{Account, Who};
use crate::{audit, chance};

/// A link is good for two weeks.
const LASTS_MS: i64 = 14 * 24 * 3600 * 1000;

/// Makes a link with as many places as the team has left; earlier ones end. Gives its address.
pub(super) async fn make_link(app: &App, me: &Account, kept: &Kept, team: &Team) -> Result<String, Failure> {
    let (secret, now) = (chance::secret(), app.now());
    let mut changes = app.database.begin().await?;
    team::hold(&mut changes, &team.id).await?;
    end_links(&mut changes, now, &team.id).await?;
    let places = i64::from(kept.contest.registration.most_members) - count_members(&mut changes, &team.id).await?;
    if places <= 0 {
        return Err(full(kept));
    }
    let insert = "INSERT INTO join_link (hash, team, made_by, made_at, expires_at, places) VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query(insert)
        .bind(chance::hash(&secret))
        .bind(team.id.clone())
        .bind(me.id.clone())
        .bind(now)
        .bind(now + LASTS_MS)
        .bind(places)
        .execute(&mut *changes)
        .await?;
    audit::note(&mut changes, now, Some(&me.id), "make-join-link", &team.id, &json!({ "places": places })).await?;
    changes.commit().await?;
    Ok(format!("{}/teams/join/{secret}", app.settings.public_url))
}

fn full(kept: &Kept) -> Failure {
    let most = kept.contest.registration.most_members;
    Failure::invalid(format!("队伍至多 {most} 人，已经满了"), format!("a team has at most {most} people, and this one is full"))
}

async fn count_members(changes: &mut Changes, team: &str) -> Result<i64, Failure> {
    let count = "SELECT COUNT(*) FROM member WHERE team = $1";
    Ok(sqlx::query_scalar(count).bind(team.to_owned()).fetch_one(&mut **changes).await?)
}

/// Ends the links of a team.
pub(super) async fn end_links(changes: &mut Changes, now: i64, team: &str) -> Result<(), Failure> {
    let update = "UPDATE join_link SET revoked_at = $1 WHERE team = $2 AND revoked_at IS NULL";
    sqlx::query(update).bind(now).bind(team.to_owned()).execute(&mut **changes).await?;
    Ok(())
}

/// How many links of a team still work.
pub(super) async fn open_links(app: &App, team: &str) -> Result<i64, Failure> {
    let count = "SELECT COUNT(*) FROM join_link WHERE team = $1 AND revoked_at IS NULL AND expires_at > $2 AND places > 0";
    Ok(sqlx::query_scalar(count).bind(team.to_owned()).bind(app.now()).fetch_one(app.database.read()).await?)
}

/// The team of a link that works, and its competition.
async fn behind(app: &App, secret: &str) -> Result<(std::sync::Arc<Kept>, Team), Failure> {
    let select = "SELECT team.contest, team.id FROM join_link JOIN team ON team.id = join_link.team \
                  WHERE join_link.hash = $1 AND join_link.revoked_at IS NULL AND join_link.expires_at > $2 AND join_link.places > 0";
    let row = sqlx::query(select).bind(chance::hash(secret)).bind(app.now()).fetch_optional(app.database.read()).await?;
    let row = row.ok_or_else(ended)?;
    let (contest, team): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    let team = team::find(app, &contest, &team).await?;
    if ![State::Waiting, State::Approved].contains(&team.state) {
        return Err(ended());
    }
    Ok((kept::load(app, &contest).await?, team))
}

fn ended() -> Failure {
    Failure::invalid(
        "这个链接已经失效，请向队长再要一个",
        "the link does not work any more; ask the leader of the team for another",
    )
}

#[derive(Template)]
#[template(path = "teams/join.html")]
struct JoinPage {
    page: Page,
    head: Head,
    team: String,
    agreement: Markdown,
    version: String,
    secret: String,
    message: String,
}

/// The page behind a link.
pub async fn page(Of(app): Of<App>, who: Who, Path(secret): Path<String>) -> Result<Response, Failure> {
    let (kept, team) = behind(&app, &secret).await?;
    if who.account.is_none() {
        return Ok(Redirect::to(&format!("/contests/{}/sign-up?next=/teams/join/{secret}", kept.contest.id)).into_response());
    }
    show(&join_page(&app, &who, &kept, &team, secret, String::new()).await?)
}

async fn join_page(app: &App, who: &Who, kept: &Kept, team: &Team, secret: String, message: String) -> Result<JoinPage, Failure> {
    let (version, agreement) = accept::today(app, who, kept).await?;
    Ok(JoinPage {
        page: Page::new(who, "加入队伍", "Join a team"),
        head: Head::new(app, who, kept),
        team: team.name.clone(),
        agreement,
        version,
        secret,
        message,
    })
}

/// What the form sends.
#[derive(Deserialize)]
pub struct Joining {
    #[serde(default)]
    agree: String,
}

/// Joins.
pub async fn join(
    Of(app): Of<App>,
    who: Who,
    Path(secret): Path<String>,
    Form(given): Form<Joining>,
) -> Result<Response, Failure> {
    let me = who.me()?;
    let (kept, team) = behind(&app, &secret).await?;
    match enter(&app, me, &kept, &team, &secret, &given.agree).await {
        Ok(()) => Ok(Redirect::to(&format!("/contests/{}/team", kept.contest.id)).into_response()),
        Err(Failure::Invalid(say) | Failure::Conflict(say, _)) => {
            let message = say.get(who.lang).to_owned();
            let shown = show(&join_page(&app, &who, &kept, &team, secret, message).await?)?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response())
        }
        Err(failure) => Err(failure),
    }
}

async fn enter(app: &App, me: &Account, kept: &Kept, team: &Team, secret: &str, version: &str) -> Result<(), Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    // The team is held, so that two who join at once are counted one after the other.
    team::hold(&mut changes, &team.id).await?;
    let take =
        "UPDATE join_link SET places = places - 1 WHERE hash = $1 AND places > 0 AND revoked_at IS NULL AND expires_at > $2";
    let taken = sqlx::query(take).bind(chance::hash(secret)).bind(now).execute(&mut *changes).await?;
    if taken.rows_affected() == 0 {
        return Err(ended());
    }
    if count_members(&mut changes, &team.id).await? >= i64::from(kept.contest.registration.most_members) {
        return Err(full(kept));
    }
    add_member(&mut changes, now, &kept.contest.id, &team.id, &me.id, "member").await?;
    accept::accept_for(&mut changes, now, kept, (&me.id, &team.id), version).await?;
    audit::note(&mut changes, now, Some(&me.id), "join-team", &team.id, &json!({ "agreement": version })).await?;
    changes.commit().await?;
    Ok(())
}
