//! From gold to a dataset pack: split by origin group, answers apart from inputs, hashes, licence, data sheet.
//!
//! ```text
//! gold files + candidates → entries of the tasks asked for → origin groups over all tasks → splits → official numbers → files
//! ```
//!
//! Items made from one sentence never stand in two splits, whichever task they belong to. The same inputs and seed give the same bytes: nothing here asks a
//! clock, and lists are sorted before chance has a say. Files are given back as paths and bytes; whoever calls writes them.
//!
//! ```
//! use fangwei::release::{Config, Gold, Input, Inputs, release};
//!
//! let gold = r#"{"qid":"a","context":"猫睡在窗台上，尾巴垂下来。","judge":1}
//! {"qid":"b","context":"船慢慢驶进了港口外面。","judge":0}"#;
//! let config = Config { name: "甲".into(), version: "1.0".into(), shares: "1:1".parse()?, ..Config::default() };
//! let inputs = Inputs { gold: vec![Gold { task: None, input: Input::new("gold.jsonl", gold) }], licence: "CC-BY-4.0".into(), ..Inputs::default() };
//! let pack = release(&config, &inputs, fangwei::lang::Lang::En)?;
//! assert!(pack.files.iter().any(|file| file.path == "inputs/2022/judge/test.jsonl"));
//! # Ok::<(), fangwei::release::ReleaseError>(())
//! ```

mod config;
mod datasheet;
mod error;
mod gold;
mod group;
mod order;
mod pack;
mod revise;
mod rules;
mod split;
mod verify;

pub use config::{Config, KEYS, Shares};
pub use error::{Clash, Place, ReleaseError};
pub use gold::{Entry, Replaced};
pub use pack::{FileHash, InputHash, Manifest};
pub use revise::{Changed, Changes, Standing, TaskChanges};
pub use rules::Surveyed;
pub use verify::{Problem, verify};

use smol_str::SmolStr;

use crate::convert::OutFile;
use crate::lang::{Lang, Say};
use crate::record::{Defect, ReadError, Source};
use crate::task::Task;
use group::Member;

/// A file that was read: its name and its bytes, packed or not.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The file, as it was named.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl Input {
    /// A file in memory.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Input {
        Input { name: name.into(), bytes: bytes.into() }
    }

    fn source(&self) -> Result<Source, ReadError> {
        let failed = |error| ReadError { file: self.name.as_str().into(), error };
        Source::from_bytes(&self.name, self.bytes.clone()).map_err(failed)
    }
}

/// A file of gold and its task, where that is told.
#[derive(Clone, Debug)]
pub struct Gold {
    /// The task; else it is told by the shape of the records.
    pub task: Option<&'static dyn Task>,
    /// The file.
    pub input: Input,
}

/// What the files that a [`Config`] names hold.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Gold.
    pub gold: Vec<Gold>,
    /// Candidates.
    pub candidates: Vec<Input>,
    /// The licence: the file's text, or the SPDX name.
    pub licence: String,
    /// About the agreement of annotators, in JSON.
    pub agreement: Option<Input>,
    /// All files of the version before.
    pub previous: Option<Vec<OutFile>>,
}

/// An entry in its place in the release.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    entry: Entry,
    split: usize,
    group: u32,
    qid: SmolStr,
}

/// What the later steps need to know about a release.
pub(crate) struct Plan<'r> {
    config: &'r Config,
    splits: Vec<String>,
    tasks: Vec<&'static dyn Task>,
    /// By task, split and number.
    items: Vec<Placed>,
    groups: usize,
    joined: Vec<Vec<SmolStr>>,
    /// Items of earlier versions that are gone.
    retired: Vec<revise::Retired>,
    /// Whether records told their splits themselves.
    explicit: bool,
    /// What the rules of annotation found.
    surveyed: Vec<Surveyed>,
}

