//! Origins: items made from one original sentence are siblings, and siblings are no independent evidence.
//!
//! Where a record does not name its origin, siblings are found by their text: two texts belong together if at least half of the shorter one's five-character
//! sequences (punctuation aside) stand in the other. On the released sets this measure has two peaks and little between 0.3 and 0.5, so the threshold is not delicate.
//!
//! The measure is made of parts that can be worked out apart from each other: the sequences of a text ([`Grams`]), the pairs of texts that a sequence counts for
//! ([`pairs`]), whether two belong together by what they share ([`belong_together`]), and the groups that follow ([`numbers`]). [`groups`] does the same in one go and in
//! little memory.

mod grams;
mod pairs;
#[cfg(test)]
mod tests;

pub use grams::Grams;
pub use pairs::{belong_together, numbers, pairs};

use rustc_hash::FxHashMap;

use crate::stats::Groups;
use crate::task::Item;
use grams::{Repeated, each};
pub(crate) use pairs::Union;
use pairs::{REACH, Reach};

/// Which items belong together when scores are resampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// The field `origin` where every item has it, else near-identical text.
    Auto,
    /// Each item by itself.
    None,
    /// Near-identical text.
    Context,
    /// A field of the record.
    Field(String),
}

impl std::str::FromStr for Grouping {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Grouping, Self::Err> {
        Ok(match text {
            "auto" => Grouping::Auto,
            "none" => Grouping::None,
            "context" => Grouping::Context,
            field => Grouping::Field(field.to_owned()),
        })
    }
}

/// What an item's group is told by.
#[derive(Clone, Debug)]
pub struct Key {
    field: Option<String>,
    text: String,
}

/// Some items lack the field that was to group them.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{without} of {items} records lack the field {field}")]
pub struct MissingGroup {
    /// The field.
    pub field: String,
    /// How many items lack it.
    pub without: usize,
    /// How many items there are.
    pub items: usize,
}

impl Grouping {
    /// The key of an item.
    pub fn key(&self, item: &Item) -> Key {
        let name = if let Grouping::Field(name) = self { name } else { "origin" };
        let field = item.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_line());
        Key { field, text: item.texts.joined() }
    }

    /// The groups of items with these keys.
    pub fn groups<'k>(&self, keys: impl IntoIterator<Item = &'k Key>) -> Result<Groups, MissingGroup> {
        let keys: Vec<&Key> = keys.into_iter().collect();
        let by_text = || Groups::from_keys(groups(&keys.iter().map(|key| key.text.as_str()).collect::<Vec<_>>()));
        let without = keys.iter().filter(|key| key.field.is_none()).count();
        match self {
            Grouping::None => Ok(Groups::singletons(keys.len())),
            Grouping::Context => Ok(by_text()),
            Grouping::Field(field) if without > 0 => Err(MissingGroup { field: field.clone(), without, items: keys.len() }),
            Grouping::Auto if without > 0 => Ok(by_text()),
            Grouping::Field(_) | Grouping::Auto => Ok(Groups::from_keys(keys.iter().map(|key| key.field.as_deref()))),
        }
    }
}

/// For each text the number of its group; groups are numbered by their first text.
pub fn groups<T: AsRef<str> + Sync>(texts: &[T]) -> Vec<u32> {
    groups_with(texts, &[])
}

/// The same, where some pairs of texts are known to belong together.
pub(crate) fn groups_with<T: AsRef<str> + Sync>(texts: &[T], known: &[(u32, u32)]) -> Vec<u32> {
    groups_within(texts, known, REACH)
}

/// One text after another, each held against those before it: of a sequence only the holders that others will be counted with are kept.
fn groups_within<T: AsRef<str> + Sync>(texts: &[T], known: &[(u32, u32)], reach: Reach) -> Vec<u32> {
    let mut groups = Union::new(texts.len());
    let repeated = Repeated::of(texts);
    let mut holders: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    let mut sizes: Vec<usize> = Vec::with_capacity(texts.len());
    let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
    each(texts, |grams| {
        let number = sizes.len() as u32;
        shared.clear();
        for gram in grams.iter().filter(|gram| repeated.has(**gram)) {
            let holders = holders.entry(*gram).or_default();
            for other in &holders[..reach.earlier(holders.len())] {
                *shared.entry(*other).or_default() += 1;
            }
            if holders.len() < reach.common {
                holders.push(number);
            }
        }
        let near =
            |(other, count): (&u32, &usize)| belong_together(*count, grams.len(), sizes[*other as usize]).then_some(*other);
        let mut near: Vec<u32> = shared.iter().filter_map(near).collect();
        near.sort_unstable();
        for other in near {
            groups.join(other, number);
        }
        sizes.push(grams.len());
    });
    for (a, b) in known {
        groups.join(*a, *b);
    }
    groups.numbers()
}

/// For each text the number of its group, where texts of one origin's name belong together as well as near-identical ones.
pub fn families<T: AsRef<str> + Sync>(texts: &[T], names: &[Option<&str>]) -> Vec<u32> {
    let mut union = Union::new(texts.len());
    // The same text in many records would drown its own sequences: each text is compared once.
    let mut firsts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut distinct: Vec<&str> = Vec::new();
    let distinct_of: Vec<usize> = texts
        .iter()
        .map(|text| {
            *firsts.entry(text.as_ref()).or_insert_with(|| {
                distinct.push(text.as_ref());
                distinct.len() - 1
            })
        })
        .collect();
    let by_text = groups(&distinct);
    union.join_equal(distinct_of.iter().map(|text| Some(by_text[*text])));
    union.join_equal(names.iter().copied());
    union.numbers()
}
