//! A sheet as a mark. What a sheet says is kept; what cannot be said in the form is refused, with the record and the field.

use smol_str::SmolStr;

use super::craft::MARKED_FLAWS;
use super::given::{GivenText, texts};
use super::refuse::{SheetError, SheetFault};
use super::sheet::{Sheet, SheetRecord, SheetValue};
use super::{BatchMode, Form};
use crate::annotate::craft::{Flaw, Problem, WrittenPair};
use crate::annotate::mark::{Level, Mark, RULES_VERSION, Unsuitable, Waiver};
use crate::answer::{Answer, Fragment, Kind, Scene, Verdict};
use crate::task::Item;
use crate::text::{CharIdx, Span, join};

/// From where in a sheet the records of a mark came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Places {
    /// The sheet's record of each record of the answer.
    pub answer: Vec<u32>,
    /// The sheet's record of each set of mentions that mean the same.
    pub same: Vec<u32>,
    /// The same for those that do not.
    pub different: Vec<u32>,
}

/// The characters of the texts of an item.
pub(super) struct Characters(Vec<(&'static str, Vec<char>)>);

impl Characters {
    pub(super) fn of(texts: &[GivenText]) -> Characters {
        Characters(texts.iter().map(|text| (text.name, text.text.chars().collect())).collect())
    }

    /// The text of a name; the first, where no name is given.
    pub(super) fn get(&self, name: Option<&str>) -> Option<&[char]> {
        let found = self.0.iter().find(|(known, _)| name.is_none_or(|name| name == *known));
        found.map(|(_, characters)| characters.as_slice())
    }
}

impl Form {
    /// Reads a sheet as a mark of the item.
    pub fn mark(&self, sheet: &Sheet, item: &Item) -> Result<Mark, SheetError> {
        self.read(sheet, item).map(|(mark, _)| mark)
    }

    pub(super) fn read(&self, sheet: &Sheet, item: &Item) -> Result<(Mark, Places), SheetError> {
        let characters = Characters::of(&texts(item, self.mode));
        self.check_names(sheet)?;
        self.check_records(sheet, &characters)?;
        let mut mark = Mark { rules: RULES_VERSION, note: sheet.text("note").into(), ..Mark::default() };
        let mut places = Places::default();
        match self.mode {
            BatchMode::Clean => mark.problems = problems(sheet),
            BatchMode::Author => {
                mark.answer = scene(sheet);
                mark.pair = written(sheet);
            }
            BatchMode::Grade => mark.grade = sheet.chosen("grade").and_then(|grade| grade.parse().ok()),
            BatchMode::Annotate | BatchMode::Agreement | BatchMode::Human => {
                let filler = Filler { sheet, characters: &characters, kind: self.kind };
                (mark.answer, places.answer) = filler.answer()?;
                self.read_aside(sheet, &mut mark);
                (mark.corefs.same, places.same) = filler.mention_sets("coref");
                (mark.corefs.different, places.different) = filler.mention_sets("different");
            }
        }
        for waiver in &sheet.waivers {
            if waiver.reason.trim().is_empty() {
                return Err(SheetError::part("waivers", SheetFault::Value("a reason")));
            }
            let (rule, at) = (waiver.rule.as_str().into(), waiver.at.as_str().into());
            mark.waivers.push(Waiver { rule, at, reason: waiver.reason.as_str().into() });
        }
        Ok((mark, places))
    }

    /// What people say beside an answer: the level, that the item is unsuitable, special cases.
    fn read_aside(&self, sheet: &Sheet, mark: &mut Mark) {
        let level = sheet.chosen("level");
        let is_verdict = self.kind == Kind::Verdict;
        // In a task about anomalies `bad` is said by the records; the level says only that there is none.
        mark.level = level.and_then(|level| level.parse().ok()).filter(|level| is_verdict || *level == Level::Fine);
        if let Some(level) = mark.level.filter(|_| is_verdict) {
            mark.answer = level.verdict().map(|verdict| Answer::Verdict(Verdict::Plain(verdict)));
        }
        let special = sheet.choices.get("special").into_iter().flatten();
        mark.special = special.filter_map(|name| name.parse().ok()).collect();
        let says_why = level.is_some_and(|level| level != "bad") || !mark.special.is_empty();
        if says_why && mark.answer.as_ref().is_some_and(has_no_record) {
            mark.answer = None;
        }
        if level == Some("unsuitable") || sheet.has_chosen("unsuitable", "yes") {
            let span = sheet.of_type("where").find_map(|record| span_of(record, "place")).unwrap_or_default();
            mark.unsuitable = Some(Unsuitable { reason: sheet.text("why").into(), span });
        }
    }
}

/// Whether an answer of records has none.
fn has_no_record(answer: &Answer) -> bool {
    match answer {
        Answer::Reasons(records) => records.is_empty(),
        Answer::Candidates(records) => records.is_empty(),
        Answer::Slots(records) => records.is_empty(),
        Answer::Tuples(records) => records.is_empty(),
        _ => false,
    }
}

/// The span of the only value of a field.
pub(super) fn span_of(record: &SheetRecord, field: &str) -> Option<Span> {
    match record.fields.get(field)?.first()? {
        SheetValue::Span { idxes, .. } => Some(idxes.iter().copied().map(CharIdx).collect()),
        _ => None,
    }
}

fn written_in<'s>(record: &'s SheetRecord, field: &str) -> Option<&'s str> {
    match record.fields.get(field)?.first()? {
        SheetValue::Written { value } => Some(value),
        _ => None,
    }
}

