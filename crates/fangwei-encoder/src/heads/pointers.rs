//! Reading comprehension: for every role one pointer to where its fragment begins and one to where it ends.
//!
//! The counterpart of Fudan's systems of 2022 (task 2, a pointer pair for each fragment) and 2023 (task 1, twelve pointers for S1 P1 E1 S2 P2 E2). As there, a
//! role that is not filled points at the first token, and fragments are contiguous; other than there, the end is searched only behind the beginning.

use burn_tensor::Tensor;

use super::{Example, Head, Network, Shaped, cross_entropy, shares};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::parameters::to_numbers;

/// A pair of pointers for every role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointers {
    /// How many roles there are.
    pub roles: usize,
}

/// Where a role's fragment may lie: first and last token of the sequence, and how likely; (0, 0) is nowhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pointed {
    /// The first token.
    pub first: usize,
    /// The last token.
    pub last: usize,
    /// How likely it is.
    pub odds: f64,
}

/// Longest fragment in tokens: longer ones do not occur, and searching all pairs of a long window would be slow.
const LONGEST: usize = 40;

impl Shaped for Pointers {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        vec![("pointer.weight".into(), vec![config.hidden_size, 2 * self.roles]), ("pointer.bias".into(), vec![2 * self.roles])]
    }
}

impl Pointers {
    /// Text by pointer by place; places without a token are out of reach.
    fn scores<'s>(network: &Network, sequences: impl Iterator<Item = &'s Sequence> + Clone, dropout: &mut Dropout) -> Tensor<3> {
        let batch = network.batch(sequences);
        let state = network.encode(&batch, dropout);
        let state = dropout.apply(state, network.config.hidden_dropout_prob);
        let scores = network.map("pointer", state).swap_dims(1, 2);
        let [texts, pointers, places] = scores.dims();
        scores.mask_fill(batch.blank().reshape([texts, 1, places]).expand([texts, pointers, places]), -1e9)
    }

    /// For each sequence and role the likeliest places, best first, `most` at most.
    pub fn ask(self, network: &Network, sequences: &[Sequence], most: usize) -> Vec<Vec<Vec<Pointed>>> {
        if sequences.is_empty() {
            return Vec::new();
        }
        let scores = Self::scores(network, sequences.iter(), &mut Dropout::off());
        let [_, pointers, places] = scores.dims();
        let numbers = to_numbers(scores);
        let of = |text: usize, pointer: usize| shares(&numbers[(text * pointers + pointer) * places..][..places]);
        let role = |text: usize, role: usize| pairs(&of(text, 2 * role), &of(text, 2 * role + 1), most);
        (0..sequences.len()).map(|text| (0..self.roles).map(|number| role(text, number)).collect()).collect()
    }
}

/// The likeliest pairs of a beginning and an end not before it; their odds sum to one over all pairs.
fn pairs(begin: &[f64], end: &[f64], most: usize) -> Vec<Pointed> {
    let mut all = vec![Pointed { first: 0, last: 0, odds: begin.first().unwrap_or(&0.0) * end.first().unwrap_or(&0.0) }];
    for (first, odds) in begin.iter().enumerate().skip(1) {
        for (last, ends) in end.iter().enumerate().skip(first).take(LONGEST) {
            all.push(Pointed { first, last, odds: odds * ends });
        }
    }
    let sum: f64 = all.iter().map(|one| one.odds).sum();
    for one in &mut all {
        one.odds /= sum.max(f64::MIN_POSITIVE);
    }
    let better = |a: &Pointed, b: &Pointed| b.odds.total_cmp(&a.odds).then(a.first.cmp(&b.first)).then(a.last.cmp(&b.last));
    // A window has thousands of pairs, and few are asked for.
    if most < all.len() {
        all.select_nth_unstable_by(most, better);
        all.truncate(most);
    }
    all.sort_by(better);
    all
}

impl Head for Pointers {
    /// First and last token of each role; (0, 0) for nowhere.
    type Gold = Vec<(usize, usize)>;

    fn loss(&self, network: &Network, batch: &[&Example<Self::Gold>], dropout: &mut Dropout) -> Tensor<1> {
        let scores = Self::scores(network, batch.iter().map(|example| &example.sequence), dropout);
        let [texts, pointers, places] = scores.dims();
        let right = |number: usize| {
            let (first, last) = batch[number / pointers].gold.get(number % pointers / 2).copied().unwrap_or((0, 0));
            if number.is_multiple_of(2) { first } else { last }.min(places - 1)
        };
        let right = (0..texts * pointers).map(right).collect();
        cross_entropy(scores.reshape([texts * pointers, places]), right, vec![1.0; texts * pointers])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_lies_behind_its_beginning() {
        // The likeliest end alone is place 1, before the likeliest beginning, place 2: of the pairs in order, (2, 3) is worth 0.6 x 0.3 and (1, 1) 0.3 x 0.6.
        let best = pairs(&[0.05, 0.3, 0.6, 0.05], &[0.05, 0.6, 0.05, 0.3], 3);
        assert_eq!((best[0].first, best[0].last), (1, 1));
        assert_eq!((best[1].first, best[1].last), (2, 3));
        assert!((best[0].odds - best[1].odds).abs() < 1e-12);
        let nowhere = pairs(&[0.9, 0.1], &[0.9, 0.1], 1);
        assert_eq!((nowhere[0].first, nowhere[0].last), (0, 0));
    }
}
