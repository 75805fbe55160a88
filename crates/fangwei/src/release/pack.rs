//! The files of a release: inputs without answers, answers apart, the trace back to the working items, and a manifest with the hash of each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smol_str::{SmolStr, format_smolstr};

use super::order::apart;
use super::revise::{Before, Changes, Trace};
use super::{Entry, Inputs, Placed, Plan, ReleaseError, datasheet};
use crate::answer::{Answer, Verdict};
use crate::chance::Dice;
use crate::convert::OutFile;
use crate::convert::read::{array, lines};
use crate::lang::Lang;
use crate::page::Format;
use crate::record::Json;
use crate::task::{Item, Numbering, Task, write_item};

/// A file that was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputHash {
    /// Its name without its folder: the same data elsewhere give the same manifest.
    pub file: String,
    /// `gold`, `candidates` or `agreement`.
    pub role: String,
    /// Its length.
    pub bytes: u64,
    /// Its hash.
    pub sha256: String,
}

/// A file of the release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileHash {
    /// Its path in the folder.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// How many records it has, where it has records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Its hash.
    pub sha256: String,
    /// Whether outsiders may have it.
    pub public: bool,
}

/// The version that a release follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Follows {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The hash of its manifest.
    pub manifest_sha256: String,
}

/// `manifest.json`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// What the set is called.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its date, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The first line of the licence.
    pub licence: String,
    /// What made it, with its version.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// `7:1:2`; `given` where records told their splits.
    pub shares: String,
    /// The names of the splits.
    pub splits: Vec<String>,
    /// The tasks.
    pub tasks: Vec<String>,
    /// The version before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Follows>,
    /// What it was made of.
    pub inputs: Vec<InputHash>,
    /// What it consists of, besides the manifest.
    pub files: Vec<FileHash>,
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The label by which an item is sorted into classes: what the task asks for, roughly.
pub(crate) fn label(entry: &Entry) -> String {
    let (task, item) = (entry.task, &entry.item);
    let facet = |name: &str| task.facet(name, item).map(|classes| classes.join("&")).unwrap_or_default();
    let word = |verdict: Verdict| verdict.value().map_or("?", |value| if value { "true" } else { "false" });
    match &item.gold {
        Some(Answer::Verdict(verdict)) => [facet("type").as_str(), word(*verdict)].join(" ").trim().to_owned(),
        // What a reason is worth is not asked where the text is normal.
        Some(Answer::Joint(first, _)) if first.value() == Some(true) => "true".to_owned(),
        Some(Answer::Joint(first, second)) => format!("{} {} {}", facet("type"), word(*first), word(*second)),
        Some(Answer::Reasons(_)) => facet("type"),
        Some(Answer::Candidates(_)) => facet("fragments"),
        Some(Answer::Slots(tuples)) => tuple_label(tuples.len()),
        Some(Answer::Tuples(tuples)) => tuple_label(tuples.len()),
        Some(Answer::Scene(scene)) => word(scene.judge).to_owned(),
        Some(Answer::DraftReason(reason)) => reason.kind.to_string(),
        Some(Answer::Graph(_)) | None => String::new(),
    }
}

/// Role items by their number of tuples, in three classes of about equal weight.
fn tuple_label(tuples: usize) -> String {
    match tuples {
        0..=3 => "1-3",
        4..=6 => "4-6",
        _ => "7+",
    }
    .to_owned()
}