/// The answer of a scene, as soon as it is judged.
fn scene(sheet: &Sheet) -> Option<Answer> {
    let judge = Verdict::Plain(sheet.chosen("judge")? == "true");
    let reason = sheet.texts.get("reason").filter(|reason| !reason.is_empty()).map(|reason| reason.as_str().into());
    Some(Answer::Scene(Scene { judge, reason }))
}

fn written(sheet: &Sheet) -> Option<WrittenPair> {
    let entities = sheet.text("entities").lines().map(str::trim).filter(|line| !line.is_empty()).map(SmolStr::new).collect();
    let pair = WrittenPair {
        context1: sheet.text("context1").into(),
        context2: sheet.text("context2").into(),
        entities,
        deciding: sheet.chosen("deciding").and_then(|name| name.parse().ok()),
    };
    (pair != WrittenPair::default()).then_some(pair)
}

fn problems(sheet: &Sheet) -> Option<Vec<Problem>> {
    let alone = |flaw| Problem { flaw, text: SmolStr::default(), span: Span::default(), correction: SmolStr::default() };
    let outcome = sheet.chosen("outcome");
    let mut problems = Vec::new();
    for record in &sheet.records {
        let Some(flaw) = MARKED_FLAWS.into_iter().find(|flaw| flaw.as_str() == record.kind) else { continue };
        let text = match record.fields.get("place").and_then(|values| values.first()) {
            Some(SheetValue::Span { text: Some(text), .. }) => text.as_str().into(),
            _ => SmolStr::default(),
        };
        let span = span_of(record, "place").unwrap_or_default();
        let correction = written_in(record, "correction").unwrap_or_default().into();
        problems.push(Problem { flaw, text, span, correction });
    }
    match outcome {
        None if problems.is_empty() => return None,
        Some("drop") => problems.insert(0, alone(Flaw::Drop)),
        Some("none") => problems.insert(0, alone(Flaw::Nothing)),
        _ => {}
    }
    Some(problems)
}

/// Fills in an answer from a sheet.
pub(super) struct Filler<'s> {
    pub sheet: &'s Sheet,
    pub characters: &'s Characters,
    pub kind: Kind,
}

impl Filler<'_> {
    /// The answer, and the sheet's record of each of its records.
    fn answer(&self) -> Result<(Option<Answer>, Vec<u32>), SheetError> {
        let verdict = |name: &str| self.sheet.chosen(name).map(|value| Verdict::Plain(value == "true"));
        Ok(match self.kind {
            Kind::Verdict => (verdict("judge").map(Answer::Verdict), Vec::new()),
            Kind::Joint => {
                // Of a normal text no reason is true.
                let second = verdict("judge2")
                    .or_else(|| verdict("judge1").filter(|first| first.value() == Some(true)).map(|_| Verdict::Plain(false)));
                (verdict("judge1").zip(second).map(|(first, second)| Answer::Joint(first, second)), Vec::new())
            }
            Kind::Scene => (scene(self.sheet), Vec::new()),
            Kind::Reasons => self.reasons(),
            Kind::Candidates => self.candidates(),
            Kind::Slots => self.slots()?,
            Kind::Tuples => self.tuples()?,
            Kind::DraftReason => self.draft(),
            Kind::Graph => self.graph(),
        })
    }

    /// The fragment at places of the item's text.
    pub(super) fn fragment(&self, idxes: &[u32]) -> Fragment {
        let span: Span = idxes.iter().copied().map(CharIdx).collect();
        let text = self.characters.get(None).and_then(|characters| join(characters, &span)).unwrap_or_default();
        Fragment { text: text.into(), span }
    }

    fn mention_sets(&self, kind: &str) -> (Vec<Vec<Fragment>>, Vec<u32>) {
        let mentions = |record: &SheetRecord| {
            let values = record.fields.get("mention").into_iter().flatten();
            let mention = |value: &SheetValue| match value {
                SheetValue::Span { idxes, .. } => Some(self.fragment(idxes)),
                _ => None,
            };
            (values.filter_map(mention).collect(), record.id)
        };
        self.sheet.of_type(kind).map(mentions).unzip()
    }
}
