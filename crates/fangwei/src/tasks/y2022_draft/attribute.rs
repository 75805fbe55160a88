//! `2022-draft/attribute`: one or two texts and a type; the texts must contain the key word, and a wrong type costs a share.

use rustc_hash::FxHashSet;

use super::super::common::align_words;
use crate::answer::{Answer, DraftReason, Kind};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json};
use crate::score::{Alignment, Measures, Total, f1, ratio};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Attribute;

/// What a wrong type costs where gold does not say. The page left the number open; this one is ours.
const TYPE_WEIGHT: f64 = 0.2;

fn reason(answer: Option<&Answer>) -> Option<&DraftReason> {
    if let Some(Answer::DraftReason(reason)) = answer { Some(reason) } else { None }
}

fn field<'i>(item: &'i Item, name: &str) -> Option<&'i Json<'static>> {
    item.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// How many characters two texts have in common, repeats counted.
fn common(a: &str, b: &str) -> usize {
    let mut left: Vec<char> = b.chars().collect();
    let take = |c: &char| left.iter().position(|other| other == c).map(|at| left.swap_remove(at));
    a.chars()
        .filter_map({
            let mut take = take;
            move |c| take(&c)
        })
        .count()
}

/// F1 of the characters, text by text, in the order given or crosswise.
fn text_f1(gold: &DraftReason, pred: &DraftReason) -> f64 {
    fn text(reason: &DraftReason, at: usize) -> &str {
        reason.texts.get(at).map_or("", |text| text.as_str())
    }
    let overlap = |a: usize, b: usize| common(text(gold, 0), text(pred, a)) + common(text(gold, 1), text(pred, b));
    let size = |reason: &DraftReason| reason.texts.iter().map(|text| text.chars().count()).sum::<usize>() as f64;
    let hits = overlap(0, 1).max(overlap(1, 0)) as f64;
    f1(ratio(hits, size(pred)), ratio(hits, size(gold)))
}

/// The parts of an item's score.
struct Parts {
    f1: f64,
    has_key: bool,
    type_right: bool,
    score: f64,
}

fn parts(item: &Item, pred: &DraftReason) -> Option<Parts> {
    let gold = reason(item.gold.as_ref())?;
    let f1 = text_f1(gold, pred);
    let key = field(item, "key").and_then(Json::as_str).unwrap_or_default();
    let has_key = pred.texts.iter().any(|text| text.contains(key));
    let type_right = gold.kind == pred.kind;
    let weight = field(item, "typeWeight").and_then(Json::as_f64).unwrap_or(TYPE_WEIGHT).clamp(0.0, 1.0);
    let score = if has_key { f1 * if type_right { 1.0 } else { 1.0 - weight } } else { 0.0 };
    Some(Parts { f1, has_key, type_right, score })
}

/// The numbers of an item.
const SCALE: Scale = Scale { columns: &["score", "f1", "has_key", "type"], own: 4, item: 0, ranking: "score", accuracy: false };

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2022-draft/attribute",
    alias: "2022-draft/task2",
    title: words("中文空间语义异常归因（早期设计）", "What is wrong in the text? (early design)"),
    guide: words(include_str!("guide/attribute.zh.md"), include_str!("guide/attribute.en.md")),
    prompts: &[("ours", include_str!("prompt/attribute.ours.md"))],
    qid_names: &["qid", "id"],
    // `key` and `typeWeight` are gold's; they are kept beside the item as written.
    fields: &["qid", "id", "context", "reason"],
    answer: "reason",
};

