//! The spatial lexicon: words by class and cognitive model, substitution groups, nouns with the locatives that they take.
//!
//! It is a folder of tables (`data/lexicon/`) that a linguist edits as text; [`Lexicon::shipped`] is the folder that comes with the program.
//! A word has one entry for each class: 上 is a locative in 桌上 and a directional verb in 爬上.

mod class;
mod coverage;
mod diff;
mod read;
mod rows;

pub(crate) use class::names;
pub use class::{Class, Model};
pub use coverage::{ClassCoverage, Coverage, Seen};
pub use diff::{Change, Diff};
pub use read::{FILES, SHIPPED};

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::lang::edit_distance;

/// A spatial word in one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The word.
    pub word: SmolStr,
    /// Its class.
    pub class: Class,
    /// How it pictures space, where one model fits.
    pub model: Option<Model>,
    /// A remark; `-` is none.
    pub note: SmolStr,
    /// Numbers of the groups that it is in.
    pub groups: SmallVec<[u32; 4]>,
}

impl Entry {
    /// How many syllables the word has.
    pub fn syllables(&self) -> usize {
        syllables(&self.word)
    }
}

/// How many syllables a spatial word has. A final 儿 is none of its own: 这儿 is said in one. (Nouns such as 女儿, in which it means a child, are no
/// spatial words.)
pub fn syllables(word: &str) -> usize {
    let characters = word.chars().count();
    characters - usize::from(characters > 1 && word.ends_with('儿'))
}

/// Words that may take each other's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, such as `locative.mono`.
    pub name: SmolStr,
    /// The class of all its words.
    pub class: Class,
    /// The words.
    pub words: Vec<SmolStr>,
    /// A remark.
    pub note: SmolStr,
}

/// A kind of thing by its geometry, with the locatives that such things take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in files: `volume`.
    pub name: SmolStr,
    /// Its Chinese name.
    pub zh: SmolStr,
    /// The locatives, the most typical first.
    pub takes: Vec<SmolStr>,
}

/// An entity noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noun {
    /// The noun.
    pub word: SmolStr,
    /// The number of its kind.
    pub kind: u32,
    /// The locatives that it takes: those of its kind, and what the noun adds or drops.
    pub takes: Vec<SmolStr>,
}

/// A word that may take the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival<'l> {
    /// The word.
    pub word: &'l SmolStr,
    /// The first group that holds both.
    pub group: &'l Group,
}

/// Words, groups, nouns, and the nouns after which a locative is not spatial.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    entries: Vec<Entry>,
    index: FxHashMap<SmolStr, SmallVec<[u32; 2]>>,
    groups: Vec<Group>,
    kinds: Vec<Kind>,
    nouns: FxHashMap<SmolStr, Noun>,
    abstracts: FxHashSet<SmolStr>,
    temporals: FxHashSet<SmolStr>,
    fixed: FxHashSet<SmolStr>,
}

