//! Gold as it comes from people: files of any task, candidates that say where a text came from, and one entry for what stands in several files.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{Clash, Input, Place, ReleaseError};
use crate::lang::{Say, Unknown, words};
use crate::record::{Check, Code, Defect, Json, Severity, Source, read_all};
use crate::score::each_record;
use crate::task::{Item, Task, Texts, read_item};

/// A word that was put in the place of another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Replaced {
    /// The number of the character at which it stands.
    pub at: u32,
    /// The word of the original.
    pub from: SmolStr,
    /// The word that stands there.
    pub to: SmolStr,
    /// The class of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<SmolStr>,
}

/// An item on its way into a release.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The task that it is released for.
    pub task: &'static dyn Task,
    /// The item with its gold; its qid is the working id.
    pub item: Item,
    /// Where it stood.
    pub place: Place,
    /// The sentence that it was made from, by name.
    pub origin: Option<SmolStr>,
    /// What kind of text it is.
    pub genre: Option<SmolStr>,
    /// The words that were replaced in it.
    pub replaced: Vec<Replaced>,
    /// The split that its record asks for.
    pub split: Option<SmolStr>,
}

/// A candidate, as `fangwei substitute` writes it; other fields are left alone.
#[derive(Deserialize)]
struct Candidate {
    id: SmolStr,
    origin: Option<SmolStr>,
    genre: Option<SmolStr>,
    context: SmolStr,
    #[serde(default)]
    replaced: Vec<Replaced>,
}

/// Reads a file of gold. What breaks a rule of the task without making the record unusable is added to `told`.
pub fn read_gold(
    task: Option<&'static dyn Task>,
    input: &Input,
    split_field: Option<&str>,
    told: &mut Vec<Defect>,
) -> Result<Vec<Entry>, ReleaseError> {
    let (records, file_defects) = read_all(input.source()?)?;
    let head: Vec<Json<'_>> = records.iter().take(200).map(|(_, record)| record.clone()).collect();
    let mut unusable: Vec<Defect> = Vec::new();
    sort_out(file_defects, &mut unusable, told);
    let Some(task) = task.or_else(|| crate::tasks::recognise(&head)) else {
        return Err(if unusable.is_empty() { ReleaseError::NoTask(input.name.clone()) } else { ReleaseError::Records(unusable) });
    };
    let file: Arc<str> = input.name.as_str().into();
    let mut entries = Vec::with_capacity(records.len());
    for (line, record) in &records {
        let mut check = Check::new(file.clone(), *line);
        for item in each_record(task, record, &mut check, |record, check| read_item(task, record, true, check)) {
            let whole = check.errors() == 0;
            if let (Some(item), true) = (item, whole) {
                if let Some(gold) = &item.gold {
                    task.check_answer(gold, Some(&item.texts), &mut check);
                }
                told.extend(check.defects.drain(..).filter(|defect| !defect.code.is_for_submissions()));
                entries.push(entry(task, item, Place { file: file.clone(), line: *line, qid: SmolStr::default() }, split_field));
            }
        }
        unusable.append(&mut check.defects);
    }
    if unusable.is_empty() { Ok(entries) } else { Err(ReleaseError::Records(unusable)) }
}

fn sort_out(defects: Vec<Defect>, unusable: &mut Vec<Defect>, told: &mut Vec<Defect>) {
    for defect in defects {
        if defect.severity() == Severity::Error { unusable.push(defect) } else { told.push(defect) }
    }
}

/// An entry from an item; the fields that say where it came from leave the record.
fn entry(task: &'static dyn Task, mut item: Item, mut place: Place, split_field: Option<&str>) -> Entry {
    let extra = std::mem::take(&mut item.extra);
    let field = |name: &str| extra.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let word = |name: &str| field(name).filter(|value| **value != Json::Null).map(word);
    place.qid = item.qid.clone();
    let replaced = field("replaced").and_then(|value| serde_json::from_str(&value.to_line()).ok()).unwrap_or_default();
    let (origin, genre, split) = (word("origin"), word("genre"), word(split_field.unwrap_or("split")));
    // The sentence that a reason of 2021 is about: its candidate is looked up under that name.
    item.extra = extra.iter().filter(|(key, _)| key == "item").cloned().collect();
    Entry { task, item, place, origin, genre, replaced, split }
}

