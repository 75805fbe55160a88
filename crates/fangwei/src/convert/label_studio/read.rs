//! Reads a task of Label Studio, ours or anyone's.

use smol_str::SmolStr;

use super::super::doc::{Doc, Filler, Group, Groups, sort_fillers};
use super::super::names::{MENTION, RoleName, role_of};
use super::super::note::Note;
use super::SETS;
use super::offsets::{counts_units, places};
use crate::answer::{Fragment, ReasonType};
use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json};
use crate::text::{CharIdx, Span, join};

/// A region with the choices that were made for it.
struct Region {
    id: String,
    /// `None` for a mention.
    role: Option<&'static str>,
    /// Which of [`SETS`] a mention belongs to.
    set: usize,
    places: Vec<CharIdx>,
    label: Option<(SmolStr, SmolStr)>,
    alone: Vec<(SmolStr, SmolStr)>,
    kind: Option<ReasonType>,
}

struct Reader<'r> {
    chars: Vec<char>,
    /// Whether offsets count UTF-16 code units.
    by_units: bool,
    names: &'r [RoleName],
    regions: Vec<Region>,
    relations: Vec<(String, String, bool)>,
}

/// `时间=之后`; a bare label belongs to the region's role.
fn role_label(choice: &str, role: Option<&str>) -> (SmolStr, SmolStr) {
    match choice.split_once('=') {
        Some((role, label)) => (role.into(), label.into()),
        None => (role.unwrap_or_default().into(), choice.into()),
    }
}

impl Reader<'_> {
    fn result(&mut self, given: &Json<'_>, check: &mut Check) {
        let Some(fields) = Fields::of(given, check) else { return };
        match given.get("type").and_then(Json::as_str) {
            Some("relation") => {
                let (from, to) = (fields.text("from_id", check), fields.text("to_id", check));
                let labels = given.get("labels").and_then(Json::as_list).unwrap_or_default();
                let piece = labels.iter().any(|label| label.as_str() == Some("piece"));
                self.relations.extend(from.zip(to).map(|(from, to)| (from.to_string(), to.to_string(), piece)));
            }
            Some("labels") => self.region(given, check),
            Some("choices") => self.choices(given, check),
            // Ratings, comments and the like say nothing about places.
            _ => {}
        }
    }

    fn region(&mut self, given: &Json<'_>, check: &mut Check) {
        let Some(value) = Fields(given).need("value", check) else { return };
        let id = given.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        check.at("value", |check| {
            let label = value.get("labels").and_then(Json::as_list).and_then(<[_]>::first).and_then(Json::as_str);
            let set = label.and_then(|label| SETS.iter().position(|(name, _)| *name == label));
            let role = label.filter(|_| set.is_none()).and_then(|label| role_of(self.names, label));
            if role.is_none() && set.is_none() {
                let known: Vec<&str> = self.names.iter().map(|name| name.role).collect();
                let found = label.map_or(Say::new("没有", "none"), |label| Say::same(format!("“{label}”")));
                check.at("labels", |check| check.add(Code::BadRole, known.join(" "), found));
            }
            let Some(places) = places(&self.chars, value, self.by_units, check) else { return };
            let set = set.unwrap_or_default();
            self.regions.push(Region { id, role, set, places, label: None, alone: Vec::new(), kind: None });
        });
    }

    fn choices(&mut self, given: &Json<'_>, check: &mut Check) {
        let id = given.get("id").and_then(Json::as_str).unwrap_or_default();
        let name = given.get("from_name").and_then(Json::as_str).unwrap_or_default();
        let choices = given.get("value").and_then(|value| value.get("choices")).and_then(Json::as_list).unwrap_or_default();
        let choices: Vec<&str> = choices.iter().filter_map(Json::as_str).collect();
        let Some(region) = self.regions.iter_mut().find(|region| region.id == id) else {
            // Label Studio lists a region before its choices.
            if ["type", "label", "answer_label"].contains(&name) {
                check.add(Code::BadNotation, Say::new("区域的选项", "a choice of a region"), format!("“{id}”"));
            }
            return;
        };
        match name {
            "type" => region.kind = choices.first().and_then(|kind| ReasonType::parse(kind)),
            "label" => region.label = choices.first().map(|choice| role_label(choice, region.role)),
            "answer_label" => region.alone.extend(choices.into_iter().map(|choice| role_label(choice, None))),
            _ => {}
        }
    }

    /// Numbers the regions by what joins them: regions with one number are one group.
    fn joined(&self, wanted: impl Fn(bool) -> bool) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.regions.len()).collect();
        let at = |id: &str| self.regions.iter().position(|region| region.id == id);
        for (from, to, piece) in &self.relations {
            if let (Some(a), Some(b)) = (at(from), at(to))
                && wanted(*piece)
            {
                let (low, high) = (group[a].min(group[b]), group[a].max(group[b]));
                group.iter_mut().filter(|number| **number == high).for_each(|number| *number = low);
            }
        }
        group
    }

    fn groups(&self, own: bool) -> Groups {
        let (mut answers, mut fragments) = (self.joined(|_| true), self.joined(|piece| piece));
        if !own && self.relations.is_empty() {
            let kind = |region: &Region| if region.role.is_some() { 2 } else { region.set };
            for (answer, region) in answers.iter_mut().zip(&self.regions) {
                let first = self.regions.iter().position(|other| kind(other) == kind(region));
                *answer = first.unwrap_or(*answer);
            }
        }
        if !own {
            for i in 0..self.regions.len() {
                let like = |j: &usize| answers[*j] == answers[i] && self.regions[*j].role == self.regions[i].role;
                if self.regions[i].role.is_some() {
                    fragments[i] = (0..i).find(like).map_or(fragments[i], |j| fragments[j]);
                }
            }
        }
        let mut groups = Groups::default();
        for first in (0..self.regions.len()).filter(|i| answers[*i] == *i) {
            let members: Vec<usize> = (0..self.regions.len()).filter(|i| answers[*i] == first).collect();
            let group = self.group(&members, &fragments);
            match (self.regions[first].role, self.regions[first].set) {
                (Some(_), _) => groups.answers.push(group),
                (None, 0) => groups.same.push(group),
                (None, _) => groups.different.push(group),
            }
        }
        groups
    }

    fn group(&self, members: &[usize], fragments: &[usize]) -> Group {
        let mut group = Group::default();
        for (n, &i) in members.iter().enumerate() {
            let region = &self.regions[i];
            group.kind = group.kind.or(region.kind);
            let alone =
                |(role, label): &(SmolStr, SmolStr)| Filler { role: role.clone(), label: Some(label.clone()), fragment: None };
            group.fillers.extend(region.alone.iter().map(alone));
            if members[..n].iter().any(|before| fragments[*before] == fragments[i]) {
                continue;
            }
            let pieces = members.iter().map(|j| (*j, &self.regions[*j])).filter(|(j, _)| fragments[*j] == fragments[i]);
            let (mut span, mut label): (Vec<CharIdx>, Option<SmolStr>) = (Vec::new(), None);
            for (_, piece) in pieces {
                span.extend(&piece.places);
                label = label.or_else(|| piece.label.as_ref().map(|(_, label)| label.clone()));
            }
            let span: Span = span.into_iter().collect::<Span>().to_set().iter().collect();
            let text = join(&self.chars, &span).unwrap_or_default().into();
            let role = SmolStr::new_static(region.role.unwrap_or(MENTION));
            group.fillers.push(Filler { role, label, fragment: Some(Fragment { text, span }) });
        }
        sort_fillers(&mut group.fillers, self.names);
        group
    }
}

