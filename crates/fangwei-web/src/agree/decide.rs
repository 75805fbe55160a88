//! Triage: which items become gold, which are dropped, which somebody must decide on. A preview says what would happen; only then it is written, with provenance.

use std::collections::{HashMap, HashSet};

use fangwei::agree::{self, Decision, Keep, Level, Marks, PathCount, Policy, Rest, Triaged, triage};
use fangwei::annotate::Mark;
use fangwei::answer::{Answer, Kind, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::gather::{Gathered, Given, Which, gather};
use super::{exclude, labels, look};
use crate::app::App;
use crate::batches::batch::Batch;
use crate::database::Changes;
use crate::failure::Failure;
use crate::thread::on_thread;
use crate::who::Account;
use crate::{audit, id};

/// What becomes gold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// All give the same extreme level, as in 2022.
    #[default]
    Extremes,
    /// All say the same.
    Agreed,
    /// More than half say the same.
    Majority,
    /// A reviewer approved it, and all approved marks say the same.
    Approved,
}

impl Kept {
    /// The name in forms.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kept::Extremes => "extremes",
            Kept::Agreed => "agreed",
            Kept::Majority => "majority",
            Kept::Approved => "approved",
        }
    }
}

/// What becomes of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// It is not used.
    #[default]
    Discard,
    /// Somebody decides.
    Adjudicate,
}

impl Others {
    /// The name in forms.
    pub const fn as_str(self) -> &'static str {
        match self {
            Others::Discard => "discard",
            Others::Adjudicate => "adjudicate",
        }
    }
}

/// How items are told apart, and whether that is to be written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Triage {
    /// What becomes gold.
    pub keep: Kept,
    /// What becomes of the rest.
    #[serde(default)]
    pub rest: Others,
    /// Items with fewer marks wait; 2 where not said, 1 for approved work.
    #[serde(default)]
    pub least_marks: Option<usize>,
    /// Write it; without, a preview.
    #[serde(default)]
    pub apply: bool,
}

impl Triage {
    /// The policy of the library.
    pub fn policy(&self) -> Policy {
        let keep = match self.keep {
            Kept::Extremes => Keep::Extremes,
            Kept::Agreed | Kept::Approved => Keep::Agreed,
            Kept::Majority => Keep::Majority,
        };
        let rest = if self.rest == Others::Discard { Rest::Discard } else { Rest::Adjudicate };
        let usual = if self.keep == Kept::Approved { 1 } else { 2 };
        Policy { keep, rest, least_marks: self.least_marks.unwrap_or(usual) }
    }
}

/// One item, decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DecidedItem {
    /// Its id.
    pub item: String,
    /// Its name.
    pub qid: String,
    /// `gold`, `adjudicate`, `discard` or `wait`.
    pub decision: &'static str,
    /// Why.
    pub path: &'static str,
    /// The label that all gave, where there is one.
    pub label: Option<String>,
    /// Whether a row is written for it: it says something other than the last.
    pub changes: bool,
}

/// What triage does.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// How many items leave by each path: `decision`, `path`, `label`, `items`.
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub counts: Vec<PathCount>,
    /// Every item.
    pub items: Vec<DecidedItem>,
    /// Annotators who are left out, whose marks do not count.
    pub excluded: Vec<String>,
    /// How many rows were written; none in a preview.
    pub written: usize,
}

/// What the last row of an item says.
#[derive(Clone, Debug)]
pub struct LastGold {
    /// Its number.
    pub version: i64,
    /// `gold`, `discard` or `adjudicate`.
    pub outcome: String,
    /// The mark.
    pub content: String,
    /// How it came about.
    pub path: String,
}

/// The last row of every item of a batch that has one.
pub async fn last_gold(app: &App, batch: &str) -> Result<HashMap<String, LastGold>, Failure> {
    let select = "SELECT gold.item, gold.version, gold.outcome, gold.content, gold.path FROM gold JOIN item ON item.id = gold.item \
                  WHERE item.batch = $1 AND gold.version = (SELECT MAX(version) FROM gold AS own WHERE own.item = gold.item)";
    let rows = sqlx::query(select).bind(batch.to_owned()).fetch_all(app.database.read()).await?;
    let last = |row: &sqlx::any::AnyRow| -> Result<_, Failure> {
        let gold =
            LastGold { version: row.try_get(1)?, outcome: row.try_get(2)?, content: row.try_get(3)?, path: row.try_get(4)? };
        Ok((row.try_get(0)?, gold))
    };
    rows.iter().map(last).collect()
}

/// A row of gold that is to be written.
#[derive(Clone, Debug)]
pub struct NewGold {
    /// The item.
    pub item: String,
    /// Its number: one more than that of the last.
    pub version: i64,
    /// `gold`, `discard` or `adjudicate`.
    pub outcome: &'static str,
    /// The mark.
    pub content: String,
    /// How it came about.
    pub path: &'static str,
    /// Whose marks it came from.
    pub from: serde_json::Value,
}

/// Appends a row; a conflict where somebody else was faster.
pub async fn append(changes: &mut Changes, now: i64, author: &str, gold: &NewGold) -> Result<(), Failure> {
    let insert = "INSERT INTO gold (id, item, version, outcome, content, path, from_marks, author, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let written = sqlx::query(insert)
        .bind(id::at(now))
        .bind(gold.item.clone())
        .bind(gold.version)
        .bind(gold.outcome)
        .bind(gold.content.clone())
        .bind(gold.path)
        .bind(gold.from.to_string())
        .bind(author.to_owned())
        .bind(now)
        .execute(&mut **changes)
        .await;
    match written {
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            let say = fangwei::lang::Say::new("别人刚刚定了这道题，请刷新", "somebody has just decided on the item; reload");
            Err(Failure::Conflict(say, json!({ "item": gold.item })))
        }
        other => other.map(|_| ()).map_err(Failure::from),
    }
}

