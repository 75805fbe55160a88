//! Parts of forms, records and fields as `build` and `craft` put them together.

use super::look::Look;
use super::parts::{Choice, ChoicePart, Field, FieldKind, Part, RecordType, RecordsPart, TextPart, When};
use crate::lang::{Words, words};

/// So many sets, problems and the like.
pub(super) const MOST: usize = 100;

/// Gives keys to options, from 1 on: they are unique in a form.
#[derive(Default)]
pub(super) struct Digits(usize);

impl Digits {
    pub(super) fn next(&mut self) -> &'static str {
        self.0 += 1;
        ["1", "2", "3", "4", "5", "6", "7", "8", "9"].get(self.0 - 1).copied().unwrap_or_default()
    }

    pub(super) fn options(&mut self, values: &[(&'static str, Words)]) -> Vec<Choice> {
        values.iter().map(|(value, label)| Choice { value, label: *label, key: self.next() }).collect()
    }
}

/// A note.
pub(super) fn note() -> Part {
    Part::Text(text("note", words("备注", "note"), 2, false))
}

/// The text that most spans point into.
pub(super) const CONTEXT: Option<&str> = Some("context");

pub(super) fn choice(name: &'static str, label: Words, required: bool, options: Vec<Choice>) -> Part {
    Part::Choice(ChoicePart { name, label, required, options, many: false, when: None })
}

pub(super) fn several(name: &'static str, label: Words, options: Vec<Choice>) -> Part {
    Part::Choice(ChoicePart { name, label, required: false, options, many: true, when: None })
}

pub(super) fn records(name: &'static str, label: Words, types: Vec<RecordType>, most: usize, when: Option<When>) -> Part {
    Part::Records(RecordsPart { name, label, types, most, when })
}

pub(super) fn text(name: &'static str, label: Words, lines: u8, required: bool) -> TextPart {
    TextPart { name, label, lines, required, when: None, frame: None }
}

pub(super) fn record(
    name: &'static str,
    label: Words,
    fields: Vec<Field>,
    least_fields: usize,
    frame: Option<Words>,
) -> RecordType {
    RecordType { name, label, fields, least_fields, frame }
}

pub(super) fn span(name: &'static str, look: Look, context: Option<&'static str>) -> Field {
    Field { text: context, ..field(name, look, FieldKind::Span) }
}

pub(super) fn label(name: &'static str, look: Look, labels: &[&'static str]) -> Field {
    let options = labels.iter().map(|label| Choice { value: label, label: words(label, label), key: "" }).collect();
    Field { options, ..field(name, look, FieldKind::Label) }
}

pub(super) fn field(name: &'static str, look: Look, kind: FieldKind) -> Field {
    let Look { key, label, group, primary, colour, shape } = look;
    Field { name, label, key, kind, text: None, many: false, pieces: false, options: Vec::new(), group, primary, colour, shape }
}
