//! `2022/attribute` → `2023/anomaly`: reasons of type B and C keep their fragments under the names of 2023 (S is S1), those of type A are re-annotated by
//! the pattern table (see [`mod@super::pattern`]).
//!
//! The type of a reason has no place in 2023 and is lost. An answer that coincides with one before it (the same places in the same roles) is kept once,
//! as the released file of 2023 does. Identifiers stay: those of 2023 were renumbered, and no rule tells which items were taken out.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;
use smol_str::SmolStr;

use super::pattern::convert_a;
use super::read::{each_item, lines};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::answer::{Answer, Fragment, Reason, ReasonType, RoleFragment};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Defect, ReadError, Source};
use crate::task::{Item, write_item};
use crate::text::{CharIdx, Span, join};

/// The name of a role in 2023.
fn renamed(role: &str) -> SmolStr {
    match role {
        "S" => SmolStr::new_static("S1"),
        "P" => SmolStr::new_static("P1"),
        "E" => SmolStr::new_static("E1"),
        other => other.into(),
    }
}

/// The places in their roles, in a fixed order: what makes two answers the same.
fn places(candidate: &[RoleFragment]) -> Vec<(SmolStr, Vec<CharIdx>)> {
    let place = |part: &RoleFragment| (renamed(&part.role), part.fragment.span.iter().collect());
    let mut places: Vec<_> = candidate.iter().map(place).collect();
    places.sort();
    places
}

/// The fragments of a reason in the roles of 2023, and the pattern that a reason of type A followed.
pub fn convert_reason(chars: &[char], reason: &Reason, check: &mut Check) -> Option<(Vec<RoleFragment>, Option<&'static str>)> {
    let before = check.errors();
    let known: &[&str] = match reason.kind {
        ReasonType::A => &["text1", "text2"],
        ReasonType::B => &["S1", "P1", "E1", "S2", "P2", "E2"],
        ReasonType::C => &["S", "P", "E"],
    };
    for (number, part) in reason.fragments.iter().enumerate() {
        if !known.contains(&part.role.as_str()) {
            let found = format!("“{}”", part.role);
            check.at("fragments", |check| check.at(number, |check| check.add(Code::BadRole, known.join(" "), found)));
        }
    }
    if check.errors() > before {
        return None;
    }
    if reason.kind != ReasonType::A {
        let rename = |part: &RoleFragment| RoleFragment { role: renamed(&part.role), fragment: part.fragment.clone() };
        return Some((reason.fragments.iter().map(rename).collect(), None));
    }
    let [one, two] = reason.fragments.as_slice() else {
        let expected = Say::new("text1 和 text2 各一个", "one text1 and one text2");
        check.at("fragments", |check| check.add(Code::BadLength, expected, reason.fragments.len().to_string()));
        return None;
    };
    let (one, two) = if one.role == "text1" { (one, two) } else { (two, one) };
    if one.role == two.role {
        check.add(Code::RepeatedRole, "text1 text2", format!("“{}”", one.role));
        return None;
    }
    let converted = convert_a(chars, &one.fragment, &two.fragment);
    let part = |role: &'static str, span: &Span| {
        Some(RoleFragment { role: role.into(), fragment: Fragment { text: join(chars, span)?.into(), span: span.clone() } })
    };
    let parts: Option<Vec<_>> = converted.fragments.iter().map(|(role, span)| part(role.name(), span)).collect();
    match parts {
        Some(parts) if !parts.is_empty() => Some((parts, Some(converted.pattern.name.as_str()))),
        Some(_) => {
            let expected = Say::new("至少一个字", "at least one character");
            check.at("fragments", |check| check.add(Code::EmptyFragment, expected, Say::new("没有", "none")));
            None
        }
        None => {
            let expected = Say::same(format!("0..={}", chars.len().saturating_sub(1)));
            check.at("fragments", |check| check.add(Code::IdxOutOfRange, expected, Say::new("更大的字序", "a greater index")));
            None
        }
    }
}

struct Item2023 {
    item: Item,
    patterns: Vec<&'static str>,
    losses: Vec<&'static str>,
}

fn convert(mut item: Item, check: &mut Check) -> Option<Item2023> {
    let (mut patterns, mut losses) = (Vec::new(), Vec::new());
    if let Some(Answer::Reasons(reasons)) = &item.gold {
        let chars: Vec<char> = item.texts.context().chars().collect();
        let converted: Vec<Option<_>> = check.at("reasons", |check| {
            let one = |(i, reason)| check.at(i, |check| convert_reason(&chars, reason, check));
            reasons.iter().enumerate().map(one).collect()
        });
        let mut candidates: Vec<Vec<RoleFragment>> = Vec::new();
        for (candidate, pattern) in converted.into_iter().collect::<Option<Vec<_>>>()? {
            patterns.extend(pattern);
            losses.push("reason-type");
            if candidates.iter().any(|known| places(known) == places(&candidate)) {
                losses.push("coinciding-answer");
            } else {
                candidates.push(candidate);
            }
        }
        item.gold = Some(Answer::Candidates(candidates));
    }
    Some(Item2023 { item, patterns, losses })
}

