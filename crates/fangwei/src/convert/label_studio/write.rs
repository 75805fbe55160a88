//! Writes a record as a task of Label Studio.

use super::super::doc::{Doc, Group, shadow};
use super::super::names::RoleName;
use super::super::note::Note;
use super::SETS;
use crate::record::Json;

fn text(text: impl Into<String>) -> Json<'static> {
    Json::text(text.into())
}

struct Result<'c> {
    chars: &'c [char],
    list: Vec<Json<'static>>,
}

impl Result<'_> {
    /// A region or a choice of it: both hold the region's place.
    fn add(&mut self, id: &str, name: &str, kind: &str, piece: &std::ops::Range<u32>, values: Vec<Json<'static>>) {
        let there: String = self.chars.get(piece.start as usize..piece.end as usize).unwrap_or_default().iter().collect();
        let value = [
            ("start", Json::Int(i64::from(piece.start))),
            ("end", Json::Int(i64::from(piece.end))),
            ("text", text(there)),
            (if kind == "labels" { "labels" } else { "choices" }, Json::List(values)),
        ];
        self.list.push(Json::map([
            ("id", text(id)),
            ("from_name", text(name)),
            ("to_name", text("text")),
            ("type", text(kind)),
            ("value", Json::map(value)),
        ]));
    }

    fn join(&mut self, from: &str, to: &str, label: &str) {
        self.list.push(Json::map([
            ("type", text("relation")),
            ("from_id", text(from)),
            ("to_id", text(to)),
            ("direction", text("right")),
            ("labels", Json::List(vec![text(label)])),
        ]));
    }

    /// Writes a group; `id` begins the identifiers of its regions, `role` overrules those of its fillers.
    fn group(&mut self, id: &str, group: &Group, role: Option<&str>, relation: &str) {
        let (mut relations, mut alone) = (Vec::new(), Vec::new());
        let mut head: Option<(String, std::ops::Range<u32>)> = None;
        for (number, filler) in group.fillers.iter().enumerate() {
            let label = filler.label.as_ref().map(|label| text(format!("{}={label}", filler.role)));
            let Some(fragment) = &filler.fragment else {
                alone.extend(label);
                continue;
            };
            let pieces = fragment.span.pieces();
            let ids: Vec<String> = (1..=pieces.len()).map(|piece| format!("{id}-{}-{piece}", number + 1)).collect();
            for (id, piece) in ids.iter().zip(&pieces) {
                self.add(id, "role", "labels", piece, vec![text(role.unwrap_or(&filler.role))]);
            }
            relations.extend(ids.windows(2).map(|pair| (pair[0].clone(), pair[1].clone(), "piece")));
            if let (Some(label), Some(first), Some(piece)) = (label, ids.first(), pieces.first()) {
                self.add(first, "label", "choices", piece, vec![label]);
            }
            match (&head, ids.first(), pieces.first()) {
                (Some((head, _)), Some(first), _) => relations.push((head.clone(), first.clone(), relation)),
                (None, Some(first), Some(piece)) => head = Some((first.clone(), piece.clone())),
                _ => {}
            }
        }
        if let Some((head, piece)) = head {
            if let Some(kind) = group.kind {
                self.add(&head, "type", "choices", &piece, vec![text(kind.as_str())]);
            }
            if !alone.is_empty() {
                self.add(&head, "answer_label", "choices", &piece, alone);
            }
        }
        for (from, to, label) in relations {
            self.join(&from, &to, label);
        }
    }
}

/// A record as a task; `number` is its place in the file.
pub fn task(doc: &Doc, number: u64, names: &[RoleName]) -> Json<'static> {
    let chars: Vec<char> = doc.context.chars().collect();
    let mut result = Result { chars: &chars, list: Vec::new() };
    let shadows = |groups: &[Group]| -> Vec<Group> { groups.iter().filter_map(|group| shadow(group, &chars, names)).collect() };
    for (i, group) in shadows(&doc.groups.answers).iter().enumerate() {
        result.group(&format!("a{}", i + 1), group, None, "answer");
    }
    for ((role, relation), groups) in SETS.into_iter().zip([&doc.groups.same, &doc.groups.different]) {
        for (i, group) in shadows(groups).iter().enumerate() {
            result.group(&format!("{}{}", &relation[..1], i + 1), group, Some(role), relation);
        }
    }
    let annotations = if doc.answered {
        vec![Json::map([("id", Json::Int(number as i64)), ("result", Json::List(result.list))])]
    } else {
        Vec::new()
    };
    let data = [
        ("text", text(doc.context.as_str())),
        ("qid", text(doc.qid.as_str())),
        ("fangwei", Note::of(doc, number, &chars, names).to_json()),
    ];
    Json::map([("id", Json::Int(number as i64)), ("data", Json::map(data)), ("annotations", Json::List(annotations))])
}
