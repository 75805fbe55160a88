//! Phases: from when to when what may be submitted, how often, which submission counts, and who sees what of it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Edge, Gate, Moment};
use crate::lang::{Say, Words, words};
use crate::task::Task;

/// A phase: open from its start until just before its end.
#[derive(Clone, Debug)]
pub struct Phase {
    /// `dev`
    pub id: String,
    /// Its name for people.
    pub name: Say,
    /// The first moment.
    pub start: Moment,
    /// The first moment after it.
    pub end: Moment,
    /// What may be submitted.
    pub tasks: Vec<PhaseTask>,
    /// How often.
    pub quota: Quota,
    /// Which submission counts.
    pub rule: Rule,
    /// How many a team may choose, where it chooses.
    pub choose: u32,
    /// Who sees what, until it is revealed.
    pub shows: Shows,
    /// When everything is shown to everybody, if ever; but results of items stay with their team.
    pub reveal: Option<Gate>,
}

/// A task in a phase, with the files that it is scored with.
#[derive(Clone, Debug)]
pub struct PhaseTask {
    /// The task.
    pub task: &'static dyn Task,
    /// The file with the items, which teams may have.
    pub items: String,
    /// The file with the gold, which they may not. Empty in a prompt track without written gold.
    pub gold: String,
    /// The part of the items that only counts when the phase is revealed.
    pub private: Option<Private>,
}

/// A part of the items that is kept back. Which they are is drawn by their origin, so that siblings are in one part.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Private {
    /// Which share of the items, from 0 to 1.
    pub share: f64,
    /// What the draw depends on.
    pub seed: u64,
}

impl Private {
    /// Whether what has this key (an origin, or an identifier where no origin is known) is kept back.
    pub fn holds(&self, key: &str) -> bool {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(key.as_bytes());
        // 53 bits, which a float holds exactly: always below 1, so that a share of 1 holds everything and one of 0 nothing.
        let drawn = hash.finalize().iter().take(7).fold(0_u64, |number, byte| number << 8 | u64::from(*byte)) >> 3;
        (drawn as f64 / (1_u64 << 53) as f64) < self.share
    }
}

/// How often a team may submit to one task of a phase; `None` is without bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Quota {
    /// In all.
    pub total: Option<u32>,
    /// In one day, in the zone of the competition.
    pub per_day: Option<u32>,
}

/// What is left of a quota; `None` is without bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Left {
    /// In all.
    pub total: Option<u32>,
    /// Today.
    pub today: Option<u32>,
    /// When the day ends and more can be sent, in milliseconds since 1970.
    pub tomorrow: i64,
}

impl Left {
    /// Whether anything is left.
    pub fn any(self) -> bool {
        self.total != Some(0) && self.today != Some(0)
    }
}

/// Declares an enum whose words stand in files and in the database.
macro_rules! word_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $word:literal $zh:literal $en:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All of them, in the order of the manual.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The word in files.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The one of a word.
            pub fn parse(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|one| one.as_str() == word)
            }

            /// For people.
            pub const fn title(self) -> Words {
                match self { $($name::$variant => words($zh, $en),)* }
            }
        }
    };
}
pub(super) use word_enum;

word_enum! {
    /// Which of a team's submissions counts.
    Rule {
        /// The last one.
        Last "last" "以最后一次提交为准" "the last submission counts";
        /// The best one.
        Best "best" "以最好的一次提交为准" "the best submission counts";
        /// What the team chose; of several, the best; the last where it chose none.
        Chosen "chosen" "以队伍选定的提交为准" "the submission that the team chose counts";
    }
}

word_enum! {
    /// Who sees something. The order is from few to many.
    Sight {
        /// The organisers.
        Organisers "organisers" "仅组织者可见" "seen by organisers only";
        /// They and the team whose it is.
        Team "team" "本队可见" "seen by the team";
        /// Everybody.
        Everybody "everybody" "所有人可见" "seen by everybody";
    }
}

/// Who sees what of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Shows {
    /// The scores of a submission.
    pub scores: Sight,
    /// The results of its items.
    pub items: Sight,
    /// The board.
    pub board: Sight,
    /// Whether the private part counts.
    pub private: bool,
}

impl Default for Shows {
    fn default() -> Shows {
        Shows { scores: Sight::Team, items: Sight::Organisers, board: Sight::Everybody, private: false }
    }
}

impl Phase {
    /// Whether something sent at this moment belongs to it.
    pub fn is_open(&self, now: i64) -> bool {
        self.start.ms <= now && now < self.end.ms
    }

    /// The moment of an edge.
    pub fn edge(&self, edge: Edge) -> Moment {
        match edge {
            Edge::Start => self.start,
            Edge::End => self.end,
        }
    }

    /// The task of an id, if it is one of the phase.
    pub fn task(&self, id: &str) -> Option<&PhaseTask> {
        self.tasks.iter().find(|entry| entry.task.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_part_is_about_its_share_and_the_same_every_time() {
        let half = Private { share: 0.5, seed: 7 };
        let held = (0..2000).filter(|number| half.holds(&format!("origin-{number}"))).count();
        // 1000 ± 5 standard deviations of 22.4.
        assert!((888..=1112).contains(&held), "{held}");
        assert_eq!(half.holds("甲"), half.holds("甲"));
        let other = Private { seed: 8, ..half };
        assert!((0..64).any(|number| half.holds(&number.to_string()) != other.holds(&number.to_string())), "the seed decides");
        assert!((0..64).all(|number| !Private { share: 0.0, seed: 7 }.holds(&number.to_string())));
        assert!((0..64).all(|number| Private { share: 1.0, seed: 7 }.holds(&number.to_string())));
    }
}
