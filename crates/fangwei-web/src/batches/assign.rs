//! Giving out work: a preview says who would get and lose what; carrying it out is refused where anything that the preview rests on has changed.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::{Path, State};
use fangwei::lang::Say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{AnyConnection, Row};

use super::batch::{self, Batch};
use super::plan::{self, PlanItem, Wanted};
use crate::app::App;
use crate::assignments::{Given, give};
use crate::audit;
use crate::database::Changes;
use crate::failure::Failure;
use crate::sent::Sent;
use crate::who::{Account, Who};

/// What work is taken back first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Recall {
    /// None.
    #[default]
    None,
    /// What nobody has touched.
    Untouched,
    /// That, and what was begun and not finished; what was saved of it is kept.
    Unfinished,
}

/// What is wanted.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Who is to get work: ids or names.
    #[serde(default)]
    pub people: Vec<String>,
    /// At most so many items a person, those given before included.
    #[serde(default)]
    pub load: usize,
    /// So many check questions a person, those given before included.
    #[serde(default)]
    pub checks: usize,
    /// Everything that is chosen at random follows from it.
    #[serde(default)]
    pub seed: u64,
    /// What is taken back first.
    #[serde(default)]
    pub recall: Recall,
    /// From whom; empty for everybody.
    #[serde(default)]
    pub from: Vec<String>,
    /// Whether only what is taken back is given out, and to others: work passes from some people to others.
    #[serde(default)]
    pub hand_over: bool,
}

/// One person and one item.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
pub struct Pairing {
    /// The account.
    pub account: String,
    /// The item.
    pub item: String,
}

/// What would be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Preview {
    /// Names what this rests on: carrying it out asks for it.
    pub hash: String,
    /// What is given.
    pub given: Vec<Pairing>,
    /// What is taken back.
    pub recalled: Vec<Pairing>,
    /// Items that stay with fewer people than wanted.
    pub short: Vec<String>,
}

/// A row of what was given before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    assignment: String,
    /// The item.
    pub item: String,
    /// Who has it.
    pub account: String,
    state: String,
    version: i64,
}

/// What a preview rests on.
pub struct Standing {
    items: Vec<PlanItem>,
    /// What was given before and not taken back.
    pub held: Vec<Held>,
    people: Vec<String>,
    from: BTreeSet<String>,
    /// Items and who knows what others said of them, as a reviewer or adjudicator.
    knowing: Vec<(String, String)>,
}

