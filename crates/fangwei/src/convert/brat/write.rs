//! Writes the lines of an `.ann` file.

use std::fmt::Write as _;

use super::super::doc::{Doc, Group, shadow};
use super::super::names::{RoleName, ascii, ascii_label};
use super::super::note::Note;
use super::{NOTE, event_type};
use crate::answer::Fragment;
use crate::record::Json;

struct Lines<'c> {
    text: String,
    chars: &'c [char],
    spans: usize,
    attributes: usize,
}

impl Lines<'_> {
    /// Writes a span and gives its number.
    fn span(&mut self, kind: &str, fragment: &Fragment) -> usize {
        self.spans += 1;
        let pieces = fragment.span.pieces();
        let offsets: Vec<String> = pieces.iter().map(|piece| format!("{} {}", piece.start, piece.end)).collect();
        let texts: Vec<String> = pieces.iter().map(|piece| shown(self.chars, piece.start as usize, piece.end as usize)).collect();
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(self.text, "T{}\t{kind} {}\t{}", self.spans, offsets.join(";"), texts.join(" "));
        self.spans
    }

    fn label(&mut self, role: &str, label: &str, of: &str) {
        let Some(value) = ascii_label(label) else { return };
        self.attributes += 1;
        let _ = writeln!(self.text, "A{}\t{}_is {of} {value}", self.attributes, ascii(role));
    }

    /// Writes an answer as event number `number`.
    fn event(&mut self, number: usize, kind: &str, group: &Group) {
        let Some(first) = group.fillers.iter().find_map(|filler| filler.fragment.as_ref()) else { return };
        let trigger = self.span(kind, first);
        let mut arguments = String::new();
        let mut used: Vec<&str> = Vec::new();
        let mut labels = Vec::new();
        for filler in &group.fillers {
            let of = match &filler.fragment {
                Some(fragment) => {
                    let name = ascii(&filler.role);
                    let span = self.span(name, fragment);
                    used.push(name);
                    let copies = used.iter().filter(|known| **known == name).count();
                    let copy = if copies > 1 { copies.to_string() } else { String::new() };
                    let _ = write!(arguments, " {name}{copy}:T{span}");
                    format!("T{span}")
                }
                None => format!("E{number}"),
            };
            labels.extend(filler.label.as_ref().map(|label| (&filler.role, label, of)));
        }
        let _ = writeln!(self.text, "E{number}\t{kind}:T{trigger}{arguments}");
        for (role, label, of) in labels {
            self.label(role, label, &of);
        }
    }

    fn set(&mut self, kind: &str, group: &Group) {
        let mentions = group.fillers.iter().filter_map(|filler| filler.fragment.as_ref());
        let spans: Vec<String> = mentions.map(|mention| format!("T{}", self.span("Mention", mention))).collect();
        let _ = writeln!(self.text, "*\t{kind} {}", spans.join(" "));
    }
}

/// The characters of a piece as brat shows them: on one line.
pub fn shown(chars: &[char], start: usize, end: usize) -> String {
    let flat = |c: &char| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { *c };
    chars.get(start..end).unwrap_or_default().iter().map(flat).collect()
}

/// The annotations of a record.
pub fn annotations(doc: &Doc, number: u64, task: &str, names: &[RoleName]) -> String {
    let chars: Vec<char> = doc.context.chars().collect();
    let mut lines = Lines { text: String::new(), chars: &chars, spans: 0, attributes: 0 };
    let shadows = |groups: &[Group]| -> Vec<Group> { groups.iter().filter_map(|group| shadow(group, &chars, names)).collect() };
    for (i, group) in shadows(&doc.groups.answers).iter().enumerate() {
        lines.event(i + 1, event_type(task, group.kind), group);
    }
    for (kind, groups) in [("Coref", &doc.groups.same), ("NonCoref", &doc.groups.different)] {
        for group in shadows(groups) {
            lines.set(kind, &group);
        }
    }
    let note: Json<'static> = Note::of(doc, number, &chars, names).to_json();
    let _ = writeln!(lines.text, "#1\t{} {}\t{note}", NOTE.0, NOTE.1);
    lines.text
}
