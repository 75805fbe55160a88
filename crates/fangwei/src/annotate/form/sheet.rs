//! Sheets: forms as filled in, in the form in which editors send and get them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A form as filled in. What is empty is left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Sheet {
    /// The chosen values by the name of the part.
    pub choices: BTreeMap<String, Vec<String>>,
    /// The texts by the name of the part.
    pub texts: BTreeMap<String, String>,
    /// The records.
    pub records: Vec<SheetRecord>,
    /// Findings that do not hold, and why.
    pub waivers: Vec<SheetWaiver>,
}

/// A record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetRecord {
    /// Its number, which no other record of the sheet has.
    pub id: u32,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What its fields hold.
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<SheetValue>>,
}

/// A value of a field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SheetValue {
    /// Places in a text, in the order as written.
    Span {
        /// The places, in code points.
        idxes: Vec<u32>,
        /// The name of the text, where the item has two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A label.
    Label {
        /// The label.
        label: String,
    },
    /// Something that was written.
    Written {
        /// The text.
        value: String,
    },
}

impl SheetValue {
    /// Places in the only text.
    pub fn span(idxes: impl IntoIterator<Item = u32>) -> SheetValue {
        SheetValue::Span { idxes: idxes.into_iter().collect(), text: None }
    }
}

/// A finding that does not hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetWaiver {
    /// The rule.
    pub rule: String,
    /// Where it was found.
    pub at: String,
    /// Why it does not hold.
    pub reason: String,
}

impl Sheet {
    /// The only value of a choice.
    pub(super) fn chosen(&self, name: &str) -> Option<&str> {
        self.choices.get(name)?.first().map(String::as_str)
    }

    /// Whether a choice has a value.
    pub(super) fn has_chosen(&self, name: &str, value: &str) -> bool {
        self.choices.get(name).is_some_and(|chosen| chosen.iter().any(|one| one == value))
    }

    /// A text; empty where there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// The records of a type.
    pub(super) fn of_type<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s SheetRecord> {
        self.records.iter().filter(move |record| record.kind == kind)
    }

    /// With a choice.
    pub(super) fn choose(&mut self, name: &str, value: &str) {
        self.choices.entry(name.to_owned()).or_default().push(value.to_owned());
    }

    /// With a text, unless it is empty.
    pub(super) fn write(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.texts.insert(name.to_owned(), text.to_owned());
        }
    }

    /// With another record, numbered on.
    pub(super) fn add(&mut self, kind: &str, fields: BTreeMap<String, Vec<SheetValue>>) {
        let id = self.records.len() as u32 + 1;
        self.records.push(SheetRecord { id, kind: kind.to_owned(), fields });
    }

    /// Gives records the numbers of those of `before` that they stand for: of equal ones, then, type by type, of those that remain, in order. What stands for none
    /// gets a number above `last`.
    pub(super) fn number_like(&mut self, before: &Sheet, mut last: u32) {
        let mut left: Vec<&SheetRecord> = Vec::new();
        for record in before.records.iter().filter(|record| record.id > 0) {
            // Parallel values of one record are several records of a mark; the first of them keeps the number.
            if left.iter().all(|known| known.id != record.id) {
                left.push(record);
            }
        }
        let mut take =
            |fits: &dyn Fn(&SheetRecord) -> bool| left.iter().position(|record| fits(record)).map(|at| left.remove(at).id);
        let same = |one: &SheetRecord, other: &SheetRecord| one.kind == other.kind && one.fields == other.fields;
        let equal: Vec<Option<u32>> = self.records.iter().map(|own| take(&|record| same(own, record))).collect();
        for (own, equal) in self.records.iter_mut().zip(equal) {
            let known = equal.or_else(|| take(&|record| record.kind == own.kind));
            own.id = known.unwrap_or_else(|| {
                last += 1;
                last
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(records: &[(u32, &str, u32)]) -> Sheet {
        let record = |(id, kind, at): &(u32, &str, u32)| {
            let fields = BTreeMap::from([("place".to_owned(), vec![SheetValue::span([*at])])]);
            SheetRecord { id: *id, kind: (*kind).to_owned(), fields }
        };
        Sheet { records: records.iter().map(record).collect(), ..Sheet::default() }
    }

    #[test]
    fn records_keep_their_numbers() {
        let before = sheet(&[(7, "tuple", 0), (4, "tuple", 1), (9, "coref", 2)]);
        let ids = |records: &[(u32, &str, u32)]| {
            let mut after = sheet(records);
            after.number_like(&before, 9);
            after.records.iter().map(|record| record.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&[(1, "tuple", 0), (2, "tuple", 5), (3, "coref", 2)]), [7, 4, 9], "one tuple was changed");
        assert_eq!(ids(&[(1, "tuple", 1), (2, "coref", 2)]), [4, 9], "one tuple is gone");
        assert_eq!(ids(&[(1, "tuple", 0), (2, "tuple", 6), (3, "tuple", 1)]), [7, 10, 4], "one is new: nothing is left for it");
    }
}
