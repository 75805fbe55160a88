//! What several tasks do alike: read a text, write one, read verdicts, look after fragments.

use std::cell::OnceCell;

use crate::answer::{Fragment, RoleFragment, Verdict};
use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json};
use crate::score::fragments::Prf;
use crate::score::{Alignment, Measures, Pair, RoleRow, Total, f1};
use crate::task::{Item, Scale, Texts, write_fragment};
use crate::text::{CharIdx, NOWHERE, join};

/// The numbers of a task whose items are right or wrong.
pub const ACCURACY: Scale = Scale { columns: &["correct"], own: 1, item: 0, ranking: "accuracy", accuracy: true };

/// The measures of such a task.
pub fn accuracy_measures(total: &Total) -> Measures {
    Measures::default().count("correct", total.sums[0]).count("total", total.items as f64).number("accuracy", total.mean(0))
}

/// Fills the column of such a task.
pub fn put_right(row: &mut [f64], item: &Item, judged: Option<Verdict>) {
    row[0] = f64::from(u8::from(judged == Some(Verdict::Plain(gold_verdict(item)))));
}

/// A role, its text and its places, as 2022/attribute and 2023/anomaly write them.
pub fn write_role_fragment(part: &RoleFragment) -> Json<'static> {
    let mut fields = vec![("role", Json::text(part.role.to_string()))];
    fields.extend(write_fragment(&part.fragment));
    Json::map(fields)
}

/// Reads a role with its text and places. The text is not needed: no scorer of these tasks reads it.
pub fn read_role_fragment(given: &Json<'_>, check: &mut Check) -> Option<RoleFragment> {
    let fragment = crate::record::read_fragment(given, false, check);
    let role = Fields::of(given, check)?.text("role", check);
    Some(RoleFragment { role: role?, fragment: fragment? })
}

/// The sums that precision, recall and F1 of items make.
pub fn mean_measures(total: &Total, first: usize) -> Measures {
    let (p, r) = (total.mean(first), total.mean(first + 1));
    Measures::default()
        .number("micro_f1", f1(p, r))
        .number("macro_f1", total.mean(first + 2))
        .number("avg_precision", p)
        .number("avg_recall", r)
}

/// Writes precision, recall and F1 into three columns.
pub fn put(row: &mut [f64], first: usize, prf: Prf) {
    row[first..first + 3].copy_from_slice(&[prf.p, prf.r, prf.f]);
}

/// The characters of the text, split once and only where they are needed.
pub struct Characters<'t> {
    texts: Option<&'t Texts>,
    characters: OnceCell<Vec<char>>,
}

impl<'t> Characters<'t> {
    /// Of the text that indexes count in.
    pub fn of(texts: Option<&'t Texts>) -> Characters<'t> {
        Characters { texts, characters: OnceCell::new() }
    }

    fn get(&self) -> Option<&[char]> {
        let texts = self.texts?;
        Some(self.characters.get_or_init(|| texts.context().chars().collect()))
    }
}

/// Notes what is wrong with a fragment at hand: places outside the text, a text that is not there, nothing at all.
pub fn check_fragment(fragment: &Fragment, characters: &Characters<'_>, check: &mut Check) {
    if fragment.span.is_empty() {
        check.add(Code::EmptyFragment, Say::new("至少一个字", "at least one character"), Say::same("[]"));
        return;
    }
    let length = fragment.text.chars().count();
    if length != fragment.span.len() {
        let expected =
            Say::new(format!("{length} 个字序（“{}”）", fragment.text), format!("{length} indexes (“{}”)", fragment.text));
        let found = Say::new(format!("{} 个", fragment.span.len()), fragment.span.len().to_string());
        check.at("idxes", |check| check.add(Code::TextMismatch, expected, found));
    }
    if fragment.span.to_set().len() < fragment.span.len() {
        let found: Vec<String> = fragment.span.iter().map(|idx| idx.0.to_string()).collect();
        check.at("idxes", |check| check.add(Code::RepeatedIdx, Say::new("每个字序一次", "each index once"), found.join(" ")));
    }
    let Some(characters) = characters.get() else { return };
    let mut inside = true;
    for (number, CharIdx(idx)) in fragment.span.iter().enumerate() {
        if idx as usize >= characters.len() {
            inside = false;
            if idx < NOWHERE {
                let expected = Say::same(format!("0..={}", characters.len().saturating_sub(1)));
                check.at("idxes", |check| check.at(number, |check| check.add(Code::IdxOutOfRange, expected, idx.to_string())));
            }
        }
    }
    if inside
        && length == fragment.span.len()
        && let Some(there) = join(characters, &fragment.span)
        && there != fragment.text.as_str()
    {
        check.at("text", |check| check.add(Code::TextMismatch, format!("“{there}”"), format!("“{}”", fragment.text)));
    }
}

/// Notes roles that are not in `roles` and roles that occur twice.
pub fn check_roles<'r>(roles: impl Iterator<Item = &'r str>, known: &[&str], check: &mut Check) {
    let mut seen: Vec<&str> = Vec::new();
    for (number, role) in roles.enumerate() {
        let pointer = |check: &mut Check, code, expected: Say| {
            check.at(number, |check| check.at("role", |check| check.add(code, expected, format!("“{role}”"))));
        };
        if !known.contains(&role) {
            pointer(check, Code::BadRole, Say::same(known.join(" ")));
        } else if seen.contains(&role) {
            pointer(check, Code::RepeatedRole, Say::new("每个角色至多一次", "each role at most once"));
        } else {
            seen.push(role);
        }
    }
}

