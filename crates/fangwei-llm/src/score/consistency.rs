//! How far a model agrees with itself when it is asked again.

use fangwei::answer::Answer;
use fangwei::score::Total;
use fangwei::task::{Mode, Task};
use serde::Serialize;

use super::Outcome;

/// How far the repeats agree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Consistency {
    /// How often each item was asked.
    pub repeats: u32,
    /// The mean share of pairs of repeats with the same answer; a reply without an answer agrees with nothing.
    pub agreement: f64,
    /// The share of items whose answers are all the same.
    pub stable: f64,
    /// Items with two replies or more, over which both are taken.
    pub items: u64,
    /// The ranking measure of each repeat, where there is gold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// Their mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Their standard deviation (n − 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
}

/// The sums of repeats so far.
pub(super) struct Repeats {
    width: usize,
    /// Of each repeat, over the items with gold.
    totals: Vec<Total>,
    agreement: f64,
    stable: u64,
    items: u64,
}

impl Repeats {
    pub(super) fn new(width: usize) -> Repeats {
        Repeats { width, totals: Vec::new(), agreement: 0.0, stable: 0, items: 0 }
    }

    /// Adds an item; `row` scores one of its answers. Items that were asked once have nothing to agree with.
    pub(super) fn add(&mut self, outcome: &Outcome, row: impl Fn(Option<&Answer>) -> Vec<f64>) {
        if outcome.reads.len() < 2 {
            return;
        }
        self.totals.resize_with(outcome.reads.len().max(self.totals.len()), || Total::new(self.width));
        let (same, all) = pairs(outcome);
        if all > 0 {
            self.items += 1;
            self.agreement += same as f64 / all as f64;
            self.stable += u64::from(same == all);
        }
        if outcome.item.gold.is_some() {
            for (total, read) in self.totals.iter_mut().zip(&outcome.reads) {
                let answer = read.as_ref().and_then(|read| read.reading.answer.as_ref());
                total.add(answer.is_some(), &row(answer));
            }
        }
    }

    /// How far they agree; `None` where each item was asked once.
    pub(super) fn consistency(&self, task: &dyn Task, mode: Mode, has_gold: bool) -> Option<Consistency> {
        if self.totals.len() < 2 {
            return None;
        }
        let share = |sum: f64| if self.items == 0 { 0.0 } else { sum / self.items as f64 };
        let value = |total: &Total| task.measures(mode, total).get(task.scale().ranking).unwrap_or(0.0);
        let values: Vec<f64> = if has_gold { self.totals.iter().map(value).collect() } else { Vec::new() };
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let deviation = mean.map(|mean| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (values.len() - 1) as f64).sqrt()
        });
        Some(Consistency {
            repeats: self.totals.len() as u32,
            agreement: share(self.agreement),
            stable: share(self.stable as f64),
            items: self.items,
            values,
            mean,
            deviation,
        })
    }
}

/// Pairs of repeats with the same answer, and all pairs.
fn pairs(outcome: &Outcome) -> (u64, u64) {
    let replies: Vec<_> = outcome.reads.iter().flatten().map(|read| read.reading.answer.as_ref()).collect();
    let (mut same, mut all) = (0, 0);
    for (number, first) in replies.iter().enumerate() {
        for second in &replies[number + 1..] {
            all += 1;
            same += u64::from(first.is_some() && first == second);
        }
    }
    (same, all)
}
