//! Bundles of Codabench (version 2): what of them maps, and a list of what does not.
//!
//! Programs of a bundle are never run: the tasks here have their own scorers, and which task is meant is told by the shape of the reference data.

mod phases;
mod yaml;

use serde_json::Value;

use super::{FILE, Folder};
use crate::lang::Say;
use crate::record::{Source, read_all};
use crate::score::read_items;
use crate::task::{Item, Task, write_item};
use yaml::shown;

/// What became of a bundle.
#[derive(Debug)]
pub struct Imported {
    /// The files of the competition, ready to be edited; `competition.toml` among them.
    pub files: Folder,
    /// What did not map.
    pub unmapped: Vec<Unmapped>,
}

/// Something of a bundle that did not map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmapped {
    /// Where it stands in `competition.yaml`: `/phases/0/execution_time_limit`.
    pub key: String,
    /// What stands there, in short.
    pub found: String,
    /// Why it does not map, and what to do instead.
    pub why: Say,
}

/// Turns the files of a bundle into those of a competition. Archives within it are given as folders: `reference_data.zip/truth.jsonl`.
pub fn import(bundle: &Folder) -> Result<Imported, Say> {
    let names = ["competition.yaml", "competition.yml"];
    let found = bundle.keys().find(|path| names.iter().any(|name| path.as_str() == *name || path.ends_with(&format!("/{name}"))));
    let none = || {
        Say::new(
            "没有 competition.yaml：这不是 Codabench 的比赛包",
            "there is no competition.yaml: this is no bundle of Codabench",
        )
    };
    let path = found.ok_or_else(none)?;
    let root = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let text = String::from_utf8_lossy(&bundle[path]).into_owned();
    let unread = |error: String| {
        Say::new(format!("competition.yaml 读不了：{error}"), format!("competition.yaml cannot be read: {error}"))
    };
    let given = yaml::parse(&text).map_err(unread)?;
    if given.get("version").map(shown).is_none_or(|version| version != "2") {
        let found = given.get("version").map(shown).unwrap_or_default();
        return Err(Say::new(format!("应为 version: 2，实为 {found:?}"), format!("expected version: 2, found {found:?}")));
    }
    let mut work = Work { bundle, root, toml: String::new(), files: Folder::new(), unmapped: Vec::new() };
    work.head(&given);
    work.pages(&given);
    let tasks = work.tasks(&given);
    work.phases(&given, &tasks);
    work.boards(&given);
    work.files.insert(FILE.to_owned(), work.toml.into_bytes());
    Ok(Imported { files: work.files, unmapped: work.unmapped })
}

struct Work<'b> {
    bundle: &'b Folder,
    /// The folder of `competition.yaml` within the bundle.
    root: String,
    toml: String,
    files: Folder,
    unmapped: Vec<Unmapped>,
}

/// A task of the bundle that is one of ours.
struct Known {
    index: i64,
    task: &'static dyn Task,
    name: String,
}

/// Keys that are about running programs of others.
const PROGRAMS: [&str; 8] = [
    "docker_image",
    "queue",
    "make_programs_available",
    "make_input_data_available",
    "auto_run_submissions",
    "enable_detailed_results",
    "show_detailed_results_in_submission_panel",
    "show_detailed_results_in_leaderboard",
];

/// A text of TOML.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|letter| match letter {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            '\u{7f}' => "\\u007f".to_owned(),
            letter if letter.is_control() => format!("\\u{:04x}", letter as u32),
            letter => letter.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// A name for addresses out of any other; `instead` where nothing is left.
fn plain(name: &str, instead: &str) -> String {
    let letters =
        name.to_lowercase().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect::<String>();
    let name: String =
        letters.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-").chars().take(40).collect();
    if name.is_empty() { instead.to_owned() } else { name.trim_end_matches('-').to_owned() }
}

fn is_markdown(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("md"))
}

