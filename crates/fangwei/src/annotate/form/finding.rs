//! Findings as an editor needs them: by the sheet's records and fields, with the mended sheet.

use serde::Serialize;

use super::Form;
use super::build::LABELS;
use super::check::lacks;
use super::given::texts;
use super::read::Places;
use super::refuse::SheetError;
use super::sheet::Sheet;
use crate::annotate::{Finding, Mark, Reading, Severity, Subject, check_subject};
use crate::answer::Answer;
use crate::lang::Lang;
use crate::task::{Item, Task};
use crate::tasks::SLOTS;

/// The name under which a form tells what it lacks.
const FORM_RULE: &str = "FM00";

/// A finding by the sheet's records and fields, in one language.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetFinding {
    /// The rule's name.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What a waiver names it by.
    pub at: String,
    /// Places in the text.
    pub spans: Vec<Vec<u32>>,
    /// The name of that text, where the item has several.
    pub text: Option<&'static str>,
    /// The record.
    pub record: Option<u32>,
    /// The field of the record; the part of the form, where there is no record.
    pub field: Option<String>,
    /// What would mend it.
    pub fix: Option<SheetFix>,
    /// Why it does not hold, as somebody said.
    pub waived: Option<String>,
}

impl SheetFinding {
    /// Whether the sheet cannot be finished with it.
    pub fn blocks(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What would mend a finding.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetFix {
    /// What it does.
    pub say: String,
    /// The mended sheet.
    pub sheet: Sheet,
}

impl Form {
    /// What is to be said of a sheet: by the rules of annotation, and by the form. `reading` is that of the item's text.
    pub fn findings(
        &self,
        task: &dyn Task,
        sheet: &Sheet,
        item: &Item,
        reading: &Reading,
        lang: Lang,
    ) -> Result<Vec<SheetFinding>, SheetError> {
        let (mark, places) = self.read(sheet, item)?;
        let telling = Telling { form: self, sheet, item, reading, mark: &mark, places: &places, lang };
        let mut findings = Vec::new();
        if self.has_answer() {
            let subject = Subject::new(task, item, &mark, reading);
            let found = check_subject(&subject, &self.mode.rules());
            findings.extend(found.iter().map(|finding| telling.told(finding)));
        }
        // What a rule of annotation refuses it tells better than the form.
        if !findings.iter().any(SheetFinding::blocks) {
            findings.extend(lacks(self, sheet, item).into_iter().map(|lack| SheetFinding {
                rule: FORM_RULE,
                severity: Severity::Error,
                message: lack.say.get(lang).to_owned(),
                at: lack.field.unwrap_or_default().to_owned(),
                spans: Vec::new(),
                text: None,
                record: lack.record,
                field: lack.field.map(Into::into),
                fix: None,
                waived: None,
            }));
        }
        Ok(findings)
    }
}

/// What is needed to tell the findings of a mark by the sheet that it was read from.
struct Telling<'a> {
    form: &'a Form,
    sheet: &'a Sheet,
    item: &'a Item,
    reading: &'a Reading,
    mark: &'a Mark,
    places: &'a Places,
    lang: Lang,
}

impl Telling<'_> {
    fn told(&self, finding: &Finding) -> SheetFinding {
        let (record, field) = place(&finding.pointer, self.mark, self.places);
        let fix = finding.fix.as_ref().map(|fix| SheetFix {
            say: fix.say(self.reading).get(self.lang).to_owned(),
            sheet: self.mended(&fix.apply(self.mark, self.reading)),
        });
        // Rules read the first text.
        let texts = texts(self.item, self.form.mode);
        let text = texts.first().filter(|_| texts.len() > 1 && !finding.spans.is_empty()).map(|text| text.name);
        SheetFinding {
            rule: finding.rule,
            severity: finding.severity,
            message: finding.message.get(self.lang).to_owned(),
            at: finding.at().to_string(),
            spans: finding.spans.iter().map(|span| span.iter().map(|idx| idx.0).collect()).collect(),
            text,
            record,
            field,
            fix,
            waived: finding.waived.as_ref().map(ToString::to_string),
        }
    }

    /// A mended mark as a sheet in which records keep the numbers that they have.
    fn mended(&self, mended: &Mark) -> Sheet {
        let mut before = self.form.sheet(self.mark, self.item);
        let (mut answer, mut same, mut different) =
            (self.places.answer.iter(), self.places.same.iter(), self.places.different.iter());
        let mut aside = self.sheet.of_type("where").map(|record| &record.id);
        for record in &mut before.records {
            let known = match record.kind.as_str() {
                "coref" => same.next(),
                "different" => different.next(),
                "where" => aside.next(),
                _ => answer.next(),
            };
            record.id = known.copied().unwrap_or_default();
        }
        let mut after = self.form.sheet(mended, self.item);
        after.number_like(&before, self.sheet.records.iter().map(|record| record.id).max().unwrap_or_default());
        after
    }
}

/// The record and the field that a pointer into a mark leads to.
fn place(pointer: &str, mark: &Mark, places: &Places) -> (Option<u32>, Option<String>) {
    let steps: Vec<&str> = pointer.split('/').skip(1).filter(|step| *step != "fragments").collect();
    let number = |at: usize| steps.get(at).and_then(|step| step.parse::<usize>().ok());
    match steps.first().copied() {
        Some("answer") => {
            let Some(record) = number(2) else { return (None, None) };
            let is_label = steps.get(4) == Some(&"label");
            let field = number(3).and_then(|value| field_name(mark.answer.as_ref()?, record, value, is_label));
            (places.answer.get(record).copied(), field)
        }
        Some(sets @ ("corefs" | "non_corefs")) => {
            let ids = if sets == "corefs" { &places.same } else { &places.different };
            let mention = number(2).map(|_| "mention".to_owned());
            (number(1).and_then(|set| ids.get(set).copied()), mention)
        }
        Some(field) if !field.is_empty() => (None, Some(field.to_owned())),
        _ => (None, None),
    }
}

/// The field of a value of an answer.
fn field_name(answer: &Answer, record: usize, value: usize, is_label: bool) -> Option<String> {
    match answer {
        Answer::Reasons(reasons) => Some(reasons.get(record)?.fragments.get(value)?.role.to_string()),
        Answer::Candidates(candidates) => Some(candidates.get(record)?.get(value)?.role.to_string()),
        Answer::Slots(_) => SLOTS.get(value).map(|name| (*name).to_owned()),
        Answer::Tuples(tuples) => {
            let role = &tuples.get(record)?.get(value)?.role;
            let label = LABELS.iter().find(|(name, _)| is_label && name == role).map(|(_, field)| (*field).to_owned());
            Some(label.unwrap_or_else(|| role.to_string()))
        }
        _ => None,
    }
}
