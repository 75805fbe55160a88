//! Reads the tables of a lexicon and says everything that is wrong with them.
//!
//! A table is tab-separated text with a line of column names; lines that begin with `#` are remarks. What is wrong with one row costs that row only.

use std::io::Read as _;
use std::path::Path;

use smallvec::SmallVec;
use smol_str::SmolStr;

use super::{Class, Entry, Group, Kind, Lexicon, Model, Noun, syllables};
use crate::lang::Say;
use crate::record::{Check, Code, Defect, OpenError, Source};

/// The tables of a lexicon: file name and columns.
pub const FILES: [(&str, &[&str]); 7] = [
    ("words.tsv", &["word", "class", "model", "note"]),
    ("groups.tsv", &["group", "class", "words", "note"]),
    ("kinds.tsv", &["kind", "zh", "takes", "note"]),
    ("nouns.tsv", &["noun", "kind", "takes", "note"]),
    ("abstract.tsv", &["noun", "note"]),
    ("temporal.tsv", &["word", "note"]),
    ("fixed.tsv", &["word", "note"]),
];

/// The tables that come with the program.
pub(super) const SHIPPED: [(&str, &str); 7] = [
    ("words.tsv", include_str!("../../../../data/lexicon/words.tsv")),
    ("groups.tsv", include_str!("../../../../data/lexicon/groups.tsv")),
    ("kinds.tsv", include_str!("../../../../data/lexicon/kinds.tsv")),
    ("nouns.tsv", include_str!("../../../../data/lexicon/nouns.tsv")),
    ("abstract.tsv", include_str!("../../../../data/lexicon/abstract.tsv")),
    ("temporal.tsv", include_str!("../../../../data/lexicon/temporal.tsv")),
    ("fixed.tsv", include_str!("../../../../data/lexicon/fixed.tsv")),
];

/// Why a lexicon could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A table cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A table cannot be read to its end.
    #[error("cannot read {file}: {error}")]
    Read {
        /// The table.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
}

/// A remark that a word has no rival on purpose.
const NO_RIVAL: &str = "no rival";

/// The rows of one table.
struct Rows<'t> {
    file: &'t str,
    rows: Vec<(u64, Vec<&'t str>)>,
}

impl<'t> Rows<'t> {
    fn of(file: &'t str, text: &'t str, columns: &[&str], defects: &mut Vec<Defect>) -> Rows<'t> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let mut lines =
            lines.map(|(at, line)| (at as u64 + 1, line)).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let mut rows = Rows { file, rows: Vec::new() };
        match lines.next() {
            Some((_, head)) if head.split('\t').eq(columns.iter().copied()) => {}
            other => {
                let (line, found) = other.unwrap_or((1, ""));
                defects.extend(rows.defect(line, Code::BadHeader, Say::same(columns.join("\t")), Say::same(found)));
                return rows;
            }
        }
        for (line, row) in lines {
            let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
            if cells.len() == columns.len() && !cells[0].is_empty() {
                rows.rows.push((line, cells));
            } else {
                let count = columns.len();
                let expected = Say::new(format!("{count} 列，用制表符隔开"), format!("{count} columns, separated by tabs"));
                let found = Say::new(format!("{} 列", cells.len()), format!("{} columns", cells.len()));
                defects.extend(rows.defect(line, Code::BadRow, expected, found));
            }
        }
        rows
    }

    fn defect(&self, line: u64, code: Code, expected: impl Into<Say>, found: impl Into<Say>) -> Vec<Defect> {
        let mut check = Check::new(self.file.into(), line);
        check.add(code, expected, found);
        check.defects
    }
}

/// A name of a list, or a defect that gives the list.
fn named<T: std::str::FromStr<Err = crate::lang::Unknown>>(
    rows: &Rows<'_>,
    line: u64,
    text: &str,
    defects: &mut Vec<Defect>,
) -> Option<T> {
    match text.parse() {
        Ok(known) => Some(known),
        Err(unknown) => {
            defects.extend(rows.defect(line, Code::BadKind, Say::same(unknown.known.join(" / ")), Say::same(text)));
            None
        }
    }
}

