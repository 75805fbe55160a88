//! Reads the lines of an `.ann` file, ours or anyone's.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::super::doc::{Doc, Filler, Group, Groups, sort_fillers};
use super::super::names::{MENTION, RoleName, label_of, role_of};
use super::super::note::Note;
use super::NOTE;
use super::write::shown;
use crate::answer::{Fragment, ReasonType};
use crate::lang::Say;
use crate::record::{Check, Code, Json};
use crate::text::{CharIdx, Span, join};

/// A span: its type, its fragment, its labels by role.
#[derive(Clone, Debug)]
struct Marked {
    line: u64,
    kind: String,
    fragment: Fragment,
    labels: Vec<(&'static str, SmolStr)>,
}

#[derive(Debug)]
struct Event {
    line: u64,
    kind: String,
    trigger: String,
    arguments: Vec<(String, String)>,
    labels: Vec<(&'static str, SmolStr)>,
}

/// The lines of a file, sorted out. Maps are by number, so that order does not depend on how the tool sorted its lines.
#[derive(Default)]
struct Annotations {
    spans: BTreeMap<(u64, String), Marked>,
    events: BTreeMap<(u64, String), Event>,
    relations: Vec<[String; 2]>,
    sets: Vec<(u64, String, Vec<String>)>,
    attributes: Vec<(u64, String, String, String)>,
    note: Option<Note>,
}

/// `T12` sorts by 12.
fn key(id: &str) -> (u64, String) {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(u64::MAX), id.to_owned())
}

/// Notes a defect of a line; the check of a file knows no lines by itself.
fn add(check: &mut Check, file: &std::sync::Arc<str>, line: u64, code: Code, expected: impl Into<Say>, found: impl Into<Say>) {
    let mut at = Check::new(file.clone(), line);
    at.qid.clone_from(&check.qid);
    at.add(code, expected, found);
    check.join(at);
}

struct Reader<'r> {
    file: std::sync::Arc<str>,
    chars: Vec<char>,
    names: &'r [RoleName],
    found: Annotations,
}

