//! Conditional logit: one of the alternatives that an example brings along.
//!
//! Each alternative has a score, the sum of the weights of its keys and of its dense features; the probabilities are the softmax over
//! the alternatives of one example. Several alternatives may be right.

use rayon::prelude::*;

use super::feature::Keys;
use super::linear::run;
use super::solver::{Dense, Matrix, RowLists, Solver};
use super::table::Counter;
use super::{Curve, Training, Watch, log_softmax};
use crate::weights::{ReadScope, Section, WeightsError, WriteScope};

/// Alternatives, one after the other: keys, and a few dense features of equal number each.
///
/// ```
/// use fangwei_predict::learn::choice::Alternatives;
///
/// let mut alternatives = Alternatives::new(1);
/// alternatives.push(&[4, 9], &[0.5]);
/// alternatives.push(&[4], &[1.5]);
/// assert_eq!(alternatives.len(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Alternatives {
    keys: Keys,
    dense: Vec<f32>,
    width: usize,
}

impl Alternatives {
    /// None yet; each will have `dense` dense features.
    pub fn new(dense: usize) -> Self {
        Self { keys: Keys::new(), dense: Vec::new(), width: dense }
    }

    /// Adds one. Missing dense features are 0, and so are those that are no number.
    pub fn push(&mut self, keys: &[u32], dense: &[f32]) {
        self.keys.extend(keys);
        let finite = |at: usize| dense.get(at).copied().filter(|value| value.is_finite()).unwrap_or(0.0);
        self.dense.extend((0..self.width).map(finite));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Forgets them and keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.dense.clear();
    }
}

/// Examples for a [`Choice`]: their alternatives lie one after the other.
///
/// ```
/// use fangwei_predict::learn::choice::Examples;
///
/// let mut examples = Examples::new(0);
/// examples.alternative(&[1], &[], 1.0);
/// examples.alternative(&[2], &[], 0.0);
/// examples.close(1.0); // of weight 1
/// assert_eq!(examples.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Examples {
    alternatives: Alternatives,
    targets: Vec<f32>,
    ends: Vec<usize>,
    weights: Vec<f32>,
}

impl Examples {
    /// No examples; alternatives will have `dense` dense features.
    pub fn new(dense: usize) -> Self {
        Self { alternatives: Alternatives::new(dense), ..Self::default() }
    }

    /// Adds an alternative to the open example; the targets of an example are shares of any sum.
    pub fn alternative(&mut self, keys: &[u32], dense: &[f32], target: f32) {
        self.alternatives.push(keys, dense);
        self.targets.push(target);
    }

    /// Ends the open example. One without a right alternative is skipped in training.
    pub fn close(&mut self, weight: f32) {
        let start = self.ends.last().copied().unwrap_or(0);
        let targets = &mut self.targets[start..];
        let sum: f32 = targets.iter().sum();
        let usable = sum > 0.0 && sum.is_finite() && weight > 0.0 && weight.is_finite();
        for target in targets {
            *target = if usable { *target / sum } else { 0.0 };
        }
        self.weights.push(if usable { weight } else { 0.0 });
        self.ends.push(self.targets.len());
    }

    /// How many examples are closed.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no example is closed.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        if index == 0 { 0..self.ends[0] } else { self.ends[index - 1]..self.ends[index] }
    }
}

/// A trained choice.
///
/// ```
/// use fangwei_predict::learn::choice::{Alternatives, Choice, Examples};
/// use fangwei_predict::learn::{Training, unwatched};
///
/// let mut examples = Examples::new(1);
/// for size in 0..60 {
///     // The larger of two is right, whatever its keys are.
///     examples.alternative(&[size % 3], &[0.1], 0.0);
///     examples.alternative(&[size % 5], &[0.9], 1.0);
///     examples.close(1.0);
/// }
/// let (model, _) = Choice::train(&examples, &Training { l2: 0.1, ..Training::default() }, &mut unwatched);
/// let mut pair = Alternatives::new(1);
/// pair.push(&[], &[0.9]);
/// pair.push(&[], &[0.1]);
/// assert!(model.log_probabilities(&pair)[0] > -0.5);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Choice {
    dense: Section<f32>,
    matrix: Matrix,
}

