//! fangwei for Python: the steps of the library, one module each, under the names that they have everywhere.
//!
//! A function here takes what [`given`] understands and settings as JSON, works without Python's lock, and gives back a report as JSON and rows as a
//! [`arrow::Frame`]. What people import, with its types and documentation, is in `python/fangwei`; nothing is computed there.

mod agree;
mod arrow;
mod ask;
mod audit;
mod compare;
mod convert;
mod corpus;
mod errors;
mod explore;
mod frames;
mod given;
mod lexicon;
mod load;
mod parts;
mod rank;
mod rows;
mod score;
mod select;
mod settings;
mod substitute;
mod tag;
mod tasks;
mod validate;

use pyo3::prelude::*;

/// What a function that may fail without Python gives.
type Made<T> = Result<T, errors::Raised>;

#[pymodule]
mod _fangwei {
    #[pymodule_export]
    use super::agree::agree;
    #[pymodule_export]
    use super::arrow::Frame;
    #[pymodule_export]
    use super::ask::Asker;
    #[pymodule_export]
    use super::audit::audit;
    #[pymodule_export]
    use super::compare::compare;
    #[pymodule_export]
    use super::convert::{conversions, convert};
    #[pymodule_export]
    use super::corpus::corpus;
    #[pymodule_export]
    use super::errors::{language, set_language};
    #[pymodule_export]
    use super::explore::Explorer;
    #[pymodule_export]
    use super::lexicon::Lexicon;
    #[pymodule_export]
    use super::load::{load, sample};
    #[pymodule_export]
    use super::parts::choose::{Chooser, drafts};
    #[pymodule_export]
    use super::parts::draw::Draw;
    #[pymodule_export]
    use super::parts::kin::{audit_grouped, gram_pairs, item_texts, kin_pairs, text_grams};
    #[pymodule_export]
    use super::parts::lines::{command_lines, cut_documents, read_passages};
    #[pymodule_export]
    use super::parts::near::{Seen, prints};
    #[pymodule_export]
    use super::parts::neighbours::{Judge, Neighbours};
    #[pymodule_export]
    use super::rank::{rank, rank_runs};
    #[pymodule_export]
    use super::score::score;
    #[pymodule_export]
    use super::select::select;
    #[pymodule_export]
    use super::substitute::{blind, substitute};
    #[pymodule_export]
    use super::tag::Tagger;
    #[pymodule_export]
    use super::tasks::tasks;
    #[pymodule_export]
    use super::validate::validate;

    /// The version of the program.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