impl Reader<'_> {
    fn line(&mut self, number: u64, line: &str, check: &mut Check) {
        let (id, rest) = line.split_once('\t').unwrap_or((line, ""));
        let (data, tail) = rest.split_once('\t').unwrap_or((rest, ""));
        let read = match id.as_bytes().first() {
            Some(b'T') => self.span(number, id, data, tail, check),
            Some(b'E') => self.event(number, id, data),
            Some(b'A' | b'M') => self.attribute(number, data),
            Some(b'R') => self.relation(data),
            Some(b'*') => self.set(number, data),
            Some(b'#') => return self.note(number, data, tail, check),
            // Normalizations say nothing about places.
            Some(b'N') => Some(()),
            _ => None,
        };
        if read.is_none() {
            let expected = Say::new("T、E、A、R、*、# 开头的 brat 行", "a line of brat: T, E, A, R, *, #");
            let shown: String = line.chars().take(60).collect();
            add(check, &self.file, number, Code::BadNotation, expected, shown);
        }
    }

    fn span(&mut self, line: u64, id: &str, data: &str, tail: &str, check: &mut Check) -> Option<()> {
        let (kind, offsets) = data.split_once(' ')?;
        let (mut span, mut texts) = (Span::default(), Vec::new());
        for piece in offsets.split(';') {
            let (start, end) = piece.trim().split_once(' ')?;
            let (start, end): (u32, u32) = (start.parse().ok()?, end.trim().parse().ok()?);
            if start >= end {
                return None;
            }
            if end as usize > self.chars.len() {
                let expected = format!("0..{}", self.chars.len());
                add(check, &self.file, line, Code::IdxOutOfRange, expected, format!("{start} {end}"));
                return Some(());
            }
            texts.push(shown(&self.chars, start as usize, end as usize));
            (start..end).for_each(|idx| span.push(CharIdx(idx)));
        }
        if !tail.is_empty() && tail.trim() != texts.join(" ").trim() && tail != texts.concat() {
            add(check, &self.file, line, Code::TextMismatch, format!("“{}”", texts.join(" ")), format!("“{tail}”"));
            return Some(());
        }
        let span: Span = span.to_set().iter().collect();
        let fragment = Fragment { text: join(&self.chars, &span)?.into(), span };
        self.found.spans.insert(key(id), Marked { line, kind: kind.to_owned(), fragment, labels: Vec::new() });
        Some(())
    }

    fn event(&mut self, line: u64, id: &str, data: &str) -> Option<()> {
        let mut parts = data.split_whitespace().map(|part| part.split_once(':'));
        let (kind, trigger) = parts.next()??;
        let arguments = parts.map(|part| part.map(|(role, id)| (role.to_owned(), id.to_owned()))).collect::<Option<_>>()?;
        let event = Event { line, kind: kind.to_owned(), trigger: trigger.to_owned(), arguments, labels: Vec::new() };
        self.found.events.insert(key(id), event);
        Some(())
    }

    fn attribute(&mut self, line: u64, data: &str) -> Option<()> {
        let mut words = data.split_whitespace().map(ToOwned::to_owned);
        let (name, of) = (words.next()?, words.next()?);
        self.found.attributes.push((line, name, of, words.next().unwrap_or_default()));
        Some(())
    }

    fn relation(&mut self, data: &str) -> Option<()> {
        let mut ends = data.split_whitespace().skip(1).map(|end| end.split_once(':').map(|(_, id)| id.to_owned()));
        self.found.relations.push([ends.next()??, ends.next()??]);
        Some(())
    }

    fn set(&mut self, line: u64, data: &str) -> Option<()> {
        let mut words = data.split_whitespace().map(ToOwned::to_owned);
        self.found.sets.push((line, words.next()?, words.collect()));
        Some(())
    }

    fn note(&mut self, line: u64, data: &str, tail: &str, check: &mut Check) {
        if data.split_whitespace().next() != Some(NOTE.0) {
            return;
        }
        let mut at = Check::new(self.file.clone(), line);
        let given = crate::record::parse(tail.as_bytes(), &mut at).map(Json::into_owned);
        self.found.note = given.and_then(|given| Note::read(&given, &mut at));
        check.join(at);
    }

    /// Gives labels to the spans and events that they are about.
    fn label(&mut self, check: &mut Check) {
        for (line, name, of, value) in std::mem::take(&mut self.found.attributes) {
            let role = role_of(self.names, name.strip_suffix("_is").unwrap_or(&name));
            let (Some(role), Some(label)) = (role, label_of(&value)) else {
                let expected = Say::new("任务的角色和标签", "a role and a label of the task");
                add(check, &self.file, line, Code::BadLabel, expected, format!("{name} {value}"));
                continue;
            };
            let pair = (role, SmolStr::new_static(label));
            let span = self.found.spans.get_mut(&key(&of)).map(|span| &mut span.labels);
            match span.or_else(|| self.found.events.get_mut(&key(&of)).map(|event| &mut event.labels)) {
                Some(labels) => labels.push(pair),
                None => self.absent(line, &of, check),
            }
        }
    }

    fn absent(&self, line: u64, id: &str, check: &mut Check) {
        add(check, &self.file, line, Code::BadNotation, Say::new("文件中有的标注", "an annotation of the file"), id.to_owned());
    }

    fn filler(&self, line: u64, role: Option<&'static str>, id: &str, check: &mut Check) -> Option<Filler> {
        let Some(span) = self.found.spans.get(&key(id)) else {
            self.absent(line, id, check);
            return None;
        };
        let Some(role) = role.or_else(|| role_of(self.names, &span.kind)) else {
            let known: Vec<&str> = self.names.iter().map(|name| name.ascii).collect();
            add(check, &self.file, span.line, Code::BadRole, known.join(" "), span.kind.clone());
            return None;
        };
        if let Some((of, label)) = span.labels.iter().find(|(of, _)| *of != role) {
            add(check, &self.file, span.line, Code::BadLabel, role.to_owned(), format!("{of} {label}"));
        }
        let label = span.labels.iter().find(|(of, _)| *of == role).map(|(_, label)| label.clone());
        Some(Filler { role: role.into(), label, fragment: Some(span.fragment.clone()) })
    }

    fn answer(&self, event: &Event, check: &mut Check) -> Group {
        let kind = event.kind.strip_prefix("Reason_").unwrap_or(&event.kind);
        let mut fillers: Vec<Filler> = Vec::new();
        for (argument, id) in &event.arguments {
            fillers.extend(self.filler(event.line, role_of(self.names, argument), id, check));
        }
        if self.found.note.is_none() {
            let kind = self.found.spans.get(&key(&event.trigger)).and_then(|span| role_of(self.names, &span.kind));
            let entity = self.names.iter().find(|name| name.role == "空间实体").map(|name| name.role);
            let missing = entity.filter(|entity| fillers.iter().all(|filler| filler.role != *entity));
            if let Some(role) = kind.or(missing) {
                fillers.extend(self.filler(event.line, Some(role), &event.trigger, check));
            }
        }
        let alone = |(role, label): &(&'static str, SmolStr)| Filler {
            role: SmolStr::new_static(role),
            label: Some(label.clone()),
            fragment: None,
        };
        fillers.extend(event.labels.iter().map(alone));
        sort_fillers(&mut fillers, self.names);
        Group { kind: ReasonType::parse(kind), fillers }
    }

    /// Fragments in no event: joined by relations, or all together where nothing joins anything.
    fn loose(&self, check: &mut Check, losses: &mut Vec<&'static str>) -> Vec<Group> {
        let in_event = |id: &str| {
            let uses = |event: &Event| event.trigger == id || event.arguments.iter().any(|(_, argument)| argument == id);
            self.found.events.values().any(uses)
        };
        let in_set = |id: &str| self.found.sets.iter().any(|(_, _, ids)| ids.iter().any(|known| known == id));
        let loose: Vec<&str> =
            self.found.spans.keys().map(|(_, id)| id.as_str()).filter(|id| !in_event(id) && !in_set(id)).collect();
        let together = self.found.events.is_empty() && self.found.relations.is_empty();
        let mut groups: Vec<Vec<&str>> = if together { vec![loose] } else { loose.into_iter().map(|id| vec![id]).collect() };
        for ends in &self.found.relations {
            let at = |id: &String| groups.iter().position(|group| group.contains(&id.as_str()));
            if let (Some(a), Some(b)) = (at(&ends[0]), at(&ends[1]))
                && a != b
            {
                let moved = groups.remove(a.max(b));
                groups[a.min(b)].extend(moved);
            }
        }
        let joined = |group: &Vec<&str>| together || group.len() > 1 || self.found.events.is_empty();
        losses.extend(groups.iter().filter(|group| !joined(group)).map(|_| "loose-annotation"));
        groups.retain(|group| joined(group) && !group.is_empty());
        let group = |ids: Vec<&str>| {
            let mut fillers: Vec<Filler> = ids.into_iter().filter_map(|id| self.filler(0, None, id, check)).collect();
            sort_fillers(&mut fillers, self.names);
            Group { kind: None, fillers }
        };
        groups.into_iter().map(group).collect()
    }

    fn mentions(&self, kind: &str, check: &mut Check) -> Vec<Group> {
        let mut groups = Vec::new();
        for (line, _, ids) in self.found.sets.iter().filter(|(_, known, _)| (known == "NonCoref") == (kind == "NonCoref")) {
            let mut fillers: Vec<Filler> = ids.iter().filter_map(|id| self.filler(*line, Some(MENTION), id, check)).collect();
            sort_fillers(&mut fillers, self.names);
            groups.push(Group { kind: None, fillers });
        }
        groups
    }
}

