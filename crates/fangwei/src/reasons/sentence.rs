//! Sentences with their true reasons, from gold of 2022/attribute or of 2021/reason.
//!
//! A becomes 不宜搭配, C becomes 不符合常识; B becomes 语义冲突 where both triples stand in one clause, else 信息冲突. What a triple marks is quoted as 2021 quoted, in
//! one stretch as it stands in the text: from its first character to its last in the clause that holds most of it. Joined characters of several clauses
//! would tell a true reason from a wrong one.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::frame::{Frame, Statement};
use super::phrases::clauses;
use crate::answer::{Answer, Reason, ReasonType};
use crate::record::Json;
use crate::release::Replaced;
use crate::task::{Item, Texts};
use crate::text::{CharIdx, IdxSet};

/// A reason that people gave.
#[derive(Clone, Debug)]
pub struct Known {
    /// In its frame.
    pub statement: Statement,
    /// The places of its quotations, as many as it has. Of a quotation without places, wherever its text stands.
    pub parts: Vec<IdxSet>,
    /// The record that it came from, where that is one of 2021.
    pub qid: Option<SmolStr>,
}

/// A text with what people said about it.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Its working id.
    pub id: SmolStr,
    /// The text.
    pub context: SmolStr,
    /// Its characters.
    pub chars: Vec<char>,
    /// Its clauses, without the marks between them.
    pub clauses: Vec<Range<usize>>,
    /// Whether nothing is wrong with it.
    pub normal: bool,
    /// The sentence that it was made from.
    pub origin: Option<SmolStr>,
    /// What kind of text it is.
    pub genre: Option<SmolStr>,
    /// The places of words that were replaced in it, where that is known.
    pub replaced: IdxSet,
    /// Why it is wrong.
    pub truths: Vec<Known>,
    /// Reasons that people found wrong.
    pub wrong: Vec<Known>,
    /// How many reasons have no frame: without fragments, or with quotation marks in them.
    pub frameless: usize,
}

impl Sentence {
    fn new(item: &Item, normal: bool) -> Sentence {
        let context: SmolStr = item.texts.context().into();
        let field = |name: &str| {
            let value = item.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value)?;
            Some(value.as_str().map_or_else(|| value.to_line().into(), SmolStr::new)).filter(|_| *value != Json::Null)
        };
        let chars: Vec<char> = context.chars().collect();
        Sentence {
            id: item.qid.clone(),
            clauses: clauses(&chars),
            chars,
            context,
            normal,
            origin: field("origin"),
            genre: field("genre"),
            replaced: replaced(item),
            truths: Vec::new(),
            wrong: Vec::new(),
            frameless: 0,
        }
    }

    /// Every character that may be wrong: those of true reasons and, in an abnormal text, those of replaced words.
    pub fn mask(&self) -> IdxSet {
        let replaced = if self.normal { IdxSet::default() } else { self.replaced.clone() };
        self.truths.iter().flat_map(|known| &known.parts).fold(replaced, |mask, part| mask.union(part))
    }

    /// What is quoted of these places: the stretch from the first to the last of them in the clause that holds most; of equals the last.
    pub fn quote(&self, places: &IdxSet) -> String {
        let inside = |clause: &Range<usize>| -> Vec<usize> {
            places.iter().map(|idx| idx.0 as usize).filter(|place| clause.contains(place)).collect()
        };
        let main = self.clauses.iter().map(inside).max_by_key(Vec::len).unwrap_or_default();
        match (main.first(), main.last()) {
            (Some(first), Some(last)) => self.chars[*first..=*last].iter().collect(),
            _ => self.join(places),
        }
    }

    /// The characters at these places and no others.
    fn join(&self, places: &IdxSet) -> String {
        places.iter().filter_map(|CharIdx(idx)| self.chars.get(idx as usize)).collect()
    }

    /// The number of the clause that holds most of these places.
    pub fn main_clause(&self, places: &IdxSet) -> Option<usize> {
        let held = |clause: &Range<usize>| places.iter().filter(|idx| clause.contains(&(idx.0 as usize))).count();
        (0..self.clauses.len()).max_by_key(|number| held(&self.clauses[*number])).filter(|_| !places.is_empty())
    }

    fn add(&mut self, known: Option<Known>) {
        match known.filter(|known| is_quotable(&known.statement)) {
            None => self.frameless += 1,
            Some(known) if self.truths.iter().any(|other| other.statement == known.statement) => {}
            Some(known) => self.truths.push(known),
        }
    }

    /// A reason of 2022 in its frame.
    fn framed(&self, reason: &Reason) -> Option<Known> {
        let places = |roles: &[&str]| -> IdxSet {
            let parts = reason.fragments.iter().filter(|part| roles.contains(&part.role.as_str()));
            let inside = |idx: &CharIdx| (idx.0 as usize) < self.chars.len();
            parts.flat_map(|part| part.fragment.span.iter().filter(inside).collect::<Vec<_>>()).collect()
        };
        let (frame, parts) = match reason.kind {
            ReasonType::A => (Frame::Match, vec![places(&["text1"]), places(&["text2"])]),
            ReasonType::B => {
                let mut parts = vec![places(&["S1", "P1", "E1"]), places(&["S2", "P2", "E2"])];
                parts.sort_by_key(|part| part.iter().next().map(|idx| idx.0));
                let apart = self.main_clause(&parts[0]) != self.main_clause(&parts[1]);
                (if apart { Frame::Information } else { Frame::Meaning }, parts)
            }
            ReasonType::C => (Frame::Sense, vec![places(&["S", "P", "E"])]),
        };
        if parts.iter().any(IdxSet::is_empty) {
            return None;
        }
        let mut quoted: Vec<String> = parts.iter().map(|part| self.quote(part)).collect();
        let nested = |quoted: &[String]| matches!(quoted, [x, y] if x.contains(y.as_str()) || y.contains(x.as_str()));
        if nested(&quoted) {
            // Two triples of one clause share their entity or event: what each has of its own is what conflicts.
            quoted = vec![self.quote(&parts[0].minus(&parts[1])), self.quote(&parts[1].minus(&parts[0]))];
        }
        if nested(&quoted) {
            quoted = parts.iter().map(|part| self.join(part)).collect();
        }
        let mut quoted = quoted.into_iter();
        let (x, y) = (quoted.next()?, quoted.next());
        Some(Known { statement: Statement::new(frame, x, y), parts, qid: None })
    }

    /// A reason of 2021: each quotation is everywhere where its text is.
    fn located(&self, reason: &str, qid: SmolStr) -> Option<Known> {
        let statement = Statement::parse(reason)?;
        let places = |text: &str| -> IdxSet {
            let wanted: Vec<char> = text.chars().collect();
            let count = wanted.len().max(1);
            let starts = (0..self.chars.len()).filter(|at| self.chars[*at..].starts_with(&wanted));
            starts.flat_map(|at| (at..at + count).map(|place| CharIdx(place as u32))).collect()
        };
        let parts = std::iter::once(statement.x.as_str()).chain(statement.y.as_deref()).map(places).collect();
        Some(Known { statement, parts, qid: Some(qid) })
    }
}

