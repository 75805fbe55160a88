//! Handing in: a file or a link for each document, before its deadline. Every version is kept, the last counts.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use fangwei::contest::{AwardPlan, Document, Moment};
use fangwei::lang::{Lang, Unknown, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::app::App;
use crate::asked::Asked;
use crate::contests::{Kept, State as Stage, kept};
use crate::failure::Failure;
use crate::guard::escape;
use crate::policy::Role;
use crate::submit::receive;
use crate::teams::{self, Team, team};
use crate::who::Who;
use crate::{audit, id, store};

/// The longest link and file name.
const MOST_LINK: usize = 1000;
const MOST_NAME: usize = 200;
/// So many versions of a document are taken.
const MOST_VERSIONS: i64 = 50;

/// A version of a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Version {
    /// Its id.
    pub id: String,
    /// The team: its id.
    pub team: String,
    /// The document.
    pub document: String,
    /// The how manieth it is.
    #[serde(rename = "version")]
    pub number: i64,
    /// What the file is called; empty for a link.
    pub file: String,
    /// The SHA-256 of the file.
    pub sha256: Option<String>,
    /// The link; empty for a file.
    pub link: String,
    /// When it was handed in.
    pub at: i64,
}

/// What was handed in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Documents {
    /// Every version, the latest first.
    pub documents: Vec<Version>,
}

/// The awards of a competition; not found where it has none.
pub fn plan(kept: &Kept) -> Result<&AwardPlan, Failure> {
    kept.contest.awards.as_ref().ok_or(Failure::NotFound)
}

/// Whether somebody sees what teams handed in: an organiser, or one of the jury.
pub fn sees_all(who: &Who, kept: &Kept) -> bool {
    who.is_at_least(Role::Organiser) || who.me().is_ok_and(|me| kept.contest.jury.contains(&me.id))
}

/// Everything that was handed in, the latest first.
pub async fn all(app: &App, contest: &str) -> Result<Vec<Version>, Failure> {
    let select = "SELECT id, team, document, version, file_name, hash, link, at FROM document WHERE contest = $1 ORDER BY at DESC, version DESC";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    let one = |row: &AnyRow| {
        Ok(Version {
            id: row.try_get(0)?,
            team: row.try_get(1)?,
            document: row.try_get(2)?,
            number: row.try_get(3)?,
            file: row.try_get(4)?,
            sha256: row.try_get(5)?,
            link: row.try_get(6)?,
            at: row.try_get(7)?,
        })
    };
    rows.iter().map(one).collect()
}

/// What a team handed in last of each document.
pub fn last_of<'v>(all: &'v [Version], team: &str, document: &str) -> Option<&'v Version> {
    all.iter().find(|version| version.team == team && version.document == document)
}

/// The team of who asks.
pub async fn own(app: &App, who: &Who, kept: &Kept) -> Result<Option<Team>, Failure> {
    team::of_account(app, &kept.contest.id, &who.me()?.id).await
}

/// What somebody may see.
pub async fn list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Documents>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    plan(&kept)?;
    let mut documents = all(&app, &id).await?;
    if !sees_all(&who, &kept) {
        let own = own(&app, &who, &kept).await?.ok_or(Failure::NotFound)?;
        documents.retain(|version| version.team == own.id);
    }
    Ok(Json(Documents { documents }))
}

/// A file that was handed in; not there for who may not see it.
pub async fn file(State(app): State<App>, who: Who, Path((id, version)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let found = all(&app, &id).await?.into_iter().find(|known| known.id == version).ok_or(Failure::NotFound)?;
    if !sees_all(&who, &kept) && own(&app, &who, &kept).await?.is_none_or(|own| own.id != found.team) {
        return Err(Failure::NotFound);
    }
    let bytes = store::get(app.database.read(), &found.sha256.ok_or(Failure::NotFound)?).await?;
    let name = escape(&found.file).replace('/', "-");
    let about = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{name}")),
    ];
    Ok((about, bytes).into_response())
}

/// What is told of a document beside its bytes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Handing {
    /// What the file is called.
    file: String,
    /// The link.
    link: String,
}

/// Hands in by program.
pub async fn hand_in(
    State(app): State<App>,
    who: Who,
    Path((id, document)): Path<(String, String)>,
    Asked(given): Asked<Handing>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Version>), Failure> {
    let bytes = receive(&app, who.me()?, &headers, body).await?;
    Ok((StatusCode::CREATED, Json(keep(&app, &who, &id, &document, &given, &bytes).await?)))
}

/// Hands in a link by form.
pub async fn hand_in_link(
    State(app): State<App>,
    who: Who,
    Path((id, document)): Path<(String, String)>,
    Form(given): Form<Handing>,
) -> Result<Response, Failure> {
    keep(&app, &who, &id, &document, &Handing { file: String::new(), ..given }, &[]).await?;
    Ok(Redirect::to(&format!("/contests/{id}/documents")).into_response())
}

