//! Logistic regression over a fixed set of classes, on sparse features.

use fangwei::chance::Dice;
use rayon::prelude::*;

use super::feature::Keys;
use super::solver::{Dense, Matrix, RowLists, Solver};
use super::table::Counter;
use super::{Curve, Progress, Training, Watch, log_softmax};
use crate::weights::{ReadScope, Section, WeightsError, WriteScope};

/// What an example should be.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// One class.
    Class(usize),
    /// A share for each class.
    Soft(&'a [f32]),
}

/// Examples for a [`Linear`].
///
/// ```
/// use fangwei_predict::learn::linear::{Examples, Target};
///
/// let mut examples = Examples::new(2);
/// examples.push(&[3, 7], Target::Class(0), 1.0);
/// examples.push_valued(&[(3, 0.5)], Target::Soft(&[0.25, 0.75]), 2.0);
/// assert_eq!(examples.len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Examples {
    classes: usize,
    keys: Keys,
    values: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

impl Examples {
    /// Examples of this many classes.
    pub fn new(classes: usize) -> Self {
        Self { classes, keys: Keys::new(), values: Vec::new(), targets: Vec::new(), weights: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Adds an example whose features are there or not.
    pub fn push(&mut self, keys: &[u32], target: Target<'_>, weight: f32) {
        self.keys.extend(keys);
        if !self.values.is_empty() {
            self.values.resize(self.keys.all().len(), 1.0);
        }
        self.push_target(target, weight);
    }

    /// Adds an example whose features have values.
    pub fn push_valued(&mut self, features: &[(u32, f32)], target: Target<'_>, weight: f32) {
        self.values.resize(self.keys.all().len(), 1.0);
        for &(key, value) in features {
            self.keys.push(key);
            self.values.push(value);
        }
        self.keys.close();
        self.push_target(target, weight);
    }

    /// A class that there is not, or shares that sum up to nothing, leave the example without a target; it is skipped.
    fn push_target(&mut self, target: Target<'_>, weight: f32) {
        let share = |class: usize| match target {
            Target::Class(right) => f32::from(u8::from(class == right)),
            Target::Soft(shares) => shares.get(class).copied().unwrap_or(0.0),
        };
        let sum: f32 = (0..self.classes).map(share).sum();
        let usable = sum > 0.0 && sum.is_finite() && weight > 0.0 && weight.is_finite();
        self.targets.extend((0..self.classes).map(|class| if usable { share(class) / sum } else { 0.0 }));
        self.weights.push(if usable { weight } else { 0.0 });
    }
}

/// A trained classifier.
///
/// ```
/// use fangwei_predict::learn::linear::{Examples, Linear, Target};
/// use fangwei_predict::learn::{Training, unwatched};
///
/// let mut examples = Examples::new(2);
/// for _ in 0..50 {
///     examples.push(&[1, 2], Target::Class(0), 1.0);
///     examples.push(&[1, 3], Target::Class(1), 1.0);
/// }
/// let (model, _) = Linear::train(&examples, &Training { l2: 0.01, ..Training::default() }, &mut unwatched);
/// assert!(model.log_probabilities(&[1, 3])[1] > -0.2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Linear {
    bias: Section<f32>,
    matrix: Matrix,
}

impl Linear {
    /// Trains by AdaGrad on mini-batches.
    pub fn train(examples: &Examples, training: &Training, watch: &mut Watch<'_>) -> (Self, Curve) {
        let classes = examples.classes;
        let mut counter = Counter::default();
        counter.add_keys(&examples.keys);
        let table = counter.table(training.min_count);
        let lists = RowLists::new(&table, &examples.keys, &examples.values);
        let mut solver = Solver::new(table.rows(), classes, std::iter::once(&lists));
        let mut bias = Dense::new(classes);

        let mut order: Vec<usize> = (0..examples.len()).filter(|&index| examples.weights[index] > 0.0).collect();
        let skipped = examples.len() - order.len();
        let total: f64 = order.iter().map(|&index| f64::from(examples.weights[index])).sum();
        let decay = training.l2 / total.max(1e-9) as f32;
        let errors = |index: usize, scale: f32, solver: &Solver, bias: &Dense| {
            let mut error = bias.weights.clone();
            lists.add(index, &solver.weights, &mut error);
            log_softmax(&mut error);
            let targets = &examples.targets[index * classes..][..classes];
            let mut loss = 0.0;
            for (error, &target) in error.iter_mut().zip(targets) {
                loss -= if target > 0.0 { f64::from(target) * f64::from(*error) } else { 0.0 };
                *error = (error.exp() - target) * examples.weights[index] * scale;
            }
            (error, loss * f64::from(examples.weights[index]))
        };
        let curve = run(&mut order, training, skipped, watch, |batch| {
            let weight: f32 = batch.iter().map(|&index| examples.weights[index]).sum();
            let errors: Vec<(Vec<f32>, f64)> =
                batch.par_iter().with_min_len(64).map(|&index| errors(index, 1.0 / weight, &solver, &bias)).collect();
            let mut gradient = vec![0.0; classes];
            for (error, _) in &errors {
                gradient.iter_mut().zip(error).for_each(|(sum, &error)| *sum += f64::from(error));
            }
            let updates: Vec<_> = batch.iter().zip(&errors).map(|(&index, (error, _))| lists.update(index, error)).collect();
            solver.step(&updates, training.rate, decay);
            bias.step(&gradient, training.rate, decay);
            (errors.iter().map(|(_, loss)| loss).sum(), f64::from(weight))
        });
        (Self { bias: bias.weights.into(), matrix: solver.finish(&table, training, decay) }, curve)
    }

