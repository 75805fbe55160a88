//! When a generation takes effect: all at once, when everything in it is scored.
//!
//! What cannot be scored in it, and has a score in the one that everybody sees, holds it back: nobody falls off a board because gold was broken.

use serde_json::json;
use sqlx::Row;

use crate::app::App;
use crate::audit;
use crate::contests::kept;
use crate::failure::Failure;

/// What still holds a generation back: what is to be scored, and what could not be though it was before.
const HELD: &str = "SELECT COUNT(*) FROM job JOIN submission ON submission.id = job.submission WHERE submission.contest = $1 AND job.generation = $2 \
    AND (job.state IN ('waiting', 'running') OR (job.state = 'failed' AND EXISTS (SELECT 1 FROM score JOIN generation \
    ON generation.number = score.generation AND generation.contest = submission.contest WHERE score.submission = job.submission AND generation.state = 'current')))";

/// Looks at the generation that a job was for, if it runs.
pub async fn after(app: &App, submission: &str, number: i64) -> Result<(), Failure> {
    let select = "SELECT generation.contest FROM generation JOIN submission ON submission.contest = generation.contest \
                  WHERE submission.id = $1 AND generation.number = $2 AND generation.state = 'running'";
    let query = sqlx::query_scalar(select).bind(submission.to_owned()).bind(number);
    let contest: Option<String> = query.fetch_optional(app.database.read()).await?;
    match contest {
        Some(contest) => settle(app, &contest, number).await,
        None => Ok(()),
    }
}

/// Looks at all generations that run: what a process that died has finished takes effect too.
pub async fn every(app: &App) -> Result<(), Failure> {
    let select = "SELECT contest, number FROM generation WHERE state = 'running' ORDER BY contest, number";
    for row in sqlx::query(select).fetch_all(app.database.read()).await? {
        let (contest, number): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        settle(app, &contest, number).await?;
    }
    Ok(())
}

/// Makes a generation the one that everybody sees, if nothing holds it back. However many nodes try, it happens once.
async fn settle(app: &App, contest: &str, number: i64) -> Result<(), Failure> {
    let held: i64 = sqlx::query_scalar(HELD).bind(contest.to_owned()).bind(number).fetch_one(app.database.read()).await?;
    if held > 0 {
        return Ok(());
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    // One at a time: what is asked below stays so until the changes are kept.
    kept::hold(&mut changes, contest).await?;
    let held: i64 = sqlx::query_scalar(HELD).bind(contest.to_owned()).bind(number).fetch_one(&mut *changes).await?;
    if held > 0 {
        return Ok(());
    }
    let update =
        "UPDATE generation SET state = 'current', current_at = $1 WHERE contest = $2 AND number = $3 AND state = 'running'";
    let done = sqlx::query(update).bind(now).bind(contest.to_owned()).bind(number).execute(&mut *changes).await?;
    if done.rows_affected() == 0 {
        return Ok(());
    }
    // An earlier one that still runs is passed over: this one has the later gold.
    let past = "UPDATE generation SET state = 'past' WHERE contest = $1 AND number < $2 AND state IN ('current', 'running')";
    sqlx::query(past).bind(contest.to_owned()).bind(number).execute(&mut *changes).await?;
    audit::note(&mut changes, now, None, "rescore-current", contest, &json!({ "generation": number })).await?;
    changes.commit().await?;
    Ok(())
}
