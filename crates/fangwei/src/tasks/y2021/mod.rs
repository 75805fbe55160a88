//! 2021: judge a text; judge a reason; both in one. Answers of all three tasks come in one sheet.

mod joint;
mod sheet;
mod verdict;

pub use sheet::{is_sheet, pack};

use super::Year;
use crate::lang::words;

/// The year.
pub const YEAR: Year = Year {
    name: "2021",
    title: words("第一届中文空间语义理解评测 SpaCE2021", "SpaCE2021, the first Chinese spatial cognition evaluation"),
    tasks: &[&verdict::JUDGE, &verdict::REASON, &joint::Joint],
    policy: "2021",
};