/// Looks up what a preview rests on.
pub async fn load(connection: &mut AnyConnection, batch: &Batch, request: &Request) -> Result<Standing, Failure> {
    let select = "SELECT id, is_check FROM item WHERE batch = $1 ORDER BY number";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(&mut *connection).await?;
    let item = |row: &sqlx::any::AnyRow| Ok(PlanItem { id: row.try_get(0)?, is_check: row.try_get::<i64, _>(1)? == 1 });
    let items: Vec<PlanItem> = rows.iter().map(item).collect::<Result<_, sqlx::Error>>()?;
    let select = "SELECT id, item, account, state, version FROM assignment WHERE batch = $1 AND part = 'annotate' AND state <> 'recalled' ORDER BY id";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(&mut *connection).await?;
    let held = |row: &sqlx::any::AnyRow| {
        Ok(Held {
            assignment: row.try_get(0)?,
            item: row.try_get(1)?,
            account: row.try_get(2)?,
            state: row.try_get(3)?,
            version: row.try_get(4)?,
        })
    };
    let held: Vec<Held> = rows.iter().map(held).collect::<Result<_, sqlx::Error>>()?;
    let select = "SELECT id, name FROM account WHERE state = 'active' ORDER BY id";
    let rows = sqlx::query(select).fetch_all(&mut *connection).await?;
    let mut active: BTreeMap<String, String> = BTreeMap::new();
    for row in &rows {
        let (id, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        active.insert(name, id.clone());
        active.insert(id.clone(), id);
    }
    let from: BTreeSet<String> =
        request.from.iter().map(|person| active.get(person).cloned().unwrap_or_else(|| person.clone())).collect();
    let mut people = Vec::new();
    for person in &request.people {
        let id = active.get(person).cloned();
        let id =
            id.ok_or_else(|| Failure::invalid(format!("没有在岗人员“{person}”"), format!("nobody active is called {person:?}")))?;
        // Work that passes from somebody does not come back to them.
        let is_giver = request.hand_over && from.contains(&id);
        if !people.contains(&id) && !is_giver {
            people.push(id);
        }
    }
    Ok(Standing { items, held, people, from, knowing: knowing(connection, batch).await? })
}

/// Who was given somebody's work on an item to review, or the item to decide on: they do not mark it.
async fn knowing(connection: &mut AnyConnection, batch: &Batch) -> Result<Vec<(String, String)>, Failure> {
    let select = "SELECT assignment.item, inspection.reviewer FROM inspection JOIN assignment ON assignment.id = inspection.assignment WHERE assignment.batch = $1 \
                  UNION SELECT item, account FROM assignment WHERE batch = $1 AND part = 'adjudicate' ORDER BY 1, 2";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(&mut *connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

impl Standing {
    /// The rows that are taken back.
    fn recalled(&self, request: &Request) -> Vec<&Held> {
        let is_theirs = |held: &&Held| self.from.is_empty() || self.from.contains(&held.account);
        let goes = |held: &&Held| match request.recall {
            Recall::None => false,
            Recall::Untouched => held.state == "new" && held.version == 0,
            Recall::Unfinished => held.state == "new" || held.state == "draft",
        };
        self.held.iter().filter(is_theirs).filter(goes).collect()
    }

    /// What would be done.
    pub fn preview(&self, batch: &Batch, request: &Request) -> Preview {
        let recalled = self.recalled(request);
        let gone: BTreeSet<&str> = recalled.iter().map(|held| held.assignment.as_str()).collect();
        let mut existing: Vec<plan::Given> = self
            .held
            .iter()
            .filter(|held| !gone.contains(held.assignment.as_str()))
            .map(|held| plan::Given { item: held.item.clone(), person: held.account.clone(), counts: held.state != "skipped" })
            .collect();
        // After what is held: of two words about one person and item the first counts.
        existing.extend(self.knowing.iter().map(|(item, person)| plan::Given {
            item: item.clone(),
            person: person.clone(),
            counts: false,
        }));
        let taken_back: BTreeSet<&str> = recalled.iter().map(|held| held.item.as_str()).collect();
        let items: Vec<PlanItem> =
            self.items.iter().filter(|item| !request.hand_over || taken_back.contains(item.id.as_str())).cloned().collect();
        let wanted = Wanted { k: batch.per_item, load: request.load, checks: request.checks, seed: request.seed };
        let made = plan::plan(&items, &self.people, &existing, wanted);
        let mut given: Vec<Pairing> = made.given.into_iter().map(|(account, item)| Pairing { account, item }).collect();
        let mut recalled: Vec<Pairing> =
            recalled.iter().map(|held| Pairing { account: held.account.clone(), item: held.item.clone() }).collect();
        // What would come back to who had it stays where it is.
        let taken: BTreeSet<&Pairing> = recalled.iter().collect();
        let stays: BTreeSet<Pairing> = given.iter().filter(|pair| taken.contains(pair)).cloned().collect();
        given.retain(|pair| !stays.contains(pair));
        recalled.retain(|pair| !stays.contains(pair));
        let mut hash = Sha256::new();
        // What the plan looked at, and what it says: finished work that changes neither does not make a preview stale.
        for item in &self.items {
            hash.update(format!("{} {}\n", item.id, item.is_check));
        }
        for given in &existing {
            hash.update(format!("{} {} {}\n", given.item, given.person, given.counts));
        }
        hash.update(json!([request, batch.per_item, batch.state, self.people, given, recalled]).to_string());
        let hash = hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        Preview { hash, given, recalled, short: made.short }
    }
}

/// Says what would be done.
pub async fn preview(
    State(app): State<App>,
    Path(id): Path<String>,
    Sent(request): Sent<Request>,
) -> Result<Json<Preview>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let mut connection = app.database.read().acquire().await?;
    Ok(Json(load(&mut connection, &batch, &request).await?.preview(&batch, &request)))
}

/// A request with what its preview rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Order {
    /// The request.
    pub request: Request,
    /// The hash of its preview.
    pub hash: String,
}

/// Does what the preview said.
pub async fn apply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(order): Sent<Order>,
) -> Result<Json<Preview>, Failure> {
    Ok(Json(carry_out(&app, who.me()?, &id, &order.request, &order.hash).await?))
}

/// The same; refused where the preview is not what would be done now.
pub async fn carry_out(app: &App, me: &Account, id: &str, request: &Request, hash: &str) -> Result<Preview, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = batch::hold(&mut changes, id).await?;
    if batch.state == "closed" {
        return Err(Failure::invalid("批次已结束，请先重新打开", "the batch is closed, open it first"));
    }
    let state = load(&mut changes, &batch, request).await?;
    let preview = state.preview(&batch, request);
    if preview.hash != hash {
        return Err(stale(&preview.hash));
    }
    let goes: BTreeSet<(&str, &str)> = preview.recalled.iter().map(|pair| (pair.account.as_str(), pair.item.as_str())).collect();
    for held in state.recalled(request).into_iter().filter(|held| goes.contains(&(held.account.as_str(), held.item.as_str()))) {
        recall(&mut changes, held, now).await?;
    }
    for pairing in &preview.given {
        let given = Given { batch: &batch.id, item: &pairing.item, account: &pairing.account, part: "annotate" };
        // Somebody else gave it in the meantime.
        if !give(&mut changes, now, given).await? {
            return Err(stale(""));
        }
    }
    let detail = json!({ "request": request, "given": preview.given.len(), "recalled": preview.recalled.len() });
    audit::note(&mut changes, now, Some(&me.id), "assign", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(preview)
}

fn stale(hash: &str) -> Failure {
    let say = Say::new("预览之后有了变化，请重新预览再分配", "something changed since the preview; preview again, then assign");
    Failure::Conflict(say, json!({ "hash": hash }))
}

async fn recall(changes: &mut Changes, held: &Held, now: i64) -> Result<(), Failure> {
    let update = "UPDATE assignment SET state = 'recalled', changed_at = $1 WHERE id = $2 AND state = $3 AND version = $4";
    let update = sqlx::query(update).bind(now).bind(held.assignment.clone()).bind(held.state.clone()).bind(held.version);
    // Somebody saved while we looked: what they did is not taken from them.
    if update.execute(&mut **changes).await?.rows_affected() == 1 { Ok(()) } else { Err(stale("")) }
}
