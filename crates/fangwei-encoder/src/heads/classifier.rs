//! Sentence classifier: one vector for the text, one score a class.
//!
//! The counterpart of the baselines of 2021 (`judge`, and `reason` with the reason as second segment) and of 2022 task 1, and of the ELECTRA entries of 2022.

use burn_tensor::Tensor;

use super::{Example, Head, Network, Shaped, cross_entropy, shares};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::parameters::to_numbers;

/// A classifier of whole texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classifier {
    /// How many classes there are.
    pub classes: usize,
}

impl Shaped for Classifier {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        let wide = config.hidden_size;
        // The pooler of BERT, begun anew: not every folder brings one, and those that do trained it for something else.
        vec![
            ("pool.weight".into(), vec![wide, wide]),
            ("pool.bias".into(), vec![wide]),
            ("class.weight".into(), vec![wide, self.classes]),
            ("class.bias".into(), vec![self.classes]),
        ]
    }
}

impl Classifier {
    fn scores<'s>(network: &Network, sequences: impl Iterator<Item = &'s Sequence> + Clone, dropout: &mut Dropout) -> Tensor<2> {
        let state = network.encode(&network.batch(sequences), dropout);
        let [texts, _, wide] = state.dims();
        let first: Tensor<2> = state.narrow(1, 0, 1).reshape([texts, wide]);
        let pooled = dropout.apply(network.map("pool", first).tanh(), network.config.hidden_dropout_prob);
        network.map("class", pooled)
    }

    /// How likely each class is, for each sequence.
    pub fn ask(self, network: &Network, sequences: &[Sequence]) -> Vec<Vec<f64>> {
        if sequences.is_empty() {
            return Vec::new();
        }
        let numbers = to_numbers(Self::scores(network, sequences.iter(), &mut Dropout::off()));
        numbers.chunks_exact(self.classes).map(shares).collect()
    }
}

impl Head for Classifier {
    type Gold = usize;

    fn loss(&self, network: &Network, batch: &[&Example<usize>], dropout: &mut Dropout) -> Tensor<1> {
        let scores = Self::scores(network, batch.iter().map(|example| &example.sequence), dropout);
        cross_entropy(scores, batch.iter().map(|example| example.gold).collect(), vec![1.0; batch.len()])
    }
}
