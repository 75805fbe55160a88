//! From a reply to an answer: a ladder of parsers, the first rung that gives an answer of the task's shape counts.
//!
//! 1. thoughts (`<think>…</think>`) are taken off;
//! 2. the whole reply is JSON;
//! 3. a fenced block is, the last first;
//! 4. something within the prose is, the last first;
//! 5. the same places, read by [`super::lenient`];
//! 6. a yes or no in words, where that is all the task asks.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::place::Placed;
use super::slip::{Slip, slips};
use super::{lenient, shape, verdict};
use crate::answer::Answer;
use crate::record::Json;
use crate::task::{Item, Task};

/// What became of a reply. Every reply is in exactly one state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// JSON as asked, alone, fenced or within prose.
    Parsed,
    /// An answer after mending; see [`Reading::mends`].
    Repaired,
    /// No answer could be read.
    Unparsed,
    /// The model or the server's filter declined.
    Refused,
    /// It ended at the length limit before the answer was whole; what there is of it is kept.
    Truncated,
    /// Nothing but blanks or thoughts.
    Empty,
}

impl State {
    /// Every one.
    pub const ALL: [State; 6] = [State::Parsed, State::Repaired, State::Unparsed, State::Refused, State::Truncated, State::Empty];

    /// `parsed`, `repaired`, …
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Parsed => "parsed",
            State::Repaired => "repaired",
            State::Unparsed => "unparsed",
            State::Refused => "refused",
            State::Truncated => "truncated",
            State::Empty => "empty",
        }
    }
}

/// What had to be mended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mend {
    /// A comma before a closing bracket, or two in a row.
    TrailingComma,
    /// No comma where one was due.
    MissingComma,
    /// `｛：，`
    FullWidth,
    /// Texts in curly quotation marks.
    Quotes,
    /// Texts in single quotation marks.
    SingleQuotes,
    /// Quotation marks within a text.
    InnerQuotes,
    /// Keys or texts without quotation marks, names of other languages.
    Unquoted,
    /// Comments.
    Comment,
    /// Line ends within a text.
    LineBreak,
    /// Brackets that were not closed.
    Closed,
    /// Another nesting or other names of fields than asked for.
    Shape,
    /// A verdict in words.
    Words,
    /// A reason put together from the slots of the scene prompt.
    Composed,
}

impl Mend {
    /// Every one.
    pub const ALL: [Mend; 13] = [
        Mend::TrailingComma,
        Mend::MissingComma,
        Mend::FullWidth,
        Mend::Quotes,
        Mend::SingleQuotes,
        Mend::InnerQuotes,
        Mend::Unquoted,
        Mend::Comment,
        Mend::LineBreak,
        Mend::Closed,
        Mend::Shape,
        Mend::Words,
        Mend::Composed,
    ];

    /// `trailing-comma`, …
    pub const fn as_str(self) -> &'static str {
        match self {
            Mend::TrailingComma => "trailing-comma",
            Mend::MissingComma => "missing-comma",
            Mend::FullWidth => "full-width",
            Mend::Quotes => "quotes",
            Mend::SingleQuotes => "single-quotes",
            Mend::InnerQuotes => "inner-quotes",
            Mend::Unquoted => "unquoted",
            Mend::Comment => "comment",
            Mend::LineBreak => "line-break",
            Mend::Closed => "closed",
            Mend::Shape => "shape",
            Mend::Words => "words",
            Mend::Composed => "composed",
        }
    }
}

/// What was read from a reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// What became of it.
    pub state: State,
    /// What had to be mended, in the order of [`Mend::ALL`], each once.
    pub mends: Vec<Mend>,
    /// The answer with its texts placed by [`super::PLACING`]; `crate::task::write_pred` writes it in the official format.
    pub answer: Option<Answer>,
    /// The same answer with the indexes that the model gave, or none.
    pub unplaced: Option<Answer>,
    /// How each text was found.
    pub placed: Vec<Placed>,
    /// The known failures of models that the answer shows.
    pub slips: Vec<Slip>,
}

/// Reads the reply to an item. `finish` is the server's `finish_reason`.
pub fn read(task: &dyn Task, item: &Item, reply: &str, finish: Option<&str>) -> Reading {
    let said = without_thoughts(reply);
    let cut = matches!(finish, Some("length" | "max_tokens"));
    let without =
        |state: State| Reading { state, mends: Vec::new(), answer: None, unplaced: None, placed: Vec::new(), slips: Vec::new() };
    let Some((draft, mends)) = climb(task, item, said, cut) else {
        return without(match finish {
            Some("content_filter") => State::Refused,
            _ if cut => State::Truncated,
            _ if said.is_empty() => State::Empty,
            _ if is_refusal(said) => State::Refused,
            _ => State::Unparsed,
        });
    };
    let state = match (cut && mends.contains(&Mend::Closed), mends.is_empty()) {
        (true, _) => State::Truncated,
        (false, true) => State::Parsed,
        (false, false) => State::Repaired,
    };
    let slips = slips(task, &draft);
    let (answer, unplaced, placed) = draft.finish(task, item);
    let mends = mends.into_iter().collect();
    Reading { state, mends, answer: Some(answer), unplaced: Some(unplaced), placed, slips }
}

