//! Records of a sheet as records of an answer. Parallel values of a tuple (并置) have no place in the official formats: each makes a tuple of its own.

use smol_str::SmolStr;

use super::build::{EVENT_ROLES, HEAD, LABELS, OTHER, RELATION_ROLES, TYPE};
use super::read::Filler;
use super::refuse::{SheetError, SheetFault};
use super::sheet::{SheetRecord, SheetValue};
use crate::answer::{Answer, DraftReason, DraftRole, Element, Graph, Part, Reason, ReasonType, RoleFragment, Slot};
use crate::score::tuples::MOST_TUPLES;
use crate::tasks::{ROLES, SLOTS, TRIPLE_ROLES, reason_roles};

/// So many values a field may hold side by side.
pub(super) const MOST_PARALLEL: usize = 20;

/// Answers, and the sheet's record of each of their records.
type Filled = (Option<Answer>, Vec<u32>);

/// One value for each field that has some.
type Line<'r> = Vec<(&'r str, &'r SheetValue)>;

/// How many tuples a record makes.
fn ways(record: &SheetRecord) -> usize {
    record.fields.values().map(|values| values.len().max(1)).fold(1, usize::saturating_mul)
}

/// Every way to take one value of each field, the later fields changing first.
fn lines(record: &SheetRecord) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = vec![Vec::new()];
    for (name, values) in record.fields.iter().filter(|(_, values)| !values.is_empty()) {
        let mut longer = Vec::with_capacity(lines.len() * values.len());
        for line in &lines {
            longer.extend(values.iter().map(|value| line.iter().copied().chain([(name.as_str(), value)]).collect::<Line<'_>>()));
        }
        lines = longer;
    }
    lines
}

fn value<'r>(line: &Line<'r>, name: &str) -> Option<&'r SheetValue> {
    line.iter().find(|(field, _)| *field == name).map(|(_, value)| *value)
}

