//! From a run's folder to its score, without asking anybody: every reply is read, counted by what became of it, and scored under every policy, so that a bad
//! score cannot be a bad parser in disguise.

mod consistency;
mod outcomes;
mod summary;
mod table;
mod tally;

pub use consistency::Consistency;
pub use outcomes::{Outcomes, Reader};
pub use summary::{Policies, Summary};
pub use table::summary_text;

use std::io::Write as _;
use std::path::Path;

use fangwei::answer::Answer;
use fangwei::ask::{self, Reading};
use fangwei::lang::Unknown;
use fangwei::record::{Defect, OpenError, ReadError};
use fangwei::task::{Item, Mode, Task, write_pred};

use crate::folder::{Folder, FolderError, Line, Record};
use crate::provider::Usage;
use crate::runner::Spent;
use tally::Tally;

/// Why a run cannot be scored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file that is not there.
    #[error("cannot read {}: {}", .0.file, .0.error)]
    Open(#[from] OpenError),
    /// A file that cannot be read to its end.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A task of another version of the program.
    #[error(transparent)]
    Task(#[from] Unknown),
    /// Gold with defects.
    #[error("the gold file has {} defects", .0.len())]
    Gold(Vec<Defect>),
    /// Gold of other items.
    #[error("{file}: expected gold of {items} items, found none of them")]
    OtherGold {
        /// The file.
        file: String,
        /// How many items were asked about.
        items: usize,
    },
}

/// What became of one reply. The text itself is left in the folder.
#[derive(Clone, Debug)]
pub struct Read {
    /// What was read from it.
    pub reading: Reading,
    /// Why the reply ended.
    pub finish: Option<String>,
    /// Its tokens.
    pub usage: Usage,
    /// How long it took.
    pub seconds: f64,
    /// How often was asked.
    pub attempts: u32,
}

/// An item and its replies, one for each repeat.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The item, with gold where there is one.
    pub item: Item,
    /// What became of the replies; `None` where none came.
    pub reads: Vec<Option<Read>>,
    /// Why none came, where a request failed.
    pub failure: Option<String>,
}

impl Outcome {
    /// What became of the first reply: the one that is scored.
    pub fn first(&self) -> Option<&Read> {
        self.reads.first().and_then(Option::as_ref)
    }

    /// The answer that is scored.
    pub fn answer(&self) -> Option<&Answer> {
        self.first().and_then(|read| read.reading.answer.as_ref())
    }
}

/// A run that was read, all of it in memory: for judges and transcripts, who look at items together.
#[derive(Debug)]
pub struct Run {
    /// Where it is.
    pub folder: Folder,
    /// What was asked of whom.
    pub record: Record,
    /// The task.
    pub task: &'static dyn Task,
    /// Item by item, in the order of the input.
    pub outcomes: Vec<Outcome>,
    /// Whether there is gold.
    pub has_gold: bool,
    /// Everything that was spent.
    pub spent: Spent,
    /// Lines that could not be read.
    pub unread: u64,
}

impl Run {
    /// Reads a folder. Gold is taken from `gold`, or from the file that the run names if it is still there.
    pub fn load(folder: &Folder, gold: Option<&Path>) -> Result<Run, LoadError> {
        let opened = Outcomes::open(folder, gold)?;
        let mut outcomes = Vec::with_capacity(opened.len());
        opened.each(|outcome| {
            outcomes.push(outcome);
            Ok(())
        })?;
        let Outcomes { folder, record, task, has_gold, spent, unread, .. } = opened;
        Ok(Run { folder, record, task, outcomes, has_gold, spent, unread })
    }

    /// The predictions in the task's official format; items without an answer have no line.
    pub fn predictions(&self) -> String {
        self.outcomes.iter().filter_map(|outcome| prediction(self.task, outcome)).collect()
    }
}

/// Scores the run of a folder and writes `predictions.jsonl` and `summary.json`. Gold is found as by [`Run::load`]; one item is in memory at a time.
pub fn score(folder: &Folder, gold: Option<&Path>, mode: Mode) -> Result<Summary, LoadError> {
    let outcomes = Outcomes::open(folder, gold)?;
    let summary = folder.write_by("predictions.jsonl", |file| {
        outcomes.summary(mode, |outcome| {
            let line = prediction(outcomes.task, outcome).unwrap_or_default();
            file.write_all(line.as_bytes()).map_err(FolderError::io(&folder.file("predictions.jsonl")))
        })
    })?;
    let json = serde_json::to_string_pretty(&summary.to_json()).unwrap_or_default() + "\n";
    folder.write("summary.json", json.as_bytes())?;
    Ok(summary)
}

impl Outcomes {
    /// Sums up the run, and hands every item to `also`.
    pub fn summary(&self, mode: Mode, mut also: impl FnMut(&Outcome) -> Result<(), FolderError>) -> Result<Summary, FolderError> {
        let mut tally = Tally::new(self.task, mode);
        self.each(|outcome| {
            tally.add(&outcome);
            also(&outcome)
        })?;
        Ok(Summary::tallied(self, mode, &tally))
    }
}

fn prediction(task: &dyn Task, outcome: &Outcome) -> Option<String> {
    outcome.answer().map(|answer| write_pred(task, &outcome.item.qid, answer).to_line() + "\n")
}

/// Reads one reply.
pub fn read_reply(task: &dyn Task, item: &Item, line: &Line) -> Read {
    let response = &line.response;
    Read {
        reading: ask::read(task, item, &response.text, response.finish.as_deref()),
        finish: response.finish.clone(),
        usage: response.usage,
        seconds: line.seconds,
        attempts: line.attempts,
    }
}
