//! The standings of a board: its rows ranked overall by its policy and task by task by their scores, and how far each place can be trusted.

use std::collections::HashMap;

use smol_str::SmolStr;

use super::{BoardPlan, ItemRow};
use crate::compare::measure_at;
use crate::rank::{Board, By, Doubt, Draws, Entry, Missing, Policy, Ranking, doubts, rank};
use crate::stats::{Groups, Resampling, Rows, StatsError, resampled};
use crate::task::{Mode, Task};

/// How boards resample: 2,000 draws place a chance to about two points, and fifty teams are done in seconds.
pub const BOARD_RESAMPLING: Resampling = Resampling { seed: 0, resamples: 2_000, confidence: 0.95 };

/// A board in order, overall and task by task. Rows are named by keys, since names for people can be alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// By the policy of the board.
    pub overall: Ranking,
    /// By the scores of each task.
    pub tasks: Vec<Ranking>,
}

/// What the draws for a task are made from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// The family of every item: siblings are drawn together.
    pub families: HashMap<SmolStr, u32>,
    /// The results of the items that count, per row of the board; nothing for rows that were typed in or have no score.
    pub rows: Vec<Option<Vec<ItemRow>>>,
}

/// How far the places of a board can be trusted; rows in the order that they were given in.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardDoubts {
    /// Of the whole board.
    pub overall: Vec<Doubt>,
    /// Of each task.
    pub tasks: Vec<Vec<Doubt>>,
    /// How many families of items were drawn from, per task.
    pub families: Vec<usize>,
}

impl BoardPlan {
    /// The rows of a file as entries of this board: columns are told by the id, the short id or the official number of a task; other columns are left out.
    pub fn entries_of(&self, rows: &Board) -> Vec<Entry> {
        let column = |task: &&'static dyn Task| rows.tasks().iter().position(|column| task.about().is_called(column));
        let columns: Vec<Option<usize>> = self.tasks.iter().map(column).collect();
        let entry = |entry: &Entry| Entry {
            scores: columns.iter().map(|column| column.and_then(|column| entry.scores[column])).collect(),
            ..entry.clone()
        };
        rows.entries().iter().map(entry).collect()
    }

    /// Ranks entries, whose scores are in the order of the board's tasks.
    pub fn standings(&self, entries: &[Entry]) -> Standings {
        let tasks = (0..self.tasks.len()).map(|task| rank(&self.board_of(entries, Some(task)), &self.task_policy())).collect();
        Standings { overall: rank(&self.board_of(entries, None), &self.policy), tasks }
    }

    /// How far the places can be trusted. `evidence` is one per task, its rows in the order of the entries.
    ///
    /// Tasks are drawn independently of each other. Rows whose items are not those of most others (scored with another gold) stand still like typed ones.
    pub fn doubts(&self, entries: &[Entry], evidence: &[Evidence], resampling: &Resampling) -> Result<BoardDoubts, StatsError> {
        let mut drawn: Vec<(Draws, Vec<bool>, usize)> = Vec::new();
        for (number, task) in self.tasks.iter().enumerate() {
            let seeded = Resampling { seed: resampling.seed.wrapping_add(number as u64), ..*resampling };
            let fixed: Vec<Option<f64>> = entries.iter().map(|entry| entry.scores.get(number).copied().flatten()).collect();
            drawn.push(draw(*task, &fixed, evidence.get(number), &seeded)?);
        }
        let confidence = resampling.confidence;
        let of_task = |(number, (draws, moves, _)): (usize, &(Draws, Vec<bool>, usize))| {
            let board = self.board_of(entries, Some(number));
            doubts(&board, &self.task_policy(), std::slice::from_ref(draws), moves, confidence)
        };
        let tasks = drawn.iter().enumerate().map(of_task).collect();
        let moves: Vec<bool> = (0..entries.len()).map(|row| drawn.iter().any(|(_, moves, _)| moves[row])).collect();
        let families = drawn.iter().map(|(_, _, families)| *families).collect();
        let draws: Vec<Draws> = drawn.into_iter().map(|(draws, _, _)| draws).collect();
        let overall = doubts(&self.board_of(entries, None), &self.policy, &draws, &moves, confidence);
        Ok(BoardDoubts { overall, tasks, families })
    }

    /// A task alone is ranked by its scores; who has none is not ranked.
    fn task_policy(&self) -> Policy {
        Policy::custom(self.policy.population, self.policy.ddof, Missing::Skip, By::MeanScore)
    }

    fn board_of(&self, entries: &[Entry], only: Option<usize>) -> Board {
        let tasks: Vec<&str> = match only {
            Some(number) => vec![self.tasks[number].id()],
            None => self.tasks.iter().map(|task| task.id()).collect(),
        };
        let entry = |entry: &Entry| Entry {
            scores: only.map_or_else(|| entry.scores.clone(), |number| vec![entry.scores.get(number).copied().flatten()]),
            ..entry.clone()
        };
        Board::from_scores(&tasks, entries.iter().map(entry)).board
    }
}

