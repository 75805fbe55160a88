//! Who works on what. No statement here names `secret` or `is_check`: what nobody reads nobody can tell.

use std::sync::Arc;

use fangwei::annotate::Mark;
use fangwei::annotate::form::{BatchMode, Sheet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;

use crate::app::App;
use crate::batches::batch::{self, Batch, SuggestTo};
use crate::failure::Failure;
use crate::ready::Ready;
use crate::review::inspection::Inspection;
use crate::stored;
use crate::who::Account;

/// So long after the limit something may arrive: what was sent in time can take a while.
const GRACE_MS: i64 = 5000;

/// Somebody's work on an item.
#[derive(Clone, Debug)]
pub struct Desk {
    /// The assignment.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// Its state.
    pub state: String,
    /// The last version; 0 before the first.
    pub version: i64,
    /// `annotate` or `adjudicate`.
    pub part: String,
    /// Time spent on it.
    pub spent_ms: i64,
    /// When it was first seen, where it is timed.
    pub opened_at: Option<i64>,
    /// The item.
    pub item: String,
    /// Its identifier.
    pub qid: String,
    /// What may be seen of it.
    pub record: String,
    /// The batch.
    pub batch: Batch,
    /// The last version of the mark.
    pub kept: Option<Kept>,
    /// Where a reviewer sits at it: the inspection, and whose work it is.
    pub revision: Option<Revision>,
}

/// That a reviewer has somebody else's work open, to put their own version in its place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Revision {
    /// The inspection, to which the revised sheet is sent.
    pub inspection: String,
    /// Whose work it is.
    pub annotator: String,
}

/// For what an item is opened.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct For {
    /// The inspection of a reviewer who revises the work; without it, one opens one's own.
    #[serde(default)]
    pub inspection: Option<String>,
}

/// A version of a mark.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The mark, with the sheet that it was read from.
    pub content: String,
    /// Whose it is: `person`, `predictor:NAME`, `revision`.
    pub source: String,
    /// Who made it.
    pub author: String,
    /// When.
    pub at: i64,
}

impl Desk {
    /// The work of somebody; not found, where it is another's or was taken back.
    pub async fn find(app: &App, account: &str, id: &str) -> Result<Desk, Failure> {
        let select = "SELECT assignment.state, assignment.version, assignment.part, assignment.spent_ms, item.id, item.qid, item.record, item.batch, \
                      mark.content, mark.source, author.shown, mark.at, assignment.opened_at \
                      FROM assignment JOIN item ON item.id = assignment.item \
                      LEFT JOIN mark ON mark.assignment = assignment.id AND mark.version = assignment.version \
                      LEFT JOIN account AS author ON author.id = mark.author \
                      WHERE assignment.id = $1 AND assignment.account = $2 AND assignment.state <> 'recalled'";
        let select = sqlx::query(select).bind(id.to_owned()).bind(account.to_owned());
        let row = select.fetch_optional(app.database.read()).await?.ok_or(Failure::NotFound)?;
        let batch = batch::find(app.database.read(), &row.try_get::<String, _>(7)?).await?;
        if batch.state == "draft" {
            return Err(Failure::NotFound);
        }
        let kept = match row.try_get::<Option<String>, _>(8)? {
            Some(content) => Some(Kept {
                content,
                source: row.try_get(9)?,
                author: row.try_get::<Option<String>, _>(10)?.unwrap_or_default(),
                at: row.try_get(11)?,
            }),
            None => None,
        };
        Ok(Desk {
            id: id.to_owned(),
            account: account.to_owned(),
            state: row.try_get(0)?,
            version: row.try_get(1)?,
            part: row.try_get(2)?,
            spent_ms: row.try_get(3)?,
            opened_at: row.try_get(12)?,
            item: row.try_get(4)?,
            qid: row.try_get(5)?,
            record: row.try_get(6)?,
            batch,
            kept,
            revision: None,
        })
    }

    /// One's own work, or what one is to review and may revise: a blind review approves or returns.
    pub async fn open(app: &App, me: &Account, id: &str, asked: &For) -> Result<Desk, Failure> {
        let Some(inspection) = &asked.inspection else { return Desk::find(app, &me.id, id).await };
        let found = Inspection::find(app, me, inspection).await?;
        let is_mine = found.assignment == id && found.reviewer == me.id && !found.blind;
        if !is_mine || !found.seen(app, me).await?.waits {
            return Err(Failure::NotFound);
        }
        let desk = Desk::find(app, &found.annotator, id).await?;
        Ok(Desk { revision: Some(Revision { inspection: found.id, annotator: found.annotator_shown }), ..desk })
    }

