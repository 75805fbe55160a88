//! From marks to gold, by rule: what annotators agree on becomes gold, the rest is discarded or goes to somebody who decides.
//!
//! In 2022 two people judged each sentence, and only those that both called 完全正常 or both called 显然异常 became gold. Every item leaves by a named path,
//! and gold says who said what and by which rule.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use super::AgreeError;
use super::level::is_unfit;
use super::marks::{Marks, Scale};
use crate::lang::{Words, words};
use crate::record::Json;

/// What becomes gold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// All give the same extreme of the scale, as in 2022.
    #[default]
    Extremes,
    /// All give the same label.
    Agreed,
    /// More than half give the same label.
    Majority,
}

/// What becomes of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rest {
    /// It is not used.
    #[default]
    Discard,
    /// Somebody decides.
    Adjudicate,
}

/// How items are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Policy {
    /// What becomes gold.
    pub keep: Keep,
    /// What becomes of the rest.
    pub rest: Rest,
    /// Items with fewer marks wait.
    pub least_marks: usize,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { keep: Keep::Extremes, rest: Rest::Discard, least_marks: 2 }
    }
}

/// What becomes of an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Its label is gold.
    Gold,
    /// Somebody decides.
    Adjudicate,
    /// It is not used.
    Discard,
    /// More marks are to come.
    Wait,
}

impl Decision {
    /// The decision in words.
    pub const fn words(self) -> Words {
        match self {
            Decision::Gold => words("成为答案", "gold"),
            Decision::Adjudicate => words("交人裁决", "adjudicate"),
            Decision::Discard => words("不用", "discard"),
            Decision::Wait => words("等待更多标注", "wait for marks"),
        }
    }
}

/// Why.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// All give the same extreme.
    Extremes,
    /// All give the same label.
    Agreed,
    /// More than half give the same label.
    Majority,
    /// All give the same label, which is no extreme.
    Middle,
    /// Labels differ by one step.
    Near,
    /// Labels differ by more.
    Far,
    /// Labels without order differ.
    Split,
    /// Somebody calls it unsuitable.
    Unfit,
    /// Too few marks.
    Few,
}

impl Path {
    /// The name in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Path::Extremes => "extremes",
            Path::Agreed => "agreed",
            Path::Majority => "majority",
            Path::Middle => "middle",
            Path::Near => "near",
            Path::Far => "far",
            Path::Split => "split",
            Path::Unfit => "unfit",
            Path::Few => "few",
        }
    }

    /// The reason in words.
    pub const fn words(self) -> Words {
        match self {
            Path::Extremes => words("一致选同一极端", "all give the same extreme"),
            Path::Agreed => words("全体一致", "all give the same label"),
            Path::Majority => words("多数一致", "more than half give the same label"),
            Path::Middle => words("一致，但不是极端", "all give the same label, which is no extreme"),
            Path::Near => words("相差一级", "one step apart"),
            Path::Far => words("相差两级或更多", "two steps apart or more"),
            Path::Split => words("标签不同", "labels differ"),
            Path::Unfit => words("有人认为不适合", "somebody calls it unsuitable"),
            Path::Few => words("标注太少", "too few marks"),
        }
    }
}

/// One item, decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Its number in the table.
    pub item: usize,
    /// What becomes of it.
    pub decision: Decision,
    /// Why.
    pub path: Path,
    /// The number of the gold label.
    pub label: Option<u16>,
}

/// All items, decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Triaged {
    /// How.
    pub policy: Policy,
    /// The items, in the order of the table.
    pub items: Vec<Decided>,
}

/// Decides on every item.
pub fn triage(marks: &Marks, policy: Policy) -> Result<Triaged, AgreeError> {
    if policy.keep == Keep::Extremes && !matches!(marks.scale(), Scale::Levels | Scale::Order) {
        return Err(AgreeError::NoExtremes);
    }
    let items = (0..marks.items().len()).map(|item| decide(marks, policy, item)).collect();
    Ok(Triaged { policy, items })
}

