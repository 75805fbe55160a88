//! The spatial lexicon: words by class and cognitive model, substitution groups, nouns with the locatives that they take.

mod class;

pub use class::{Class, Model};
