//! From one year's format to another's, and to and from the formats of other tools.
//!
//! A [`Conversion`] takes named streams and gives named files in memory, every defect with its place, and a [`Report`] of what was read, written, kept
//! out and lost. [`CONVERSIONS`] lists all of them; [`FORMATS`] says what each name holds. Choices that hold everywhere:
//!
//! - Places are code points, in every format. Label Studio of before 2022 wrote UTF-16 code units; its files are told by their `text` (see [`mod@label_studio`]).
//! - A record that the other format cannot hold is a defect and is kept out; what a tool cannot show travels in a note beside it (see [`mod@note`]).
//! - Several inputs of one format are read one after another into one output.
//!
//! ```
//! use fangwei::convert::{Options, find};
//! use fangwei::record::Source;
//!
//! let item = r#"{"qid":"1","context":"猫在箱子里","corefs":[],"outputs":[]}"#;
//! let converted = find("2022/roles", "2023/roles")?.run(vec![Source::from_bytes("items", item)?], &Options::default())?;
//! assert_eq!(converted.report.written, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attribute;
pub mod brat;
pub mod conll;
pub mod doc;
pub mod flat;
mod format;
mod judge;
pub mod label_studio;
pub mod names;
pub mod note;
pub mod pattern;
pub(crate) mod read;
pub mod roles;
pub mod sheet;

pub use attribute::{Agreement, agreement, agreement_of};
pub use format::{FORMATS, Format, Layout};

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::lang::{Unknown, Words, words};
use crate::record::{Defect, OpenError, ReadError, Source};

/// A file that a conversion made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutFile {
    /// Its path within the output folder. Where there is one file only, its name is a proposal.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl OutFile {
    fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> OutFile {
        OutFile { path: path.into(), bytes: bytes.into() }
    }
}

/// What only some conversions ask for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `meta.team_name` of a 2021 sheet.
    pub team_name: String,
    /// `meta.institution` of a 2021 sheet.
    pub institution: String,
    /// `meta.email` of a 2021 sheet.
    pub email: String,
    /// Between the role tasks of 2022 and 2023: identifiers get the other year's task number.
    pub renumber: bool,
}

/// What a conversion did, in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// The format read.
    pub from: String,
    /// The format written.
    pub to: String,
    /// Records that were found, readable or not.
    pub read: u64,
    /// Records that were written.
    pub written: u64,
    /// Records that were found and not written; each has a defect, or is the loss `answered-twice`.
    pub kept_out: u64,
    /// What the other format does not say, by name, with the number of cases.
    pub lossy: BTreeMap<String, u64>,
    /// How often each pattern of `convert/pattern/patterns.tsv` applied.
    pub patterns: BTreeMap<String, u64>,
}

impl Report {
    fn new(conversion: &Conversion, read: u64, written: usize) -> Report {
        let (from, to, written) = (conversion.from.to_owned(), conversion.to.to_owned(), written as u64);
        Report { from, to, read, written, kept_out: read - written, ..Report::default() }
    }

    fn lose(&mut self, losses: impl IntoIterator<Item = &'static str>) {
        for loss in losses {
            *self.lossy.entry(loss.to_owned()).or_default() += 1;
        }
    }
}

/// What a loss in [`Report::lossy`] means.
pub fn loss_meaning(loss: &str) -> Words {
    match loss {
        "answered-twice" => words("同一题有两个答案，取后一个", "an item answered twice; the later answer is kept"),
        "coinciding-answer" => words("与另一个答案重合，只写一次", "an answer that coincides with another, written once"),
        "coreference" => words("该任务没有同指信息", "coreference, which the task does not have"),
        "extra-field" => words("任务以外的字段", "a field that is not the task's"),
        "further-annotation" => words("一题的其他标注，只取第一份", "a further annotation of an item; the first is read"),
        "loose-annotation" => words("不属于任何答案的片段", "a fragment that belongs to no answer"),
        "order-of-indexes" => words("字序的先后", "the order of indexes"),
        "order-of-roles" => words("角色的先后", "the order of roles"),
        "order-of-tuples" => words("元组的先后", "the order of tuples"),
        "reason-type" => words("归因类型", "the type of a reason"),
        "repeated-index" => words("重复的字序", "a repeated index"),
        "stale-note" => words("标注已被人修改，旧注不再适用", "a note that no longer fits what a person edited"),
        "texts" => words("文本和其他字段，答题卡只有答案", "texts and other fields: a sheet holds answers only"),
        "text-mismatch" => words("与字序不符的文字", "a text that is not what its indexes point at"),
        _ => words("", ""),
    }
}

/// What a conversion gives.
#[derive(Debug, Default)]
pub struct Converted {
    /// The files, in a fixed order.
    pub files: Vec<OutFile>,
    /// Every defect of the input, in its order.
    pub defects: Vec<Defect>,
    /// The numbers.
    pub report: Report,
}

/// A way from one format to another.
#[derive(Debug)]
pub struct Conversion {
    /// The name of what is read.
    pub from: &'static str,
    /// The name of what is written.
    pub to: &'static str,
    /// What it does, in a line.
    pub title: Words,
    run: fn(&Conversion, Vec<Source>, &Options) -> Result<Converted, ReadError>,
}

