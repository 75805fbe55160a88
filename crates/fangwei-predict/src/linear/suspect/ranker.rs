//! The ranker: which site makes a passage abnormal, or none.
//!
//! First a sparse model sees each word with all its surroundings; then trees weigh its score with the evidence of the cloze. Both choose one of the sites or
//! "none of them", so normal passages teach as well, and what they choose sums to one.

use super::cloze::keys;
use super::evidence::{COLUMNS, Ratio};
use super::passage::Passage;
use super::view::View;
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;
use crate::learn::{Training, Watch};

/// Dense features of the sparse model.
const DENSE: usize = 4;

fn dense(ratio: Ratio, log: f32, suspicion: f32) -> [f32; DENSE] {
    [ratio.harmful * 0.3, ratio.replaced * 0.3, -log * 0.3, suspicion * 0.3]
}

/// The key of "none of them", whose weight is how surprising an abnormal passage is.
fn none_key() -> u32 {
    Template::new(2000).key()
}

/// What the sparse model sees of a passage, beside the surroundings.
#[derive(Clone, Debug)]
pub struct Hints {
    /// By site: the ratio, the log-probability of the word and how often it is replaced.
    pub sites: Vec<(Ratio, f32, f32)>,
}

/// What is to be chosen in a passage: weights of the sites, then of none; `None` where nothing is known.
pub fn target(passage: &Passage) -> Option<Vec<f32>> {
    let mut target = vec![0.0; passage.sites.len() + 1];
    match passage.normal {
        Some(true) => target[passage.sites.len()] = 1.0,
        Some(false) if !passage.gold.is_empty() => passage.gold.iter().for_each(|(number, share)| target[*number] = *share),
        _ => return None,
    }
    Some(target)
}

/// Weights of passages: normal and abnormal ones count the same in all, so that neither is expected.
pub fn weights<'p>(passages: impl Iterator<Item = &'p Passage> + Clone) -> Vec<f32> {
    let own = |passage: &Passage| if passage.year == 2021 { EARLY } else { 1.0 };
    let mut sums = [1e-3_f32; 2];
    for passage in passages.clone().filter(|passage| target(passage).is_some()) {
        sums[usize::from(passage.normal == Some(true))] += own(passage);
    }
    let balance = (sums[0] / sums[1]).clamp(0.1, 10.0);
    passages.map(|passage| own(passage) * if passage.normal == Some(true) { balance } else { 1.0 }).collect()
}

/// The weight of a passage of 2021, whose origins have many more siblings each.
const EARLY: f32 = 0.4;

/// Trains the sparse model on passages with their hints and weights.
pub fn train_sparse<'p>(
    cases: impl Iterator<Item = (&'p Passage, &'p View<'p>, &'p Hints, f32)>,
    watch: &mut Watch<'_>,
) -> Choice {
    let mut examples = Examples::new(DENSE);
    let mut buffer = Vec::new();
    for (passage, view, hints, weight) in cases {
        let Some(target) = target(passage) else { continue };
        for (number, site) in passage.sites.iter().enumerate() {
            keys(&view.around[number], &site.word, &mut buffer);
            let (ratio, log, suspicion) = &hints.sites[number];
            examples.alternative(&buffer, &dense(*ratio, *log, *suspicion), target[number]);
        }
        examples.alternative(&[none_key()], &[], target[passage.sites.len()]);
        examples.close(weight);
    }
    let training = Training { epochs: 5, batch: 32, rate: 0.05, l2: 8.0, min_count: 3, prune: 5e-3, seed: 2 };
    Choice::train(&examples, &training, watch).0
}

/// Scores of the sparse model: by site, then of none.
pub fn score_sparse(sparse: &Choice, words: impl Iterator<Item = smol_str::SmolStr>, view: &View<'_>, hints: &Hints) -> Vec<f32> {
    let mut alternatives = Alternatives::new(DENSE);
    let mut buffer = Vec::new();
    for ((word, around), (ratio, log, suspicion)) in words.zip(&view.around).zip(&hints.sites) {
        keys(around, &word, &mut buffer);
        alternatives.push(&buffer, &dense(*ratio, *log, *suspicion));
    }
    alternatives.push(&[none_key()], &[]);
    sparse.scores(&alternatives)
}

/// Trains the trees on the rows of passages.
pub fn train_trees<'p>(
    cases: impl Iterator<Item = (&'p Passage, &'p [[f32; COLUMNS]], f32)>,
    seed: u64,
    watch: &mut Watch<'_>,
) -> Boost {
    let mut table = Rows::new(COLUMNS);
    for (passage, rows, weight) in cases {
        let Some(target) = target(passage) else { continue };
        for (row, target) in rows.iter().zip(target) {
            table.push(row, target, weight);
        }
        table.close_group();
    }
    Boost::train(&table, Loss::Groups, &boosting(seed), watch).0
}

/// How trees learn that rank the words of a text.
pub fn boosting(seed: u64) -> Boosting {
    Boosting {
        trees: 150,
        rate: 0.06,
        leaves: 16,
        depth: 6,
        min_child_weight: 8.,
        row_share: 0.7,
        column_share: 0.5,
        l2: 4.0,
        seed,
        ..Boosting::default()
    }
}
