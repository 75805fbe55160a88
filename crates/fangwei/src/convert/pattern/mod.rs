//! Converts a 2022 reason of type A (two ill-matched fragments, `text1` and `text2`) into the S-P-E form of 2023.
//!
//! Each fragment is read as one or more word classes; the first row of a pattern table that fits a reading of both says how their characters are
//! shared out to S1, P1 and E1. Words and patterns are two TSV files, to be edited by linguists; every row is tested by its own example.

mod class;
mod guess;
mod lexicon;
mod reading;
mod row;
mod tables;
#[cfg(test)]
mod tests;
mod tsv;

pub use class::{Class, Part};
pub use lexicon::Lexicon;
pub use reading::{Reading, readings};
pub use row::{Between, Pattern, Role, Share};
pub use tables::Tables;
pub use tsv::TableError;

use crate::answer::Fragment;
use crate::text::Span;

/// What a type A reason becomes, and the pattern that made it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted<'t> {
    /// One entry a role, in the order S1, P1, E1; indexes in the order of the text, `text1` before `text2`.
    pub fragments: Vec<(Role, Span)>,
    /// The row of the table that applied.
    pub pattern: &'t Pattern,
}

/// Converts with the tables that come with the program; see [`Tables::convert_a`].
pub fn convert_a(context: &[char], text1: &Fragment, text2: &Fragment) -> Converted<'static> {
    Tables::builtin().convert_a(context, text1, text2)
}