fn last_number(qid: &str) -> u64 {
    qid.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Gives every entry its official identifier and puts all in the order of task, split and number.
pub(crate) fn number(
    entries: Vec<Entry>,
    group_of: &[u32],
    split_of: &[usize],
    kept: &[Option<usize>],
    before: Option<&Before>,
    (tasks, splits): (&[&'static dyn Task], &[String]),
    seed: u64,
) -> Vec<Placed> {
    let old = |number: usize| kept[number].and_then(|at| before?.items.get(at));
    let split_of = |number: usize| split_of[group_of[number] as usize];
    let mut qids: Vec<SmolStr> =
        (0..entries.len()).map(|at| old(at).map(|item| item.item.qid.clone()).unwrap_or_default()).collect();
    for (task_number, task) in tasks.iter().enumerate() {
        let per_file = task.form().numbering == Numbering::PerFile;
        // The last number given: in the file, or in all files of the task.
        let mut last: BTreeMap<usize, u64> = BTreeMap::new();
        for item in before.iter().flat_map(|before| &before.items).filter(|item| item.task == task.id()) {
            let last = last.entry(if per_file { item.split } else { 0 }).or_default();
            *last = (*last).max(last_number(&item.item.qid));
        }
        for item in before.iter().flat_map(|before| &before.retired).filter(|item| item.task == task.id()) {
            let split = before.and_then(|before| before.split_of(&item.split)).unwrap_or(0);
            let last = last.entry(if per_file { split } else { 0 }).or_default();
            *last = (*last).max(last_number(&item.qid));
        }
        for (split_number, split) in splits.iter().enumerate() {
            let mine = |at: &usize| entries[*at].task.id() == task.id() && split_of(*at) == split_number && qids[*at].is_empty();
            let fresh: Vec<usize> = (0..entries.len()).filter(mine).collect();
            let mut dice = Dice::new(seed, 1 + (task_number * splits.len() + split_number) as u64);
            let last = last.entry(if per_file { split_number } else { 0 }).or_default();
            for at in apart(&fresh, |at| group_of[at], &mut dice) {
                *last += 1;
                qids[at] = match task.form().numbering {
                    Numbering::WithoutSplit => format_smolstr!("{}-{last}", task.number()),
                    Numbering::RunsOn | Numbering::PerFile => format_smolstr!("{}-{split}-{last}", task.number()),
                };
            }
        }
    }
    let rank = |placed: &Placed| {
        let task = tasks.iter().position(|task| task.id() == placed.entry.task.id());
        (task, placed.split, last_number(&placed.qid))
    };
    let place = |(at, entry): (usize, Entry)| Placed { entry, split: split_of(at), group: group_of[at], qid: qids[at].clone() };
    let mut items: Vec<Placed> = entries.into_iter().enumerate().map(place).collect();
    items.sort_by_key(rank);
    items
}

/// The path of a file of items, and the way back.
fn path(folder: &str, task: &dyn Task, split: &str) -> String {
    format!("{folder}/{}/{split}.{}", task.id(), if task.form().array { "json" } else { "jsonl" })
}

/// The task and the split of a path in `folder`.
pub(crate) fn task_and_split<'p>(path: &'p str, folder: &str) -> Option<(&'static dyn Task, &'p str)> {
    let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
    let (task, file) = rest.rsplit_once('/')?;
    Some((crate::tasks::find(task).ok()?, file.split_once('.')?.0))
}

/// Files on their way into the manifest.
#[derive(Default)]
struct Shelf {
    files: Vec<OutFile>,
    hashes: Vec<FileHash>,
}

impl Shelf {
    fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>, records: Option<usize>, public: bool) {
        let (path, bytes) = (path.into(), bytes.into());
        let records = records.map(|count| count as u64);
        let (length, sha256) = (bytes.len() as u64, sha256(&bytes));
        self.hashes.push(FileHash { path: path.clone(), bytes: length, records, sha256, public });
        self.files.push(OutFile { path, bytes });
    }
}

/// All files, and the manifest that lists them.
pub(crate) fn write(
    plan: &Plan<'_>,
    inputs: &Inputs,
    before: Option<&Before>,
    changes: Option<&Changes>,
    lang: Lang,
) -> Result<(Vec<OutFile>, Manifest), ReleaseError> {
    let mut shelf = Shelf::default();
    for (folder, answers) in [("inputs", false), ("answers", true)] {
        for task in &plan.tasks {
            for (number, split) in plan.splits.iter().enumerate() {
                let items = plan.of(task.id()).filter(|placed| placed.split == number);
                let records: Vec<Json<'static>> = items.map(|placed| record(*task, placed, answers)).collect();
                if !records.is_empty() {
                    let bytes = if task.form().array { array(&records) } else { lines(&records) };
                    let public = !answers || plan.is_public(number);
                    shelf.add(path(folder, *task, split), bytes, Some(records.len()), public);
                }
            }
        }
    }
    let mut trace = String::new();
    for placed in &plan.items {
        // A trace of strings and numbers can always be written.
        trace.push_str(&serde_json::to_string(&trace_of(plan, placed)).unwrap_or_default());
        trace.push('\n');
    }
    shelf.add("trace.jsonl", trace, Some(plan.items.len()), false);
    if !plan.retired.is_empty() {
        let lines = plan.retired.iter().map(|item| serde_json::to_string(item).unwrap_or_default() + "\n");
        shelf.add("retired.jsonl", lines.collect::<String>(), Some(plan.retired.len()), false);
    }
    shelf.add("LICENSE.md", format!("{}\n", inputs.licence.trim_end()), None, true);
    if let Some(changes) = changes {
        let json = serde_json::to_string_pretty(changes).unwrap_or_default();
        shelf.add("CHANGES.md", changes.page(lang).render(Format::Markdown), None, true);
        shelf.add("changes.json", json + "\n", None, true);
    }
    let page = datasheet::page(plan, inputs, lang)?;
    shelf.add("README.md", page.render(Format::Markdown), None, true);
    shelf.add("datasheet.html", page.render(Format::Html), None, true);
    let manifest = manifest(plan, inputs, before, shelf.hashes);
    let json = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    shelf.files.push(OutFile { path: "manifest.json".to_owned(), bytes: (json + "\n").into_bytes() });
    Ok((shelf.files, manifest))
}

fn record(task: &dyn Task, placed: &Placed, answers: bool) -> Json<'static> {
    let mut item = Item { qid: placed.qid.clone(), extra: Vec::new(), ..placed.entry.item.clone() };
    if !answers {
        (item.gold, item.corefs) = (None, None);
    }
    write_item(task, &item)
}

