//! How much of a corpus the lexicon knows, and how much of the lexicon the corpus uses.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use super::{Class, Lexicon};
use crate::corpus::Passage;

/// A word and how often it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The word.
    pub word: SmolStr,
    /// How often.
    pub count: u64,
}

/// What passages and lexicon have of each other.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How many passages were counted.
    pub passages: u64,
    /// How many words.
    pub words: u64,
    spatial: BTreeMap<(Class, SmolStr), u64>,
    strangers: BTreeMap<SmolStr, u64>,
}

impl Coverage {
    /// Counts a passage.
    pub fn add(&mut self, passage: &Passage, lexicon: &Lexicon) {
        self.passages += 1;
        for word in &passage.words {
            self.words += 1;
            if let Some(class) = word.class {
                *self.spatial.entry((class, word.text.clone())).or_default() += 1;
            } else if matches!(word.pos.as_str(), "f" | "s") && lexicon.look_up(&word.text).next().is_none() {
                *self.strangers.entry(word.text.clone()).or_default() += 1;
            }
        }
    }

    /// How many words of the class are in the lexicon, how many of them were seen, and how often all together.
    pub fn of_class(&self, class: Class, lexicon: &Lexicon) -> (usize, usize, u64) {
        let known = lexicon.entries().iter().filter(|entry| entry.class == class).count();
        let seen = self.spatial.iter().filter(|((of, _), _)| *of == class);
        (known, seen.clone().count(), seen.map(|(_, count)| count).sum())
    }

    /// Words in spatial use, the most frequent first.
    pub fn seen(&self) -> Vec<(Class, Seen)> {
        let mut seen: Vec<_> =
            self.spatial.iter().map(|((class, word), count)| (*class, Seen { word: word.clone(), count: *count })).collect();
        seen.sort_by(|(_, a), (_, b)| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
        seen
    }

    /// Words that the segmenter's dictionary calls locatives or place words and that the lexicon lacks, the most frequent first: what to look at next.
    pub fn strangers(&self) -> Vec<Seen> {
        let mut strangers: Vec<Seen> =
            self.strangers.iter().map(|(word, count)| Seen { word: word.clone(), count: *count }).collect();
        strangers.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
        strangers
    }
}