/// Python's `int()` of a JSON value, where it gives 0 or 1.
pub fn python_int(given: &Json<'_>) -> Option<bool> {
    let number = match given {
        Json::Bool(value) => i64::from(*value),
        Json::Int(value) => *value,
        Json::Float(value) => value.trunc() as i64,
        Json::Text(text) => text.trim().strip_prefix('+').unwrap_or(text.trim()).parse().ok()?,
        _ => return None,
    };
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// A verdict written as 0, 1, true or false.
pub fn plain_verdict(given: &Json<'_>) -> Option<bool> {
    match given {
        Json::Bool(value) => Some(*value),
        _ => match given.as_f64() {
            Some(0.0) => Some(false),
            Some(1.0) => Some(true),
            _ => None,
        },
    }
}

/// The alignment of a task whose answer is a word or two.
pub fn align_words(rows: &[(&str, String, Option<String>)], right: bool) -> Alignment {
    let side = |text: &String| crate::score::Side { text: text.clone(), ..Default::default() };
    let row = |(role, gold, pred): &(&str, String, Option<String>)| RoleRow {
        role: (*role).to_owned(),
        gold: Some(side(gold)),
        pred: pred.as_ref().map(side),
        hits: f64::from(u8::from(Some(gold) == pred.as_ref())),
        gold_size: 1.0,
        pred_size: f64::from(u8::from(pred.is_some())),
        note: None,
    };
    let earned = f64::from(u8::from(right));
    Alignment {
        numbers: vec![("right".to_owned(), earned)],
        pairs: vec![Pair { gold: Some(0), pred: Some(0), earned, rows: rows.iter().map(row).collect(), note: None }],
        notes: Vec::new(),
    }
}

/// The value of a verdict in words.
pub fn verdict_word(verdict: Verdict) -> String {
    match verdict.value() {
        Some(value) => value.to_string(),
        None => "?".to_owned(),
    }
}

/// The gold verdict of an item; items without gold are never scored.
pub fn gold_verdict(item: &Item) -> bool {
    match &item.gold {
        Some(crate::answer::Answer::Verdict(verdict) | crate::answer::Answer::Joint(verdict, _)) => {
            verdict.value().unwrap_or(false)
        }
        Some(crate::answer::Answer::Scene(scene)) => scene.judge.value().unwrap_or(false),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_makes_of_it() {
        let read = |text: &str| python_int(&Json::parse(text.as_bytes()).expect("JSON"));
        assert_eq!(read("true"), Some(true));
        assert_eq!(read("\" 1 \""), Some(true));
        assert_eq!(read("0.9"), Some(false));
        assert_eq!(read("-0.5"), Some(false));
        assert_eq!(read("\"true\""), None);
        assert_eq!(read("2"), None);
        assert_eq!(read("null"), None);
        assert_eq!(plain_verdict(&Json::Float(1.0)), Some(true));
        assert_eq!(plain_verdict(&Json::text("1")), None);
    }
}