/// A release, ready to be written.
#[derive(Debug)]
pub struct Pack {
    /// Every file with its path in the folder, in a fixed order, the manifest last.
    pub files: Vec<OutFile>,
    /// What the manifest says.
    pub manifest: Manifest,
    /// What became of the version before.
    pub changes: Option<Changes>,
    /// How many items each task has in each split, in the order of the manifest.
    pub counts: Vec<Vec<u64>>,
    /// Number of origin groups.
    pub groups: usize,
    /// What is worth knowing and no defect.
    pub notes: Vec<Say>,
    /// What gold breaks of its tasks' rules; it is released as it is.
    pub defects: Vec<Defect>,
    /// What the rules of annotation found in the gold of each task.
    pub surveyed: Vec<Surveyed>,
}

/// Makes a release of what the files hold. Data sheet and list of changes are in one language.
pub fn release(config: &Config, inputs: &Inputs, lang: Lang) -> Result<Pack, ReleaseError> {
    for (value, what) in [(&config.name, "name"), (&config.version, "version"), (&inputs.licence, "licence")] {
        if value.trim().is_empty() {
            return Err(ReleaseError::Missing(what));
        }
    }
    if inputs.gold.is_empty() {
        return Err(ReleaseError::Missing("gold"));
    }
    let splits = config.split_names()?;
    let mut tasks = config.tasks()?;
    let (mut notes, mut defects) = (Vec::new(), Vec::new());
    let mut gold = read(config, inputs, &mut defects)?;
    let strangers = gold::join_candidates(&mut gold, &inputs.candidates)?;
    if let Some(first) = strangers.first() {
        let count = strangers.len();
        notes.push(Say::new(
            format!("{count} 条答案不是候选，也没有 origin，如 {first}：来源、体裁和替换的词都不知道（编号换回来了吗？fangwei substitute unblind）"),
            format!("{count} answers are no candidates and have no origin, such as {first}: their origin, genre and replaced words are unknown (are the names put back? fangwei substitute unblind)"),
        ));
    }
    if tasks.is_empty() {
        tasks = tasks_of(&gold);
    }
    let entries = gold::join_equal(gold::make_targets(&gold, &tasks)?, &tasks)?;
    let before = inputs.previous.as_deref().map(|files| revise::Before::read(files, &splits)).transpose()?;
    let kept = before.as_ref().map_or_else(|| vec![None; entries.len()], |before| before.matches(&entries));
    let asked = group::explicit(&entries, config.split_field.as_deref(), &splits)?;
    let members = members(&entries, &asked, &kept, before.as_ref());
    let mut groups = group::group(&members, &splits)?;
    groups.of.truncate(entries.len());
    let explicit = asked.iter().any(Option::is_some);
    let present: std::collections::BTreeSet<u32> = groups.of.iter().copied().collect();
    if !explicit && present.len() < splits.len() {
        return Err(ReleaseError::TooFewGroups { groups: present.len(), splits: splits.len() });
    }
    let split = split::assign(&loads(&entries, &groups), &config.shares.parts(), config.seed);
    for names in &groups.joined {
        let names = names.join(" ");
        notes.push(Say::new(format!("按文本并为一组的来源：{names}"), format!("origins joined by their text: {names}")));
    }
    let items = pack::number(entries, &groups.of, &split, &kept, before.as_ref(), (&tasks, &splits), config.seed);
    let retired = before.as_ref().map_or_else(Vec::new, |before| before.retire(&kept));
    let (count, joined) = (present.len(), groups.joined);
    let mut plan = Plan { config, splits, retired, tasks, items, groups: count, joined, explicit, surveyed: Vec::new() };
    plan.surveyed = rules::look(&plan)?;
    notes.extend(rules::notes(&plan.surveyed));
    let changes = before.as_ref().map(|before| revise::changes(before, &plan));
    let (files, manifest) = pack::write(&plan, inputs, before.as_ref(), changes.as_ref(), lang)?;
    let counts = plan.tasks.iter().map(|task| plan.counts(task.id())).collect();
    Ok(Pack { files, manifest, changes, counts, groups: plan.groups, notes, defects, surveyed: plan.surveyed })
}

