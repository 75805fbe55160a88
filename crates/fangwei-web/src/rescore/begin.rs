//! A generation begins: everything that was submitted has a place in it. What neither scorer nor gold touched keeps its score, the rest goes into the queue.

use fangwei::contest::{Change, Contest, Folder, SCORER};
use fangwei::lang::{Lang, Unknown, words};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::settle;
use crate::app::App;
use crate::contests::{Kept, kept, put};
use crate::database::Changes;
use crate::failure::Failure;
use crate::{audit, id};

/// What is to be scored anew, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Rescoring {
    /// Why, for the news page.
    pub reason: String,
    /// Only this phase; empty for all.
    pub phase: String,
    /// Only this task; empty for all.
    pub task: String,
    /// Whether submissions count against the quotas of these phases from now on only.
    pub reset_quota: bool,
}

/// Phase and task, by their ids.
pub type At = (String, String);

/// The longest reason.
const MOST_REASON: usize = 500;

/// Begins a generation; its number. Who asks for it sets the queue going: a server wakes its worker, a command scores by itself.
pub async fn begin(app: &App, kept: &Kept, account: Option<&str>, given: &Rescoring) -> Result<i64, Failure> {
    let scope = scope(&kept.contest, given)?;
    let reason: String = given.reason.trim().chars().take(MOST_REASON).collect();
    let mut changes = app.database.begin().await?;
    let number = next_number(&mut changes, &kept.contest.id).await?;
    let mut all = vec![Change::Rescore { generation: number, reason: reason.clone() }];
    let phases = kept.contest.phases.iter().filter(|phase| given.phase.is_empty() || phase.id == given.phase);
    let reset = phases.filter(|_| given.reset_quota);
    all.extend(reset.map(|phase| Change::ResetQuota { phase: phase.id.clone(), reason: reason.clone() }));
    kept::change_all(app, &mut changes, kept, account, &all).await?;
    start(&mut changes, app.now(), &kept.contest, number, account, &reason, scope).await?;
    changes.commit().await?;
    settle::every(app).await?;
    Ok(number)
}

/// Begins a generation with other gold: the competition is revised, with everything that a revision is checked for. `None` where nothing was scored with the gold
/// before, so that nothing has to be scored anew.
pub async fn correct(
    app: &App,
    kept: &Kept,
    account: Option<&str>,
    given: &Rescoring,
    golds: Vec<(At, Vec<u8>)>,
) -> Result<Option<i64>, Failure> {
    let mut folder = Folder::new();
    for path in kept.files.keys() {
        folder.insert(path.clone(), kept.file(app, path).await?);
    }
    for ((phase, task), bytes) in golds {
        let entry = kept.contest.phase(&phase).ok_or_else(|| no_phase(&kept.contest, &phase))?;
        let id = kept.contest.task(&task).map_or(task.as_str(), |entry| entry.task.id());
        let entry = entry.task(id).filter(|entry| !entry.gold.is_empty()).ok_or_else(|| no_task(&kept.contest, &task))?;
        folder.insert(entry.gold.clone(), bytes);
    }
    Ok(put::put_with(app, &folder, account, &given.reason, given.reset_quota).await?.generation)
}

/// The number of the next generation.
pub async fn next_number(changes: &mut Changes, contest: &str) -> Result<i64, Failure> {
    let select = "SELECT COALESCE(MAX(number), 0) + 1 FROM generation WHERE contest = $1";
    Ok(sqlx::query_scalar(select).bind(contest.to_owned()).fetch_one(&mut **changes).await?)
}

fn no_phase(contest: &Contest, given: &str) -> Failure {
    unknown(&Unknown::new(words("没有这个阶段", "unknown phase"), given, contest.phases.iter().map(|phase| phase.id.clone())))
}

fn no_task(contest: &Contest, given: &str) -> Failure {
    unknown(&Unknown::new(words("没有这个任务", "unknown task"), given, contest.tasks.iter().map(|entry| entry.task.id())))
}

fn unknown(unknown: &Unknown) -> Failure {
    Failure::invalid(unknown.say(Lang::Zh), unknown.say(Lang::En))
}

/// The phases and tasks that are meant; `None` where nothing was said.
fn scope(contest: &Contest, given: &Rescoring) -> Result<Option<Vec<At>>, Failure> {
    if !given.phase.is_empty() && contest.phase(&given.phase).is_none() {
        return Err(no_phase(contest, &given.phase));
    }
    let task = match given.task.as_str() {
        "" => None,
        name => Some(contest.task(name).ok_or_else(|| no_task(contest, name))?.task.id()),
    };
    if given.phase.is_empty() && task.is_none() {
        return Ok(None);
    }
    let places = contest.phases.iter().flat_map(|phase| phase.tasks.iter().map(move |entry| (phase.id.clone(), entry.task.id())));
    let meant =
        places.filter(|(phase, id)| (given.phase.is_empty() || *phase == given.phase) && task.is_none_or(|task| task == *id));
    Ok(Some(meant.map(|(phase, id)| (phase, id.to_owned())).collect()))
}

/// Holds a competition and its teams until the changes are done. Files that are being taken are counted first, and those that come later find the generation: nothing
/// falls between.
pub(crate) async fn hold(changes: &mut Changes, contest: &str) -> Result<(), Failure> {
    kept::hold(changes, contest).await?;
    let touch = "UPDATE team SET version = version WHERE contest = $1";
    sqlx::query(touch).bind(contest.to_owned()).execute(&mut **changes).await?;
    Ok(())
}

