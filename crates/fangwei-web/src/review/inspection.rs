//! One inspection with all that belongs to it: the assignment, the item, every version of the mark, every round; and how much of that its reader may see.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use crate::app::App;
use crate::batches::batch::{self, Batch};
use crate::failure::Failure;
use crate::policy::Role;
use crate::who::Account;

/// A finished assignment that somebody is to look at.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Its id.
    pub id: String,
    /// The assignment.
    pub assignment: String,
    /// Who is to look at it.
    pub reviewer: String,
    /// Whether the reviewer does not see what others said.
    pub blind: bool,
    /// The version that it was given for.
    pub given_version: i64,
    /// Whose work it is.
    pub annotator: String,
    /// The annotator's name, for people.
    pub annotator_shown: String,
    /// The state of the assignment.
    pub state: String,
    /// Its version.
    pub version: i64,
    /// Its round.
    pub round: i64,
    /// The item.
    pub item: String,
    /// Its name.
    pub qid: String,
    /// Its number.
    pub number: i64,
    /// Its record.
    pub record: String,
    /// What annotators do not see.
    pub secret: String,
    /// Its batch.
    pub batch: Batch,
}

const SELECT: &str = "SELECT batch.id, batch.name, batch.task, batch.mode, batch.state, batch.per_item, batch.settings, batch.made_at, inspection.id, inspection.assignment, inspection.reviewer, inspection.blind, \
     inspection.version, assignment.account, account.shown, assignment.state, assignment.version, assignment.round, item.id, item.qid, item.number, item.record, item.secret \
     FROM inspection JOIN assignment ON assignment.id = inspection.assignment JOIN account ON account.id = assignment.account \
     JOIN item ON item.id = assignment.item JOIN batch ON batch.id = assignment.batch WHERE inspection.id = $1";

impl Inspection {
    /// The inspection of an id, for its reviewer or a manager; for others it is not there.
    pub async fn find(app: &App, me: &Account, id: &str) -> Result<Inspection, Failure> {
        let row = sqlx::query(SELECT).bind(id.to_owned()).fetch_optional(app.database.read()).await?.ok_or(Failure::NotFound)?;
        let found = Inspection {
            batch: batch::batch_of(&row)?,
            id: row.try_get(8)?,
            assignment: row.try_get(9)?,
            reviewer: row.try_get(10)?,
            blind: row.try_get::<i64, _>(11)? != 0,
            given_version: row.try_get(12)?,
            annotator: row.try_get(13)?,
            annotator_shown: row.try_get(14)?,
            state: row.try_get(15)?,
            version: row.try_get(16)?,
            round: row.try_get(17)?,
            item: row.try_get(18)?,
            qid: row.try_get(19)?,
            number: row.try_get(20)?,
            record: row.try_get(21)?,
            secret: row.try_get(22)?,
        };
        let theirs = found.reviewer == me.id || me.role >= Role::Manager;
        // Nobody looks at their own work as a reviewer, whatever they are.
        if theirs && found.annotator != me.id { Ok(found) } else { Err(Failure::NotFound) }
    }
}

/// A version of a mark.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its number.
    pub number: i64,
    /// Whether it was finished.
    pub finished: bool,
    /// `person`, `revision`, `predictor:NAME`.
    pub source: String,
    /// The mark.
    pub content: String,
    /// When.
    pub at: i64,
    /// Who, for people; empty where that is not told.
    pub author: String,
}

/// Every version of an assignment's mark, the first first.
pub async fn versions(app: &App, assignment: &str) -> Result<Vec<Version>, Failure> {
    let select = "SELECT mark.version, mark.finished, mark.source, mark.content, mark.at, COALESCE(account.shown, '') FROM mark \
                  LEFT JOIN account ON account.id = mark.author WHERE mark.assignment = $1 ORDER BY mark.version";
    let rows = sqlx::query(select).bind(assignment.to_owned()).fetch_all(app.database.read()).await?;
    let version = |row: &sqlx::any::AnyRow| {
        Ok(Version {
            number: row.try_get(0)?,
            finished: row.try_get::<i64, _>(1)? != 0,
            source: row.try_get(2)?,
            content: row.try_get(3)?,
            at: row.try_get(4)?,
            author: row.try_get(5)?,
        })
    };
    rows.iter().map(version).collect()
}

