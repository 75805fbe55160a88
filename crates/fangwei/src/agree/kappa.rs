//! Cohen's kappa: how far two annotators agree beyond what their habits alone would give.
//!
//! All three kappas are one minus observed over expected disagreement. They differ in what a disagreement costs: 1, the distance of the labels, or its square.

use serde::Serialize;

use super::{Undefined, Value};

/// What a disagreement costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// 1, whatever the labels.
    #[default]
    Plain,
    /// The distance of the labels.
    Linear,
    /// The square of their distance.
    Quadratic,
}

/// How often two annotators gave each pair of labels.
#[derive(Clone, PartialEq, Debug)]
pub struct Confusion {
    size: usize,
    counts: Vec<f64>,
}

impl Confusion {
    /// No item yet, of `size` labels.
    pub fn new(size: usize) -> Confusion {
        Confusion { size, counts: vec![0.0; size * size] }
    }

    /// Adds an item `times` times: the label of the first, that of the second. Labels beyond the size are not counted.
    pub fn add(&mut self, first: u16, second: u16, times: f64) {
        let (first, second) = (first as usize, second as usize);
        if first < self.size && second < self.size {
            self.counts[first * self.size + second] += times;
        }
    }

    /// How often the first gave label `first` where the second gave `second`.
    pub fn count(&self, first: usize, second: usize) -> f64 {
        self.counts[first * self.size + second]
    }

    /// The share of items with equal labels.
    pub fn agreement(&self) -> Value {
        let total: f64 = self.counts.iter().sum();
        let equal: f64 = (0..self.size).map(|label| self.count(label, label)).sum();
        if total == 0.0 { Err(Undefined::NoOverlap) } else { Ok(equal / total) }
    }

    /// Kappa. With weights, only items count to which both gave a label that has a value.
    pub fn kappa(&self, weights: Weights, values: &[Option<f64>]) -> Value {
        let on: Vec<usize> = match weights {
            Weights::Plain => (0..self.size).collect(),
            _ => (0..self.size).filter(|label| values.get(*label).is_some_and(Option::is_some)).collect(),
        };
        if on.is_empty() && self.counts.iter().any(|count| *count > 0.0) {
            return Err(Undefined::NoOrder);
        }
        let value = |label: usize| values.get(label).copied().flatten().unwrap_or(0.0);
        let cost = |first: usize, second: usize| match weights {
            Weights::Plain => f64::from(u8::from(first != second)),
            Weights::Linear => (value(first) - value(second)).abs(),
            Weights::Quadratic => (value(first) - value(second)).powi(2),
        };
        let rows: Vec<f64> = on.iter().map(|first| on.iter().map(|second| self.count(*first, *second)).sum()).collect();
        let columns: Vec<f64> = on.iter().map(|second| on.iter().map(|first| self.count(*first, *second)).sum()).collect();
        let total: f64 = rows.iter().sum();
        if total == 0.0 {
            return Err(Undefined::NoOverlap);
        }
        let (mut observed, mut expected) = (0.0, 0.0);
        for (i, first) in on.iter().enumerate() {
            for (j, second) in on.iter().enumerate() {
                let cost = cost(*first, *second);
                observed += cost * self.count(*first, *second);
                expected += cost * rows[i] * columns[j] / total;
            }
        }
        if expected == 0.0 { Err(Undefined::OneLabel) } else { Ok(1.0 - observed / expected) }
    }
}