fn word(value: &Json<'_>) -> SmolStr {
    value.as_str().map_or_else(|| value.to_line().into(), SmolStr::new)
}

/// Gives entries what their candidates know. A text that is not its candidate's is a clash. Returns the names of entries that are no candidates and name no
/// origin either, where candidates were given at all.
pub fn join_candidates(entries: &mut [Entry], inputs: &[Input]) -> Result<Vec<SmolStr>, ReleaseError> {
    let mut known: FxHashMap<SmolStr, (Candidate, Place)> = FxHashMap::default();
    let (mut defects, mut clashes) = (Vec::new(), Vec::new());
    for input in inputs {
        let (records, file_defects) = read_all(input.source()?)?;
        defects.extend(file_defects.into_iter().filter(|defect| defect.severity() == Severity::Error));
        for (line, record) in records {
            let file: Arc<str> = input.name.as_str().into();
            match serde_json::from_str::<Candidate>(&record.to_line()) {
                Ok(candidate) => {
                    let place = Place { file, line, qid: candidate.id.clone() };
                    let before = known.get(&candidate.id).filter(|(before, _)| before.context != candidate.context);
                    if let Some((_, other)) = before {
                        let what = Say::new("同一候选编号有两段文本", "two texts under one id");
                        clashes.push(Clash { what, one: other.clone(), other: place });
                    } else {
                        known.insert(candidate.id.clone(), (candidate, place));
                    }
                }
                Err(error) => {
                    let mut check = Check::new(file, line);
                    let expected = Say::new(
                        "候选：id、context，可有 origin、genre、replaced",
                        "a candidate: id, context, and origin, genre, replaced",
                    );
                    check.add(Code::BadType, expected, error.to_string());
                    defects.append(&mut check.defects);
                }
            }
        }
    }
    if !defects.is_empty() {
        return Err(ReleaseError::Records(defects));
    }
    let mut strangers = Vec::new();
    for entry in entries.iter_mut() {
        let named = entry.item.extra.iter().find(|(key, _)| key == "item").map(|(_, value)| word(value));
        let found = known.get(&entry.item.qid).or_else(|| named.as_ref().and_then(|name| known.get(name)));
        let Some((candidate, place)) = found else {
            if entry.origin.is_none() && !inputs.is_empty() {
                strangers.push(entry.item.qid.clone());
            }
            continue;
        };
        let same = match &entry.item.texts {
            Texts::Pair { context1, context2 } => candidate.context == *context1 || candidate.context == *context2,
            one => candidate.context == one.context(),
        };
        if !same {
            let what = Say::new("文本与候选不同", "the text is not its candidate's");
            clashes.push(Clash { what, one: entry.place.clone(), other: place.clone() });
            continue;
        }
        entry.origin = candidate.origin.clone().or(entry.origin.take());
        entry.genre = candidate.genre.clone().or(entry.genre.take());
        if !candidate.replaced.is_empty() {
            entry.replaced.clone_from(&candidate.replaced);
        }
    }
    if clashes.is_empty() { Ok(strangers) } else { Err(ReleaseError::Clashes(clashes)) }
}

/// The entries of the tasks to release: gold of the task itself or, where there is none, all gold that converts to it.
pub fn make_targets(gold: &[Entry], to: &[&'static dyn Task]) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    for task in to {
        let own: Vec<&Entry> = gold.iter().filter(|entry| entry.task.id() == task.id()).collect();
        if !own.is_empty() {
            entries.extend(own.into_iter().cloned());
            continue;
        }
        let mut sources: Vec<&'static dyn Task> = Vec::new();
        for entry in gold {
            if sources.iter().all(|known| known.id() != entry.task.id()) {
                sources.push(entry.task);
            }
        }
        let ways: Vec<_> = sources.iter().filter_map(|from| crate::convert::find(from.id(), task.id()).ok()).collect();
        if ways.is_empty() {
            let known = sources.iter().flat_map(|from| {
                let to_task = crate::convert::CONVERSIONS.iter().filter(|way| way.from == from.id());
                std::iter::once(from.id()).chain(to_task.map(|way| way.to).filter(|to| crate::tasks::find(to).is_ok()))
            });
            let what = words("这些答案做不出这个任务", "the gold at hand cannot be made into");
            return Err(ReleaseError::Unknown(Unknown::new(what, task.id(), known)));
        }
        for way in ways {
            let from: Vec<&Entry> = gold.iter().filter(|entry| entry.task.id() == way.from).collect();
            entries.extend(convert(way, &from, *task)?);
        }
    }
    Ok(entries)
}

