//! Everything about one item: its texts and gold, and for each system the conversation, the replies, what was read from them and how it was scored.

use fangwei::ask::Placed;
use fangwei::lang::Lang;
use fangwei::score::alignment_json;
use fangwei::task::{Mode, write_pred};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{Look, Open};
use crate::folder::{FolderError, Line, Question, Requests};
use crate::score::Read;

/// Texts that several requests share, each once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: FxHashMap<[u8; 16], usize>,
    list: Vec<(usize, usize)>,
}

impl Texts {
    /// The texts that are said more than once in all runs together.
    pub(super) fn shared<'r>(requests: impl Iterator<Item = &'r Requests>) -> Texts {
        let mut uses: FxHashMap<[u8; 16], u32> = FxHashMap::default();
        let mut texts = Texts::default();
        for (run, requests) in requests.enumerate() {
            for (number, text) in requests.texts().iter().enumerate() {
                let count = uses.entry(text.hash).or_default();
                *count += text.uses;
                if *count > 1 && !texts.numbers.contains_key(&text.hash) {
                    texts.numbers.insert(text.hash, texts.list.len());
                    texts.list.push((run, number));
                }
            }
        }
        texts
    }

    /// Run and number of each, in the order of their numbers here.
    pub(super) fn list(&self) -> &[(usize, usize)] {
        &self.list
    }
}

/// The details of an item.
pub(super) fn of(
    looks: &[Option<Look>],
    open: &mut [Open<'_>],
    mode: Mode,
    lang: Lang,
    texts: &Texts,
) -> Result<Value, FolderError> {
    let first = looks.iter().flatten().next();
    let written = first.map(|look| {
        let field = |(name, text): (&'static str, fangwei::record::Json<'static>)| json!([name, text.as_str()]);
        look.outcome.item.texts.write().into_iter().map(field).collect::<Vec<_>>()
    });
    let with_gold = looks.iter().flatten().find_map(|look| Some((look, look.outcome.item.gold.as_ref()?)));
    let gold = with_gold.map(|(look, gold)| plain(&write_pred(look.task, &look.outcome.item.qid, gold).to_line()));
    let mut systems = Vec::with_capacity(looks.len());
    for look in looks {
        systems.push(match look {
            Some(look) => of_system(look, &mut open[look.open].requests, mode, lang, texts)?,
            None => Value::Null,
        });
    }
    Ok(json!({ "texts": written, "gold": gold, "systems": systems }))
}

fn of_system(look: &Look, requests: &mut Requests, mode: Mode, lang: Lang, texts: &Texts) -> Result<Value, FolderError> {
    let (outcome, task) = (&look.outcome, look.task);
    let messages = match asked(look, requests)? {
        Some(asked) => Some(said(&asked, requests, texts)?),
        None => None,
    };
    let reply = |(read, line): (&Option<Read>, &Option<Line>)| {
        let (read, line) = (read.as_ref()?, line.as_ref()?);
        let (reading, response) = (&read.reading, &line.response);
        Some(json!({
            "text": response.text, "thought": response.thought, "model": response.model,
            "state": reading.state, "finish": read.finish, "usage": read.usage, "seconds": read.seconds, "attempts": read.attempts,
            "mends": reading.mends, "slips": reading.slips, "placed": reading.placed.iter().map(placed).collect::<Vec<_>>(),
            "answer": reading.answer.as_ref().map(|answer| plain(&write_pred(task, &outcome.item.qid, answer).to_line())),
        }))
    };
    let alignment = outcome.item.gold.is_some().then(|| {
        let alignment = task.align(mode.rules(), &outcome.item, outcome.answer());
        alignment_json(task, mode, &outcome.item, &alignment, lang)
    });
    Ok(json!({
        "messages": messages,
        "replies": outcome.reads.iter().zip(&look.lines).map(reply).collect::<Vec<_>>(),
        "alignment": alignment,
        "failure": outcome.failure,
    }))
}

/// The first request about an item. They stand in the order of the items, repeat after repeat, so the place is known; a look is enough to be sure.
fn asked(look: &Look, requests: &mut Requests) -> Result<Option<Question>, FolderError> {
    Ok(requests.get(look.number)?.filter(|asked| asked.qid == look.outcome.item.qid))
}

/// Who says what: the number of a shared text, or the text.
fn said(asked: &Question, requests: &mut Requests, texts: &Texts) -> Result<Vec<Value>, FolderError> {
    let mut messages = Vec::with_capacity(asked.messages.len());
    for (role, number) in &asked.messages {
        let shared = requests.texts().get(*number).and_then(|text| texts.numbers.get(&text.hash));
        messages.push(match shared {
            Some(shared) => json!([role, shared]),
            None => json!([role, requests.text(*number)?]),
        });
    }
    Ok(messages)
}

fn placed(placed: &Placed) -> Value {
    let indexes = |span: &fangwei::text::Span| span.iter().map(|index| index.0).collect::<Vec<_>>();
    json!({ "tuple": placed.tuple, "role": placed.role.as_str(), "text": placed.text.as_str(), "how": placed.how,
        "given": indexes(&placed.given), "span": indexes(&placed.span) })
}

/// Our own JSON as a value; it was just written, so it is JSON.
fn plain(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_default()
}
