//! Reads a flat record, ours or anyone's.

use smol_str::SmolStr;

use super::super::doc::{Doc, Filler, Group, Groups};
use super::super::names::MENTION;
use crate::answer::{Answer, Fragment, ReasonType, Scene, Verdict};
use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json, list_of, read_span};
use crate::task::{Item, Task, Texts};
use crate::text::{CharIdx, NOWHERE, Span, join};

/// A field that is there and not `null`.
fn given<'g, 'a>(record: &'g Json<'a>, name: &str) -> Option<&'g Json<'a>> {
    record.get(name).filter(|value| **value != Json::Null)
}

/// A whole number from 0 under `name`; the inner `None` where there is none, the outer where there is something else.
#[expect(clippy::option_option, reason = "absent and malformed are different things here")]
fn number(row: &Json<'_>, name: &str, check: &mut Check) -> Option<Option<u32>> {
    let Some(value) = given(row, name) else { return Some(None) };
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..f64::from(NOWHERE)).contains(number));
    if number.is_none() {
        let expected = Say::new("从 0 起的整数", "a whole number from 0");
        check.at(name, |check| check.add(Code::BadIdx, expected, value.brief()));
    }
    number.map(|number| Some(number as u32))
}

/// Longer than any text; a row that claims more would only fill the memory.
const LONGEST: u32 = 1 << 20;

/// A row of `spans` or `mentions`.
struct Row {
    /// Which answer or set.
    group: usize,
    same: bool,
    role: SmolStr,
    label: Option<SmolStr>,
    piece: u32,
    span: Option<Span>,
    /// Whether `span` is of the whole fragment.
    whole: bool,
    text: Option<SmolStr>,
}

fn row(row: &Json<'_>, group: &str, check: &mut Check) -> Option<Row> {
    let fields = Fields::of(row, check)?;
    let role = if group == "set" { MENTION.into() } else { fields.text("role", check)? };
    fields.need(group, check)?;
    let number_of = number(row, group, check)?.unwrap_or_default() as usize;
    let piece = number(row, "piece", check)?.unwrap_or_default();
    let (start, end) = (number(row, "start", check)?, number(row, "end", check)?);
    let (span, whole) = match given(row, "idxes") {
        Some(Json::Text(idxes)) => (Some(check.at("idxes", |check| blanks(idxes, check))?), true),
        Some(list) => (Some(check.at("idxes", |check| read_span(list, check))?), true),
        None => match (start, end) {
            (Some(start), Some(end)) if start < end && end - start <= LONGEST => (Some((start..end).collect()), false),
            (None, None) => (None, false),
            _ => {
                let found = format!("{} {}", row.get("start").unwrap_or(&Json::Null), row.get("end").unwrap_or(&Json::Null));
                check.add(Code::BadIdx, "start < end", found);
                return None;
            }
        },
    };
    let text = given(row, "text").and_then(Json::as_str).map(SmolStr::new);
    let label = given(row, "label").and_then(Json::as_str).map(SmolStr::new);
    let same = row.get("same") != Some(&Json::Bool(false));
    Some(Row { group: number_of, same, role, label, piece, span, whole, text })
}

/// Indexes with blanks between them.
fn blanks(idxes: &str, check: &mut Check) -> Option<Span> {
    let mut span = Span::default();
    for idx in idxes.split_whitespace() {
        let Some(place) = idx.parse().ok().filter(|place: &u32| *place < NOWHERE) else {
            check.add(Code::BadIdx, Say::new("从 0 起的整数", "a whole number from 0"), idx.to_owned());
            return None;
        };
        span.push(CharIdx(place));
    }
    Some(span)
}

/// Rows of `groups` groups; a row with piece 0 opens a fragment, the others continue it.
fn gather(rows: Vec<Row>, groups: usize, chars: &[char], check: &mut Check) -> Option<Vec<Group>> {
    let mut found = vec![Group::default(); groups];
    let mut rows = rows.into_iter().peekable();
    while let Some(first) = rows.next() {
        let mut span = first.span;
        while let Some(next) = rows.next_if(|next| next.piece > 0 && next.group == first.group && next.role == first.role) {
            if !first.whole
                && let (Some(span), Some(more)) = (&mut span, next.span)
            {
                more.iter().for_each(|idx| span.push(idx));
            }
        }
        let fragment = match (span, first.text) {
            (None, None) => None,
            (None, Some(text)) => {
                check.add(Code::MissingField, "idxes / start, end", format!("“{text}”"));
                return None;
            }
            (Some(span), Some(text)) => Some(Fragment { text, span }),
            (Some(span), None) => {
                let Some(text) = join(chars, &span) else {
                    let places: Vec<String> = span.iter().map(|idx| idx.0.to_string()).collect();
                    check.add(Code::IdxOutOfRange, format!("0..{}", chars.len()), places.join(" "));
                    return None;
                };
                Some(Fragment { text: text.into(), span })
            }
        };
        let Some(group) = found.get_mut(first.group) else {
            check.add(Code::IdxOutOfRange, format!("0..{groups}"), first.group.to_string());
            return None;
        };
        group.fillers.push(Filler { role: first.role, label: first.label, fragment });
    }
    Some(found)
}

