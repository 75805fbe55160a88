//! How far annotators agree, whose marks stand out, and what becomes gold.
//!
//! Marks are a table of items by annotators. Kappas and alpha are read off it, all with the same bootstrap over origins; marks that are spans or tuples are
//! held against each other by the task's own scorer. Nobody is left out silently: outliers are named with the rule that names them, and numbers are given with
//! and without them. Triage turns agreed marks into gold that says who said what and by which rule.

mod alpha;
mod answers;
mod band;
mod grade;
mod inquire;
mod kappa;
mod level;
mod marks;
mod matrix;
mod measure;
mod outcome;
mod outlier;
mod read;
mod render;
mod report;
mod triage;

pub(crate) use answers::label;
pub use answers::{AnswerSet, PairScores, ScoredPair, differing_texts, marks_of, read_answers, score_pairs};
pub use band::Band;
pub use grade::{CheckQuestion, Grade, GradeRule, Graded, Rate, Review, grade, read_checks, read_reviews};
pub use inquire::{InquireError, Inquiry};
pub use kappa::{Confusion, Weights};
pub use level::{Level, UNFIT, is_unfit};
pub use marks::{MOST_COMPARED, MOST_LABELS, Mark, Marks, Scale};
pub use matrix::Matrix;
pub use measure::Measure;
pub use outcome::Outcome;
pub(crate) use outlier::median;
pub use outlier::{Apart, Outlier, OutlierRule, outliers};
pub use read::read_marks;
pub use render::{Report, TriageReport};
pub use report::{Agreement, Annotator, Camp, MOST_PAIRS, MOST_PEOPLE, Options, Pair, agree};
pub use triage::{Decided, Decision, Keep, Path, PathCount, Policy, Rest, Triaged, triage};

use serde::Serialize;

use crate::lang::{Words, words};

/// Why marks cannot be looked at.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AgreeError {
    /// Too many labels.
    #[error("expected at most {most} labels, found {found}; free text is no label")]
    TooManyLabels {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Too many marks on the same items.
    #[error("expected at most {most} pairs of marks on one item, found {found}; are the annotators people?")]
    TooManyPairs {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The policy of 2022 on labels that have no extremes.
    #[error("expected levels or ordered labels, of which two are extremes, found names or numbers")]
    NoExtremes,
}

/// Why a measure has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undefined {
    /// Nobody to agree with.
    OneAnnotator,
    /// No item was marked by two.
    NoOverlap,
    /// Fewer shared items than asked for.
    FewShared,
    /// Only one label occurs: chance alone would give full agreement.
    OneLabel,
    /// Fleiss' kappa asks for equally many marks on every item.
    Uneven,
    /// The labels have no order.
    NoOrder,
}

impl Undefined {
    /// The reason in words.
    pub const fn words(self) -> Words {
        match self {
            Undefined::OneAnnotator => words("每题只有一人标注", "one annotator an item"),
            Undefined::NoOverlap => words("没有共同标注的题", "no item in common"),
            Undefined::FewShared => words("共同标注的题太少", "too few items in common"),
            Undefined::OneLabel => words("只出现一种标签", "only one label occurs"),
            Undefined::Uneven => words("各题的标注人数不同，请看 alpha", "items have different numbers of marks; see alpha"),
            Undefined::NoOrder => words("标签没有顺序", "the labels have no order"),
        }
    }
}

/// A measure, or why it has no value; never a number that is none.
pub type Value = Result<f64, Undefined>;
