//! Everything about one item: its texts and gold, and for each system the conversation, the replies, what was read from them and how it was scored.

use fangwei::ask::{Placed, Speaker};
use fangwei::lang::Lang;
use fangwei::score::alignment_json;
use fangwei::task::{Mode, write_pred};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::folder::{FolderError, Line, Question, Requests, read_lines};
use crate::key::Key;
use crate::score::{Read, Run};

/// Texts that several requests share, each once.
#[derive(Debug, Default)]
pub struct Texts {
    numbers: FxHashMap<String, usize>,
}

impl Texts {
    /// The texts that are said more than once.
    pub fn shared<'r>(requests: impl Iterator<Item = &'r Requests>) -> Texts {
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        let mut order: Vec<&str> = Vec::new();
        for requests in requests {
            for (_, number) in requests.asked.iter().flat_map(|asked| &asked.messages) {
                let text = requests.texts[*number].as_str();
                let count = uses.entry(text).or_default();
                *count += 1;
                if *count == 2 {
                    order.push(text);
                }
            }
        }
        Texts { numbers: order.into_iter().enumerate().map(|(number, text)| (text.to_owned(), number)).collect() }
    }

    /// In the order of their numbers.
    pub fn list(&self) -> Vec<&str> {
        let mut list = vec![""; self.numbers.len()];
        #[allow(clippy::iter_over_hash_type, reason = "each text goes to its own place")]
        for (text, number) in &self.numbers {
            list[*number] = text;
        }
        list
    }

    /// The number of a shared text, or the text.
    fn say(&self, text: &str) -> Value {
        self.numbers.get(text).map_or_else(|| json!(text), |number| json!(number))
    }
}

/// What was said in the replies of a run, by item and repeat.
#[derive(Debug, Default)]
pub struct Replies(FxHashMap<Key, (String, Option<String>, Option<String>)>);

impl Replies {
    /// Reads them from the run's folder.
    pub fn read(run: &Run) -> Result<Replies, FolderError> {
        let mut replies = Replies::default();
        read_lines(&run.folder.file("responses.jsonl"), |line: Line| {
            replies.0.insert(line.key, (line.response.text, line.response.thought, line.response.model));
        })?;
        Ok(replies)
    }
}

/// The details of an item.
pub fn of(
    outcomes: &[Option<(&Run, usize)>],
    mode: Mode,
    lang: Lang,
    requests: &[(String, Requests)],
    replies: &[(String, Replies)],
    texts: &Texts,
) -> Value {
    let first = outcomes.iter().flatten().next();
    let item = first.map(|(run, number)| (run.task, &run.outcomes[*number].item));
    let written = item.map(|(_, item)| {
        let field = |(name, text): (&'static str, fangwei::record::Json<'static>)| json!([name, text.as_str()]);
        item.texts.write().into_iter().map(field).collect::<Vec<_>>()
    });
    let with_gold = outcomes
        .iter()
        .flatten()
        .map(|(run, number)| (run.task, &run.outcomes[*number].item))
        .find(|(_, item)| item.gold.is_some());
    let gold = with_gold.and_then(|(task, item)| Some(plain(&write_pred(task, &item.qid, item.gold.as_ref()?).to_line())));
    let system = |(run, number): &(&Run, usize)| {
        let place = run.folder.path.display().to_string();
        let requests = requests.iter().find(|(known, _)| *known == place).map(|(_, requests)| requests);
        let replies = replies.iter().find(|(known, _)| *known == place).map(|(_, replies)| replies);
        of_system(run, *number, mode, lang, requests, replies, texts)
    };
    json!({ "texts": written, "gold": gold, "systems": outcomes.iter().map(|one| one.as_ref().map(system)).collect::<Vec<_>>() })
}

fn of_system(
    run: &Run,
    number: usize,
    mode: Mode,
    lang: Lang,
    requests: Option<&Requests>,
    replies: Option<&Replies>,
    texts: &Texts,
) -> Value {
    let outcome = &run.outcomes[number];
    let qid = &outcome.item.qid;
    let asked: Vec<&Question> = requests.into_iter().flat_map(|requests| by_qid(requests, qid, number)).collect();
    let message = |(role, text): &(Speaker, usize)| json!([role, requests.map(|requests| texts.say(&requests.texts[*text]))]);
    let said = |read: &Option<Read>, repeat: usize| {
        let read = read.as_ref()?;
        let key = asked.iter().find(|asked| asked.repeat as usize == repeat).map(|asked| asked.key);
        let reply = key.and_then(|key| replies?.0.get(&key));
        Some(json!({
            "text": reply.map(|(text, ..)| text), "thought": reply.and_then(|(_, thought, _)| thought.as_ref()), "model": reply.and_then(|(.., model)| model.as_ref()),
            "state": read.reading.state, "finish": read.finish, "usage": read.usage, "seconds": read.seconds, "attempts": read.attempts,
            "mends": read.reading.mends, "slips": read.reading.slips, "placed": read.reading.placed.iter().map(placed).collect::<Vec<_>>(),
            "answer": read.reading.answer.as_ref().map(|answer| plain(&write_pred(run.task, qid, answer).to_line())),
        }))
    };
    let alignment = outcome.item.gold.is_some().then(|| {
        let alignment = run.task.align(mode.rules(), &outcome.item, outcome.answer());
        alignment_json(run.task, mode, &outcome.item, &alignment, lang)
    });
    json!({
        "messages": asked.first().map(|asked| asked.messages.iter().map(message).collect::<Vec<_>>()),
        "replies": outcome.reads.iter().enumerate().map(|(repeat, read)| said(read, repeat)).collect::<Vec<_>>(),
        "alignment": alignment,
        "failure": outcome.failure,
    })
}

/// The requests about an item. They stand in the order of the items, repeat after repeat, so the place is known; a look is enough to be sure.
fn by_qid<'r>(requests: &'r Requests, qid: &'r SmolStr, number: usize) -> impl Iterator<Item = &'r Question> {
    let repeats = requests.asked.last().map_or(1, |asked| asked.repeat as usize + 1);
    let items = requests.asked.len() / repeats.max(1);
    (0..repeats).filter_map(move |repeat| requests.asked.get(repeat * items + number)).filter(move |asked| asked.qid == *qid)
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
