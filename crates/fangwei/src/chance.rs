//! Chance from a seed: the same choices on every machine, in every run, on any number of threads.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Random choices from a seed; `stream` keeps different uses of one seed apart.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The choices of a seed for one use.
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Dice(rng)
    }

    /// A number below `count`; 0 where there is no choice.
    pub fn below(&mut self, count: usize) -> usize {
        // Multiply and shift: an uneven share of at most count / 2^32.
        ((u64::from(self.0.next_u32()) * count as u64) >> 32) as usize
    }

    /// Any order of the list, all of them equally likely.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
