//! How much of a corpus the lexicon knows, and how much of the lexicon the corpus uses.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use super::{Class, Entry, Lexicon};
use crate::corpus::Passage;

/// A word and how often it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The word.
    pub word: SmolStr,
    /// Its class; none for words that the lexicon lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// How often.
    pub count: u64,
}

/// How a class fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClassCoverage {
    /// The class.
    pub class: Class,
    /// How many entries the lexicon has.
    pub entries: u64,
    /// How many of them were seen.
    pub seen: u64,
    /// How often all together.
    pub uses: u64,
}

impl ClassCoverage {
    /// The share of entries that were seen; 0 of none.
    pub fn share(&self) -> f64 {
        if self.entries == 0 { 0.0 } else { self.seen as f64 / self.entries as f64 }
    }
}

/// What passages and lexicon have of each other.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How many passages were counted.
    pub passages: u64,
    /// How many of them have no words, because they were not tagged.
    pub untagged: u64,
    /// How many words.
    pub words: u64,
    spatial: BTreeMap<(Class, SmolStr), u64>,
    strangers: BTreeMap<SmolStr, u64>,
}

impl Coverage {
    /// Counts a passage.
    pub fn add(&mut self, passage: &Passage, lexicon: &Lexicon) {
        self.passages += 1;
        self.untagged += u64::from(passage.words.is_empty());
        for word in &passage.words {
            self.words += 1;
            match word.class {
                Some(class) if lexicon.has(&word.text, class) => {
                    *self.spatial.entry((class, word.text.clone())).or_default() += 1;
                }
                None if !matches!(word.pos.as_str(), "f" | "s") || lexicon.knows(&word.text) => {}
                _ => *self.strangers.entry(word.text.clone()).or_default() += 1,
            }
        }
    }

    /// Each class, in the order of the lexicon.
    pub fn classes(&self, lexicon: &Lexicon) -> Vec<ClassCoverage> {
        let of_class = |class: &Class| {
            let entries = lexicon.entries().iter().filter(|entry| entry.class == *class).count() as u64;
            let seen = self.spatial.iter().filter(|((of, _), _)| of == class);
            ClassCoverage { class: *class, entries, seen: seen.clone().count() as u64, uses: seen.map(|(_, count)| count).sum() }
        };
        Class::ALL.iter().map(of_class).collect()
    }

    /// Words in spatial use, the most frequent first.
    pub fn seen(&self) -> Vec<Seen> {
        let seen = self.spatial.iter();
        by_count(seen.map(|((class, word), count)| Seen { word: word.clone(), class: Some(*class), count: *count }))
    }

    /// Entries that were never seen, in the order of the lexicon.
    pub fn unseen<'l>(&self, lexicon: &'l Lexicon) -> impl Iterator<Item = &'l Entry> {
        lexicon.entries().iter().filter(|entry| !self.spatial.contains_key(&(entry.class, entry.word.clone())))
    }

    /// Words that the lexicon lacks though they look spatial, the most frequent first: what to look at next. Either the segmenter's dictionary calls them
    /// locatives or place words, or they were tagged with another lexicon.
    pub fn strangers(&self) -> Vec<Seen> {
        by_count(self.strangers.iter().map(|(word, count)| Seen { word: word.clone(), class: None, count: *count }))
    }
}

/// The most frequent first, equals by their characters.
fn by_count(seen: impl Iterator<Item = Seen>) -> Vec<Seen> {
    let mut seen: Vec<Seen> = seen.collect();
    seen.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
    seen
}
