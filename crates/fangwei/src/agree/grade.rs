//! Grades of annotators: what reviewers passed, how they agree with others, and how they answered check questions.
//!
//! A grade is decided by the weakest of the rates that rest on enough cases, so that nobody hides poor work behind much of it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
use smol_str::SmolStr;

use super::marks::{Marks, Scale};
use super::read::read_label;
use crate::lang::{Say, Words, words};
use crate::record::{self, Check, Code, Defect, Fields, Json, ReadError, Source};
use crate::score::ratio;

/// One verdict of a reviewer on one annotator's mark of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The item.
    pub item: SmolStr,
    /// Whose mark was reviewed.
    pub annotator: SmolStr,
    /// Which round: 1, 2, …
    pub round: u32,
    /// Whether it passed.
    pub accept: bool,
}

/// Reads reviews: JSON lines of `{"item":"7","annotator":"甲","round":1,"accept":true}`; without `round`, the order of the file counts.
pub fn read_reviews(source: Source) -> Result<(Vec<Review>, Vec<Defect>), ReadError> {
    let (mut reviews, mut defects): (Vec<Review>, Vec<Defect>) = (Vec::new(), Vec::new());
    let mut rounds: FxHashMap<(SmolStr, SmolStr), u32> = FxHashMap::default();
    let file_defects = record::each(
        source,
        |given, check| read_review(&given, check),
        |review, check| {
            if let Some((mut review, round)) = review {
                let last = rounds.entry((review.item.clone(), review.annotator.clone())).or_default();
                review.round = round.unwrap_or(*last + 1);
                *last = review.round;
                reviews.push(review);
            }
            record::gather(&mut defects, check.defects);
        },
    )?;
    record::gather(&mut defects, file_defects);
    Ok((reviews, defects))
}

fn read_review(given: &Json<'_>, check: &mut Check) -> Option<(Review, Option<u32>)> {
    let fields = Fields::of(given, check)?;
    let item = fields.qid(&["item", "qid", "id"], check);
    let annotator = fields.text("annotator", check);
    let accept = match fields.need("accept", check)? {
        Json::Bool(accept) => Some(*accept),
        other => {
            check.at("accept", |check| check.add(Code::BadType, "true / false", other.brief()));
            None
        }
    };
    let round = match given.get("round") {
        None | Some(Json::Null) => None,
        Some(Json::Int(round @ 1..=1_000_000)) => Some(*round as u32),
        Some(other) => {
            check
                .at("round", |check| check.add(Code::BadType, Say::new("从 1 起的整数", "a whole number from 1"), other.brief()));
            return None;
        }
    };
    Some((Review { item: item?, annotator: annotator?, round: 0, accept: accept? }, round))
}

/// A check question: the item, and the label that is right.
pub type CheckQuestion = (SmolStr, SmolStr);

/// Reads check questions: JSON lines of `{"item":"7","label":"bad"}`.
pub fn read_checks(source: Source) -> Result<(Vec<CheckQuestion>, Vec<Defect>), ReadError> {
    let (mut checks, mut defects) = (Vec::new(), Vec::new());
    let read = |given: Json<'_>, check: &mut Check| {
        let fields = Fields::of(&given, check)?;
        let item = fields.qid(&["item", "qid", "id"], check);
        let label = fields.need("label", check).and_then(|label| check.at("label", |check| read_label(label, check)));
        item.zip(label.flatten())
    };
    let file_defects = record::each(source, read, |question, check| {
        checks.extend(question);
        record::gather(&mut defects, check.defects);
    })?;
    record::gather(&mut defects, file_defects);
    Ok((checks, defects))
}

/// Hits out of cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rate {
    /// Hits.
    pub hits: u64,
    /// Cases.
    pub of: u64,
}

impl Rate {
    fn add(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.of += 1;
    }

    /// The share; of nothing, none.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| ratio(self.hits as f64, self.of as f64))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            share: Option<f64>,
            hits: u64,
            of: u64,
        }
        Shown { share: self.share(), hits: self.hits, of: self.of }.serialize(serializer)
    }
}

/// A, B, C or D.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub enum Grade {
    /// Every rate is high.
    A,
    /// Good.
    B,
    /// To be watched.
    C,
    /// To be reviewed or trained again.
    D,
}

/// Where grades begin.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GradeRule {
    /// From here on A.
    pub a: f64,
    /// From here on B.
    pub b: f64,
    /// Above this C, else D.
    pub c: f64,
    /// A rate on fewer cases does not count.
    pub least_cases: u64,
}

impl Default for GradeRule {
    fn default() -> GradeRule {
        GradeRule { a: 0.9, b: 0.8, c: 0.6, least_cases: 5 }
    }
}

