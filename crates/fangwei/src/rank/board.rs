//! A board: who got what in which task.
//!
//! Boards are typed by people. Both readers go on after a defect and report all of them; what could be
//! read is there as well, and the caller decides whether that is enough.

use crate::lang::{Say, words};
use crate::record::{Code, Defect, Json};

use serde::{Deserialize, Serialize};

use super::builder::{Builder, Column, Place};

/// Who a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A participant.
    Team,
    /// A system of the organisers.
    Baseline,
    /// People who took the test.
    Human,
    /// A large language model asked by the organisers.
    Llm,
}

impl Kind {
    /// The word of the column `kind`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Team => "team",
            Self::Baseline => "baseline",
            Self::Human => "human",
            Self::Llm => "llm",
        }
    }

    pub(super) fn read(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase();
        [Self::Team, Self::Baseline, Self::Human, Self::Llm].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One row of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Unique name.
    pub name: String,
    /// Who it is about.
    pub kind: Kind,
    /// A score per task of the board, in its order.
    pub scores: Vec<Option<f64>>,
    /// What the jury gave.
    pub jury: Option<f64>,
}

/// Scores of several systems in several tasks; higher is better.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Board {
    pub(super) tasks: Vec<String>,
    pub(super) entries: Vec<Entry>,
}

/// What was read, and what was wrong with the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The rows that could be read; a cell with a defect is missing.
    pub board: Board,
    /// Everything that was not as expected, in the order of the text.
    pub defects: Vec<Defect>,
}

impl Board {
    /// Task names in order.
    pub fn tasks(&self) -> &[String] {
        &self.tasks
    }

    /// Rows in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Reads JSON if the text starts like JSON, CSV otherwise.
    pub fn read(text: &str) -> Reading {
        match text.trim_start_matches('\u{feff}').trim_start().chars().next() {
            Some('{' | '[') => Self::from_json(text),
            _ => Self::from_csv(text),
        }
    }

    /// A board from scores at hand, under the rules of the readers. Scores beyond the tasks are left out.
    pub fn from_scores(tasks: &[&str], entries: impl IntoIterator<Item = Entry>) -> Reading {
        let mut builder = Builder::default();
        for task in tasks {
            builder.task(task, &Place::column(task));
        }
        builder.check_tasks(&Place::default());
        for entry in entries {
            let scores = entry.scores.iter().enumerate().map(|(task, &score)| (task, score)).collect();
            builder.row(&Place::default(), |_| Place::default(), &entry.name, Some(entry.kind), scores, entry.jury);
        }
        builder.finish()
    }

    /// Reads CSV with a header `name,kind,TASK,…` and optionally `jury`; columns that begin with `#` are remarks.
    ///
    /// ```
    /// # use fangwei::rank::Board;
    /// let reading = Board::from_csv("name,kind,judge\n甲,team,0.7\n基线,baseline,n/a\n");
    /// assert!(reading.defects.is_empty());
    /// assert_eq!(reading.board.entries()[1].scores, [None]);
    /// ```
    pub fn from_csv(text: &str) -> Reading {
        let mut builder = Builder::default();
        let text = text.trim_start_matches('\u{feff}');
        let mut records = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes())
            .into_records()
            // Only bytes that are no UTF-8 are an error here, and a string has none.
            .map_while(Result::ok);
        let header = records.next().unwrap_or_default();
        let Some(columns) = builder.header(&header, line_of(&header, text)) else {
            return builder.finish();
        };
        for record in records {
            let line = line_of(&record, text);
            let row = Place { line, column: None };
            if record.len() != header.len() {
                builder.defect(
                    Code::BadRow,
                    &row,
                    Say::new(format!("{} 列", header.len()), format!("{} cells", header.len())),
                    &record.len().to_string(),
                );
            }
            let mut scores = Vec::new();
            let (mut name, mut kind, mut jury) = ("", "", None);
            for (cell, (column, title)) in record.iter().zip(columns.iter().zip(&header)) {
                let place = Place { line, column: Some(title.to_owned()) };
                match column {
                    Column::Name => name = cell,
                    Column::Kind => kind = cell,
                    Column::Jury => jury = builder.cell(&place, cell),
                    Column::Task(task) => scores.push((*task, builder.cell(&place, cell))),
                    Column::Ignored => {}
                }
            }
            let at = |column: &str| Place { line, column: Some(column.to_owned()) };
            let kind = builder.kind(&at("kind"), kind);
            builder.row(&row, at, name, kind, scores, jury);
        }
        builder.finish()
    }

    /// Reads `{"rows": [{"name", "kind", "scores": {TASK: number or null}, "jury"}]}` or the bare array.
    pub fn from_json(text: &str) -> Reading {
        let mut builder = Builder::default();
        let node = match Json::parse(text.trim_start_matches('\u{feff}').as_bytes()) {
            Ok(node) => node,
            Err(error) => {
                let place = Place { line: Some(error.line() as u64), column: None };
                builder.defect(Code::BadJson, &place, "JSON", &error.to_string());
                return builder.finish();
            }
        };
        let (rows, base) = match (&node, node.get("rows")) {
            (Json::List(rows), _) => (rows, ""),
            (_, Some(Json::List(rows))) => (rows, "/rows"),
            _ => {
                let expected = words("行的数组，或带 rows 的对象", "an array of rows, or an object with `rows`");
                builder.defect(Code::BadJson, &Place::column("/"), expected, &node.brief());
                return builder.finish();
            }
        };
        for (index, row) in rows.iter().enumerate() {
            builder.json_row(row, &format!("{base}/{index}"));
        }
        builder.check_tasks(&Place::column(if base.is_empty() { "/" } else { base }));
        builder.finish()
    }
}

