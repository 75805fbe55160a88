//! Tables of TOML, read key by key: every defect has its line and the way to its key, and a key that nobody asks for is answered with the nearest.
//!
//! Keys may be written with `_` (as Codabench does) or with `-`.

use std::cell::RefCell;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FILE, Gate, Moment};
use crate::lang::{Say, Unknown, words};
use crate::record::{Code, Defect};

/// The defects of a file, and where its lines begin.
pub(super) struct Found<'t> {
    text: &'t str,
    defects: RefCell<Vec<Defect>>,
}

impl<'t> Found<'t> {
    pub fn new(text: &'t str) -> Found<'t> {
        Found { text, defects: RefCell::default() }
    }

    /// Notes a defect at a byte of the file.
    pub fn add(&self, at: usize, code: Code, pointer: &str, expected: impl Into<Say>, found: impl Into<Say>) {
        let before = self.text.as_bytes().get(..at.min(self.text.len())).unwrap_or_default();
        let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
        let defect = Defect {
            code,
            file: Arc::from(FILE),
            line,
            qid: None,
            pointer: pointer.to_owned(),
            expected: expected.into(),
            found: found.into(),
        };
        self.defects.borrow_mut().push(defect);
    }

    /// All defects, in the order of the lines.
    pub fn end(self) -> Vec<Defect> {
        let mut defects = self.defects.into_inner();
        defects.sort_by_key(|defect| defect.line);
        defects
    }
}

type Value<'t> = Spanned<DeValue<'t>>;

/// A value and where it stands.
#[derive(Clone)]
pub(super) struct At<'a, 't> {
    pub found: &'a Found<'t>,
    pub pointer: String,
    value: &'a Value<'t>,
}

impl<'a, 't> At<'a, 't> {
    pub fn wrong(&self, code: Code, expected: impl Into<Say>, found: impl Into<Say>) {
        self.found.add(self.value.span().start, code, &self.pointer, expected, found);
    }

    fn shown(&self) -> String {
        let text = self.found.text.get(self.value.span()).unwrap_or_default();
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
        if text.is_empty() { self.value.get_ref().type_str().to_owned() } else { text }
    }

    /// Something of another type stands here.
    pub fn not(&self, zh: &str, en: &str) {
        self.wrong(Code::BadType, Say::new(zh, en), self.shown());
    }

    /// Something of the type, but not one of these.
    pub fn bad(&self, zh: impl Into<String>, en: impl Into<String>) {
        self.wrong(Code::BadValue, Say::new(zh, en), self.shown());
    }

    /// A name that nothing has.
    pub fn unknown(&self, unknown: &Unknown) {
        let list = unknown.known.join(" ");
        let expected = match &unknown.nearest {
            Some(near) => Say::new(format!("{list}（是否指 {near}？）"), format!("{list} (did you mean {near}?)")),
            None => Say::same(list),
        };
        self.wrong(Code::UnknownName, expected, unknown.asked.to_string());
    }

    pub fn text(&self) -> Option<String> {
        match self.value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some(text.to_owned()),
            Some(_) => {
                self.bad("不为空的文字", "a text that is not empty");
                None
            }
            None => {
                self.not("文字", "a text");
                None
            }
        }
    }

    /// `"文字"`, or `{ zh = "文字", en = "text" }` of which one may be missing.
    pub fn say(&self) -> Option<Say> {
        if self.is_table() {
            let table = self.table()?;
            let (zh, en) = (table.get("zh").and_then(|at| at.text()), table.get("en").and_then(|at| at.text()));
            table.end();
            let Some(any) = zh.clone().or_else(|| en.clone()) else {
                self.bad("zh 或 en", "zh or en");
                return None;
            };
            return Some(Say::new(zh.unwrap_or_else(|| any.clone()), en.unwrap_or(any)));
        }
        if self.value.get_ref().is_str() {
            return self.text().map(Say::same);
        }
        self.not("文字，或 { zh = …, en = … }", "a text, or { zh = …, en = … }");
        None
    }

    pub fn whole(&self) -> Option<u64> {
        let number =
            self.value.get_ref().as_integer().and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        if number.is_none() {
            self.not("不小于 0 的整数", "a whole number from 0");
        }
        number
    }

