//! Origins: items made from one original sentence are siblings, and siblings are no independent evidence.
//!
//! Where a record does not name its origin, siblings are found by their text: two texts belong together if at least half of the shorter one's five-character
//! sequences (punctuation aside) stand in the other. On the released sets this measure has two peaks and little between 0.3 and 0.5, so the threshold is not delicate.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::stats::Groups;
use crate::task::Item;

/// Length of the sequences that are compared.
const GRAM: usize = 5;
/// A sequence in more texts than this says little about their origin,
const COMMON: usize = 500;
/// so only its first holders are counted: enough for the thousandth text of one origin to find its siblings.
const FIRST: usize = 8;

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
pub fn groups<T: AsRef<str>>(texts: &[T]) -> Vec<u32> {
    groups_with(texts, &[])
}

/// The same, where some pairs of texts are known to belong together.
pub(crate) fn groups_with<T: AsRef<str>>(texts: &[T], pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut groups = Union::new(texts.len());
    let repeated = Repeated::of(texts);
    let mut holders: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    let mut sizes: Vec<usize> = Vec::with_capacity(texts.len());
    let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, text) in texts.iter().enumerate() {
        let grams = grams(text.as_ref());
        shared.clear();
        for gram in grams.iter().filter(|gram| repeated.has(**gram)) {
            let holders = holders.entry(*gram).or_default();
            let common = holders.len() >= COMMON;
            for other in holders.iter().take(if common { FIRST } else { COMMON }) {
                *shared.entry(*other).or_default() += 1;
            }
            if !common {
                holders.push(number as u32);
            }
        }
        let mut near: Vec<u32> = shared
            .iter()
            .filter(|(other, count)| **count * 2 >= grams.len().min(sizes[**other as usize]))
            .map(|(other, _)| *other)
            .collect();
        near.sort_unstable();
        for other in near {
            groups.join(other, number as u32);
        }
        sizes.push(grams.len());
    }
    for (a, b) in pairs {
        groups.join(*a, *b);
    }
    groups.numbers()
}

/// For each text the number of its group, where texts of one origin's name belong together as well as near-identical ones.
pub fn families<T: AsRef<str>>(texts: &[T], names: &[Option<&str>]) -> Vec<u32> {
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

/// The sequences that stand in more than one text, and a few others: most stand in one and say nothing, and would be most of the memory.
struct Repeated {
    once: Vec<u64>,
    twice: Vec<u64>,
    /// The high bits of a hash tell its place.
    shift: u32,
}

impl Repeated {
    /// Eight bits for each sequence: one in eight that stands in one text only is taken for one that stands in more.
    fn of<T: AsRef<str>>(texts: &[T]) -> Repeated {
        let most: usize = texts.iter().map(|text| text.as_ref().len() / 3 + 1).sum();
        let bits = (most * 8).next_power_of_two().max(64);
        let words = vec![0; bits / 64];
        let mut repeated = Repeated { once: words.clone(), twice: words, shift: 64 - bits.trailing_zeros() };
        for text in texts {
            for gram in grams(text.as_ref()) {
                let (word, bit) = repeated.place(gram);
                repeated.twice[word] |= repeated.once[word] & bit;
                repeated.once[word] |= bit;
            }
        }
        repeated
    }

    fn place(&self, gram: u64) -> (usize, u64) {
        let place = (gram >> self.shift) as usize;
        (place / 64, 1 << (place % 64))
    }

    fn has(&self, gram: u64) -> bool {
        let (word, bit) = self.place(gram);
        self.twice[word] & bit != 0
    }
}

/// The sequences of a text, to be held against those of other texts one by one.
#[derive(Clone, Debug)]
pub struct Grams(Vec<u64>);

impl Grams {
    /// Of a text.
    pub fn of(text: &str) -> Grams {
        Grams(grams(text))
    }

    /// Whether two texts belong together by the measure of [`groups`].
    pub fn near(&self, other: &Grams) -> bool {
        let shared = self.0.iter().filter(|gram| other.0.binary_search(gram).is_ok()).count();
        shared * 2 >= self.0.len().min(other.0.len())
    }
}

/// Disjoint sets.
pub(crate) struct Union(Vec<u32>);

impl Union {
    pub(crate) fn new(size: usize) -> Union {
        Union((0..size as u32).collect())
    }

    fn root(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let parent = self.0[member as usize];
            self.0[member as usize] = self.0[parent as usize];
            member = parent;
        }
        member
    }

    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Joins members with equal keys; those without a key stay as they are.
    pub(crate) fn join_equal<K: Eq + Hash>(&mut self, keys: impl Iterator<Item = Option<K>>) {
        let mut first: FxHashMap<K, u32> = FxHashMap::default();
        for (number, key) in keys.enumerate() {
            if let Some(key) = key {
                self.join(*first.entry(key).or_insert(number as u32), number as u32);
            }
        }
    }

    /// Dense numbers in the order of first members.
    pub(crate) fn numbers(mut self) -> Vec<u32> {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        (0..self.0.len() as u32)
            .map(|member| {
                let next = numbers.len() as u32;
                *numbers.entry(self.root(member)).or_insert(next)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_by_field_by_text_or_not_at_all() {
        let key = |field: Option<&str>, text: &str| Key { field: field.map(ToOwned::to_owned), text: text.to_owned() };
        let told = [key(Some("a"), "山"), key(Some("b"), "山"), key(Some("a"), "水")];
        let untold = [key(None, "山"), key(Some("b"), "山"), key(Some("a"), "水")];
        let of = |grouping: &Grouping, keys: &[Key]| grouping.groups(keys).map(|groups| groups.of().to_vec());
        assert_eq!(of(&Grouping::Auto, &told), Ok(vec![0, 1, 0]));
        assert_eq!(of(&Grouping::Auto, &untold), Ok(vec![0, 0, 1]));
        assert_eq!(of(&Grouping::None, &told), Ok(vec![0, 1, 2]));
        assert_eq!(of(&Grouping::Context, &told), Ok(vec![0, 0, 1]));
        let missing = of(&Grouping::Field("colour".into()), &untold).expect_err("one lacks it");
        assert_eq!(missing.to_string(), "1 of 3 records lack the field colour");
    }

    #[test]
    fn siblings_differ_in_a_word() {
        let texts = [
            "清晨，老渔夫把小船停在码头旁边，慢慢走上岸来。",
            "图书馆的三楼摆着一排旧书架，书架上落满了灰。",
            "清晨，老渔夫把小船停在码头里边，慢慢走上岸来。",
            "清晨，老渔夫把小船停在码头旁边，慢慢走下岸来。",
            "山",
            "山",
            "水",
        ];
        assert_eq!(groups(&texts), [0, 1, 0, 0, 2, 2, 3]);
        assert!(groups::<&str>(&[]).is_empty());
        let near = |a: usize, b: usize| Grams::of(texts[a]).near(&Grams::of(texts[b]));
        assert!(near(0, 2) && near(2, 3) && near(4, 5) && !near(0, 1) && !near(5, 6));
    }

    #[test]
    fn an_origin_of_thousands_is_one_group() {
        let text = |number: u32| {
            let word = char::from_u32(0x4e00 + number).unwrap_or('山');
            format!("清晨，老渔夫把小船停在码头{word}边，慢慢走上岸来。")
        };
        let texts: Vec<String> = (0..COMMON as u32 * 3).map(text).collect();
        assert!(groups(&texts).iter().all(|group| *group == 0));
    }
}
