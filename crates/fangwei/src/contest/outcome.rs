//! What a submission earns: its measures over all items and over the two parts of a split test set, and the row of every item, from which boards resample.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use smol_str::SmolStr;

use super::Private;
use crate::answer::Answer;
use crate::origin::families;
use crate::record::{ReadError, Source};
use crate::score::{ScoreError, Scored, Total, read_items, read_preds, score};
use crate::task::{Item, Mode, Task};

/// Which program scores: kept with every score, so that scores of two scorers are never taken for each other.
pub const SCORER: &str = concat!("fangwei ", env!("CARGO_PKG_VERSION"));

/// Measures over some items.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// How many items there are.
    pub items: u64,
    /// How many of them have an answer that could be read.
    pub answered: u64,
    /// The value that ranks.
    pub ranking: f64,
    /// All measures, under the names of the official script.
    pub measures: Value,
}

/// The measures of a submission.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parts {
    /// Over all items.
    pub all: Part,
    /// Over those that everybody's score is shown of, where the set is split.
    pub public: Option<Part>,
    /// Over those that are kept back, where the set is split.
    pub private: Option<Part>,
}

impl Parts {
    /// What may be looked at: everything once the private part counts, the public part before.
    pub fn shown(&self, private_counts: bool) -> &Part {
        match &self.public {
            Some(public) if !private_counts => public,
            _ => &self.all,
        }
    }
}

/// The row of one item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ItemRow {
    /// The item.
    pub qid: SmolStr,
    /// Whether it has an answer that could be read.
    pub answered: bool,
    /// Whether it is in the private part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Its numbers, one a column of the task.
    pub row: Vec<f64>,
}

impl ItemRow {
    /// The row for people: the item's own numbers by name.
    pub fn own(&self, task: &dyn Task) -> Value {
        let scale = task.scale();
        let named = scale.columns.iter().zip(&self.row).take(scale.own);
        let columns: Map<String, Value> = named.map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        json!({ "qid": self.qid, "answered": self.answered, "score": self.row.get(scale.item), "columns": columns })
    }
}

/// What a submission earns.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Its measures.
    pub parts: Parts,
    /// The rows of the items, in the order of the gold file.
    pub rows: Vec<ItemRow>,
}

impl Outcome {
    /// Scores a file of predictions as competitions do: by the official rules, all of the gold file.
    pub fn of(task: &'static dyn Task, preds: Source, gold: Source, private: Option<Private>) -> Result<Outcome, ScoreError> {
        Ok(Outcome::with(task, preds, gold, private, |_, _| ())?.0)
    }

    /// The same, with something of every item and its answer, in the order of the rows.
    pub(super) fn with<T: Send>(
        task: &'static dyn Task,
        preds: Source,
        gold: Source,
        private: Option<Private>,
        look: impl Fn(&Item, Option<&Answer>) -> T + Sync,
    ) -> Result<(Outcome, Vec<T>), ScoreError> {
        let preds = read_preds(task, preds)?;
        // Rows need no more of an item than where it belongs; without a split not even that.
        let scored = score(task, Mode::Official, gold, &preds, |item, pred| (private.map(|_| key(item)), look(item, pred)))?;
        let is_private = match private {
            Some(private) => {
                let keys: Vec<Option<&Key>> = scored.extra.iter().map(|(key, _)| key.as_ref()).collect();
                split(&keys, &scored.qids, private)
            }
            None => vec![false; scored.qids.len()],
        };
        let of_part = |wanted: bool| {
            let numbers = (0..scored.qids.len()).filter(|number| is_private[*number] == wanted);
            private.map(|_| part(&scored, &scored.total_of(numbers)))
        };
        let parts = Parts { all: part(&scored, &scored.total), public: of_part(false), private: of_part(true) };
        let row = |(number, qid): (usize, &SmolStr)| ItemRow {
            qid: qid.clone(),
            answered: scored.answered[number],
            private: is_private[number],
            row: scored.row(number).to_vec(),
        };
        let rows = scored.qids.iter().enumerate().map(row).collect();
        Ok((Outcome { parts, rows }, scored.extra.into_iter().map(|(_, look)| look).collect()))
    }
}

fn part<T>(scored: &Scored<T>, total: &Total) -> Part {
    let measures = scored.task.measures(scored.mode, total);
    let ranking = measures.get(scored.task.scale().ranking).unwrap_or_default();
    Part { items: total.items, answered: total.answered, ranking, measures: json!(measures) }
}

