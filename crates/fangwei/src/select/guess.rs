//! Whether a spatial word can be guessed from its neighbours. What a machine guesses without understanding tests nothing.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::corpus::{Passage, Word};
use crate::lexicon::{Class, Lexicon};

/// A spatial word and those that could stand in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<'l> {
    /// The number of the word in its passage.
    pub at: usize,
    /// The other words of its substitution groups; at least one.
    pub rivals: &'l [&'l str],
}

/// The rivals of every word of a lexicon, looked up once.
#[derive(Debug)]
pub struct Rivals<'l>(FxHashMap<(Class, SmolStr), Vec<&'l str>>);

impl<'l> Rivals<'l> {
    /// Those of a lexicon.
    pub fn of(lexicon: &'l Lexicon) -> Rivals<'l> {
        let rivals = lexicon.entries().iter().map(|entry| {
            let rivals = lexicon.rivals(&entry.word, entry.class);
            ((entry.class, entry.word.clone()), rivals.iter().map(|rival| rival.word.as_str()).collect())
        });
        Rivals(rivals.collect())
    }

    /// The slots of a passage: its spatial words that have rivals.
    pub fn slots(&self, passage: &Passage) -> Vec<Slot<'_>> {
        let slot = |(at, word): (usize, &Word)| {
            let rivals = self.0.get(&(word.class?, word.text.clone()))?;
            (!rivals.is_empty()).then_some(Slot { at, rivals })
        };
        passage.words.iter().enumerate().filter_map(slot).collect()
    }
}

/// How a guesser ranks the word that stands in a slot among its rivals.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// Its place, from 1. A rival that is as likely stands before it: who cannot tell two words apart has not guessed.
    pub place: usize,
    /// Its probability among itself and its rivals.
    pub probability: f64,
    /// The word that was guessed: the likeliest, the one that stands there last among equals.
    pub best: SmolStr,
}

impl Rank {
    /// Reads the rank off the likelihoods of the word and of its rivals; they need not sum to 1.
    pub fn of(word: &str, likelihood: f64, rivals: &[(&str, f64)]) -> Rank {
        let total: f64 = likelihood + rivals.iter().map(|(_, one)| one).sum::<f64>();
        let before = rivals.iter().filter(|(_, one)| *one >= likelihood);
        let mut best = (word, likelihood);
        for rival in before.clone() {
            if rival.1 > best.1 || best.0 == word {
                best = *rival;
            }
        }
        let probability = if total > 0.0 { likelihood / total } else { 1.0 / (1 + rivals.len()) as f64 };
        Rank { place: before.count() + 1, probability, best: best.0.into() }
    }

    /// Whether the word was guessed.
    pub fn is_guessed(&self) -> bool {
        self.place == 1
    }
}

/// Guesses the words of slots. The shipped guesser is [`NGram`](super::NGram); an encoder can take its place.
pub trait Guess: Sync {
    /// The ranks of the words that stand in the slots of a passage, one for each slot, in their order.
    fn rank(&self, passage: &Passage, slots: &[Slot<'_>]) -> Vec<Rank>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_not_a_guess() {
        let rank = Rank::of("上", 2.0, &[("下", 1.0), ("里", 1.0)]);
        assert_eq!((rank.place, rank.probability, rank.best.as_str()), (1, 0.5, "上"));
        let rank = Rank::of("上", 1.0, &[("下", 1.0), ("里", 2.0)]);
        assert_eq!((rank.place, rank.probability, rank.best.as_str()), (3, 0.25, "里"));
        let rank = Rank::of("上", 0.0, &[("下", 0.0)]);
        assert_eq!((rank.place, rank.probability, rank.best.as_str()), (2, 0.5, "下"));
    }
}
