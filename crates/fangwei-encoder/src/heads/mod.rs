//! Heads: small networks on top of the encoder, one file for each kind of system that took part in the evaluations.
//!
//! A head says which parameters it has, and what it loses on a batch; [`crate::train`] does the rest. How it is asked is its own business.

pub mod classifier;
pub mod entity;
pub mod grid;
pub mod pointers;
pub mod prompt;
pub mod replaced;
pub mod tagger;
pub mod trigger;

use burn_tensor::{Int, Tensor, TensorData, activation};

use crate::config::Config;
use crate::encoder::{Batch, Dropout, Sequence, WORDS, encode};
use crate::folder::Pretrained;
use crate::parameters::{Parameters, device};
use crate::vocabulary::Vocabulary;

/// Names of the parameters of a head begin with this.
pub const HEAD: &str = "head.";

/// An encoder with a head: both in one table of parameters.
#[derive(Clone, Debug)]
pub struct Network {
    /// The shape of the encoder.
    pub config: Config,
    /// Its vocabulary.
    pub vocabulary: Vocabulary,
    /// All parameters.
    pub parameters: Parameters,
    /// In training, the pieces whose rows alone are in the table of words, sorted; a piece is then looked up by its place among them.
    pub words: Option<Vec<u32>>,
}

impl Network {
    /// An encoder with a head that nobody trained yet.
    pub fn new(encoder: &Pretrained, head: &dyn Shaped, seed: u64) -> Network {
        let mut parameters = encoder.parameters.clone();
        for (name, shape) in head.shapes(&encoder.config) {
            parameters.begin(&format!("{HEAD}{name}"), &shape, seed);
        }
        Network { config: encoder.config.clone(), vocabulary: encoder.vocabulary.clone(), parameters, words: None }
    }

    /// The same network for the sequences of one batch, its parameters watched, with only those rows of the table of words that the batch needs: the gradient of a whole
    /// table would be most of the work of a step, and nearly all of it nought.
    #[must_use]
    pub fn watched<'s>(&self, sequences: impl Iterator<Item = &'s Sequence>) -> Network {
        self.watched_at(self.words_of(sequences))
    }

    /// The rows of the table of words that some sequences need, sorted.
    pub fn words_of<'s>(&self, sequences: impl Iterator<Item = &'s Sequence>) -> Vec<u32> {
        let known = |id: u32| if (id as usize) < self.config.vocab_size { id } else { 0 };
        let mut words: Vec<u32> = sequences.flat_map(|sequence| &sequence.ids).map(|id| known(*id)).collect();
        words.extend([0, self.vocabulary.padding].map(known));
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The same network, watched, with just these rows.
    #[must_use]
    pub fn watched_at(&self, words: Vec<u32>) -> Network {
        let rows: Vec<i64> = words.iter().map(|word| i64::from(*word)).collect();
        let rows: Tensor<1, Int> = Tensor::from_data(TensorData::new(rows, [words.len()]), &device());
        let parameters = self.parameters.map(|name, tensor| {
            let tensor = if name == WORDS { tensor.inner().select(0, rows.clone()) } else { tensor.inner() };
            tensor.autodiff().require_grad()
        });
        Network { parameters, words: Some(words), ..self.clone() }
    }

    /// A batch of some sequences.
    pub fn batch<'s>(&self, sequences: impl Iterator<Item = &'s Sequence>) -> Batch {
        let place = |id: &u32| self.words.as_ref().map_or(*id, |words| words.binary_search(id).unwrap_or(0) as u32);
        let sequences: Vec<Sequence> =
            sequences.map(|sequence| Sequence { ids: sequence.ids.iter().map(place).collect(), ..sequence.clone() }).collect();
        Batch::new(&self.config, place(&self.vocabulary.padding), sequences.iter())
    }

    /// A vector for every token of a batch.
    pub fn encode(&self, batch: &Batch, dropout: &mut Dropout) -> Tensor<3> {
        encode(&self.config, &self.parameters, batch, dropout)
    }

    /// A linear map of the head.
    pub fn map<const D: usize>(&self, name: &str, input: Tensor<D>) -> Tensor<D> {
        crate::encoder::linear(&self.parameters, &format!("{HEAD}{name}"), input)
    }
}

/// What has parameters.
pub trait Shaped {
    /// Their names, without [`HEAD`], and shapes.
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)>;
}

/// What can be trained.
pub trait Head: Shaped + Sync {
    /// What is right for a sequence.
    type Gold: Sync;

    /// How wrong the network is about a batch: a mean over it.
    fn loss(&self, network: &Network, batch: &[&Example<Self::Gold>], dropout: &mut Dropout) -> Tensor<1>;
}

/// A sequence and what is right for it.
#[derive(Clone, Debug)]
pub struct Example<Gold> {
    /// The sequence.
    pub sequence: Sequence,
    /// What is right.
    pub gold: Gold,
}

/// Minus the log of what rows of scores give to their right columns: a mean over the rows, weighted. A row of weight nought does not count.
pub fn cross_entropy(scores: Tensor<2>, right: Vec<usize>, weights: Vec<f32>) -> Tensor<1> {
    let rows = right.len();
    let sum: f32 = weights.iter().sum();
    let right: Vec<i64> = right.into_iter().map(|column| column as i64).collect();
    let right: Tensor<2, Int> = Tensor::from_data(TensorData::new(right, [rows, 1]), &device());
    let weights: Tensor<2> = Tensor::from_data(TensorData::new(weights, [rows, 1]), &device());
    let logs = activation::log_softmax(scores, 1).gather(1, right);
    (logs * weights).sum() / -sum.max(1e-6)
}

/// Logarithms of the shares of a row of scores.
pub(crate) fn log_shares(scores: &[f32]) -> impl Iterator<Item = f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
    let whole = most + sum.ln();
    scores.iter().map(move |score| score - whole)
}

/// Shares of a row of scores that sum to one.
pub(crate) fn shares(scores: &[f32]) -> Vec<f64> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raised: Vec<f64> = scores.iter().map(|score| f64::from(score - most).exp()).collect();
    let sum: f64 = raised.iter().sum();
    raised.into_iter().map(|share| share / sum).collect()
}
