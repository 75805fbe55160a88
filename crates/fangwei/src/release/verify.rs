//! Is a released folder what its manifest says? Hashes, nothing beside, no answers in inputs, answers that fit their inputs, no sibling in two splits.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::group::{Member, group};
use super::pack::{sha256, task_and_split};
use super::revise::Trace;
use super::{Manifest, Place, ReleaseError};
use crate::convert::OutFile;
use crate::lang::{Lang, Say};
use crate::record::{Json, Source, read_all};
use crate::task::{Item, Task, Texts, read_item};

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file.
    pub path: String,
    /// What is wrong with it.
    pub what: Say,
}

impl Problem {
    fn new(path: &str, zh: impl Into<String>, en: impl Into<String>) -> Problem {
        Problem { path: path.to_owned(), what: Say::new(zh, en) }
    }

    /// The problem in one language.
    pub fn say(&self, lang: Lang) -> String {
        format!("{}: {}", self.path, self.what.get(lang))
    }
}

/// Everything that is wrong with the files of a folder. Of a `public` part, what is not public must be absent; otherwise everything must be there.
pub fn verify(files: &[OutFile], public: bool) -> Vec<Problem> {
    const MANIFEST: &str = "manifest.json";
    let Some(manifest) = files.iter().find(|file| file.path == MANIFEST) else {
        return vec![Problem::new(MANIFEST, "没有这个文件", "there is no such file")];
    };
    let manifest: Manifest = match serde_json::from_slice(&manifest.bytes) {
        Ok(manifest) => manifest,
        Err(error) => return vec![Problem::new(MANIFEST, format!("读不了：{error}"), format!("cannot be read: {error}"))],
    };
    let mut problems = hashes(&manifest, files, public);
    for file in files.iter().filter(|file| file.path != MANIFEST) {
        if manifest.files.iter().all(|known| known.path != file.path) {
            problems.push(Problem::new(&file.path, "清单里没有这个文件", "the manifest does not know this file"));
        }
    }
    contents(&manifest, files, &mut problems);
    problems
}

fn hashes(manifest: &Manifest, files: &[OutFile], public: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for known in &manifest.files {
        let found = files.iter().find(|file| file.path == known.path);
        match found {
            Some(_) if public && !known.public => {
                problems.push(Problem::new(&known.path, "不应公开的文件在此", "a file that is not public lies here"));
            }
            None if public && !known.public => {}
            None => problems.push(Problem::new(&known.path, "没有这个文件", "there is no such file")),
            Some(file) if sha256(&file.bytes) != known.sha256 => {
                let short = |hash: &str| hash.chars().take(12).collect::<String>();
                let (expected, found) = (short(&known.sha256), short(&sha256(&file.bytes)));
                problems.push(Problem::new(
                    &known.path,
                    format!("内容已变：SHA-256 应为 {expected}…，实为 {found}…"),
                    format!("its content changed: expected SHA-256 {expected}…, found {found}…"),
                ));
            }
            Some(_) => {}
        }
    }
    problems
}

struct Part {
    task: &'static dyn Task,
    split: usize,
    path: String,
    items: Vec<Item>,
}

/// The items of a folder's files. A record that cannot be read is a problem.
fn parts(manifest: &Manifest, files: &[OutFile], folder: &str, gold: bool, problems: &mut Vec<Problem>) -> Vec<Part> {
    let mut parts = Vec::new();
    for file in files {
        let Some((task, split)) = task_and_split(&file.path, folder) else { continue };
        let Some(split) = manifest.splits.iter().position(|name| name == split) else {
            problems.push(Problem::new(&file.path, "没有这个集合", "no such split"));
            continue;
        };
        let read = Source::from_bytes(&file.path, file.bytes.clone()).ok().and_then(|source| read_all(source).ok());
        let Some((records, defects)) = read else {
            problems.push(Problem::new(&file.path, "读不了", "cannot be read"));
            continue;
        };
        let mut items = Vec::new();
        for defect in &defects {
            problems.push(Problem { path: file.path.clone(), what: Say::new(defect.render(Lang::Zh), defect.render(Lang::En)) });
        }
        for (line, record) in &records {
            let mut check = crate::record::Check::new(file.path.as_str().into(), *line);
            if let Some(item) = read_item(task, record, gold, &mut check) {
                if !gold && let Some(field) = stranger(&item, record) {
                    problems.push(Problem::new(
                        &file.path,
                        format!("{} 的输入有字段 {field}", item.qid),
                        format!("the input of {} has the field {field}", item.qid),
                    ));
                }
                items.push(item);
            } else {
                let what = check
                    .defects
                    .first()
                    .map_or_else(|| Say::same("?"), |defect| Say::new(defect.render(Lang::Zh), defect.render(Lang::En)));
                problems.push(Problem { path: file.path.clone(), what });
            }
        }
        parts.push(Part { task, split, path: file.path.clone(), items });
    }
    parts
}

/// A field of an input that is neither its identifier nor its text.
fn stranger(item: &Item, record: &Json<'_>) -> Option<String> {
    let texts = item.texts.write();
    let known = |name: &str| name.eq_ignore_ascii_case("qid") || texts.iter().any(|(text, _)| *text == name);
    record.fields().iter().map(|(name, _)| name).find(|name| !known(name)).map(ToString::to_string)
}

fn contents(manifest: &Manifest, files: &[OutFile], problems: &mut Vec<Problem>) {
    let inputs = parts(manifest, files, "inputs", false, problems);
    let answers = parts(manifest, files, "answers", true, problems);
    for answered in &answers {
        let asked = inputs.iter().find(|part| part.task.id() == answered.task.id() && part.split == answered.split);
        let key = |item: &Item| (item.qid.clone(), item.texts.clone());
        let asked: Vec<(SmolStr, Texts)> = asked.map(|part| part.items.iter().map(key).collect()).unwrap_or_default();
        if asked != answered.items.iter().map(key).collect::<Vec<_>>() {
            problems.push(Problem::new(
                &answered.path,
                "答案与输入的题号或文本不同",
                "identifiers or texts are not those of the inputs",
            ));
        }
    }
    let mut traced: FxHashMap<(String, SmolStr), Trace> = FxHashMap::default();
    if let Some(file) = files.iter().find(|file| file.path == "trace.jsonl") {
        for line in String::from_utf8_lossy(&file.bytes).lines() {
            match serde_json::from_str::<Trace>(line) {
                Ok(trace) => drop(traced.insert((trace.task.clone(), trace.qid.clone()), trace)),
                Err(error) => problems.push(Problem::new("trace.jsonl", error.to_string(), error.to_string())),
            }
        }
    }
    let mut members = Vec::new();
    for part in &inputs {
        for (number, item) in part.items.iter().enumerate() {
            let trace = traced.get(&(part.task.id().to_owned(), item.qid.clone()));
            let place = Place { file: part.path.as_str().into(), line: number as u64 + 1, qid: item.qid.clone() };
            let tie = trace.map(|trace| trace.group.to_string());
            members.push(Member {
                texts: item.texts.each(),
                origin: trace.and_then(|trace| trace.origin.as_deref()),
                tie,
                split: Some(part.split),
                place,
            });
        }
    }
    if let Err(ReleaseError::Crossing(clashes)) = group(&members, &manifest.splits) {
        for clash in clashes {
            let (path, one, other) = (clash.one.file.to_string(), &clash.one.qid, &clash.other);
            problems.push(Problem::new(
                &path,
                format!("{one} 与 {other} 同源，却不在同一集合"),
                format!("{one} and {other} are siblings in two splits"),
            ));
        }
    }
}
