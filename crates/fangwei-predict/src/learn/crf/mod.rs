//! Linear-chain conditional random field.
//!
//! Keys at each position give every label a score ([`Crf::emissions`]); a [`Lattice`] sums over, samples or finds the best of the
//! paths through the states of a [`Topology`]. The two steps are apart, because callers add several sets of emissions: those of a
//! passage, made once, and those of each anchor in it.

mod chain;
mod lattice;
mod topology;
mod train;

pub use chain::Chain;
pub use lattice::Lattice;
pub use topology::{Topology, TopologyError};
pub use train::Sequence;

use super::feature::Keys;
use super::solver::Matrix;
use super::{Curve, Training, Watch};
use crate::weights::{ReadScope, Section, WeightsError, WriteScope};

/// A trained field.
///
/// ```
/// use std::sync::Arc;
/// use fangwei_predict::learn::crf::{Crf, Sequence, Topology};
/// use fangwei_predict::learn::feature::Keys;
/// use fangwei_predict::learn::{Training, unwatched};
///
/// // Key 1 stands at positions of label 0, key 2 at those of label 1.
/// let mut keys = Keys::new();
/// keys.extend(&[1]);
/// keys.extend(&[2]);
/// let sequence = Sequence { parts: vec![Arc::new(keys.clone())], classes: vec![], allowed: vec![0b01, 0b10], weight: 1.0 };
/// let (crf, curve) = Crf::train(Topology::free(2)?, &vec![sequence; 40], &Training { l2: 0.1, ..Training::default() }, &mut unwatched);
/// assert!(curve.losses.last() < curve.losses.first());
///
/// let emissions = crf.emissions(&keys);
/// let mut lattice = crf.lattice();
/// lattice.run(&emissions, &[], &[]);
/// assert_eq!(lattice.viterbi().map(|(path, _)| path), Some(vec![0, 1]));
/// # Ok::<(), fangwei_predict::learn::crf::TopologyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Crf {
    chain: Chain,
    weights: Section<f32>,
    matrix: Matrix,
}

impl Crf {
    /// All weights 0: every allowed path is equally likely.
    pub fn untrained(topology: Topology) -> Self {
        let weights = vec![0.0; Chain::weights(&topology)];
        let matrix = Matrix::empty(topology.labels());
        Self { chain: Chain::new(topology, &weights), weights: weights.into(), matrix }
    }

    /// Trains by AdaGrad on mini-batches. Sequences whose constraints allow no path are skipped.
    pub fn train(topology: Topology, sequences: &[Sequence], training: &Training, watch: &mut Watch<'_>) -> (Self, Curve) {
        train::train(topology, sequences, training, watch)
    }

    /// The topology.
    pub fn topology(&self) -> &Topology {
        &self.chain.topology
    }

    /// Keys with weights.
    pub fn rows(&self) -> usize {
        self.matrix.rows()
    }

    /// Scores of the labels at each position: `positions × labels`.
    pub fn emissions(&self, keys: &Keys) -> Vec<f32> {
        let mut emissions = vec![0.0; keys.len() * self.topology().labels()];
        self.add_emissions(keys, &mut emissions);
        emissions
    }

    /// Adds the scores of more keys, e.g. those of an anchor to a copy of the passage's.
    pub fn add_emissions(&self, keys: &Keys, emissions: &mut [f32]) {
        self.matrix.add_lists(keys.lists(), emissions);
    }

    /// A lattice for inference; keep it for many sequences.
    pub fn lattice(&self) -> Lattice<'_> {
        Lattice::new(&self.chain)
    }

    /// The weights of a key, one a label, to explain a decision; none if the key was not learned.
    pub fn weights_of(&self, key: u32) -> Option<Vec<f32>> {
        self.matrix.weights_of(key)
    }

    /// Puts the model into a weights file.
    pub fn save(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put_json("topology", self.topology())?;
        out.put("chain", &self.weights);
        self.matrix.save(out);
        Ok(())
    }

    /// Takes it out again.
    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let topology: Topology = from.get_json("topology")?;
        let weights = from.get::<f32>("chain")?;
        let matrix = Matrix::load(from)?;
        if weights.len() != Chain::weights(&topology) {
            return Err(from.unfit("chain", Chain::weights(&topology), weights.len()));
        }
        if matrix.width() != topology.labels() {
            return Err(from.unfit("width", topology.labels(), matrix.width()));
        }
        Ok(Self { chain: Chain::new(topology, &weights), weights, matrix })
    }
}

#[cfg(test)]
mod tests;
