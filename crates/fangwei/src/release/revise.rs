//! A revision: what was released keeps its split and its number, and every score that no longer means the same is named.
//!
//! Items are known again by their working id or, where that changed, by their text. An item whose text or answer changed keeps its identifier: it is the
//! same item, corrected. Numbers of removed items are not given again.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{Entry, Manifest, Place, Plan, ReleaseError, verify};
use crate::convert::OutFile;
use crate::lang::{Lang, Say};
use crate::page::Page;
use crate::record::Source;
use crate::table::{Cell, Table};
use crate::task::{Item, Texts};

/// A line of `trace.jsonl`: what became of a working item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Trace {
    pub task: String,
    pub split: String,
    pub qid: SmolStr,
    pub id: SmolStr,
    pub origin: Option<SmolStr>,
    pub genre: Option<SmolStr>,
    pub group: u32,
    #[serde(default)]
    pub replaced: Vec<super::Replaced>,
}

/// A line of `retired.jsonl`: an item that was released once and is gone. Its siblings still belong into its split, and its number is not given again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Retired {
    pub task: String,
    pub split: String,
    pub qid: SmolStr,
    pub id: SmolStr,
    pub origin: Option<SmolStr>,
    pub texts: Vec<String>,
}

/// An item of the version before.
pub(crate) struct BeforeItem {
    pub task: String,
    pub item: Item,
    pub id: SmolStr,
    pub origin: Option<SmolStr>,
    pub group: u32,
    pub split: usize,
    pub place: Place,
}

/// The version before.
pub(crate) struct Before {
    pub manifest: Manifest,
    pub manifest_sha256: String,
    pub items: Vec<BeforeItem>,
    /// What versions before that one had and it had not.
    pub retired: Vec<Retired>,
    splits: Vec<String>,
}

fn broken(why: impl std::fmt::Display) -> ReleaseError {
    ReleaseError::Previous(Say::new(format!("上一版不能使用：{why}"), format!("the version before cannot be used: {why}")))
}

/// A split of the version before that this release does not have.
fn lost_split(split: &str, splits: &[String]) -> ReleaseError {
    let here = splits.join(" ");
    ReleaseError::Previous(Say::new(
        format!("上一版有集合 {split}，这一版只有 {here}；份额或集合名应与上一版相同"),
        format!(
            "the version before has the split {split}, this one only {here}; shares or names of splits should be those of the version before"
        ),
    ))
}

