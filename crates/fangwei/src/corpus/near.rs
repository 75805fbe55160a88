//! Duplicates of what was seen before: exact ones by a hash of their letters, near ones by sketches. The first occurrence stays.
//!
//! Candidates are earlier passages that share both minima of one of four pairs, which passages of likeness J do with probability 1 - (1 - J²)⁴: 0.93 at 0.7,
//! 0.98 at 0.8. Whoever is a candidate is judged by the rest of the sketch.
//!
//! Of a passage that stays are kept 8 bytes of hash, 32 of sketch and four numbers of 4 bytes, in tables that are two thirds full: about 70 bytes. Of others only
//! the hash is kept.

use rustc_hash::FxHashSet;

use super::config::Near;
use super::sketch::{MINIMA, Print, Sketch};

const BANDS: usize = MINIMA / 2;
/// So many passages of one bucket are looked at; more share a phrase, not a text, and are found by other pairs.
const MOST_OF_BUCKET: usize = 16;
/// Sketches are kept in pieces of this many, so that none is moved and none reserved in vain.
const PIECE: usize = 1 << 14;
/// Bits of a slot that hold the passage's number; those above hold a tag, so that most strangers are passed without a look at their sketches.
const NUMBER_BITS: u32 = 27;
const MOST_NUMBERS: usize = (1 << NUMBER_BITS) - 1;

/// What a passage is to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Like none of them.
    First,
    /// It has the letters of one of them.
    Exact,
    /// It is like one of them.
    Near,
}

/// The passages that were seen, as hashes.
pub struct Seen {
    near: Near,
    letters: FxHashSet<u64>,
    sketches: Sketches,
    bands: [Band; BANDS],
}

impl Seen {
    /// Nothing seen yet.
    pub fn new(near: Near) -> Seen {
        Seen { near, letters: FxHashSet::default(), sketches: Sketches::default(), bands: std::array::from_fn(Band::new) }
    }

    /// Judges a passage and remembers it.
    ///
    /// Near duplicates are told for the first 134 million different passages and all that are like them; later ones are told by their letters only.
    pub fn see(&mut self, print: &Print) -> Verdict {
        if !self.letters.insert(print.letters) {
            return Verdict::Exact;
        }
        let Near::From(similarity) = self.near else { return Verdict::First };
        // No two sketches of texts that differ promise full likeness.
        if similarity >= 1.0 {
            return Verdict::First;
        }
        let sketch = &print.sketch;
        let mut alike = |there: &Sketch| sketch.likeness(there) >= similarity;
        if self.bands.iter().any(|band| band.find(&self.sketches, sketch, &mut alike)) {
            return Verdict::Near;
        }
        if self.sketches.count < MOST_NUMBERS {
            self.sketches.push(*sketch);
            for band in &mut self.bands {
                band.add(&self.sketches);
            }
        }
        Verdict::First
    }

    /// The bytes that are held, reserved ones included.
    pub fn bytes(&self) -> usize {
        // A hash set keeps a byte beside each slot and leaves one slot in eight free.
        let letters = self.letters.capacity() / 7 * 8 * 9;
        let bands: usize = self.bands.iter().map(|band| band.slots.capacity() * 4).sum();
        letters + self.sketches.pieces.len() * PIECE * size_of::<Sketch>() + bands
    }
}

#[derive(Default)]
struct Sketches {
    pieces: Vec<Vec<Sketch>>,
    count: usize,
}

impl Sketches {
    fn get(&self, number: usize) -> &Sketch {
        &self.pieces[number / PIECE][number % PIECE]
    }

    fn push(&mut self, sketch: Sketch) {
        if self.count.is_multiple_of(PIECE) {
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(sketch);
            self.count += 1;
        }
    }
}

/// Passages by one pair of minima: open addressing, a slot is a tag and a number from 1, or 0.
struct Band {
    first: usize,
    slots: Vec<u32>,
    used: usize,
}

impl Band {
    fn new(band: usize) -> Band {
        Band { first: 2 * band, slots: vec![0; 64], used: 0 }
    }

    fn key(&self, sketch: &Sketch) -> u32 {
        u32::from(sketch.minima[self.first]) << 16 | u32::from(sketch.minima[self.first + 1])
    }

    /// The slots from a key's own on, up to a free one.
    fn probe(&self, key: u32) -> (u32, impl Iterator<Item = usize>) {
        let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let length = self.slots.len();
        let home = (((hash >> 32) * length as u64) >> 32) as usize;
        (((hash >> 20) as u32) << NUMBER_BITS, (home..length).chain(0..home))
    }

    /// The numbers of passages that have the key, and the free slot after them.
    fn of_key<'a>(&'a self, sketches: &'a Sketches, key: u32) -> (impl Iterator<Item = usize> + 'a, u32) {
        let (tag, slots) = self.probe(key);
        let numbers = slots
            .map(|slot| self.slots[slot])
            .take_while(|value| *value != 0)
            .filter(move |value| (value ^ tag) >> NUMBER_BITS == 0)
            .map(|value| (value & MOST_NUMBERS as u32) as usize - 1)
            .filter(move |number| self.key(sketches.get(*number)) == key)
            .take(MOST_OF_BUCKET);
        (numbers, tag)
    }

    fn find(&self, sketches: &Sketches, sketch: &Sketch, alike: &mut impl FnMut(&Sketch) -> bool) -> bool {
        self.of_key(sketches, self.key(sketch)).0.any(|number| alike(sketches.get(number)))
    }

    /// Adds the last of the sketches.
    fn add(&mut self, sketches: &Sketches) {
        // At six sevenths a search passes some dozens of slots, which lie side by side.
        if (self.used + 1) * 7 > self.slots.len() * 6 {
            let length = self.slots.len() / 2 * 3;
            self.slots = Vec::new();
            self.slots.resize(length, 0);
            self.used = 0;
            for number in 0..sketches.count - 1 {
                self.put(sketches, number);
            }
        }
        self.put(sketches, sketches.count - 1);
    }

    fn put(&mut self, sketches: &Sketches, number: usize) {
        let key = self.key(sketches.get(number));
        let (there, tag) = self.of_key(sketches, key);
        if there.count() == MOST_OF_BUCKET {
            return;
        }
        let free = self.probe(key).1.find(|slot| self.slots[*slot] == 0);
        if let Some(free) = free {
            self.slots[free] = tag | (number as u32 + 1);
            self.used += 1;
        }
    }
}

#[cfg(test)]
mod tests;