/// The line that a record starts on. The reader's own position lies before the line ends and blank lines
/// that it skips.
fn line_of(record: &csv::StringRecord, text: &str) -> Option<u64> {
    let position = record.position()?;
    let rest = text.as_bytes().get(position.byte() as usize..)?;
    let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    Some(position.line() + skipped.filter(|byte| **byte == b'\n').count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(reading: &Reading) -> Vec<String> {
        reading
            .defects
            .iter()
            .map(|defect| {
                let line = if defect.line == 0 { String::new() } else { defect.line.to_string() };
                format!("{} {line} {}", defect.code.as_str(), defect.pointer)
            })
            .collect()
    }

    #[test]
    fn csv_as_spreadsheets_write_it() {
        let text = "\u{feff}name,kind,judge,\"关系, 标注\",jury\r\n\"甲,乙\",team,0.5,/,80\r\n人,human, N/A ,-,\r\n";
        let Reading { board, defects } = Board::read(text);
        assert_eq!(defects, []);
        assert_eq!(board.tasks(), ["judge", "关系, 标注"]);
        let first = Entry { name: "甲,乙".into(), kind: Kind::Team, scores: vec![Some(0.5), None], jury: Some(80.0) };
        let second = Entry { name: "人".into(), kind: Kind::Human, scores: vec![None, None], jury: None };
        assert_eq!(board.entries(), [first, second]);
    }

    #[test]
    fn csv_defects_are_all_told_with_their_place() {
        let text = "name,kind,a,a\nx,team,zero,1\n\n,team,1,1\nx,team,1,1\ny,robot,inf,1\nz,team,1\n";
        let reading = Board::read(text);
        assert_eq!(reading, Board::read(&text.replace('\n', "\r\n")));
        assert_eq!(
            codes(&reading),
            [
                "duplicate-task 1 /a",
                "bad-number 2 /a",
                "missing-name 4 /name",
                "duplicate-name 5 /name",
                "bad-number 6 /a",
                "bad-kind 6 /kind",
                "bad-row 7 "
            ]
        );
        assert_eq!(
            reading.defects[1].render(crate::lang::Lang::En),
            "board:2 /a: error [bad-number] not a finite number; expected a finite number or nothing; found zero"
        );
        let names: Vec<_> = reading.board.entries().iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["x", "z"], "rows that can be read stay");
    }

    #[test]
    fn csv_headers() {
        assert_eq!(codes(&Board::read("")), ["bad-header 1 ", "no-task-columns 1 "]);
        assert_eq!(codes(&Board::read("team,score\nx,1")), ["bad-header 1 "]);
        assert_eq!(codes(&Board::read("name,kind\nx,team")), ["no-task-columns 1 "]);
        assert_eq!(codes(&Board::read("name,kind,,a,kind\n")), ["bad-header 1 /3", "bad-header 1 /kind"]);
    }

    #[test]
    fn json_in_both_shapes() {
        let rows =
            r#"[{"name":"x","kind":"team","scores":{"z":0.5,"a":null}},{"name":"y","kind":"llm","scores":{"b":1},"jury":3}]"#;
        let bare = Board::read(rows);
        assert_eq!(bare, Board::read(&format!("{{\"rows\":{rows}}}")));
        assert_eq!(bare.defects, []);
        assert_eq!(bare.board.tasks(), ["z", "a", "b"], "tasks in the order of the text");
        assert_eq!(bare.board.entries()[0].scores, [Some(0.5), None, None]);
        assert_eq!(bare.board.entries()[1].scores, [None, None, Some(1.0)]);
    }

    #[test]
    fn json_defects_are_all_told_with_their_place() {
        let text = r#"{"rows":[7,{"name":"x","kind":"team","scores":{"a/b":"1","c":1,"c":2}},{"kind":"team","scores":{}},
            {"name":"x","kind":5,"scores":[]},{"name":"y","kind":"team","scores":{"c":1e300}}]}"#;
        assert_eq!(
            codes(&Board::read(text)),
            [
                "bad-json  /rows/0",
                "bad-number  /rows/1/scores/a~1b",
                "duplicate-task  /rows/1/scores/c",
                "missing-name  /rows/2/name",
                "bad-kind  /rows/3/kind",
                "bad-json  /rows/3/scores",
                "duplicate-name  /rows/3/name",
                "bad-number  /rows/4/scores/c"
            ]
        );
        assert_eq!(codes(&Board::read("{\"rows\":\n[}")), ["bad-json 2 "]);
        assert_eq!(codes(&Board::read("{}")), ["bad-json  /"]);
        assert_eq!(codes(&Board::read("[]")), ["no-task-columns  /"]);
    }
}
