//! Origins: items made from one original sentence are siblings, and siblings are no independent evidence.
//!
//! Where a record does not name its origin, siblings are found by their text: two texts belong together if at least half of the shorter one's five-character
//! sequences (punctuation aside) stand in the other. On the released sets this measure has two peaks and little between 0.3 and 0.5, so the threshold is not delicate.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Length of the sequences that are compared.
const GRAM: usize = 5;
/// A sequence in more texts than this says nothing about their origin.
const COMMON: usize = 500;

/// For each text the number of its group; groups are numbered by their first text.
pub fn groups<T: AsRef<str>>(texts: &[T]) -> Vec<u32> {
    let mut groups = Union::new(texts.len());
    let mut holders: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    let mut sizes: Vec<usize> = Vec::with_capacity(texts.len());
    let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, text) in texts.iter().enumerate() {
        let grams = grams(text.as_ref());
        shared.clear();
        for gram in &grams {
            let holders = holders.entry(*gram).or_default();
            if holders.len() < COMMON {
                for other in holders.iter() {
                    *shared.entry(*other).or_default() += 1;
                }
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
    groups.numbers()
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

/// Disjoint sets.
struct Union(Vec<u32>);

impl Union {
    fn new(size: usize) -> Union {
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

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Dense numbers in the order of first members.
    fn numbers(mut self) -> Vec<u32> {
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
    }
}