impl Conversion {
    /// Opens an input: a file, or every file of a folder and its folders that the format reads, sorted.
    pub fn open(&self, path: &Path) -> Result<Vec<Source>, OpenError> {
        if !path.is_dir() {
            return Ok(vec![Source::open(path)?]);
        }
        let extensions = FORMATS.iter().find(|format| format.name == self.from).map_or(&[][..], |format| format.extensions);
        let failed = |error| OpenError { file: path.display().to_string(), error };
        let files = files_in(path, extensions).map_err(failed)?;
        if files.is_empty() {
            let what = format!("expected files that end in {}, found none", extensions.join(" "));
            return Err(failed(io::Error::new(io::ErrorKind::NotFound, what)));
        }
        files.iter().map(Source::open).collect()
    }

    /// Converts. Files of a folder are given one by one, each under its path.
    pub fn run(&self, inputs: Vec<Source>, options: &Options) -> Result<Converted, ReadError> {
        (self.run)(self, inputs, options)
    }
}

fn files_in(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_in(&path, extensions)?);
        } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| extensions.contains(&end)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Every conversion there is.
pub const CONVERSIONS: &[Conversion] = &[
    roles::FORWARD,
    roles::BACK,
    attribute::TO_ANOMALY,
    judge::FORWARD,
    judge::BACK,
    sheet::from("2021/judge"),
    sheet::from("2021/reason"),
    sheet::from("2021/joint"),
    sheet::to("2021/judge"),
    sheet::to("2021/reason"),
    sheet::to("2021/joint"),
    conll::to("2022/attribute"),
    brat::to("2022/attribute"),
    brat::from("2022/attribute"),
    label_studio::to("2022/attribute"),
    label_studio::from("2022/attribute"),
    conll::to("2022/roles"),
    brat::to("2022/roles"),
    brat::from("2022/roles"),
    label_studio::to("2022/roles"),
    label_studio::from("2022/roles"),
    conll::to("2023/anomaly"),
    brat::to("2023/anomaly"),
    brat::from("2023/anomaly"),
    label_studio::to("2023/anomaly"),
    label_studio::from("2023/anomaly"),
    conll::to("2023/roles"),
    brat::to("2023/roles"),
    brat::from("2023/roles"),
    label_studio::to("2023/roles"),
    label_studio::from("2023/roles"),
    flat::to("2021/judge"),
    flat::from("2021/judge"),
    flat::to("2021/reason"),
    flat::from("2021/reason"),
    flat::to("2021/joint"),
    flat::from("2021/joint"),
    flat::to("2022/judge"),
    flat::from("2022/judge"),
    flat::to("2022/attribute"),
    flat::from("2022/attribute"),
    flat::to("2022/roles"),
    flat::from("2022/roles"),
    flat::to("2023/anomaly"),
    flat::from("2023/anomaly"),
    flat::to("2023/roles"),
    flat::from("2023/roles"),
    flat::to("2023/scene"),
    flat::from("2023/scene"),
];

/// The conversion between two formats; official numbers of tasks (`2022/task3`) serve as names too. An unknown pair is answered with what can be made of
/// the format that was asked for or, where that is unknown, with everything.
pub fn find(from: &str, to: &str) -> Result<&'static Conversion, Unknown> {
    let (from_id, to_id) = (task_id(from), task_id(to));
    if let Some(found) = CONVERSIONS.iter().find(|known| known.from == from_id && known.to == to_id) {
        return Ok(found);
    }
    let pair = |known: &Conversion| format!("{} {}", known.from, known.to);
    let is_known = CONVERSIONS.iter().any(|known| known.from == from_id);
    let known = CONVERSIONS.iter().filter(|known| !is_known || known.from == from_id).map(pair);
    Err(Unknown::new(words("没有这种转换", "no conversion"), &format!("{from_id} {to_id}"), known))
}

fn task_id(name: &str) -> &str {
    crate::tasks::find(name).map_or(name, |task| task.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_unique_and_their_formats_are_listed() {
        let mut pairs: Vec<_> = CONVERSIONS.iter().map(|known| (known.from, known.to)).collect();
        for (from, to) in &pairs {
            for name in [from, to] {
                assert!(FORMATS.iter().any(|format| format.name == *name), "{name} is not listed");
            }
        }
        pairs.sort_unstable();
        let all = pairs.len();
        pairs.dedup();
        assert_eq!(pairs.len(), all);
    }

    #[test]
    fn an_unknown_pair_is_answered_with_the_nearest_and_the_list() {
        assert_eq!(find("2022/task3", "2023/task2").map(|known| known.to), Ok("2023/roles"));
        let error = find("2022/roles", "2023/rolls").expect_err("a typing error");
        assert_eq!(error.nearest.as_deref(), Some("2022/roles 2023/roles"));
        assert!(error.known.iter().all(|pair| pair.starts_with("2022/roles ")), "{error}");
        assert_eq!(find("weather", "brat").expect_err("no such format").known.len(), CONVERSIONS.len());
    }
}
