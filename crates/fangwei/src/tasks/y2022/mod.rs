//! 2022: judge a text; say what is wrong and of which type; label who is where in tuples of eighteen.

mod attribute;
mod judge;
pub mod roles;

pub use attribute::roles as reason_roles;

use super::Year;
use crate::lang::words;

/// The year.
pub const YEAR: Year = Year {
    name: "2022",
    title: words("第二届中文空间语义理解评测 SpaCE2022", "SpaCE2022, the second Chinese spatial cognition evaluation"),
    tasks: &[&judge::Judge, &attribute::Attribute, &roles::Roles],
    policy: "2022",
};