/// Entries through a conversion. Identifiers become numbers meanwhile, by which each finds its place again.
fn convert(way: &crate::convert::Conversion, from: &[&Entry], to: &'static dyn Task) -> Result<Vec<Entry>, ReleaseError> {
    let numbered = from.iter().enumerate().map(|(number, entry)| {
        let item = Item { qid: number.to_string().into(), extra: Vec::new(), ..entry.item.clone() };
        crate::task::write_item(entry.task, &item)
    });
    let numbered: Vec<_> = numbered.collect();
    let read_error = |error| crate::record::ReadError { file: way.from.into(), error };
    let source = Source::from_bytes(way.from, crate::convert::read::lines(&numbered)).map_err(read_error)?;
    let converted = way.run(vec![source], &crate::convert::Options::default())?;
    let errors: Vec<Defect> = converted.defects.into_iter().filter(|defect| defect.severity() == Severity::Error).collect();
    if !errors.is_empty() {
        let placed = errors.into_iter().map(|mut defect| {
            if let Some(entry) = defect.line.checked_sub(1).and_then(|line| from.get(line as usize)) {
                defect.file = entry.place.file.clone();
                defect.line = entry.place.line;
                defect.qid = Some(entry.place.qid.clone());
            }
            defect
        });
        return Err(ReleaseError::Records(placed.collect()));
    }
    let mut entries = Vec::with_capacity(from.len());
    for file in converted.files {
        let source = Source::from_bytes(&file.path, file.bytes).map_err(read_error)?;
        // What a conversion wrote is read by its task; an item that is not would be missing, and is told.
        let (items, defects) = crate::score::read_items(to, source, true)?;
        if defects.iter().any(|defect| defect.severity() == Severity::Error && !defect.code.is_for_submissions()) {
            return Err(ReleaseError::Records(defects));
        }
        for mut item in items {
            let Some(entry) = item.qid.parse().ok().and_then(|number: usize| from.get(number)) else { continue };
            item.qid = entry.item.qid.clone();
            item.extra.clone_from(&entry.item.extra);
            entries.push(Entry { task: to, item, ..(*entry).clone() });
        }
    }
    Ok(entries)
}

/// One entry a task and identifier: equal ones are joined, unequal ones are a clash. Sorted, so that the order of files and lines does not matter.
pub fn join_equal(mut entries: Vec<Entry>, to: &[&'static dyn Task]) -> Result<Vec<Entry>, ReleaseError> {
    let rank = |entry: &Entry| to.iter().position(|task| task.id() == entry.task.id());
    entries.sort_by(|a, b| (rank(a), &a.item.qid).cmp(&(rank(b), &b.item.qid)));
    let mut joined: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut clashes = Vec::new();
    for entry in entries {
        match joined.last_mut().filter(|last| last.task.id() == entry.task.id() && last.item.qid == entry.item.qid) {
            None => joined.push(entry),
            Some(last) if last.item.texts != entry.item.texts => {
                let what = Say::new("同一编号有两段文本", "two texts under one id");
                clashes.push(Clash { what, one: last.place.clone(), other: entry.place });
            }
            Some(last) if last.item.gold != entry.item.gold || last.item.corefs != entry.item.corefs => {
                let what = Say::new("同一编号有两个答案", "two answers under one id");
                clashes.push(Clash { what, one: last.place.clone(), other: entry.place });
            }
            Some(last) => {
                last.origin = last.origin.take().or(entry.origin);
                last.genre = last.genre.take().or(entry.genre);
                last.split = last.split.take().or(entry.split);
                if last.replaced.is_empty() {
                    last.replaced = entry.replaced;
                }
            }
        }
    }
    if clashes.is_empty() { Ok(joined) } else { Err(ReleaseError::Clashes(clashes)) }
}
