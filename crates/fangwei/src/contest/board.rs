//! Boards: which tasks of which phase are ranked by which policy, and how teams are named on them.

use serde::{Deserialize, Serialize};

use super::phase::word_enum;
use crate::lang::{Say, Words, words};
use crate::rank::Policy;
use crate::task::Task;

/// A board of a competition.
#[derive(Clone, Debug)]
pub struct BoardPlan {
    /// Its name in addresses.
    pub id: String,
    /// Its title.
    pub title: Say,
    /// The phase whose submissions it ranks: its id.
    pub phase: String,
    /// Its tasks.
    pub tasks: Vec<&'static dyn Task>,
    /// How the places are found.
    pub policy: Policy,
    /// How teams are named.
    pub names: Names,
    /// A CSV file with rows of baselines, humans and LLMs, as `fangwei rank` reads it; empty if there is none.
    pub rows: String,
    /// Digits after the point.
    pub precision: u8,
    /// Since when it stands still, in milliseconds since 1970.
    pub frozen_at: Option<i64>,
}

word_enum! {
    /// How teams are named on a board.
    Names {
        /// As they are.
        Full "full" "显示队名" "names of teams are shown";
        /// First character and stars; a team sees its own.
        Masked "masked" "队名只显示首字" "only the first character of a name is shown";
    }
}

/// A name of which only the first character is left: `胡**`.
pub fn mask(name: &str) -> String {
    name.trim().chars().next().map(|first| format!("{first}**")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_leaves_one_character_and_not_the_length() {
        assert_eq!(mask("胡言乱语队"), "胡**");
        assert_eq!(mask(" a"), "a**");
        assert_eq!(mask(""), "");
    }
}