/// One verdict of one reviewer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(clippy::struct_field_names)] // the name in JSON
pub struct Round {
    /// Which round.
    pub round: i64,
    /// `approve`, `return` or `revise`.
    pub verdict: String,
    /// What the reviewer said.
    pub comment: String,
    /// What it is about: JSON pointer into the mark.
    pub pointer: String,
    /// The version that was looked at.
    pub version: i64,
    /// Whether it was a blind second review.
    pub blind: bool,
    /// When.
    pub at: i64,
    /// Who, for people.
    pub reviewer: String,
    /// Whether the reader said it.
    pub mine: bool,
}

/// Every verdict on an assignment, in the order of rounds.
pub async fn rounds(app: &App, assignment: &str, me: &str) -> Result<Vec<Round>, Failure> {
    let select = "SELECT review.round, review.verdict, review.comment, review.pointer, review.version, review.blind, review.at, account.shown, review.reviewer \
                  FROM review JOIN account ON account.id = review.reviewer WHERE review.assignment = $1 ORDER BY review.at, review.id";
    let rows = sqlx::query(select).bind(assignment.to_owned()).fetch_all(app.database.read()).await?;
    let round = |row: &sqlx::any::AnyRow| {
        Ok(Round {
            round: row.try_get(0)?,
            verdict: row.try_get(1)?,
            comment: row.try_get(2)?,
            pointer: row.try_get(3)?,
            version: row.try_get(4)?,
            blind: row.try_get::<i64, _>(5)? != 0,
            at: row.try_get(6)?,
            reviewer: row.try_get(7)?,
            mine: row.try_get::<String, _>(8)? == me,
        })
    };
    rows.iter().map(round).collect()
}

/// What a reader may see of an inspection.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The version to look at, the last of `versions`.
    pub version: i64,
    /// The versions up to it.
    pub versions: Vec<Version>,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Whether the reader is to say something about this version.
    pub waits: bool,
    /// Whether the reader is still blind to what others said.
    pub hidden: bool,
}

impl Inspection {
    /// What `me` may see. A blind reviewer sees the version that was given, and nothing of others, neither what they said nor that they did, before having spoken.
    /// In turn, what a blind reviewer says is not shown to the other before they have spoken on the same version.
    pub async fn seen(&self, app: &App, me: &Account) -> Result<Seen, Failure> {
        let mut versions = versions(app, &self.assignment).await?;
        let mut rounds = rounds(app, &self.assignment, &me.id).await?;
        let is_mine = self.reviewer == me.id;
        if !is_mine && is_blind_to(app, &self.assignment, me).await? {
            return Err(Failure::NotFound);
        }
        let spoke: Vec<i64> = rounds.iter().filter(|round| round.mine).map(|round| round.version).collect();
        if self.blind {
            let waits = is_mine && !spoke.contains(&self.given_version);
            versions.retain(|version| version.number <= self.given_version);
            if waits {
                rounds.retain(|round| round.mine);
                for version in &mut versions {
                    version.author.clear();
                }
                versions.retain(|version| version.source != "revision" || version.number == self.given_version);
            }
            return Ok(Seen { version: self.given_version, versions, rounds, waits, hidden: waits });
        }
        let last = versions.iter().rev().find(|version| version.finished).map_or(0, |version| version.number);
        versions.retain(|version| version.number <= last);
        if is_mine {
            rounds.retain(|round| !round.blind || round.mine || spoke.contains(&round.version));
        }
        let waits = is_mine && self.state == "done" && last == self.version;
        Ok(Seen { version: last, versions, rounds, waits, hidden: false })
    }
}

/// Whether somebody is still to give a blind verdict on an assignment: no other page may tell them what was said.
async fn is_blind_to(app: &App, assignment: &str, me: &Account) -> Result<bool, Failure> {
    let select = "SELECT COUNT(*) FROM inspection WHERE assignment = $1 AND reviewer = $2 AND blind = 1 AND state = 'open'";
    let waiting: i64 =
        sqlx::query_scalar(select).bind(assignment.to_owned()).bind(me.id.clone()).fetch_one(app.database.read()).await?;
    Ok(waiting > 0)
}
