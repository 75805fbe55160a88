//! From a run's folder to its score, without asking anybody: every reply is read, counted by what became of it, and scored under every policy, so that a bad
//! score cannot be a bad parser in disguise.

mod consistency;
mod summary;
mod table;

pub use consistency::Consistency;
pub use summary::{Policies, Summary};
pub use table::summary_text;

use std::path::Path;

use fangwei::answer::Answer;
use fangwei::ask::{self, Reading};
use fangwei::lang::Unknown;
use fangwei::record::{Defect, OpenError, ReadError, Source};
use fangwei::score::read_items;
use fangwei::task::{Item, Task, write_pred};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::folder::{Folder, FolderError, Line, Record, each_key, read_lines};
use crate::key::Key;
use crate::provider::Usage;
use crate::runner::{Failure, Spent};

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

/// A run that was read.
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
        let record = folder.record()?;
        let task = fangwei::tasks::find(&record.task)?;
        let (items, _) = read_items(task, Source::open(folder.file("items.jsonl"))?, false)?;
        let numbers: FxHashMap<&SmolStr, usize> = items.iter().enumerate().map(|(number, item)| (&item.qid, number)).collect();
        let mut asked: FxHashMap<Key, Vec<(usize, u32)>> = FxHashMap::default();
        let mut repeats = 1;
        let mut unread = each_key(&folder.file("requests.jsonl"), |key, qid, repeat| {
            repeats = repeats.max(repeat + 1);
            if let Some(number) = numbers.get(&qid) {
                asked.entry(key).or_default().push((*number, repeat));
            }
        })?;
        let mut reads: Vec<Vec<Option<Read>>> = vec![vec![None; repeats as usize]; items.len()];
        let mut spent = Spent::default();
        unread += read_lines(&folder.file("responses.jsonl"), |line: Line| {
            spent.add(line.response.usage);
            for (number, repeat) in asked.get(&line.key).into_iter().flatten() {
                reads[*number][*repeat as usize] = Some(read_reply(task, &items[*number], &line));
            }
        })?;
        let mut failures: FxHashMap<SmolStr, String> = FxHashMap::default();
        unread += read_lines(&folder.file("failures.jsonl"), |failure: Failure| {
            failures.insert(failure.qid, failure.error);
        })?;
        let mut outcomes: Vec<Outcome> = items
            .into_iter()
            .zip(reads)
            .map(|(item, reads)| {
                let failure = if reads.iter().any(Option::is_none) { failures.get(&item.qid).cloned() } else { None };
                Outcome { item, reads, failure }
            })
            .collect();
        let named = record.gold.as_ref().map(|gold| gold.file.as_path()).filter(|file| file.exists());
        let has_gold = match gold.or(named) {
            Some(file) => {
                add_gold(task, file, &mut outcomes)?;
                true
            }
            None => false,
        };
        Ok(Run { folder: folder.clone(), record, task, outcomes, has_gold, spent, unread })
    }

    /// The predictions in the task's official format; items without an answer have no line.
    pub fn predictions(&self) -> String {
        let line =
            |outcome: &Outcome| outcome.answer().map(|answer| write_pred(self.task, &outcome.item.qid, answer).to_line() + "\n");
        self.outcomes.iter().filter_map(line).collect()
    }

    /// Reads, scores and writes `predictions.jsonl` and `summary.json`.
    pub fn score(&self, mode: fangwei::task::Mode) -> Result<Summary, FolderError> {
        let summary = Summary::of(self, mode);
        self.folder.write("predictions.jsonl", self.predictions().as_bytes())?;
        let json = serde_json::to_string_pretty(&summary.to_json()).unwrap_or_default() + "\n";
        self.folder.write("summary.json", json.as_bytes())?;
        Ok(summary)
    }
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

/// Puts gold to the items that were asked about. Items that gold lacks cannot be scored and are told as a defect.
fn add_gold(task: &dyn Task, file: &Path, outcomes: &mut [Outcome]) -> Result<(), LoadError> {
    let (gold, defects) = read_items(task, Source::open(file)?, true)?;
    if defects.iter().any(|defect| defect.severity() == fangwei::record::Severity::Error) {
        return Err(LoadError::Gold(defects));
    }
    let mut by_qid: FxHashMap<SmolStr, Item> = gold.into_iter().map(|item| (item.qid.clone(), item)).collect();
    let mut found = 0;
    for outcome in outcomes.iter_mut() {
        if let Some(item) = by_qid.remove(&outcome.item.qid) {
            outcome.item = item;
            found += 1;
        }
    }
    if found == 0 && !outcomes.is_empty() {
        return Err(LoadError::OtherGold { file: file.display().to_string(), items: outcomes.len() });
    }
    Ok(())
}
