//! What a form asks for by itself: parts that must be filled in, records that need more fields, a written pair that keeps to its words.
//!
//! The rules of annotation know answers; cleaning, writing and grading have none, and in a human test only the form counts.

use super::given::words_of;
use super::parts::{Part, When};
use super::sheet::Sheet;
use super::{BatchMode, Form};
use crate::lang::Say;
use crate::task::Item;
use crate::tasks::{is_difference, quoted_difference};

/// Something that is missing or does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lack {
    /// The record.
    pub record: Option<u32>,
    /// The part or field.
    pub field: Option<&'static str>,
    /// What to do.
    pub say: Say,
}

/// What a sheet lacks before it is finished.
pub(super) fn lacks(form: &Form, sheet: &Sheet, item: &Item) -> Vec<Lack> {
    let mut lacks = Vec::new();
    for part in &form.parts {
        match part {
            Part::Choice(part) if part.required && shown(part.when.as_ref(), sheet) && sheet.chosen(part.name).is_none() => {
                lacks.push(missing(part.name, part.label));
            }
            Part::Text(part) if part.required && shown(part.when.as_ref(), sheet) => {
                let text = sheet.text(part.name);
                if text.trim().is_empty() {
                    lacks.push(missing(part.name, part.label));
                } else if part.frame.is_some() && text.contains(['{', '}']) {
                    let say = Say::new("把花括号里的内容换成自己的话", "replace what stands in braces");
                    lacks.push(Lack { record: None, field: Some(part.name), say });
                }
            }
            Part::Records(part) if shown(part.when.as_ref(), sheet) => {
                let records = sheet.records.iter().filter(|record| part.types.iter().any(|kind| kind.name == record.kind));
                let few = records.filter_map(|record| {
                    let kind = form.record_type(&record.kind)?;
                    let filled = record.fields.values().filter(|values| !values.is_empty()).count();
                    let say =
                        Say::new(format!("至少要填 {} 项", kind.least_fields), format!("fill in at least {}", kind.least_fields));
                    (filled < kind.least_fields).then_some(Lack { record: Some(record.id), field: None, say })
                });
                lacks.extend(few);
            }
            _ => {}
        }
    }
    match form.mode {
        BatchMode::Clean => lacks.extend(clean(sheet)),
        BatchMode::Author => lacks.extend(author(sheet, item)),
        _ => {}
    }
    lacks
}

fn missing(name: &'static str, label: crate::lang::Words) -> Lack {
    let say = Say::new(format!("“{}”还没有填", label.zh), format!("“{}” is not filled in", label.en));
    Lack { record: None, field: Some(name), say }
}

fn shown(when: Option<&When>, sheet: &Sheet) -> bool {
    when.is_none_or(|when| when.values.iter().any(|value| sheet.has_chosen(when.name, value)))
}

/// Problems and “nothing is wrong” exclude each other, and “something is wrong” needs one.
fn clean(sheet: &Sheet) -> Option<Lack> {
    let say = match (sheet.chosen("outcome")?, sheet.records.is_empty()) {
        ("some", true) => Say::new("标出有问题的地方，或选“没有问题”", "mark what is wrong, or say that nothing is"),
        ("none" | "drop", false) => {
            Say::new("已经标了问题：删去它们，或选“有问题”", "problems are marked: remove them, or say that there are some")
        }
        _ => return None,
    };
    Some(Lack { record: None, field: Some("outcome"), say })
}

/// The texts differ in the two words and in nothing else, the entities stand in them, and a reason quotes the difference.
fn author(sheet: &Sheet, item: &Item) -> Vec<Lack> {
    let texts = (sheet.text("context1"), sheet.text("context2"));
    let Some(words) = words_of(item) else { return Vec::new() };
    if texts.0.trim().is_empty() || texts.1.trim().is_empty() {
        return Vec::new();
    }
    let mut lacks = Vec::new();
    if !is_difference(texts, words) {
        let say = Say::new(
            format!("两段文本应当只差“{}”和“{}”", words.0, words.1),
            format!("the texts should differ in “{}” and “{}” and nothing else", words.0, words.1),
        );
        lacks.push(Lack { record: None, field: Some("context2"), say });
    }
    let entities = sheet.text("entities").lines().map(str::trim).filter(|line| !line.is_empty());
    for entity in entities.filter(|entity| !texts.0.contains(entity) && !texts.1.contains(entity)) {
        let say = Say::new(format!("文本里没有“{entity}”"), format!("the texts do not hold “{entity}”"));
        lacks.push(Lack { record: None, field: Some("entities"), say });
    }
    let reason = sheet.text("reason").trim();
    if !reason.is_empty() && !quoted_difference(reason).is_some_and(|quoted| is_difference(texts, quoted)) {
        let say = Say::new("理由应先引用两段文本的差异：“…”和“…”", "the reason should first quote what differs: “…” and “…”");
        lacks.push(Lack { record: None, field: Some("reason"), say });
    }
    lacks
}
