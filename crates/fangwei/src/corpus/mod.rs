//! Raw text into passages: read, cut at sentence ends, freed of duplicates, segmented and tagged.

mod passage;
pub mod tag;

pub use passage::{Passage, Word};