/// The text of an item, and the origin that its record names.
type Key = (String, Option<String>);

fn key(item: &Item) -> Key {
    let origin = item.extra.iter().find(|(name, _)| name == "origin").map(|(_, value)| value.to_line());
    (item.texts.joined(), origin)
}

/// The family of every item of a gold file, by qid: items of one family are drawn together when a board resamples.
pub fn families_of(task: &dyn Task, gold: Source) -> Result<HashMap<SmolStr, u32>, ReadError> {
    let (items, _) = read_items(task, gold, false)?;
    let keys: Vec<Key> = items.iter().map(key).collect();
    let (texts, names) = texts_and_names(&keys.iter().map(Some).collect::<Vec<_>>());
    Ok(items.into_iter().map(|item| item.qid).zip(families(&texts, &names)).collect())
}

fn texts_and_names<'k>(keys: &[Option<&'k Key>]) -> (Vec<&'k str>, Vec<Option<&'k str>>) {
    let texts = keys.iter().map(|key| key.map_or("", |(text, _)| text.as_str())).collect();
    let names = keys.iter().map(|key| key.and_then(|(_, name)| name.as_deref())).collect();
    (texts, names)
}

/// Which items are kept back: siblings together, drawn by the first of them.
fn split(keys: &[Option<&Key>], qids: &[SmolStr], private: Private) -> Vec<bool> {
    let (texts, names) = texts_and_names(keys);
    let families = families(&texts, &names);
    let mut drawn: Vec<bool> = Vec::new();
    let mut held = Vec::with_capacity(qids.len());
    for (number, family) in families.iter().enumerate() {
        // Families are numbered by their first member, so a number that was not seen is the next one.
        if *family as usize == drawn.len() {
            drawn.push(private.holds(names[number].unwrap_or(qids[number].as_str())));
        }
        held.push(drawn.get(*family as usize).copied().unwrap_or_default());
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::find;

    fn source(text: &str) -> Source {
        Source::from_bytes("x", text).expect("memory")
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let task = find("2022/judge").expect("a task");
        let texts = [
            "小猫趴在沙发底下睡觉",
            "校门口朝东开着三扇窗",
            "河对岸立着一座灯塔",
            "书架最高一层摆满画册",
            "电梯停在地下二层不动",
            "隧道尽头透出一点亮光",
        ];
        // The last two share the text of the first two but for a character: they are their siblings.
        let texts: Vec<String> =
            texts.iter().map(|text| (*text).to_owned()).chain(texts.iter().take(2).map(|text| format!("{text}了"))).collect();
        let gold: String = texts
            .iter()
            .enumerate()
            .map(|(n, text)| format!("{{\"qid\":\"{n}\",\"context\":\"{text}\",\"judge\":{}}}\n", n % 2))
            .collect();
        let preds: String = (0..texts.len()).map(|n| format!("{{\"qid\":\"{n}\",\"judge\":1}}\n")).collect();
        let seed = (0..100).find(|seed| {
            let outcome =
                Outcome::of(task, source(&preds), source(&gold), Some(Private { share: 0.5, seed: *seed })).expect("scores");
            outcome.parts.private.is_some_and(|part| part.items > 0 && part.items < 8)
        });
        let private = Private { share: 0.5, seed: seed.expect("a draw that splits") };
        let Outcome { parts, rows } = Outcome::of(task, source(&preds), source(&gold), Some(private)).expect("scores");
        let (public, held) = (parts.public.clone().expect("split"), parts.private.clone().expect("split"));
        assert_eq!((parts.all.items, public.items + held.items), (8, 8));
        // Four of the eight are 1 in gold, and everything was answered 1.
        assert_eq!(parts.all.ranking, 0.5);
        let right = public.ranking * public.items as f64 + held.ranking * held.items as f64;
        assert!((right - 4.0).abs() < 1e-9, "{right}");
        assert_eq!((rows[0].private, rows[1].private), (rows[6].private, rows[7].private), "siblings are in one part");
        assert_eq!((parts.shown(false), parts.shown(true)), (&public, &parts.all));
        let whole = Outcome::of(task, source(&preds), source(&gold), None).expect("scores");
        assert_eq!((whole.parts.public.is_none(), whole.parts.all), (true, parts.all));
    }
}
