//! Prompt-guided extraction: the text is read after the name of what is wanted, and every token says whether a fragment begins or ends with it.
//!
//! The counterpart of UIE, with which Soochow took part in 2022 (task 3). The pointers of UIE-nano, where its folder brought them, are where training begins; one
//! network serves all roles, since the prompt tells which is meant, and a role may have several fragments or none.

use burn_tensor::{Tensor, TensorData, activation};

use super::{Example, HEAD, Head, Network, Shaped};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::folder::Pretrained;
use crate::parameters::{device, to_numbers};
use crate::vocabulary::Vocabulary;

/// An extractor of what a prompt names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prompt;

/// A fragment: first and last place in the sequence, and how likely.
pub type Extracted = (usize, usize, f64);

/// Longest fragment in tokens.
const LONGEST: usize = 40;

impl Shaped for Prompt {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        let side = |name: &str| [(format!("{name}.weight"), vec![config.hidden_size, 1]), (format!("{name}.bias"), vec![1])];
        [side("linear_start"), side("linear_end")].into_iter().flatten().collect()
    }
}

impl Prompt {
    /// An encoder with the pointers that came with it, or such that nobody trained.
    pub fn network(self, encoder: &Pretrained, seed: u64) -> Network {
        let mut network = Network::new(encoder, &self, seed);
        for (name, shape, numbers) in encoder.head.numbers() {
            let own = format!("{HEAD}{name}");
            if network.parameters.shape(&own).is_some_and(|expected| expected == shape) {
                network.parameters.put(own, &shape, numbers);
            }
        }
        network
    }

    /// `[CLS] prompt [SEP] text [SEP]`, and where the text begins.
    pub fn sequence(vocabulary: &Vocabulary, prompt: &[u32], text: &[u32]) -> (Sequence, usize) {
        (Sequence::new(vocabulary, prompt, Some(text)), prompt.len() + 2)
    }

    /// Text by place, twice: beginnings and ends.
    fn scores<'s>(
        network: &Network,
        sequences: impl Iterator<Item = &'s Sequence> + Clone,
        dropout: &mut Dropout,
    ) -> [Tensor<2>; 2] {
        let state = network.encode(&network.batch(sequences), dropout);
        let [texts, places, _] = state.dims();
        ["linear_start", "linear_end"].map(|name| network.map(name, state.clone()).reshape([texts, places]))
    }

    /// The fragments of each sequence whose beginning and end are both likelier than `odds`, best first; of two that overlap, the better.
    pub fn ask(self, network: &Network, sequences: &[Sequence], odds: f64) -> Vec<Vec<Extracted>> {
        if sequences.is_empty() {
            return Vec::new();
        }
        let [begin, end] = Self::scores(network, sequences.iter(), &mut Dropout::off()).map(activation::sigmoid);
        let places = begin.dims()[1];
        let (begin, end) = (to_numbers(begin), to_numbers(end));
        let own = |(text, sequence): (usize, &Sequence)| {
            // The prompt itself, and the marks, are no answers.
            let range = sequence.second.min(places)..sequence.ids.len().saturating_sub(1).min(places);
            let row = |numbers: &[f32]| {
                numbers[text * places..][..places].iter().map(|number| f64::from(*number)).collect::<Vec<f64>>()
            };
            spans(&row(&begin), &row(&end), range, odds)
        };
        sequences.iter().enumerate().map(own).collect()
    }
}

fn spans(begin: &[f64], end: &[f64], range: std::ops::Range<usize>, odds: f64) -> Vec<Extracted> {
    let mut all: Vec<Extracted> = Vec::new();
    for first in range.clone().filter(|place| begin[*place] > odds) {
        // A beginning goes with the nearest end, as in UIE.
        if let Some(last) = (first..range.end.min(first + LONGEST)).find(|place| end[*place] > odds) {
            all.push((first, last, begin[first] * end[last]));
        }
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let mut kept: Vec<Extracted> = Vec::new();
    for own in all {
        if kept.iter().all(|other| own.1 < other.0 || other.1 < own.0) {
            kept.push(own);
        }
    }
    kept
}

impl Head for Prompt {
    /// First and last place of every fragment in the sequence.
    type Gold = Vec<(usize, usize)>;

    fn loss(&self, network: &Network, batch: &[&Example<Self::Gold>], dropout: &mut Dropout) -> Tensor<1> {
        let [begin, end] = Self::scores(network, batch.iter().map(|example| &example.sequence), dropout);
        let [texts, places] = begin.dims();
        let (mut begins, mut ends, mut weights) =
            (vec![0.0; texts * places], vec![0.0; texts * places], vec![0.0; texts * places]);
        for (text, example) in batch.iter().enumerate() {
            let count = example.sequence.ids.len().min(places);
            weights[text * places..][..count].fill(1.0);
            for (first, last) in example.gold.iter().filter(|(first, last)| first.max(last) < &count) {
                begins[text * places + first] = 1.0;
                ends[text * places + last] = 1.0;
            }
        }
        (binary_loss(begin, begins, &weights) + binary_loss(end, ends, &weights)) / 2.0
    }
}

/// Minus the log of what a yes-or-no score gives to what is right: a mean, weighted.
pub fn binary_loss(scores: Tensor<2>, right: Vec<f32>, weights: &[f32]) -> Tensor<1> {
    let shape = scores.dims();
    let sum: f32 = weights.iter().sum();
    let table = |numbers: Vec<f32>| -> Tensor<2> { Tensor::from_data(TensorData::new(numbers, shape), &device()) };
    let (yes, weights) = (table(right), table(weights.to_vec()));
    let no = (yes.clone() - 1.0) * -1.0;
    let logs = activation::log_sigmoid(scores.clone()) * yes + activation::log_sigmoid(scores * -1.0) * no;
    (logs * weights).sum() / -sum.max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_goes_with_the_nearest_end() {
        let begin = [0.0, 0.0, 0.9, 0.0, 0.6, 0.0, 0.8, 0.9];
        let end = [0.9, 0.0, 0.0, 0.0, 0.9, 0.0, 0.7, 0.9];
        // Place 2 ends at 4, and so does the weaker 4, which is dropped; 6 ends with itself; 7 is outside.
        let found: Vec<(usize, usize)> = spans(&begin, &end, 1..7, 0.5).iter().map(|one| (one.0, one.1)).collect();
        assert_eq!(found, [(2, 4), (6, 6)]);
    }
}
