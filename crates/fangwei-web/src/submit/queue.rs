//! The scoring queue: rows of the database that a worker in this process takes up, one after the other.
//!
//! Who takes a job holds it for a while and says so again while it works; what a process that died has left is taken up when that time is over. However often a job is
//! begun, its score is inserted once: the constraint on submission and generation makes it exactly one. A file that ends the process each time is given up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fangwei::contest::{Given, ItemRow, Outcome, SCORER};
use fangwei::record::Source;
use serde_json::{Value, json};
use sqlx::Row;
use tokio::sync::watch;

use super::examine::{self, Files};
use super::log;
use super::look::KeptRow;
use super::place::Place;
use crate::app::App;
use crate::contests::kept;
use crate::database::{Address, Changes};
use crate::failure::Failure;
use crate::rescore::settle;
use crate::thread::on_thread;
use crate::{audit, chance, id, prompts, store};

/// So long a job is held without a word of who holds it.
const LEASE_MS: i64 = 15_000;
/// So often who holds it says so again.
const RENEW: Duration = Duration::from_secs(5);
/// So often it is begun.
const MOST_TRIES: i64 = 5;
/// So often the queue is looked at without being told.
const LOOK: Duration = Duration::from_secs(2);

/// The worker of this process.
#[derive(Debug)]
pub struct Scoring {
    /// Its name on the jobs that it holds.
    name: String,
    is_working: AtomicBool,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring { name: chance::secret()[..16].to_owned(), is_working: AtomicBool::new(false) }
    }
}

/// What is to be scored.
struct Job {
    id: String,
    submission: String,
    generation: i64,
    tries: i64,
}

/// Puts a submission into the queue, for every generation that is not past.
pub async fn put(changes: &mut Changes, now: i64, contest: &str, submission: &str) -> Result<(), Failure> {
    for generation in generations(changes, contest).await? {
        put_in(changes, now, submission, generation).await?;
    }
    Ok(())
}

/// The generations that a score has to be in: the one that everybody sees, and those that are to take its place.
pub async fn generations(changes: &mut Changes, contest: &str) -> Result<Vec<i64>, Failure> {
    let select = "SELECT number FROM generation WHERE contest = $1 AND state IN ('current', 'running') ORDER BY number";
    let found: Vec<i64> = sqlx::query_scalar(select).bind(contest.to_owned()).fetch_all(&mut **changes).await?;
    Ok(if found.is_empty() { vec![1] } else { found })
}

/// Puts a submission into the queue of one generation; once, however often it is asked for.
pub async fn put_in(changes: &mut Changes, now: i64, submission: &str, generation: i64) -> Result<(), Failure> {
    let insert = "INSERT INTO job (id, submission, generation, state, holder, held_until, tries, made_at) VALUES ($1, $2, $3, 'waiting', '', 0, 0, $4) \
                  ON CONFLICT (submission, generation) DO NOTHING";
    let insert = sqlx::query(insert).bind(id::at(now)).bind(submission.to_owned()).bind(generation).bind(now);
    insert.execute(&mut **changes).await?;
    Ok(())
}

/// Sets the worker going, if it is not.
pub fn wake(app: &App) {
    if !app.scoring.is_working.swap(true, Ordering::SeqCst) {
        let app = app.clone();
        tokio::spawn(async move { work(&app).await });
    }
}

/// Works until nothing waits.
async fn work(app: &App) {
    loop {
        let done = drain(app).await;
        app.scoring.is_working.store(false, Ordering::SeqCst);
        if let Err(failure) = &done {
            // The next look at the queue tries again.
            tracing::error!("scoring: {failure}");
            return;
        }
        // What came in between the last look and the line before has found the worker working.
        let waits = next(app).await.is_ok_and(|job| job.is_some());
        if !waits || app.scoring.is_working.swap(true, Ordering::SeqCst) {
            return;
        }
    }
}

/// Scores everything that waits, and lets generations that are whole take effect.
pub async fn drain(app: &App) -> Result<(), Failure> {
    while step(app).await? {}
    settle::every(app).await
}

/// Scores what has waited longest; whether anything waited.
pub async fn step(app: &App) -> Result<bool, Failure> {
    let Some(job) = claim(app).await? else { return Ok(false) };
    run(app, &job).await?;
    settle::after(app, &job.submission, job.generation).await?;
    Ok(true)
}

/// Looks at the queue again and again until `stopping` says so: for what other nodes and processes that died have left.
pub async fn keep_on(app: App, mut stopping: watch::Receiver<bool>) {
    // Only one process serves a file: what is held there was held by one that is gone.
    if matches!(app.database.address(), Address::Sqlite(_))
        && let Err(failure) = release_all(&app).await
    {
        tracing::error!("scoring: {failure}");
    }
    loop {
        if let Err(error) = app.database.ask_time().await {
            tracing::error!("the time of the database: {error}");
        }
        if next(&app).await.is_ok_and(|job| job.is_some()) {
            wake(&app);
        } else if let Err(failure) = settle::every(&app).await {
            tracing::error!("scoring: {failure}");
        }
        let stopped = tokio::time::timeout(LOOK, stopping.wait_for(|stopping| *stopping)).await;
        if stopped.is_ok() {
            return;
        }
    }
}

