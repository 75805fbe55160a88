//! From scores to places.
//!
//! A board is read with all its defects, a policy says what a place means, and the ranking carries what a
//! reader must know to judge it: means, deviations, ties, gaps, and how far each place hangs on one task or
//! one rival. Nothing in it is ever not a number.

mod award;
mod board;
mod builder;
mod doubt;
mod policy;
mod render;
mod runs;
mod stability;
mod standing;

pub use award::{Awards, Candidate, JURY_WEIGHT, Z_WEIGHT, award, award_with};
pub use board::{Board, Entry, Kind, Reading};
pub use doubt::{Doubt, Draws, doubts};
pub use policy::{By, Choices, Ddof, Missing, Named, POLICIES, Policy, PolicyError, Population};
pub use render::{remarks, table};
pub use runs::{Run, RunsError};
pub use stability::{FirstChange, LeftOut};

use serde::ser::{Serialize, SerializeMap, Serializer};
use standing::View;

/// A value per task, in the order of the board; a JSON object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PerTask(pub Vec<(String, Option<f64>)>);

impl PerTask {
    /// The value of a task.
    pub fn get(&self, task: &str) -> Option<f64> {
        self.0.iter().find(|(name, _)| name == task).and_then(|(_, value)| *value)
    }
}

impl Serialize for PerTask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (task, value) in &self.0 {
            map.serialize_entry(task, value)?;
        }
        map.end()
    }
}

/// What to know about a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskFlag {
    /// All scores of the population are equal, or one alone has no deviation: every Z is 0.
    ZeroDeviation,
    /// Nobody of the population has a score: there is no Z.
    NoPopulation,
}

/// What to know about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowFlag {
    /// Shares its rank.
    Tied,
    /// Has no score in some task.
    Incomplete,
    /// Has a score that the policy filled in.
    Filled,
    /// Is placed, but not ranked.
    Outside,
    /// Has no score in any task.
    NoScore,
}

/// What to know about the ranking as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// Some task has no deviation and decides nothing.
    ZeroDeviation,
    /// Some ranked rows lack a task and stand after the complete ones.
    IncompleteLast,
    /// Missing scores were filled in.
    Filled,
    /// All candidates for the award have one Z mean.
    AwardFlatZ,
    /// The jury gave all candidates for the award the same.
    AwardFlatJury,
}

/// Mean and deviation that the Z scores of a task come from.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TaskSpread {
    /// Name of the task.
    pub task: String,
    /// Mean over the population; nothing without one.
    pub mean: Option<f64>,
    /// Deviation over the population.
    pub deviation: f64,
    /// Number of scores in both.
    pub population: usize,
    /// What to know about it.
    pub flags: Vec<TaskFlag>,
}

/// A row of the ranking.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Row {
    /// Name.
    pub name: String,
    /// Who it is about.
    pub kind: Kind,
    /// Rank from 1, if it is ranked.
    pub rank: Option<u32>,
    /// Scores as given.
    pub scores: PerTask,
    /// Z scores.
    pub z: PerTask,
    /// Mean of the Z scores.
    pub z_mean: Option<f64>,
    /// Mean of the ranks within the tasks, among the population.
    pub mean_rank: Option<f64>,
    /// Mean of the scores.
    pub mean_score: Option<f64>,
    /// Best and worst rank when any one task or other row is left out.
    pub rank_range: Option<[u32; 2]>,
    /// What to know about it.
    pub flags: Vec<RowFlag>,
    /// Award score of a candidate.
    pub award: Option<f64>,
}

impl Row {
    /// What decides about it.
    pub fn decides(&self, by: By) -> Option<f64> {
        match by {
            By::ZMean => self.z_mean,
            By::MeanRank => self.mean_rank,
            By::MeanScore => self.mean_score,
        }
    }
}

/// A board in order.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Ranking {
    /// How it was ranked.
    pub policy: Policy,
    /// The tasks.
    pub tasks: Vec<TaskSpread>,
    /// Ranked rows by rank, then the others in the order of the board.
    pub rows: Vec<Row>,
    /// What gives the first place to others when it is left out.
    pub first_changes: Vec<FirstChange>,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// Ranks a board.
