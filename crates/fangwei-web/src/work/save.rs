//! What an editor sends. A version stands on the last one or is refused: who comes second learns what is there, and nothing is overwritten in silence.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::annotate::Mark;
use fangwei::annotate::form::{Sheet, SheetFinding};
use fangwei::lang::{Lang, Say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::desk::{Desk, For, suggested};
use super::queue::around;
use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::marks::NewMark;
use crate::ready::Read;
use crate::sent::Sent;
use crate::thread::on_thread;
use crate::who::Who;
use crate::{asked, audit, marks, prompts};

/// So long may the name of a change be.
const MOST_CLIENT: usize = 100;

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The version that it stands on.
    pub base: i64,
    /// The whole sheet.
    pub sheet: Sheet,
    /// Time spent on the item, all in all.
    #[serde(default)]
    pub spent_ms: i64,
    /// A random name of the change: sent twice, it is kept once.
    pub client: String,
}

/// What was kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Saved {
    /// The version.
    pub version: i64,
    /// When.
    pub at: i64,
    /// Whether it came after the time that a human test gives for an item.
    pub late: bool,
    /// What the rules say of it.
    pub findings: Vec<SheetFinding>,
}

/// What was finished.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finished {
    /// The version.
    pub version: i64,
    /// Whether it came after the time that a human test gives for an item.
    pub late: bool,
    /// What to do next.
    pub next: Option<String>,
}

/// A sheet to be checked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The sheet.
    pub sheet: Sheet,
}

/// What the rules say.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Findings {
    /// In the order of the rules.
    pub findings: Vec<SheetFinding>,
}

/// Keeps a version.
pub async fn put(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(change): Sent<Change>,
) -> Result<Json<Saved>, Failure> {
    let desk = Desk::find(&app, &who.me()?.id, &id).await?;
    let read = read(&app, &desk, &change, true, who.lang).await?;
    let source = source(&app, &desk, &read.mark).await?;
    let kept = keep(&app, &desk, &change, &read.content, &source, false).await?;
    Ok(Json(Saved { version: kept.version, at: kept.at, late: kept.late, findings: read.findings }))
}

/// Keeps a version and calls it finished, unless the rules object.
pub async fn finish(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(change): Sent<Change>,
) -> Result<Json<Finished>, Failure> {
    let desk = Desk::find(&app, &who.me()?.id, &id).await?;
    let read = read(&app, &desk, &change, false, who.lang).await?.finished()?;
    let kept = keep(&app, &desk, &change, &read.content, "person", true).await?;
    // The last grade of a prompt track makes its scores.
    if let Err(failure) = prompts::settle(&app, &desk.batch).await {
        // The grade is kept; what organisers do next settles it.
        tracing::error!("scores of prompts: {failure}");
    }
    Ok(Json(Finished { version: kept.version, late: kept.late, next: around(&app, &desk).await?.open }))
}

/// Checks a sheet.
pub async fn check(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    asked::Asked(asked): asked::Asked<For>,
    Sent(Asked { sheet }): Sent<Asked>,
) -> Result<Json<Findings>, Failure> {
    let desk = Desk::open(&app, who.me()?, &id, &asked).await?;
    let (ready, lang) = (desk.ready(&app).await?, who.lang);
    Ok(Json(Findings { findings: on_thread(move || ready.findings(&sheet, lang)).await? }))
}

async fn read(app: &App, desk: &Desk, change: &Change, draft: bool, lang: Lang) -> Result<Read, Failure> {
    if change.client.is_empty() || change.client.len() > MOST_CLIENT {
        return Err(Failure::invalid(
            format!("client 应为 1 到 {MOST_CLIENT} 个字节"),
            format!("expected a client of 1 to {MOST_CLIENT} bytes"),
        ));
    }
    let (ready, sheet) = (desk.ready(app).await?, change.sheet.clone());
    on_thread(move || ready.read(&sheet, draft, lang)).await
}

