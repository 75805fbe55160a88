//! Reads the tables of a lexicon and says everything that is wrong with them. Of two rows with the same name the first counts.

use std::io::Read as _;
use std::path::Path;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::rows::Rows;
use super::{Class, Entry, Group, Kind, Lexicon, Model, Noun, syllables};
use crate::lang::Say;
use crate::record::{Check, Code, Defect, ReadError, Source};

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

/// The tables that come with the program, as (file name, text), in the order of [`FILES`]: a start for a lexicon of one's own.
pub const SHIPPED: [(&str, &str); 7] = [
    ("words.tsv", include_str!("../../../../data/lexicon/words.tsv")),
    ("groups.tsv", include_str!("../../../../data/lexicon/groups.tsv")),
    ("kinds.tsv", include_str!("../../../../data/lexicon/kinds.tsv")),
    ("nouns.tsv", include_str!("../../../../data/lexicon/nouns.tsv")),
    ("abstract.tsv", include_str!("../../../../data/lexicon/abstract.tsv")),
    ("temporal.tsv", include_str!("../../../../data/lexicon/temporal.tsv")),
    ("fixed.tsv", include_str!("../../../../data/lexicon/fixed.tsv")),
];

/// A remark that a word has no rival on purpose.
const NO_RIVAL: &str = "no rival";

