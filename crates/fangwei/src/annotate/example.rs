//! Examples of rules in a notation that people read on the rule cards and tests read as marks.
//!
//! `空间实体=雨伞 事件=靠 处所=在门后` is a tuple, `A: text1=塞进 text2=柜旁` a reason; ` | ` parts records. `门@2` is the second 门 of the text, `在+仓库+后面` joins
//! pieces in this order, `#99` is a place by its number, `∅` nothing at all. `同指: 老周 他` and `异指: 车 车@2` are coreference sets; `级别: fine`, `特殊: no-space`,
//! `不宜: 错字`, `判断: true`, `理由: …` are what else a mark says; `被替换: 外` is known to reviewers only. In a pair of texts ` ‖ ` stands between them.

use smol_str::SmolStr;

use super::mark::{Mark, RULES_VERSION, Unsuitable};
use super::reading::Reading;
use super::role::Role;
use crate::answer::{Answer, Element, Fragment, Kind, Part, Reason, ReasonType, RoleFragment, Scene, Slot, Verdict};
use crate::task::{Item, Texts};
use crate::tasks::{LABEL_SLOTS, SLOTS};
use crate::text::Span;

/// A text and a mark of it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The text.
    pub text: &'static str,
    /// The mark, in the notation of this module.
    pub mark: &'static str,
}

/// Shorthand for [`Example`].
pub const fn example(text: &'static str, mark: &'static str) -> Example {
    Example { text, mark }
}

/// Why an example cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ExampleError {
    /// The text does not hold the words.
    #[error("expected words of the text, found {0}")]
    NoSuchWords(String),
    /// The notation has no such part.
    #[error("expected role=words or a known head, found {0}")]
    BadNotation(String),
}

use ExampleError::{BadNotation, NoSuchWords};

/// An example as an item, a mark of it and the places of replaced words.
#[derive(Debug)]
pub struct Read {
    /// The item.
    pub item: Item,
    /// The mark.
    pub mark: Mark,
    /// Where words were replaced.
    pub replaced: Vec<Span>,
}

impl Example {
    /// Reads the example as one of a kind of answers.
    pub fn read(&self, kind: Kind) -> Result<Read, ExampleError> {
        let texts = match self.text.split_once(" ‖ ") {
            Some((one, other)) => Texts::Pair { context1: one.into(), context2: other.into() },
            None => Texts::One { context: self.text.into() },
        };
        let reading = Reading::of(texts.context());
        let mut read = Read {
            item: Item { qid: "example".into(), texts, gold: None, corefs: None, extra: Vec::new() },
            mark: Mark { answer: Some(empty(kind)), rules: RULES_VERSION, ..Mark::default() },
            replaced: Vec::new(),
        };
        for part in self.mark.split(" | ").filter(|part| !part.trim().is_empty()) {
            let (head, rest) = part.split_once(": ").unwrap_or(("", part));
            read_part(head.trim(), rest.trim(), &reading, &mut read)?;
        }
        Ok(read)
    }
}

fn empty(kind: Kind) -> Answer {
    match kind {
        Kind::Candidates => Answer::Candidates(Vec::new()),
        Kind::Slots => Answer::Slots(Vec::new()),
        Kind::Tuples => Answer::Tuples(Vec::new()),
        Kind::Scene => Answer::Scene(Scene { judge: Verdict::Neither, reason: None }),
        Kind::Verdict | Kind::Joint => Answer::Verdict(Verdict::Neither),
        Kind::Reasons | Kind::DraftReason | Kind::Graph => Answer::Reasons(Vec::new()),
    }
}