async fn release_all(app: &App) -> Result<(), Failure> {
    let mut changes = app.database.begin().await?;
    sqlx::query("UPDATE job SET held_until = 0 WHERE state = 'running'").execute(&mut *changes).await?;
    changes.commit().await?;
    Ok(())
}

/// The job that has waited longest. Those of a generation that nobody sees yet come after all others, and are left to who has the scorer that it is made with.
async fn next(app: &App) -> Result<Option<Job>, Failure> {
    let select = "SELECT job.id, job.submission, job.generation, job.tries FROM job JOIN submission ON submission.id = job.submission \
                  LEFT JOIN generation ON generation.contest = submission.contest AND generation.number = job.generation AND generation.state = 'running' \
                  WHERE (job.state = 'waiting' OR (job.state = 'running' AND job.held_until <= $1)) AND (generation.scorer IS NULL OR generation.scorer = $2) \
                  ORDER BY CASE WHEN generation.scorer IS NULL THEN 0 ELSE 1 END, job.made_at, job.id LIMIT 1";
    let row = sqlx::query(select).bind(app.now()).bind(SCORER).fetch_optional(app.database.read()).await?;
    let job = |row: &sqlx::any::AnyRow| {
        Ok(Job { id: row.try_get(0)?, submission: row.try_get(1)?, generation: row.try_get(2)?, tries: row.try_get(3)? })
    };
    row.as_ref().map(job).transpose()
}

/// Takes the next job, if another node was not faster with all of them.
async fn claim(app: &App) -> Result<Option<Job>, Failure> {
    while let Some(mut job) = next(app).await? {
        let (mut changes, now) = (app.database.begin().await?, app.now());
        let update = "UPDATE job SET state = 'running', holder = $1, held_until = $2, tries = tries + 1 \
                      WHERE id = $3 AND tries = $4 AND (state = 'waiting' OR (state = 'running' AND held_until <= $5))";
        let done = sqlx::query(update)
            .bind(app.scoring.name.clone())
            .bind(now + LEASE_MS)
            .bind(job.id.clone())
            .bind(job.tries)
            .bind(now)
            .execute(&mut *changes)
            .await?;
        changes.commit().await?;
        if done.rows_affected() == 1 {
            job.tries += 1;
            return Ok(Some(job));
        }
    }
    Ok(None)
}

/// Scores a job and keeps what came of it. An error of the database leaves the job to be taken up again.
async fn run(app: &App, job: &Job) -> Result<(), Failure> {
    if job.tries > MOST_TRIES {
        return fail(app, job, &format!("scoring was begun {MOST_TRIES} times and never ended")).await;
    }
    let begun = Instant::now();
    match score(app, job).await {
        Ok(Some(scored)) => keep(app, job, &scored, begun.elapsed()).await,
        Ok(None) => wait(app, job).await,
        Err(failure @ Failure::Database(_)) => Err(failure),
        Err(failure) => fail(app, job, &failure.to_string()).await,
    }
}

/// What a submission earned.
struct Scored {
    files: Files,
    outcome: Outcome,
    /// What raters gave to its answers, where it is a prompt whose reasons were graded.
    grades: Option<Given>,
}

/// Scores a submission; nothing where it is a prompt that people are not done with.
async fn score(app: &App, job: &Job) -> Result<Option<Scored>, Failure> {
    let select = "SELECT contest, phase, task, hash FROM submission WHERE id = $1";
    let row = sqlx::query(select).bind(job.submission.clone()).fetch_one(app.database.read()).await?;
    let (contest, phase, task, hash): (String, String, String, String) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
    let kept = kept::load(app, &contest).await?;
    let gone = || Failure::Internal(format!("the competition has no {task} in {phase} any more"));
    let phase = kept.contest.phase(&phase).ok_or_else(gone)?;
    let place = Place { phase: phase.clone(), task: phase.task(&task).ok_or_else(gone)?.clone() };
    let files = examine::files_in(app, &kept, &place, job.generation).await?;
    if place.is_for_prompts(&kept.contest) {
        let graded = prompts::outcome(app, &kept, &place, &files, &job.submission).await?;
        return Ok(graded.map(|(outcome, grades)| Scored { files, outcome, grades }));
    }
    let (preds, gold) = (store::get(app.database.read(), &hash).await?, store::get(app.database.read(), &files.gold).await?);
    let broken = |error: &dyn std::fmt::Display| Failure::Internal(error.to_string());
    let mut scoring = tokio::spawn(on_thread(move || {
        let preds = Source::from_bytes("submission", preds).map_err(|error| broken(&error))?;
        let gold = Source::from_bytes("gold", gold).map_err(|error| broken(&error))?;
        Outcome::of(place.task.task, preds, gold, place.task.private).map_err(|error| broken(&error))
    }));
    loop {
        match tokio::time::timeout(RENEW, &mut scoring).await {
            Ok(done) => return Ok(Some(Scored { files, outcome: done.map_err(|error| broken(&error))??, grades: None })),
            Err(_) => renew(app, job).await?,
        }
    }
}