impl Lexicon {
    /// Reads the tables of a folder.
    pub fn read(folder: &Path) -> Result<(Lexicon, Vec<Defect>), ReadError> {
        let mut defects = Vec::new();
        let mut files = Vec::new();
        for (name, _) in FILES {
            let file = folder.join(name).display().to_string();
            let failed = |error| ReadError { file: file.as_str().into(), error };
            let mut bytes = Vec::new();
            let mut source = Source::open(&file).map_err(|unopened| failed(unopened.error))?;
            source.read_to_end(&mut bytes).map_err(failed)?;
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                let good = error.utf8_error().valid_up_to();
                let line = error.as_bytes()[..good].split(|byte| *byte == b'\n').count() as u64;
                let mut check = Check::new(file.as_str().into(), line);
                check.add(Code::BadEncoding, "UTF-8", format!("{:02X?}", &error.as_bytes()[good..][..1]));
                defects.append(&mut check.defects);
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            });
            files.push((file, text));
        }
        let (lexicon, found) = Lexicon::parse(&files);
        defects.extend(found);
        Ok((lexicon, defects))
    }

    /// Reads tables given as (file name, text), in the order of [`FILES`]; what is not given is empty.
    pub fn parse<T: AsRef<str>>(files: &[(T, T)]) -> (Lexicon, Vec<Defect>) {
        let mut defects = Vec::new();
        let mut lexicon = Lexicon::default();
        let mut tables = files
            .iter()
            .zip(FILES)
            .map(|((name, text), (_, columns))| Rows::of(name.as_ref(), text.as_ref(), columns, &mut defects));
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
            let elsewhere = |word: &str| lexicon.nouns.contains_key(word).then_some("nouns.tsv");
            lexicon.abstracts = read_list(&rows, elsewhere, found);
        }
        if let Some(rows) = temporals {
            lexicon.temporals = read_list(&rows, |_| None, found);
        }
        if let Some(rows) = fixed {
            let elsewhere = |word: &str| lexicon.index.contains_key(word).then_some("words.tsv");
            lexicon.fixed = read_list(&rows, elsewhere, found);
        }
        // A word is lonely only after the groups were read; people go through a table from top to bottom.
        defects.sort_by_key(|defect: &Defect| (files.iter().position(|(name, _)| name.as_ref() == &*defect.file), defect.line));
        (lexicon, defects)
    }

    fn read_words(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let class: Option<Class> = rows.named(defects, *line, cells[1]);
            let model: Option<Option<Model>> =
                if cells[2] == "-" { Some(None) } else { rows.named(defects, *line, cells[2]).map(Some) };
            let (Some(class), Some(model)) = (class, model) else { continue };
            if self.has(cells[0], class) {
                let expected = Say::new("一个词在一个词类里一行", "one row for a word in a class");
                rows.defect(defects, *line, Code::RepeatedEntry, expected, format!("{} {class}", cells[0]));
                continue;
            }
            let word = SmolStr::new(cells[0]);
            self.index.entry(word.clone()).or_default().push(self.entries.len() as u32);
            self.entries.push(Entry { word, class, model, note: cells[3].into(), groups: SmallVec::new() });
        }
    }

    fn read_groups(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            let Some(class) = rows.named::<Class>(defects, *line, cells[1]) else { continue };
            if self.group(cells[0]).is_some() {
                rows.defect(defects, *line, Code::RepeatedEntry, Say::new("组名不重复", "a name of its own"), cells[0]);
                continue;
            }
            let number = self.groups.len() as u32;
            let mut members: Vec<SmolStr> = Vec::new();
            for word in cells[2].split_whitespace() {
                if members.iter().any(|member| member == word) {
                    let expected = Say::new("组里每词一次", "each word once in a group");
                    rows.defect(defects, *line, Code::RepeatedEntry, expected, word);
                    continue;
                }
                let numbers = self.index.get(word).into_iter().flatten();
                let Some(entry) = numbers.copied().find(|at| self.entries[*at as usize].class == class) else {
                    let expected = Say::new(format!("words.tsv 里的 {class}"), format!("a {class} of words.tsv"));
                    rows.defect(defects, *line, Code::UnknownWord, expected, word);
                    continue;
                };
                self.entries[entry as usize].groups.push(number);
                members.push(word.into());
            }
            if let Some((first, odd)) = uneven(&members) {
                let count = syllables(first);
                let expected = Say::new(format!("{count} 个音节，如 {first}"), format!("{count} syllables, as {first} has"));
                rows.defect(defects, *line, Code::UnevenGroup, expected, odd);
            }
            if members.len() < 2 {
                rows.defect(defects, *line, Code::BadRow, Say::new("至少两个词", "at least two words"), cells[2]);
            }
            self.groups.push(Group { name: cells[0].into(), class, words: members, note: cells[3].into() });
        }
    }

    /// Words that nothing can take the place of, unless a remark says that this is meant.
    fn find_lonely(&self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        let mut told = FxHashSet::default();
        for (line, cells) in &rows.rows {
            let Some(entry) = cells[1].parse().ok().and_then(|class| self.entry(cells[0], class)) else { continue };
            let alone = self.rivals(&entry.word, entry.class).is_empty();
            if alone && !entry.note.starts_with(NO_RIVAL) && told.insert((&entry.word, entry.class)) {
                let expected = Say::new(
                    format!("groups.tsv 里的一组，或以 {NO_RIVAL} 开头的备注"),
                    format!("a group in groups.tsv, or a note that begins with `{NO_RIVAL}`"),
                );
                rows.defect(defects, *line, Code::LonelyWord, expected, cells[0]);
            }
        }
    }

    fn read_kinds(&mut self, rows: &Rows<'_>, defects: &mut Vec<Defect>) {
        for (line, cells) in &rows.rows {
            if self.kinds.iter().any(|kind| kind.name == cells[0]) {
                rows.defect(defects, *line, Code::RepeatedEntry, Say::new("每类一行", "one row a kind"), cells[0]);
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
                rows.defect(defects, *line, Code::BadKind, known.join(" / "), cells[1]);
                continue;
            };
            let mut takes = self.kinds[kind].takes.clone();
            for change in cells[2].split_whitespace().filter(|change| *change != "-") {
                match (change.strip_prefix('+'), change.strip_prefix('-')) {
                    (Some(word), _) => self.take(word, rows, *line, defects, &mut takes),
                    (_, Some(word)) if takes.iter().any(|taken| taken == word) => takes.retain(|taken| taken != word),
                    (_, Some(_)) => {
                        let list = self.kinds[kind].takes.join(" ");
                        let expected = Say::new(
                            format!("{} 所带的方位词：{list}", cells[1]),
                            format!("a locative that {} takes: {list}", cells[1]),
                        );
                        rows.defect(defects, *line, Code::UnknownWord, expected, change);
                    }
                    _ => rows.defect(defects, *line, Code::BadNotation, Say::new("+上 或 -里", "+上 or -里"), change),
                }
            }
            let word = SmolStr::new(cells[0]);
            if self.nouns.contains_key(&word) {
                rows.defect(defects, *line, Code::RepeatedEntry, Say::new("每词一行", "one row a noun"), cells[0]);
            } else {
                self.nouns.insert(word.clone(), Noun { word, kind: kind as u32, takes });
            }
        }
    }

    /// Adds a locative to those that a kind or a noun takes.
    fn take(&self, word: &str, rows: &Rows<'_>, line: u64, defects: &mut Vec<Defect>, takes: &mut Vec<SmolStr>) {
        if !self.has(word, Class::Locative) {
            rows.defect(defects, line, Code::UnknownWord, Say::new("words.tsv 里的方位词", "a locative of words.tsv"), word);
        } else if takes.iter().any(|taken| taken == word) {
            rows.defect(defects, line, Code::RepeatedEntry, Say::new("每个方位词一次", "each locative once"), word);
        } else {
            takes.push(word.into());
        }
    }
}

/// A list of words, none of which may stand in another table as well.
fn read_list(rows: &Rows<'_>, elsewhere: impl Fn(&str) -> Option<&'static str>, defects: &mut Vec<Defect>) -> FxHashSet<SmolStr> {
    let mut words = FxHashSet::default();
    for (line, cells) in &rows.rows {
        if let Some(table) = elsewhere(cells[0]) {
            let expected = Say::new(format!("不在 {table} 里的词"), format!("a word that is not in {table}"));
            rows.defect(defects, *line, Code::RepeatedEntry, expected, cells[0]);
        }
        if !words.insert(SmolStr::new(cells[0])) {
            rows.defect(defects, *line, Code::RepeatedEntry, Say::new("每词一行", "one row a word"), cells[0]);
        }
    }
    words
}

/// The first word, and one that is of another length. Words are even by syllables or, as 这里 and 这儿 are, by characters.
fn uneven(words: &[SmolStr]) -> Option<(&str, &str)> {
    let odd_by = |length: fn(&str) -> usize| words.iter().find(|word| length(word) != length(&words[0]));
    let by_syllables = odd_by(syllables)?;
    odd_by(|word| word.chars().count())?;
    Some((&words[0], by_syllables))
}
