//! Sequence tagger: one score a label for every token.
//!
//! The counterpart of the taggers of the baselines of 2022 (task 2) and 2023 (task 1), and of the S/P/E/O tagger of Soochow. It may answer several questions about a
//! token at once, each with labels of its own. Where the question is about some tokens of the text (an anchor, a trigger, an entity), these are marked.

use burn_tensor::Tensor;

use super::{Example, Head, Network, Shaped, cross_entropy, log_shares};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::parameters::to_numbers;

/// A tagger of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tagger {
    /// How many labels each question has.
    pub labels: &'static [usize],
    /// How many marks there are.
    pub marks: usize,
}

/// A label for each token of the sequence; `None` where it does not count.
pub type Labels = Vec<Option<usize>>;

impl Shaped for Tagger {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        let labels = self.labels.iter().sum();
        let mut shapes = vec![("label.weight".into(), vec![config.hidden_size, labels]), ("label.bias".into(), vec![labels])];
        if self.marks > 0 {
            shapes.push(("mark.weight".into(), vec![self.marks + 1, config.embedding()]));
        }
        shapes
    }
}

impl Tagger {
    fn scores<'s>(network: &Network, sequences: impl Iterator<Item = &'s Sequence> + Clone, dropout: &mut Dropout) -> Tensor<3> {
        let state = network.encode(&network.batch(sequences), dropout);
        let state = dropout.apply(state, network.config.hidden_dropout_prob);
        network.map("label", state)
    }

    /// The logarithm of how likely each label is, for each token of each sequence, those around the text included. The labels of all questions stand side by side.
    pub fn ask(self, network: &Network, sequences: &[Sequence]) -> Vec<Vec<Vec<f32>>> {
        if sequences.is_empty() {
            return Vec::new();
        }
        let scores = Self::scores(network, sequences.iter(), &mut Dropout::off());
        let [_, places, labels] = scores.dims();
        let numbers = to_numbers(scores);
        let row = |text: usize, place: usize| {
            let mut rest = &numbers[(text * places + place) * labels..][..labels];
            let mut row = Vec::with_capacity(labels);
            for count in self.labels {
                let (own, others) = rest.split_at((*count).min(rest.len()));
                row.extend(log_shares(own));
                rest = others;
            }
            row
        };
        let rows =
            |(text, sequence): (usize, &Sequence)| (0..sequence.ids.len().min(places)).map(|place| row(text, place)).collect();
        sequences.iter().enumerate().map(rows).collect()
    }
}

impl Head for Tagger {
    /// The labels that are right, for each question; a question without any does not count.
    type Gold = Vec<Labels>;

    fn loss(&self, network: &Network, batch: &[&Example<Self::Gold>], dropout: &mut Dropout) -> Tensor<1> {
        let scores = Self::scores(network, batch.iter().map(|example| &example.sequence), dropout);
        let [texts, places, _] = scores.dims();
        let mut begin = 0;
        let mut sum = None;
        for (question, labels) in self.labels.iter().copied().enumerate() {
            let own = scores.clone().narrow(2, begin, labels).reshape([texts * places, labels]);
            begin += labels;
            let label = |number: usize| batch[number / places].gold.get(question)?.get(number % places).copied().flatten();
            let right = (0..texts * places).map(|number| label(number).unwrap_or(0).min(labels - 1)).collect();
            let weights = (0..texts * places).map(|number| if label(number).is_some() { 1.0 } else { 0.0 }).collect();
            let loss = cross_entropy(own, right, weights);
            sum = Some(match sum {
                Some(sum) => sum + loss,
                None => loss,
            });
        }
        sum.unwrap_or_else(|| Tensor::zeros([1], &crate::parameters::device()))
    }
}
