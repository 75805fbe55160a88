//! Reads the parts that records of several tasks share, noting each defect at its pointer.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::check::Check;
use super::defect::Code;
use super::json::Json;
use crate::answer::Fragment;
use crate::lang::Say;
use crate::text::{CharIdx, NOWHERE, Span};

/// Reads the fields of one object.
pub struct Fields<'g, 'a>(pub &'g Json<'a>);

impl<'g, 'a> Fields<'g, 'a> {
    /// The record as an object, or a defect.
    pub fn of(given: &'g Json<'a>, check: &mut Check) -> Option<Fields<'g, 'a>> {
        if let Json::Map(_) = given {
            return Some(Fields(given));
        }
        check.add(Code::NotAnObject, Say::new("JSON 对象", "an object"), given.brief());
        None
    }

    /// A field that must be there.
    pub fn need(&self, name: &str, check: &mut Check) -> Option<&'g Json<'a>> {
        let value = self.0.get(name);
        if value.is_none() {
            check.add(Code::MissingField, Say::new(format!("字段 {name}"), format!("field {name}")), found_fields(self.0));
        }
        value
    }

    /// A string that must be there.
    pub fn text(&self, name: &str, check: &mut Check) -> Option<SmolStr> {
        let value = self.need(name, check)?;
        let text = value.as_str().map(SmolStr::new);
        if text.is_none() {
            check.at(name, |check| check.add(Code::BadType, Say::new("字符串", "a string"), value.brief()));
        }
        text
    }

    /// The record's identifier under one of its names; noted in `check` for later defects.
    pub fn qid(&self, names: &[&str], check: &mut Check) -> Option<SmolStr> {
        let Some(value) = names.iter().find_map(|name| self.0.get(name)) else {
            check.add(Code::NoQid, names.join(" / "), found_fields(self.0));
            return None;
        };
        match value {
            Json::Text(text) if !text.is_empty() => {
                check.qid = Some(SmolStr::new(text));
                check.qid.clone()
            }
            other => {
                check.add(Code::BadQid, Say::new("非空字符串", "a string that is not empty"), other.brief());
                None
            }
        }
    }

    /// The fields that are not in `known`, kept as they were written.
    pub fn extra(&self, known: &[&str]) -> Vec<(String, Json<'static>)> {
        let unknown = self.0.fields().iter().filter(|(name, _)| !known.contains(&name.as_ref()));
        unknown.map(|(name, value)| (name.to_string(), value.clone().into_owned())).collect()
    }
}

fn found_fields(given: &Json<'_>) -> Say {
    let names: Vec<&str> = given.fields().iter().map(|(name, _): &(Cow<'_, str>, _)| name.as_ref()).take(8).collect();
    if names.is_empty() { Say::new("没有字段", "no field") } else { Say::same(names.join(", ")) }
}

/// Reads the elements of the array under `name`. The outer `None` means that there is no such array; an element that `read` refuses makes the whole `None`.
pub fn read_list<'a, T>(
    fields: &Fields<'_, 'a>,
    name: &str,
    check: &mut Check,
    read: impl FnMut(&Json<'a>, &mut Check) -> Option<T>,
) -> Option<Vec<T>> {
    let value = fields.need(name, check)?;
    check.at(name, |check| list_of(value, check, read))
}

/// Reads the elements of an array at hand, each at its pointer; all are read, so that every defect is found.
pub fn list_of<'a, T>(
    value: &Json<'a>,
    check: &mut Check,
    mut read: impl FnMut(&Json<'a>, &mut Check) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(list) = value.as_list() else {
        check.add(Code::BadType, Say::new("数组", "an array"), value.brief());
        return None;
    };
    let (mut values, mut whole) = (Vec::with_capacity(list.len()), true);
    for (i, element) in list.iter().enumerate() {
        match check.at(i, |check| read(element, check)) {
            Some(value) => values.push(value),
            None => whole = false,
        }
    }
    whole.then_some(values)
}

/// Reads `idxes`. Anything in the array but a whole number from 0 is a defect that keeps its identity and points nowhere; a nested value is refused.
pub fn read_span(value: &Json<'_>, check: &mut Check) -> Option<Span> {
    let Some(list) = value.as_list() else {
        return list_of(value, check, |_, _| None::<CharIdx>).map(Span::from_iter);
    };
    let mut nowhere: FxHashMap<String, u32> = FxHashMap::default();
    let (mut span, mut whole) = (Span::default(), true);
    for (number, idx) in list.iter().enumerate() {
        let place = match idx {
            Json::Int(number) => u32::try_from(*number).ok().filter(|number| *number < NOWHERE),
            // Python holds 3.0 and 3 for equal.
            Json::Float(number) if number.fract() == 0.0 && (0.0..f64::from(NOWHERE)).contains(number) => Some(*number as u32),
            _ => None,
        };
        if let Some(place) = place {
            span.push(CharIdx(place));
            continue;
        }
        let expected = Say::new("从 0 起的整数", "a whole number from 0");
        check.at(number, |check| check.add(Code::BadIdx, expected, idx.brief()));
        if let Json::List(_) | Json::Map(_) = idx {
            whole = false;
        }
        let next = nowhere.len() as u32;
        span.push(CharIdx(NOWHERE + *nowhere.entry(idx.to_line()).or_insert(next)));
    }
    whole.then_some(span)
}

/// Reads `text` and `idxes` of an object. Where `text_needed` is false, a fragment without text is kept: the scorer of the task never reads it.
pub fn read_fragment(given: &Json<'_>, text_needed: bool, check: &mut Check) -> Option<Fragment> {
    let fields = Fields::of(given, check)?;
    let text = match fields.need("text", check) {
        Some(Json::Text(text)) => Some(SmolStr::new(text)),
        Some(other) => {
            check.at("text", |check| check.add(Code::BadType, Say::new("字符串", "a string"), other.brief()));
            // To the scripts a list of characters is as good as a string.
            let characters = other.as_list().and_then(|list| list.iter().map(Json::as_str).collect::<Option<String>>());
            characters.map(SmolStr::from)
        }
        None => None,
    };
    let span = fields.need("idxes", check).and_then(|idxes| check.at("idxes", |check| read_span(idxes, check)));
    let text = if text_needed { text? } else { text.unwrap_or_default() };
    Some(Fragment { text, span: span? })
}