/// A file of annotations and the text that they are about.
pub struct Input<'i> {
    pub file: std::sync::Arc<str>,
    pub qid: &'i str,
    pub text: &'i str,
    pub lines: &'i str,
    pub task: &'i str,
}

/// The record, and its place in the file that it was exported from. `None` where a line is malformed.
pub fn read(
    input: Input<'_>,
    names: &[RoleName],
    check: &mut Check,
    losses: &mut Vec<&'static str>,
) -> Option<(Option<u64>, Doc)> {
    let Input { file, qid, text, lines, task } = input;
    let before = check.errors();
    check.qid = Some(qid.into());
    let mut reader = Reader { file, chars: text.chars().collect(), names, found: Annotations::default() };
    for (number, line) in (1..).zip(lines.lines()) {
        if !line.trim().is_empty() {
            reader.line(number, line.trim_end_matches('\r'), check);
        }
    }
    reader.label(check);
    let mut answers: Vec<Group> = reader.found.events.values().map(|event| reader.answer(event, check)).collect();
    answers.extend(reader.loose(check, losses));
    let mut groups = Groups { answers, ..Groups::default() };
    if task.ends_with("/roles") {
        groups.same = reader.mentions("Coref", check);
        groups.different = reader.mentions("NonCoref", check);
    } else if !reader.found.sets.is_empty() {
        losses.push("coreference");
    }
    if check.errors() > before {
        return None;
    }
    if let Some(note) = reader.found.note.take() {
        return Some((Some(note.number), note.apply(text.into(), groups, names, losses)));
    }
    let context = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text)).into();
    let answered = groups != Groups::default();
    Some((None, Doc { qid: qid.into(), context, answered, groups, extra: Vec::new() }))
}