/// The places of the words in the field `replaced`; a field of another shape tells nothing.
fn replaced(item: &Item) -> IdxSet {
    let given = item.extra.iter().find(|(key, _)| key == "replaced").map(|(_, value)| value.to_line());
    let words: Vec<Replaced> = given.and_then(|line| serde_json::from_str(&line).ok()).unwrap_or_default();
    words.iter().flat_map(|word| (0..word.to.chars().count() as u32).map(|n| CharIdx(word.at.saturating_add(n)))).collect()
}

/// Whether a reason can be read back: no quotation mark within a quotation, and something in it.
pub fn is_quotable(statement: &Statement) -> bool {
    let fine = |text: &str| !text.trim().is_empty() && !text.contains(['“', '”']);
    fine(&statement.x) && statement.y.as_deref().is_none_or(fine)
}

/// Sentences from items of 2022/attribute or 2021/reason; items of one text are one sentence. Items of other tasks are left out.
pub fn abnormal(items: &[Item]) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut numbers: FxHashMap<SmolStr, usize> = FxHashMap::default();
    for item in items {
        let at = *numbers.entry(item.texts.context().into()).or_insert_with(|| {
            sentences.push(Sentence::new(item, false));
            sentences.len() - 1
        });
        let sentence = &mut sentences[at];
        match (&item.gold, &item.texts) {
            (Some(Answer::Reasons(reasons)), _) => {
                for reason in reasons {
                    let known = sentence.framed(reason);
                    sentence.add(known);
                }
            }
            (Some(Answer::Verdict(verdict)), Texts::Reason { reason, .. }) => {
                let known = sentence.located(reason, item.qid.clone());
                match verdict.value() {
                    Some(true) => sentence.add(known),
                    _ => sentence.wrong.extend(known),
                }
            }
            _ => {}
        }
    }
    sentences
}

/// The normal sentences among items of a judge task.
pub fn normal(items: &[Item]) -> Vec<Sentence> {
    let is_normal = |item: &&Item| matches!(&item.gold, Some(Answer::Verdict(verdict)) if verdict.value() == Some(true));
    items.iter().filter(is_normal).map(|item| Sentence::new(item, true)).collect()
}
