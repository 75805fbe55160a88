//! What subjects answered, as records of the task with the seconds that each answer took and whether it came too late.

use fangwei::record::Json;
use fangwei::task::{Task, write_pred};
use serde_json::json;
use sqlx::Row;

use super::batch_of;
use crate::app::App;
use crate::audit;
use crate::batches::numbers::answer_of;
use crate::failure::Failure;
use crate::stored;

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct TakenAnswer {
    /// The item.
    pub qid: String,
    /// The record, with `seconds` and, in a study with a time limit, `late`.
    pub record: Json<'static>,
}

/// What somebody answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Taken {
    /// The name of the account.
    pub subject: String,
    /// How many items they were given.
    pub given: usize,
    /// Their answers, in the order of the items.
    pub answers: Vec<TakenAnswer>,
}

/// Everybody's final answers. In a human test what was finished is final, so that taking twice gives the same and more.
pub async fn take(app: &App, name: &str, task: &dyn Task) -> Result<Vec<Taken>, Failure> {
    let mut changes = app.database.begin().await?;
    let batch = batch_of(&mut changes, name, task).await?.ok_or_else(|| {
        Failure::invalid(
            format!("平台上没有名为“{name}”的测试（先用 fangwei human open）"),
            format!("the platform has no study named {name:?} (fangwei human open brings it)"),
        )
    })?;
    let select = "SELECT account.name, item.qid, assignment.spent_ms, assignment.opened_at, assignment.finished_at, mark.content, mark.late \
                  FROM assignment JOIN item ON item.id = assignment.item JOIN account ON account.id = assignment.account \
                  LEFT JOIN mark ON mark.assignment = assignment.id AND mark.finished = 1 AND assignment.state IN ('done', 'approved') AND mark.version = \
                  (SELECT MAX(latest.version) FROM mark AS latest WHERE latest.assignment = assignment.id AND latest.finished = 1) \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state <> 'recalled' ORDER BY account.name, item.number";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(&mut *changes).await?;
    let mut taken: Vec<Taken> = Vec::new();
    for row in &rows {
        let subject: String = row.try_get(0)?;
        if taken.last().is_none_or(|last| last.subject != subject) {
            taken.push(Taken { subject, given: 0, answers: Vec::new() });
        }
        let Some(one) = taken.last_mut() else { continue };
        one.given += 1;
        let Some(content) = row.try_get::<Option<String>, _>(5)? else { continue };
        let Some(answer) = answer_of(&stored::mark(batch.task, &content)?) else { continue };
        let qid: String = row.try_get(1)?;
        let mut record = write_pred(batch.task, &qid, &answer);
        if let Json::Map(fields) = &mut record {
            fields.push(("seconds".into(), seconds(row)?));
            if batch.settings.time_limit_s.is_some() {
                fields.push(("late".into(), Json::Bool(row.try_get::<i64, _>(6)? == 1)));
            }
        }
        one.answers.push(TakenAnswer { qid, record });
    }
    let detail = json!({ "kind": "study", "answers": taken.iter().map(|one| one.answers.len()).sum::<usize>() });
    audit::note(&mut changes, app.now(), None, "export", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(taken)
}

/// The seconds that the editor counted; where it counted none, those between the first sight of a timed item and its answer.
fn seconds(row: &sqlx::any::AnyRow) -> Result<Json<'static>, Failure> {
    let spent: i64 = row.try_get(2)?;
    let (opened, finished): (Option<i64>, Option<i64>) = (row.try_get(3)?, row.try_get(4)?);
    let between = opened.zip(finished).map(|(opened, finished)| finished - opened);
    let spent = Some(spent).filter(|spent| *spent > 0).or(between);
    Ok(spent.map_or(Json::Null, |spent| Json::Float(spent as f64 / 1000.0)))
}