async fn keep(app: &App, who: &Who, id: &str, name: &str, given: &Handing, bytes: &[u8]) -> Result<Version, Failure> {
    let (me, now) = (who.me()?, app.now());
    let kept = kept::find(app, who, id).await?;
    let document = find(plan(&kept)?, name)?;
    let team = own(app, who, &kept).await?.ok_or(Failure::NotFound)?;
    check(&kept, document, &team, now)?;
    let (file, link) = if document.link {
        (String::new(), checked_link(&given.link)?)
    } else {
        (checked_name(&given.file, bytes)?, String::new())
    };
    let mut changes = app.database.begin().await?;
    team::hold(&mut changes, &team.id).await?;
    let sha256 = if document.link { None } else { Some(store::put(&mut changes, now, bytes).await?) };
    let select = "SELECT COALESCE(MAX(version), 0) + 1 FROM document WHERE team = $1 AND document = $2";
    let version: i64 = sqlx::query_scalar(select).bind(team.id.clone()).bind(name.to_owned()).fetch_one(&mut *changes).await?;
    if version > MOST_VERSIONS {
        return Err(Failure::invalid("版本太多，请联系组织者", "too many versions; ask the organisers"));
    }
    let kept =
        Version { id: id::at(now), team: team.id, document: name.to_owned(), number: version, file, sha256, link, at: now };
    let insert = "INSERT INTO document (id, contest, team, document, version, file_name, hash, link, account, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sqlx::query(insert)
        .bind(kept.id.clone())
        .bind(id.to_owned())
        .bind(kept.team.clone())
        .bind(kept.document.clone())
        .bind(version)
        .bind(kept.file.clone())
        .bind(kept.sha256.clone())
        .bind(kept.link.clone())
        .bind(me.id.clone())
        .bind(now)
        .execute(&mut *changes)
        .await?;
    let detail = json!({ "contest": id, "document": name, "version": version });
    audit::note(&mut changes, now, Some(&me.id), "hand-in", &kept.team, &detail).await?;
    changes.commit().await?;
    Ok(kept)
}

fn find<'p>(plan: &'p AwardPlan, name: &str) -> Result<&'p Document, Failure> {
    let known = plan.documents.iter().map(|document| document.id.clone());
    plan.documents.iter().find(|document| document.id == name).ok_or_else(|| {
        let unknown = Unknown::new(words("没有这份文件", "unknown document"), name, known);
        Failure::invalid(unknown.say(Lang::Zh), unknown.say(Lang::En))
    })
}

/// Refuses what comes too late, and who does not take part. A document may come until just before its deadline.
fn check(kept: &Kept, document: &Document, team: &Team, now: i64) -> Result<(), Failure> {
    if kept.state != Stage::Open {
        return Err(Failure::forbidden("比赛没有开放", "the competition is not open"));
    }
    if team.state != teams::State::Approved {
        return Err(Failure::forbidden("队伍没有参赛资格", "the team does not take part"));
    }
    if now < document.deadline.ms {
        return Ok(());
    }
    let (deadline, now) = (document.deadline, Moment::at(now, kept.contest.zone));
    Err(Failure::forbidden(
        format!("“{}”应在 {deadline} 之前提交，现在是 {now}", document.title.zh),
        format!("“{}” had to be handed in before {deadline}; it is {now}", document.title.en),
    ))
}

fn checked_link(link: &str) -> Result<String, Failure> {
    let link = link.trim();
    let rest = link.strip_prefix("https://").or_else(|| link.strip_prefix("http://"));
    let is_plain = !link.contains(|letter: char| letter.is_control() || letter.is_whitespace() || "<>\"".contains(letter));
    match rest {
        Some(rest) if !rest.is_empty() && is_plain && link.chars().count() <= MOST_LINK => Ok(link.to_owned()),
        _ => Err(Failure::invalid("应为 http:// 或 https:// 开头的链接", "expected a link that begins with http:// or https://")),
    }
}

fn checked_name(name: &str, bytes: &[u8]) -> Result<String, Failure> {
    if bytes.is_empty() {
        return Err(Failure::invalid("应为一个文件，实为空", "expected a file, found nothing"));
    }
    let name: String = name.trim().chars().filter(|letter| !letter.is_control()).take(MOST_NAME).collect();
    Ok(if name.is_empty() { "document".to_owned() } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_web_only() {
        for good in ["https://example.org/code?x=1", " http://example.org "] {
            assert!(checked_link(good).is_ok(), "{good}");
        }
        for bad in ["", "https://", "javascript:alert(1)", "example.org", "https://a b", "https://a\"b", "data:text/html,x"] {
            assert!(checked_link(bad).is_err(), "{bad}");
        }
    }
}
