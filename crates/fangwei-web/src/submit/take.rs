//! Taking a file: looked at, refused with every defect or accepted within the quota, kept once whatever is repeated.
//!
//! A submission takes the next number of its team, and the next of its day, with the team held while they are counted: of two that are sent at once for the last place
//! one is refused, on whichever nodes they arrive, and none is lost. A refused file takes no number, so it costs nothing.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use fangwei::contest::{Left, Moment};
use fangwei::lang::Say;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::Row;

use super::entry::{Entry, Sending};
use super::examine::{Examined, MOST_TOLD, examine};
use super::look::{self, Shown};
use super::place::Place;
use super::receive::receive;
use super::{log, queue};
use crate::app::App;
use crate::asked::Asked;
use crate::contests::Kept;
use crate::database::Changes;
use crate::failure::Failure;
use crate::limit::RARE;
use crate::teams::{Team, team};
use crate::who::{Account, Who};
use crate::{id, store};

/// Rejected files of a team within ten minutes, beyond which it has to wait.
const MOST_REJECTED: i64 = 60;
const WINDOW_MS: i64 = 10 * 60 * 1000;
/// What is left of a quota, for programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QuotaLeft {
    /// In all; `null` is without bound.
    pub total: Option<u32>,
    /// Today; `null` is without bound.
    pub today: Option<u32>,
    /// When more can be sent, in milliseconds since 1970.
    pub tomorrow: i64,
}

impl From<Left> for QuotaLeft {
    fn from(left: Left) -> QuotaLeft {
        QuotaLeft { total: left.total, today: left.today, tomorrow: left.tomorrow }
    }
}

/// What became of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Taken {
    /// The submission, with its score as soon as there is one.
    pub submission: Shown,
    /// What was noticed: places, what was expected and found.
    pub warnings: Vec<Value>,
    /// How many warnings there are.
    pub count: usize,
    /// What is left of the quota.
    pub left: QuotaLeft,
}

/// Takes a file.
pub async fn submit(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(sending): Asked<Sending>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Taken>), Failure> {
    let me = who.me()?;
    let sent = receive(&app, me, &headers, body).await?;
    let entry = Entry::find(&app, &who, &id, &sending, &headers).await?;
    let submission = match earlier(&app, &who, &entry).await? {
        Some(submission) => submission,
        None => take(&app, &who, me, &entry, sent).await?,
    };
    let shown = look::when_scored(&app, &who, &entry.kept, &submission).await?;
    let (warnings, count) = look::defects_of(&app, &shown.upload, who.lang, MOST_TOLD).await?;
    let left = left(&app, &entry.kept, &entry.team, &entry.place).await?.into();
    Ok((StatusCode::CREATED, Json(Taken { submission: shown, warnings, count, left })))
}

async fn take(app: &App, who: &Who, me: &Account, entry: &Entry, sent: Arc<Vec<u8>>) -> Result<String, Failure> {
    refuse_flood(app, entry).await?;
    // Before the file is looked at, so that who has nothing left hears it at once; what counts is asked again below.
    if let Err(spent) = refuse_spent(left(app, &entry.kept, &entry.team, &entry.place).await?, entry) {
        // The last place may have gone to this very file, sent a moment before.
        return earlier(app, who, entry).await?.ok_or(spent);
    }
    let examined = examine(app, &entry.kept, &entry.place, &entry.file, sent.clone()).await?;
    if !examined.is_good() {
        let upload = reject(app, me, entry, &sent, &examined).await?;
        return Err(refused(&upload, &examined, who));
    }
    let submission = accept(app, me, entry, &sent, &examined).await?;
    queue::wake(app);
    Ok(submission)
}

/// What only looks at a file is told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// Whether it would be accepted.
    pub ok: bool,
    /// The phase that it would be for.
    pub phase: String,
    /// The task that it would be for.
    pub task: String,
    /// How many records it has.
    pub records: u64,
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
    /// Errors, then warnings: places, what was expected and found.
    pub defects: Vec<Value>,
}