/// The draws of a task, whom they move, and the number of families.
fn draw(
    task: &'static dyn Task,
    fixed: &[Option<f64>],
    evidence: Option<&Evidence>,
    resampling: &Resampling,
) -> Result<(Draws, Vec<bool>, usize), StatsError> {
    let empty = Evidence::default();
    let evidence = evidence.unwrap_or(&empty);
    let items_of = |row: usize| evidence.rows.get(row).and_then(Option::as_ref).filter(|_| fixed[row].is_some());
    let Some(usual) = usual(fixed.len(), items_of) else {
        return Ok((vec![fixed.to_vec(); resampling.resamples], vec![false; fixed.len()], 0));
    };
    let groups = Groups::from_keys(usual.iter().enumerate().map(|(number, item)| match evidence.families.get(&item.qid) {
        Some(family) => (true, *family as usize),
        None => (false, number),
    }));
    let table = |row: usize| {
        let items = items_of(row).filter(|items| is_same(items, usual))?;
        let mut rows = Rows::new(task.scale().columns.len());
        items.iter().try_for_each(|item| rows.push(&item.row)).ok()?;
        Some(rows)
    };
    let tables: Vec<Option<Rows>> = (0..fixed.len()).map(table).collect();
    let systems: Vec<&Rows> = tables.iter().flatten().collect();
    let measure = measure_at(task, Mode::Official, task.scale().ranking);
    let draws = if systems.is_empty() {
        vec![fixed.to_vec(); resampling.resamples]
    } else {
        let put = |drawn: Vec<f64>| {
            let mut drawn = drawn.into_iter();
            tables.iter().zip(fixed).map(|(table, fixed)| if table.is_some() { drawn.next() } else { *fixed }).collect()
        };
        resampled(&systems, &groups, &measure, resampling)?.into_iter().map(put).collect()
    };
    Ok((draws, tables.iter().map(Option::is_some).collect(), groups.count()))
}

/// The items that most rows have; of equals those of the first.
fn usual<'i>(rows: usize, items_of: impl Fn(usize) -> Option<&'i Vec<ItemRow>>) -> Option<&'i Vec<ItemRow>> {
    let mut sets: Vec<(&Vec<ItemRow>, usize)> = Vec::new();
    for items in (0..rows).filter_map(items_of).filter(|items| !items.is_empty()) {
        match sets.iter_mut().find(|(known, _)| is_same(known, items)) {
            Some((_, count)) => *count += 1,
            None => sets.push((items, 1)),
        }
    }
    sets.into_iter().rev().max_by_key(|(_, count)| *count).map(|(items, _)| items)
}

fn is_same(a: &[ItemRow], b: &[ItemRow]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.qid == b.qid)
}

#[cfg(test)]
mod tests {
    use super::super::Names;
    use super::*;
    use crate::lang::Say;
    use crate::rank::Kind;
    use crate::tasks::find;

    fn plan(tasks: &[&str], policy: &str) -> BoardPlan {
        BoardPlan {
            id: "b".to_owned(),
            title: Say::same("b"),
            phase: "test".to_owned(),
            tasks: tasks.iter().map(|task| find(task).expect("a task")).collect(),
            policy: Policy::named(policy).expect("a policy"),
            names: Names::Full,
            rows: String::new(),
            precision: 4,
            frozen_at: None,
        }
    }

    fn entry(name: &str, kind: Kind, scores: &[Option<f64>]) -> Entry {
        Entry { name: name.to_owned(), kind, scores: scores.to_vec(), jury: None }
    }

    /// Results of a judgement task: 1 where right.
    fn items(right: &[u8]) -> Vec<ItemRow> {
        let scale = find("2022/judge").expect("a task").scale();
        let one = |(number, right): (usize, &u8)| {
            let mut row = vec![0.0; scale.columns.len()];
            row[scale.item] = f64::from(*right);
            ItemRow { qid: format!("q{number}").into(), answered: true, private: false, row }
        };
        right.iter().enumerate().map(one).collect()
    }

