//! Reads a competition with everything that it names, and looks for what would go wrong later: records of another task, gold that does not answer the items,
//! answers where only items should be, gold that anybody could download.

use std::sync::Arc;

use super::leak::Secret;
use super::read::read;
use super::{Contest, FILE, Folder, Gate, Moment, Named, PhaseTask, Use};
use crate::lang::Say;
use crate::rank::Board;
use crate::record::{Code, Defect, Severity, Source};
use crate::score::read_items;
use crate::task::{Item, Task};
use crate::validate::validate;

/// Longer than anybody writes by hand.
const MOST_FILE: usize = 1 << 20;

/// What was read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The competition; nothing where the file has errors.
    pub contest: Option<Contest>,
    /// Every defect: of the file in the order of its lines, then of the files that it names.
    pub defects: Vec<Defect>,
}

impl Reading {
    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.defects.iter().filter(|defect| defect.severity() == Severity::Error).count()
    }
}

/// Reads `competition.toml` of a folder and everything that it names: pages are text, records are of their task, gold answers the items.
pub fn check(folder: &Folder) -> Reading {
    let whole = |code, expected: Say, found: Say| Defect {
        code,
        file: Arc::from(FILE),
        line: 0,
        qid: None,
        pointer: String::new(),
        expected,
        found,
    };
    let Some(bytes) = folder.get(FILE) else {
        let defect = whole(Code::MissingFile, FILE.into(), Say::new("没有", "nothing"));
        return Reading { contest: None, defects: vec![defect] };
    };
    if bytes.len() > MOST_FILE {
        let found = Say::new(format!("{} 字节", bytes.len()), format!("{} bytes", bytes.len()));
        return Reading {
            contest: None, defects: vec![whole(Code::LineTooLong, Say::new("至多 1 MB", "at most 1 MB"), found)]
        };
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Reading {
            contest: None,
            defects: vec![whole(Code::BadEncoding, "UTF-8".into(), Say::new("其他字节", "other bytes"))],
        };
    };
    let mut reading = read(text);
    if let Some(contest) = &reading.contest {
        let mut files = Files { folder, defects: Vec::new() };
        files.named(contest);
        files.phases(contest);
        files.leaks(contest);
        reading.defects.extend(files.defects);
    }
    reading
}

struct Files<'f> {
    folder: &'f Folder,
    defects: Vec<Defect>,
}