/// What follows the thoughts. Some servers leave out the opening sign; thoughts without an end are followed by nothing.
fn without_thoughts(reply: &str) -> &str {
    const SIGNS: [(&str, &str); 3] = [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>")];
    let mut said = reply.trim_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    for (open, close) in SIGNS {
        match (said.rfind(close), said.starts_with(open)) {
            (Some(at), _) => said = &said[at + close.len()..],
            (None, true) => said = "",
            (None, false) => {}
        }
    }
    said.trim()
}

/// So many places of a reply are tried on each rung; a reply that has more is no answer.
const MOST_TRIES: usize = 64;
/// Mending reads on to the end each time, so it is tried less often.
const MOST_MENDS: usize = 12;

fn climb(task: &dyn Task, item: &Item, said: &str, cut: bool) -> Option<(Draft, BTreeSet<Mend>)> {
    let fit = |value: &Json<'_>, mut mends: BTreeSet<Mend>| {
        let draft = shape::read(task, item, value, &mut mends)?;
        Some((draft, mends))
    };
    let strict = |text: &str| Json::parse(text.as_bytes()).ok().and_then(|value| fit(&value, BTreeSet::new()));
    if let Some(found) = strict(said) {
        return Some(found);
    }
    let fenced = fences(said);
    if let Some(found) = fenced.iter().rev().find_map(|block| strict(block)) {
        return Some(found);
    }
    // Brackets that were opened and never filled are the beginning of an answer, not one that says that there is nothing.
    let begun = |found: &(Draft, BTreeSet<Mend>)| found.1.contains(&Mend::Closed) && found.0.is_empty();
    let lenient = |text: &str| lenient::parse(text).and_then(|(value, mends)| fit(&value, mends)).filter(|found| !begun(found));
    let opens = |sign: char| matches!(sign, '{' | '[' | '｛' | '［');
    let from = |text: &str| {
        let starts = text.char_indices().filter(|(_, sign)| opens(*sign)).map(|(at, _)| at);
        starts.take(MOST_MENDS).find_map(|at| lenient(&text[at..]))
    };
    let mended = || fenced.iter().rev().find_map(|block| from(block)).or_else(|| from(said));
    // What is whole within an answer that was cut off is a part of it, not the answer.
    if let Some(found) = cut.then(&mended).flatten().filter(|(_, mends)| mends.contains(&Mend::Closed)) {
        return Some(found);
    }
    let within = values_within(said);
    // Tuples one after the other, each an object of its own.
    let apart = within.len() > 1 && within.iter().all(|value| matches!(value, Json::Map(_)));
    if apart && within.iter().all(|value| value.get(task.about().answer).is_none()) {
        let all = Json::List(within.clone());
        if let Some(found) = fit(&all, BTreeSet::new()).filter(|(draft, _)| matches!(draft, Draft::Groups(_))) {
            return Some(found);
        }
    }
    if let Some(found) = within.iter().rev().find_map(|value| fit(value, BTreeSet::new())) {
        return Some(found);
    }
    mended().or_else(|| verdict::in_words(task, said).map(|draft| (draft, BTreeSet::from([Mend::Words]))))
}

/// The contents of fenced blocks; the last may have no end.
fn fences(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    for (number, part) in text.split("```").enumerate() {
        if number % 2 == 1 {
            // The first line may name the language.
            let named = part.split_once('\n').filter(|(name, _)| name.trim().chars().all(|c| c.is_ascii_alphanumeric()));
            blocks.push(named.map_or(part, |(_, block)| block).trim());
        }
    }
    blocks
}

/// The objects and arrays that stand within prose, in their order.
fn values_within(text: &str) -> Vec<Json<'_>> {
    let (mut values, mut at, mut tries) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].find(['{', '[']) {
        at += next;
        let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Json<'_>>();
        match stream.next() {
            Some(Ok(value)) => {
                values.push(value);
                at += stream.byte_offset().max(1);
            }
            _ => {
                at += 1;
                tries += 1;
            }
        }
        if tries == MOST_TRIES || values.len() == MOST_TRIES {
            break;
        }
    }
    values
}

/// Whether a reply without an answer declines to give one.
fn is_refusal(said: &str) -> bool {
    const SIGNS: [&str; 15] = [
        "抱歉",
        "对不起",
        "很遗憾",
        "我无法",
        "我不能",
        "无法回答",
        "无法提供",
        "不能提供",
        "作为一个人工智能",
        "作为一个AI",
        "i'm sorry",
        "i am sorry",
        "i can't",
        "i cannot",
        "as an ai",
    ];
    let beginning: String = said.chars().take(60).collect::<String>().to_lowercase().replace('’', "'");
    SIGNS.iter().any(|sign| beginning.contains(&sign.to_lowercase()))
}