/// `2022/attribute` → `2023/anomaly`.
pub(super) const TO_ANOMALY: Conversion = Conversion {
    from: "2022/attribute",
    to: "2023/anomaly",
    title: words("归因改写为 S-P-E；A 类按词类模式转换", "reasons as S-P-E; type A by patterns of word classes"),
    run,
};

fn run(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let to = super::names::task(conversion.to);
    let taken = each_item(super::names::task(conversion.from), inputs, convert)?;
    let mut report = Report::new(conversion, taken.read, taken.values.len());
    for value in &taken.values {
        report.lose(value.losses.iter().copied());
        for pattern in &value.patterns {
            *report.patterns.entry((*pattern).to_owned()).or_default() += 1;
        }
    }
    let records: Vec<_> = taken.values.iter().map(|value| write_item(to, &value.item)).collect();
    let file = OutFile::new("2023-anomaly.jsonl", lines(&records));
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}

/// How many reasons, and how many of them as people re-annotated them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Unambiguous reasons of type A.
    pub unambiguous: u64,
    /// Those converted exactly.
    pub exact: u64,
}

impl Tally {
    fn add(&mut self, exact: bool) {
        self.unambiguous += 1;
        self.exact += u64::from(exact);
    }
}

/// Agreement of the conversion with the re-annotated answers of 2023.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Agreement {
    /// Over all patterns.
    #[serde(flatten)]
    pub total: Tally,
    /// `exact / unambiguous`; 0 where there is nothing to compare.
    pub share: f64,
    /// By the pattern that applied.
    pub by_pattern: BTreeMap<String, Tally>,
}

/// Compares converted reasons of type A with a released 2023 file.
///
/// **Unambiguous.** Items are matched by identical context. From the answers of the 2023 item, one answer is removed for each B or C reason of the 2022
/// item: the one with the same places in the same roles after S, P, E are renamed S1, P1, E1. A reason of type A is unambiguous if every B and C
/// reason found its answer, the item has exactly one A reason, and exactly one answer is left over. Items with two A reasons, or whose A
/// answer coincides with another one and was dropped, are not counted.
///
/// **Exact.** The same index lists in the same roles, the order of indexes included. Answers with S2, P2 or E2, or with characters of neither fragment, count as
/// misses: no conversion of two fragments gives them.
pub fn agreement<'i>(old: impl IntoIterator<Item = &'i Item>, new: &[Item]) -> Agreement {
    let answers: FxHashMap<&str, &Item> = new.iter().map(|item| (item.texts.context(), item)).collect();
    let mut found = Agreement::default();
    for item in old {
        let Some((reason, answer)) = answers.get(item.texts.context()).and_then(|new| unambiguous(item, new)) else { continue };
        let chars: Vec<char> = item.texts.context().chars().collect();
        // A malformed reason is not exact; its defects are told by the conversion.
        let converted = convert_reason(&chars, reason, &mut Check::new("".into(), 0));
        let exact = converted.as_ref().is_some_and(|(parts, _)| places(parts) == answer);
        let pattern = converted.and_then(|(_, pattern)| pattern).unwrap_or("malformed");
        found.total.add(exact);
        found.by_pattern.entry(pattern.to_owned()).or_default().add(exact);
    }
    found.share = crate::score::ratio(found.total.exact as f64, found.total.unambiguous as f64);
    found
}

/// [`agreement`] of two files, with the defects of both.
pub fn agreement_of(old: Source, new: Source) -> Result<(Agreement, Vec<Defect>), ReadError> {
    let (old, mut defects) = crate::score::read_items(super::names::task("2022/attribute"), old, true)?;
    let (new, more) = crate::score::read_items(super::names::task("2023/anomaly"), new, true)?;
    defects.extend(more);
    Ok((agreement(&old, &new), defects))
}

type Places = Vec<(SmolStr, Vec<CharIdx>)>;

/// The reason of type A of an item and the answer that it became, if there is no doubt.
fn unambiguous<'i>(old: &'i Item, new: &Item) -> Option<(&'i Reason, Places)> {
    let (Some(Answer::Reasons(reasons)), Some(Answer::Candidates(candidates))) = (&old.gold, &new.gold) else { return None };
    let mut left: Vec<Places> = candidates.iter().map(|candidate| places(candidate)).collect();
    let mut reason_a = None;
    for reason in reasons {
        if reason.kind == ReasonType::A {
            if reason_a.replace(reason).is_some() {
                return None;
            }
        } else {
            let carried = places(&reason.fragments);
            let at = left.iter().position(|answer| *answer == carried)?;
            left.remove(at);
        }
    }
    let answer = left.pop()?;
    left.is_empty().then_some((reason_a?, answer))
}
