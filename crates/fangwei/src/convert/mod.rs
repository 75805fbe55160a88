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
pub mod label_studio;
pub mod names;
pub mod note;
pub mod pattern;
mod read;
pub mod roles;
pub mod sheet;

pub use attribute::{Agreement, agreement, agreement_of};
pub use format::{FORMATS, Format, Layout};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::lang::{Words, nearest, words};
use crate::record::{Defect, ReadError, Source};

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
    fn new(conversion: &dyn Conversion, read: u64, written: usize) -> Report {
        let (from, to, written) = (conversion.from().to_owned(), conversion.to().to_owned(), written as u64);
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
pub trait Conversion: Sync + Send {
    /// The name of what is read.
    fn from(&self) -> &'static str;

    /// The name of what is written.
    fn to(&self) -> &'static str;

    /// What it does, in a line.
    fn title(&self) -> Words;

    /// Converts. Files of a folder are given one by one, each under its path.
    fn run(&self, inputs: Vec<Source>, options: &Options) -> Result<Converted, ReadError>;
}

impl std::fmt::Debug for dyn Conversion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {}", self.from(), self.to())
    }
}

macro_rules! with_tools {
    ($($task:literal)*) => { [$(
        &conll::ToConll { task: $task } as &dyn Conversion,
        &brat::ToBrat { task: $task },
        &brat::FromBrat { task: $task },
        &label_studio::ToLabelStudio { task: $task },
        &label_studio::FromLabelStudio { task: $task },
    )*] };
}

macro_rules! with_flat {
    ($($task:literal)*) => { [$(&flat::ToFlat { task: $task } as &dyn Conversion, &flat::FromFlat { task: $task },)*] };
}

const BETWEEN_YEARS: [&dyn Conversion; 3] = [&roles::Forward, &roles::Back, &attribute::ToAnomaly];
const SHEETS: [&dyn Conversion; 6] = [
    &sheet::FromSheet { task: "2021/judge" },
    &sheet::FromSheet { task: "2021/reason" },
    &sheet::FromSheet { task: "2021/joint" },
    &sheet::ToSheet { task: "2021/judge" },
    &sheet::ToSheet { task: "2021/reason" },
    &sheet::ToSheet { task: "2021/joint" },
];
const TOOLS: [&dyn Conversion; 20] = with_tools!("2022/attribute" "2022/roles" "2023/anomaly" "2023/roles");
const FLAT: [&dyn Conversion; 18] = with_flat!(
    "2021/judge" "2021/reason" "2021/joint" "2022/judge" "2022/attribute" "2022/roles" "2023/anomaly" "2023/roles" "2023/scene"
);

/// Every conversion there is.
pub const CONVERSIONS: &[&dyn Conversion] = &{
    let mut all: [&dyn Conversion; 47] = [&roles::Forward; 47];
    let parts: [&[&dyn Conversion]; 4] = [&BETWEEN_YEARS, &SHEETS, &TOOLS, &FLAT];
    let (mut at, mut part) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[at] = parts[part][i];
            (at, i) = (at + 1, i + 1);
        }
        part += 1;
    }
    assert!(at == all.len(), "the slice has a place for each conversion");
    all
};

/// A pair of formats that no conversion joins.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no conversion from {from} to {to}{}; known: {}", hint(.nearest.as_deref()), .known.join(", "))]
pub struct UnknownConversion {
    /// What was to be read.
    pub from: String,
    /// What was to be written.
    pub to: String,
    /// The pair that was perhaps meant.
    pub nearest: Option<String>,
    /// What there is: from the format asked for where it is known, otherwise everything.
    pub known: Vec<String>,
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|pair| format!(" (did you mean {pair}?)")).unwrap_or_default()
}

/// The conversion between two formats; official numbers of tasks (`2022/task3`) serve as names too.
pub fn find(from: &str, to: &str) -> Result<&'static dyn Conversion, UnknownConversion> {
    let (from_id, to_id) = (task_id(from), task_id(to));
    if let Some(found) = CONVERSIONS.iter().find(|known| known.from() == from_id && known.to() == to_id) {
        return Ok(*found);
    }
    let pair = |known: &&dyn Conversion| format!("{} {}", known.from(), known.to());
    let pairs: Vec<String> = CONVERSIONS.iter().map(pair).collect();
    let from_here: Vec<String> = CONVERSIONS.iter().filter(|known| known.from() == from_id).map(pair).collect();
    Err(UnknownConversion {
        from: from.to_owned(),
        to: to.to_owned(),
        nearest: nearest(&format!("{from_id} {to_id}"), pairs.iter().map(String::as_str)).map(ToOwned::to_owned),
        known: if from_here.is_empty() { pairs } else { from_here },
    })
}

fn task_id(name: &str) -> &str {
    crate::tasks::find(name).map_or(name, |task| task.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_unique_and_their_formats_are_listed() {
        let mut pairs: Vec<_> = CONVERSIONS.iter().map(|known| (known.from(), known.to())).collect();
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
        assert_eq!(find("2022/task3", "2023/task2").map(Conversion::to), Ok("2023/roles"));
        let error = find("2022/roles", "2023/rolls").expect_err("a typing error");
        assert_eq!(error.nearest.as_deref(), Some("2022/roles 2023/roles"));
        assert!(error.known.iter().all(|pair| pair.starts_with("2022/roles ")), "{error}");
        assert_eq!(find("weather", "brat").expect_err("no such format").known.len(), CONVERSIONS.len());
    }
}
