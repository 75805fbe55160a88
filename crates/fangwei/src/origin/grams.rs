//! The five-character sequences of a text, as hashes.

use std::hash::{Hash, Hasher};

use rayon::prelude::*;
use rustc_hash::FxHasher;

use super::pairs::belong_together;

/// Length of the sequences that are compared.
const GRAM: usize = 5;
/// Texts whose sequences are in memory at a time.
const TEXTS: usize = 4096;

/// The distinct sequences of a text, hashed; a text shorter than one sequence is one itself.
fn grams(text: &str) -> Vec<u64> {
    let characters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let hash = |gram: &[char]| {
        let mut hasher = FxHasher::default();
        gram.hash(&mut hasher);
        hasher.finish()
    };
    let mut grams: Vec<u64> =
        if characters.len() < GRAM { vec![hash(&characters)] } else { characters.windows(GRAM).map(hash).collect() };
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// Hands on the sequences of each text in the order of the texts; they are made on all cores, a few texts at a time, for all of them would fill the memory.
pub(super) fn each<T: AsRef<str> + Sync>(texts: &[T], mut take: impl FnMut(Vec<u64>)) {
    for some in texts.chunks(TEXTS) {
        let made: Vec<Vec<u64>> = some.par_iter().map(|text| grams(text.as_ref())).collect();
        made.into_iter().for_each(&mut take);
    }
}

/// The sequences that stand in more than one text, and a few others: most stand in one and say nothing, and would be most of the memory.
pub(super) struct Repeated {
    once: Vec<u64>,
    twice: Vec<u64>,
    /// The high bits of a hash tell its place.
    shift: u32,
}

impl Repeated {
    /// Eight bits for each sequence: one in eight that stands in one text only is taken for one that stands in more.
    pub fn of<T: AsRef<str> + Sync>(texts: &[T]) -> Repeated {
        let most: usize = texts.iter().map(|text| text.as_ref().len() / 3 + 1).sum();
        let bits = (most * 8).next_power_of_two().max(64);
        let words = vec![0; bits / 64];
        let mut repeated = Repeated { once: words.clone(), twice: words, shift: 64 - bits.trailing_zeros() };
        each(texts, |grams| {
            for gram in grams {
                let (word, bit) = repeated.place(gram);
                repeated.twice[word] |= repeated.once[word] & bit;
                repeated.once[word] |= bit;
            }
        });
        repeated
    }

    fn place(&self, gram: u64) -> (usize, u64) {
        let place = (gram >> self.shift) as usize;
        (place / 64, 1 << (place % 64))
    }

    pub fn has(&self, gram: u64) -> bool {
        let (word, bit) = self.place(gram);
        self.twice[word] & bit != 0
    }
}

/// The sequences of a text, to be held against those of other texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grams(Vec<u64>);

impl Grams {
    /// Of a text.
    pub fn of(text: &str) -> Grams {
        Grams(grams(text))
    }

    /// Their hashes, each once and in rising order; at least one. The same on every machine that runs this program.
    pub fn hashes(&self) -> &[u64] {
        &self.0
    }

    /// Whether two texts belong together by the measure of [`groups`](super::groups).
    pub fn near(&self, other: &Grams) -> bool {
        let shared = self.0.iter().filter(|gram| other.0.binary_search(gram).is_ok()).count();
        belong_together(shared, self.0.len(), other.0.len())
    }
}
