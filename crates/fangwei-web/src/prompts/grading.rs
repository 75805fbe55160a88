//! Reasons to grade: a batch of mode `grade` over all teams, whose items have no names and stand in an order of chance. Which answer an item is stays on the server.

use std::collections::BTreeSet;

use fangwei::annotate::form::BatchMode;
use fangwei::answer::Answer;
use fangwei::chance::Dice;
use fangwei::contest::has_reasons;
use fangwei::task::{Item, Task, write_item};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::entry::{self, Entry};
use super::{score, track};
use crate::app::App;
use crate::batches::batch::{self, Batch, BatchSettings, NewBatch};
use crate::batches::import::NewItem;
use crate::batches::items;
use crate::contests::{Kept, kept};
use crate::database::Changes;
use crate::failure::Failure;
use crate::submit::{log, queue};
use crate::{audit, id, store};

/// What an organiser asks for.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Order {
    /// The order of the items follows from it.
    #[serde(default)]
    pub seed: u64,
    /// Whether to go ahead though prompts that count have no finished run.
    #[serde(default)]
    pub partial: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Made {
    /// The batch; none where nothing is to be graded.
    pub batch: Option<String>,
    /// Its name.
    pub name: String,
    /// How many runs were looked at.
    pub runs: usize,
    /// How many of them ended with their budget.
    pub spent: usize,
    /// How many reasons are to be graded.
    pub reasons: usize,
    /// How many answers are judged wrong or missing: they have 0 and nobody sees them.
    pub wrong: usize,
    /// How many are judged right without a reason: they have 0 as well.
    pub silent: usize,
    /// How many submissions need no more grades and are scored.
    pub scored: usize,
}

/// A reason that nobody was given yet.
struct Reason {
    run: String,
    item: Item,
    answer: Answer,
}

/// Makes a batch of the reasons of all prompts that count and are in none yet, and scores what needs no more grades.
pub async fn make(app: &App, kept: &Kept, account: Option<&str>, order: &Order) -> Result<Made, Failure> {
    let (track, place) = track(kept)?;
    let task = place.task.task;
    let counted: Vec<Entry> = entry::all(app, kept).await?.into_iter().filter(|entry| entry.counts).collect();
    refuse_missing(&counted, order.partial)?;
    let files = crate::submit::files(app, kept, &place).await?;
    let gold = store::get(app.database.read(), &files.gold).await?;
    let (mut made, mut reasons, mut given) = (Made::default(), Vec::new(), Vec::new());
    for run in counted.iter().filter_map(Entry::done) {
        made.runs += 1;
        made.spent += usize::from(run.state == super::run::State::Spent);
        given.push((run.id.clone(), run.submission.clone()));
        if !has_reasons(task) {
            continue;
        }
        let sorted = score::reasons(app, task, run, gold.clone()).await?;
        (made.wrong, made.silent) = (made.wrong + sorted.wrong, made.silent + sorted.silent);
        let known = in_batches(app, &run.id).await?;
        let fresh = sorted.graded.into_iter().filter(|(item, _)| !known.contains(item.qid.as_str()));
        reasons.extend(fresh.map(|(item, answer)| Reason { run: run.id.clone(), item, answer }));
    }
    made.reasons = reasons.len();
    // The seed is the organiser's; the order does not depend on the names of teams, by which the runs were listed.
    reasons.sort_by(|one, other| (&one.item.qid, &one.run).cmp(&(&other.item.qid, &other.run)));
    Dice::new(order.seed, 0).shuffle(&mut reasons);
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if !reasons.is_empty() {
        let new = NewBatch {
            name: name(app, kept).await?,
            task: task.id().to_owned(),
            mode: BatchMode::Grade,
            per_item: track.raters,
            settings: BatchSettings { check_share: 0.0, ..BatchSettings::default() },
        };
        let batch = batch::make_by(app, &mut changes, account, new).await?;
        fill(&mut changes, now, &batch, &reasons).await?;
        for (run, submission) in &given {
            let update = sqlx::query("UPDATE prompt_run SET batch = $1 WHERE id = $2").bind(batch.id.clone()).bind(run.clone());
            update.execute(&mut *changes).await?;
            log::note(&mut changes, now, submission, "grading", &json!({})).await?;
        }
        (made.batch, made.name) = (Some(batch.id), batch.name);
    }
    audit::note(&mut changes, now, account, "prompt-grading", &kept.contest.id, &json!(made)).await?;
    changes.commit().await?;
    made.scored = put_ready(app, kept, &given).await?;
    Ok(made)
}

fn refuse_missing(counted: &[Entry], partial: bool) -> Result<(), Failure> {
    let missing = counted.iter().filter(|entry| entry.done().is_none()).count();
    if missing > 0 && !partial {
        return Err(Failure::invalid(
            format!("还有 {missing} 个计入的提示词没有运行完（fangwei competition prompts）"),
            format!("{missing} prompts that count have no finished run (fangwei competition prompts)"),
        ));
    }
    if counted.len() == missing {
        return Err(Failure::invalid("没有运行完的提示词", "no prompt was run"));
    }
    Ok(())
}

