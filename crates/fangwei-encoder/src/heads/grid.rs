//! Grid tagging: a label for every pair of tokens, from which fragments with gaps are read.
//!
//! The counterpart of W2NER, with which CPIC took part in 2022 (task 2). Two kinds of pairs are labelled: a token and the next one of its fragment, however far
//! on that is; and the last token of a fragment and its first, with the role. A fragment is a way of the first kind that a pair of the second closes.

use std::collections::BTreeSet;

use burn_tensor::{Tensor, TensorData, module};

use super::{Example, Head, Network, Shaped, cross_entropy, shares};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::parameters::{device, to_numbers};

/// A grid over pairs of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// How many roles there are.
    pub roles: usize,
}

/// A fragment in a role: its tokens, in order, gaps allowed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// The role.
    pub role: usize,
    /// The places of its tokens in the sequence.
    pub places: Vec<usize>,
}

/// Labels of pairs: none, next of the fragment, and from here on last and first of a fragment in a role.
const NONE: usize = 0;
const NEXT: usize = 1;
const CLOSES: usize = 2;

/// Numbers that a token has for each label and side of a pair.
const WIDTH: usize = 32;

/// Distances beyond this are alike.
const FARTHEST: i64 = 15;
const DISTANCE: &str = "head.distance.weight";

/// Pairs without a label are nearly all; each counts this little, so that the few others are learnt too.
const NONE_WEIGHT: f32 = 0.1;

/// Ways that are followed at most in one text: a network that nobody trained labels every pair.
const MOST: usize = 256;

impl Grid {
    fn labels(self) -> usize {
        CLOSES + self.roles
    }

    /// Text, row, column, label.
    fn scores<'s>(
        self,
        network: &Network,
        sequences: impl Iterator<Item = &'s Sequence> + Clone,
        dropout: &mut Dropout,
    ) -> Tensor<4> {
        let state = network.encode(&network.batch(sequences), dropout);
        let state = dropout.apply(state, network.config.hidden_dropout_prob);
        let [texts, places, _] = state.dims();
        let side = |name: &str, state: Tensor<3>| {
            network.map(name, state).reshape([texts, places, self.labels(), WIDTH]).swap_dims(1, 2)
        };
        let (row, column) = (side("row", state.clone()), side("column", state));
        let scores = (row / (WIDTH as f64).sqrt()).matmul(column.swap_dims(2, 3)).permute([0, 2, 3, 1]);
        // How far apart two tokens stand, and which comes first, is most of what makes them neighbours.
        let apart = (0..places * places).map(|cell| distance(cell / places, cell % places)).collect::<Vec<i64>>();
        let apart = Tensor::from_data(TensorData::new(apart, [places, places]), &device());
        scores + module::embedding(network.parameters.matrix(DISTANCE), apart).unsqueeze::<4>()
    }

    /// The fragments of each sequence, and how likely each is: as likely as the weakest of its pairs.
    pub fn ask(self, network: &Network, sequences: &[Sequence]) -> Vec<Vec<(Found, f64)>> {
        if sequences.is_empty() {
            return Vec::new();
        }
        let scores = self.scores(network, sequences.iter(), &mut Dropout::off());
        let [_, places, _, labels] = scores.dims();
        let numbers = to_numbers(scores);
        let read = |(text, sequence): (usize, &Sequence)| {
            let count = sequence.ids.len().min(places);
            let cell = |row: usize, column: usize| &numbers[((text * places + row) * places + column) * labels..][..labels];
            let label = |row: usize, column: usize| {
                let best = cell(row, column).iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
                best.map_or(NONE, |(label, _)| label)
            };
            let likely = |own: Found| {
                let pairs = Grid::pairs(std::slice::from_ref(&own));
                let odds = pairs.iter().map(|(row, column, label)| shares(cell(*row, *column))[*label]).fold(1.0, f64::min);
                (own, odds)
            };
            fragments(count, label).into_iter().map(likely).collect()
        };
        sequences.iter().enumerate().map(read).collect()
    }

    /// The labelled pairs of fragments.
    pub fn pairs(fragments: &[Found]) -> Vec<(usize, usize, usize)> {
        let mut pairs = Vec::new();
        for own in fragments {
            pairs.extend(own.places.windows(2).map(|pair| (pair[0], pair[1], NEXT)));
            if let (Some(first), Some(last)) = (own.places.first(), own.places.last()) {
                pairs.push((*last, *first, CLOSES + own.role));
            }
        }
        pairs
    }
}