impl Work<'_> {
    fn note(&mut self, key: impl Into<String>, found: &Value, zh: &str, en: &str) {
        let found: String = shown(found).chars().take(80).collect();
        self.unmapped.push(Unmapped { key: key.into(), found, why: Say::new(zh, en) });
    }

    /// Notes every key that is none of these.
    fn others(&mut self, at: &str, given: &Value, known: &[&str]) {
        let Some(fields) = given.as_object() else { return };
        for (key, value) in fields.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let key = format!("{at}/{key}");
            if PROGRAMS.iter().any(|program| key.ends_with(program)) {
                self.note(key, value, "这里不运行比赛包里的程序", "programs of a bundle are not run here");
            } else {
                self.note(key, value, "没有对应的项", "nothing here is like it");
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.toml.push_str(line);
        self.toml.push('\n');
    }

    /// Copies a file of the bundle; `None` if it is not there.
    fn copy(&mut self, path: &str) -> Option<String> {
        let bytes = self.bundle.get(&format!("{}{path}", self.root))?;
        let inside = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..") && !path.contains(['\\', ':']);
        inside.then(|| {
            self.files.insert(path.to_owned(), bytes.clone());
            path.to_owned()
        })
    }

    fn head(&mut self, given: &Value) {
        let title = given.get("title").map(shown).unwrap_or_default();
        self.line("# Made of a bundle of Codabench. `fangwei competition check` says what is still missing.");
        self.line(&format!("id = {}", quoted(&plain(&title, "competition"))));
        self.line("zone = \"+00:00\"");
        self.line(&format!("name = {}", quoted(if title.is_empty() { "competition" } else { &title })));
        for (theirs, ours) in [("description", "about"), ("contact_email", "contact")] {
            if let Some(text) = given.get(theirs).map(shown).filter(|text| !text.trim().is_empty() && text != "null") {
                self.line(&format!("{ours} = {}", quoted(text.trim())));
            }
        }
        let approve = given.get("registration_auto_approve").and_then(Value::as_bool).unwrap_or(false);
        self.line(&format!("\n[registration]\napproval = {}", !approve));
        if let Some(terms) = given.get("terms") {
            match self.copy(&shown(terms)).filter(|path| is_markdown(path)) {
                Some(path) => self.line(&format!("\n[agreement]\nversion = \"1\"\nfile = {}", quoted(&path))),
                None => self.note("/terms", terms, "协议要写成 Markdown 文件", "an agreement has to be a Markdown file"),
            }
        }
        let known = [
            "version",
            "title",
            "description",
            "contact_email",
            "registration_auto_approve",
            "terms",
            "pages",
            "tasks",
            "phases",
            "leaderboards",
            "leaderboard",
        ];
        self.others("", given, &known);
    }

    fn pages(&mut self, given: &Value) {
        let mut seen: Vec<String> = Vec::new();
        for (number, page) in list(given, "pages").iter().enumerate() {
            let (title, file) =
                (page.get("title").map(shown).unwrap_or_default(), page.get("file").map(shown).unwrap_or_default());
            let Some(path) = self.copy(&file).filter(|path| is_markdown(path)) else {
                self.note(
                    format!("/pages/{number}/file"),
                    &Value::String(file),
                    "页面要写成 Markdown 文件",
                    "pages have to be Markdown files",
                );
                continue;
            };
            let mut id = plain(&title, &format!("page-{number}"));
            if seen.contains(&id) {
                id = format!("page-{number}");
            }
            self.line(&format!(
                "\n[[pages]]\nid = {}\ntitle = {}\nfile = {}",
                quoted(&id),
                quoted(if title.is_empty() { &id } else { &title }),
                quoted(&path)
            ));
            seen.push(id);
        }
    }

    /// The bytes of a file, of a folder or of an archive that the bundle names.
    fn data(&self, given: Option<&Value>) -> Vec<(&str, &[u8])> {
        let Some(path) = given.map(shown).filter(|path| !path.is_empty()) else { return Vec::new() };
        let path = format!("{}{path}", self.root);
        let folder = format!("{path}/");
        let of = self.bundle.iter().filter(|(name, _)| **name == path || name.starts_with(&folder));
        of.map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect()
    }

    fn tasks(&mut self, given: &Value) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        for (number, task) in list(given, "tasks").iter().enumerate() {
            let at = format!("/tasks/{number}");
            let index = task.get("index").and_then(Value::as_i64).unwrap_or(number as i64);
            let gold = self.data(task.get("reference_data")).into_iter().find_map(|(name, bytes)| answers(name, bytes));
            let Some((meant, gold)) = gold else {
                let data = task.get("reference_data").cloned().unwrap_or_default();
                self.note(
                    format!("{at}/reference_data"),
                    &data,
                    "参考数据不是任何一个任务的答案，这个任务没有导入",
                    "the reference data is gold of no task here; the task is left out",
                );
                continue;
            };
            let name = format!("task-{index}");
            self.put_items(&name, meant, &gold);
            known.push(Known { index, task: meant, name });
            for program in ["scoring_program", "ingestion_program"] {
                if let Some(value) = task.get(program).filter(|value| !value.is_null()).cloned() {
                    let (zh, en) = ("用本程序自己的评分", "scored by the scorer of this program");
                    self.note(format!("{at}/{program}"), &value, zh, en);
                }
            }
            if self.data(task.get("input_data")).is_empty() {
                let data = task.get("input_data").cloned().unwrap_or_default();
                let (zh, en) = ("题目由答案去掉回答而来", "the items are the gold without its answers");
                self.note(format!("{at}/input_data"), &data, zh, en);
            }
            self.others(
                &at,
                task,
                &["index", "key", "name", "description", "reference_data", "input_data", "scoring_program", "ingestion_program"],
            );
        }
        for one in list(given, "solutions").iter().take(1) {
            let found = one.get("path").cloned().unwrap_or_default();
            self.note("/solutions/0", &found, "示例解答没有导入", "sample solutions are left out");
        }
        let mut written: Vec<&str> = Vec::new();
        for known in &known {
            if !written.contains(&known.task.id()) {
                self.toml.push_str(&format!("\n[[tasks]]\ntask = {}\n", quoted(known.task.id())));
                written.push(known.task.id());
            }
        }
        known
    }

    fn put_items(&mut self, name: &str, task: &'static dyn Task, gold: &[Item]) {
        let line = |item: &Item| write_item(task, item).to_line() + "\n";
        let bare = |item: &Item| Item { gold: None, corefs: None, ..item.clone() };
        let with: String = gold.iter().map(line).collect();
        let without: String = gold.iter().map(|item| line(&bare(item))).collect();
        self.files.insert(format!("gold/{name}.jsonl"), with.into_bytes());
        self.files.insert(format!("items/{name}.jsonl"), without.into_bytes());
    }
}

fn list<'v>(given: &'v Value, key: &str) -> &'v [Value] {
    given.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The gold in a file, if it is that of one of our tasks without an error.
fn answers(name: &str, bytes: &[u8]) -> Option<(&'static dyn Task, Vec<Item>)> {
    let source = || Source::from_bytes(name, bytes).ok();
    let (records, _) = read_all(source()?).ok()?;
    let records: Vec<_> = records.into_iter().map(|(_, record)| record).collect();
    let task = crate::tasks::recognise(&records)?;
    let (items, _) = read_items(task, source()?, true).ok()?;
    (!items.is_empty() && items.iter().all(|item| item.gold.is_some())).then_some((task, items))
}