impl Plan<'_> {
    fn of(&self, task: &str) -> impl Iterator<Item = &Placed> {
        self.items.iter().filter(move |placed| placed.entry.task.id() == task)
    }

    /// The number of items of a task in each split.
    fn counts(&self, task: &str) -> Vec<u64> {
        let mut counts = vec![0; self.splits.len()];
        self.of(task).for_each(|placed| counts[placed.split] += 1);
        counts
    }

    /// Whether outsiders may have the answers of a split.
    fn is_public(&self, split: usize) -> bool {
        self.config.is_public(&self.splits[split])
    }
}

/// All gold, or all that is wrong with it.
fn read(config: &Config, inputs: &Inputs, told: &mut Vec<Defect>) -> Result<Vec<Entry>, ReleaseError> {
    let (mut entries, mut unusable) = (Vec::new(), Vec::new());
    for gold in &inputs.gold {
        match gold::read_gold(gold.task, &gold.input, config.split_field.as_deref(), told) {
            Ok(more) => entries.extend(more),
            Err(ReleaseError::Records(defects)) => unusable.extend(defects),
            Err(other) => return Err(other),
        }
    }
    if unusable.is_empty() { Ok(entries) } else { Err(ReleaseError::Records(unusable)) }
}

/// The tasks of gold, in the order of the years.
fn tasks_of(gold: &[Entry]) -> Vec<&'static dyn Task> {
    crate::tasks::all().filter(|task| gold.iter().any(|entry| entry.task.id() == task.id())).collect()
}

/// Entries first, then the items of the version before and those that earlier versions retired: they hold their groups in their splits even where they are gone.
fn members<'m>(
    entries: &'m [Entry],
    asked: &[Option<usize>],
    kept: &[Option<usize>],
    before: Option<&'m revise::Before>,
) -> Vec<Member<'m>> {
    let tie = |item: &revise::BeforeItem| Some(format!("group {}", item.group));
    let old_items = before.map_or(&[][..], |before| &before.items);
    let new = entries.iter().zip(asked).zip(kept).map(|((entry, split), kept)| Member {
        texts: entry.item.texts.each(),
        origin: entry.origin.as_deref(),
        tie: kept.and_then(|at| old_items.get(at)).and_then(tie),
        split: *split,
        place: entry.place.clone(),
    });
    let old = old_items.iter().map(|item| Member {
        texts: item.item.texts.each(),
        origin: item.origin.as_deref(),
        tie: tie(item),
        split: Some(item.split),
        place: item.place.clone(),
    });
    let retired = before.map_or(&[][..], |before| &before.retired).iter().map(|item| Member {
        texts: item.texts.iter().map(String::as_str).collect(),
        origin: item.origin.as_deref(),
        tie: None,
        split: before.and_then(|before| before.split_of(&item.split)),
        place: Place { file: "retired.jsonl".into(), line: 0, qid: item.qid.clone() },
    });
    new.chain(old).chain(retired).collect()
}

/// What each group brings into a split, by class.
fn loads(entries: &[Entry], groups: &group::Groups) -> Vec<split::Load> {
    let mut loads: Vec<split::Load> =
        groups.split.iter().map(|fixed| split::Load { fixed: *fixed, ..split::Load::default() }).collect();
    let mut numbers: std::collections::BTreeMap<[String; 3], usize> = std::collections::BTreeMap::new();
    for (entry, group) in entries.iter().zip(&groups.of) {
        let load = &mut loads[*group as usize];
        load.size += 1;
        for class in classes(entry) {
            let next = numbers.len();
            let number = *numbers.entry(class).or_insert(next);
            match load.classes.iter_mut().find(|(known, _)| *known == number) {
                Some((_, count)) => *count += 1.0,
                None => load.classes.push((number, 1.0)),
            }
        }
    }
    loads
}

/// The classes of an entry, from the whole release to task, genre and label together. `*` stands for any.
fn classes(entry: &Entry) -> [[String; 3]; 5] {
    let (task, label) = (entry.task.id().to_owned(), pack::label(entry));
    let genre = entry.genre.clone().map(|genre| genre.to_string()).unwrap_or_default();
    let any = || "*".to_owned();
    [
        [any(), any(), any()],
        [task.clone(), any(), any()],
        [task.clone(), genre.clone(), any()],
        [task.clone(), any(), label.clone()],
        [task, genre, label],
    ]
}
