//! Why there is no release: each error says what was expected, what was found, and where.

use std::sync::Arc;

use crate::lang::{Lang, Say, Unknown};
use crate::record::{Defect, ReadError};

/// Where a record stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// The line on which the record begins.
    pub line: u64,
    /// Its identifier.
    pub qid: smol_str::SmolStr,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} {}", self.file, self.line, self.qid)
    }
}

/// Two records that may not stand as they do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clash {
    /// What is wrong between them.
    pub what: Say,
    /// The one.
    pub one: Place,
    /// The other.
    pub other: Place,
}

/// So many places are written out; the rest is counted.
const SHOWN: usize = 20;

/// Why there is no release.
#[derive(Debug)]
pub enum ReleaseError {
    /// Shares that are no whole numbers above 0.
    Shares(String),
    /// Other numbers of shares and of names.
    SplitCount {
        /// Number of shares.
        shares: usize,
        /// Number of names.
        names: usize,
    },
    /// A name of a split that cannot stand in an identifier and a path, or stands twice.
    SplitName(String),
    /// A name that nobody knows: a task, a conversion, a split.
    Unknown(Unknown),
    /// Something that must be told is not.
    Missing(&'static str),
    /// A file whose task is not told and cannot be guessed.
    NoTask(String),
    /// A file could not be read to its end.
    Read(ReadError),
    /// Records that cannot be used.
    Records(Vec<Defect>),
    /// One identifier with two answers, or a text that is not its candidate's.
    Clashes(Vec<Clash>),
    /// Answers that break rules of annotation, where the release is to be strict.
    Rules(Vec<(Place, Say)>),
    /// Siblings in two splits.
    Crossing(Vec<Clash>),
    /// Some records say their split and some do not.
    SomeSplits {
        /// The field.
        field: String,
        /// The first record without it.
        without: Place,
    },
    /// Fewer origin groups than splits.
    TooFewGroups {
        /// Number of groups.
        groups: usize,
        /// Number of splits.
        splits: usize,
    },
    /// The version before cannot be used.
    Previous(Say),
}

impl From<ReadError> for ReleaseError {
    fn from(error: ReadError) -> ReleaseError {
        ReleaseError::Read(error)
    }
}

fn list<T>(all: &[T], one: impl Fn(&T, Lang) -> String, lang: Lang) -> String {
    let more = all.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!("\n  … {more} {}", lang.say("处未列出", "more")) } else { String::new() };
    all.iter().take(SHOWN).map(|each| format!("\n  {}", one(each, lang))).collect::<String>() + &rest
}

fn clash(clash: &Clash, lang: Lang) -> String {
    format!("{} | {}: {}", clash.one, clash.other, clash.what.get(lang))
}

fn rule((place, what): &(Place, Say), lang: Lang) -> String {
    format!("{place}: {}", what.get(lang))
}

impl ReleaseError {
    /// Whether the request is wrong, not the data.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            ReleaseError::Shares(_)
                | ReleaseError::SplitCount { .. }
                | ReleaseError::SplitName(_)
                | ReleaseError::Unknown(_)
                | ReleaseError::Missing(_)
                | ReleaseError::NoTask(_)
        )
    }

    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        let zh = lang == Lang::Zh;
        match self {
            ReleaseError::Shares(text) if zh => format!("份额应为大于 0 的整数，如 7:1:2；实为 {text}"),
            ReleaseError::Shares(text) => format!("expected shares above 0 such as 7:1:2, found {text}"),
            ReleaseError::SplitCount { shares, names } if zh => format!("{shares} 份应有 {shares} 个集合名；实有 {names} 个"),
            ReleaseError::SplitCount { shares, names } => {
                format!("expected {shares} names of splits for {shares} shares, found {names}")
            }
            ReleaseError::SplitName(name) if zh => format!("集合名应为字母和数字，且不重复；实为 {name}"),
            ReleaseError::SplitName(name) => format!("expected names of splits of letters and digits, each once; found {name}"),
            ReleaseError::Unknown(unknown) => unknown.say(lang),
            ReleaseError::Missing(what) if zh => format!("缺少 {what}"),
            ReleaseError::Missing(what) => format!("{what} is missing"),
            ReleaseError::NoTask(file) if zh => format!("{file}：看不出是哪个任务的答案；请写成 任务={file}"),
            ReleaseError::NoTask(file) => format!("{file}: no task reads these records; say which it is: TASK={file}"),
            ReleaseError::Read(error) => error.to_string(),
            ReleaseError::Records(defects) if zh => format!("{} 处记录不能使用，没有写出任何文件", defects.len()),
            ReleaseError::Records(defects) => format!("{} defects make records unusable; nothing is written", defects.len()),
            ReleaseError::Clashes(clashes) if zh => format!("{} 处记录互相矛盾：{}", clashes.len(), list(clashes, clash, lang)),
            ReleaseError::Clashes(clashes) => {
                format!("{} records contradict each other:{}", clashes.len(), list(clashes, clash, lang))
            }
            ReleaseError::Crossing(clashes) if zh => {
                format!("{} 对同源记录分在不同的集合，没有写出任何文件：{}", clashes.len(), list(clashes, clash, lang))
            }
            ReleaseError::Crossing(clashes) => {
                format!("{} pairs of siblings cross splits; nothing is written:{}", clashes.len(), list(clashes, clash, lang))
            }
            ReleaseError::Rules(broken) if zh => {
                format!("{} 题的答案违反标注规则，没有写出任何文件：{}", broken.len(), list(broken, rule, lang))
            }
            ReleaseError::Rules(broken) => {
                format!(
                    "the gold of {} items breaks rules of annotation; nothing is written:{}",
                    broken.len(),
                    list(broken, rule, lang)
                )
            }
            ReleaseError::SomeSplits { field, without } if zh => format!("字段 {field} 应全有或全无；{without} 没有"),
            ReleaseError::SomeSplits { field, without } => {
                format!("expected the field {field} in all records or in none; {without} lacks it")
            }
            ReleaseError::TooFewGroups { groups, splits } if zh => {
                format!("{splits} 个集合至少要 {splits} 个同源组；实有 {groups} 个")
            }
            ReleaseError::TooFewGroups { groups, splits } => {
                format!("expected at least {splits} origin groups for {splits} splits, found {groups}")
            }
            ReleaseError::Previous(why) => why.get(lang).to_owned(),
        }
    }
}

impl std::fmt::Display for ReleaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for ReleaseError {}