impl Before {
    /// Reads a released folder. It must be whole, and its splits must be among `splits`.
    pub fn read(files: &[OutFile], splits: &[String]) -> Result<Before, ReleaseError> {
        if let Some(problem) = verify(files, false).into_iter().next() {
            let (zh, en) = (problem.say(Lang::Zh), problem.say(Lang::En));
            return Err(ReleaseError::Previous(Say::new(
                format!("上一版不能使用：{zh}"),
                format!("the version before cannot be used: {en}"),
            )));
        }
        let file = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.bytes.as_slice());
        let manifest_bytes = file("manifest.json").unwrap_or_default();
        let manifest: Manifest = serde_json::from_slice(manifest_bytes).map_err(broken)?;
        let trace = std::str::from_utf8(file("trace.jsonl").unwrap_or_default()).map_err(broken)?;
        let mut traced: FxHashMap<(String, SmolStr), Trace> = FxHashMap::default();
        for line in trace.lines() {
            let line: Trace = serde_json::from_str(line).map_err(broken)?;
            traced.insert((line.task.clone(), line.qid.clone()), line);
        }
        let mut items = Vec::new();
        for known in &manifest.files {
            let Some((task, split)) = super::pack::task_and_split(&known.path, "answers") else { continue };
            let Some(split) = splits.iter().position(|name| name == split) else {
                return Err(lost_split(split, splits));
            };
            let source = Source::from_bytes(&known.path, file(&known.path).unwrap_or_default()).map_err(broken)?;
            let (read, _) = crate::score::read_items(task, source, true).map_err(broken)?;
            for (number, item) in read.into_iter().enumerate() {
                let Some(trace) = traced.remove(&(task.id().to_owned(), item.qid.clone())) else {
                    return Err(broken(format!("trace.jsonl: {} {}", task.id(), item.qid)));
                };
                let place = Place { file: known.path.as_str().into(), line: number as u64 + 1, qid: item.qid.clone() };
                let Trace { id, origin, group, .. } = trace;
                items.push(BeforeItem { task: task.id().to_owned(), item, id, origin, group, split, place });
            }
        }
        let gone = std::str::from_utf8(file("retired.jsonl").unwrap_or_default()).map_err(broken)?;
        let retired: Vec<Retired> = gone.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(broken)?;
        if let Some(lost) = retired.iter().find(|item| !splits.contains(&item.split)) {
            return Err(lost_split(&lost.split, splits));
        }
        let splits = splits.to_vec();
        Ok(Before { retired, splits, manifest, manifest_sha256: super::pack::sha256(manifest_bytes), items })
    }

    /// The number of a split.
    pub fn split_of(&self, name: &str) -> Option<usize> {
        self.splits.iter().position(|split| split == name)
    }

    /// What is gone after this version: what was gone already, and the items that no entry is.
    pub fn retire(&self, kept: &[Option<usize>]) -> Vec<Retired> {
        let stay: rustc_hash::FxHashSet<usize> = kept.iter().flatten().copied().collect();
        let gone = self.items.iter().enumerate().filter(|(number, _)| !stay.contains(number)).map(|(_, item)| Retired {
            task: item.task.clone(),
            split: self.splits[item.split].clone(),
            qid: item.item.qid.clone(),
            id: item.id.clone(),
            origin: item.origin.clone(),
            texts: item.item.texts.each().into_iter().map(str::to_owned).collect(),
        });
        self.retired.iter().cloned().chain(gone).collect()
    }

    /// For each entry the number of the item that it was: of the same id or, among the rest, of the same texts.
    pub fn matches(&self, entries: &[Entry]) -> Vec<Option<usize>> {
        let by_id: FxHashMap<(&str, &str), usize> =
            self.items.iter().enumerate().map(|(number, item)| ((item.task.as_str(), item.id.as_str()), number)).collect();
        let mut found: Vec<Option<usize>> =
            entries.iter().map(|entry| by_id.get(&(entry.task.id(), entry.item.qid.as_str())).copied()).collect();
        let taken: rustc_hash::FxHashSet<usize> = found.iter().flatten().copied().collect();
        let mut by_text: FxHashMap<(&str, String), Vec<usize>> = FxHashMap::default();
        for (number, item) in self.items.iter().enumerate().rev().filter(|(number, _)| !taken.contains(number)) {
            by_text.entry((&item.task, texts_key(&item.item.texts))).or_default().push(number);
        }
        for (entry, found) in entries.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = by_text.get_mut(&(entry.task.id(), texts_key(&entry.item.texts))).and_then(Vec::pop);
        }
        found
    }
}

fn texts_key(texts: &Texts) -> String {
    let fields = texts.write().into_iter().map(|(_, value)| value.to_line());
    fields.collect::<Vec<_>>().join("\n")
}

/// An item that is not as it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// Its identifier, which stays.
    pub qid: SmolStr,
    /// Whether its text is another.
    pub text: bool,
    /// Whether its answer is another.
    pub answer: bool,
}

/// What scores on the version before are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Items and answers are as they were.
    Valid,
    /// They are not: score again.
    Stale,
    /// There was no such file.
    New,
    /// There is no such file any more.
    Gone,
}

/// What changed in one task and split.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TaskChanges {
    /// The task.
    pub task: String,
    /// The split.
    pub split: String,
    /// What scores are worth.
    pub scores: Standing,
    /// How many items are as they were.
    pub kept: u64,
    /// Items that were not there.
    pub added: Vec<SmolStr>,
    /// Items that are not there any more.
    pub removed: Vec<SmolStr>,
    /// Items with another text or answer.
    pub changed: Vec<Changed>,
}

/// From one version to the next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changes {
    /// The version before.
    pub from: String,
    /// This version.
    pub to: String,
    /// By task and split.
    pub tasks: Vec<TaskChanges>,
}

