//! A mark as a sheet: the other way round of `read`.

use std::collections::BTreeMap;

use super::build::{EVENT_ROLES, HEAD, LABELS, OTHER, RELATION_ROLES, TYPE};
use super::given::texts;
use super::read::Characters;
use super::sheet::{Sheet, SheetValue, SheetWaiver};
use super::{BatchMode, Form};
use crate::annotate::craft::{Flaw, Problem};
use crate::annotate::mark::{Level, Mark};
use crate::answer::{Answer, DraftReason, DraftRole, Element, Fragment, Kind, RoleFragment, Slot, Verdict};
use crate::task::Item;
use crate::tasks::SLOTS;
use crate::text::Span;

/// What the fields of a record hold.
type Fields = BTreeMap<String, Vec<SheetValue>>;

impl Form {
    /// Writes a mark of the item as a sheet.
    pub fn sheet(&self, mark: &Mark, item: &Item) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.write("note", &mark.note);
        match self.mode {
            BatchMode::Clean => write_problems(mark.problems.as_deref(), &mut sheet),
            BatchMode::Author => write_pair(mark, &mut sheet),
            BatchMode::Grade => {
                if let Some(grade) = mark.grade {
                    sheet.choose("grade", &grade.to_string());
                }
            }
            BatchMode::Annotate | BatchMode::Agreement | BatchMode::Human => {
                let characters = Characters::of(&texts(item, self.mode));
                if let Some(answer) = &mark.answer {
                    self.write_answer(answer, &characters, &mut sheet);
                }
                if self.mode != BatchMode::Human {
                    self.write_aside(mark, &mut sheet);
                }
            }
        }
        let waiver = |waiver: &crate::annotate::Waiver| SheetWaiver {
            rule: waiver.rule.to_string(),
            at: waiver.at.to_string(),
            reason: waiver.reason.to_string(),
        };
        sheet.waivers = mark.waivers.iter().map(waiver).collect();
        if self.mode == BatchMode::Human {
            sheet.texts.remove("note");
        }
        sheet
    }

    fn write_answer(&self, answer: &Answer, characters: &Characters, sheet: &mut Sheet) {
        match answer {
            Answer::Verdict(verdict) if !self.has_levels() => judge(sheet, "judge", *verdict),
            Answer::Joint(first, second) => {
                judge(sheet, "judge1", *first);
                if *first != Verdict::Plain(true) || second.value() == Some(true) {
                    judge(sheet, "judge2", *second);
                }
            }
            Answer::Scene(scene) => {
                judge(sheet, "judge", scene.judge);
                sheet.write("reason", scene.reason.as_deref().unwrap_or_default());
            }
            Answer::Reasons(reasons) => {
                for reason in reasons {
                    sheet.add(reason.kind.as_str(), fragments(&reason.fragments));
                }
            }
            Answer::Candidates(candidates) => candidates.iter().for_each(|parts| sheet.add("candidate", fragments(parts))),
            Answer::Slots(tuples) => tuples.iter().for_each(|tuple| sheet.add("tuple", slots(tuple))),
            Answer::Tuples(tuples) => tuples.iter().for_each(|tuple| sheet.add("tuple", elements(tuple))),
            Answer::DraftReason(reason) => sheet.add("reason", draft(reason, characters)),
            Answer::Graph(graph) => {
                graph.events.iter().for_each(|event| sheet.add("event", head(event, '%', &EVENT_ROLES)));
                graph.relations.iter().for_each(|relation| sheet.add("relation", head(relation, '#', &RELATION_ROLES)));
            }
            Answer::Verdict(_) => {}
        }
    }

    fn write_aside(&self, mark: &Mark, sheet: &mut Sheet) {
        let anomalies = matches!(self.kind, Kind::Reasons | Kind::Candidates);
        if self.has_levels() || anomalies {
            let judged = match &mark.answer {
                Some(Answer::Verdict(verdict)) => verdict.value().map(|value| if value { Level::Fine } else { Level::Bad }),
                Some(_) => Some(Level::Bad),
                None => None,
            };
            // In a task about anomalies there is one or there is none.
            let level = mark.level.or(judged).map(|level| if anomalies && level != Level::Fine { Level::Bad } else { level });
            match (&mark.unsuitable, level) {
                (Some(_), _) => sheet.choose("level", "unsuitable"),
                (None, Some(level)) => sheet.choose("level", level.as_str()),
                (None, None) => {}
            }
        } else if mark.unsuitable.is_some() && !self.has_special() {
            sheet.choose("unsuitable", "yes");
        }
        if let Some(unsuitable) = mark.unsuitable.as_ref().filter(|_| !self.has_special()) {
            sheet.write("why", &unsuitable.reason);
            if !unsuitable.span.is_empty() {
                sheet.add("where", Fields::from([("place".to_owned(), vec![span(&unsuitable.span)])]));
            }
        }
        if self.has_special() {
            mark.special.iter().for_each(|special| sheet.choose("special", special.as_str()));
            for (kind, sets) in [("coref", &mark.corefs.same), ("different", &mark.corefs.different)] {
                for set in sets {
                    let mentions = set.iter().map(|mention| span(&mention.span)).collect();
                    sheet.add(kind, Fields::from([("mention".to_owned(), mentions)]));
                }
            }
        }
    }

    /// Whether the form has special cases in place of the box for unsuitable items.
    fn has_special(&self) -> bool {
        matches!(self.kind, Kind::Slots | Kind::Tuples)
    }
}