fn trace_of(plan: &Plan<'_>, placed: &Placed) -> Trace {
    let Placed { entry, split, group, qid } = placed;
    Trace {
        task: entry.task.id().to_owned(),
        split: plan.splits[*split].clone(),
        qid: qid.clone(),
        id: entry.item.qid.clone(),
        origin: entry.origin.clone(),
        genre: entry.genre.clone(),
        group: *group,
        replaced: entry.replaced.clone(),
    }
}

fn manifest(plan: &Plan<'_>, inputs: &Inputs, before: Option<&Before>, files: Vec<FileHash>) -> Manifest {
    let config = plan.config;
    let hash = |role: &str, input: &super::Input| InputHash {
        file: input.name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        role: role.to_owned(),
        bytes: input.bytes.len() as u64,
        sha256: sha256(&input.bytes),
    };
    let gold = inputs.gold.iter().map(|gold| hash("gold", &gold.input));
    let candidates = inputs.candidates.iter().map(|input| hash("candidates", input));
    let agreement = inputs.agreement.iter().map(|input| hash("agreement", input));
    Manifest {
        name: config.name.clone(),
        version: config.version.clone(),
        date: config.date.clone(),
        licence: inputs.licence.trim().lines().next().unwrap_or_default().trim_start_matches(['#', ' ']).to_owned(),
        tool: concat!("fangwei ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed: config.seed,
        shares: if plan.explicit { "given".to_owned() } else { config.shares.to_string() },
        splits: plan.splits.clone(),
        tasks: plan.tasks.iter().map(|task| task.id().to_owned()).collect(),
        previous: before.map(|before| Follows {
            name: before.manifest.name.clone(),
            version: before.manifest.version.clone(),
            manifest_sha256: before.manifest_sha256.clone(),
        }),
        inputs: gold.chain(candidates).chain(agreement).collect(),
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_known_one() {
        // The first test vector of FIPS 180-2.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn paths_tell_task_and_split() {
        for task in crate::tasks::all() {
            let path = path("answers", task, "dev");
            let found = task_and_split(&path, "answers").map(|(task, split)| (task.id(), split));
            assert_eq!(found, Some((task.id(), "dev")), "{path}");
        }
        assert!(task_and_split("README.md", "answers").is_none());
    }
}