/// Decides on every item of a batch; writes it where that is asked for. What people adjudicated stays. Marks of those who are left out do not count, until they are
/// taken in again.
pub async fn decide(app: &App, me: &Account, batch: &Batch, asked: Triage) -> Result<Plan, Failure> {
    let mut gathered = gather(app, batch, Which::Last).await?;
    if asked.keep == Kept::Approved {
        gathered.given.retain(|given| given.state == "approved");
    }
    let excluded = exclude::excluded(app, &batch.id).await?;
    gathered.given.retain(|given| excluded.iter().all(|name| *name != given.name));
    let kept = last_gold(app, &batch.id).await?;
    let (mut plan, rows) = on_thread(move || plan(&gathered, asked, &kept)).await?;
    plan.excluded = excluded.iter().map(ToString::to_string).collect();
    if !asked.apply {
        return Ok(plan);
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    for row in &rows {
        append(&mut changes, now, &me.id, row).await?;
    }
    plan.written = rows.len();
    let detail = json!({ "triage": asked, "counts": plan.counts, "written": plan.written, "excluded": plan.excluded });
    audit::note(&mut changes, now, Some(&me.id), "triage", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(plan)
}

fn plan(gathered: &Gathered, asked: Triage, kept: &HashMap<String, LastGold>) -> Result<(Plan, Vec<NewGold>), Failure> {
    let all: Vec<agree::Mark> = decisive(gathered);
    let marks = Marks::new(all, &[]).map_err(look::refused)?;
    let triaged: Triaged = triage(&marks, asked.policy()).map_err(look::refused)?;
    let places: HashMap<&str, usize> =
        gathered.items.iter().enumerate().map(|(place, known)| (known.item.qid.as_str(), place)).collect();
    let (mut items, mut rows) = (Vec::new(), Vec::new());
    for decided in &triaged.items {
        let Some(place) = places.get(marks.items()[decided.item].as_str()).copied() else { continue };
        let known = &gathered.items[place];
        let path =
            if asked.keep == Kept::Approved && decided.decision == Decision::Gold { "approved" } else { decided.path.as_str() };
        let outcome = word(decided.decision);
        let label = decided.label.map(|label| marks.labels()[label as usize].to_string());
        let content = match (decided.decision, &label) {
            (Decision::Gold, Some(label)) => gold_mark(gathered, &marks, decided.item, place, label),
            _ => String::new(),
        };
        let last = kept.get(&known.id);
        let by_hand = last.is_some_and(|last| last.path == "adjudicated");
        let same = last.is_some_and(|last| last.outcome == outcome && last.content == content && last.path == path);
        let changes = decided.decision != Decision::Wait && !by_hand && !same;
        items.push(DecidedItem {
            item: known.id.clone(),
            qid: known.item.qid.to_string(),
            decision: outcome,
            path,
            label,
            changes,
        });
        if changes {
            let own = gathered.of(place);
            let from = json!({ "marks": own.iter().map(|given| &given.id).collect::<Vec<_>>(), "people": own.iter().map(|given| &given.account).collect::<Vec<_>>() });
            let version = last.map_or(0, |last| last.version) + 1;
            rows.push(NewGold { item: known.id.clone(), version, outcome, content, path, from });
        }
    }
    Ok((Plan { counts: triaged.counts(&marks), items, excluded: Vec::new(), written: 0 }, rows))
}

/// The table that decides, without check questions: their answers are known.
pub fn decisive(gathered: &Gathered) -> Vec<agree::Mark> {
    let checks: HashSet<&str> =
        gathered.items.iter().filter(|known| known.is_check).map(|known| known.item.qid.as_str()).collect();
    labels::decisive(gathered).into_iter().filter(|mark| !checks.contains(mark.item.as_str())).collect()
}

const fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Gold => "gold",
        Decision::Adjudicate => "adjudicate",
        Decision::Discard => "discard",
        Decision::Wait => "wait",
    }
}

/// The mark that stands for an agreed label: that of the first who gave it, of scenes one who gave a reason before one who did not.
fn gold_mark(gathered: &Gathered, marks: &Marks, row: usize, place: usize, label: &str) -> String {
    let task = gathered.batch.task;
    let gave = |name: &str| {
        marks
            .row(row)
            .iter()
            .any(|(who, what)| marks.annotators()[*who as usize] == name && marks.labels()[*what as usize] == label)
    };
    let is_bare = |given: &&Given| matches!(&given.mark.answer, Some(Answer::Scene(scene)) if scene.reason.is_none());
    // Stable: of equal ones the first counts.
    let found = gathered.of(place).iter().filter(|given| gave(&given.name)).min_by_key(is_bare);
    found.map(|given| plain(task.kind(), &given.mark).write(task).to_line()).unwrap_or_default()
}

/// A mark as gold: a judgement by level has the verdict of its side, and what one person remarked is not part of it.
pub fn plain(kind: Kind, mark: &Mark) -> Mark {
    let level = mark.level.and_then(|level| Level::parse(level.as_str()));
    let judged = level.filter(|_| kind == Kind::Verdict).map(|level| Answer::Verdict(Verdict::Plain(level.is_normal())));
    Mark { answer: judged.or_else(|| mark.answer.clone()), note: smol_str::SmolStr::default(), draft: false, ..mark.clone() }
}