impl GradeRule {
    fn grade(&self, rate: f64) -> Grade {
        match rate {
            rate if rate >= self.a => Grade::A,
            rate if rate >= self.b => Grade::B,
            rate if rate > self.c => Grade::C,
            _ => Grade::D,
        }
    }

    /// The rule in words.
    pub fn say(&self) -> Say {
        let GradeRule { a, b, c, least_cases } = self;
        Say::new(
            format!("等级由最弱的一项决定：≥{a} 为 A，≥{b} 为 B，>{c} 为 C，其余为 D；不足 {least_cases} 例的不计"),
            format!(
                "the weakest rate decides: A from {a}, B from {b}, C above {c}, else D; rates on fewer than {least_cases} cases do not count"
            ),
        )
    }
}

/// What is known of one annotator's work.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Graded {
    /// Who.
    pub name: SmolStr,
    /// How many items they marked.
    pub marked: u64,
    /// Marks of others on the same items that are equal.
    pub agreement: Rate,
    /// The same, levels merged into normal and abnormal; on other scales, as `agreement`.
    pub sides: Rate,
    /// Reviewed items whose last review passed.
    pub pass: Rate,
    /// Reviewed items that passed at once.
    pub first_pass: Rate,
    /// Check questions answered right; a level on the right side is right.
    pub checks: Rate,
    /// The grade; none where no rate rests on enough cases.
    pub grade: Option<Grade>,
    /// The rate that decided.
    pub weakest: Option<&'static str>,
}

impl Graded {
    /// The rates that decide, by name.
    pub fn rates(&self) -> [(&'static str, Words, Rate); 4] {
        [
            ("pass", words("通过率", "pass rate"), self.pass),
            ("first_pass", words("首审通过率", "passed at once"), self.first_pass),
            ("checks", words("质检题", "check questions"), self.checks),
            ("sides", words("两边一致率", "agreement, two sides"), self.sides),
        ]
    }
}

/// Grades every annotator.
pub fn grade(marks: &Marks, reviews: &[Review], checks: &[CheckQuestion], rule: &GradeRule) -> Vec<Graded> {
    let mut all: Vec<Graded> = marks.annotators().iter().map(|name| Graded { name: name.clone(), ..Graded::default() }).collect();
    let same_side = |first: u16, second: u16| match (marks.level(first), marks.level(second)) {
        (Some(first), Some(second)) => first.is_normal() == second.is_normal(),
        _ => first == second,
    };
    let right = check_labels(marks, checks);
    for (item, row) in marks.rows().enumerate() {
        for (annotator, label) in row {
            let graded = &mut all[*annotator as usize];
            graded.marked += 1;
            for (_, other) in row.iter().filter(|(other, _)| other != annotator) {
                graded.agreement.add(label == other);
                graded.sides.add(same_side(*label, *other));
            }
            if let Some(right) = right.get(&marks.items()[item]) {
                graded.checks.add(right.is_some_and(|right| same_side(*label, right)));
            }
        }
    }
    let mut rounds: BTreeMap<(&SmolStr, &SmolStr), Vec<&Review>> = BTreeMap::new();
    for review in reviews {
        rounds.entry((&review.annotator, &review.item)).or_default().push(review);
    }
    for ((annotator, _), mut rounds) in rounds {
        let Some(graded) = all.iter_mut().find(|graded| graded.name == *annotator) else { continue };
        // A stable sort: of two reviews of one round the later in the file is the last.
        rounds.sort_by_key(|review| review.round);
        graded.first_pass.add(rounds.first().is_some_and(|review| review.accept));
        graded.pass.add(rounds.last().is_some_and(|review| review.accept));
    }
    for graded in &mut all {
        let known = graded.rates().into_iter().filter(|(.., rate)| rate.of >= rule.least_cases.max(1));
        let shares = known.filter_map(|(name, _, rate)| Some((name, rate.share()?)));
        let weakest = shares.min_by(|a, b| a.1.total_cmp(&b.1));
        graded.grade = weakest.map(|(_, share)| rule.grade(share));
        graded.weakest = weakest.map(|(name, _)| name);
    }
    all
}

/// The labels of check questions by number; `None` for a label that nobody gave and that is no level.
fn check_labels<'c>(marks: &Marks, checks: &'c [CheckQuestion]) -> FxHashMap<&'c SmolStr, Option<u16>> {
    let number = |label: &SmolStr| {
        let level = (marks.scale() == Scale::Levels).then(|| super::Level::parse(label)).flatten();
        let name = level.map_or_else(|| label.as_str(), |level| level.as_str());
        marks.labels().iter().position(|known| known == name).map(|number| number as u16)
    };
    checks.iter().map(|(item, label)| (item, number(label))).collect()
}
