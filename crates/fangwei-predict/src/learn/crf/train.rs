//! Training: the gradient of a weight is how often the model expects to use it, less how often the allowed paths use it.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Chain, Crf, Lattice, Topology};
use crate::learn::feature::Keys;
use crate::learn::linear::run;
use crate::learn::solver::{Dense, RowLists, Solver};
use crate::learn::table::Counter;
use crate::learn::{Curve, Training, Watch};

/// A sequence to learn from.
///
/// `allowed` says what is known: the set of states that are right at each position ([`Topology::states_of`] of the label, a single
/// bit for a known state, `u64::MAX` where nothing is known). The model learns to give the allowed paths together all the probability.
///
/// ```
/// use std::sync::Arc;
/// use fangwei_predict::learn::crf::Sequence;
/// use fangwei_predict::learn::feature::Keys;
///
/// let mut passage = Keys::new();
/// passage.extend(&[1, 2, 3]);
/// let passage = Arc::new(passage);
/// let mut anchor = Keys::new();
/// anchor.extend(&[77]);
/// // The keys of the passage are shared by the sequences of all its anchors.
/// let sequence = Sequence { parts: vec![Arc::clone(&passage), Arc::new(anchor)], classes: vec![0], allowed: vec![0b1], weight: 1.0 };
/// assert_eq!(sequence.len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Sequence {
    /// Keys by position; the parts are added up. Parts that are the same `Arc` are kept in memory once.
    pub parts: Vec<Arc<Keys>>,
    /// Class of each position; 0 beyond the end.
    pub classes: Vec<u8>,
    /// Set of states allowed at each position; any beyond the end.
    pub allowed: Vec<u64>,
    /// How much the sequence counts.
    pub weight: f32,
}

impl Sequence {
    /// How many positions it has: those of its longest part.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).max().unwrap_or(0)
    }

    /// Whether it has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a sequence asks for: errors of its emissions, and its loss. The gradient of the chain is added to sums of its own.
pub(super) struct Slope {
    pub error: Vec<f32>,
    pub chain: Vec<f64>,
    pub loss: f64,
}

/// The gradient of `weight · (log partition - log partition of the allowed paths)`; none if no path is allowed.
pub(super) fn slope(
    lattice: &mut Lattice<'_>,
    emissions: &[f32],
    sequence: &Sequence,
    weight: f64,
    size: usize,
) -> Option<Slope> {
    let mut chain = vec![0.0; size];
    let all = lattice.run(emissions, &sequence.classes, &[]);
    let mut error: Vec<f32> = lattice.marginals().to_vec();
    lattice.expect(weight, &mut chain);
    let right = lattice.constrain(&sequence.allowed);
    if !right.is_finite() || !all.is_finite() {
        return None;
    }
    error.iter_mut().zip(lattice.marginals()).for_each(|(error, right)| *error = (*error - right) * weight as f32);
    lattice.expect(-weight, &mut chain);
    Some(Slope { error, chain, loss: all - right })
}

pub(super) fn train(topology: Topology, sequences: &[Sequence], training: &Training, watch: &mut Watch<'_>) -> (Crf, Curve) {
    let labels = topology.labels();
    let size = Chain::weights(&topology);
    let (parts, indexes) = distinct(sequences);
    let mut counter = Counter::default();
    for part in &parts {
        counter.add_keys(part);
    }
    let table = counter.table(training.min_count);
    drop(counter);
    let lists: Vec<RowLists> = parts.par_iter().map(|part| RowLists::new(&table, part, &[])).collect();
    let mut solver = Solver::new(table.rows(), labels, lists.iter());
    let mut dense = Dense::new(size);

    // Whether a constraint leaves a path does not depend on the weights: with all of them 0, the sum is the number of paths.
    let even = Chain::new(topology.clone(), &dense.weights);
    let mut lattice = Lattice::new(&even);
    let mut order: Vec<usize> = (0..sequences.len())
        .filter(|&index| {
            let sequence = &sequences[index];
            let zeros = vec![0.0; sequence.len() * labels];
            let usable = sequence.weight > 0.0 && sequence.weight.is_finite() && !sequence.is_empty();
            usable && lattice.run(&zeros, &[], &sequence.allowed).is_finite()
        })
        .collect();
    let skipped = sequences.len() - order.len();
    let total: f64 = order.iter().map(|&index| f64::from(sequences[index].weight)).sum();
    let decay = training.l2 / total.max(1e-9) as f32;

    let curve = run(&mut order, training, skipped, watch, |batch| {
        let weight: f64 = batch.iter().map(|&index| f64::from(sequences[index].weight)).sum();
        let chain = Chain::new(topology.clone(), &dense.weights);
        let slopes: Vec<Option<Slope>> = batch
            .par_iter()
            .map_init(
                || Lattice::new(&chain),
                |lattice, &index| {
                    let sequence = &sequences[index];
                    let mut emissions = vec![0.0; sequence.len() * labels];
                    for &part in &indexes[index] {
                        for (at, scores) in emissions.chunks_exact_mut(labels).enumerate().take(lists[part].len()) {
                            lists[part].add(at, &solver.weights, scores);
                        }
                    }
                    slope(lattice, &emissions, sequence, f64::from(sequence.weight) / weight, size)
                },
            )
            .collect();
        let mut gradient = vec![0.0; size];
        let mut updates = Vec::new();
        let mut loss = 0.0;
        for (&index, slope) in batch.iter().zip(&slopes) {
            let Some(slope) = slope else { continue };
            loss += slope.loss * f64::from(sequences[index].weight);
            gradient.iter_mut().zip(&slope.chain).for_each(|(sum, slope)| *sum += slope);
            for &part in &indexes[index] {
                let errors = slope.error.chunks_exact(labels).enumerate().take(lists[part].len());
                updates.extend(errors.map(|(at, error)| lists[part].update(at, error)));
            }
        }
        solver.step(&updates, training.rate, decay);
        dense.step(&gradient, training.rate, decay);
        (loss, weight)
    });
    let matrix = solver.finish(&table, training, decay);
    let crf = Crf { chain: Chain::new(topology, &dense.weights), weights: dense.weights.into(), matrix };
    (crf, curve)
}

/// The distinct parts in order of appearance, and which of them each sequence has.
fn distinct(sequences: &[Sequence]) -> (Vec<&Arc<Keys>>, Vec<Vec<usize>>) {
    let mut parts: Vec<&Arc<Keys>> = Vec::new();
    let mut known: FxHashMap<*const Keys, usize> = FxHashMap::default();
    let mut index_of = |part| {
        *known.entry(Arc::as_ptr(part)).or_insert_with(|| {
            parts.push(part);
            parts.len() - 1
        })
    };
    let indexes = sequences.iter().map(|sequence| sequence.parts.iter().map(&mut index_of).collect()).collect();
    (parts, indexes)
}
