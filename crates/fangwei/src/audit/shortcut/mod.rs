//! Shortcuts: answers that need no understanding of the text. Each is learnt on some origin groups and tried on the others, so what it earns, any system can earn
//! without reading; only what lies above needs more.
//!
//! No shortcut sees the label of an item that it answers, nor that of a sibling: groups are held out whole, and the original of a text is inferred without labels.

mod judge;
mod locate;
mod reason;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::input::told;
use super::original::Replacement;
use super::pool::{Place, Pool};
use super::{Options, input::Told};
use crate::answer::Answer;
use crate::prior::mix;
use crate::stats::{Groups, Interval, Measure, Resampling, Rows, bootstrap};
use crate::task::{Item, Task, Texts};
use crate::tasks;

/// Draws of an interval.
const RESAMPLES: usize = 1000;

/// What a shortcut earns in a task.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shortcut {
    /// The task.
    pub task: &'static str,
    /// `majority`, `pair-prior`, `sibling-difference`, `n-gram`, `membership`, `combined`, `type-prior`, `majority-type` or `chance`.
    pub name: &'static str,
    /// `accuracy`, `macro_f1`, `inside_gold`, or the measure that ranks the task.
    pub measure: &'static str,
    /// Its value.
    pub value: f64,
    /// Its interval, resampled by origin group.
    pub interval: Interval,
    /// How many items were answered.
    pub items: u64,
}

/// How much of a task's score needs no understanding.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Statement {
    /// The task.
    pub task: &'static str,
    /// The measure.
    pub measure: &'static str,
    /// What knows nothing of an item: `majority` or `chance`.
    pub floor: &'static str,
    /// What it earns.
    pub floor_value: f64,
    /// The best shortcut.
    pub best: &'static str,
    /// What that earns.
    pub best_value: f64,
    /// Share of the way from the floor to 1 that the best shortcut goes.
    pub share: f64,
}

/// What all shortcuts work on.
pub(super) struct Setting<'p, 'd> {
    pub pool: &'p Pool<'d>,
    /// The replaced words of each text, inferred without labels.
    pub replaced: &'p [Option<Vec<Replacement>>],
    pub options: &'p Options<'p>,
    /// The fold of each origin group.
    fold: Vec<usize>,
}

/// The items of one task with gold, each question once.
pub(super) struct Questions {
    pub task: &'static dyn Task,
    pub places: Vec<Place>,
    /// The origin group of each.
    pub group: Vec<u32>,
}