    pub fn number(&self) -> Option<f64> {
        let value = self.value.get_ref();
        let float = value.as_float().map(|number| number.as_str().to_owned());
        let text = float.or_else(|| value.as_integer().map(|number| number.as_str().to_owned()));
        let number = text.and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite());
        if number.is_none() {
            self.not("数", "a number");
        }
        number
    }

    pub fn share(&self) -> Option<f64> {
        let number = self.number()?;
        if !(0.0..=1.0).contains(&number) {
            self.bad("0 到 1", "from 0 to 1");
            return None;
        }
        Some(number)
    }

    pub fn flag(&self) -> Option<bool> {
        let flag = self.value.get_ref().as_bool();
        if flag.is_none() {
            self.not("true 或 false", "true or false");
        }
        flag
    }

    /// A text, or a time as TOML writes it.
    fn time_text(&self) -> Option<String> {
        match self.value.get_ref().as_datetime() {
            Some(time) => Some(time.to_string()),
            None => self.text(),
        }
    }

    pub fn moment(&self) -> Option<Moment> {
        let text = self.time_text()?;
        match text.parse() {
            Ok(moment) => Some(moment),
            Err(_) => {
                let expected = "2022-08-12T00:00:00+08:00";
                self.wrong(
                    Code::BadTime,
                    Say::new(
                        format!("存在的、带时差的时间，如 {expected}"),
                        format!("a time that exists, with its offset, as {expected}"),
                    ),
                    text,
                );
                None
            }
        }
    }

    pub fn gate(&self) -> Option<Gate> {
        let text = self.time_text()?;
        let gate = text.parse();
        if gate.is_err() {
            self.wrong(Code::BadTime, Gate::FORMS, text);
        }
        gate.ok()
    }

    /// One of some words.
    pub fn word<T: Copy>(&self, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
        let text = self.text()?;
        let found = all.iter().copied().find(|one| name(*one) == text);
        if found.is_none() {
            self.unknown(&Unknown::new(words("没有", "no"), &text, all.iter().map(|one| name(*one))));
        }
        found
    }

    /// A path within the folder: no root, no way out of it, `/` between folders.
    pub fn path(&self) -> Option<String> {
        let text = self.text()?;
        is_inside(&text).then_some(text).or_else(|| {
            self.bad("文件夹内的相对路径", "a relative path within the folder");
            None
        })
    }

    /// The same in two languages.
    pub fn paths(&self) -> Option<Say> {
        let paths = self.say()?;
        if !is_inside(&paths.zh) || !is_inside(&paths.en) {
            self.bad("文件夹内的相对路径", "a relative path within the folder");
            return None;
        }
        Some(paths)
    }

    /// A name for addresses.
    pub fn id(&self) -> Option<String> {
        let text = self.text()?;
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if text.len() > 40 || !text.bytes().all(is_plain) || text.starts_with('-') {
            self.bad("至多 40 个小写字母、数字和 -", "at most 40 small letters, digits and -");
            return None;
        }
        Some(text)
    }

    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub fn table(&self) -> Option<Table<'a, 't>> {
        let Some(table) = self.value.get_ref().as_table() else {
            self.not("表", "a table");
            return None;
        };
        Some(Table::new(self.found, self.pointer.clone(), self.value.span().start, table))
    }

    pub fn list(&self) -> Vec<At<'a, 't>> {
        let Some(list) = self.value.get_ref().as_array() else {
            self.not("列表", "a list");
            return Vec::new();
        };
        let one = |(number, value)| At { found: self.found, pointer: format!("{}/{number}", self.pointer), value };
        list.iter().enumerate().map(one).collect()
    }
}

fn is_inside(path: &str) -> bool {
    !path.contains(['\\', ':', '\0']) && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// A table that is read key by key.
pub(super) struct Table<'a, 't> {
    pub found: &'a Found<'t>,
    pub pointer: String,
    at: usize,
    given: &'a DeTable<'t>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a, 't> Table<'a, 't> {
    pub fn new(found: &'a Found<'t>, pointer: String, at: usize, given: &'a DeTable<'t>) -> Table<'a, 't> {
        Table { found, pointer, at, given, asked: RefCell::default() }
    }

    /// The value of a key, if it is there.
    pub fn get(&self, key: &'static str) -> Option<At<'a, 't>> {
        self.asked.borrow_mut().push(key);
        let (_, value) = self.given.iter().find(|(name, _)| name.get_ref().replace('-', "_") == key)?;
        Some(At { found: self.found, pointer: format!("{}/{key}", self.pointer), value })
    }

    /// The value of a key, which must be there.
    pub fn need(&self, key: &'static str, zh: &str, en: &str) -> Option<At<'a, 't>> {
        let value = self.get(key);
        if value.is_none() {
            let pointer = format!("{}/{key}", self.pointer);
            self.found.add(self.at, Code::MissingField, &pointer, Say::new(zh, en), Say::new("没有", "nothing"));
        }
        value
    }

    /// The tables of a list, empty where there is none.
    pub fn tables(&self, key: &'static str) -> Vec<Table<'a, 't>> {
        self.get(key).map(|at| at.list()).unwrap_or_default().iter().filter_map(At::table).collect()
    }

    /// Something is wrong with the table as a whole.
    pub fn wrong(&self, code: Code, key: &str, expected: impl Into<Say>, found: impl Into<Say>) {
        let pointer = if key.is_empty() { self.pointer.clone() } else { format!("{}/{key}", self.pointer) };
        self.found.add(self.at, code, &pointer, expected, found);
    }

    /// Every key that nobody asked for is a defect.
    pub fn end(self) {
        let asked = self.asked.borrow();
        for (name, _) in self.given {
            let plain = name.get_ref().replace('-', "_");
            if !asked.contains(&plain.as_str()) {
                let unknown = Unknown::new(words("没有这一项", "unknown key"), &plain, asked.iter().copied());
                let list = unknown.known.join(" ");
                let expected = match unknown.nearest {
                    Some(near) => Say::new(format!("{list}（是否指 {near}？）"), format!("{list} (did you mean {near}?)")),
                    None => Say::same(list),
                };
                let pointer = format!("{}/{}", self.pointer, name.get_ref());
                self.found.add(name.span().start, Code::UnknownKey, &pointer, expected, name.get_ref().as_ref());
            }
        }
    }
}
