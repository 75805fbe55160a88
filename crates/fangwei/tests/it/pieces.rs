//! A step done in pieces, on any partition and in any order of the pieces where order must not matter, gives what the step gives as a whole.

mod audit;
mod corpus;
mod select;
mod substitute;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(2023), ..ProptestConfig::default() }
}

/// Deals rows to up to five parts, and gives the parts in any order.
pub fn dealt<T: Clone>(rows: &[T], seed: u64) -> Vec<Vec<T>> {
    let mut dice = fangwei::chance::Dice::new(seed, 0);
    let mut parts = vec![Vec::new(); 1 + dice.below(5)];
    for row in rows {
        let part = dice.below(parts.len());
        parts[part].push(row.clone());
    }
    for part in &mut parts {
        dice.shuffle(part);
    }
    dice.shuffle(&mut parts);
    parts
}