/// Makes a generation within other changes. Without a scope, what gold or scorer touched is scored anew; everything, where neither did.
pub(crate) async fn start(
    changes: &mut Changes,
    now: i64,
    contest: &Contest,
    number: i64,
    account: Option<&str>,
    reason: &str,
    scope: Option<Vec<At>>,
) -> Result<(), Failure> {
    let contest = &contest.id;
    hold(changes, contest).await?;
    let select = "SELECT number, scorer FROM generation WHERE contest = $1 AND number < $2 ORDER BY number DESC LIMIT 1";
    let before: Option<(i64, String)> =
        sqlx::query_as(select).bind(contest.clone()).bind(number).fetch_optional(&mut **changes).await?;
    let (base, scorer) = before.unwrap_or_default();
    insert(changes, now, contest, number, account, reason).await?;
    let touched = "SELECT phase, task FROM gold_version WHERE contest = $1 AND generation = $2";
    let touched: Vec<At> = sqlx::query_as(touched).bind(contest.clone()).bind(number).fetch_all(&mut **changes).await?;
    let everything = scope.is_none() && (touched.is_empty() || scorer != SCORER);
    let is_touched = |at: &At| everything || touched.contains(at) || scope.as_ref().is_some_and(|scope| scope.contains(at));
    let places = "SELECT DISTINCT phase, task FROM submission WHERE contest = $1 ORDER BY phase, task";
    let places: Vec<At> = sqlx::query_as(places).bind(contest.clone()).fetch_all(&mut **changes).await?;
    let (again, kept): (Vec<At>, Vec<At>) = places.into_iter().partition(is_touched);
    // What was never in the queue (answers that people graded) cannot be scored by it: its score goes along.
    for (at, statement) in again.iter().map(|at| (at, KEEP_GRADED)).chain(kept.iter().map(|at| (at, KEEP))) {
        let keep = sqlx::query(statement).bind(format!("-{number}")).bind(number).bind(contest.clone());
        keep.bind(at.0.clone()).bind(at.1.clone()).bind(base).execute(&mut **changes).await?;
    }
    let queue = sqlx::query(QUEUE).bind(format!("-{number}")).bind(number).bind(now).bind(contest.clone());
    let put = queue.execute(&mut **changes).await?.rows_affected();
    let detail = json!({ "generation": number, "scorer": SCORER, "submissions": put, "again": again, "kept": kept });
    audit::note(changes, now, account, "rescore", contest, &detail).await?;
    Ok(())
}

macro_rules! keep {
    ($rest:literal) => {
        concat!(
            "INSERT INTO score (id, submission, generation, scorer, gold, ranking, measures, items, spent_ms, at) ",
            "SELECT score.submission || $1, score.submission, $2, score.scorer, score.gold, score.ranking, score.measures, score.items, score.spent_ms, score.at ",
            "FROM score JOIN submission ON submission.id = score.submission ",
            "WHERE submission.contest = $3 AND submission.phase = $4 AND submission.task = $5 AND score.generation = $6",
            $rest
        )
    };
}

/// Gives the scores of the generation before to this one.
const KEEP: &str = keep!("");
const KEEP_GRADED: &str = keep!(" AND NOT EXISTS (SELECT 1 FROM job WHERE job.submission = submission.id)");

/// A job for everything that the queue scores; done where the score is there.
const QUEUE: &str = "INSERT INTO job (id, submission, generation, state, holder, held_until, tries, made_at) \
    SELECT submission.id || $1, submission.id, $2, \
    CASE WHEN EXISTS (SELECT 1 FROM score WHERE score.submission = submission.id AND score.generation = $2) THEN 'scored' ELSE 'waiting' END, '', 0, 0, $3 \
    FROM submission WHERE submission.contest = $4 AND EXISTS (SELECT 1 FROM job WHERE job.submission = submission.id)";

async fn insert(
    changes: &mut Changes,
    now: i64,
    contest: &str,
    number: i64,
    account: Option<&str>,
    reason: &str,
) -> Result<(), Failure> {
    let insert = "INSERT INTO generation (id, contest, number, scorer, reason, state, account, at) VALUES ($1, $2, $3, $4, $5, 'running', $6, $7)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(contest.to_owned())
        .bind(number)
        .bind(SCORER)
        .bind(reason.to_owned())
        .bind(account.map(ToOwned::to_owned))
        .bind(now)
        .execute(&mut **changes)
        .await?;
    Ok(())
}

/// Puts what could not be scored in a generation into the queue again; how many.
pub async fn retry(app: &App, contest: &str, number: i64, account: Option<&str>) -> Result<u64, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let update = "UPDATE job SET state = 'waiting', tries = 0, holder = '', held_until = 0 WHERE generation = $1 AND state = 'failed' \
                  AND submission IN (SELECT id FROM submission WHERE contest = $2)";
    let again = sqlx::query(update).bind(number).bind(contest.to_owned()).execute(&mut *changes).await?.rows_affected();
    let detail = json!({ "generation": number, "submissions": again });
    audit::note(&mut changes, now, account, "rescore-retry", contest, &detail).await?;
    changes.commit().await?;
    Ok(again)
}