impl Lexicon {
    /// The lexicon that comes with the program.
    ///
    /// # Panics
    /// Never: a test reads the same files.
    pub fn shipped() -> &'static Lexicon {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(|| Lexicon::parse(&SHIPPED).0)
    }

    /// Every entry, in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every group, in the order of the file.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group of a name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Every kind of thing.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Every entity noun, sorted.
    pub fn nouns(&self) -> impl Iterator<Item = &Noun> {
        let mut nouns: Vec<&Noun> = self.nouns.values().collect();
        nouns.sort_unstable_by(|a, b| a.word.cmp(&b.word));
        nouns.into_iter()
    }

    /// The abstract nouns, sorted.
    pub fn abstracts(&self) -> impl Iterator<Item = &str> {
        sorted(&self.abstracts).into_iter()
    }

    /// The words of time, sorted.
    pub fn temporals(&self) -> impl Iterator<Item = &str> {
        sorted(&self.temporals).into_iter()
    }

    /// The words that hold a spatial character and are not spatial, sorted: 出席, 提出.
    pub fn fixed(&self) -> impl Iterator<Item = &str> {
        sorted(&self.fixed).into_iter()
    }

    /// Whether the word stays whole and is not spatial, whatever it seems to be made of.
    pub fn is_fixed(&self, word: &str) -> bool {
        self.fixed.contains(word)
    }

    /// The entries of a word, one a class.
    pub fn look_up(&self, word: &str) -> impl Iterator<Item = &Entry> {
        self.index.get(word).into_iter().flatten().map(|number| &self.entries[*number as usize])
    }

    /// The entry of a word in a class.
    pub fn entry(&self, word: &str, class: Class) -> Option<&Entry> {
        self.look_up(word).find(|entry| entry.class == class)
    }

    /// Whether the word has an entry in the class.
    pub fn has(&self, word: &str, class: Class) -> bool {
        self.entry(word, class).is_some()
    }

    /// Whether the word has an entry in some class.
    pub fn knows(&self, word: &str) -> bool {
        self.index.contains_key(word)
    }

    /// The words and nouns that look most like `asked`, at most `most` of them: they share a character with it and differ in at most half of them.
    pub fn nearest(&self, asked: &str, most: usize) -> Vec<&str> {
        let words = self.entries.iter().map(|entry| entry.word.as_str());
        let known: BTreeSet<&str> = words.chain(self.nouns().map(|noun| noun.word.as_str())).collect();
        let mut near: Vec<(usize, &str)> = known
            .into_iter()
            .filter(|word| word.chars().any(|character| asked.contains(character)))
            .map(|word| (edit_distance(asked, word), word))
            .filter(|(distance, word)| distance * 2 <= word.chars().count().max(asked.chars().count()))
            .collect();
        near.sort_by_key(|(distance, _)| *distance);
        near.into_iter().take(most).map(|(_, word)| word).collect()
    }

    /// The words that may take the place of a word in a class, each once, in the order of the groups.
    pub fn rivals(&self, word: &str, class: Class) -> Vec<Rival<'_>> {
        let mut rivals: Vec<Rival<'_>> = Vec::new();
        let groups = self.entry(word, class).map_or(&[][..], |entry| &entry.groups);
        for number in groups {
            let group = &self.groups[*number as usize];
            for other in &group.words {
                if other != word && rivals.iter().all(|rival| rival.word != other) {
                    rivals.push(Rival { word: other, group });
                }
            }
        }
        rivals
    }

    /// Every substitution: class, word, word that takes its place.
    pub fn pairs(&self) -> BTreeSet<(Class, &str, &str)> {
        let ordered = |group: &'_ Group| -> Vec<(usize, usize)> {
            let places = 0..group.words.len();
            places.clone().flat_map(|a| places.clone().map(move |b| (a, b))).filter(|(a, b)| a != b).collect()
        };
        self.groups
            .iter()
            .flat_map(|group| {
                ordered(group).into_iter().map(move |(a, b)| (group.class, group.words[a].as_str(), group.words[b].as_str()))
            })
            .collect()
    }

    /// An entity noun.
    pub fn noun(&self, word: &str) -> Option<&Noun> {
        self.nouns.get(word)
    }

    /// The kind of a noun.
    pub fn kind(&self, noun: &Noun) -> &Kind {
        &self.kinds[noun.kind as usize]
    }

    /// Whether a locative after this noun is not spatial: 思想, 原则.
    ///
    /// A longer word is what its last two characters are (指导思想), unless it is an entity itself.
    pub fn is_abstract(&self, word: &str) -> bool {
        let head = word.char_indices().rev().nth(1).map(|(at, _)| &word[at..]).filter(|head| *head != word);
        self.abstracts.contains(word) || !self.nouns.contains_key(word) && head.is_some_and(|head| self.abstracts.contains(head))
    }

    /// Whether the word tells a time, or makes a locative beside it tell one: 三点, 以后.
    pub fn is_temporal(&self, word: &str) -> bool {
        self.temporals.contains(word)
    }
}

fn sorted(words: &FxHashSet<SmolStr>) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(SmolStr::as_str).collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod reach;
#[cfg(test)]
mod tests;
