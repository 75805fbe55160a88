//! `2023/anomaly`: which fragments of a text are wrong.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`view`], [`features`] | what is looked at |
//! | [`spans`], [`gold`] | answers as labels; what is learnt from |
//! | [`labeller`], [`partner`] | guesses around a suspicious word, of one triple or of two |
//! | [`rerank`] | a better weight for each guess |
//!
//! The odds of the suspicious words come from [`super::suspect`]; which guesses are answered, from [`crate::belief`].

pub mod features;
pub mod gold;
pub mod labeller;
mod model;
pub mod partner;
pub mod rerank;
pub mod spans;
#[cfg(test)]
mod tests;
mod train;
pub mod view;

use std::ops::Range;

use self::labeller::{Guess, Labeller, MOST_ANCHORS, Second};
use self::rerank::Reranker;
use self::view::View;
use super::suspect::{Suspects, Suspicion};
use crate::reading::Reading;

pub use model::{Anomaly, fragment_points};
pub use train::Trained;

/// Guesses with weights for a passage, from suspicion to rerank.
#[derive(Clone, Debug)]
pub struct Finder {
    /// The odds of words to be wrong.
    pub suspicion: Suspicion,
    /// Guesses around them.
    pub labeller: Labeller,
    /// Their weights; none where there was nothing to learn them from.
    pub reranker: Option<Reranker>,
}

/// The suspicious words with their odds, the likeliest first; in a passage without any, its last word, or what stands for one.
pub fn anchors(reading: &Reading, suspects: &Suspects) -> Vec<(Range<usize>, f64)> {
    let best = suspects.best(MOST_ANCHORS);
    if best.is_empty() {
        let word = reading.tokens.iter().rev().find(|token| !token.is_mark()).or(reading.tokens.last());
        return word.map(|token| (token.range(), 1.0)).into_iter().collect();
    }
    best.into_iter().map(|number| (suspects.sites[number].site.range.clone(), suspects.sites[number].odds.max(1e-6))).collect()
}

impl Finder {
    /// Guesses for a passage, each with its weight; the weights sum to 1 at most. A second opinion on the labels counts where there is one.
    pub fn find(&self, reading: &Reading, second: Option<&Second<'_>>) -> Vec<(Guess, f64)> {
        let suspects = self.suspicion.suspects(reading);
        let view = View::new(reading);
        weigh(&view, self.labeller.guess(&view, &anchors(reading, &suspects), second), self.reranker.as_ref())
    }
}

/// Guesses with the weights of the reranker, or of the draws.
pub fn weigh(view: &View<'_>, guesses: Vec<Guess>, reranker: Option<&Reranker>) -> Vec<(Guess, f64)> {
    match reranker {
        Some(reranker) => {
            let weights = reranker.weigh(view, &guesses);
            guesses.into_iter().zip(weights).collect()
        }
        None => guesses.into_iter().map(|guess| (guess.clone(), guess.mass)).collect(),
    }
}
