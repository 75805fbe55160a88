//! What differs between two versions of gold: which items have other answers, other texts, came or went.

use std::collections::BTreeMap;

use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Task};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::failure::Failure;
use crate::store;
use crate::thread::on_thread;

/// So many identifiers are told.
const MOST_QIDS: usize = 1000;

/// What differs between two versions of gold.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct GoldChange {
    /// How many items there are.
    pub items: usize,
    /// How many of them have another answer.
    pub answers: usize,
    /// How many of them have another text.
    pub texts: usize,
    /// How many were not there before.
    pub added: usize,
    /// How many are there no more.
    pub removed: usize,
    /// Which they are, all four together; for organisers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qids: Option<Vec<String>>,
}

impl GoldChange {
    fn between(old: &[Item], new: &[Item]) -> GoldChange {
        let by_qid = |items: &[Item]| items.iter().map(|item| (item.qid.to_string(), item.clone())).collect::<BTreeMap<_, _>>();
        let (old, new) = (by_qid(old), by_qid(new));
        let mut change = GoldChange { items: new.len(), ..GoldChange::default() };
        let mut qids = Vec::new();
        for (qid, item) in &new {
            let Some(before) = old.get(qid) else {
                change.added += 1;
                qids.push(qid.clone());
                continue;
            };
            let (answer, text) = (before.gold != item.gold || before.corefs != item.corefs, before.texts != item.texts);
            change.answers += usize::from(answer);
            change.texts += usize::from(text);
            if answer || text {
                qids.push(qid.clone());
            }
        }
        let gone: Vec<String> = old.keys().filter(|qid| !new.contains_key(*qid)).cloned().collect();
        change.removed = gone.len();
        qids.extend(gone);
        qids.truncate(MOST_QIDS);
        change.qids = Some(qids);
        change
    }
}

/// What differs between two files of gold in the store.
pub async fn between(app: &App, task: &'static dyn Task, old: &str, new: &str) -> Result<GoldChange, Failure> {
    let (old, new) = (store::get(app.database.read(), old).await?, store::get(app.database.read(), new).await?);
    let read = move |bytes: Vec<u8>| {
        let source = Source::from_bytes("gold", bytes).map_err(|error| Failure::Internal(error.to_string()))?;
        let (items, _) = read_items(task, source, true).map_err(|error| Failure::Internal(error.to_string()))?;
        Ok::<_, Failure>(items)
    };
    on_thread(move || Ok(GoldChange::between(&read(old)?, &read(new)?))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_texts_and_items_that_came_and_went() {
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let read = |text: &str| read_items(task, Source::from_bytes("x", text).expect("memory"), true).expect("read").0;
        let line = |qid: &str, text: &str, judge: u8| format!("{{\"qid\":\"{qid}\",\"context\":\"{text}\",\"judge\":{judge}}}\n");
        let old =
            [line("1", "猫在桌下", 1), line("2", "狗在门外", 0), line("3", "鸟在树上", 1), line("4", "鱼在缸里", 1)].concat();
        let new =
            [line("1", "猫在桌下", 0), line("2", "狗在门外边", 0), line("3", "鸟在树上", 1), line("5", "船在河心", 1)].concat();
        let change = GoldChange::between(&read(&old), &read(&new));
        let qids = ["1", "2", "5", "4"].map(ToOwned::to_owned).to_vec();
        assert_eq!(change, GoldChange { items: 4, answers: 1, texts: 1, added: 1, removed: 1, qids: Some(qids) });
    }
}