/// The items of a run that are in a batch already.
async fn in_batches(app: &App, run: &str) -> Result<BTreeSet<String>, Failure> {
    let select = sqlx::query_scalar("SELECT qid FROM prompt_answer WHERE run = $1").bind(run.to_owned());
    Ok(select.fetch_all(app.database.read()).await?.into_iter().collect())
}

/// A name that no batch has: it tells the competition, and nothing of teams and models.
async fn name(app: &App, kept: &Kept) -> Result<String, Failure> {
    let select = "SELECT COUNT(DISTINCT prompt_run.batch) FROM prompt_run JOIN submission ON submission.id = prompt_run.submission WHERE submission.contest = $1";
    let count: i64 = sqlx::query_scalar(select).bind(kept.contest.id.clone()).fetch_one(app.database.read()).await?;
    let id: String = kept.contest.id.chars().take(60).collect();
    Ok(format!("{id} 理由评分 {}-{}", count + 1, &crate::chance::secret()[..4]))
}

fn new_item(task: &dyn Task, qid: &str, reason: &Reason) -> NewItem {
    let Item { texts, gold, .. } = reason.item.clone();
    let bare = Item { qid: qid.into(), texts, gold: None, corefs: None, extra: Vec::new() };
    let shown = write_item(task, &Item { gold: Some(reason.answer.clone()), ..bare.clone() });
    let secret = json!({ "gold": write_item(task, &Item { gold, ..bare }) });
    let (origin, genre) = (String::new(), String::new());
    NewItem { qid: qid.to_owned(), origin, genre, record: shown.to_line(), secret: secret.to_string(), has_gold: true, line: 0 }
}

async fn fill(changes: &mut Changes, now: i64, batch: &Batch, reasons: &[Reason]) -> Result<(), Failure> {
    for (number, reason) in (1_i64..).zip(reasons) {
        let item = new_item(batch.task, &format!("r-{number:04}"), reason);
        let item = items::insert(changes, batch, now, number, &item, false).await?;
        let insert = "INSERT INTO prompt_answer (id, run, qid, item) VALUES ($1, $2, $3, $4)";
        sqlx::query(insert)
            .bind(id::at(now))
            .bind(reason.run.clone())
            .bind(reason.item.qid.to_string())
            .bind(item)
            .execute(&mut **changes)
            .await?;
    }
    Ok(())
}

/// Puts those submissions into the scoring queue that need no more grades; gives how many.
async fn put_ready(app: &App, kept: &Kept, given: &[(String, String)]) -> Result<usize, Failure> {
    let (_, place) = track(kept)?;
    let files = crate::submit::files(app, kept, &place).await?;
    let mut ready = Vec::new();
    for (_, submission) in given {
        if score::outcome(app, kept, &place, &files, submission).await?.is_some() {
            ready.push(submission);
        }
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    // A generation that begins meanwhile has them, or is found by them.
    kept::hold(&mut changes, &kept.contest.id).await?;
    for submission in &ready {
        queue::put(&mut changes, now, &kept.contest.id, submission).await?;
        // What was put off for want of grades has them.
        let again =
            "UPDATE job SET state = 'waiting', tries = 0, holder = '', held_until = 0 WHERE submission = $1 AND state = 'failed'";
        sqlx::query(again).bind((*submission).clone()).execute(&mut *changes).await?;
    }
    changes.commit().await?;
    Ok(ready.len())
}

/// After a grade: where it was the last one of a batch of prompts, they are scored.
pub async fn settle(app: &App, batch: &Batch) -> Result<(), Failure> {
    if batch.mode != BatchMode::Grade {
        return Ok(());
    }
    let waiting = "SELECT COUNT(*) FROM item WHERE item.batch = $1 AND $2 > \
                   (SELECT COUNT(*) FROM assignment WHERE assignment.item = item.id AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved'))";
    let waiting = sqlx::query_scalar(waiting).bind(batch.id.clone()).bind(batch.per_item as i64);
    let waiting: i64 = waiting.fetch_one(app.database.read()).await?;
    if waiting > 0 {
        return Ok(());
    }
    let select = "SELECT submission.contest, prompt_run.id, prompt_run.submission FROM prompt_run \
                  JOIN submission ON submission.id = prompt_run.submission WHERE prompt_run.batch = $1";
    let rows: Vec<(String, String, String)> =
        sqlx::query_as(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let Some((contest, ..)) = rows.first() else { return Ok(()) };
    let kept = kept::load(app, contest).await?;
    let given: Vec<(String, String)> = rows.into_iter().map(|(_, run, submission)| (run, submission)).collect();
    put_ready(app, &kept, &given).await?;
    queue::wake(app);
    Ok(())
}
