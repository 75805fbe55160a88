//! What a form cannot say: names that it does not have, values of another kind, places outside of the text, more than there may be.

use std::collections::BTreeSet;

use super::Form;
use super::parts::{Field, FieldKind, Part};
use super::read::Characters;
use super::sheet::{Sheet, SheetRecord, SheetValue};
use crate::lang::Say;

/// So many characters a text may have.
pub const MOST_TEXT: usize = 10_000;
/// So many waivers a sheet may have.
const MOST_WAIVERS: usize = 500;

/// What a form cannot say.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SheetFault {
    /// A name that the form does not have.
    #[error("expected a part, option, type or field of the form, found {0:?}")]
    Unknown(String),
    /// A value of another kind, or more values than the field holds.
    #[error("expected {0}")]
    Value(&'static str),
    /// A place outside of the text.
    #[error("expected places below {length}, found {found}")]
    Outside {
        /// The length of the text.
        length: usize,
        /// The place.
        found: u32,
    },
    /// More than there may be.
    #[error("expected at most {most}, found {found}")]
    TooMany {
        /// So many.
        most: usize,
        /// So many there are.
        found: usize,
    },
    /// Two records with one number.
    #[error("expected a number for each record, found {0} twice")]
    Repeated(u32),
}

/// Why a sheet is no mark, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}")]
pub struct SheetError {
    /// The record.
    pub record: Option<u32>,
    /// The field or part.
    pub field: Option<String>,
    /// Why.
    pub fault: SheetFault,
}

impl SheetError {
    pub(super) fn part(name: &str, fault: SheetFault) -> SheetError {
        SheetError { record: None, field: Some(name.to_owned()), fault }
    }

    /// The message for people.
    pub fn say(&self) -> Say {
        let place = match (&self.record, &self.field) {
            (Some(record), Some(field)) => format!("{record} {field}: "),
            (None, Some(field)) => format!("{field}: "),
            _ => String::new(),
        };
        Say::new(format!("表单内容无法读取（{place}{}）", self.fault), format!("the sheet cannot be read: {place}{}", self.fault))
    }
}

impl Form {
    pub(super) fn check_names(&self, sheet: &Sheet) -> Result<(), SheetError> {
        for (name, chosen) in &sheet.choices {
            let part = self.parts.iter().find_map(|part| match part {
                Part::Choice(part) if part.name == name => Some(part),
                _ => None,
            });
            let part = part.ok_or_else(|| SheetError::part(name, SheetFault::Unknown(name.clone())))?;
            if let Some(strange) = chosen.iter().find(|value| part.options.iter().all(|option| option.value != value.as_str())) {
                return Err(SheetError::part(name, SheetFault::Unknown(strange.clone())));
            }
            let most = if part.many { part.options.len() } else { 1 };
            if chosen.len() > most || chosen.iter().collect::<BTreeSet<_>>().len() < chosen.len() {
                return Err(SheetError::part(name, SheetFault::TooMany { most, found: chosen.len() }));
            }
        }
        for (name, text) in &sheet.texts {
            if !self.parts.iter().any(|part| matches!(part, Part::Text(part) if part.name == name)) {
                return Err(SheetError::part(name, SheetFault::Unknown(name.clone())));
            }
            check_text(text).map_err(|fault| SheetError::part(name, fault))?;
        }
        if sheet.waivers.len() > MOST_WAIVERS {
            let fault = SheetFault::TooMany { most: MOST_WAIVERS, found: sheet.waivers.len() };
            return Err(SheetError::part("waivers", fault));
        }
        Ok(())
    }

    pub(super) fn check_records(&self, sheet: &Sheet, characters: &Characters) -> Result<(), SheetError> {
        for part in self.record_parts() {
            let of_part = |record: &&SheetRecord| part.types.iter().any(|kind| kind.name == record.kind);
            let found = sheet.records.iter().filter(of_part).count();
            if found > part.most {
                return Err(SheetError::part(part.name, SheetFault::TooMany { most: part.most, found }));
            }
        }
        let mut seen = BTreeSet::new();
        for record in &sheet.records {
            let fault = |field: Option<&str>, fault| SheetError { record: Some(record.id), field: field.map(Into::into), fault };
            if !seen.insert(record.id) {
                return Err(fault(None, SheetFault::Repeated(record.id)));
            }
            let unknown = || fault(None, SheetFault::Unknown(record.kind.clone()));
            let kind = self.record_type(&record.kind).ok_or_else(unknown)?;
            for (name, values) in &record.fields {
                let field = kind.fields.iter().find(|field| field.name == name);
                let field = field.ok_or_else(|| fault(Some(name), SheetFault::Unknown(name.clone())))?;
                let most = if field.many { super::tuples::MOST_PARALLEL } else { 1 };
                if values.len() > most {
                    return Err(fault(Some(name), SheetFault::TooMany { most, found: values.len() }));
                }
                for value in values {
                    check_value(field, value, characters).map_err(|problem| fault(Some(name), problem))?;
                }
            }
        }
        Ok(())
    }
}

fn check_text(text: &str) -> Result<(), SheetFault> {
    let found = text.chars().count();
    if found > MOST_TEXT { Err(SheetFault::TooMany { most: MOST_TEXT, found }) } else { Ok(()) }
}

fn check_value(field: &Field, value: &SheetValue, characters: &Characters) -> Result<(), SheetFault> {
    match (field.kind, value) {
        (FieldKind::Span, SheetValue::Span { idxes, text }) => {
            let name = field.text.or(text.as_deref());
            let length = characters.get(name).ok_or(SheetFault::Value("the name of a text of the item"))?.len();
            match idxes.iter().find(|idx| **idx as usize >= length) {
                Some(found) => Err(SheetFault::Outside { length, found: *found }),
                None if idxes.len() > length => Err(SheetFault::TooMany { most: length, found: idxes.len() }),
                None if idxes.is_empty() => Err(SheetFault::Value("at least one place")),
                None => Ok(()),
            }
        }
        // The early page has texts that no span makes; they stay as they were written.
        (FieldKind::Text | FieldKind::Span, SheetValue::Written { value }) => check_text(value),
        (FieldKind::Label, SheetValue::Label { label }) => {
            let known = field.options.iter().any(|option| option.value == label);
            if known { Ok(()) } else { Err(SheetFault::Unknown(label.clone())) }
        }
        (FieldKind::Span, _) => Err(SheetFault::Value("places in the text")),
        (FieldKind::Label, _) => Err(SheetFault::Value("a label")),
        (FieldKind::Text, _) => Err(SheetFault::Value("a text")),
    }
}
