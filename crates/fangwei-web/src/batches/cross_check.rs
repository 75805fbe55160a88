//! Cross-checks: a batch made from the finished work of an author batch. Each written pair is an item of its own, without the author's verdict; the author stands in
//! it as one who has judged already, so that the pair never comes to them, their verdict is compared with those of the others, and they do not adjudicate it.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fangwei::annotate::form::BatchMode;
use fangwei::annotate::{Deciding, Mark, WrittenPair};
use fangwei::record::Json as Record;
use fangwei::task::{Item, Texts, write_item};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::batch::{self, Batch, BatchSettings, NewBatch};
use super::import::NewItem;
use super::items::insert;
use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::marks::NewMark;
use crate::sent::Sent;
use crate::who::{Account, Who};
use crate::{audit, id, marks, stored};

/// What a cross-check batch is made from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CrossCheck {
    /// Its name; each once.
    pub name: String,
    /// `annotate` or `agreement`.
    #[serde(default = "agreement")]
    pub mode: BatchMode,
    /// So many people an item, the author among them.
    #[serde(default = "two")]
    pub per_item: u32,
    /// What people should know.
    #[serde(default)]
    pub instructions: String,
}

const fn agreement() -> BatchMode {
    BatchMode::Agreement
}

const fn two() -> u32 {
    2
}

/// What was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CrossChecked {
    /// The batch.
    pub id: String,
    /// How many pairs it has.
    pub items: usize,
}

/// Makes a cross-check batch.
pub async fn answer(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<CrossCheck>,
) -> Result<(StatusCode, Json<CrossChecked>), Failure> {
    Ok((StatusCode::CREATED, Json(make(&app, who.me()?, &id, given).await?)))
}

/// A pair that somebody wrote.
struct Written {
    item: String,
    qid: String,
    origin: String,
    genre: String,
    account: String,
    spent_ms: i64,
    mark: Mark,
    pair: WrittenPair,
}

/// The same: all finished pairs of an author batch, in the order of its items.
pub async fn make(app: &App, me: &Account, id: &str, given: CrossCheck) -> Result<CrossChecked, Failure> {
    let from = batch::find(app.database.read(), id).await?;
    if from.mode != BatchMode::Author {
        return Err(Failure::invalid("只有写作批次可以互审", "only a batch of mode author can be cross-checked"));
    }
    if !given.mode.has_rules() {
        return Err(Failure::invalid("互审批次的方式应为 annotate 或 agreement", "expected the mode annotate or agreement"));
    }
    if given.per_item < 2 {
        return Err(Failure::invalid(
            "每题至少两人：作者和一名互审者",
            "expected two people an item: the author and somebody else",
        ));
    }
    let mut changes = app.database.begin().await?;
    let pairs = written(&mut changes, &from).await?;
    if pairs.is_empty() {
        return Err(Failure::invalid("这个批次还没有写好的文本对", "no pair of this batch is finished yet"));
    }
    let settings = BatchSettings { instructions: given.instructions, ..BatchSettings::default() };
    let new =
        NewBatch { name: given.name, task: from.task.id().to_owned(), mode: given.mode, per_item: given.per_item, settings };
    let made = batch::make_in(app, &mut changes, me, new).await?;
    for (number, (qid, pair)) in (1..).zip(named(&pairs)) {
        put(app, &mut changes, &made, number, qid, pair).await?;
    }
    let detail = json!({ "from": from.id, "items": pairs.len() });
    audit::note(&mut changes, app.now(), Some(&me.id), "cross-check", &made.id, &detail).await?;
    changes.commit().await?;
    Ok(CrossChecked { id: made.id, items: pairs.len() })
}

async fn written(changes: &mut Changes, from: &Batch) -> Result<Vec<Written>, Failure> {
    let select = "SELECT item.id, item.qid, item.origin, item.genre, assignment.account, assignment.spent_ms, mark.content \
                  FROM assignment JOIN item ON item.id = assignment.item JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') AND item.is_check = 0 \
                  AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1) \
                  ORDER BY item.number, account.name";
    let mut all = Vec::new();
    for row in sqlx::query(select).bind(from.id.clone()).fetch_all(&mut **changes).await? {
        let mark = stored::mark(from.task, &row.try_get::<String, _>(6)?)?;
        let Some(pair) = mark.pair.clone().filter(|_| !mark.sets_aside()) else { continue };
        all.push(Written {
            item: row.try_get(0)?,
            qid: row.try_get(1)?,
            origin: row.try_get(2)?,
            genre: row.try_get(3)?,
            account: row.try_get(4)?,
            spent_ms: row.try_get(5)?,
            mark,
            pair,
        });
    }
    Ok(all)
}

/// The pairs with their names: that of the word pair, with a number where several wrote from it.
fn named(pairs: &[Written]) -> Vec<(String, &Written)> {
    let mut several: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in pairs {
        *several.entry(&pair.qid).or_default() += 1;
    }
    let mut taken: BTreeSet<String> =
        several.iter().filter(|(_, count)| **count == 1).map(|(qid, _)| (*qid).to_owned()).collect();
    let mut all = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut name = pair.qid.clone();
        if several[pair.qid.as_str()] > 1 {
            // One more number than there are names: one is free.
            let free = (1..=taken.len() + 1).map(|number| format!("{}-{number}", pair.qid)).find(|name| !taken.contains(name));
            name = free.unwrap_or(name);
            taken.insert(name.clone());
        }
        all.push((name, pair));
    }
    all
}

/// One item, and the author as somebody who has judged it.
async fn put(app: &App, changes: &mut Changes, batch: &Batch, number: i64, qid: String, given: &Written) -> Result<(), Failure> {
    let (now, pair) = (app.now(), &given.pair);
    let texts = Texts::Pair { context1: pair.context1.clone(), context2: pair.context2.clone() };
    let item = Item { qid: qid.as_str().into(), texts, gold: None, corefs: None, extra: Vec::new() };
    let secret =
        json!({ "written": { "item": given.item, "entities": pair.entities, "deciding": pair.deciding.map(Deciding::as_str) } });
    // What was written from one pair of words stays together in a release.
    let origin = if given.origin.is_empty() { given.qid.clone() } else { given.origin.clone() };
    let (record, secret, genre) = (write_item(batch.task, &item).to_line(), secret.to_string(), given.genre.clone());
    let row = NewItem { qid, origin, genre, record, secret, has_gold: false, line: 0 };
    let item = insert(changes, batch, now, number, &row, false).await?;
    let assignment = id::at(now);
    let work = "INSERT INTO assignment (id, batch, item, account, part, state, version, round, spent_ms, given_at, changed_at) \
                VALUES ($1, $2, $3, $4, 'annotate', 'done', 1, 1, $5, $6, $6)";
    sqlx::query(work)
        .bind(assignment.clone())
        .bind(batch.id.clone())
        .bind(item)
        .bind(given.account.clone())
        .bind(given.spent_ms)
        .bind(now)
        .execute(&mut **changes)
        .await?;
    let verdict = Mark { answer: given.mark.answer.clone(), rules: given.mark.rules, ..Mark::default() };
    let content: Record<'_> = verdict.write(batch.task);
    let content = content.to_line();
    let mark = NewMark {
        assignment: &assignment,
        version: 1,
        author: &given.account,
        source: "person",
        content: &content,
        finished: true,
        late: false,
        client: "",
    };
    marks::append(changes, now, mark).await
}