/// Whose a draft is: a suggestion that was taken over as it is stays the predictor's, until a person changes or finishes it.
async fn source(app: &App, desk: &Desk, mark: &Mark) -> Result<String, Failure> {
    let suggested = suggested(app, desk).await?;
    let same = suggested.filter(|suggested| suggested.mark.answer.is_some() && suggested.mark.answer == mark.answer);
    Ok(same.map_or_else(|| "person".to_owned(), |suggested| format!("predictor:{}", suggested.predictor)))
}

/// A version that was kept.
struct Numbered {
    version: i64,
    at: i64,
    late: bool,
}

async fn keep(app: &App, desk: &Desk, change: &Change, content: &str, source: &str, finished: bool) -> Result<Numbered, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if let Some(kept) = of_client(&mut changes, desk, &change.client).await? {
        return Ok(kept);
    }
    desk.check_open()?;
    let version = change.base.saturating_add(1);
    // What a reviewer sent back stays so until it is finished again.
    let update = "UPDATE assignment SET version = $3, changed_at = $5, \
                  spent_ms = CASE WHEN spent_ms > $4 THEN spent_ms ELSE $4 END, \
                  state = CASE WHEN $6 = 1 THEN 'done' WHEN state = 'returned' THEN 'returned' ELSE 'draft' END, \
                  finished_at = CASE WHEN $6 = 1 THEN $5 ELSE finished_at END \
                  WHERE id = $1 AND version = $2 AND state NOT IN ('approved', 'recalled') \
                  AND (part = 'adjudicate' OR EXISTS (SELECT 1 FROM batch WHERE batch.id = assignment.batch AND batch.state = 'open'))";
    let done = sqlx::query(update)
        .bind(desk.id.clone())
        .bind(change.base)
        .bind(version)
        .bind(change.spent_ms.clamp(0, i64::from(u32::MAX)))
        .bind(now)
        .bind(i64::from(finished))
        .execute(&mut *changes)
        .await?;
    if done.rows_affected() == 0 {
        // Somebody was faster: perhaps this very change, sent twice at once.
        let twin = of_client(&mut changes, desk, &change.client).await?;
        drop(changes);
        return match twin {
            Some(kept) => Ok(kept),
            None => Err(conflict(app, desk).await?),
        };
    }
    let (assignment, author, client) = (desk.id.as_str(), desk.account.as_str(), change.client.as_str());
    let late = desk.is_late(now);
    let mark = NewMark { assignment, version, author, source, content, finished, late, client };
    marks::append(&mut changes, now, mark).await?;
    if finished {
        let detail = json!({ "version": version, "late": late });
        audit::note(&mut changes, now, Some(&desk.account), "finish", &desk.id, &detail).await?;
    }
    changes.commit().await?;
    Ok(Numbered { version, at: now, late })
}

/// The version of a change that was kept before.
async fn of_client(changes: &mut Changes, desk: &Desk, client: &str) -> Result<Option<Numbered>, Failure> {
    let select = "SELECT version, at, late FROM mark WHERE assignment = $1 AND client = $2 AND author = $3 ORDER BY version";
    let select = sqlx::query(select).bind(desk.id.clone()).bind(client.to_owned()).bind(desk.account.clone());
    let row = select.fetch_optional(&mut **changes).await?;
    row.map(|row| Ok(Numbered { version: row.try_get(0)?, at: row.try_get(1)?, late: row.try_get::<i64, _>(2)? == 1 }))
        .transpose()
}

/// What is there instead.
async fn conflict(app: &App, desk: &Desk) -> Result<Failure, Failure> {
    let desk = Desk::find(app, &desk.account, &desk.id).await?;
    desk.check_open()?;
    let sheet = desk.sheet(desk.ready(app).await?.as_ref())?;
    let (author, at) = desk.kept.map_or((String::new(), 0), |kept| (kept.author, kept.at));
    let say = Say::new(
        "别处保存了另一个版本：比较后决定保留哪个",
        "another version was saved elsewhere: compare and decide which to keep",
    );
    Ok(Failure::Conflict(say, json!({ "version": desk.version, "sheet": sheet, "author": author, "at": at })))
}
