//! The smaller parts of a competition: pages, data, registration, agreement, prompt track, awards.

use serde::{Deserialize, Serialize};

use super::phase::word_enum;
use super::{Gate, Moment};
use crate::lang::{Say, Words, words};
use crate::score::Rubric;
use crate::task::Task;

/// A task of the competition.
#[derive(Clone, Debug)]
pub struct TaskEntry {
    /// The task.
    pub task: &'static dyn Task,
    /// Its name for people; by default the task's own.
    pub title: Say,
    /// A page of one's own instead of the task's guide: the paths of its Markdown.
    pub guide: Option<Say>,
}

/// A page in Markdown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageFile {
    /// Its name in addresses.
    pub id: String,
    /// Its title.
    pub title: Say,
    /// The path of its file, in each language.
    pub file: Say,
}

/// What who takes part agrees to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// The version; another one is to be accepted anew.
    pub version: String,
    /// The path of its text, in each language.
    pub file: Say,
}

/// Who may register, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct Registration {
    /// From when on; from the opening of the competition, if nothing is said.
    pub start: Option<Moment>,
    /// Until just before when; until its closing, if nothing is said.
    pub end: Option<Moment>,
    /// Whether an organiser has to approve a team.
    pub approval: bool,
    /// So many people may a team have.
    pub most_members: u32,
    /// So many characters may its name have.
    pub most_name: u32,
}

impl Default for Registration {
    fn default() -> Registration {
        Registration { start: None, end: None, approval: true, most_members: 10, most_name: 20 }
    }
}

impl Registration {
    /// Whether teams may register at a moment.
    pub fn is_open(&self, now: i64) -> bool {
        self.start.is_none_or(|start| start.ms <= now) && self.end.is_none_or(|end| now < end.ms)
    }
}

/// A file to download.
#[derive(Clone, PartialEq, Debug)]
pub struct DataFile {
    /// Its name in addresses.
    pub id: String,
    /// Its title.
    pub title: Say,
    /// The path of the file.
    pub file: String,
    /// The task that it belongs to: its id.
    pub task: Option<String>,
    /// What it holds.
    pub holds: Use,
    /// When it may be had.
    pub gate: Gate,
    /// Whether only who accepted the agreement may have it.
    pub agreement: bool,
    /// What an organiser said by hand, over the gate.
    pub released: Option<bool>,
}

word_enum! {
    /// What a file of a competition is for.
    Use {
        /// A page.
        Page "page" "网页" "page";
        /// The agreement.
        Agreement "agreement" "协议" "agreement";
        /// Items, or data with answers that are meant for teams.
        Data "data" "数据" "data";
        /// Answers that are let out after a phase.
        Answers "answers" "答案" "answers";
        /// Items of a phase.
        Items "items" "题目" "items";
        /// Gold that submissions are scored with: it never leaves the server.
        Gold "gold" "标准答案" "gold";
        /// Rows of a board.
        Rows "rows" "排行榜中的行" "rows of a board";
    }
}

/// A file that the competition names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Named {
    /// Its path.
    pub path: String,
    /// What it is for.
    pub holds: Use,
    /// The key that names it: `/phases/0/tasks/1/gold`.
    pub key: String,
    /// The task that its records are of: its id.
    pub task: Option<String>,
}

/// A track in which a prompt is submitted, which the organisers run on hidden items.
#[derive(Clone, PartialEq, Debug)]
pub struct PromptTrack {
    /// The phase: its id.
    pub phase: String,
    /// The task: its id.
    pub task: String,
    /// The model that prompts are run with; empty where a run says it.
    pub model: String,
    /// So many tokens may one run spend.
    pub budget_tokens: u64,
    /// So much money may one run spend, in the currency of the price list; 0 is no bound.
    pub budget_money: f64,
    /// So many characters may a prompt have.
    pub most_characters: u32,
    /// So many raters grade each answer, not knowing whose it is.
    pub raters: u32,
    /// Which text tells what the grades mean.
    pub rubric: Rubric,
    /// When teams may read the transcripts of their runs.
    pub transcripts: Gate,
}

/// Awards: what is to be handed in, and how it is judged.
#[derive(Clone, PartialEq, Debug)]
pub struct AwardPlan {
    /// The board whose standings count: its id.
    pub board: String,
    /// What is to be handed in.
    pub documents: Vec<Document>,
    /// What the jury judges by.
    pub criteria: Vec<Criterion>,
    /// The share of the standings, from 0 to 1; the rest is the jury's. 0.8 in 2021.
    pub board_share: f64,
}

/// Something to hand in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Its name in addresses: `report`.
    pub id: String,
    /// Its name for people.
    pub title: Say,
    /// Until just before when.
    pub deadline: Moment,
    /// Whether an award needs it.
    pub required: bool,
    /// Whether it is a link; otherwise a file.
    pub link: bool,
}

/// What the jury judges by.
#[derive(Clone, PartialEq, Debug)]
pub struct Criterion {
    /// Its name in addresses.
    pub id: String,
    /// Its name for people.
    pub title: Say,
    /// The most points.
    pub most: f64,
}
