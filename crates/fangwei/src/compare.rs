//! Compares systems on the same items: differences with intervals, and whether chance alone could make them.
//!
//! Items of one origin are no independent evidence, so whole origins are drawn and swapped together, unless plain resampling is asked for.

use serde::Serialize;

use crate::lang::{Unknown, words};
use crate::score::{Measures, Scored, Total};
use crate::stats::{self, Groups, Interval, Resampling, Rows, StatsError};
use crate::task::{Mode, Task};

/// The rows of a scored system for resampling.
pub fn rows_of<T>(scored: &Scored<T>) -> Result<Rows, StatsError> {
    let mut rows = Rows::new(scored.task.scale().columns.len());
    for i in 0..scored.qids.len() {
        rows.push(scored.row(i))?;
    }
    Ok(rows)
}

/// Reads the measure at `path` off sums.
pub fn measure_at<'t>(task: &'t dyn Task, mode: Mode, path: &'t str) -> impl Fn(&[f64], f64) -> f64 + Sync + 't {
    move |sums, items| {
        let total = Total { items: items as u64, answered: 0, sums: sums.to_vec() };
        task.measures(mode, &total).get(path).unwrap_or(0.0)
    }
}

/// The interval of every measure that is no count.
pub fn intervals<T>(scored: &Scored<T>, groups: &Groups, resampling: &Resampling) -> Result<Vec<(String, Interval)>, StatsError> {
    let rows = rows_of(scored)?;
    let numbers = scored.measures().flat().into_iter().filter(|(_, measure)| matches!(measure, crate::score::Measure::Number(_)));
    numbers
        .map(|(path, _)| {
            let interval = stats::bootstrap(&rows, groups, &measure_at(scored.task, scored.mode, &path), resampling)?;
            Ok((path, interval))
        })
        .collect()
}

/// A system with its score.
#[derive(Clone, Debug, Serialize)]
pub struct System {
    /// Its name: the file.
    pub name: String,
    /// How many items it answered.
    pub answered: u64,
    /// The measure.
    pub score: f64,
    /// Bootstrap interval of the measure.
    pub interval: Interval,
    /// Wilson interval, for accuracies.
    pub wilson: Option<Interval>,
    /// In how many resamples it is the best; ties share.
    pub first: f64,
    /// All measures.
    #[serde(serialize_with = "measures")]
    pub measures: Measures,
}

fn measures<S: serde::Serializer>(measures: &Measures, serializer: S) -> Result<S::Ok, S::Error> {
    measures.serialize(serializer)
}

/// Two systems held against each other.
#[derive(Clone, Debug, Serialize)]
pub struct PairResult {
    /// The first system.
    pub a: String,
    /// The second.
    pub b: String,
    /// Score of the first minus score of the second.
    pub difference: f64,
    /// Its interval.
    pub interval: Interval,
    /// Paired bootstrap, two-sided.
    pub p_bootstrap: f64,
    /// Sign-flip permutation, two-sided.
    pub p_permutation: f64,
    /// The permutation p, corrected for the number of pairs (Holm).
    pub p_holm: f64,
    /// Exact McNemar, for accuracies: items that only one of the two has right. It takes items for independent.
    pub mcnemar: Option<McNemar>,
}

/// The exact McNemar test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct McNemar {
    /// Items that only the first has right.
    pub only_a: u64,
    /// Items that only the second has right.
    pub only_b: u64,
    /// Two-sided p.
    pub p: f64,
}

impl McNemar {
    /// Two systems that were scored on the same items, right or wrong on each.
    pub fn of<T>(a: &Scored<T>, b: &Scored<T>) -> McNemar {
        let right = |scored: &Scored<T>, item: usize| scored.row(item)[scored.task.scale().item] > 0.5;
        let only = |this: &Scored<T>, other: &Scored<T>| {
            (0..a.qids.len()).filter(|item| right(this, *item) && !right(other, *item)).count() as u64
        };
        let (only_a, only_b) = (only(a, b), only(b, a));
        McNemar { only_a, only_b, p: stats::mcnemar_exact(only_a, only_b) }
    }
}

/// Systems, and each against each.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The task.
    pub task: &'static str,
    /// The mode.
    pub mode: Mode,
    /// The measure that is compared.
    pub measure: String,
    /// The number of items.
    pub items: u64,
    /// The number of groups that were resampled.
    pub groups: usize,
    /// The seed.
    pub seed: u64,
    /// The number of resamples.
    pub resamples: usize,
    /// The systems, in the order given.
    pub systems: Vec<System>,
    /// Every pair.
    pub pairs: Vec<PairResult>,
}

/// Why systems cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The numbers do not allow it.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// The task has no such measure.
    #[error(transparent)]
    UnknownMeasure(#[from] Unknown),
}

/// Compares systems that were scored against the same gold file.
pub fn compare<T>(
    systems: &[(String, &Scored<T>)],
    measure: Option<&str>,
    groups: &Groups,
    resampling: &Resampling,
) -> Result<Comparison, CompareError> {
    let Some((_, first)) = systems.first() else {
        return Err(StatsError::Empty("system").into());
    };
    let (task, mode) = (first.task, first.mode);
    let path = measure.unwrap_or(task.scale().ranking);
    if first.measures().get(path).is_none() {
        let known = first.measures().flat().into_iter().map(|(path, _)| path);
        return Err(Unknown::new(words("没有这个指标", "unknown measure"), path, known).into());
    }
    let read = measure_at(task, mode, path);
    let rows = systems.iter().map(|(_, scored)| rows_of(scored)).collect::<Result<Vec<_>, _>>()?;
    let accuracy = task.scale().accuracy && path == task.scale().ranking;
    let hits = |number: usize| systems[number].1.total.sums[task.scale().item] as u64;
    let best = stats::first_probability(&rows, groups, &read, resampling)?;
    let mut compared = Vec::new();
    for (number, (name, scored)) in systems.iter().enumerate() {
        let measures = scored.measures();
        compared.push(System {
            name: name.clone(),
            answered: scored.total.answered,
            score: measures.get(path).unwrap_or(0.0),
            interval: stats::bootstrap(&rows[number], groups, &read, resampling)?,
            wilson: accuracy.then(|| stats::wilson(hits(number), scored.total.items, resampling.confidence)),
            first: best[number],
            measures,
        });
    }
    let mut pairs = Vec::new();
    for a in 0..systems.len() {
        for b in a + 1..systems.len() {
            let paired = stats::paired(&rows[a], &rows[b], groups, &read, resampling)?;
            let mcnemar = accuracy.then(|| McNemar::of(systems[a].1, systems[b].1));
            pairs.push(PairResult {
                a: systems[a].0.clone(),
                b: systems[b].0.clone(),
                difference: paired.difference,
                interval: paired.interval,
                p_bootstrap: paired.p_bootstrap,
                p_permutation: paired.p_permutation,
                p_holm: 0.0,
                mcnemar,
            });
        }
    }
    let corrected = stats::holm(&pairs.iter().map(|pair| pair.p_permutation).collect::<Vec<_>>());
    for (pair, p) in pairs.iter_mut().zip(corrected) {
        pair.p_holm = p;
    }
    Ok(Comparison {
        task: task.id(),
        mode,
        measure: path.to_owned(),
        items: first.total.items,
        groups: groups.count(),
        seed: resampling.seed,
        resamples: resampling.resamples,
        systems: compared,
        pairs,
    })
}