/// Compares a release with the version before.
pub(crate) fn changes(before: &Before, plan: &Plan<'_>) -> Changes {
    let mut tasks: Vec<String> = plan.tasks.iter().map(|task| task.id().to_owned()).collect();
    for item in &before.items {
        if !tasks.contains(&item.task) {
            tasks.push(item.task.clone());
        }
    }
    let mut list = Vec::new();
    for task in &tasks {
        for (number, split) in plan.splits.iter().enumerate() {
            let old: FxHashMap<&SmolStr, &Item> = before
                .items
                .iter()
                .filter(|item| item.task == *task && item.split == number)
                .map(|item| (&item.item.qid, &item.item))
                .collect();
            let new: Vec<_> = plan.of(task).filter(|placed| placed.split == number).collect();
            if old.is_empty() && new.is_empty() {
                continue;
            }
            let mut one = TaskChanges {
                task: task.clone(),
                split: split.clone(),
                scores: Standing::Valid,
                kept: 0,
                added: Vec::new(),
                removed: Vec::new(),
                changed: Vec::new(),
            };
            let mut seen = rustc_hash::FxHashSet::default();
            for placed in &new {
                seen.insert(&placed.qid);
                let Some(item) = old.get(&placed.qid) else {
                    one.added.push(placed.qid.clone());
                    continue;
                };
                let text = item.texts != placed.entry.item.texts;
                let answer = item.gold != placed.entry.item.gold || item.corefs != placed.entry.item.corefs;
                if text || answer {
                    one.changed.push(Changed { qid: placed.qid.clone(), text, answer });
                } else {
                    one.kept += 1;
                }
            }
            let old_order = before.items.iter().filter(|item| item.task == *task && item.split == number);
            one.removed = old_order.map(|item| item.item.qid.clone()).filter(|qid| !seen.contains(qid)).collect();
            let same = one.added.is_empty() && one.removed.is_empty() && one.changed.is_empty();
            one.scores = match (old.is_empty(), new.is_empty()) {
                (true, _) => Standing::New,
                (_, true) => Standing::Gone,
                _ if same => Standing::Valid,
                _ => Standing::Stale,
            };
            list.push(one);
        }
    }
    let name = |manifest: &Manifest| format!("{} {}", manifest.name, manifest.version);
    Changes { from: name(&before.manifest), to: format!("{} {}", plan.config.name, plan.config.version), tasks: list }
}

impl Changes {
    /// The changes for people.
    pub fn page(&self, lang: Lang) -> Page {
        let mut page = Page::new(lang, format!("{} → {}", self.from, self.to));
        page.heading(lang.say("哪些分数还有效", "Which scores still hold"));
        let head = [
            lang.say("任务", "task"),
            lang.say("集合", "split"),
            lang.say("旧分数", "old scores"),
            lang.say("未变", "kept"),
            lang.say("新增", "added"),
            lang.say("删去", "removed"),
            lang.say("改动", "changed"),
        ];
        let mut table = Table::new(head);
        for one in &self.tasks {
            let standing = match one.scores {
                Standing::Valid => lang.say("有效", "valid"),
                Standing::Stale => lang.say("失效，须重新评分", "stale: score again"),
                Standing::New => lang.say("新的集合", "no such file before"),
                Standing::Gone => lang.say("已撤下", "withdrawn"),
            };
            let count = |length: usize| Cell::Count(length as u64);
            let words = [one.task.as_str(), one.split.as_str(), standing].map(Cell::from);
            let counts = [Cell::Count(one.kept), count(one.added.len()), count(one.removed.len()), count(one.changed.len())];
            table.row(words.into_iter().chain(counts));
        }
        page.table(table);
        for one in self.tasks.iter().filter(|one| one.scores == Standing::Stale) {
            page.heading(format!("{} {}", one.task, one.split));
            let changed = |what: fn(&Changed) -> bool| -> Vec<SmolStr> {
                one.changed.iter().filter(|item| what(item)).map(|item| item.qid.clone()).collect()
            };
            for (title, qids) in [
                (lang.say("新增", "added"), one.added.clone()),
                (lang.say("删去", "removed"), one.removed.clone()),
                (lang.say("文本改动", "other text"), changed(|item| item.text)),
                (lang.say("答案改动", "other answer"), changed(|item| item.answer)),
            ] {
                if !qids.is_empty() {
                    page.paragraph(format!("{title} ({}): {}", qids.len(), qids.join(" ")));
                }
            }
        }
        page
    }
}