/// The row of the table of distances for a pair.
fn distance(row: usize, column: usize) -> i64 {
    (column as i64 - row as i64).clamp(-FARTHEST, FARTHEST) + FARTHEST
}

/// Follows ways from every first token to its last.
fn fragments(count: usize, label: impl Fn(usize, usize) -> usize) -> Vec<Found> {
    let mut found: BTreeSet<Found> = BTreeSet::new();
    let mut followed = 0;
    for first in 0..count {
        for last in first..count {
            let Some(role) = label(last, first).checked_sub(CLOSES) else { continue };
            let mut ways = vec![vec![first]];
            while let Some(way) = ways.pop() {
                followed += 1;
                if followed > MOST {
                    return found.into_iter().collect();
                }
                let here = way[way.len() - 1];
                if here == last {
                    found.insert(Found { role, places: way });
                    continue;
                }
                for next in (here + 1..=last).rev().filter(|next| label(here, *next) == NEXT) {
                    ways.push(way.iter().copied().chain([next]).collect());
                }
            }
        }
    }
    found.into_iter().collect()
}

impl Shaped for Grid {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        let out = self.labels() * WIDTH;
        let side = |name: &str| [(format!("{name}.weight"), vec![config.hidden_size, out]), (format!("{name}.bias"), vec![out])];
        let distance = ("distance.weight".to_owned(), vec![2 * FARTHEST as usize + 1, self.labels()]);
        [side("row"), side("column")].into_iter().flatten().chain([distance]).collect()
    }
}

impl Head for Grid {
    /// The fragments.
    type Gold = Vec<Found>;

    fn loss(&self, network: &Network, batch: &[&Example<Self::Gold>], dropout: &mut Dropout) -> Tensor<1> {
        let scores = self.scores(network, batch.iter().map(|example| &example.sequence), dropout);
        let [texts, places, _, labels] = scores.dims();
        let (mut right, mut weights) = (vec![NONE; texts * places * places], vec![0.0; texts * places * places]);
        for (text, example) in batch.iter().enumerate() {
            let count = example.sequence.ids.len().min(places);
            for row in 0..count {
                weights[(text * places + row) * places..][..count].fill(NONE_WEIGHT);
            }
            for (row, column, label) in Grid::pairs(&example.gold) {
                if row < count && column < count {
                    let cell = (text * places + row) * places + column;
                    (right[cell], weights[cell]) = (label.min(labels - 1), 1.0);
                }
            }
        }
        cross_entropy(scores.reshape([texts * places * places, labels]), right, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_with_gaps_are_read_from_pairs() {
        // Two fragments that share a token, one with a gap, and one of a single token.
        let gold = vec![
            Found { role: 0, places: vec![1, 2, 5] },
            Found { role: 1, places: vec![2, 3] },
            Found { role: 2, places: vec![4] },
        ];
        let pairs = Grid::pairs(&gold);
        assert_eq!(pairs, [(1, 2, NEXT), (2, 5, NEXT), (5, 1, CLOSES), (2, 3, NEXT), (3, 2, CLOSES + 1), (4, 4, CLOSES + 2)]);
        let label =
            |row: usize, column: usize| pairs.iter().find(|pair| (pair.0, pair.1) == (row, column)).map_or(NONE, |pair| pair.2);
        assert_eq!(fragments(7, label), gold);
        // All pairs labelled: bounded work.
        assert!(fragments(200, |row, column| if row < column { NEXT } else { CLOSES }).len() <= MOST);
    }
}