impl Files<'_> {
    fn add(&mut self, code: Code, key: &str, expected: impl Into<Say>, found: impl Into<Say>) {
        let (expected, found) = (expected.into(), found.into());
        let defect = Defect { code, file: Arc::from(FILE), line: 0, qid: None, pointer: key.to_owned(), expected, found };
        self.defects.push(defect);
    }

    /// Whether every file is there, and what people read is text.
    fn named(&mut self, contest: &Contest) {
        let expected = Say::new("文件夹里的文件", "a file of the folder");
        for named in contest.files() {
            let Some(bytes) = self.folder.get(&named.path) else {
                self.add(Code::MissingFile, &named.key, expected.clone(), named.path.as_str());
                continue;
            };
            let is_text = matches!(named.holds, Use::Page | Use::Agreement | Use::Rows);
            if is_text && std::str::from_utf8(bytes).is_err() {
                self.add(Code::BadEncoding, &named.key, "UTF-8", named.path.as_str());
            } else if named.holds == Use::Rows {
                let board = Board::from_csv(&String::from_utf8_lossy(bytes));
                let renamed = board.defects.into_iter().map(|defect| Defect { file: Arc::from(named.path.as_str()), ..defect });
                self.defects.extend(renamed);
            }
        }
    }

    fn items(&mut self, path: &str, task: &dyn Task, gold: bool) -> Option<Vec<Item>> {
        let bytes = self.folder.get(path)?;
        let read = Source::from_bytes(path, bytes.clone()).ok().and_then(|source| read_items(task, source, gold).ok());
        let Some((items, defects)) = read else {
            self.add(Code::Unreadable, "", Say::new("可以读的文件", "a file that can be read"), path);
            return None;
        };
        self.defects.extend(
            defects.into_iter().filter(|defect| defect.severity() == Severity::Error && !defect.code.is_for_submissions()),
        );
        Some(items)
    }

    /// Whether items have no answers, and gold answers exactly the items.
    fn phases(&mut self, contest: &Contest) {
        for (number, phase) in contest.phases.iter().enumerate() {
            for (at, entry) in phase.tasks.iter().enumerate() {
                let key = |what: &str| format!("/phases/{number}/tasks/{at}/{what}");
                let items = self.items(&entry.items, entry.task, false);
                self.items(&entry.gold, entry.task, true);
                let (Some(items), Some(gold)) = (items, self.folder.get(&entry.gold)) else { continue };
                if items.is_empty() {
                    self.add(Code::EmptyFile, &key("items"), Say::new("至少一题", "at least one item"), entry.items.as_str());
                }
                let answered = items.iter().filter(|item| item.gold.is_some()).count();
                if answered > 0 {
                    let found = Say::new(format!("{answered} 题带有答案"), format!("{answered} items with their answers"));
                    self.add(Code::LeakedGold, &key("items"), Say::new("没有答案的题目", "items without answers"), found);
                }
                let Ok(source) = Source::from_bytes(&entry.gold, gold.clone()) else { continue };
                let Ok(report) = validate(entry.task, source, Some(&items)) else { continue };
                let fits = |defect: &Defect| matches!(defect.code, Code::UnknownQid | Code::MissingQid | Code::ContextMismatch);
                self.defects.extend(report.defects.into_iter().filter(fits));
            }
        }
    }

    /// Whether gold can be downloaded before its phase has ended: under its own path, as a copy, or told by data for teams. Files that are declared to be answers of a
    /// phase are let out after it, even if another phase has some of its items.
    fn leaks(&mut self, contest: &Contest) {
        let entries = contest.phases.iter().flat_map(|phase| phase.tasks.iter().map(move |entry| (phase, entry)));
        let secret = |entry: &PhaseTask| Secret::of(entry.task, self.folder.get(&entry.gold).map_or(&[], Vec::as_slice));
        let golds: Vec<_> = entries.map(|(phase, entry)| (phase, entry, secret(entry))).collect();
        for (number, file) in contest.data.iter().enumerate() {
            let Some(bytes) = self.folder.get(&file.file) else { continue };
            let is_early = |end: Moment| file.gate != Gate::Hand && file.gate.moment(contest).is_none_or(|moment| moment < end);
            let leaked = golds.iter().find(|(phase, entry, secret)| {
                let is_gold = file.file == entry.gold || self.folder.get(&entry.gold) == Some(bytes);
                is_early(phase.end) && (is_gold || (file.holds == Use::Data && secret.is_told_by(bytes)))
            });
            if let Some((phase, ..)) = leaked {
                let expected = Say::new(format!("end:{} 或 hand", phase.id), format!("end:{} or hand", phase.id));
                self.add(Code::LeakedGold, &format!("/data/{number}/gate"), expected, file.gate.to_string());
            }
        }
    }
}

impl Contest {
    /// Every file that it names, by path; one that has two uses is there twice.
    pub fn files(&self) -> Vec<Named> {
        let mut files = Vec::new();
        let mut add = |path: &str, holds, key: String, task: Option<&str>| {
            files.push(Named { path: path.to_owned(), holds, key, task: task.map(ToOwned::to_owned) });
        };
        let both =
            |paths: &Say| if paths.zh == paths.en { vec![paths.zh.clone()] } else { vec![paths.zh.clone(), paths.en.clone()] };
        for (at, page) in self.pages.iter().enumerate() {
            for path in both(&page.file) {
                add(&path, Use::Page, format!("/pages/{at}/file"), None);
            }
        }
        for (at, entry) in self.tasks.iter().enumerate() {
            for path in entry.guide.as_ref().map(both).unwrap_or_default() {
                add(&path, Use::Page, format!("/tasks/{at}/guide"), Some(entry.task.id()));
            }
        }
        if let Some(agreement) = &self.agreement {
            for path in both(&agreement.file) {
                add(&path, Use::Agreement, "/agreement/file".to_owned(), None);
            }
        }
        for (at, file) in self.data.iter().enumerate() {
            add(&file.file, file.holds, format!("/data/{at}/file"), file.task.as_deref());
        }
        for (number, phase) in self.phases.iter().enumerate() {
            for (at, entry) in phase.tasks.iter().enumerate() {
                let task = Some(entry.task.id());
                add(&entry.items, Use::Items, format!("/phases/{number}/tasks/{at}/items"), task);
                add(&entry.gold, Use::Gold, format!("/phases/{number}/tasks/{at}/gold"), task);
            }
        }
        for (at, board) in self.boards.iter().enumerate().filter(|(_, board)| !board.rows.is_empty()) {
            add(&board.rows, Use::Rows, format!("/boards/{at}/rows"), None);
        }
        files.sort();
        files
    }
}
