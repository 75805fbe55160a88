//! A model of the words around a spatial word: what stands there, given one and two words to its left and to its right.
//!
//! Only n-grams with a spatial word in the slot are counted, under the word's class, because only rivals of a class are ever compared: that is a small part
//! of all n-grams. Counts lie in a table of fixed size, each key in two cells of which the smaller is read, so memory does not grow with the corpus and any
//! number of threads can count at once and give the same table. A passage that is judged must not predict itself: what it put into the
//! table is taken off again while it is looked at.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::guess::{Guess, Rank, Slot};
use crate::corpus::Passage;
use crate::hash::{hash, mix};
use crate::lexicon::Class;

/// What may be seen around a slot, from nothing to three words.
#[derive(Clone, Copy)]
enum View {
    Nothing,
    Left,
    LeftTwo,
    Right,
    RightTwo,
    Both,
}

const VIEWS: usize = 6;

/// The hash that stands for what is before the first and after the last word.
const EDGE: u64 = 0x0123_4567_89ab_cdef;

/// How many observations the guess of the view with fewer words is worth.
const TRUST: f64 = 4.0;

/// What an unseen word counts, so that nothing is impossible.
const UNSEEN: f64 = 0.5;

/// A cell that a table does not have: it was counted by a model of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a cell below {cells}, found {cell}")]
pub struct NoSuchCell {
    /// The number of the cell.
    pub cell: u32,
    /// How many the table has.
    pub cells: u32,
}

/// Counts of spatial words and their neighbours.
pub struct NGram {
    cells: Vec<AtomicU32>,
    slots: AtomicU64,
}

impl std::fmt::Debug for NGram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NGram({} cells, {} slots)", self.cells.len(), self.slots())
    }
}

impl NGram {
    /// A model without counts, of 2^`bits` cells of four bytes; fewer than 2^8 or more than 2^31 cells are not made.
    pub fn new(bits: u32) -> NGram {
        let cells = (0..1_usize << bits.clamp(8, 31)).map(|_| AtomicU32::new(0)).collect();
        NGram { cells, slots: AtomicU64::new(0) }
    }

    /// Counts the spatial words of a passage. Passages may be counted on several threads and in any order.
    pub fn train(&self, passage: &Passage) {
        for cell in Keys::new(passage).own().flat_map(|key| self.places(key)).flatten() {
            self.cells[cell].fetch_add(1, Ordering::Relaxed);
        }
        let slots = passage.words.iter().filter(|word| word.class.is_some()).count();
        self.slots.fetch_add(slots as u64, Ordering::Relaxed);
    }