fn span(span: &Span) -> SheetValue {
    SheetValue::span(span.iter().map(|idx| idx.0))
}

fn written(text: &str) -> SheetValue {
    SheetValue::Written { value: text.to_owned() }
}

fn label(label: &str) -> SheetValue {
    SheetValue::Label { label: label.to_owned() }
}

fn judge(sheet: &mut Sheet, name: &str, verdict: Verdict) {
    if let Some(value) = verdict.value() {
        sheet.choose(name, if value { "true" } else { "false" });
    }
}

fn fragments(parts: &[RoleFragment]) -> Fields {
    let mut fields = Fields::new();
    for part in parts.iter().filter(|part| !part.fragment.span.is_empty()) {
        fields.entry(part.role.to_string()).or_insert_with(|| vec![span(&part.fragment.span)]);
    }
    fields
}

fn slots(tuple: &[Slot]) -> Fields {
    let value = |slot: &Slot| match slot {
        Slot::Fragment(fragment) if !fragment.span.is_empty() => Some(span(&fragment.span)),
        Slot::Label(text) => Some(label(text)),
        _ => None,
    };
    let filled = SLOTS.iter().zip(tuple).filter_map(|(name, slot)| Some(((*name).to_owned(), vec![value(slot)?])));
    filled.collect()
}

fn elements(tuple: &[Element]) -> Fields {
    let mut fields = Fields::new();
    for Element { role, label: given, fragment } in tuple {
        if let Some(Fragment { span: places, .. }) = fragment.value().filter(|fragment| !fragment.span.is_empty()) {
            fields.entry(role.to_string()).or_insert_with(|| vec![span(places)]);
        }
        if let Some(text) = given.value() {
            let field = LABELS.iter().find(|(name, _)| name == role).map_or(role.as_str(), |(_, field)| field);
            fields.entry(field.to_owned()).or_insert_with(|| vec![label(text)]);
        }
    }
    fields
}

fn draft(reason: &DraftReason, characters: &Characters) -> Fields {
    let mut fields = Fields::new();
    for (name, text) in ["text1", "text2"].into_iter().zip(&reason.texts) {
        let found = characters.get(None).and_then(|characters| find(characters, text));
        fields.insert(name.to_owned(), vec![found.unwrap_or_else(|| written(text))]);
    }
    if !reason.kind.is_empty() {
        fields.insert(TYPE.to_owned(), vec![label(&reason.kind)]);
    }
    fields
}

/// Where a text first stands.
fn find(characters: &[char], text: &str) -> Option<SheetValue> {
    let wanted: Vec<char> = text.chars().collect();
    if wanted.is_empty() {
        return None;
    }
    let start = characters.windows(wanted.len()).position(|window| window == wanted)?;
    Some(SheetValue::span(start as u32..(start + wanted.len()) as u32))
}

fn head((head, roles): &(smol_str::SmolStr, Vec<DraftRole>), sign: char, known: &[&str]) -> Fields {
    let mut fields = Fields::new();
    let bare = head.strip_prefix(sign).and_then(|head| head.strip_suffix(sign)).unwrap_or(head);
    if !bare.is_empty() {
        fields.insert(HEAD.to_owned(), vec![written(bare)]);
    }
    for (role, values) in roles {
        if known.contains(&role.as_str()) {
            fields.insert(role.to_string(), values.iter().map(|value| written(value)).collect());
        } else {
            let others = values.iter().map(|value| written(&format!("{role}={value}")));
            fields.entry(OTHER.to_owned()).or_default().extend(others);
        }
    }
    fields
}

fn write_problems(problems: Option<&[Problem]>, sheet: &mut Sheet) {
    let Some(problems) = problems else { return };
    let has = |flaw: Flaw| problems.iter().any(|problem| problem.flaw == flaw);
    sheet.choose(
        "outcome",
        if has(Flaw::Drop) {
            "drop"
        } else if has(Flaw::Nothing) {
            "none"
        } else {
            "some"
        },
    );
    for Problem { flaw, text, span: places, correction } in problems {
        if matches!(flaw, Flaw::Drop | Flaw::Nothing) {
            continue;
        }
        let mut fields = Fields::new();
        if !places.is_empty() {
            let idxes = places.iter().map(|idx| idx.0).collect();
            let text = (!text.is_empty()).then(|| text.to_string());
            fields.insert("place".to_owned(), vec![SheetValue::Span { idxes, text }]);
        }
        if !correction.is_empty() {
            fields.insert("correction".to_owned(), vec![written(correction)]);
        }
        sheet.add(flaw.as_str(), fields);
    }
}

fn write_pair(mark: &Mark, sheet: &mut Sheet) {
    if let Some(Answer::Scene(scene)) = &mark.answer {
        judge(sheet, "judge", scene.judge);
        sheet.write("reason", scene.reason.as_deref().unwrap_or_default());
    }
    let Some(pair) = &mark.pair else { return };
    sheet.write("context1", &pair.context1);
    sheet.write("context2", &pair.context2);
    sheet.write("entities", &pair.entities.join("\n"));
    if let Some(deciding) = pair.deciding {
        sheet.choose("deciding", deciding.as_str());
    }
}