///
/// ```
/// # use fangwei::rank::{Board, Policy, rank};
/// let board = Board::from_csv("name,kind,judge,roles\n甲,team,0.7,0.5\n乙,team,0.6,0.3\n").board;
/// let ranking = rank(&board, &Policy::named("2022")?);
/// assert_eq!((ranking.rows[0].name.as_str(), ranking.rows[0].rank), ("甲", Some(1)));
/// # Ok::<(), fangwei::rank::PolicyError>(())
/// ```
pub fn rank(board: &Board, policy: &Policy) -> Ranking {
    let standing = View::whole(board).standing(policy);
    let (ranges, first_changes) = stability::stability(board, policy, &standing);
    let tasks = board
        .tasks()
        .iter()
        .zip(&standing.spreads)
        .map(|(task, spread)| {
            let mut flags = Vec::new();
            match spread.mean {
                None => flags.push(TaskFlag::NoPopulation),
                Some(_) if spread.deviation == 0.0 => flags.push(TaskFlag::ZeroDeviation),
                Some(_) => {}
            }
            TaskSpread {
                task: task.clone(),
                mean: spread.mean,
                deviation: spread.deviation,
                population: spread.population,
                flags,
            }
        })
        .collect();
    let per_task = |values: &[Option<f64>]| PerTask(board.tasks().iter().cloned().zip(values.iter().copied()).collect());
    let mut rows: Vec<Row> = board
        .entries()
        .iter()
        .zip(standing.places)
        .zip(ranges)
        .map(|((entry, place), rank_range)| Row {
            name: entry.name.clone(),
            kind: entry.kind,
            rank: place.rank,
            scores: per_task(&entry.scores),
            z: per_task(&place.z),
            z_mean: place.z_mean,
            mean_rank: place.mean_rank,
            mean_score: place.mean_score,
            rank_range,
            flags: [
                (place.tied, RowFlag::Tied),
                (place.incomplete, RowFlag::Incomplete),
                (place.filled, RowFlag::Filled),
                (!policy.population.holds(entry.kind), RowFlag::Outside),
                (entry.scores.iter().all(Option::is_none), RowFlag::NoScore),
            ]
            .into_iter()
            .filter_map(|(holds, flag)| holds.then_some(flag))
            .collect(),
            award: None,
        })
        .collect();
    let mut ranking = Ranking { policy: *policy, tasks, rows: Vec::new(), first_changes, notes: Vec::new() };
    let award_notes = give_awards(board, &mut rows);
    rows.sort_by_key(|row| row.rank.unwrap_or(u32::MAX));
    ranking.notes = notes(&ranking.tasks, &rows);
    ranking.notes.extend(award_notes);
    ranking.rows = rows;
    ranking
}

/// Fills in the awards of all rows with a jury score; rows are in the order of the board.
fn give_awards(board: &Board, rows: &mut [Row]) -> Vec<Note> {
    let (holders, candidates): (Vec<usize>, Vec<Candidate>) = board
        .entries()
        .iter()
        .enumerate()
        // Only teams stand for an award, and a mean over fewer tasks is no mean to compare with.
        .filter(|(index, entry)| entry.kind == Kind::Team && !rows[*index].flags.contains(&RowFlag::Incomplete))
        .filter_map(|(index, entry)| Some((index, Candidate { z_mean: rows[index].z_mean?, jury: entry.jury? })))
        .unzip();
    if candidates.is_empty() {
        return Vec::new();
    }
    let awards = award(&candidates);
    for (index, total) in holders.into_iter().zip(&awards.totals) {
        rows[index].award = Some(*total);
    }
    [(awards.flat_z, Note::AwardFlatZ), (awards.flat_jury, Note::AwardFlatJury)]
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note))
        .collect()
}

fn notes(tasks: &[TaskSpread], rows: &[Row]) -> Vec<Note> {
    let flagged = |flag| rows.iter().any(|row| row.flags.contains(&flag));
    let incomplete = rows.iter().any(|row| row.rank.is_some() && row.flags.contains(&RowFlag::Incomplete));
    [
        (tasks.iter().any(|task| task.flags.contains(&TaskFlag::ZeroDeviation)), Note::ZeroDeviation),
        (incomplete, Note::IncompleteLast),
        (flagged(RowFlag::Filled), Note::Filled),
    ]
    .into_iter()
    .filter_map(|(holds, note)| holds.then_some(note))
    .collect()
}

#[cfg(test)]
mod tests;
