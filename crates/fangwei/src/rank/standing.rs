//! The arithmetic of a ranking, over any part of a board: the whole of it, or all but one task or row.

use std::ops::Range;

use super::board::Board;
use super::policy::{By, Ddof, Missing, Policy};

/// Values this close are equal: they differ only by the order of additions.
pub(super) const EQUAL: f64 = 1e-12;

/// The part of a board that is looked at, by the indexes of its tasks and entries.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) tasks: Vec<usize>,
    pub(super) entries: Vec<usize>,
}

/// Mean and deviation of a task over the population.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    /// Nothing if nobody of the population has a score.
    pub(super) mean: Option<f64>,
    /// 0 where all are equal, or where one score is too few for a deviation.
    pub(super) deviation: f64,
    pub(super) population: usize,
}

/// What a row got; tasks in the order of the view.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Place {
    pub(super) z: Vec<Option<f64>>,
    pub(super) z_mean: Option<f64>,
    pub(super) mean_rank: Option<f64>,
    pub(super) mean_score: Option<f64>,
    pub(super) rank: Option<u32>,
    pub(super) tied: bool,
    pub(super) incomplete: bool,
    /// A missing score was replaced.
    pub(super) filled: bool,
}

/// A ranking; entries in the order of the view.
pub(super) struct Standing {
    pub(super) spreads: Vec<Spread>,
    pub(super) places: Vec<Place>,
}

impl<'a> View<'a> {
    pub(super) fn whole(board: &'a Board) -> Self {
        Self { board, tasks: (0..board.tasks().len()).collect(), entries: (0..board.entries().len()).collect() }
    }

    /// Ranks what is in view.
    pub(super) fn standing(&self, policy: &Policy) -> Standing {
        let entries: Vec<_> = self.entries.iter().map(|&entry| &self.board.entries()[entry]).collect();
        let inside: Vec<bool> = entries.iter().map(|entry| policy.population.holds(entry.kind)).collect();
        let mut places = vec![Place::default(); entries.len()];
        let mut spreads = Vec::new();
        let mut scores = vec![Vec::new(); entries.len()];
        let mut ranks = vec![Vec::new(); entries.len()];
        for &task in &self.tasks {
            let mut column: Vec<Option<f64>> = entries.iter().map(|entry| entry.scores[task]).collect();
            let filler = filler(policy.missing, &column, &inside);
            for (score, place) in column.iter_mut().zip(&mut places) {
                if score.is_none() && filler.is_some() {
                    *score = filler;
                    place.filled = true;
                }
            }
            let spread = spread(&population(&column, &inside), policy.ddof);
            for (index, &score) in column.iter().enumerate() {
                places[index].z.push(score.and_then(|score| spread.z(score)));
                places[index].incomplete |= score.is_none();
                scores[index].extend(score);
            }
            for (index, rank) in task_ranks(&column, &inside) {
                ranks[index].push(rank);
            }
            spreads.push(spread);
        }
        for (index, place) in places.iter_mut().enumerate() {
            let present: Vec<f64> = place.z.iter().flatten().copied().collect();
            place.z_mean = mean(&present);
            place.mean_score = mean(&scores[index]);
            place.mean_rank = mean(&ranks[index]);
        }
        assign_ranks(&mut places, &inside, policy.by);
        Standing { spreads, places }
    }
}

impl By {
    /// What decides the place of a row.
    pub(super) fn of(self, place: &Place) -> Option<f64> {
        match self {
            By::ZMean => place.z_mean,
            By::MeanRank => place.mean_rank,
            By::MeanScore => place.mean_score,
        }
    }

    /// The same, so that lower is better.
    pub(super) fn lower_first(self, value: f64) -> f64 {
        if self == By::MeanRank { value } else { -value }
    }
}

impl Spread {
    fn z(&self, score: f64) -> Option<f64> {
        let mean = self.mean?;
        Some(if self.deviation == 0.0 { 0.0 } else { (score - mean) / self.deviation })
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn population(column: &[Option<f64>], inside: &[bool]) -> Vec<f64> {
    column.iter().zip(inside).filter(|(_, inside)| **inside).filter_map(|(score, _)| *score).collect()
}

fn filler(missing: Missing, column: &[Option<f64>], inside: &[bool]) -> Option<f64> {
    match missing {
        Missing::Skip => None,
        Missing::Zero => Some(0.0),
        Missing::Worst => population(column, inside).into_iter().reduce(f64::min),
    }
}

fn spread(values: &[f64], ddof: Ddof) -> Spread {
    let population = values.len();
    let Some(mean) = mean(values) else {
        return Spread { mean: None, deviation: 0.0, population };
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let divisor = population - usize::from(u8::from(ddof));
    // Equal scores can have a mean that misses them by a last digit; the range tells what the sum hides.
    if divisor == 0 || high - low <= EQUAL * high.abs().max(low.abs()).max(1.0) {
        return Spread { mean: Some(mean), deviation: 0.0, population };
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Spread { mean: Some(mean), deviation: (squares / divisor as f64).sqrt(), population }
}

/// Runs of equal values in a sorted list; a run's members are compared with its first, so that a chain of
/// near values does not become one tie.
fn ties(sorted: &[(usize, f64)]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (place, (_, value)) in sorted.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if (sorted[run.start].1 - value).abs() <= EQUAL => run.end = place + 1,
            _ => runs.push(place..place + 1),
        }
    }
    runs
}

/// Ranks within one task, of the population only; equal scores share the mean of their places.
fn task_ranks(column: &[Option<f64>], inside: &[bool]) -> Vec<(usize, f64)> {
    let mut sorted: Vec<(usize, f64)> = column
        .iter()
        .zip(inside)
        .enumerate()
        .filter(|(_, (_, inside))| **inside)
        .filter_map(|(index, (score, _))| score.map(|score| (index, score)))
        .collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut ranks = Vec::new();
    for run in ties(&sorted) {
        let shared = (run.start + 1 + run.end) as f64 / 2.0;
        ranks.extend(sorted[run].iter().map(|&(index, _)| (index, shared)));
    }
    ranks
}

/// Ranks the population: complete rows first, then the incomplete ones; equals share a rank.
fn assign_ranks(places: &mut [Place], inside: &[bool], by: By) {
    let mut before = 0;
    for incomplete in [false, true] {
        let mut sorted: Vec<(usize, f64)> = places
            .iter()
            .enumerate()
            .filter(|(index, place)| inside[*index] && place.incomplete == incomplete)
            .filter_map(|(index, place)| by.of(place).map(|value| (index, by.lower_first(value))))
            .collect();
        // Stable: equals stay in the order of the board.
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
        for run in ties(&sorted) {
            let (rank, tied) = (before + run.start as u32 + 1, run.len() > 1);
            for &(index, _) in &sorted[run] {
                places[index].rank = Some(rank);
                places[index].tied = tied;
            }
        }
        before += sorted.len() as u32;
    }
}
