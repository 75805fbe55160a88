//! A board in the making: the rules on names, kinds and numbers that hold for every format, each defect
//! noted at its place.

use std::collections::{HashMap, HashSet};

use super::board::{Board, Entry, Kind, Reading};
use crate::lang::{Say, Words, words};
use crate::record::{Code, Defect, Json};

/// Scores above this are typing errors, and their squares would no longer add up.
const LARGEST: f64 = 1e12;
const NUMBER: Words = words("有限的数，或空", "a finite number or nothing");
const LONGEST_FOUND: usize = 60;

/// Where a defect is.
#[derive(Clone, Default)]
pub(super) struct Place {
    pub(super) line: Option<u64>,
    pub(super) column: Option<String>,
}

impl Place {
    pub(super) fn column(name: &str) -> Self {
        Self { line: None, column: Some(name.to_owned()) }
    }
}

/// What a CSV column holds.
pub(super) enum Column {
    Name,
    Kind,
    Jury,
    Task(usize),
    /// A remark (`#…`), or a column whose header has a defect.
    Ignored,
}

/// A board in the making: the rules that hold for every format.
#[derive(Default)]
pub(super) struct Builder {
    board: Board,
    defects: Vec<Defect>,
    names: HashSet<String>,
    task_numbers: HashMap<String, usize>,
}

impl Builder {
    pub(super) fn defect(&mut self, code: Code, place: &Place, expected: impl Into<Say>, found: &str) {
        let mut short: String = found.chars().take(LONGEST_FOUND).collect();
        if short.len() < found.len() {
            short.push('…');
        }
        // JSON boards give whole pointers, CSV boards the names of columns.
        let pointer = match &place.column {
            Some(pointer) if pointer.starts_with('/') => pointer.clone(),
            Some(column) => format!("/{column}"),
            None => String::new(),
        };
        let (expected, found, line) = (expected.into(), Say::same(short), place.line.unwrap_or(0));
        self.defects.push(Defect { code, file: "board".into(), line, qid: None, pointer, expected, found });
    }

    /// Adds a task of a header, where every task may stand only once.
    pub(super) fn task(&mut self, name: &str, place: &Place) -> Option<usize> {
        if self.task_numbers.contains_key(name) {
            self.defect(Code::DuplicateTask, place, words("每个任务一次", "every task once"), name);
            return None;
        }
        Some(self.task_number(name))
    }