impl Lexicon {
    /// Reads the tables of a folder.
    pub fn read(folder: &Path) -> Result<(Lexicon, Vec<Defect>), ReadError> {
        let mut files = Vec::new();
        for (name, _) in FILES {
            let path = folder.join(name);
            let mut text = String::new();
            let read = Source::open(&path)?.read_to_string(&mut text);
            read.map_err(|error| ReadError::Read { file: path.display().to_string(), error })?;
            files.push((path.display().to_string(), text));
        }
        Ok(Lexicon::parse(&files))
    }

    /// Reads tables given as (file name, text), in the order of [`FILES`].
    pub fn parse(files: &[(String, String)]) -> (Lexicon, Vec<Defect>) {
        let mut defects = Vec::new();
        let mut lexicon = Lexicon::default();
        let mut tables = files.iter().zip(FILES).map(|((name, text), (_, columns))| Rows::of(name, text, columns, &mut defects));
        let [words, groups, kinds, nouns, abstracts, temporals, fixed] = std::array::from_fn(|_| tables.next());
        drop(tables);
        let found = &mut defects;
        if let Some(rows) = words {
            lexicon.read_words(&rows, found);
            if let Some(groups) = groups {
                lexicon.read_groups(&groups, found);
            }
            lexicon.find_lonely(&rows, found);
        }
        if let Some(rows) = kinds {
            lexicon.read_kinds(&rows, found);
        }
        if let Some(rows) = nouns {
            lexicon.read_nouns(&rows, found);
        }
        if let Some(rows) = abstracts {
            lexicon.read_abstracts(&rows, found);
        }
        for (rows, words) in [(temporals, &mut lexicon.temporals), (fixed, &mut lexicon.fixed)] {
            let Some(rows) = rows else { continue };
            for (line, cells) in &rows.rows {
                if !words.insert(cells[0].into()) {
                    found.extend(rows.defect(*line, Code::RepeatedEntry, Say::new("每词一行", "one row a word"), cells[0]));
                }
            }
        }
        (lexicon, defects)
    }