    /// The item, ready to be worked on.
    pub async fn ready(&self, app: &App) -> Result<Arc<Ready>, Failure> {
        app.readings.of(&self.batch, &self.item, &self.record).await
    }

    /// Refuses changes of what is closed. In a human test what was answered is answered. Adjudicators work on when annotators have ended.
    pub fn check_open(&self) -> Result<(), Failure> {
        if self.part == "adjudicate" {
            return Ok(());
        }
        if self.batch.state != "open" {
            return Err(Failure::forbidden("这个批次已经结束，不能再改", "the batch is closed; nothing can be changed"));
        }
        let is_final = self.state == "approved" || self.state == "done" && self.batch.mode == BatchMode::Human;
        if is_final {
            return Err(Failure::forbidden("这道题已经定下来，不能再改", "this item is settled and cannot be changed"));
        }
        Ok(())
    }

    /// The milliseconds that a human test gives for an item.
    fn limit_ms(&self) -> Option<i64> {
        let limit = self.batch.settings.time_limit_s.filter(|_| self.batch.mode == BatchMode::Human && self.part == "annotate");
        limit.map(|seconds| i64::from(seconds) * 1000)
    }

    /// Whether what is sent at this time comes too late. It is kept all the same: who reads the answers decides what it is worth.
    pub fn is_late(&self, now: i64) -> bool {
        self.limit_ms()
            .zip(self.opened_at)
            .is_some_and(|(limit, opened)| now > opened.saturating_add(limit).saturating_add(GRACE_MS))
    }

    /// Begins the time of an item that is timed, once: it runs on whether or not somebody looks at it.
    pub async fn begin(&mut self, app: &App) -> Result<(), Failure> {
        if self.limit_ms().is_none() || self.opened_at.is_some() || self.revision.is_some() {
            return Ok(());
        }
        let (mut changes, now) = (app.database.begin().await?, app.now());
        let update = sqlx::query("UPDATE assignment SET opened_at = $1 WHERE id = $2 AND opened_at IS NULL");
        update.bind(now).bind(self.id.clone()).execute(&mut *changes).await?;
        changes.commit().await?;
        self.opened_at = Some(now);
        Ok(())
    }

    /// The sheet of the last version: as it was sent, or written from the mark where somebody else made it.
    pub fn sheet(&self, ready: &Ready) -> Result<Sheet, Failure> {
        let Some(kept) = &self.kept else { return Ok(Sheet::default()) };
        let content: Value = serde_json::from_str(&kept.content).unwrap_or_default();
        let sent = content.get("sheet").and_then(|sheet| serde_json::from_value(sheet.clone()).ok());
        match sent {
            Some(sheet) => Ok(sheet),
            None => Ok(ready.form.sheet(&stored::mark(ready.task, &kept.content)?, &ready.given.item)),
        }
    }
}

/// A suggestion that the person may see.
#[derive(Clone, Debug)]
pub struct Suggested {
    /// Whose it is.
    pub predictor: String,
    /// What it says.
    pub mark: Mark,
}

/// What the batch's predictor says of the item, where mode and settings allow it.
pub async fn suggested(app: &App, desk: &Desk) -> Result<Option<Suggested>, Failure> {
    let predictor = &desk.batch.settings.predictor;
    if predictor.is_empty() || desk.revision.is_some() || !desk.batch.mode.allows_suggestions() || desk.part != "annotate" {
        return Ok(None);
    }
    let select = sqlx::query_scalar("SELECT content FROM suggestion WHERE item = $1 AND predictor = $2");
    let content: Option<String> =
        select.bind(desk.item.clone()).bind(predictor.clone()).fetch_optional(app.database.read()).await?;
    let Some(content) = content else { return Ok(None) };
    if desk.batch.settings.suggest_to == SuggestTo::First && is_second(app, desk).await? {
        return Ok(None);
    }
    Ok(Some(Suggested { predictor: predictor.clone(), mark: stored::mark(desk.batch.task, &content)? }))
}

/// Whether somebody else was given the item before. Work that was taken back counts if it had begun: who did it saw the suggestion.
async fn is_second(app: &App, desk: &Desk) -> Result<bool, Failure> {
    let select = "SELECT COUNT(*) FROM assignment WHERE item = $1 AND part = 'annotate' AND id < $2 AND (state <> 'recalled' OR version > 0)";
    let before: i64 =
        sqlx::query_scalar(select).bind(desk.item.clone()).bind(desk.id.clone()).fetch_one(app.database.read()).await?;
    Ok(before > 0)
}
