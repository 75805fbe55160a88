//! Learners that know nothing of language: keys and numbers in, weights out.
//!
//! | learner | decides |
//! | --- | --- |
//! | [`linear`] | which of a fixed set of classes |
//! | [`choice`] | which of the alternatives that an example brings along |
//! | [`crf`] | a path of states through a sequence |
//! | [`boost`] | a number from dense features, by trees |
//!
//! The first three share one idea: a [`feature`] becomes a 32-bit key, a [`table`] makes a row of weights of the key, and the score
//! is the sum of the rows. Training gives the same bits for the same seed on any number of threads: what is computed in parallel
//! (errors of examples, sums of one row or one column) is never a sum over threads.

pub mod boost;
pub mod choice;
pub mod crf;
pub mod feature;
pub mod linear;
mod solver;
pub mod table;

use std::ops::ControlFlow;

use rand_core::Rng;

/// How far a training is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Steps done: mini-batches or trees.
    pub step: usize,
    /// All steps of the training.
    pub steps: usize,
    /// Mean loss of the examples seen in this pass.
    pub loss: f64,
}

/// Is told of every step; `Break` ends the training early with the weights that are there.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// A [`Watch`] for those who need none.
///
/// ```
/// use fangwei_predict::learn::{Progress, unwatched};
/// assert!(unwatched(Progress { step: 1, steps: 2, loss: 0.5 }).is_continue());
/// ```
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// How a training went.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Mean loss of each pass over the examples (or after each tree), before the update that it led to.
    pub losses: Vec<f64>,
    /// Whether all steps were done.
    pub finished: bool,
    /// Examples without any right answer, which were left out.
    pub skipped: usize,
}

/// How the linear learners, choice and CRF are trained.
///
/// ```
/// use fangwei_predict::learn::Training;
/// let quick = Training { epochs: 3, ..Training::default() };
/// assert_eq!(quick.seed, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Training {
    /// Passes over the examples.
    pub epochs: usize,
    /// Examples to a step.
    pub batch: usize,
    /// First step of AdaGrad, about the size of a weight after one step.
    pub rate: f32,
    /// Strength of `l2 / 2 · |weights|²`, against the *sum* of the losses: the inverse of scikit-learn's C.
    pub l2: f32,
    /// Keys seen less often get no weights.
    pub min_count: u32,
    /// Rows of weights that are all smaller are left out of the model.
    pub prune: f32,
    /// Decides the order of the examples.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self { epochs: 8, batch: 32, rate: 0.1, l2: 1.0, min_count: 1, prune: 1e-3, seed: 0 }
    }
}

/// A number from 0 up to 1, from any generator.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// `ln Σ exp`, turning the scores into log-probabilities; returns the sum.
pub(crate) fn log_softmax(scores: &mut [f32]) -> f64 {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !top.is_finite() {
        return f64::from(top);
    }
    let sum: f64 = scores.iter().map(|&score| f64::from(score - top).exp()).sum();
    let log = f64::from(top) + sum.ln();
    for score in scores {
        *score = (f64::from(*score) - log) as f32;
    }
    log
}

#[cfg(test)]
mod tests;