    fn read_words(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let class: Option<Class> = named(rows, *line, cells[1], defects);
            let model: Option<Option<Model>> =
                if cells[2] == "-" { Some(None) } else { named(rows, *line, cells[2], defects).map(Some) };
            let (Some(class), Some(model)) = (class, model) else { continue };
            if self.has(cells[0], class) {
                let expected = Say::new("一个词在一个词类里一行", "one row for a word in a class");
                defects.extend(rows.defect(*line, Code::RepeatedEntry, expected, format!("{} {class}", cells[0])));
                continue;
            }
            let word = SmolStr::new(cells[0]);
            self.index.entry(word.clone()).or_default().push(self.entries.len() as u32);
            self.entries.push(Entry { word, class, model, note: cells[3].into(), groups: SmallVec::new() });
        }
    }

    fn read_groups(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let Some(class) = named::<Class>(rows, *line, cells[1], defects) else { continue };
            if self.groups.iter().any(|group| group.name == cells[0]) {
                defects.extend(rows.defect(*line, Code::RepeatedEntry, Say::new("组名不重复", "a name of its own"), cells[0]));
                continue;
            }
            let number = self.groups.len() as u32;
            let mut members: Vec<SmolStr> = Vec::new();
            for word in cells[2].split_whitespace() {
                if members.iter().any(|member| member == word) {
                    let expected = Say::new("组里每词一次", "each word once in a group");
                    defects.extend(rows.defect(*line, Code::RepeatedEntry, expected, word));
                    continue;
                }
                let Some(entry) =
                    self.index.get(word).into_iter().flatten().find(|at| self.entries[**at as usize].class == class)
                else {
                    let expected = Say::new(format!("words.tsv 里的 {class}"), format!("a {class} of words.tsv"));
                    defects.extend(rows.defect(*line, Code::UnknownWord, expected, word));
                    continue;
                };
                self.entries[*entry as usize].groups.push(number);
                members.push(word.into());
            }
            let even = |a: &SmolStr, b: &SmolStr| syllables(a) == syllables(b) || a.chars().count() == b.chars().count();
            if let Some(odd) = members.iter().find(|word| !even(word, &members[0])) {
                let count = syllables(&members[0]);
                let expected =
                    Say::new(format!("{count} 个音节，如 {}", members[0]), format!("{count} syllables, as {} has", members[0]));
                defects.extend(rows.defect(*line, Code::UnevenGroup, expected, odd.as_str()));
            }
            if members.len() < 2 {
                let expected = Say::new("至少两个词", "at least two words");
                defects.extend(rows.defect(*line, Code::BadRow, expected, cells[2]));
            }
            self.groups.push(Group { name: cells[0].into(), class, words: members, note: cells[3].into() });
        }
    }

    /// Words that nothing can take the place of, unless a remark says that this is meant.
    fn find_lonely(&self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let entry = cells[1].parse().ok().and_then(|class| self.entry(cells[0], class));
            if entry.is_some_and(|entry| entry.groups.is_empty() && !entry.note.starts_with(NO_RIVAL)) {
                let expected = Say::new(
                    format!("groups.tsv 里的一组，或以 {NO_RIVAL} 开头的备注"),
                    format!("a group in groups.tsv, or a note that begins with `{NO_RIVAL}`"),
                );
                defects.extend(rows.defect(*line, Code::LonelyWord, expected, cells[0]));
            }
        }
    }

    fn read_kinds(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            if self.kinds.iter().any(|kind| kind.name == cells[0]) {
                defects.extend(rows.defect(*line, Code::RepeatedEntry, Say::new("每类一行", "one row a kind"), cells[0]));
                continue;
            }
            let mut takes = Vec::new();
            for word in cells[2].split_whitespace() {
                self.take(word, rows, *line, defects, &mut takes);
            }
            self.kinds.push(Kind { name: cells[0].into(), zh: cells[1].into(), takes });
        }
    }

    fn read_nouns(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let Some(kind) = self.kinds.iter().position(|kind| kind.name == cells[1]) else {
                let known: Vec<&str> = self.kinds.iter().map(|kind| kind.name.as_str()).collect();
                defects.extend(rows.defect(*line, Code::BadKind, known.join(" / "), cells[1]));
                continue;
            };
            let mut takes = self.kinds[kind].takes.clone();
            for change in cells[2].split_whitespace().filter(|change| *change != "-") {
                match (change.strip_prefix('+'), change.strip_prefix('-')) {
                    (Some(word), _) => self.take(word, rows, *line, defects, &mut takes),
                    (_, Some(word)) => takes.retain(|taken| taken != word),
                    _ => defects.extend(rows.defect(*line, Code::BadNotation, Say::new("+上 或 -里", "+上 or -里"), change)),
                }
            }
            let word = SmolStr::new(cells[0]);
            if self.nouns.insert(word.clone(), Noun { word, kind: kind as u32, takes }).is_some() {
                defects.extend(rows.defect(*line, Code::RepeatedEntry, Say::new("每词一行", "one row a noun"), cells[0]));
            }
        }
    }

    fn take(&self, word: &str, rows: &Rows<'_>, line: u64, defects: &mut Vec<Defect>, takes: &mut Vec<SmolStr>) {
        if !self.has(word, Class::Locative) {
            defects.extend(rows.defect(
                line,
                Code::UnknownWord,
                Say::new("words.tsv 里的方位词", "a locative of words.tsv"),
                word,
            ));
        } else if takes.iter().all(|taken| taken != word) {
            takes.push(word.into());
        }
    }

    fn read_abstracts(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            if self.nouns.contains_key(cells[0]) {
                let expected = Say::new("不在 nouns.tsv 里", "no noun of nouns.tsv");
                defects.extend(rows.defect(*line, Code::RepeatedEntry, expected, cells[0]));
            }
            if !self.abstracts.insert(cells[0].into()) {
                defects.extend(rows.defect(*line, Code::RepeatedEntry, Say::new("每词一行", "one row a noun"), cells[0]));
            }
        }
    }
}
