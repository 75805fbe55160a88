//! Which pairs of texts a sequence counts for, when two texts belong together, and which groups follow. Everything that groups siblings asks these.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// With how many of those before it a holder of a sequence is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// A sequence in more texts than this says little about their origin,
    pub common: usize,
    /// so only its first holders are counted: enough for the thousandth text of one origin to find its siblings.
    pub first: usize,
}

pub(super) const REACH: Reach = Reach { common: 500, first: 8 };

impl Reach {
    /// How many of the first holders a text is counted with that comes after so many.
    pub fn earlier(self, before: usize) -> usize {
        if before < self.common { before } else { self.first }
    }

    /// The pairs of texts that a sequence counts for.
    pub fn pairs(self, holders: &[u32]) -> impl Iterator<Item = (u32, u32)> {
        let of = move |(place, holder): (usize, &u32)| {
            let (earlier, holder) = (self.earlier(place), *holder);
            holders[..earlier].iter().map(move |other| (*other, holder))
        };
        holders.iter().enumerate().flat_map(of)
    }
}

/// The pairs of texts that a sequence counts for, the earlier text first. `holders` are the numbers of all texts that hold it, each once and in rising order.
///
/// A sequence of many texts counts for few pairs, so there are no more than 125,000 and eight for each text beyond the first 500.
pub fn pairs(holders: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    REACH.pairs(holders)
}

/// Whether two texts belong together: for so many sequences they were counted as a [pair](pairs), and so many each of them has.
pub fn belong_together(shared: usize, grams: usize, grams_there: usize) -> bool {
    shared * 2 >= grams.min(grams_there)
}

/// For each of so many texts the number of its group, given the pairs that belong together, in any order; groups are numbered by their first text.
pub fn numbers(texts: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut union = Union::new(texts);
    for (a, b) in pairs {
        union.join(a, b);
    }
    union.numbers()
}

/// Disjoint sets.
#[derive(Debug)]
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
