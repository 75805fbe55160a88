//! How far a model agrees with itself when it is asked again.

use fangwei::score::score_answers;
use fangwei::task::Mode;
use serde::Serialize;

use super::{Outcome, Run};

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

impl Consistency {
    /// Of a run with repeats; `None` where each item was asked once.
    pub fn of(run: &Run, mode: Mode) -> Option<Consistency> {
        let repeats = run.outcomes.iter().map(|outcome| outcome.reads.len()).max().filter(|repeats| *repeats > 1)?;
        let pairs: Vec<(u64, u64)> = run.outcomes.iter().map(pairs).filter(|(_, all)| *all > 0).collect();
        let items = pairs.len() as f64;
        let share = |sum: f64| if items == 0.0 { 0.0 } else { sum / items };
        let agreement = share(pairs.iter().map(|(same, all)| *same as f64 / *all as f64).sum());
        let stable = share(pairs.iter().filter(|(same, all)| same == all).count() as f64);
        let mut values = Vec::new();
        if run.has_gold {
            for repeat in 0..repeats {
                let answer = |outcome: &'_ Outcome| outcome.reads[repeat].as_ref().and_then(|read| read.reading.answer.clone());
                let answers: Vec<_> = run.outcomes.iter().map(answer).collect();
                let scored: Vec<_> = run
                    .outcomes
                    .iter()
                    .zip(&answers)
                    .filter(|(outcome, _)| outcome.item.gold.is_some())
                    .map(|(outcome, answer)| (&outcome.item, answer.as_ref()))
                    .collect();
                let measures = run.task.measures(mode, &score_answers(run.task, mode, &scored));
                values.push(measures.get(run.task.scale().ranking).unwrap_or(0.0));
            }
        }
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let deviation = mean.map(|mean| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (values.len() - 1) as f64).sqrt()
        });
        Some(Consistency { repeats: repeats as u32, agreement, stable, items: items as u64, values, mean, deviation })
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