fn read_part(head: &str, rest: &str, reading: &Reading, read: &mut Read) -> Result<(), ExampleError> {
    let bad = || BadNotation(format!("{head}: {rest}"));
    let mentions = || -> Result<Vec<Fragment>, ExampleError> { rest.split(' ').map(|words| fragment(words, reading)).collect() };
    match (head, &mut read.mark.answer) {
        ("同指", _) => read.mark.corefs.same.push(mentions()?),
        ("异指", _) => read.mark.corefs.different.push(mentions()?),
        ("级别", _) => read.mark.level = Some(rest.parse().map_err(|_| bad())?),
        ("特殊", _) => read.mark.special.push(rest.parse().map_err(|_| bad())?),
        ("不宜", _) => read.mark.unsuitable = Some(Unsuitable { reason: rest.into(), span: Span::default() }),
        ("被替换", _) => read.replaced.push(fragment(rest, reading)?.span),
        ("判断", Some(Answer::Verdict(verdict))) => *verdict = Verdict::Plain(rest == "true"),
        ("判断", Some(Answer::Scene(scene))) => scene.judge = Verdict::Plain(rest == "true"),
        ("理由", Some(Answer::Scene(scene))) => scene.reason = Some(rest.into()),
        ("A" | "B" | "C", Some(Answer::Reasons(reasons))) => {
            let kind = ReasonType::parse(head).ok_or_else(bad)?;
            reasons.push(Reason { kind, fragments: fragments(rest, reading)? });
        }
        ("", Some(Answer::Candidates(candidates))) => candidates.push(fragments(rest, reading)?),
        ("", Some(Answer::Slots(tuples))) => tuples.push(slots(rest, reading)?),
        ("", Some(Answer::Tuples(tuples))) => tuples.push(elements(&slots(rest, reading)?)),
        _ => return Err(bad()),
    }
    Ok(())
}

fn pairs(rest: &str) -> impl Iterator<Item = Result<(&str, &str), ExampleError>> {
    rest.split(' ').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').ok_or_else(|| BadNotation(pair.to_owned())))
}

fn fragments(rest: &str, reading: &Reading) -> Result<Vec<RoleFragment>, ExampleError> {
    pairs(rest)
        .map(|pair| {
            let (role, words) = pair?;
            Ok(RoleFragment { role: SmolStr::new(role), fragment: fragment(words, reading)? })
        })
        .collect()
}

fn slots(rest: &str, reading: &Reading) -> Result<Vec<Slot>, ExampleError> {
    let mut slots = vec![Slot::Empty; SLOTS.len()];
    for pair in pairs(rest) {
        let (role, words) = pair?;
        let slot = SLOTS.iter().position(|name| *name == role).ok_or_else(|| BadNotation(role.to_owned()))?;
        let label = LABEL_SLOTS.iter().any(|(labelled, _)| *labelled == slot);
        slots[slot] = if label { Slot::Label(words.into()) } else { Slot::Fragment(fragment(words, reading)?) };
    }
    Ok(slots)
}

/// The same tuple as 2023 writes it; what it cannot write (literal time beside a reference event) is left out.
fn elements(slots: &[Slot]) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    for (slot, value) in slots.iter().enumerate() {
        let Some(name) = Role::of_slot(slot).and_then(Role::element) else { continue };
        let at = elements.iter().position(|element| element.role == name).unwrap_or(elements.len());
        let mut set = |label: Option<&SmolStr>, fragment: Option<&Fragment>| {
            if at == elements.len() {
                elements.push(Element { role: name.into(), label: Part::Absent, fragment: Part::Absent });
            }
            if let Some(label) = label {
                elements[at].label = Part::Value(label.clone());
            }
            if let Some(fragment) = fragment {
                elements[at].fragment = Part::Value(fragment.clone());
            }
        };
        match value {
            Slot::Label(label) => set(Some(label), None),
            Slot::Fragment(fragment) => set(None, Some(fragment)),
            Slot::Empty | Slot::Unusable => {}
        }
    }
    elements
}

/// `桌上`, `门@2`, `在+仓库+后面`, `#99`, `∅`.
fn fragment(words: &str, reading: &Reading) -> Result<Fragment, ExampleError> {
    let mut span = Span::default();
    for piece in words.split('+').filter(|piece| *piece != "∅") {
        if let Some(number) = piece.strip_prefix('#').and_then(|number| number.parse::<u32>().ok()) {
            span.push(crate::text::CharIdx(number));
            continue;
        }
        let (text, time) = piece.split_once('@').unwrap_or((piece, "1"));
        let time: usize = time.parse().map_err(|_| BadNotation(piece.to_owned()))?;
        let sought: Vec<char> = text.chars().collect();
        let found = || reading.chars.windows(sought.len().max(1)).enumerate().filter(|(_, window)| *window == sought.as_slice());
        let (start, _) = found().nth(time.saturating_sub(1)).ok_or_else(|| NoSuchWords(piece.to_owned()))?;
        (start..start + sought.len()).for_each(|at| span.push(crate::text::CharIdx(at as u32)));
    }
    Ok(Fragment { text: reading.text(&span).into(), span })
}