/// Looks at a file without taking it.
pub async fn check(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(sending): Asked<Sending>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Checked>, Failure> {
    let me = who.me()?;
    let sent = receive(&app, me, &headers, body).await?;
    let entry = Entry::find(&app, &who, &id, &sending, &headers).await?;
    app.limits.take_at(RARE, &format!("check {}", me.id), app.now()).map_err(Failure::TooMany)?;
    let examined = examine(&app, &entry.kept, &entry.place, &entry.file, sent).await?;
    Ok(Json(Checked {
        ok: examined.is_good(),
        phase: entry.place.phase.id.clone(),
        task: entry.place.task.task.id().to_owned(),
        records: examined.records,
        errors: examined.errors,
        warnings: examined.warnings(),
        defects: examined.told(who.lang, MOST_TOLD),
    }))
}

fn refused(upload: &str, examined: &Examined, who: &Who) -> Failure {
    let (errors, warnings) = (examined.errors, examined.warnings());
    let say = Say::new(
        format!("文件有 {errors} 处错误，没有提交，也不占用提交次数"),
        format!("the file has {errors} errors; it was not submitted and costs nothing of the quota"),
    );
    let defects = examined.told(who.lang, MOST_TOLD);
    let detail = json!({ "upload": upload, "records": examined.records, "errors": errors, "warnings": warnings, "count": errors + warnings, "defects": defects });
    Failure::Defects(say, detail)
}

/// The submission that the same sending made before; where it was rejected, the same refusal.
async fn earlier(app: &App, who: &Who, entry: &Entry) -> Result<Option<String>, Failure> {
    let select = "SELECT upload.id, upload.errors, upload.warnings, submission.id FROM upload LEFT JOIN submission ON submission.upload = upload.id \
                  WHERE upload.team = $1 AND upload.phase = $2 AND upload.task = $3 AND upload.client = $4";
    let row = of_client(select, entry).fetch_optional(app.database.read()).await?;
    let Some(row) = row else { return Ok(None) };
    if let Some(submission) = row.try_get::<Option<String>, _>(3)? {
        return Ok(Some(submission));
    }
    let (upload, errors, warnings): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let (defects, count) = look::defects_of(app, &upload, who.lang, MOST_TOLD).await?;
    let say =
        Say::new(format!("文件有 {errors} 处错误，没有提交"), format!("the file has {errors} errors and was not submitted"));
    Err(Failure::Defects(
        say,
        json!({ "upload": upload, "errors": errors, "warnings": warnings, "count": count, "defects": defects }),
    ))
}

/// A query about the upload of this sending.
fn of_client(select: &'static str, entry: &Entry) -> sqlx::query::Query<'static, sqlx::Any, sqlx::any::AnyArguments> {
    let query = sqlx::query(select).bind(entry.team.id.clone()).bind(entry.place.phase.id.clone());
    query.bind(entry.place.task.task.id()).bind(entry.client.clone())
}

/// Who sends one broken file after another waits: looking at them costs the server something.
async fn refuse_flood(app: &App, entry: &Entry) -> Result<(), Failure> {
    let count = "SELECT COUNT(*) FROM upload WHERE team = $1 AND at > $2 AND verdict = 'rejected'";
    let since = entry.at - WINDOW_MS;
    let rejected: i64 = sqlx::query_scalar(count).bind(entry.team.id.clone()).bind(since).fetch_one(app.database.read()).await?;
    if rejected < MOST_REJECTED { Ok(()) } else { Err(Failure::TooMany(WINDOW_MS as u64 / 1000)) }
}

/// The times of a team's submissions that count: all but those that could not be scored, which is no fault of the team.
const COUNTED: &str = "SELECT submission.at FROM submission WHERE submission.team = $1 AND submission.phase = $2 AND submission.task = $3 \
                       AND (EXISTS (SELECT 1 FROM score WHERE score.submission = submission.id) \
                            OR NOT EXISTS (SELECT 1 FROM job WHERE job.submission = submission.id AND job.state = 'failed'))";

/// What a team may still submit to a place.
pub async fn left(app: &App, kept: &Kept, team: &Team, place: &Place) -> Result<Left, Failure> {
    let task = place.task.task.id();
    let query = sqlx::query_scalar(COUNTED).bind(team.id.clone()).bind(place.phase.id.clone()).bind(task);
    let times: Vec<i64> = query.fetch_all(app.database.read()).await?;
    Ok(kept.contest.quota_left(&place.phase, task, &team.id, &times, app.now()))
}

fn refuse_spent(left: Left, entry: &Entry) -> Result<(), Failure> {
    // Rows of baselines, people and LLMs are the organisers' own.
    if left.any() || entry.team.kind != "team" {
        return Ok(());
    }
    let tomorrow = Moment::at(left.tomorrow, entry.kept.contest.zone);
    let say = if left.total == Some(0) {
        Say::new("本阶段的提交次数已经用完", "nothing is left of the quota of this phase")
    } else {
        Say::new(
            format!("今天的提交次数已经用完，{tomorrow} 起可以再提交"),
            format!("nothing is left of today's quota; more can be sent from {tomorrow} on"),
        )
    };
    Err(Failure::Defects(say, json!({ "quota": QuotaLeft::from(left) })))
}

/// Keeps what is to be known of a file; whether this is the first time that it was sent.
async fn insert_upload(
    changes: &mut Changes,
    me: &Account,
    entry: &Entry,
    sent: &[u8],
    examined: &Examined,
) -> Result<(String, bool), Failure> {
    let defects =
        if examined.defects.is_empty() { None } else { Some(store::put(changes, entry.at, examined.kept().as_bytes()).await?) };
    let upload = id::at(entry.at);
    let insert = "INSERT INTO upload (id, contest, team, account, phase, task, channel, client, file_name, note, bytes, hash, verdict, errors, warnings, defects, at) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT (team, phase, task, client) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(upload.clone())
        .bind(entry.kept.contest.id.clone())
        .bind(entry.team.id.clone())
        .bind(me.id.clone())
        .bind(entry.place.phase.id.clone())
        .bind(entry.place.task.task.id())
        .bind(entry.channel)
        .bind(entry.client.clone())
        .bind(entry.file.clone())
        .bind(entry.note.clone())
        .bind(sent.len() as i64)
        .bind(store::name(sent))
        .bind(if examined.is_good() { "accepted" } else { "rejected" })
        .bind(examined.errors as i64)
        .bind(examined.warnings() as i64)
        .bind(defects)
        .bind(entry.at)
        .execute(&mut **changes)
        .await?;
    Ok((upload, done.rows_affected() == 1))
}

async fn reject(app: &App, me: &Account, entry: &Entry, sent: &[u8], examined: &Examined) -> Result<String, Failure> {
    let mut changes = app.database.begin().await?;
    let (upload, _) = insert_upload(&mut changes, me, entry, sent, examined).await?;
    changes.commit().await?;
    Ok(upload)
}

/// Makes a submission of a good file, with everything that follows from it, or nothing at all.
async fn accept(app: &App, me: &Account, entry: &Entry, sent: &[u8], examined: &Examined) -> Result<String, Failure> {
    let Entry { kept, team, place, at, .. } = entry;
    let task = place.task.task.id();
    let mut changes = app.database.begin().await?;
    // Files of one team are counted one after the other, each after the one before is kept: this is what keeps the quota. The constraints only keep numbers apart.
    team::hold(&mut changes, &team.id).await?;
    // Sent again while the first was looked at: before the quota, which the first may have used up.
    let select = "SELECT submission.id FROM submission JOIN upload ON upload.id = submission.upload \
                  WHERE upload.team = $1 AND upload.phase = $2 AND upload.task = $3 AND upload.client = $4";
    if let Some(row) = of_client(select, entry).fetch_optional(&mut *changes).await? {
        return Ok(row.try_get(0)?);
    }
    let times: Vec<i64> = sqlx::query_scalar(COUNTED)
        .bind(team.id.clone())
        .bind(place.phase.id.clone())
        .bind(task)
        .fetch_all(&mut *changes)
        .await?;
    refuse_spent(kept.contest.quota_left(&place.phase, task, &team.id, &times, *at), entry)?;
    let (upload, is_first) = insert_upload(&mut changes, me, entry, sent, examined).await?;
    if !is_first {
        return Err(Failure::Conflict(
            Say::new("同一个文件正在提交", "the same file is being taken"),
            json!({ "client": entry.client }),
        ));
    }
    let hash = store::put(&mut changes, *at, &examined.plain).await?;
    if sent != examined.plain.as_slice() {
        store::put(&mut changes, *at, sent).await?;
    }
    let submission = insert_submission(&mut changes, entry, &upload, hash).await?;
    let detail = json!({ "file": entry.file, "records": examined.records, "warnings": examined.warnings() });
    log::note(&mut changes, *at, &submission, "received", &detail).await?;
    if !place.is_for_prompts(&kept.contest) {
        queue::put(&mut changes, *at, &kept.contest.id, &submission).await?;
    }
    changes.commit().await?;
    Ok(submission)
}

async fn insert_submission(changes: &mut Changes, entry: &Entry, upload: &str, hash: String) -> Result<String, Failure> {
    let Entry { kept, team, place, at, .. } = entry;
    let (submission, day) = (id::at(*at), kept.contest.zone.day(*at));
    let insert = "INSERT INTO submission (id, contest, team, upload, phase, task, number, day, day_number, hash, at) \
                  SELECT $1, $2, $3, $4, $5, $6, \
                  (SELECT COALESCE(MAX(number), 0) + 1 FROM submission WHERE team = $3 AND phase = $5 AND task = $6), $7, \
                  (SELECT COALESCE(MAX(day_number), 0) + 1 FROM submission WHERE team = $3 AND phase = $5 AND task = $6 AND day = $7), $8, $9";
    let written = sqlx::query(insert)
        .bind(submission.clone())
        .bind(kept.contest.id.clone())
        .bind(team.id.clone())
        .bind(upload.to_owned())
        .bind(place.phase.id.clone())
        .bind(place.task.task.id())
        .bind(day)
        .bind(hash)
        .bind(*at)
        .execute(&mut **changes)
        .await;
    match written {
        Ok(_) => Ok(submission),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(Failure::Conflict(Say::new("同时提交的文件太多，请再试一次", "too many files at once, try again"), json!({})))
        }
        Err(error) => Err(error.into()),
    }
}