    /// The cells in use with what they count, in rising order. Together with [`slots`](NGram::slots) they are the model.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u32)> {
        let counts = self.cells.iter().map(|cell| cell.load(Ordering::Relaxed));
        (0..).zip(counts).filter(|(_, count)| *count > 0)
    }

    /// Adds what a model of the same size counted elsewhere: its cells, or some of them, and its spatial words. Models that are trained on parts of a corpus
    /// and added in any order are the model of the whole.
    pub fn add(&self, slots: u64, counts: impl IntoIterator<Item = (u32, u32)>) -> Result<(), NoSuchCell> {
        for (cell, count) in counts {
            // At most 2^31 cells are made.
            let there = self.cells.get(cell as usize).ok_or(NoSuchCell { cell, cells: self.cells.len() as u32 })?;
            there.fetch_add(count, Ordering::Relaxed);
        }
        self.slots.fetch_add(slots, Ordering::Relaxed);
        Ok(())
    }

    /// The model of 2^`bits` cells with these counts; a cell that is named twice has the sum.
    pub fn from_counts(bits: u32, slots: u64, counts: impl IntoIterator<Item = (u32, u32)>) -> Result<NGram, NoSuchCell> {
        let model = NGram::new(bits);
        model.add(slots, counts)?;
        Ok(model)
    }

    /// How many spatial words were counted.
    pub fn slots(&self) -> u64 {
        self.slots.load(Ordering::Relaxed)
    }

    /// The share of cells in use. Beyond one half, one n-gram in four that was never seen looks seen: a larger table is wanted.
    pub fn load(&self) -> f64 {
        let used = self.cells.iter().filter(|cell| cell.load(Ordering::Relaxed) > 0).count();
        used as f64 / self.cells.len() as f64
    }

    /// Ranks the words in slots; with `leave_out`, without what the passage itself put into the counts.
    pub fn rank_words(&self, passage: &Passage, slots: &[Slot<'_>], leave_out: bool) -> Vec<Rank> {
        let keys = Keys::new(passage);
        let mut own: Vec<u64> = if leave_out { keys.own().collect() } else { Vec::new() };
        own.sort_unstable();
        slots.iter().filter_map(|slot| self.rank_word(passage, &keys, slot, &own)).collect()
    }

    fn rank_word(&self, passage: &Passage, keys: &Keys<'_>, slot: &Slot<'_>, own: &[u64]) -> Option<Rank> {
        let word = passage.words.get(slot.at)?;
        let class = word.class?;
        let views = keys.views(slot.at);
        let candidates = std::iter::once(word.text.as_str()).chain(slot.rivals.iter().copied());
        let counts: Vec<[f64; VIEWS]> =
            candidates.map(|word| self.seen(&views, candidate(word, class), own).map(f64::from)).collect();
        let seen = |view: View| counts.iter().map(move |counts| counts[view as usize]);
        let alone = normal(seen(View::Nothing).map(|count| count + UNSEEN).collect());
        let left = refine(refine(alone.clone(), seen(View::Left)), seen(View::LeftTwo));
        let right = refine(refine(alone.clone(), seen(View::Right)), seen(View::RightTwo));
        // Left and right neighbours are taken as independent, given the word; where both were seen together, that is corrected.
        let joined = normal((0..counts.len()).map(|at| left[at] * right[at] / alone[at]).collect());
        let whole = refine(joined, seen(View::Both));
        let rivals: Vec<(&str, f64)> = slot.rivals.iter().copied().zip(whole[1..].iter().copied()).collect();
        Some(Rank::of(&word.text, whole[0], &rivals))
    }

    /// How often a word was seen in each view. Nothing was seen more often with more words around it than with fewer, so most views need not be looked
    /// up, and a count that is too high because keys share their cells is brought down.
    fn seen(&self, views: &[u64; VIEWS], candidate: u64, own: &[u64]) -> [u32; VIEWS] {
        let look = |view: View, most: u32| {
            if most == 0 { 0 } else { self.count(mix(views[view as usize], candidate), own).min(most) }
        };
        let alone = look(View::Nothing, u32::MAX);
        let (left, right) = (look(View::Left, alone), look(View::Right, alone));
        [alone, left, look(View::LeftTwo, left), right, look(View::RightTwo, right), look(View::Both, left.min(right))]
    }

    /// How often a key was counted, at most: a key that shares both its cells with others is counted too high.
    fn count(&self, key: u64, own: &[u64]) -> u32 {
        let cell = |cell: usize| self.cells[cell].load(Ordering::Relaxed);
        let all = self.places(key).into_iter().flatten().map(cell).min().unwrap_or(0);
        if all == 0 {
            return 0;
        }
        let begins = own.partition_point(|other| *other < key);
        all.saturating_sub(own[begins..].iter().take_while(|other| **other == key).count() as u32)
    }

    /// The cells of a key: two, or one where both halves of the key agree.
    fn places(&self, key: u64) -> [Option<usize>; 2] {
        let mask = self.cells.len() - 1;
        let (one, other) = (key as usize & mask, (key >> 32) as usize & mask);
        [Some(one), (one != other).then_some(other)]
    }
}

impl Guess for NGram {
    /// Ranks the words of a passage that was trained on.
    fn rank(&self, passage: &Passage, slots: &[Slot<'_>]) -> Vec<Rank> {
        self.rank_words(passage, slots, true)
    }
}

/// Probabilities after counts of a larger view, where it was seen.
fn refine(mut before: Vec<f64>, counts: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let total: f64 = counts.clone().sum();
    before.iter_mut().zip(counts).for_each(|(before, count)| *before = (count + TRUST * *before) / (total + TRUST));
    before
}

/// Numbers scaled to the sum 1.
fn normal(mut numbers: Vec<f64>) -> Vec<f64> {
    let total: f64 = numbers.iter().sum();
    for number in &mut numbers {
        *number /= total;
    }
    numbers
}

fn candidate(word: &str, class: Class) -> u64 {
    hash(class as u64, word)
}

/// The hashes of a passage's words.
struct Keys<'p> {
    passage: &'p Passage,
    words: Vec<u64>,
}

impl<'p> Keys<'p> {
    fn new(passage: &'p Passage) -> Keys<'p> {
        // Not a class: a neighbour counts as it is written.
        let words = passage.words.iter().map(|word| hash(u64::MAX, &word.text)).collect();
        Keys { passage, words }
    }

    /// What is seen around a word, a hash a view.
    fn views(&self, at: usize) -> [u64; VIEWS] {
        let word = |at: Option<usize>| at.and_then(|at| self.words.get(at)).copied().unwrap_or(EDGE);
        let (left, before) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
        let (right, after) = (word(Some(at + 1)), word(Some(at + 2)));
        let of = |view: View, first: u64, second: u64| mix(mix(view as u64, first), second);
        [
            of(View::Nothing, 0, 0),
            of(View::Left, left, 0),
            of(View::LeftTwo, left, before),
            of(View::Right, right, 0),
            of(View::RightTwo, right, after),
            of(View::Both, left, right),
        ]
    }

    /// Every key that the passage adds to the counts.
    fn own(&self) -> impl Iterator<Item = u64> {
        let spatial =
            self.passage.words.iter().enumerate().filter_map(|(at, word)| Some((at, candidate(&word.text, word.class?))));
        spatial.flat_map(|(at, one)| self.views(at).map(|view| mix(view, one)))
    }
}
