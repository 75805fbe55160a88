//! The early page of 2022: formats and measures that were announced and never released. They are in the sources, so they are supported, as tasks of their own.

mod attribute;
mod relations;

use super::Year;
use crate::lang::words;

/// The year.
pub const YEAR: Year = Year {
    name: "2022-draft",
    title: words("SpaCE2022 早期网页的任务设计", "Task designs of the early SpaCE2022 page"),
    tasks: &[&attribute::Attribute, &relations::Relations],
    policy: "2022",
};
