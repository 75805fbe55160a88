//! What came of running a prompt. A run of a submission with a model is one row: begun, stopped and gone on with, spent or finished; who is killed in between goes on
//! from the same row. Answers and transcript are kept by their hash once there is nothing more to come.

use std::collections::BTreeMap;

use fangwei::contest::{Outcome, Parts, has_reasons};
use fangwei::record::Source;
use serde_json::json;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::track;
use crate::app::App;
use crate::contests::{Kept, kept};
use crate::failure::Failure;
use crate::submit::{log, queue};
use crate::thread::on_thread;
use crate::{audit, id, store};

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It goes on, or who ran it was killed.
    Running,
    /// It was stopped, and can be gone on with.
    Stopped,
    /// Its budget is used up: what was not asked has no answer.
    Spent,
    /// Every item was asked.
    Finished,
}

impl State {
    const ALL: [State; 4] = [State::Running, State::Stopped, State::Spent, State::Finished];

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped => "stopped",
            State::Spent => "spent",
            State::Finished => "finished",
        }
    }

    /// Whether nothing more comes by itself.
    pub const fn is_done(self) -> bool {
        matches!(self, State::Spent | State::Finished)
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// The submission.
    pub submission: String,
    /// The model.
    pub model: String,
    /// How far it is.
    pub state: State,
    /// So many tokens may it spend.
    pub budget_tokens: i64,
    /// So many has it spent.
    pub spent_tokens: i64,
    /// So much money has it spent, in the currency of the prices.
    pub spent_money: f64,
    /// How many items there are.
    pub items: i64,
    /// How many have an answer that could be read.
    pub answered: i64,
    /// What the judgements alone come to, once it is done.
    pub judged: Option<Parts>,
    /// The name of its answers in the store, once it is done.
    pub answers: Option<String>,
    /// The name of its transcript in the store, once it is done.
    pub transcript: Option<String>,
    /// The batch in which its reasons are graded.
    pub batch: Option<String>,
    /// When it was begun.
    pub made_at: i64,
    /// When it was last changed.
    pub changed_at: i64,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT prompt_run.id, prompt_run.submission, prompt_run.model, prompt_run.state, prompt_run.budget_tokens, prompt_run.spent_tokens, ",
            "prompt_run.spent_money, prompt_run.items, prompt_run.answered, prompt_run.judged, prompt_run.answers, prompt_run.transcript, ",
            "prompt_run.batch, prompt_run.made_at, prompt_run.changed_at FROM prompt_run ",
            $rest
        )
    };
}

impl Run {
    fn of(row: &AnyRow) -> Result<Run, Failure> {
        let (state, judged): (String, String) = (row.try_get(3)?, row.try_get(9)?);
        let unknown = || Failure::Internal(format!("a run has the unknown state {state:?}"));
        Ok(Run {
            id: row.try_get(0)?,
            submission: row.try_get(1)?,
            model: row.try_get(2)?,
            state: State::ALL.into_iter().find(|known| known.as_str() == state).ok_or_else(unknown)?,
            budget_tokens: row.try_get(4)?,
            spent_tokens: row.try_get(5)?,
            spent_money: row.try_get(6)?,
            items: row.try_get(7)?,
            answered: row.try_get(8)?,
            judged: serde_json::from_str(&judged).ok(),
            answers: row.try_get(10)?,
            transcript: row.try_get(11)?,
            batch: row.try_get(12)?,
            made_at: row.try_get(13)?,
            changed_at: row.try_get(14)?,
        })
    }
}

/// The runs of a competition by submission, the latest last.
pub async fn of_contest(app: &App, contest: &str) -> Result<BTreeMap<String, Vec<Run>>, Failure> {
    let select = select!(
        "JOIN submission ON submission.id = prompt_run.submission WHERE submission.contest = $1 ORDER BY prompt_run.made_at, prompt_run.id"
    );
    let mut runs: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    for row in &sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await? {
        let run = Run::of(row)?;
        runs.entry(run.submission.clone()).or_default().push(run);
    }
    Ok(runs)
}

/// A run of a competition.
pub async fn find(app: &App, contest: &str, id: &str) -> Result<Run, Failure> {
    let select =
        select!("JOIN submission ON submission.id = prompt_run.submission WHERE prompt_run.id = $1 AND submission.contest = $2");
    let row = sqlx::query(select).bind(id.to_owned()).bind(contest.to_owned()).fetch_optional(app.database.read()).await?;
    Run::of(&row.ok_or(Failure::NotFound)?)
}

