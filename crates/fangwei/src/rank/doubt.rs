//! How far a place can be trusted: the board ranked again under many draws of its items.
//!
//! Each draw gives every row other scores; ranking each of these boards tells how far a row moves by luck alone, how often it would be first, and which rows luck
//! could have put the other way round.

use serde::Serialize;

use super::board::Board;
use super::policy::Policy;
use super::standing::View;
use crate::stats::{Interval, percentile_interval};

/// The scores of all rows of a board in one task, drawn again and again: a list per draw, in the order of the board.
pub type Draws = Vec<Vec<Option<f64>>>;

/// What the draws say of a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Doubt {
    /// The interval of what decides; nothing where no draw moves the row.
    pub interval: Option<Interval>,
    /// In which share of the draws it is first; equals share. Nothing for a row that is not ranked.
    pub first: Option<f64>,
    /// The groups that it belongs to, from 1: rows of one group cannot be told apart. Empty where no draw moves the row.
    pub groups: Vec<u32>,
}

/// What the draws say of every row, in the order of the board. `draws` has a list per task; all must be of one length.
///
/// `is_drawn` says whose scores the draws move: a row that was typed in stands still, so that its place is known and its chance is not.
pub fn doubts(board: &Board, policy: &Policy, draws: &[Draws], is_drawn: &[bool], confidence: f64) -> Vec<Doubt> {
    let rows = board.entries().len();
    let count = draws.iter().map(Vec::len).min().unwrap_or(0);
    let mut values: Vec<Vec<f64>> = vec![Vec::with_capacity(count); rows];
    let mut firsts = vec![0.0; rows];
    let mut drawn = board.clone();
    for draw in 0..count {
        for (row, entry) in drawn.entries.iter_mut().enumerate() {
            for (task, score) in entry.scores.iter_mut().enumerate() {
                *score = draws.get(task).and_then(|draws| draws[draw].get(row).copied()).flatten();
            }
        }
        let standing = View::whole(&drawn).standing(policy);
        let first: Vec<usize> = (0..rows).filter(|row| standing.places[*row].rank == Some(1)).collect();
        for row in &first {
            firsts[*row] += 1.0 / first.len() as f64;
        }
        for (row, place) in standing.places.iter().enumerate() {
            values[row].extend(policy.by.of(place));
        }
    }
    let whole = View::whole(board).standing(policy);
    let told: Vec<bool> = (0..rows).map(|row| is_drawn[row] && count > 0 && values[row].len() == count).collect();
    let groups = groups(&order(&whole.places, &told, policy), &values, confidence);
    // Where nothing moves there is no luck to speak of, only what was typed.
    let is_moved = told.contains(&true);
    let doubt = |row: usize| Doubt {
        interval: told[row].then(|| percentile_interval(values[row].clone(), confidence)),
        first: (is_moved && whole.places[row].rank.is_some()).then(|| firsts[row] / count as f64),
        groups: groups.iter().zip(1..).filter(|(group, _)| group.contains(&row)).map(|(_, number)| number).collect(),
    };
    (0..rows).map(doubt).collect()
}

/// Ranked rows by rank, then the others by what would decide; those that the draws move.
fn order(places: &[super::standing::Place], told: &[bool], policy: &Policy) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..places.len()).filter(|row| told[*row]).collect();
    let key = |row: usize| policy.by.of(&places[row]).map_or(f64::INFINITY, |value| policy.by.lower_first(value));
    rows.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
    rows
}

/// The longest runs of neighbours, in the order of the board, of which no two can be told apart.
fn groups(order: &[usize], values: &[Vec<f64>], confidence: f64) -> Vec<Vec<usize>> {
    let alike = |a: usize, b: usize| {
        let differences: Vec<f64> = values[a].iter().zip(&values[b]).map(|(a, b)| a - b).collect();
        let interval = percentile_interval(differences, confidence);
        interval.low <= 0.0 && interval.high >= 0.0
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let (mut begin, mut covered) = (0, 0);
    for end in 0..order.len() {
        // The run ends before who differs from a member of it; what follows that member begins the next.
        let apart = (begin..end).rev().find(|member| !alike(order[*member], order[end]));
        if let Some(member) = apart {
            groups.push(order[begin..end].to_vec());
            begin = member + 1;
        }
        covered = end + 1;
    }
    if covered > begin {
        groups.push(order[begin..covered].to_vec());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::{By, Ddof, Missing, Population};
    use super::*;

    fn by_score() -> Policy {
        Policy::custom(Population::Teams, Ddof::One, Missing::Skip, By::MeanScore)
    }

    #[test]
    fn chances_intervals_and_groups_by_hand() {
        let board = Board::from_csv("name,kind,a\nx,team,0.8\ny,team,0.7\nz,team,0.2\nb,baseline,0.5\nw,team,n/a\n").board;
        // Four draws: x is first in three, y in one; z is never near. The baseline was typed in and stands still.
        let draws: Draws = [[0.8, 0.7, 0.2], [0.9, 0.6, 0.3], [0.7, 0.75, 0.1], [0.8, 0.7, 0.2]]
            .map(|[x, y, z]| vec![Some(x), Some(y), Some(z), Some(0.5), None])
            .into();
        let found = doubts(&board, &by_score(), &[draws], &[true, true, true, false, false], 1.0 - 1e-9);
        let firsts: Vec<Option<f64>> = found.iter().map(|doubt| doubt.first).collect();
        assert_eq!(firsts, [Some(0.75), Some(0.25), Some(0.0), None, None], "a baseline and who has no score are not ranked");
        let groups: Vec<&[u32]> = found.iter().map(|doubt| doubt.groups.as_slice()).collect();
        assert_eq!(groups, [&[1][..], &[1], &[2], &[], &[]], "x - y is from -0.05 to 0.3: either may be better");
        let x = found[0].interval.expect("drawn");
        assert!((x.low - 0.7).abs() < 1e-6 && (x.high - 0.9).abs() < 1e-6, "{x:?}");
        assert_eq!((found[3].interval, found[4].interval), (None, None));
    }

    #[test]
    fn groups_overlap_like_letters() {
        // a - b is -0.5 to 1 and b - c -0.5 to 0.6, either way; a - c is 0.1 to 0.5, one way.
        let values = [vec![3.0, 3.0], vec![2.0, 3.5], vec![2.5, 2.9]].map(|mut values| {
            values.extend_from_within(..);
            values
        });
        assert_eq!(groups(&[0, 1, 2], &values, 1.0 - 1e-9), [vec![0, 1], vec![1, 2]]);
    }

    #[test]
    fn equals_share_the_first_place() {
        let board = Board::from_csv("name,kind,a\nx,team,0.5\ny,team,0.5\n").board;
        let draws: Draws = vec![vec![Some(0.5), Some(0.5)]; 10];
        let found = doubts(&board, &by_score(), &[draws], &[true, true], 0.95);
        assert_eq!(found[0], found[1]);
        assert_eq!((found[0].first, found[0].groups.as_slice()), (Some(0.5), &[1][..]));
        assert_eq!(doubts(&board, &by_score(), &[], &[true, true], 0.95)[0].first, None, "no draws, no chance");
    }
}
