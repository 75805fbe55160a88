//! A competition is a file: `competition.toml` says which tasks, from when to when, how often, who sees what, and how it is ranked.
//!
//! [`check`] reads it with everything that it names and gives every defect with file, line, key, expected and found. What organisers do later (a deadline moved, a
//! file let out, a board frozen) is a [`Change`]; a [`Contest`] with its changes applied answers every question about a moment. Nothing here asks a clock.
//!
//! ```
//! use fangwei::contest::{Template, check};
//!
//! let folder = Template::find("2022")?.files(1_660_276_800_000);
//! let reading = check(&folder);
//! assert!(reading.defects.is_empty(), "{:?}", reading.defects);
//! # Ok::<(), fangwei::lang::Unknown>(())
//! ```

mod board;
mod change;
mod check;
mod codabench;
mod counted;
mod file_name;
mod gate;
mod graded;
mod keys;
mod leak;
mod outcome;
mod parts;
mod phase;
mod read;
mod schedule;
mod standings;
mod template;
mod time;
mod unpack;

pub use board::{BoardPlan, Names, mask};
pub use change::{Change, ChangeError, Edge, Granted, Text};
pub use check::{Reading, check};
pub use codabench::{Imported, Unmapped, import};
pub use counted::Sent;
pub use file_name::FileName;
pub use gate::Gate;
pub use graded::{Given, has_reasons};
pub use outcome::{ItemRow, Outcome, Part, Parts, SCORER, families_of};
pub use parts::{
    Agreement, AwardPlan, Criterion, DataFile, Document, Named, PageFile, PromptTrack, Registration, TaskEntry, Use,
};
pub use phase::{Left, Phase, PhaseTask, Private, Quota, Rule, Shows, Sight};
pub use read::read;
pub use schedule::{Date, What};
pub use standings::{BOARD_RESAMPLING, BoardDoubts, Evidence, Standings};
pub use template::{TEMPLATES, Template};
pub use time::{Moment, TimeError, Zone};
pub use unpack::{MOST_BYTES, MOST_FILES, UnpackError, at_root, unpack, unpack_within};

use std::collections::{BTreeMap, BTreeSet};

use crate::lang::Say;
use crate::tasks::Year;

/// The name of the file in its folder.
pub const FILE: &str = "competition.toml";

/// The files of a competition by their paths, with `/` between folders.
pub type Folder = BTreeMap<String, Vec<u8>>;

/// Everything that a competition is told, with the changes that were applied to it.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Its name in addresses: small letters, digits and hyphens.
    pub id: String,
    /// Its name for people.
    pub name: Say,
    /// What it is about, in a line or two.
    pub about: Say,
    /// Whom to ask: an address for mail.
    pub contact: String,
    /// The year whose tasks and policy it takes, if any.
    pub year: Option<&'static Year>,
    /// The zone in which days are counted and times are shown.
    pub zone: Zone,
    /// The tasks, in the order of their pages.
    pub tasks: Vec<TaskEntry>,
    /// Pages in Markdown; the first is the home page.
    pub pages: Vec<PageFile>,
    /// What who takes part agrees to.
    pub agreement: Option<Agreement>,
    /// Who may register, and when.
    pub registration: Registration,
    /// Files to download.
    pub data: Vec<DataFile>,
    /// Phases, in the order of their starts.
    pub phases: Vec<Phase>,
    /// Boards.
    pub boards: Vec<BoardPlan>,
    /// Further dates for the schedule.
    pub dates: Vec<Date>,
    /// The track in which prompts are submitted.
    pub prompts: Option<PromptTrack>,
    /// Awards.
    pub awards: Option<AwardPlan>,
    /// What changes gave to teams beyond their quota.
    pub granted: Vec<Granted>,
    /// Since when submissions to a phase count against its quota, where it was reset.
    pub reset_at: BTreeMap<String, i64>,
    /// Who judges for the awards: ids of accounts.
    pub jury: BTreeSet<String>,
    /// The name of the result of the awards in the store, once it is public.
    pub awarded: Option<String>,
}