    /// Log-probabilities of the classes.
    pub fn log_probabilities(&self, keys: &[u32]) -> Vec<f32> {
        let mut scores = self.bias.to_vec();
        self.matrix.add_lists(std::iter::once(keys), &mut scores);
        log_softmax(&mut scores);
        scores
    }

    /// Log-probabilities where features have values.
    pub fn log_probabilities_valued(&self, features: &[(u32, f32)]) -> Vec<f32> {
        let (keys, values): (Vec<u32>, Vec<f32>) = features.iter().copied().unzip();
        let mut scores = self.bias.to_vec();
        self.matrix.add_valued(&keys, &values, &mut scores);
        log_softmax(&mut scores);
        scores
    }

    /// The weights of a key, one a class, to explain a decision; none if the key was not learned.
    pub fn weights_of(&self, key: u32) -> Option<Vec<f32>> {
        self.matrix.weights_of(key)
    }

    /// Keys with weights.
    pub fn rows(&self) -> usize {
        self.matrix.rows()
    }

    /// Puts the model into a weights file.
    pub fn save(&self, out: &mut WriteScope<'_>) {
        out.put("bias", &self.bias);
        self.matrix.save(out);
    }

    /// Takes it out again.
    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let (bias, matrix) = (from.get::<f32>("bias")?, Matrix::load(from)?);
        if bias.len() != matrix.width() {
            return Err(from.unfit("bias", matrix.width(), bias.len()));
        }
        Ok(Self { bias, matrix })
    }
}

/// The loop over epochs and mini-batches; `step` updates the weights and returns the batch's summed loss and weight.
pub(super) fn run(
    order: &mut [usize],
    training: &Training,
    skipped: usize,
    watch: &mut Watch<'_>,
    mut step: impl FnMut(&[usize]) -> (f64, f64),
) -> Curve {
    let size = training.batch.max(1);
    let mut curve = Curve { losses: Vec::new(), finished: true, skipped };
    let steps = training.epochs * order.len().div_ceil(size);
    let mut done = 0;
    let mut dice = Dice::new(training.seed, 0);
    for _ in 0..training.epochs {
        dice.shuffle(order);
        let (mut loss, mut weight) = (0.0, 0.0);
        for batch in order.chunks(size) {
            let (batch_loss, batch_weight) = step(batch);
            loss += batch_loss;
            weight += batch_weight;
            done += 1;
            if watch(Progress { step: done, steps, loss: loss / weight }).is_break() {
                curve.finished = done == steps;
                curve.losses.push(loss / weight);
                return curve;
            }
        }
        if weight > 0.0 {
            curve.losses.push(loss / weight);
        }
    }
    curve
}
