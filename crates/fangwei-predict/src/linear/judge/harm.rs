//! Does a changed word do harm? A sparse model of the word in its surroundings, then trees that weigh its score with the evidence.
//!
//! Half of the changes of 2021 are tolerable (树上 to 树顶, 走来 to 走去), so to find the changed word is not yet to judge the text.

use super::cases::{Case, Sight};
use super::place::{COLUMNS as PLACE, PlaceRow};
use crate::job::Keep;
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::feature::Template;
use crate::learn::linear::{Examples, Linear, Target};
use crate::learn::{Training, Watch};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Numbers of the trees: those of the site, and the score of the sparse model.
const COLUMNS: usize = PLACE + 1;
/// Columns of the evidence that the sparse model sees as well.
const DENSE: [usize; 11] = [1, 2, 3, 4, 6, 7, 8, 9, 22, 23, 24];

/// A trained model of harm.
#[derive(Clone, Debug)]
pub struct Harm {
    pub(super) sparse: Linear,
    pub(super) trees: Boost,
}

/// The features of the sparse model, those of the own year once more by themselves.
fn features(keys: &[u32], row: &PlaceRow) -> Vec<(u32, f32)> {
    let own = row[PLACE - 1] > 0.0;
    let mut features: Vec<(u32, f32)> = keys.iter().map(|key| (*key, 1.0)).collect();
    for column in DENSE {
        let value = if row[column].is_finite() { row[column].clamp(-12.0, 12.0) / 3.0 } else { 0.0 };
        features.push((Template::new(2100).part(column as u64).key(), value));
        if own {
            features.push((Template::new(2101).part(column as u64).key(), value));
        }
    }
    if own {
        features.push((Template::new(2102).key(), 1.0));
    }
    features
}

/// The log-odds of harm by a sparse model.
fn score(sparse: &Linear, keys: &[u32], row: &PlaceRow) -> f32 {
    let log = sparse.log_probabilities_valued(&features(keys, row));
    log.get(1).copied().unwrap_or(0.0) - log.first().copied().unwrap_or(0.0)
}

/// Scores of all sites of a text.
pub fn scores(sparse: &Linear, sight: &Sight) -> Vec<f32> {
    sight.keys.iter().zip(&sight.rows).map(|(keys, row)| score(sparse, keys, row)).collect()
}

/// The changed sites of a text, each with its share of the text's weight.
fn changed(case: &Case) -> impl Iterator<Item = (usize, f32)> {
    let changed = case.changed.as_deref().unwrap_or_default();
    changed.iter().map(|number| (*number, case.weight / changed.len() as f32))
}

/// Trains the sparse model on changed sites.
pub fn train_sparse<'c>(cases: impl Iterator<Item = &'c Case>, seed: u64, watch: &mut Watch<'_>) -> Linear {
    let mut examples = Examples::new(2);
    for case in cases {
        for (number, weight) in changed(case) {
            let features = features(&case.sight.keys[number], &case.sight.rows[number]);
            examples.push_valued(&features, Target::Class(usize::from(case.abnormal)), weight);
        }
    }
    let training = Training { epochs: 8, batch: 32, rate: 0.05, l2: 40.0, min_count: 3, prune: 2e-3, seed };
    Linear::train(&examples, &training, watch).0
}

/// Trains the trees on changed sites with the scores of sparse models that have not seen them.
pub fn train_trees<'c>(cases: impl Iterator<Item = (&'c Case, &'c [f32])>, seed: u64, watch: &mut Watch<'_>) -> Boost {
    let mut rows = Rows::new(COLUMNS);
    for (case, scores) in cases {
        for (number, weight) in changed(case) {
            let row = tree_row(&case.sight.rows[number], scores[number]);
            rows.push(&row, f32::from(u8::from(case.abnormal)), weight);
        }
    }
    let boosting = Boosting {
        trees: 120,
        rate: 0.05,
        leaves: 8,
        depth: 4,
        min_child_weight: 10.,
        l2: 10.0,
        row_share: 0.7,
        column_share: 0.4,
        seed,
        ..Boosting::default()
    };
    Boost::train(&rows, Loss::Logistic, &boosting, watch).0
}

fn tree_row(row: &PlaceRow, score: f32) -> [f32; COLUMNS] {
    let mut out = [score; COLUMNS];
    out[..PLACE].copy_from_slice(row);
    out
}

/// How likely a change at each site does harm.
pub fn chances(trees: &Boost, sight: &Sight, scores: &[f32]) -> Vec<f64> {
    let chance = |(row, score): (&PlaceRow, &f32)| 1.0 / (1.0 + f64::from(-trees.score(&tree_row(row, *score))).exp());
    sight.rows.iter().zip(scores).map(chance).collect()
}

impl Keep for Harm {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.sparse.save(&mut out.scope("sparse"));
        self.trees.save(&mut out.scope("trees"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Harm, PredictError> {
        Ok(Harm { sparse: Linear::load(&from.scope("sparse"))?, trees: Boost::load(&from.scope("trees"))? })
    }
}
