//! Where a region lies: `start` and `end` as code points or as UTF-16 code units, told apart by the regions' texts.

use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json};
use crate::text::CharIdx;

/// A whole number from 0; some versions write offsets as strings.
fn number(given: &Json<'_>) -> Option<usize> {
    let number = given.as_f64().or_else(|| given.as_str().and_then(|text| text.parse().ok()))?;
    (number.fract() == 0.0 && (0.0..1e9).contains(&number)).then_some(number as usize)
}

/// The text of a region; a line end may be written as two characters.
fn text(value: &Json<'_>) -> Option<String> {
    value.get("text").and_then(Json::as_str).map(|text| text.replace("\\n", "\n"))
}

fn by_points(chars: &[char], start: usize, end: usize) -> Option<(usize, usize)> {
    (start < end && end <= chars.len()).then_some((start, end))
}

/// UTF-16 offsets as code-point offsets; `None` where one falls into a character or outside.
fn by_units(chars: &[char], start: usize, end: usize) -> Option<(usize, usize)> {
    let point = |unit: usize| {
        let mut at = 0;
        for (number, c) in chars.iter().enumerate() {
            if at >= unit {
                return (at == unit).then_some(number);
            }
            at += c.len_utf16();
        }
        (at == unit).then_some(chars.len())
    };
    let (start, end) = (point(start)?, point(end)?);
    (start < end).then_some((start, end))
}

/// Whether the text of a region, if it has one, stands at these code points.
fn says(chars: &[char], (start, end): (usize, usize), text: Option<&str>) -> bool {
    text.is_none_or(|text| chars[start..end].iter().collect::<String>().replace("\\n", "\n") == text)
}

/// Whether the offsets of a record count UTF-16 code units: some region fits only so, and none fits only by code points. One region alone may fit both ways, as
/// the first 猫 of 😀猫猫.
pub fn counts_units<'v, 'a: 'v>(chars: &[char], values: impl Iterator<Item = &'v Json<'a>>) -> bool {
    let (mut only_units, mut only_points) = (false, false);
    for value in values {
        let (Some(start), Some(end)) = (value.get("start").and_then(number), value.get("end").and_then(number)) else { continue };
        let text = text(value);
        let fits = |place: Option<(usize, usize)>| place.is_some_and(|place| says(chars, place, text.as_deref()));
        let (points, units) = (fits(by_points(chars, start, end)), fits(by_units(chars, start, end)));
        only_units |= units && !points;
        only_points |= points && !units;
    }
    only_units && !only_points
}

/// The code points of a region, or a defect.
pub fn places(chars: &[char], value: &Json<'_>, units: bool, check: &mut Check) -> Option<Vec<CharIdx>> {
    let mut offset = |name: &str| {
        let given = Fields::of(value, check)?.need(name, check)?;
        let number = number(given);
        if number.is_none() {
            check.at(name, |check| check.add(Code::BadIdx, Say::new("从 0 起的整数", "a whole number from 0"), given.brief()));
        }
        number
    };
    let (start, end) = (offset("start")?, offset("end")?);
    let found = if units { by_units(chars, start, end) } else { by_points(chars, start, end) };
    let Some((start, end)) = found else {
        check.add(Code::IdxOutOfRange, format!("0..{}", chars.len()), format!("{start}..{end}"));
        return None;
    };
    let text = text(value);
    if !says(chars, (start, end), text.as_deref()) {
        let there: String = chars[start..end].iter().collect();
        check.add(Code::TextMismatch, format!("“{there}”"), format!("“{}”", text.unwrap_or_default()));
        return None;
    }
    Some((start as u32..end as u32).map(CharIdx).collect())
}