impl Contest {
    /// The phase of an id.
    pub fn phase(&self, id: &str) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.id == id)
    }

    /// The phase at a moment; of several that are open, the one that began last.
    pub fn phase_at(&self, now: i64) -> Option<&Phase> {
        self.phases_at(now).last()
    }

    /// All phases that are open at a moment, in the order of their starts.
    pub fn phases_at(&self, now: i64) -> impl Iterator<Item = &Phase> {
        self.phases.iter().filter(move |phase| phase.is_open(now))
    }

    /// The next phase to start after a moment.
    pub fn next_phase(&self, now: i64) -> Option<&Phase> {
        self.phases.iter().filter(|phase| phase.start.ms > now).min_by_key(|phase| phase.start)
    }

    /// The task of an id or an official number (`2022/judge`, `2022/task1`, `task1`, `judge`).
    pub fn task(&self, name: &str) -> Option<&TaskEntry> {
        self.tasks.iter().find(|entry| {
            let about = entry.task.about();
            let short = |full: &'static str| full.rsplit('/').next() == Some(name);
            about.id == name || about.alias == name || short(about.id) || short(about.alias)
        })
    }

    /// The board of an id.
    pub fn board(&self, id: &str) -> Option<&BoardPlan> {
        self.boards.iter().find(|board| board.id == id)
    }

    /// The page of an id.
    pub fn page(&self, id: &str) -> Option<&PageFile> {
        self.pages.iter().find(|page| page.id == id)
    }

    /// The file to download of an id.
    pub fn data(&self, id: &str) -> Option<&DataFile> {
        self.data.iter().find(|file| file.id == id)
    }

    /// Whether a file may be downloaded at a moment (by who has accepted the agreement, where it asks for that).
    pub fn is_released(&self, file: &DataFile, now: i64) -> bool {
        file.released.unwrap_or_else(|| file.gate.is_open(self, now))
    }

    /// Whether a phase is revealed at a moment.
    pub fn is_revealed(&self, phase: &Phase, now: i64) -> bool {
        phase.reveal.as_ref().is_some_and(|gate| gate.is_open(self, now))
    }

    /// Who sees what of a phase at a moment.
    pub fn shows(&self, phase: &Phase, now: i64) -> Shows {
        if self.is_revealed(phase, now) {
            let items = phase.shows.items.max(Sight::Team);
            Shows { scores: Sight::Everybody, items, board: Sight::Everybody, private: true }
        } else {
            phase.shows
        }
    }

    /// What a team may still submit to a task of a phase, from the times (milliseconds since 1970) of its submissions that count: those that were scored or will be.
    pub fn quota_left(&self, phase: &Phase, task: &str, team: &str, submitted: &[i64], now: i64) -> Left {
        let reset = self.reset_at.get(&phase.id).copied().unwrap_or(i64::MIN);
        let midnight = self.zone.midnight(now);
        let (since, today): (Vec<i64>, Vec<i64>) = (
            submitted.iter().copied().filter(|at| *at >= reset).collect(),
            submitted.iter().copied().filter(|at| *at >= reset.max(midnight)).collect(),
        );
        let applies = |granted: &&Granted| {
            granted.team == team && granted.phase == phase.id && granted.task.as_deref().is_none_or(|only| only == task)
        };
        let extra: u32 = self.granted.iter().filter(applies).map(|granted| granted.extra).sum();
        // A grant is for who has run out, today too.
        let left = |most: Option<u32>, used: usize| most.map(|most| most.saturating_add(extra).saturating_sub(used as u32));
        Left {
            total: left(phase.quota.total, since.len()),
            today: left(phase.quota.per_day, today.len()),
            tomorrow: midnight + 24 * 60 * 60 * 1000,
        }
    }

    /// Phase and task that the name of a file means, where they are of this competition.
    pub fn meant_by(&self, name: &FileName) -> (Option<&Phase>, Option<&TaskEntry>) {
        let task = match name.task {
            Some(number) => self.tasks.iter().find(|entry| entry.task.number() == number.to_string()),
            None if self.tasks.len() == 1 => self.tasks.first(),
            None => None,
        };
        (self.phase(&name.phase), task)
    }
}

#[cfg(test)]
mod tests;