/// The record of a task of Label Studio, and its place in the file that it was exported from.
pub fn doc(
    given: &Json<'_>,
    task: &str,
    names: &[RoleName],
    check: &mut Check,
    losses: &mut Vec<&'static str>,
) -> Option<(Option<u64>, Doc)> {
    let before = check.errors();
    let data = Fields::of(given, check)?.need("data", check)?;
    let qid = data.get("qid").and_then(Json::as_str).map(SmolStr::new);
    let id = given.get("id").filter(|id| matches!(id, Json::Int(_) | Json::Text(_)));
    let id = id.map(|id| id.as_str().map_or_else(|| id.to_line(), ToOwned::to_owned).into());
    check.qid = qid.or(id);
    let context = check.at("data", |check| Fields::of(data, check)?.text("text", check))?;
    let note = match data.get("fangwei") {
        Some(note) => Some(check.at("data", |check| check.at("fangwei", |check| Note::read(note, check)))?),
        None => None,
    };

    let annotations = given.get("annotations").and_then(Json::as_list).unwrap_or_default();
    let valid = |annotation: &&Json<'_>| annotation.get("was_cancelled") != Some(&Json::Bool(true));
    let annotation = annotations.iter().enumerate().find(|(_, annotation)| valid(annotation));
    losses.extend(annotations.iter().filter(valid).skip(1).map(|_| "further-annotation"));
    let chars: Vec<char> = context.chars().collect();
    let results = annotation.and_then(|(_, annotation)| annotation.get("result")?.as_list()).unwrap_or_default();
    let by_units = counts_units(&chars, results.iter().filter_map(|result| result.get("value")));
    let mut reader = Reader { chars, by_units, names, regions: Vec::new(), relations: Vec::new() };
    if let Some((i, annotation)) = annotation {
        check.at("annotations", |check| {
            check.at(i, |check| {
                let Some(fields) = Fields::of(annotation, check) else { return };
                let read = |result: &Json<'_>, check: &mut Check| {
                    reader.result(result, check);
                    Some(())
                };
                crate::record::read_list(&fields, "result", check, read);
            });
        });
    }
    let mut groups = reader.groups(note.is_some());
    let mentions = groups.same.len() + groups.different.len();
    if mentions > 0 && !task.ends_with("/roles") {
        losses.push("coreference");
        (groups.same, groups.different) = (Vec::new(), Vec::new());
    }
    let qid = check.qid.clone();
    if qid.is_none() && note.is_none() {
        check.add(Code::NoQid, "data.qid / id", given.brief());
    }
    if check.errors() > before {
        return None;
    }
    Some(match note {
        Some(note) => (Some(note.number), note.apply(context, groups, names, losses)),
        None => (None, Doc { qid: qid?, context, answered: annotation.is_some(), groups, extra: Vec::new() }),
    })
}