impl Filler<'_> {
    fn role_fragments(&self, record: &SheetRecord, roles: &[&'static str]) -> Vec<RoleFragment> {
        let fragment = |role: &&'static str| match record.fields.get(*role)?.first()? {
            SheetValue::Span { idxes, .. } => {
                Some(RoleFragment { role: SmolStr::new_static(role), fragment: self.fragment(idxes) })
            }
            _ => None,
        };
        roles.iter().filter_map(fragment).collect()
    }

    pub(super) fn reasons(&self) -> Filled {
        let reason = |record: &SheetRecord| {
            let kind = ReasonType::parse(&record.kind)?;
            Some((Reason { kind, fragments: self.role_fragments(record, reason_roles(kind)) }, record.id))
        };
        let (reasons, ids) = self.sheet.records.iter().filter_map(reason).unzip();
        (Some(Answer::Reasons(reasons)), ids)
    }

    pub(super) fn candidates(&self) -> Filled {
        let candidate = |record: &SheetRecord| (self.role_fragments(record, &TRIPLE_ROLES), record.id);
        let (candidates, ids) = self.sheet.of_type("candidate").map(candidate).unzip();
        (Some(Answer::Candidates(candidates)), ids)
    }

    pub(super) fn slots(&self) -> Result<Filled, SheetError> {
        let slot = |line: &Line<'_>, name: &str| match value(line, name) {
            Some(SheetValue::Span { idxes, .. }) => Slot::Fragment(self.fragment(idxes)),
            Some(SheetValue::Label { label }) => Slot::Label(label.as_str().into()),
            _ => Slot::Empty,
        };
        let (tuples, ids) = self.tuples_of(|line| SLOTS.iter().map(|name| slot(line, name)).collect())?;
        Ok((Some(Answer::Slots(tuples)), ids))
    }

    pub(super) fn tuples(&self) -> Result<Filled, SheetError> {
        let element = |line: &Line<'_>, role: &'static str| {
            let label_field = LABELS.iter().find(|(name, _)| *name == role).map_or(role, |(_, field)| *field);
            let label = match value(line, label_field) {
                Some(SheetValue::Label { label }) => Part::Value(label.as_str().into()),
                _ => Part::Absent,
            };
            let fragment = match value(line, role) {
                Some(SheetValue::Span { idxes, .. }) => Part::Value(self.fragment(idxes)),
                _ => Part::Absent,
            };
            (label.is_given() || fragment.is_given()).then(|| Element { role: SmolStr::new_static(role), label, fragment })
        };
        let (tuples, ids) = self.tuples_of(|line| ROLES.iter().filter_map(|role| element(line, role)).collect())?;
        Ok((Some(Answer::Tuples(tuples)), ids))
    }

    fn tuples_of<T>(&self, tuple: impl Fn(&Line<'_>) -> T) -> Result<(Vec<T>, Vec<u32>), SheetError> {
        let (mut tuples, mut ids) = (Vec::new(), Vec::new());
        for record in self.sheet.of_type("tuple") {
            let found = tuples.len().saturating_add(ways(record));
            if found > MOST_TUPLES {
                let fault = SheetFault::TooMany { most: MOST_TUPLES, found };
                return Err(SheetError { record: Some(record.id), field: None, fault });
            }
            for line in lines(record) {
                tuples.push(tuple(&line));
                ids.push(record.id);
            }
        }
        Ok((tuples, ids))
    }

    /// The early page has texts and no places: which of two equal texts was marked is lost.
    pub(super) fn draft(&self) -> Filled {
        let Some(record) = self.sheet.of_type("reason").next() else { return (None, Vec::new()) };
        let text = |name: &str| match record.fields.get(name)?.first()? {
            SheetValue::Span { idxes, .. } => Some(self.fragment(idxes).text),
            SheetValue::Written { value } => Some(value.as_str().into()),
            SheetValue::Label { .. } => None,
        };
        let kind = match record.fields.get(TYPE).and_then(|values| values.first()) {
            Some(SheetValue::Label { label }) => label.as_str().into(),
            _ => SmolStr::default(),
        };
        let texts: Vec<SmolStr> = ["text1", "text2"].into_iter().filter_map(text).collect();
        // Without a text there is nothing that the format could hold.
        if texts.is_empty() {
            (None, Vec::new())
        } else {
            (Some(Answer::DraftReason(DraftReason { texts, kind })), vec![record.id])
        }
    }

    pub(super) fn graph(&self) -> Filled {
        let side = |kind: &str, sign: char, roles: &[&'static str]| {
            let records = self.sheet.of_type(kind);
            let (heads, ids): (Vec<_>, Vec<u32>) = records.map(|record| (head(record, sign, roles), record.id)).unzip();
            (heads, ids)
        };
        let (events, mut ids) = side("event", '%', &EVENT_ROLES);
        let (relations, others) = side("relation", '#', &RELATION_ROLES);
        ids.extend(others);
        (Some(Answer::Graph(Graph { events, relations })), ids)
    }
}

fn written<'r>(record: &'r SheetRecord, field: &str) -> Vec<&'r str> {
    let text = |value: &'r SheetValue| if let SheetValue::Written { value } = value { Some(value.as_str()) } else { None };
    record.fields.get(field).into_iter().flatten().filter_map(text).collect()
}

fn head(record: &SheetRecord, sign: char, roles: &[&'static str]) -> (SmolStr, Vec<DraftRole>) {
    let head = written(record, HEAD).first().copied().unwrap_or_default();
    let own = roles.iter().map(|role| (SmolStr::new_static(role), written(record, role)));
    let own = own.filter(|(_, values)| !values.is_empty());
    let mut filled: Vec<DraftRole> = own.map(|(role, values)| (role, values.into_iter().map(SmolStr::new).collect())).collect();
    for other in written(record, OTHER) {
        let (role, value) = other.split_once('=').unwrap_or(("", other));
        match filled.iter_mut().find(|(known, _)| *known == role) {
            Some((_, values)) => values.push(value.into()),
            None => filled.push((role.into(), vec![value.into()])),
        }
    }
    (smol_str::format_smolstr!("{sign}{head}{sign}"), filled)
}