    pub(super) fn task_number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.task_numbers.get(name) {
            return number;
        }
        let number = self.board.tasks.len();
        self.board.tasks.push(name.to_owned());
        self.task_numbers.insert(name.to_owned(), number);
        number
    }

    pub(super) fn check_tasks(&mut self, place: &Place) {
        if self.board.tasks.is_empty() {
            self.defect(Code::NoTaskColumns, place, words("至少一个任务", "at least one task"), "none");
        }
    }

    /// The meaning of every column, or nothing if rows cannot be read without it.
    pub(super) fn header(&mut self, header: &csv::StringRecord, line: Option<u64>) -> Option<Vec<Column>> {
        let line = line.or(Some(1));
        let mut columns = Vec::new();
        let mut special: Vec<String> = Vec::new();
        for (index, title) in header.iter().enumerate() {
            let place = Place { line, column: Some(title.to_owned()) };
            let lower = title.to_ascii_lowercase();
            let column = match lower.as_str() {
                "name" | "kind" | "jury" if special.contains(&lower) => {
                    self.defect(
                        Code::BadHeader,
                        &place,
                        Say::new(format!("一列 {lower}"), format!("one column `{lower}`")),
                        title,
                    );
                    Column::Ignored
                }
                "name" => Column::Name,
                "kind" => Column::Kind,
                "jury" => Column::Jury,
                "" => {
                    let place = Place { line, column: Some((index + 1).to_string()) };
                    self.defect(Code::BadHeader, &place, words("任务名", "the name of a task"), "");
                    Column::Ignored
                }
                // What was published beside the scores, or whatever else people want to remember.
                remark if remark.starts_with('#') => Column::Ignored,
                _ => self.task(title, &place).map_or(Column::Ignored, Column::Task),
            };
            if !matches!(column, Column::Task(_) | Column::Ignored) {
                special.push(lower);
            }
            columns.push(column);
        }
        let place = Place { line, column: None };
        let whole = special.iter().any(|word| word == "name") && special.iter().any(|word| word == "kind");
        if !whole {
            let found = header.iter().collect::<Vec<_>>().join(",");
            self.defect(Code::BadHeader, &place, words("name 与 kind 两列", "columns `name` and `kind`"), &found);
        }
        self.check_tasks(&place);
        whole.then_some(columns)
    }

    /// A score typed into a cell.
    pub(super) fn cell(&mut self, place: &Place, cell: &str) -> Option<f64> {
        if matches!(cell, "" | "-" | "/") || cell.eq_ignore_ascii_case("n/a") {
            return None;
        }
        if let Ok(number) = cell.parse() {
            return self.number(place, number);
        }
        self.defect(Code::BadNumber, place, NUMBER, cell);
        None
    }

    pub(super) fn number(&mut self, place: &Place, number: f64) -> Option<f64> {
        // Also false for what is not a number.
        if number.abs() <= LARGEST {
            return Some(number);
        }
        self.defect(Code::BadNumber, place, NUMBER, &number.to_string());
        None
    }

    pub(super) fn kind(&mut self, place: &Place, word: &str) -> Option<Kind> {
        let kind = Kind::read(word);
        if kind.is_none() {
            self.defect(Code::BadKind, place, words("team、baseline、human 或 llm", "team, baseline, human or llm"), word);
        }
        kind
    }

    /// Adds a row, unless its name or kind has a defect.
    pub(super) fn row(
        &mut self,
        row: &Place,
        at: impl Fn(&str) -> Place,
        name: &str,
        kind: Option<Kind>,
        scores: Vec<(usize, Option<f64>)>,
        jury: Option<f64>,
    ) {
        let name = name.trim();
        if name.is_empty() {
            self.defect(Code::MissingName, &at("name"), words("名称", "a name"), "");
            return;
        }
        if !self.names.insert(name.to_owned()) {
            self.defect(Code::DuplicateName, &at("name"), words("每个名称一次", "every name once"), name);
            return;
        }
        let Some(kind) = kind else { return };
        let mut entry = Entry { name: name.to_owned(), kind, scores: vec![None; self.board.tasks.len()], jury: None };
        entry.jury = jury.and_then(|number| self.number(row, number));
        for (task, score) in scores {
            if let Some(cell) = entry.scores.get_mut(task) {
                *cell = score.and_then(|number| self.number(row, number));
            }
        }
        self.board.entries.push(entry);
    }

    pub(super) fn json_row(&mut self, row: &Json<'_>, pointer: &str) {
        let at = |field: &str| Place::column(&format!("{pointer}/{field}"));
        if !matches!(row, Json::Map(_)) {
            self.defect(Code::BadJson, &Place::column(pointer), words("对象", "an object"), &row.brief());
            return;
        }
        let name = match row.get("name") {
            Some(Json::Text(name)) => name.as_ref(),
            Some(Json::Null) | None => "",
            Some(other) => {
                self.defect(Code::MissingName, &at("name"), words("名称", "a name"), &other.brief());
                return;
            }
        };
        let kind = match row.get("kind") {
            Some(Json::Text(word)) => self.kind(&at("kind"), word),
            other => self.kind(&at("kind"), &other.map_or_else(|| "nothing".to_owned(), Json::brief)),
        };
        let mut scores = Vec::new();
        match row.get("scores") {
            Some(Json::Map(pairs)) => {
                let mut seen = HashSet::new();
                for (task, node) in pairs {
                    // `~` and `/` have a meaning in pointers.
                    let place = at(&format!("scores/{}", task.replace('~', "~0").replace('/', "~1")));
                    if seen.insert(task) {
                        let number = self.task_number(task);
                        scores.push((number, self.json_number(&place, node)));
                    } else {
                        self.defect(Code::DuplicateTask, &place, words("每个任务一次", "every task once"), task);
                    }
                }
            }
            other => {
                let found = other.map_or_else(|| "nothing".to_owned(), Json::brief);
                self.defect(Code::BadJson, &at("scores"), words("任务与得分的对象", "an object of scores"), &found);
            }
        }
        let jury = row.get("jury").and_then(|node| self.json_number(&at("jury"), node));
        self.row(&Place::column(pointer), at, name, kind, scores, jury);
    }

    pub(super) fn json_number(&mut self, place: &Place, node: &Json<'_>) -> Option<f64> {
        match node {
            Json::Null => None,
            Json::Int(_) | Json::Float(_) => self.number(place, node.as_f64()?),
            other => {
                self.defect(Code::BadNumber, place, words("有限的数或 null", "a finite number or null"), &other.brief());
                None
            }
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        // A task that only later rows of a JSON board name is missing in the earlier ones.
        for entry in &mut self.board.entries {
            entry.scores.resize(self.board.tasks.len(), None);
        }
        Reading { board: self.board, defects: self.defects }
    }
}
