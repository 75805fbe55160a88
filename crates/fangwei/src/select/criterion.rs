//! The criteria in the order in which they are asked: each is one number of a passage and the limit that it must keep.

use serde::Serialize;

use super::config::Config;
use super::evidence::Evidence;
use crate::lang::{Words, words};

/// How far a number may go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

impl Limit {
    /// Whether a number keeps the limit.
    pub fn holds(self, number: f64) -> bool {
        match self {
            Limit::AtLeast(least) => number >= least,
            Limit::AtMost(most) => number <= most,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::AtLeast(least) => write!(f, "≥ {least}"),
            Limit::AtMost(most) => write!(f, "≤ {most}"),
        }
    }
}

/// A reason for which a passage may fall.
#[derive(Clone, Copy)]
pub struct Criterion {
    /// The name in reports.
    pub name: &'static str,
    /// What the number is.
    pub title: Words,
    value: fn(&Evidence<'_>) -> f64,
    limit: fn(&Config) -> Limit,
}

impl Criterion {
    /// The number of a passage.
    pub fn value(&self, evidence: &Evidence<'_>) -> f64 {
        (self.value)(evidence)
    }

    /// The limit that a configuration sets.
    pub fn limit(&self, config: &Config) -> Limit {
        (self.limit)(config)
    }
}

impl std::fmt::Debug for Criterion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const fn at_most(count: usize) -> Limit {
    Limit::AtMost(count as f64)
}

const fn at_least(count: usize) -> Limit {
    Limit::AtLeast(count as f64)
}

/// Every criterion, in the order in which they are asked; the dear ones last.
pub const CRITERIA: &[Criterion] = &[
    Criterion {
        name: "spatial",
        title: words("空间词个数", "spatial words"),
        value: |evidence| evidence.spatial as f64,
        limit: |config| at_least(config.min_spatial),
    },
    Criterion {
        name: "density",
        title: words("空间词加权密度（每百字）", "weighted spatial words per 100 characters"),
        value: |evidence| evidence.density(),
        limit: |config| Limit::AtLeast(config.min_density),
    },
    Criterion {
        name: "entities",
        title: words("不同的实体词", "different words for entities"),
        value: |evidence| evidence.entities.len() as f64,
        limit: |config| at_least(config.min_entities),
    },
    Criterion {
        name: "strange",
        title: words("异常字符", "strange characters"),
        value: |evidence| evidence.surface.strange as f64,
        limit: |config| at_most(config.max_strange),
    },
    Criterion {
        name: "unpaired",
        title: words("不成对的引号和括号", "unpaired quotation marks and brackets"),
        value: |evidence| evidence.surface.unpaired as f64,
        limit: |config| at_most(config.max_unpaired),
    },
    Criterion {
        name: "doubled",
        title: words("重复的标点和助词", "doubled stops and particles"),
        value: |evidence| evidence.surface.doubled as f64,
        limit: |config| at_most(config.max_doubled),
    },
    Criterion {
        name: "foreign",
        title: words("字母和数字的比例", "share of letters and digits"),
        value: |evidence| evidence.surface.foreign,
        limit: |config| Limit::AtMost(config.max_foreign),
    },
    Criterion {
        name: "unended",
        title: words("句末没有标点", "without an end"),
        value: |evidence| f64::from(!evidence.surface.ended),
        limit: |config| at_most(usize::from(!config.ended)),
    },
    Criterion {
        name: "crumbs",
        title: words("单字词的比例（空间词除外）", "share of words of one character, spatial ones aside"),
        value: |evidence| evidence.surface.crumbs,
        limit: |config| Limit::AtMost(config.max_crumbs),
    },
    Criterion {
        name: "doubts",
        title: words("标注存疑的词的比例", "share of words of doubtful tagging"),
        value: |evidence| evidence.doubts(),
        limit: |config| Limit::AtMost(config.max_doubts),
    },
    Criterion {
        name: "guessed",
        title: words("被猜中的空间词的比例", "share of spatial words that were guessed"),
        value: |evidence| evidence.guessed(),
        limit: |config| Limit::AtMost(config.max_guessed),
    },
    Criterion {
        name: "hard",
        title: words("没有猜中的空间词", "spatial words that were not guessed"),
        value: |evidence| evidence.hard() as f64,
        limit: |config| at_least(config.min_hard),
    },
];
