//! 2023: find the fragments that are wrong; label who is where in tuples of roles; tell whether two texts show the same scene, and why.

mod anomaly;
pub mod roles;
mod scene;

pub use anomaly::ROLES as TRIPLE_ROLES;
pub use scene::{is_difference, quoted_difference};

use super::Year;
use crate::lang::words;

/// The year.
pub const YEAR: Year = Year {
    name: "2023",
    title: words("第三届中文空间语义理解评测 SpaCE2023", "SpaCE2023, the third Chinese spatial cognition evaluation"),
    tasks: &[&anomaly::Anomaly, &roles::Roles, &scene::SceneTask],
    policy: "2023",
};