async fn renew(app: &App, job: &Job) -> Result<(), Failure> {
    let mut changes = app.database.begin().await?;
    let update = "UPDATE job SET held_until = $1 WHERE id = $2 AND holder = $3 AND state = 'running'";
    let update = sqlx::query(update).bind(app.now() + LEASE_MS).bind(job.id.clone()).bind(app.scoring.name.clone());
    update.execute(&mut *changes).await?;
    changes.commit().await?;
    Ok(())
}

/// Keeps a score and ends its job, together. Where the score is there already, somebody else was faster, and only the job is ended.
async fn keep(app: &App, job: &Job, scored: &Scored, spent: Duration) -> Result<(), Failure> {
    let Scored { files, outcome, grades } = scored;
    let of = |qid: &str| grades.as_ref().map(|grades| grades.get(qid).cloned().unwrap_or_default());
    let line = |row: &ItemRow| json!(KeptRow { row: row.clone(), grades: of(&row.qid) }).to_string() + "\n";
    let lines: String = outcome.rows.iter().map(line).collect();
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let items = store::put(&mut changes, now, lines.as_bytes()).await?;
    let insert = "INSERT INTO score (id, submission, generation, scorer, gold, ranking, measures, items, spent_ms, at) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (submission, generation) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(id::at(now))
        .bind(job.submission.clone())
        .bind(job.generation)
        .bind(SCORER)
        .bind(files.gold.clone())
        .bind(outcome.parts.all.ranking)
        .bind(json!(outcome.parts).to_string())
        .bind(items)
        .bind(spent.as_millis() as i64)
        .bind(now)
        .execute(&mut *changes)
        .await?;
    if done.rows_affected() == 1 {
        let detail = json!({ "generation": job.generation, "scorer": SCORER, "items": outcome.parts.all.items, "ms": spent.as_millis() as u64 });
        log::note(&mut changes, now, &job.submission, "scored", &detail).await?;
    }
    end(app, &mut changes, job, "scored").await?;
    changes.commit().await?;
    Ok(())
}

/// Puts a prompt off that people are not done with: what ends the grading puts it into the queue again. Where it has a score already, corrected gold has made reasons
/// count that nobody graded; the generation is held back, or it would fall off the board.
async fn wait(app: &App, job: &Job) -> Result<(), Failure> {
    let select = "SELECT COUNT(*) FROM score WHERE submission = $1";
    let scores: i64 = sqlx::query_scalar(select).bind(job.submission.clone()).fetch_one(app.database.read()).await?;
    if scores > 0 {
        return fail(app, job, "reasons wait for grades (fangwei competition grade)").await;
    }
    let mut changes = app.database.begin().await?;
    let delete = sqlx::query("DELETE FROM job WHERE id = $1 AND state = 'running' AND holder = $2").bind(job.id.clone());
    delete.bind(app.scoring.name.clone()).execute(&mut *changes).await?;
    changes.commit().await?;
    Ok(())
}

/// Gives a job up. It is no fault of the team: its submission does not count against the quota.
async fn fail(app: &App, job: &Job, why: &str) -> Result<(), Failure> {
    tracing::error!("scoring {}: {why}", job.submission);
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if !end(app, &mut changes, job, "failed").await? {
        return Ok(());
    }
    // Why is for the organisers: it may quote gold.
    log::note(&mut changes, now, &job.submission, "failed", &json!({ "generation": job.generation })).await?;
    let detail: Value = json!({ "generation": job.generation, "why": why.chars().take(2000).collect::<String>() });
    audit::note(&mut changes, now, None, "scoring-failed", &job.submission, &detail).await?;
    changes.commit().await?;
    Ok(())
}

/// Ends a job; whether it was still ours. Who was silent for too long and lost it to another node says nothing of it any more.
async fn end(app: &App, changes: &mut Changes, job: &Job, state: &'static str) -> Result<bool, Failure> {
    let update = "UPDATE job SET state = $1, holder = '', held_until = 0 WHERE id = $2 AND state = 'running' AND holder = $3";
    let update = sqlx::query(update).bind(state).bind(job.id.clone()).bind(app.scoring.name.clone());
    Ok(update.execute(&mut **changes).await?.rows_affected() == 1)
}
