//! What became of every item of a run, one at a time: items and replies stay on the disk, and memory holds where they are.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use fangwei::record::{Severity, Source};
use fangwei::score::each_item;
use fangwei::task::Task;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{LoadError, Outcome, Read, read_reply};
use crate::folder::{Folder, FolderError, Line, Record, each_key, line_at, read_lines, read_placed};
use crate::key::Key;
use crate::runner::{Failure, Spent};
use crate::shelf::Shelf;

/// A run whose items can be gone through.
#[derive(Debug)]
pub struct Outcomes {
    /// Where it is.
    pub folder: Folder,
    /// What was asked of whom.
    pub record: Record,
    /// The task.
    pub task: &'static dyn Task,
    /// Whether there is gold.
    pub has_gold: bool,
    /// Everything that was spent.
    pub spent: Spent,
    /// Lines that could not be read.
    pub unread: u64,
    items: Shelf,
    qids: Vec<SmolStr>,
    gold: Shelf,
    /// Of each item, its number among gold.
    gold_of: Vec<Option<u32>>,
    repeats: usize,
    /// Where the last response to each item and repeat begins.
    places: Vec<Option<u64>>,
    failures: FxHashMap<SmolStr, String>,
}

impl Outcomes {
    /// Opens a folder. Gold is taken from `gold`, or from the file that the run names if it is still there.
    pub fn open(folder: &Folder, gold: Option<&Path>) -> Result<Outcomes, LoadError> {
        let record = folder.record()?;
        let task = fangwei::tasks::find(&record.task)?;
        let (items, qids, numbers) = read_asked(task, folder)?;
        let (asked, repeats, mut unread) = read_requests(folder, &numbers)?;
        let mut places = vec![None; items.len() * repeats];
        let mut spent = Spent::default();
        unread += read_placed(&folder.file("responses.jsonl"), |place, line: Line| {
            spent.add(line.response.usage);
            if let Some((number, repeat)) = asked.get(&line.key) {
                places[*number as usize * repeats + *repeat as usize] = Some(place);
            }
        })?;
        drop(asked);
        let mut failures: FxHashMap<SmolStr, String> = FxHashMap::default();
        unread += read_lines(&folder.file("failures.jsonl"), |failure: Failure| {
            failures.insert(failure.qid, failure.error);
        })?;
        let named = record.gold.as_ref().map(|gold| gold.file.as_path()).filter(|file| file.exists());
        let file = gold.or(named);
        let (gold, gold_of) = match file {
            Some(file) => read_gold(task, file, &numbers, items.len())?,
            None => (Shelf::new(task)?, vec![None; items.len()]),
        };
        let (folder, has_gold) = (folder.clone(), file.is_some());
        Ok(Outcomes { folder, record, task, has_gold, spent, unread, items, qids, gold, gold_of, repeats, places, failures })
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The identifiers of the items, in the order of the input.
    pub fn qids(&self) -> &[SmolStr] {
        &self.qids
    }

    /// Hands every item to `take`, in the order of the input.
    pub fn each(&self, mut take: impl FnMut(Outcome) -> Result<(), FolderError>) -> Result<(), FolderError> {
        let mut reader = self.reader();
        (0..self.len()).try_for_each(|number| take(reader.get(number)?.0))
    }

    /// For looking at items in any order.
    pub fn reader(&self) -> Reader<'_> {
        let path = self.folder.file("responses.jsonl");
        // Without responses there is no file, and no place in it.
        let file = File::open(&path).ok().map(BufReader::new);
        Reader { of: self, path, file }
    }
}

/// Reads one item after another from the disk.
#[derive(Debug)]
pub struct Reader<'o> {
    of: &'o Outcomes,
    path: PathBuf,
    file: Option<BufReader<File>>,
}

impl Reader<'_> {
    /// What became of an item, and the responses that it was read from, one for each repeat.
    pub fn get(&mut self, number: usize) -> Result<(Outcome, Vec<Option<Line>>), FolderError> {
        let of = self.of;
        let item = match of.gold_of[number] {
            Some(gold) => of.gold.get(gold as usize)?,
            None => of.items.get(number)?,
        };
        let mut lines: Vec<Option<Line>> = Vec::with_capacity(of.repeats);
        for place in &of.places[number * of.repeats..(number + 1) * of.repeats] {
            lines.push(match (&mut self.file, place) {
                (Some(file), Some(place)) => Some(line_at(file, *place).map_err(FolderError::io(&self.path))?),
                _ => None,
            });
        }
        let read = |line: &Option<Line>| line.as_ref().map(|line| read_reply(of.task, &item, line));
        let reads: Vec<Option<Read>> = lines.iter().map(read).collect();
        let failure = if reads.iter().any(Option::is_none) { of.failures.get(&item.qid).cloned() } else { None };
        Ok((Outcome { item, reads, failure }, lines))
    }
}

type Numbers = FxHashMap<SmolStr, u32>;

/// The items that were asked about with their identifiers, and the number of each; of a repeated identifier the last.
fn read_asked(task: &'static dyn Task, folder: &Folder) -> Result<(Shelf, Vec<SmolStr>, Numbers), LoadError> {
    let (mut items, mut qids, mut put) = (Shelf::new(task)?, Vec::new(), Ok(()));
    each_item(task, Source::open(folder.file("items.jsonl"))?, false, |item| match items.put(&item) {
        Ok(_) => qids.push(item.qid),
        Err(error) => put = Err(error),
    })?;
    put?;
    let numbers = qids.iter().cloned().zip(0..).collect();
    Ok((items, qids, numbers))
}

type Asked = FxHashMap<Key, (u32, u32)>;

/// The item and the repeat of each key, how often items were asked, and lines that could not be read.
fn read_requests(folder: &Folder, numbers: &Numbers) -> Result<(Asked, usize, u64), FolderError> {
    let (mut asked, mut repeats) = (Asked::default(), 1);
    let unread = each_key(&folder.file("requests.jsonl"), |key, qid, repeat| {
        if let Some(number) = numbers.get(&qid) {
            repeats = repeats.max(repeat as usize + 1);
            asked.insert(key, (*number, repeat));
        }
    })?;
    Ok((asked, repeats, unread))
}

/// Gold of the items that were asked about. Items that gold lacks cannot be scored and are counted.
fn read_gold(
    task: &'static dyn Task,
    file: &Path,
    numbers: &Numbers,
    items: usize,
) -> Result<(Shelf, Vec<Option<u32>>), LoadError> {
    let (mut gold, mut gold_of, mut put) = (Shelf::new(task)?, vec![None; items], Ok(()));
    let defects = each_item(task, Source::open(file)?, true, |item| {
        let Some(number) = numbers.get(&item.qid) else { return };
        match gold.put(&item) {
            Ok(place) => gold_of[*number as usize] = Some(place as u32),
            Err(error) => put = Err(error),
        }
    })?;
    put?;
    if defects.iter().any(|defect| defect.severity() == Severity::Error) {
        return Err(LoadError::Gold(defects));
    }
    if gold.is_empty() && items > 0 {
        return Err(LoadError::OtherGold { file: file.display().to_string(), items });
    }
    Ok((gold, gold_of))
}