impl Questions {
    pub fn items<'q, 'd>(&'q self, pool: &'q Pool<'d>) -> impl Iterator<Item = &'d Item> + use<'q, 'd> {
        self.places.iter().map(|place| pool.item(*place))
    }
}

/// What every task's shortcuts earn, and what that says.
pub(super) fn shortcuts(
    pool: &Pool<'_>,
    replaced: &[Option<Vec<Replacement>>],
    options: &Options<'_>,
) -> (Vec<Shortcut>, Vec<Statement>) {
    let setting = Setting { pool, replaced, options, fold: folds(pool, options) };
    let (mut all, mut statements) = (Vec::new(), Vec::new());
    for task in tasks::all() {
        let questions = questions(pool, task);
        let mut groups = questions.group.clone();
        groups.sort_unstable();
        groups.dedup();
        // With one origin nothing can be held out.
        let Some(first) = questions.items(pool).next().filter(|_| groups.len() > 1) else { continue };
        let found = match (first.gold.as_ref(), &first.texts) {
            (Some(Answer::Verdict(_)), Texts::Reason { .. }) => reason::shortcuts(&setting, &questions),
            (Some(Answer::Verdict(_) | Answer::Joint(..)), _) => judge::shortcuts(&setting, &questions),
            (Some(Answer::Scene(_)), _) => judge::majority(&setting, &questions),
            (Some(Answer::Reasons(_) | Answer::Candidates(_)), _) => locate::shortcuts(&setting, &questions),
            _ => Vec::new(),
        };
        statements.extend(statement(&found));
        all.extend(found);
    }
    (all, statements)
}

/// The first measure of the floor, and the shortcut that earns most of it.
fn statement(shortcuts: &[Shortcut]) -> Option<Statement> {
    let floor = shortcuts.first()?;
    let others = shortcuts[1..].iter().filter(|shortcut| shortcut.measure == floor.measure);
    let best = others.reduce(|best, next| if next.value > best.value { next } else { best }).unwrap_or(floor);
    let share = crate::score::ratio((best.value - floor.value).max(0.0), 1.0 - floor.value);
    let (floor_value, best_value) = (floor.value, best.value);
    let (task, measure) = (floor.task, floor.measure);
    Some(Statement { task, measure, floor: floor.name, floor_value, best: best.name, best_value, share })
}

/// The items of a task that have gold; of a repeated question the first.
fn questions(pool: &Pool<'_>, task: &'static dyn Task) -> Questions {
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut questions = Questions { task, places: Vec::new(), group: Vec::new() };
    for (file, set) in pool.files.iter().enumerate().filter(|(_, set)| set.task.is_some_and(|other| other.id() == task.id())) {
        for (number, item) in set.items.iter().enumerate().filter(|(_, item)| item.gold.is_some()) {
            let beside = match &item.texts {
                Texts::Reason { reason, .. } if !matches!(told(item), Some(Told::Judged(_))) => reason.as_str(),
                Texts::Pair { context2, .. } => context2.as_str(),
                // Whether a text is normal does not depend on the reason beside it.
                Texts::Reason { .. } | Texts::One { .. } | Texts::Absent => "",
            };
            let place = Place { file, item: number };
            if let Some(group) = pool.group_of(place).filter(|_| seen.insert((item.texts.context(), beside))) {
                questions.places.push(place);
                questions.group.push(group);
            }
        }
    }
    questions
}

/// Deals groups to folds: in an order that the seed shuffles, each to the fold with the fewest texts.
fn folds(pool: &Pool<'_>, options: &Options<'_>) -> Vec<usize> {
    let mut sizes = vec![0_u64; pool.groups];
    for group in &pool.group {
        sizes[*group as usize] += 1;
    }
    let mut order: Vec<usize> = (0..pool.groups).collect();
    order.sort_by_key(|group| (mix(options.seed, *group as u64), *group));
    let mut load = vec![0_u64; options.folds.clamp(2, 1000)];
    let mut fold = vec![0; pool.groups];
    for group in order {
        let least = (0..load.len()).min_by_key(|fold| load[*fold]).unwrap_or(0);
        load[least] += sizes[group];
        fold[group] = least;
    }
    fold
}

impl Setting<'_, '_> {
    /// Answers every question by what was learnt on the other folds: `answer` gets the numbers of the questions to learn from and of those to answer.
    pub fn held_out<T: Send + Clone + Default>(
        &self,
        questions: &Questions,
        answer: impl Fn(&[usize], &[usize]) -> Vec<T> + Sync,
    ) -> Vec<T> {
        let fold_of = |number: usize| self.fold[questions.group[number] as usize];
        let folds = self.fold.iter().max().map_or(0, |last| last + 1);
        let answered: Vec<(Vec<usize>, Vec<T>)> = (0..folds)
            .into_par_iter()
            .map(|fold| {
                let (test, train): (Vec<usize>, Vec<usize>) =
                    (0..questions.places.len()).partition(|number| fold_of(*number) == fold);
                let answers = if test.is_empty() { Vec::new() } else { answer(&train, &test) };
                (test, answers)
            })
            .collect();
        let mut all = vec![T::default(); questions.places.len()];
        for (test, answers) in answered {
            for (number, answer) in test.into_iter().zip(answers) {
                all[number] = answer;
            }
        }
        all
    }

    /// Reads a measure off rows, with its interval.
    pub fn measured(
        &self,
        questions: &Questions,
        name: &'static str,
        measure_name: &'static str,
        rows: &[Vec<f64>],
        measure: Measure<'_>,
    ) -> Option<Shortcut> {
        let mut table = Rows::new(rows.first()?.len());
        for row in rows {
            table.push(row).ok()?;
        }
        let groups = Groups::from_keys(&questions.group);
        let resampling = Resampling { seed: self.options.seed, resamples: RESAMPLES, ..Resampling::default() };
        let interval = bootstrap(&table, &groups, measure, &resampling).ok()?;
        let value = measure(&table.sums(), table.len() as f64);
        let items = rows.len() as u64;
        Some(Shortcut { task: questions.task.id(), name, measure: measure_name, value, interval, items })
    }

    /// Accuracy and macro F1 of predicted classes.
    pub fn classified(&self, questions: &Questions, name: &'static str, gold: &[usize], preds: &[usize]) -> Vec<Shortcut> {
        let classes = gold.iter().chain(preds).max().map_or(0, |last| last + 1);
        let row = |(gold, pred): (&usize, &usize)| {
            let mut row = vec![0.0; 3 * classes];
            row[3 * gold] += f64::from(u8::from(gold == pred));
            row[3 * gold + 1] += 1.0;
            row[3 * pred + 2] += 1.0;
            row
        };
        let rows: Vec<Vec<f64>> = gold.iter().zip(preds).map(row).collect();
        let accuracy = |sums: &[f64], items: f64| crate::score::ratio(sums.iter().step_by(3).sum(), items);
        // The mean over classes that occur, in gold or among the answers.
        let macro_f1 = |sums: &[f64], _: f64| {
            let there: Vec<&[f64]> = sums.chunks_exact(3).filter(|class| class[1] + class[2] > 0.0).collect();
            let f1: f64 = there.iter().map(|class| 2.0 * class[0] / (class[1] + class[2])).sum();
            crate::score::ratio(f1, there.len() as f64)
        };
        let measures: [(&'static str, Measure<'_>); 2] = [("accuracy", &accuracy), ("macro_f1", &macro_f1)];
        measures.into_iter().filter_map(|(measure, read)| self.measured(questions, name, measure, &rows, read)).collect()
    }
}
