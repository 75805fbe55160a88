//! What changed between two lexicons.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Class, Lexicon};

/// A word that came, went or was sorted anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The word.
    pub word: String,
    /// Its class.
    pub class: Class,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// The differences of two lexicons, each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// Words that only the second has.
    pub added: Vec<(Class, String)>,
    /// Words that only the first has.
    pub removed: Vec<(Class, String)>,
    /// Words of another model.
    pub changed: Vec<Change>,
    /// Substitutions that only the second has.
    pub added_pairs: Vec<(Class, String, String)>,
    /// Substitutions that only the first has.
    pub removed_pairs: Vec<(Class, String, String)>,
    /// Nouns, abstract nouns and words of time that only the second has.
    pub added_nouns: Vec<String>,
    /// Nouns, abstract nouns and words of time that only the first has.
    pub removed_nouns: Vec<String>,
}

impl Diff {
    /// Compares two lexicons.
    pub fn of(before: &Lexicon, after: &Lexicon) -> Diff {
        let words = |lexicon: &Lexicon| -> BTreeSet<(Class, String)> {
            lexicon.entries().iter().map(|entry| (entry.class, entry.word.to_string())).collect()
        };
        let pairs = |lexicon: &Lexicon| -> BTreeSet<(Class, String, String)> {
            lexicon.pairs().into_iter().map(|(class, from, to)| (class, from.to_owned(), to.to_owned())).collect()
        };
        let nouns = |lexicon: &Lexicon| -> BTreeSet<String> {
            let named = lexicon.nouns().map(|noun| format!("{} ({})", noun.word, lexicon.kind(noun).name));
            let others = lexicon.abstracts().map(|word| format!("{word} (abstract)"));
            named.chain(others).chain(lexicon.temporals().map(|word| format!("{word} (temporal)"))).collect()
        };
        let (words, pairs, nouns) = ([words(before), words(after)], [pairs(before), pairs(after)], [nouns(before), nouns(after)]);
        let model = |lexicon: &Lexicon, word: &str, class| {
            let model = lexicon.entry(word, class).and_then(|entry| entry.model);
            model.map_or("-", |model| model.as_str()).to_owned()
        };
        let changed = words[0].intersection(&words[1]).filter_map(|(class, word)| {
            let (before, after) = (model(before, word, *class), model(after, word, *class));
            (before != after).then(|| Change { word: word.clone(), class: *class, before, after })
        });
        Diff {
            changed: changed.collect(),
            added: words[1].difference(&words[0]).cloned().collect(),
            removed: words[0].difference(&words[1]).cloned().collect(),
            added_pairs: pairs[1].difference(&pairs[0]).cloned().collect(),
            removed_pairs: pairs[0].difference(&pairs[1]).cloned().collect(),
            added_nouns: nouns[1].difference(&nouns[0]).cloned().collect(),
            removed_nouns: nouns[0].difference(&nouns[1]).cloned().collect(),
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Diff::default()
    }
}