fn decide(marks: &Marks, policy: Policy, item: usize) -> Decided {
    let row = marks.row(item);
    let rest = if policy.rest == Rest::Discard { Decision::Discard } else { Decision::Adjudicate };
    let decided = |decision, path, label| Decided { item, decision, path, label };
    let Some(&(_, first)) = row.first().filter(|_| row.len() >= policy.least_marks.max(1)) else {
        return decided(Decision::Wait, Path::Few, None);
    };
    let unfit = |label: u16| is_unfit(&marks.labels()[label as usize]);
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for (_, label) in row {
        *counts.entry(*label).or_default() += 1;
    }
    if policy.keep == Keep::Majority {
        match counts.iter().find(|(_, count)| **count * 2 > row.len()).map(|(label, _)| *label) {
            Some(label) if unfit(label) => return decided(Decision::Discard, Path::Unfit, None),
            Some(label) => {
                let path = if counts.len() == 1 { Path::Agreed } else { Path::Majority };
                return decided(Decision::Gold, path, Some(label));
            }
            None => {}
        }
    }
    match counts.len() {
        1 if unfit(first) => return decided(Decision::Discard, Path::Unfit, None),
        1 if policy.keep == Keep::Agreed => return decided(Decision::Gold, Path::Agreed, Some(first)),
        1 if is_extreme(marks, first) => return decided(Decision::Gold, Path::Extremes, Some(first)),
        1 => return decided(rest, Path::Middle, None),
        _ => {}
    }
    if row.iter().any(|(_, label)| unfit(*label)) {
        return decided(rest, Path::Unfit, None);
    }
    let values: Option<Vec<f64>> = counts.keys().map(|label| marks.values()[*label as usize]).collect();
    let path = values.map_or(Path::Split, |values| {
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
        if high - low <= 1.0 { Path::Near } else { Path::Far }
    });
    decided(rest, path, None)
}

/// Whether no label of the scale lies beyond it.
fn is_extreme(marks: &Marks, label: u16) -> bool {
    let Some(value) = marks.values()[label as usize] else { return false };
    let on = || marks.values().iter().copied().flatten();
    on().all(|other| other <= value) || on().all(|other| other >= value)
}

/// How many items left by one path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PathCount {
    /// What became of them.
    pub decision: Decision,
    /// Why.
    pub path: Path,
    /// Their gold label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<SmolStr>,
    /// How many.
    pub items: u64,
}

impl Triaged {
    /// How many items left by each path.
    pub fn counts(&self, marks: &Marks) -> Vec<PathCount> {
        let mut counts: BTreeMap<(Decision, Path, Option<u16>), u64> = BTreeMap::new();
        for one in &self.items {
            *counts.entry((one.decision, one.path, one.label)).or_default() += 1;
        }
        let count = |((decision, path, label), items): ((Decision, Path, Option<u16>), u64)| {
            let label = label.map(|label| marks.labels()[label as usize].clone());
            PathCount { decision, path, label, items }
        };
        counts.into_iter().map(count).collect()
    }

    /// The items of a decision.
    pub fn of(&self, decision: Decision) -> impl Iterator<Item = &Decided> {
        self.items.iter().filter(move |one| one.decision == decision)
    }
}

impl Decided {
    /// The record of an item with its provenance: who said what, and which rule decided. With a text and levels it is a record of 2022/judge.
    pub fn record(&self, marks: &Marks, context: Option<&str>) -> Json<'static> {
        let mut fields: Vec<(&'static str, Json<'static>)> = vec![("qid", Json::text(marks.items()[self.item].to_string()))];
        fields.extend(context.map(|context| ("context", Json::text(context.to_owned()))));
        if let Some(label) = self.label {
            fields.extend(marks.level(label).map(|level| ("judge", Json::Int(i64::from(level.is_normal())))));
            fields.push(("label", Json::text(marks.labels()[label as usize].to_string())));
        } else {
            let decision = serde_json::to_value(self.decision).ok();
            fields.extend(decision.and_then(|word| Some(("decision", Json::text(word.as_str()?.to_owned())))));
        }
        fields.push(("rule", Json::text(self.path.as_str())));
        let mark = |(annotator, label): &(u32, u16)| {
            let name = |text: &SmolStr| Json::text(text.to_string());
            Json::map([
                ("annotator", name(&marks.annotators()[*annotator as usize])),
                ("label", name(&marks.labels()[*label as usize])),
            ])
        };
        fields.push(("marks", Json::List(marks.row(self.item).iter().map(mark).collect())));
        fields.extend(marks.origin(self.item).map(|origin| ("origin", Json::text(origin.to_string()))));
        Json::map(fields)
    }
}
