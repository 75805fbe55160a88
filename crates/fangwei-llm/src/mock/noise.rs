//! Noise: gold, spoiled in the ways in which models spoil their answers. Which reply is spoiled how depends on the item and the seed only.

use fangwei::task::write_pred;
use serde_json::Value;

use super::fault::by_chance;
use super::{Book, Reply};

/// A way to spoil a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noise {
    /// The answer to another item.
    Wrong,
    /// Within a fence.
    Fenced,
    /// A comma too many.
    Comma,
    /// Full-width punctuation.
    FullWidth,
    /// Words around it.
    Prose,
    /// Thoughts before it.
    Thoughts,
    /// Cut off at the length limit.
    Truncated,
    /// Declined.
    Refused,
    /// Nothing.
    Empty,
    /// Texts without indexes.
    NoIndexes,
    /// Indexes that are off by one.
    WrongIndexes,
    /// Words only.
    Chatter,
}

impl Noise {
    /// Every one.
    pub const ALL: [Noise; 12] = [
        Noise::Wrong,
        Noise::Fenced,
        Noise::Comma,
        Noise::FullWidth,
        Noise::Prose,
        Noise::Thoughts,
        Noise::Truncated,
        Noise::Refused,
        Noise::Empty,
        Noise::NoIndexes,
        Noise::WrongIndexes,
        Noise::Chatter,
    ];

    /// The noise of an item, if it has one.
    fn of(item: &str, share: f64, seed: u64) -> Option<Noise> {
        let hash = item.bytes().fold(seed, |hash, byte| hash.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte));
        let which = (by_chance(hash.wrapping_add(1)) * Noise::ALL.len() as f64) as usize;
        (by_chance(hash) < share).then(|| Noise::ALL[which.min(Noise::ALL.len() - 1)])
    }
}

/// The reply to an item of the book.
pub fn spoil(book: &Book, number: usize, share: f64, seed: u64) -> Reply {
    let Some((item, _)) = book.item(number) else { return Reply { text: String::new(), finish: "stop" } };
    let gold = |number: usize| {
        let (item, gold) = book.item(number % book.len())?;
        serde_json::from_str::<Value>(&write_pred(book.task(), &item.qid, gold).to_line()).ok()
    };
    let mut answer = gold(number).unwrap_or_default();
    let noise = Noise::of(&item.texts.joined(), share, seed);
    match noise {
        Some(Noise::Wrong) => answer = gold(number + 1).unwrap_or_default(),
        Some(Noise::NoIndexes) => indexes(&mut answer, &|_| None),
        Some(Noise::WrongIndexes) => indexes(&mut answer, &|index| Some(index + 1)),
        _ => {}
    }
    if let Some(answer) = answer.as_object_mut() {
        // A model is not asked for the identifier.
        answer.retain(|name, _| !name.eq_ignore_ascii_case("qid"));
    }
    let json = answer.to_string();
    let (text, finish) = match noise {
        Some(Noise::Fenced) => (format!("```json\n{json}\n```"), "stop"),
        Some(Noise::Comma) => (format!("{},}}", json.trim_end_matches('}')), "stop"),
        Some(Noise::FullWidth) => (json.replace(',', "，").replace(':', "："), "stop"),
        Some(Noise::Prose) => (format!("好的，我来分析这道题。\n\n{json}\n\n以上就是我的回答。"), "stop"),
        Some(Noise::Thoughts) => (format!("<think>先找出空间词，再看它们是否搭配。{{</think>\n{json}"), "stop"),
        Some(Noise::Truncated) => (json.chars().take(json.chars().count() * 2 / 3).collect(), "length"),
        Some(Noise::Refused) => ("抱歉，我无法回答这个问题。".to_owned(), "stop"),
        Some(Noise::Empty) => (String::new(), "stop"),
        Some(Noise::Chatter) => ("这句话里的方位关系很有意思，值得细细体会。".to_owned(), "stop"),
        _ => (json, "stop"),
    };
    Reply { text, finish }
}

/// Changes or removes every list of indexes.
fn indexes(value: &mut Value, change: &dyn Fn(u64) -> Option<u64>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| indexes(value, change)),
        Value::Object(fields) => {
            fields.retain(|name, value| {
                let Some(list) = value.as_array_mut().filter(|_| name == "idxes") else { return true };
                let changed: Option<Vec<Value>> = list.iter().map(|index| change(index.as_u64()?).map(Value::from)).collect();
                changed.map(|changed| *list = changed).is_some()
            });
            fields.values_mut().for_each(|value| indexes(value, change));
        }
        _ => {}
    }
}
