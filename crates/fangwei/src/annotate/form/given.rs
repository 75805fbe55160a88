//! What a form is about: the item as an annotator may see it.
//!
//! Most modes show the task's own record without its answer. To write a pair of texts one is given two words, `{"qid": …, "pair": ["上", "里"]}`. To grade a reason one
//! is given a record with the answer that is to be graded.

use smol_str::SmolStr;

use super::BatchMode;
use crate::answer::{Answer, Scene};
use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json};
use crate::task::{Item, Task, Texts, read_item};

/// A text that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenText {
    /// Its name, to which spans refer.
    pub name: &'static str,
    /// The text.
    pub text: SmolStr,
}

/// An item as it is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// The item; without gold, unless that is what is to be graded.
    pub item: Item,
    /// What is shown of it. Spans count in these texts.
    pub texts: Vec<GivenText>,
}

/// Reads the record of an item for a mode. `None` where it cannot be used; why is in `check`.
pub fn read_given(task: &dyn Task, mode: BatchMode, record: &Json<'_>, check: &mut Check) -> Option<Given> {
    let item = match mode {
        BatchMode::Author => read_words(task, record, check)?,
        BatchMode::Grade => read_item(task, record, true, check)?,
        _ => {
            let item = read_item(task, record, false, check)?;
            Item { gold: None, corefs: None, ..item }
        }
    };
    let texts = texts(&item, mode);
    Some(Given { item, texts })
}

fn read_words(task: &dyn Task, record: &Json<'_>, check: &mut Check) -> Option<Item> {
    let fields = Fields::of(record, check)?;
    let qid = fields.qid(task.about().qid_names, check);
    let pair = fields.need("pair", check)?;
    let words: Option<Vec<&str>> = pair.as_list().and_then(|list| list.iter().map(Json::as_str).collect());
    if !matches!(words.as_deref(), Some([one, other]) if !one.is_empty() && !other.is_empty()) {
        let expected = Say::new("两个词", "two words");
        check.at("pair", |check| check.add(Code::BadType, expected, pair.brief()));
        return None;
    }
    Some(Item { qid: qid?, texts: Texts::Absent, gold: None, corefs: None, extra: fields.extra(task.about().fields) })
}

/// The two words of an item that is to be written.
pub(super) fn words_of(item: &Item) -> Option<(&str, &str)> {
    let (_, pair) = item.extra.iter().find(|(name, _)| name == "pair")?;
    match pair.as_list()? {
        [one, other] => Some((one.as_str()?, other.as_str()?)),
        _ => None,
    }
}

/// What is shown of an item.
pub(super) fn texts(item: &Item, mode: BatchMode) -> Vec<GivenText> {
    let text = |name, text: &str| GivenText { name, text: text.into() };
    let mut texts = match &item.texts {
        Texts::One { context } => vec![text("context", context)],
        Texts::Reason { context, reason } => vec![text("context", context), text("reason", reason)],
        Texts::Pair { context1, context2 } => vec![text("context1", context1), text("context2", context2)],
        Texts::Absent => Vec::new(),
    };
    match (mode, &item.gold) {
        (BatchMode::Author, _) => {
            texts.extend(words_of(item).into_iter().flat_map(|(one, other)| [text("word1", one), text("word2", other)]));
        }
        (BatchMode::Grade, Some(Answer::Scene(Scene { judge, reason }))) => {
            let judged = if judge.value() == Some(true) { "可以是同一个场景" } else { "不能是同一个场景" };
            texts.push(text("judge", judged));
            texts.push(text("reason", reason.as_deref().unwrap_or_default()));
        }
        _ => {}
    }
    texts
}
