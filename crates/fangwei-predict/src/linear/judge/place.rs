//! Which site was changed? Trees over the evidence of suspicion.
//!
//! Suspicion asks which word makes a text abnormal, and calls no word of a normal text changed. But normal texts have changed words as well, those that people
//! found tolerable; whoever asks only where the change is learns from them too.

use super::cases::{Case, Sight};
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::{Watch, log_softmax};
use crate::linear::suspect::evidence;
use crate::linear::suspect::ranker::boosting;

/// How many numbers a site has: the evidence, and whether the text is of the own year.
pub const COLUMNS: usize = evidence::COLUMNS + 1;

/// The numbers of a site.
pub type PlaceRow = [f32; COLUMNS];

/// The numbers of a site from its evidence.
pub fn row(evidence: &[f32; evidence::COLUMNS], own: bool) -> PlaceRow {
    let mut row = [f32::from(u8::from(own)); COLUMNS];
    row[..evidence::COLUMNS].copy_from_slice(evidence);
    row
}

/// Learns from the texts whose changed sites are known.
pub fn train<'c>(cases: impl Iterator<Item = &'c Case>, seed: u64, watch: &mut Watch<'_>) -> Boost {
    let mut rows = Rows::new(COLUMNS);
    for case in cases {
        let Some(changed) = &case.changed else { continue };
        let none = case.sight.rows.len() - 1;
        let share = 1.0 / changed.len().max(1) as f32;
        for (number, row) in case.sight.rows.iter().enumerate() {
            let right = if changed.is_empty() { number == none } else { changed.contains(&number) };
            rows.push(row, if right { share } else { 0.0 }, case.weight);
        }
        rows.close_group();
    }
    let boosting = Boosting { l2: 5.0, ..boosting(seed) };
    Boost::train(&rows, Loss::Groups, &boosting, watch).0
}

/// How likely each site was changed; what is missing to 1 is the chance of an original.
pub fn shares(trees: &Boost, sight: &Sight) -> Vec<f64> {
    let mut scores: Vec<f32> = sight.rows.iter().map(|row| trees.score(row)).collect();
    log_softmax(&mut scores);
    scores.pop();
    scores.into_iter().map(|score| f64::from(score).exp()).collect()
}
