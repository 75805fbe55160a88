//! The training loop that all heads share.
//!
//! An epoch takes a [`State`] to the next one, so that whoever trains can keep what is between them. Order, dropout and beginnings follow from the seed; the
//! same seed gives the same network.

use std::collections::BTreeMap;

use burn_tensor::Tensor;
use fangwei::chance::Dice;
use rayon::prelude::*;

use crate::encoder::Dropout;
use crate::heads::{Example, Head, Network};
use crate::optimise::{Moments, Schedule};
use crate::parameters::{Parameters, to_numbers};

/// How long and in what portions to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Times that every example is seen.
    pub epochs: usize,
    /// Examples in a batch.
    pub batch: usize,
    /// How large the steps are; their number follows from the rest.
    pub schedule: Schedule,
    /// What order and dropout follow from.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { epochs: 3, batch: 16, schedule: Schedule::default(), seed: 0 }
    }
}

/// A training between two epochs.
#[derive(Clone, Debug)]
pub struct State {
    /// The parameters.
    pub parameters: Parameters,
    /// What the optimiser remembers of their gradients.
    pub moments: Moments,
}

impl State {
    /// Before the first epoch.
    pub fn new(network: &Network) -> State {
        State { moments: Moments::new(&network.parameters), parameters: network.parameters.clone() }
    }
}

/// Is told the batch, of how many, and now and then the mean loss since the last time; what it gives back as an error ends the epoch.
pub type Report<'r, E> = &'r mut dyn FnMut(usize, usize, Option<f64>) -> Result<(), E>;

/// Points of the curve of losses in an epoch.
const POINTS: usize = 20;

/// One epoch, counted from 1, of a training of all epochs of the plan.
pub fn epoch<H: Head, E>(
    head: &H,
    network: &Network,
    examples: &[Example<H::Gold>],
    plan: &Plan,
    number: usize,
    state: State,
    report: Report<'_, E>,
) -> Result<State, E> {
    let State { parameters, mut moments } = state;
    let mut current = Network { parameters, ..network.clone() };
    let lengths: Vec<usize> = examples.iter().map(|example| example.sequence.ids.len()).collect();
    let batches = deal(&lengths, plan.batch.max(1), plan.seed, number as u64);
    let schedule = Schedule { steps: batches.len() * plan.epochs, ..plan.schedule };
    let every = batches.len().div_ceil(POINTS).max(1);
    let (mut sum, mut count) = (0.0, 0);
    for (place, batch) in batches.iter().enumerate() {
        let step = number.saturating_sub(1) * batches.len() + place;
        let batch: Vec<&Example<H::Gold>> = batch.iter().map(|number| &examples[*number]).collect();
        let words = current.words_of(batch.iter().map(|example| &example.sequence));
        let (loss, gradients) = slope(head, &current, &batch, &words, plan.seed, step);
        sum += loss;
        count += 1;
        moments.step(&mut current.parameters, &gradients, Some(&words), &schedule, step);
        let mean = ((place + 1) % every == 0 || place + 1 == batches.len()).then(|| sum / f64::from(count));
        report(place + 1, batches.len(), mean)?;
        if mean.is_some() {
            (sum, count) = (0.0, 0);
        }
    }
    Ok(State { parameters: current.parameters, moments })
}

/// Sequences that are worked on by one thread. A batch is always cut in the same way, so that the sum does not depend on the number of threads.
const SHARE: usize = 8;

/// The loss of a batch, and the gradient of each parameter.
fn slope<H: Head>(
    head: &H,
    network: &Network,
    batch: &[&Example<H::Gold>],
    words: &[u32],
    seed: u64,
    step: usize,
) -> (f64, BTreeMap<String, Tensor<2>>) {
    let shares: Vec<(f64, BTreeMap<String, Tensor<2>>)> = batch
        .par_chunks(SHARE)
        .enumerate()
        .map(|(number, share)| {
            let watched = network.watched_at(words.to_vec());
            let mut dropout = Dropout::at(seed, (step * batch.len().div_ceil(SHARE) + number) as u64);
            let part = share.len() as f64 / batch.len() as f64;
            let loss = head.loss(&watched, share, &mut dropout) * part;
            let value = f64::from(to_numbers(loss.clone()).first().copied().unwrap_or(0.0));
            (value, watched.parameters.gradients(loss.backward()))
        })
        .collect();
    let mut shares = shares.into_iter();
    let (mut loss, mut all) = shares.next().unwrap_or_default();
    for (value, gradients) in shares {
        loss += value;
        for (name, gradient) in gradients {
            match all.remove(&name) {
                Some(own) => all.insert(name, own + gradient),
                None => all.insert(name, gradient),
            };
        }
    }
    (loss, all)
}

/// Batches of sequences of like length, in an order that the seed shuffles anew in every epoch. Sorting is done within pools, so that a batch is not the same
/// every time.
pub fn deal(lengths: &[usize], batch: usize, seed: u64, epoch: u64) -> Vec<Vec<usize>> {
    /// Batches in a pool.
    const POOL: usize = 32;
    let mut dice = Dice::new(seed, 0xba7c_0000 + epoch);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    dice.shuffle(&mut order);
    for pool in order.chunks_mut(POOL * batch) {
        pool.sort_by_key(|number| lengths[*number]);
    }
    let mut batches: Vec<Vec<usize>> = order.chunks(batch).map(<[usize]>::to_vec).collect();
    dice.shuffle(&mut batches);
    batches
}

#[cfg(test)]
mod tests;
