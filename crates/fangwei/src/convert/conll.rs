//! CoNLL-style columns: one character a line, one column of BIO tags an answer, a blank line after each item. Written only.
//!
//! Answers overlap, so each is a layer of its own: column 1 is the character, column n + 1 answer n. Within an answer:
//!
//! - a fragment begins with `B-role`; every other character of it is `I-role`, also where a later piece of a discontinuous fragment begins after a gap, so the
//!   number of `B-` tags is the number of fragments;
//! - a character in two roles has both tags, joined by `|`, in the order of the roles;
//! - places are a set in rising order: the order of unsorted indexes and repeats are not shown, nor places outside the text.
//!
//! Comments before the characters hold the identifier, the types of reasons (`# type 1 = A`), labels (`# label 2 = 事实性=假`) and sets of mentions
//! (`# same 1 = 老周[9,10] 他[20]`). Line ends, tabs and backslashes of the text are written `\n`, `\r`, `\t`, `\\`. Each case of something that is not shown counts as
//! lossy in the report.

use std::fmt::Write as _;

use super::doc::{Doc, Group};
use super::names::task;
use super::read::each_item;
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::lang::words;
use crate::record::{ReadError, Source};
use crate::text::{CharIdx, join};

/// A task → CoNLL.
pub(super) const fn to(task: &'static str) -> Conversion {
    Conversion {
        from: task,
        to: "conll",
        title: words("导出为一行一字的 BIO 标记", "as one character a line with BIO tags"),
        run: export,
    }
}

fn export(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let taken = each_item(task(conversion.from), inputs, |item, check| Doc::of(&item, check).map(|doc| columns(&doc)))?;
    let mut report = Report::new(conversion, taken.read, taken.values.len());
    let mut text = String::new();
    for (columns, losses) in taken.values {
        text.push_str(&columns);
        report.lose(losses);
    }
    let file = OutFile::new(format!("{}.conll", conversion.from.replace('/', "-")), text);
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}

/// The tags of one answer.
fn layer(group: &Group, chars: &[char], losses: &mut Vec<&'static str>) -> Vec<String> {
    let mut tags = vec![String::new(); chars.len()];
    for filler in &group.fillers {
        let Some(fragment) = &filler.fragment else { continue };
        let places = fragment.span.to_set();
        if places.len() < fragment.span.len() {
            losses.push("repeated-index");
        } else if !fragment.span.is_sorted() {
            losses.push("order-of-indexes");
        }
        if join(chars, &fragment.span).as_deref() != Some(fragment.text.as_str()) {
            losses.push("text-mismatch");
        }
        let mut begin = "B";
        for CharIdx(idx) in places.iter() {
            let Some(tag) = tags.get_mut(idx as usize) else { continue };
            let bar = if tag.is_empty() { "" } else { "|" };
            // Writing to a String cannot fail, here and below.
            let _ = write!(tag, "{bar}{begin}-{}", filler.role);
            begin = "I";
        }
    }
    tags
}

fn columns(doc: &Doc) -> (String, Vec<&'static str>) {
    let chars: Vec<char> = doc.context.chars().collect();
    let (mut text, mut losses) = (format!("# qid = {}\n", doc.qid), Vec::new());
    let layers: Vec<Vec<String>> = doc.groups.answers.iter().map(|group| layer(group, &chars, &mut losses)).collect();
    if doc.answered {
        let _ = writeln!(text, "# answers = {}", layers.len());
    }
    for (i, group) in (1..).zip(&doc.groups.answers) {
        if let Some(kind) = group.kind {
            let _ = writeln!(text, "# type {i} = {}", kind.as_str());
        }
        for filler in &group.fillers {
            if let Some(label) = &filler.label {
                let _ = writeln!(text, "# label {i} = {}={label}", filler.role);
            }
        }
    }
    for (name, sets) in [("same", &doc.groups.same), ("different", &doc.groups.different)] {
        for (i, set) in (1..).zip(sets) {
            let _ = writeln!(text, "# {name} {i} = {}", mentions(set));
        }
    }
    losses.extend(doc.extra.iter().map(|_| "extra-field"));
    for (i, character) in chars.iter().enumerate() {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            other => text.push(*other),
        }
        for layer in &layers {
            text.push('\t');
            text.push_str(if layer[i].is_empty() { "O" } else { &layer[i] });
        }
        text.push('\n');
    }
    text.push('\n');
    (text, losses)
}

fn mentions(set: &Group) -> String {
    let mention = |fragment: &crate::answer::Fragment| {
        let places: Vec<String> = fragment.span.iter().map(|idx| idx.0.to_string()).collect();
        format!("{}[{}]", fragment.text, places.join(","))
    };
    let mentions: Vec<String> = set.fillers.iter().filter_map(|filler| filler.fragment.as_ref()).map(mention).collect();
    mentions.join(" ")
}
