//! Every distinct text of the files, in the order in which they first stand there: what origin groups are found on, here or elsewhere.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::input::Dataset;
use super::pool::Place;
use crate::origin;
use crate::task::{self, Item};

/// The distinct texts of files, and where they stand.
#[derive(Debug)]
pub struct Texts<'d> {
    pub(super) files: &'d [Dataset],
    pub(super) distinct: Vec<&'d str>,
    /// Where each stands, in the order of files and items.
    pub(super) places: Vec<SmallVec<[Place; 2]>>,
    /// Per file and item the numbers of its texts.
    pub(super) of: Vec<Vec<SmallVec<[u32; 2]>>>,
    pairs: Vec<(u32, u32)>,
}

/// Groups that are not those of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongGroups {
    /// There must be one number a text.
    #[error("expected the groups of {expected} texts, found {found}")]
    Count {
        /// How many texts there are.
        expected: usize,
        /// How many numbers were given.
        found: usize,
    },
    /// Groups are numbered by their first text, without gaps.
    #[error("text {text}: expected a group up to {most}, found {found}")]
    Number {
        /// The number of the text.
        text: usize,
        /// The number of a group that would begin here.
        most: u32,
        /// The number given.
        found: u32,
    },
    /// The two texts of a pair belong together.
    #[error("texts {a} and {b} are asked about as a pair: expected one group, found two")]
    Apart {
        /// The number of the first.
        a: u32,
        /// The number of the second.
        b: u32,
    },
}

/// The texts of an item: one, or two of a pair.
fn texts_of(item: &Item) -> SmallVec<[&str; 2]> {
    match &item.texts {
        task::Texts::Pair { context1, context2 } => SmallVec::from_iter([context1.as_str(), context2.as_str()]),
        task::Texts::Absent => SmallVec::new(),
        one => SmallVec::from_iter([one.context()]),
    }
}

impl<'d> Texts<'d> {
    /// Gathers the texts of files.
    pub fn of(files: &'d [Dataset]) -> Texts<'d> {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let (mut distinct, mut places): (Vec<&str>, Vec<SmallVec<[Place; 2]>>) = (Vec::new(), Vec::new());
        let mut of = Vec::new();
        let mut pairs = Vec::new();
        for (file, set) in files.iter().enumerate() {
            let mut of_file = Vec::with_capacity(set.items.len());
            for (item, given) in set.items.iter().enumerate() {
                let mut of_item: SmallVec<[u32; 2]> = SmallVec::new();
                for text in texts_of(given) {
                    let number = *numbers.entry(text).or_insert(distinct.len() as u32);
                    if number as usize == distinct.len() {
                        distinct.push(text);
                        places.push(SmallVec::new());
                    }
                    places[number as usize].push(Place { file, item });
                    of_item.push(number);
                }
                if let [a, b] = of_item[..] {
                    pairs.push((a, b));
                }
                of_file.push(of_item);
            }
            of.push(of_file);
        }
        Texts { files, distinct, places, of, pairs }
    }

    /// Each distinct text once.
    pub fn texts(&self) -> &[&'d str] {
        &self.distinct
    }

    /// The numbers of texts that are asked about as a pair: they belong together, whatever they say.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The origin group of each text, as [`crate::origin`] finds them; groups are numbered by their first text.
    pub fn groups(&self) -> Vec<u32> {
        origin::groups_with(&self.distinct, &self.pairs)
    }

    /// Refuses groups that cannot be those of these texts.
    pub(super) fn check(&self, groups: &[u32]) -> Result<(), WrongGroups> {
        if groups.len() != self.distinct.len() {
            return Err(WrongGroups::Count { expected: self.distinct.len(), found: groups.len() });
        }
        let mut most = 0;
        for (text, found) in groups.iter().copied().enumerate() {
            if found > most {
                return Err(WrongGroups::Number { text, most, found });
            }
            most += u32::from(found == most);
        }
        let apart = self.pairs.iter().find(|(a, b)| groups[*a as usize] != groups[*b as usize]);
        apart.map_or(Ok(()), |(a, b)| Err(WrongGroups::Apart { a: *a, b: *b }))
    }
}