    #[test]
    fn the_draws_are_those_of_the_comparison() {
        let plan = plan(&["2022/judge"], "2022");
        let (a, b): (Vec<u8>, Vec<u8>) =
            ((0..40).map(|n| u8::from(n % 4 != 0)).collect(), (0..40).map(|n| u8::from(n % 3 != 0)).collect());
        let share = |right: &[u8]| Some(right.iter().map(|right| f64::from(*right)).sum::<f64>() / 40.0);
        let entries = [
            entry("a", Kind::Team, &[share(&a)]),
            entry("b", Kind::Team, &[share(&b)]),
            entry("none", Kind::Team, &[None]),
            entry("typed", Kind::Baseline, &[Some(0.1)]),
        ];
        // Siblings in pairs.
        let families = (0..40_u32).map(|n| (format!("q{n}").into(), n / 2)).collect();
        let evidence = Evidence { families, rows: vec![Some(items(&a)), Some(items(&b)), None, None] };
        let found = plan.doubts(&entries, &[evidence], &BOARD_RESAMPLING).expect("draws");
        assert_eq!(found.families, [20]);
        let mut rows = [Rows::new(1), Rows::new(1)];
        for (rows, right) in rows.iter_mut().zip([&a, &b]) {
            for right in right {
                rows.push(&[f64::from(*right)]).expect("finite");
            }
        }
        let groups = Groups::from_keys((0..40).map(|n| n / 2));
        let accuracy = |sums: &[f64], items: f64| sums[0] / items;
        let interval = crate::stats::bootstrap(&rows[0], &groups, &accuracy, &BOARD_RESAMPLING).expect("draws");
        let first = crate::stats::first_probability(&rows, &groups, &accuracy, &BOARD_RESAMPLING).expect("draws");
        let of_a = &found.tasks[0][0];
        assert_eq!((of_a.interval, of_a.first), (Some(interval), Some(first[0])), "one bootstrap, not two");
        assert_eq!((found.tasks[0][2].first, found.tasks[0][2].interval), (None, None), "n/a is not ranked");
        assert_eq!((found.tasks[0][3].first, found.tasks[0][3].groups.len()), (None, 0), "typed rows stand still");
        let chances: f64 = found.overall.iter().filter_map(|doubt| doubt.first).sum();
        assert!((chances - 1.0).abs() < 1e-9, "somebody is first: {chances}");
    }

    #[test]
    fn na_never_ranks_and_one_task_may_be_missing() {
        let plan = plan(&["2022/judge", "2022/roles"], "2022");
        let entries = [
            entry("na", Kind::Team, &[None, None]),
            entry("half", Kind::Team, &[Some(0.9), None]),
            entry("low", Kind::Team, &[Some(0.5), Some(0.1)]),
            entry("high", Kind::Team, &[Some(0.7), Some(0.3)]),
        ];
        let Standings { overall, tasks } = plan.standings(&entries);
        let places = |ranking: &Ranking| ranking.rows.iter().map(|row| (row.name.clone(), row.rank)).collect::<Vec<_>>();
        let expected = [("high", Some(1)), ("low", Some(2)), ("half", Some(3)), ("na", None)];
        assert_eq!(places(&overall), expected.map(|(name, rank)| (name.to_owned(), rank)));
        let expected = [("half", Some(1)), ("high", Some(2)), ("low", Some(3)), ("na", None)];
        assert_eq!(places(&tasks[0]), expected.map(|(name, rank)| (name.to_owned(), rank)));
        assert_eq!(places(&tasks[1])[2..], [("na".to_owned(), None), ("half".to_owned(), None)]);
        let still = plan.doubts(&entries, &[], &BOARD_RESAMPLING).expect("no draws");
        assert_eq!((still.overall[3].interval, still.overall[3].first), (None, None), "nothing moves without items");
    }

    /// `cargo test --release -p fangwei fifty_teams -- --ignored --nocapture`
    #[test]
    #[ignore = "takes long without optimisation"]
    fn fifty_teams_three_tasks_three_thousand_items() {
        let plan = plan(&["2022/judge", "2022/attribute", "2022/roles"], "2022");
        let item = |task: &dyn Task, team: usize, number: usize| {
            let value = f64::from(u8::from((number * 7919 + team * 104_729) % 97 < 40 + team));
            ItemRow {
                qid: format!("q{number}").into(),
                answered: true,
                private: false,
                row: vec![value; task.scale().columns.len()],
            }
        };
        let evidence_of = |task: &&'static dyn Task| Evidence {
            families: (0..3000_u32).map(|number| (format!("q{number}").into(), number / 2)).collect(),
            rows: (0..50).map(|team| Some((0..3000).map(|number| item(*task, team, number)).collect())).collect(),
        };
        let evidence: Vec<Evidence> = plan.tasks.iter().map(evidence_of).collect();
        let entries: Vec<Entry> = (0..50).map(|team| entry(&team.to_string(), Kind::Team, &[Some(0.5); 3])).collect();
        let begun = std::time::Instant::now();
        let found = plan.doubts(&entries, &evidence, &BOARD_RESAMPLING).expect("draws");
        let spent = begun.elapsed();
        assert_eq!(found.families, [1500; 3]);
        assert!(spent.as_secs() < 10, "{spent:?}");
    }

    #[test]
    fn columns_of_a_file_are_told_by_any_name_of_a_task() {
        let rows = Board::from_csv("name,kind,task3,note,2022/judge,z\n基线,baseline,0.5,7,0.6,1\n").board;
        let entries = plan(&["2022/judge", "2022/attribute", "2022/roles"], "2022").entries_of(&rows);
        assert_eq!(entries[0].scores, [Some(0.6), None, Some(0.5)]);
    }
}