impl Choice {
    /// Trains by AdaGrad on mini-batches.
    pub fn train(examples: &Examples, training: &Training, watch: &mut Watch<'_>) -> (Self, Curve) {
        let alternatives = &examples.alternatives;
        let width = alternatives.width;
        let mut counter = Counter::default();
        counter.add_keys(&alternatives.keys);
        let table = counter.table(training.min_count);
        let lists = RowLists::new(&table, &alternatives.keys, &[]);
        let mut solver = Solver::new(table.rows(), 1, std::iter::once(&lists));
        let mut dense = Dense::new(width);

        let mut order: Vec<usize> = (0..examples.len()).filter(|&index| examples.weights[index] > 0.0).collect();
        let skipped = examples.len() - order.len();
        let total: f64 = order.iter().map(|&index| f64::from(examples.weights[index])).sum();
        let decay = training.l2 / total.max(1e-9) as f32;
        let errors = |index: usize, scale: f32, solver: &Solver, dense: &Dense| {
            let range = examples.range(index);
            let score = |at: usize| {
                let mut score = [dot(&dense.weights, &alternatives.dense[at * width..][..width])];
                lists.add(at, &solver.weights, &mut score);
                score[0]
            };
            let mut error: Vec<f32> = range.clone().map(score).collect();
            log_softmax(&mut error);
            let mut loss = 0.0;
            for (error, &target) in error.iter_mut().zip(&examples.targets[range]) {
                loss -= if target > 0.0 { f64::from(target) * f64::from(*error) } else { 0.0 };
                *error = (error.exp() - target) * examples.weights[index] * scale;
            }
            (error, loss * f64::from(examples.weights[index]))
        };
        let curve = run(&mut order, training, skipped, watch, |batch| {
            let weight: f32 = batch.iter().map(|&index| examples.weights[index]).sum();
            let errors: Vec<(Vec<f32>, f64)> =
                batch.par_iter().with_min_len(8).map(|&index| errors(index, 1.0 / weight, &solver, &dense)).collect();
            let mut gradient = vec![0.0; width];
            let mut updates = Vec::new();
            for (&index, (error, _)) in batch.iter().zip(&errors) {
                for (at, error) in examples.range(index).zip(error.chunks(1)) {
                    updates.push(lists.update(at, error));
                    let features = &alternatives.dense[at * width..][..width];
                    gradient.iter_mut().zip(features).for_each(|(sum, value)| *sum += f64::from(error[0] * value));
                }
            }
            solver.step(&updates, training.rate, decay);
            dense.step(&gradient, training.rate, decay);
            (errors.iter().map(|(_, loss)| loss).sum(), f64::from(weight))
        });
        (Self { dense: dense.weights.into(), matrix: solver.finish(&table, training, decay) }, curve)
    }

    /// The scores of the alternatives, which may be compared within one example only.
    pub fn scores(&self, alternatives: &Alternatives) -> Vec<f32> {
        let mut scores = vec![0.0; alternatives.len()];
        if !self.dense.is_empty() && alternatives.width == self.dense.len() {
            let rows = alternatives.dense.chunks_exact(self.dense.len());
            scores.iter_mut().zip(rows).for_each(|(score, row)| *score = dot(&self.dense, row));
        }
        self.matrix.add_lists(alternatives.keys.lists(), &mut scores);
        scores
    }

    /// Log-probabilities of the alternatives.
    pub fn log_probabilities(&self, alternatives: &Alternatives) -> Vec<f32> {
        let mut scores = self.scores(alternatives);
        log_softmax(&mut scores);
        scores
    }

    /// The weight of a key, to explain a decision; none if the key was not learned.
    pub fn weight_of(&self, key: u32) -> Option<f32> {
        self.matrix.weights_of(key)?.first().copied()
    }

    /// The weights of the dense features.
    pub fn dense(&self) -> &[f32] {
        &self.dense
    }

    /// Keys with weights.
    pub fn rows(&self) -> usize {
        self.matrix.rows()
    }

    /// Puts the model into a weights file.
    pub fn save(&self, out: &mut WriteScope<'_>) {
        out.put("dense", &self.dense);
        self.matrix.save(out);
    }

    /// Takes it out again.
    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let (dense, matrix) = (from.get::<f32>("dense")?, Matrix::load(from)?);
        if matrix.width() != 1 {
            return Err(from.unfit("width", 1, matrix.width()));
        }
        Ok(Self { dense, matrix })
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
