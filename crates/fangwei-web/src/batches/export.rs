//! What people said, as files: every version of every mark, and labels as `fangwei agree` reads them.

use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::task::write_item;
use serde_json::{Value, json};
use sqlx::Row;

use super::batch::{self, Batch};
use super::numbers::{answer_of, label};
use crate::app::App;
use crate::asked::Asked;
use crate::audit;
use crate::download::{LINES, download};
use crate::failure::Failure;
use crate::stored;
use crate::who::Who;

/// Whose answers.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub struct Whose {
    /// The name or id of a person; empty for labels of everybody.
    #[serde(default)]
    annotator: String,
}

async fn noted(app: &App, who: &Who, batch: &Batch, kind: &str) -> Result<(), Failure> {
    let mut changes = app.database.begin().await?;
    let detail = json!({ "kind": kind });
    audit::note(&mut changes, app.now(), Some(&who.me()?.id), "export", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(())
}

/// Every version of every mark of a batch, one a line.
pub async fn marks(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let select = "SELECT item.qid, holder.name, writer.name, assignment.part, assignment.state, mark.version, mark.source, mark.finished, mark.at, mark.content, mark.late \
                  FROM mark JOIN assignment ON assignment.id = mark.assignment JOIN item ON item.id = assignment.item \
                  JOIN account AS holder ON holder.id = assignment.account LEFT JOIN account AS writer ON writer.id = mark.author \
                  WHERE assignment.batch = $1 ORDER BY item.number, holder.name, assignment.part, mark.version";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let mut lines = String::new();
    for row in &rows {
        let content: String = row.try_get(9)?;
        let line = json!({
            "qid": row.try_get::<String, _>(0)?,
            "annotator": row.try_get::<String, _>(1)?,
            "author": row.try_get::<Option<String>, _>(2)?,
            "part": row.try_get::<String, _>(3)?,
            "state": row.try_get::<String, _>(4)?,
            "version": row.try_get::<i64, _>(5)?,
            "source": row.try_get::<String, _>(6)?,
            "finished": row.try_get::<i64, _>(7)? == 1,
            "late": row.try_get::<i64, _>(10)? == 1,
            "at": row.try_get::<i64, _>(8)?,
            "content": serde_json::from_str(&content).unwrap_or(Value::String(content)),
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    noted(&app, &who, &batch, "marks").await?;
    Ok(download(LINES, &format!("{}-marks.jsonl", batch.name), lines))
}

/// The last finished mark of everybody on every item, as `fangwei agree` reads it: `item`, `annotator` and `label`, with `origin` where known.
///
/// With `annotator`, that person's answers as records of the task, which `fangwei agree --task` takes one file a person: spans and tuples have no label.
pub async fn labels(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(given): Asked<Whose>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let select = "SELECT item.qid, account.name, item.origin, item.record, mark.content, account.id, mark.late FROM assignment \
                  JOIN item ON item.id = assignment.item JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') AND mark.finished = 1 \
                  AND mark.version = (SELECT MAX(latest.version) FROM mark AS latest WHERE latest.assignment = assignment.id AND latest.finished = 1) \
                  ORDER BY item.number, account.name";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let mut lines = String::new();
    for row in &rows {
        let (qid, annotator, origin): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let (record, content): (String, String) = (row.try_get(3)?, row.try_get(4)?);
        let Ok(mark) = stored::mark(batch.task, &content) else { continue };
        if !given.annotator.is_empty() {
            let answer = (annotator == given.annotator || row.try_get::<String, _>(5)? == given.annotator)
                .then(|| answered(&batch, &record, &mark))
                .flatten();
            lines.extend(answer.map(|answer| answer + "\n"));
            continue;
        }
        let mut line = json!({ "item": qid, "annotator": annotator, "label": label(&mark) });
        if !origin.is_empty() {
            line["origin"] = json!(origin);
        }
        if row.try_get::<i64, _>(6)? == 1 {
            line["late"] = json!(true);
        }
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    noted(&app, &who, &batch, "labels").await?;
    Ok(download(LINES, &format!("{}-labels.jsonl", batch.name), lines))
}

fn answered(batch: &Batch, record: &str, mark: &fangwei::annotate::Mark) -> Option<String> {
    let mut item = stored::given(batch, record).ok()?.item;
    item.gold = Some(answer_of(mark)?);
    item.corefs = batch.task.has_corefs().then(|| mark.corefs.clone());
    Some(write_item(batch.task, &item).to_line())
}