impl Task for Attribute {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::DraftReason
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let value = Fields(given).need("reason", check)?;
        let strings: Option<Vec<&str>> = value.as_list().and_then(|list| list.iter().map(Json::as_str).collect());
        match strings.as_deref() {
            Some([texts @ .., kind]) if matches!(texts.len(), 1 | 2) => {
                let texts = texts.iter().map(|text| (*text).into()).collect();
                Some(Answer::DraftReason(DraftReason { texts, kind: (*kind).into() }))
            }
            _ => {
                check.at("reason", |check| check.add(Code::BadType, "[text1, (text2,) type]", value.brief()));
                None
            }
        }
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let Some(reason) = reason(Some(answer)) else { return Vec::new() };
        let strings = reason.texts.iter().chain([&reason.kind]).map(|text| Json::text(text.to_string()));
        vec![("reason", Json::List(strings.collect()))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let Some(reason) = reason(Some(answer)) else { return };
        let characters: Option<FxHashSet<char>> = texts.map(|texts| texts.context().chars().collect());
        check.at("reason", |check| {
            let known = ["A", "B", "C"].contains(&reason.kind.as_str());
            if !known {
                check.at(reason.texts.len(), |check| check.add(Code::BadLabel, "A B C", format!("“{}”", reason.kind)));
            }
            let wanted = if reason.kind == "C" { 1 } else { 2 };
            if known && reason.texts.len() != wanted {
                let expected =
                    Say::new(format!("{} 类有 {wanted} 段文本", reason.kind), format!("{wanted} texts for type {}", reason.kind));
                check.add(Code::BadLength, expected, reason.texts.len().to_string());
            }
            for (number, text) in reason.texts.iter().enumerate() {
                // A fragment may be put together from several places, so only foreign characters are wrong.
                let foreign: String = characters
                    .as_ref()
                    .map_or(String::new(), |characters| text.chars().filter(|c| !characters.contains(c)).collect());
                if !foreign.is_empty() {
                    let expected = Say::new("原文中的文字", "characters of the text");
                    check.at(number, |check| check.add(Code::TextMismatch, expected, format!("“{foreign}”")));
                }
            }
        });
    }

    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    fn score(&self, _: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        if let Some(parts) = reason(pred).and_then(|pred| parts(item, pred)) {
            let one = |value: bool| f64::from(u8::from(value));
            row.copy_from_slice(&[parts.score, parts.f1, one(parts.has_key), one(parts.type_right)]);
        }
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        let names = ["score", "f1", "has_key", "type_accuracy"];
        names
            .into_iter()
            .enumerate()
            .fold(Measures::default(), |measures, (column, name)| measures.number(name, total.mean(column)))
    }

    fn align(&self, _: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let (gold, pred) = (reason(item.gold.as_ref()), reason(pred));
        let parts = pred.and_then(|pred| parts(item, pred));
        let text = |reason: &DraftReason| reason.texts.join(" | ");
        let rows = gold.map(|gold| {
            [("texts", text(gold), pred.map(text)), ("type", gold.kind.to_string(), pred.map(|pred| pred.kind.to_string()))]
        });
        let mut alignment = align_words(rows.as_ref().map_or(&[], |rows| rows), false);
        let numbers = parts.map_or([0.0; 2], |parts| [parts.score, parts.f1]);
        alignment.numbers = vec![("score".to_owned(), numbers[0]), ("f1".to_owned(), numbers[1])];
        if let Some(pair) = alignment.pairs.first_mut() {
            pair.earned = numbers[0];
            if let Some(texts) = pair.rows.first_mut() {
                texts.hits = numbers[1];
            }
        }
        alignment
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        (name == "type").then(|| reason(item.gold.as_ref()).map(|reason| reason.kind.to_string()).into_iter().collect())
    }

    fn facets(&self) -> &'static [&'static str] {
        &["type"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(texts: &[&str]) -> DraftReason {
        DraftReason { texts: texts.iter().map(|text| (*text).into()).collect(), kind: "A".into() }
    }

    #[test]
    fn texts_may_stand_crosswise() {
        assert_eq!(text_f1(&reason(&["地面", "边"]), &reason(&["边", "地面"])), 1.0);
        // 1 of 2 predicted characters, 1 of 3 gold characters: P = 1/2, R = 1/3
        let f = text_f1(&reason(&["地面", "边"]), &reason(&["地上"]));
        assert!((f - 0.4).abs() < 1e-12, "{f}");
    }

    #[test]
    fn repeated_characters_count_as_often_as_both_have_them() {
        assert_eq!(common("上上下下", "上下下下"), 3);
    }
}