fn rows(record: &Json<'_>, name: &str, group: &str, check: &mut Check) -> Option<Vec<Row>> {
    let Some(value) = given(record, name) else { return Some(Vec::new()) };
    check.at(name, |check| list_of(value, check, |given, check| row(given, group, check)))
}

/// How many groups there are: as counted, or as the rows say.
fn count(record: &Json<'_>, name: &str, rows: &[Row], check: &mut Check) -> Option<usize> {
    let counted = match given(record, name) {
        Some(Json::List(list)) => Some(list.len()),
        _ => number(record, name, check)?.map(|number| number as usize).filter(|number| *number <= LONGEST as usize),
    };
    let most = rows.iter().map(|row| row.group + 1).max().unwrap_or_default();
    Some(counted.unwrap_or(most.min(LONGEST as usize)))
}

fn groups(record: &Json<'_>, chars: &[char], check: &mut Check) -> Option<Groups> {
    let spans = rows(record, "spans", "answer", check)?;
    let answers = count(record, "kinds", &spans, check)?;
    let mut answers = check.at("spans", |check| gather(spans, answers, chars, check))?;
    let kinds = given(record, "kinds").and_then(Json::as_list).unwrap_or_default();
    for (group, kind) in answers.iter_mut().zip(kinds) {
        group.kind = kind.as_str().and_then(ReasonType::parse);
    }
    let (same, different): (Vec<Row>, Vec<Row>) = rows(record, "mentions", "set", check)?.into_iter().partition(|row| row.same);
    let mut sets = |name: &str, rows: Vec<Row>| {
        let sets = count(record, name, &rows, check)?;
        check.at("mentions", |check| gather(rows, sets, chars, check))
    };
    Some(Groups { answers, same: sets("corefs", same)?, different: sets("non_corefs", different)? })
}

/// A verdict; `null` of an answered record is a verdict that was neither.
fn verdict(record: &Json<'_>, name: &str, check: &mut Check) -> Option<Verdict> {
    match record.get(name) {
        Some(Json::Bool(value)) => Some(Verdict::Plain(*value)),
        Some(Json::Null) => Some(Verdict::Neither),
        other => {
            let found = other.map_or(Say::new("没有", "none"), |value| Say::same(value.brief()));
            check.at(name, |check| check.add(Code::BadVerdict, "true / false", found));
            None
        }
    }
}

/// The item of a flat record.
pub fn item(task: &dyn Task, record: &Json<'_>, check: &mut Check) -> Option<Item> {
    let before = check.errors();
    let fields = Fields::of(record, check)?;
    let qid = fields.qid(&["qid"], check)?;
    if let Some(other) = given(record, "task").filter(|given| given.as_str() != Some(task.id())) {
        check.at("task", |check| check.add(Code::BadLabel, task.id(), other.brief()));
    }
    let context = fields.text("context", check)?;
    let texts = match task.id() {
        "2023/scene" => Texts::Pair { context1: context, context2: fields.text("context2", check)? },
        "2021/reason" | "2021/joint" => Texts::Reason { context, reason: fields.text("reason", check)? },
        _ => Texts::One { context },
    };
    let chars: Vec<char> = texts.context().chars().collect();
    let groups = groups(record, &chars, check)?;
    let verdicts = given(record, "judge").is_some();
    let answered = match given(record, "answered") {
        Some(Json::Bool(answered)) => *answered,
        _ => verdicts || groups != Groups::default(),
    };
    let extra = match given(record, "extra") {
        Some(Json::Text(text)) => {
            let parsed = check.at("extra", |check| crate::record::parse(text.as_bytes(), check).map(Json::into_owned))?;
            Fields(&parsed).extra(&[])
        }
        Some(map) => Fields(map).extra(&[]),
        None => Vec::new(),
    };
    let gold = match task.id() {
        _ if !answered => None,
        "2021/judge" | "2021/reason" | "2022/judge" => Some(Answer::Verdict(verdict(record, "judge", check)?)),
        "2021/joint" => Some(Answer::Joint(verdict(record, "judge", check)?, verdict(record, "judge2", check)?)),
        "2023/scene" => {
            let reason = given(record, "why").and_then(Json::as_str).map(SmolStr::new);
            Some(Answer::Scene(Scene { judge: verdict(record, "judge", check)?, reason }))
        }
        _ => {
            let doc = Doc { qid, context: texts.context().into(), answered, groups, extra };
            let item = check.at("spans", |check| doc.into_item(task, check))?;
            return (check.errors() == before).then_some(item);
        }
    };
    (check.errors() == before).then_some(Item { qid, texts, gold, corefs: None, extra })
}
