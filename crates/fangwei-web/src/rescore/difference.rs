//! Whose score and place a generation changed, from what to what, and why. Only what was scored in both is compared: what came later is no change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use fangwei::contest::Standings;
use fangwei::rank::{Ranking, Row as Ranked};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;

use super::generation::{Generation, Stage};
use super::gold::{self, GoldChange};
use crate::app::App;
use crate::board::gather::{Gathered, gather_in};
use crate::board::sight::{Eyes, eyes};
use crate::contests::Kept;
use crate::failure::Failure;
use crate::policy::Role;
use crate::submit::{Place, files_in};
use crate::teams::{Team, team};
use crate::who::Who;

/// Values this close are the same: they differ only by the order of additions.
const EQUAL: f64 = 1e-12;

/// A value and a rank in two generations.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Cell {
    /// The value before.
    pub from: Option<f64>,
    /// The value after.
    pub to: Option<f64>,
    /// The rank before.
    pub rank_from: Option<u32>,
    /// The rank after.
    pub rank_to: Option<u32>,
}

impl Cell {
    /// Whether anything differs.
    pub fn is_changed(&self) -> bool {
        let same = match (self.from, self.to) {
            (Some(from), Some(to)) => (from - to).abs() <= EQUAL,
            (from, to) => from == to,
        };
        !same || self.rank_from != self.rank_to
    }

    /// How many places up; down, where it is negative.
    pub fn up(&self) -> i64 {
        self.rank_from.zip(self.rank_to).map_or(0, |(from, to)| i64::from(from) - i64::from(to))
    }

    /// The values, for people: `0.5000 → 0.7500`.
    pub fn values(&self) -> String {
        told(self.from.map(|value| format!("{value:.4}")), self.to.map(|value| format!("{value:.4}")))
    }

    /// The ranks, for people.
    pub fn ranks(&self) -> String {
        told(self.rank_from.map(|rank| rank.to_string()), self.rank_to.map(|rank| rank.to_string()))
    }
}

fn told(from: Option<String>, to: Option<String>) -> String {
    let word = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    let (from, to) = (word(from), word(to));
    if from == to { from } else { format!("{from} → {to}") }
}

/// A row that a generation changed.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Changed {
    /// The name of the team, as the board names it.
    pub name: String,
    /// Each task of the board.
    pub tasks: Vec<Cell>,
    /// All tasks together, by the policy of the board.
    pub overall: Cell,
}

/// What a generation changed on a board.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OnBoard {
    /// The board.
    pub board: String,
    /// Its title.
    pub title: String,
    /// Its tasks.
    pub tasks: Vec<String>,
    /// The rows that differ, by their rank after.
    pub rows: Vec<Changed>,
    /// How many rows do not.
    pub unchanged: usize,
}

/// Why scores of a task of a phase can differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Why {
    /// The phase.
    pub phase: String,
    /// The task.
    pub task: String,
    /// The scorer before.
    pub scorer_from: String,
    /// The scorer after.
    pub scorer_to: String,
    /// What differs in the gold; nothing where it is the same.
    pub gold: Option<GoldChange>,
}

/// What a generation changed.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The generation that it is compared with: the one that everybody saw before; none for the first.
    pub from: Option<i64>,
    /// Why, where scorer or gold differ.
    pub why: Vec<Why>,
    /// What changed on each board that may be seen.
    pub boards: Vec<OnBoard>,
}

