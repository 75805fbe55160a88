//! Answers and grades as a score. Which answers people have to grade follows from gold: a reason whose judgement is wrong is worth nothing, and so is none at all.

use std::collections::BTreeMap;

use fangwei::answer::Answer;
use fangwei::contest::{Given, Outcome, has_reasons};
use fangwei::record::Source;
use fangwei::score::{read_items, read_preds};
use fangwei::task::{Item, Task};
use sqlx::Row;

use super::entry::Entry;
use super::run::{self, Run};
use super::track;
use crate::app::App;
use crate::contests::Kept;
use crate::failure::Failure;
use crate::store;
use crate::stored;
use crate::submit::{Files, Place};
use crate::thread::on_thread;

/// What people have to grade of some answers.
#[derive(Debug, Default)]
pub struct Reasons {
    /// Items with gold and the answers to them, in the order of the gold file.
    pub graded: Vec<(Item, Answer)>,
    /// How many are judged wrong or not at all.
    pub wrong: usize,
    /// How many are judged right without a word of why.
    pub silent: usize,
}

fn broken(error: &dyn std::fmt::Display) -> Failure {
    Failure::Internal(error.to_string())
}

/// Sorts the answers of a run by what people have to do with them.
pub async fn reasons(app: &App, task: &'static dyn Task, run: &Run, gold: Vec<u8>) -> Result<Reasons, Failure> {
    let Some(answers) = &run.answers else { return Ok(Reasons::default()) };
    let answers = store::get(app.database.read(), answers).await?;
    on_thread(move || {
        let preds = read_preds(task, Source::from_bytes("answers", answers).map_err(|error| broken(&error))?);
        let mut preds = preds.map_err(|error| broken(&error))?.answers;
        let gold = Source::from_bytes("gold", gold).map_err(|error| broken(&error))?;
        let mut reasons = Reasons::default();
        for item in read_items(task, gold, true).map_err(|error| broken(&error))?.0 {
            match (&item.gold, preds.remove(&item.qid)) {
                (Some(Answer::Scene(gold)), Some(Answer::Scene(pred))) if gold.judge == pred.judge => {
                    if pred.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
                        reasons.silent += 1;
                    } else {
                        reasons.graded.push((item, Answer::Scene(pred)));
                    }
                }
                _ => reasons.wrong += 1,
            }
        }
        Ok(reasons)
    })
    .await
}

/// What raters gave to the answers of a run.
pub async fn grades(app: &App, task: &'static dyn Task, run: &str) -> Result<Given, Failure> {
    let select = "SELECT prompt_answer.qid, mark.content FROM prompt_answer \
                  JOIN assignment ON assignment.item = prompt_answer.item AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') \
                  JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
                  WHERE prompt_answer.run = $1 \
                  AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1) \
                  ORDER BY prompt_answer.qid, account.name";
    let mut given = Given::new();
    for row in &sqlx::query(select).bind(run.to_owned()).fetch_all(app.database.read()).await? {
        let (qid, content): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        if let Some(grade) = stored::mark(task, &content)?.grade {
            given.entry(qid.into()).or_default().push(f64::from(grade));
        }
    }
    Ok(given)
}

/// The run of a submission that is scored.
async fn done(app: &App, kept: &Kept, submission: &str) -> Result<Option<Run>, Failure> {
    let runs: BTreeMap<String, Vec<Run>> = run::of_contest(app, &kept.contest.id).await?;
    Ok(runs.get(submission).and_then(|runs| Entry::done_of(runs)).cloned())
}

/// What a prompt earned, with the grades of its answers; nothing while it is not run, or not graded by as many people as the track asks for.
pub async fn outcome(
    app: &App,
    kept: &Kept,
    place: &Place,
    files: &Files,
    submission: &str,
) -> Result<Option<(Outcome, Option<Given>)>, Failure> {
    let (track, task) = (track(kept)?.0, place.task.task);
    let Some(run) = done(app, kept, submission).await? else { return Ok(None) };
    let Some(answers) = run.answers.clone() else { return Ok(None) };
    let gold = store::get(app.database.read(), &files.gold).await?;
    let mut given = Given::new();
    if has_reasons(task) {
        given = grades(app, task, &run.id).await?;
        let raters = track.raters as usize;
        // Of more than were asked for the first by name count, as in every batch.
        for grades in given.values_mut() {
            grades.truncate(raters);
        }
        let reasons = reasons(app, task, &run, gold.clone()).await?;
        if reasons.graded.iter().any(|(item, _)| given.get(&item.qid).is_none_or(|grades| grades.len() < raters)) {
            return Ok(None);
        }
    }
    let (private, rubric) = (place.task.private, track.rubric);
    let preds = store::get(app.database.read(), &answers).await?;
    let scoring = on_thread(move || {
        let preds = Source::from_bytes("answers", preds).map_err(|error| broken(&error))?;
        let gold = Source::from_bytes("gold", gold).map_err(|error| broken(&error))?;
        let outcome = Outcome::graded(task, preds, gold, private, rubric, &given).map_err(|error| broken(&error))?;
        Ok((outcome, has_reasons(task).then_some(given)))
    });
    scoring.await.map(Some)
}