/// Begins a run, or goes on with the one of this model. What is done and given to raters stays as they see it.
pub async fn begin(app: &App, kept: &Kept, submission: &str, model: &str, budget_tokens: u64) -> Result<Run, Failure> {
    track(kept)?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let insert = "INSERT INTO prompt_run (id, submission, model, state, budget_tokens, spent_tokens, spent_money, items, answered, judged, made_at, changed_at) \
                  VALUES ($1, $2, $3, 'running', $4, 0, 0, 0, 0, '', $5, $5) ON CONFLICT (submission, model) DO NOTHING";
    let budget = i64::try_from(budget_tokens).unwrap_or(i64::MAX);
    let insert = sqlx::query(insert).bind(id::at(now)).bind(submission.to_owned()).bind(model.to_owned()).bind(budget).bind(now);
    insert.execute(&mut *changes).await?;
    let update = "UPDATE prompt_run SET state = 'running', budget_tokens = $1, changed_at = $2 \
                  WHERE submission = $3 AND model = $4 AND state <> 'finished' AND batch IS NULL";
    let update = sqlx::query(update).bind(budget).bind(now).bind(submission.to_owned()).bind(model.to_owned());
    if update.execute(&mut *changes).await?.rows_affected() == 0 {
        return Err(Failure::invalid("这次运行已经完成，或已交给评分员", "the run is finished, or given to raters"));
    }
    let detail = json!({ "submission": submission, "model": model, "budget_tokens": budget });
    audit::note(&mut changes, now, None, "prompt-run", &kept.contest.id, &detail).await?;
    let select = select!("WHERE prompt_run.submission = $1 AND prompt_run.model = $2");
    let row = sqlx::query(select).bind(submission.to_owned()).bind(model.to_owned()).fetch_one(&mut *changes).await?;
    let run = Run::of(&row)?;
    changes.commit().await?;
    Ok(run)
}

/// How a run ended, for now or for good.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `Stopped`, `Spent` or `Finished`.
    pub state: State,
    /// What it has spent in all.
    pub spent_tokens: u64,
    /// The same in money.
    pub spent_money: f64,
    /// How many items there are.
    pub items: usize,
    /// The answers, as a file of predictions.
    pub answers: String,
    /// What was asked and answered, as JSON.
    pub transcript: String,
}

/// Keeps what came of a run. Of one that is done the judgements are scored at once; where there are no reasons to grade, so is the submission.
pub async fn keep(app: &App, kept: &Kept, run: &Run, ended: &Ended) -> Result<Run, Failure> {
    let (_, place) = track(kept)?;
    let files = crate::submit::files(app, kept, &place).await?;
    let gold = store::get(app.database.read(), &files.gold).await?;
    let (task, private, answers) = (place.task.task, place.task.private, ended.answers.clone());
    let broken = |error: &dyn std::fmt::Display| Failure::Internal(error.to_string());
    let parts = on_thread(move || {
        let preds = Source::from_bytes("answers", answers).map_err(|error| broken(&error))?;
        let gold = Source::from_bytes("gold", gold).map_err(|error| broken(&error))?;
        Ok(Outcome::of(task, preds, gold, private).map_err(|error| broken(&error))?.parts)
    });
    let (parts, is_done) = (parts.await?, ended.state.is_done());
    let (mut changes, now) = (app.database.begin().await?, app.now());
    // A generation that begins meanwhile has it, or is found by it.
    kept::hold(&mut changes, &kept.contest.id).await?;
    let (mut answers, mut transcript) = (None, None);
    if is_done {
        answers = Some(store::put(&mut changes, now, ended.answers.as_bytes()).await?);
        transcript = Some(store::put(&mut changes, now, ended.transcript.as_bytes()).await?);
    }
    let update = "UPDATE prompt_run SET state = $1, spent_tokens = $2, spent_money = $3, items = $4, answered = $5, judged = $6, \
                  answers = $7, transcript = $8, changed_at = $9 WHERE id = $10 AND state = 'running'";
    let done = sqlx::query(update)
        .bind(ended.state.as_str())
        .bind(i64::try_from(ended.spent_tokens).unwrap_or(i64::MAX))
        .bind(ended.spent_money)
        .bind(ended.items as i64)
        .bind(parts.all.answered as i64)
        .bind(if is_done { json!(parts).to_string() } else { String::new() })
        .bind(answers)
        .bind(transcript)
        .bind(now)
        .bind(run.id.clone())
        .execute(&mut *changes)
        .await?;
    if done.rows_affected() == 0 {
        return Err(Failure::invalid("别处已经结束了这次运行", "the run was ended elsewhere"));
    }
    let detail = json!({ "state": ended.state, "model": run.model, "items": ended.items, "tokens": ended.spent_tokens });
    log::note(&mut changes, now, &run.submission, "run", &detail).await?;
    if ended.state == State::Finished && !has_reasons(task) {
        queue::put(&mut changes, now, &kept.contest.id, &run.submission).await?;
    }
    changes.commit().await?;
    find(app, &kept.contest.id, &run.id).await
}