/// The boards that somebody may see.
pub async fn boards(app: &App, who: &Who, kept: &Arc<Kept>) -> Result<Vec<Eyes>, Failure> {
    let mut seen = Vec::new();
    for plan in &kept.contest.boards {
        match eyes(app, who, kept, &plan.id).await {
            Ok(eyes) => seen.push(eyes),
            Err(Failure::NotFound) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(seen)
}

/// What a generation changed, as far as somebody may see it. Of one that runs, only organisers see numbers.
pub async fn of(app: &App, who: &Who, kept: &Arc<Kept>, generation: &Generation) -> Result<Difference, Failure> {
    let select = "SELECT MAX(number) FROM generation WHERE contest = $1 AND number < $2 AND current_at IS NOT NULL";
    let query = sqlx::query_scalar(select).bind(kept.contest.id.clone()).bind(generation.number);
    let from: Option<i64> = query.fetch_one(app.database.read()).await?;
    let mut difference = Difference { from, why: Vec::new(), boards: Vec::new() };
    let is_organiser = who.is_at_least(Role::Organiser);
    let Some(from) = from.filter(|_| is_organiser || generation.state != Stage::Running) else { return Ok(difference) };
    let seen = boards(app, who, kept).await?;
    let phases: BTreeSet<&str> = seen.iter().map(|eyes| eyes.phase.id.as_str()).collect();
    for phase in kept.contest.phases.iter().filter(|phase| is_organiser || phases.contains(phase.id.as_str())) {
        for entry in &phase.tasks {
            let place = Place { phase: phase.clone(), task: entry.clone() };
            difference.why.extend(why(app, kept, &place, from, generation.number, is_organiser).await?);
        }
    }
    let teams = team::all(app, &kept.contest.id).await?;
    for eyes in &seen {
        difference.boards.push(on_board(app, who, eyes, &teams, (from, generation.number)).await?);
    }
    Ok(difference)
}

/// Why the scores of a place can differ; nothing where nothing was submitted to it, or nothing differs.
async fn why(app: &App, kept: &Kept, place: &Place, from: i64, to: i64, is_organiser: bool) -> Result<Option<Why>, Failure> {
    let task = place.task.task;
    let select = "SELECT score.generation, MAX(score.scorer) FROM score JOIN submission ON submission.id = score.submission \
                  WHERE submission.contest = $1 AND submission.phase = $2 AND submission.task = $3 AND score.generation IN ($4, $5) GROUP BY score.generation";
    let rows = sqlx::query(select)
        .bind(kept.contest.id.clone())
        .bind(place.phase.id.clone())
        .bind(task.id())
        .bind(from)
        .bind(to)
        .fetch_all(app.database.read())
        .await?;
    let mut scorers: BTreeMap<i64, String> = BTreeMap::new();
    for row in rows {
        scorers.insert(row.try_get(0)?, row.try_get(1)?);
    }
    let Some(scorer_from) = scorers.remove(&from) else { return Ok(None) };
    let scorer_to = scorers.remove(&to).unwrap_or_else(|| scorer_from.clone());
    let (old, new) = (files_in(app, kept, place, from).await?, files_in(app, kept, place, to).await?);
    let mut gold = if old.gold == new.gold { None } else { Some(gold::between(app, task, &old.gold, &new.gold).await?) };
    if let Some(gold) = gold.as_mut().filter(|_| !is_organiser) {
        gold.qids = None;
    }
    let differs = gold.is_some() || scorer_from != scorer_to;
    let (phase, task) = (place.phase.id.clone(), task.id().to_owned());
    Ok(differs.then_some(Why { phase, task, scorer_from, scorer_to, gold }))
}

async fn on_board(app: &App, who: &Who, eyes: &Eyes, teams: &[Team], (from, to): (i64, i64)) -> Result<OnBoard, Failure> {
    let before = gather_in(app, eyes, from, None).await?;
    let after = gather_in(app, eyes, to, Some(from)).await?;
    let mut names = eyes.names(&before, teams);
    names.extend(eyes.names(&after, teams));
    let ranked = |gathered: &Gathered| eyes.plan.standings(&gathered.entries);
    let (rows, unchanged) = rows(eyes, &names, &ranked(&before), &ranked(&after));
    Ok(OnBoard {
        board: eyes.plan.id.clone(),
        title: eyes.plan.title.get(who.lang).to_owned(),
        tasks: eyes.plan.tasks.iter().map(|task| task.id().to_owned()).collect(),
        rows,
        unchanged,
    })
}

/// The rows that differ, and how many do not.
fn rows(eyes: &Eyes, names: &HashMap<String, String>, before: &Standings, after: &Standings) -> (Vec<Changed>, usize) {
    let find = |ranking: &Ranking, name: &str| ranking.rows.iter().find(|row| row.name == name).cloned();
    let score = |ranking: &Ranking, name: &str| find(ranking, name).map(|row| (row.mean_score, row.rank)).unwrap_or_default();
    let cell = |(from, rank_from), (to, rank_to)| Cell { from, to, rank_from, rank_to };
    let is_gone = |row: &&Ranked| find(&after.overall, &row.name).is_none();
    let all = after.overall.rows.iter().chain(before.overall.rows.iter().filter(is_gone));
    let (mut changed, mut unchanged) = (Vec::new(), 0);
    for row in all.filter(|row| eyes.sees(row)) {
        // What decides is measured by the others: who sees only their own row sees their rank.
        let value = |row: &Ranked| row.decides(eyes.plan.policy.by).filter(|_| !eyes.own_only);
        let overall =
            |standings: &Standings| find(&standings.overall, &row.name).map(|row| (value(&row), row.rank)).unwrap_or_default();
        let tasks: Vec<Cell> =
            before.tasks.iter().zip(&after.tasks).map(|(from, to)| cell(score(from, &row.name), score(to, &row.name))).collect();
        let overall = cell(overall(before), overall(after));
        if overall.is_changed() || tasks.iter().any(Cell::is_changed) {
            changed.push(Changed { name: names.get(&row.name).cloned().unwrap_or_default(), tasks, overall });
        } else {
            unchanged += 1;
        }
    }
    (changed, unchanged)
}
