//! The agreement: its text, who accepted which version of it, and when.

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::Agreement;
use serde::Deserialize;
use serde_json::json;

use super::head::Head;
use super::kept::{self, Kept};
use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::markdown::Markdown;
use crate::page::{Page, show};
use crate::who::Who;
use crate::{audit, id};

#[derive(Template)]
#[template(path = "contests/agreement.html")]
struct AgreementPage {
    page: Page,
    head: Head,
    version: String,
    text: Markdown,
    /// When who looks at it accepted it.
    accepted_at: Option<i64>,
    /// Where to go on.
    next: String,
}

/// Where to go on after the agreement.
#[derive(Deserialize)]
pub struct Next {
    #[serde(default)]
    next: String,
}

/// A place on this site and nowhere else.
fn our_own(next: &str, id: &str) -> String {
    if next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') {
        next.to_owned()
    } else {
        format!("/contests/{id}/data")
    }
}

/// The text of the agreement.
pub async fn page(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Query(Next { next }): Query<Next>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let agreement = kept.contest.agreement.as_ref().ok_or(Failure::NotFound)?;
    let text = kept.text(&app, agreement.file.get(who.lang)).await?;
    let accepted_at = match who.me() {
        Ok(me) => accepted_at(&app, &kept, &me.id).await?,
        Err(_) => None,
    };
    let (head, version) = (Head::new(&app, &who, &kept), agreement.version.clone());
    let page = Page::new(&who, "协议", "Agreement");
    show(&AgreementPage { page, head, version, text: Markdown::new(&text), accepted_at, next: our_own(&next, &id) })
}

/// What the form sends: the version that was read.
#[derive(Deserialize)]
pub struct Accepting {
    version: String,
    #[serde(default)]
    next: String,
}

/// Accepts the agreement.
pub async fn accept(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Accepting>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    accept_version(&app, &kept, &who, &given.version).await?;
    Ok(Redirect::to(&our_own(&given.next, &id)).into_response())
}

/// Keeps that somebody accepted a version, which has to be that of today.
pub async fn accept_version(app: &App, kept: &Kept, who: &Who, version: &str) -> Result<(), Failure> {
    let (me, now) = (who.me()?, app.now());
    let agreement = kept.contest.agreement.as_ref().ok_or(Failure::NotFound)?;
    if agreement.version != version {
        return Err(Failure::invalid("协议已有新的版本，请重新阅读", "the agreement has a new version; read it again"));
    }
    let mut changes = app.database.begin().await?;
    if keep(&mut changes, now, kept, agreement, &me.id, None).await? {
        let detail = json!({ "version": version });
        audit::note(&mut changes, now, Some(&me.id), "contest-accept", &kept.contest.id, &detail).await?;
    }
    changes.commit().await?;
    Ok(())
}

/// Appends an acceptance; `false` where it was there before.
pub async fn keep(
    changes: &mut Changes,
    now: i64,
    kept: &Kept,
    agreement: &Agreement,
    account: &str,
    team: Option<&str>,
) -> Result<bool, Failure> {
    let hash = kept.files.get(&agreement.file.zh).cloned().ok_or(Failure::NotFound)?;
    let insert = "INSERT INTO acceptance (id, contest, account, team, version, hash, at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
                  ON CONFLICT (contest, account, version) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(id::at(now))
        .bind(kept.contest.id.clone())
        .bind(account.to_owned())
        .bind(team.map(ToOwned::to_owned))
        .bind(agreement.version.clone())
        .bind(hash)
        .bind(now)
        .execute(&mut **changes)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// When somebody accepted the agreement of today; `None` where they have not.
pub async fn accepted_at(app: &App, kept: &Kept, account: &str) -> Result<Option<i64>, Failure> {
    let Some(agreement) = &kept.contest.agreement else { return Ok(None) };
    let select = "SELECT at FROM acceptance WHERE contest = $1 AND account = $2 AND version = $3";
    let query = sqlx::query_scalar(select).bind(kept.contest.id.clone()).bind(account.to_owned()).bind(agreement.version.clone());
    Ok(query.fetch_optional(app.database.read()).await?)
}

/// Accepts the agreement of today within other changes. `version` is the one that was read: refused where it is another.
pub async fn accept_for(
    changes: &mut Changes,
    now: i64,
    kept: &Kept,
    (account, team): (&str, &str),
    version: &str,
) -> Result<(), Failure> {
    let Some(agreement) = &kept.contest.agreement else { return Ok(()) };
    if agreement.version != version {
        return Err(Failure::invalid(
            format!("请阅读并同意第 {} 版协议", agreement.version),
            format!("read and accept version {} of the agreement", agreement.version),
        ));
    }
    keep(changes, now, kept, agreement, account, Some(team)).await?;
    Ok(())
}

/// The version of today and its text in the language of who looks; both empty where there is none.
pub async fn today(app: &App, who: &Who, kept: &Kept) -> Result<(String, Markdown), Failure> {
    let Some(agreement) = &kept.contest.agreement else { return Ok(Default::default()) };
    let text = kept.text(app, agreement.file.get(who.lang)).await?;
    Ok((agreement.version.clone(), Markdown::new(&text)))
}

/// Whether somebody may go on: has accepted, or there is nothing to accept.
pub async fn is_settled(app: &App, kept: &Kept, account: &str) -> Result<bool, Failure> {
    Ok(kept.contest.agreement.is_none() || accepted_at(app, kept, account).await?.is_some())
}
