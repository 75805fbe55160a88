//! How much a place hangs on one task or one rival: the ranking again without each of them.

use serde::Serialize;

use super::board::Board;
use super::policy::Policy;
use super::standing::{Standing, View};

/// What was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", content = "name", rename_all = "kebab-case")]
pub enum LeftOut {
    /// A task.
    Task(String),
    /// A row of the population.
    Row(String),
}

/// Something whose absence gives the first place to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstChange {
    /// What was left out.
    pub left_out: LeftOut,
    /// Who is first then.
    pub first: Vec<String>,
}

/// Best and worst rank of every entry, and what changes the first place.
///
/// A row that is left out keeps its place in the count: nobody gains a rank merely because someone above
/// is absent. That the first place changes when its only holder is left out is no news, and not listed.
pub(super) fn stability(board: &Board, policy: &Policy, full: &Standing) -> (Vec<Option<[u32; 2]>>, Vec<FirstChange>) {
    let mut ranges: Vec<Option<[u32; 2]>> = full.places.iter().map(|place| place.rank.map(|rank| [rank, rank])).collect();
    let mut changes = Vec::new();
    let ranked: Vec<usize> = (0..full.places.len()).filter(|&entry| full.places[entry].rank.is_some()).collect();

    let tasks = 0..board.tasks().len();
    // Without its only task a board ranks nobody.
    let tasks = if tasks.len() > 1 { tasks } else { 0..0 };
    let absences = tasks.map(Absence::Task).chain(ranked.iter().copied().map(Absence::Row));
    for absence in absences {
        let mut view = View::whole(board);
        match absence {
            Absence::Task(task) => view.tasks.retain(|&index| index != task),
            Absence::Row(row) => view.entries.retain(|&index| index != row),
        }
        let standing = view.standing(policy);
        let gone = match absence {
            Absence::Row(row) => full.places[row].rank,
            Absence::Task(_) => None,
        };
        let mut first = Vec::new();
        for (&entry, place) in view.entries.iter().zip(&standing.places) {
            let Some(rank) = place.rank else { continue };
            if rank == 1 {
                first.push(entry);
            }
            let above = full.places[entry].rank.is_some_and(|own| gone.is_some_and(|gone| gone < own));
            let rank = rank + u32::from(above);
            if let Some(range) = &mut ranges[entry] {
                *range = [range[0].min(rank), range[1].max(rank)];
            }
        }
        let expected: Vec<usize> = ranked
            .iter()
            .copied()
            .filter(|&entry| full.places[entry].rank == Some(1) && absence != Absence::Row(entry))
            .collect();
        if !expected.is_empty() && first != expected {
            let name = |entry: usize| board.entries()[entry].name.clone();
            changes.push(FirstChange {
                left_out: match absence {
                    Absence::Task(task) => LeftOut::Task(board.tasks()[task].clone()),
                    Absence::Row(row) => LeftOut::Row(name(row)),
                },
                first: first.into_iter().map(name).collect(),
            });
        }
    }
    (ranges, changes)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Absence {
    Task(usize),
    Row(usize),
}
