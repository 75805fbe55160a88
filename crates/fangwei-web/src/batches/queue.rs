//! What waits for somebody, what needs them first before the rest: work that came back, answers to their questions, what they began, what they have not touched.

use std::collections::BTreeMap;

use fangwei::lang::{Words, words};
use sqlx::Row;

use crate::app::App;
use crate::failure::Failure;

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The assignment.
    pub assignment: String,
    /// Its state.
    pub state: String,
    /// Its place among the person's own work in the batch, from 1. Numbers of the batch are not told: gaps would say what others have.
    pub place: usize,
    /// The item's identifier.
    pub qid: String,
    /// Why it needs them, in the order of [`NEEDS`].
    pub needs: &'static str,
}

impl Waiting {
    /// The sign of its state.
    pub fn sign(&self) -> &'static str {
        state_words(&self.state).1
    }
}

/// Why work needs somebody, the most urgent first.
pub const NEEDS: [(&str, Words); 4] = [
    ("returned", words("被退回", "returned")),
    ("answered", words("问题有了回答", "answered")),
    ("draft", words("做了一半", "begun")),
    ("new", words("还没做", "new")),
];

/// One's own work in one batch.
#[derive(Clone, Debug)]
pub struct Pile {
    /// The batch.
    pub batch: String,
    /// Its name.
    pub name: String,
    /// In the order of the batch.
    pub work: Vec<Waiting>,
}

impl Pile {
    /// How many are done.
    pub fn done(&self) -> usize {
        self.work.iter().filter(|work| ["done", "approved", "skipped"].contains(&work.state.as_str())).count()
    }
}

/// One's own work in open batches, the latest batch first.
pub async fn piles(app: &App, account: &str) -> Result<Vec<Pile>, Failure> {
    let answered = answers(app, account).await?;
    let select = "SELECT batch.id, batch.name, assignment.id, assignment.state, assignment.changed_at, item.id, item.qid \
                  FROM assignment JOIN batch ON batch.id = assignment.batch JOIN item ON item.id = assignment.item \
                  WHERE assignment.account = $1 AND assignment.part = 'annotate' AND assignment.state <> 'recalled' AND batch.state = 'open' \
                  ORDER BY batch.made_at DESC, batch.id, item.number";
    let rows = sqlx::query(select).bind(account.to_owned()).fetch_all(app.database.read()).await?;
    let mut piles: Vec<Pile> = Vec::new();
    for row in &rows {
        let (batch, item, state): (String, String, String) = (row.try_get(0)?, row.try_get(5)?, row.try_get(3)?);
        if piles.last().is_none_or(|pile| pile.batch != batch) {
            piles.push(Pile { batch, name: row.try_get(1)?, work: Vec::new() });
        }
        let Some(pile) = piles.last_mut() else { continue };
        let is_answered = answered.get(&item).is_some_and(|at| row.try_get(4).is_ok_and(|changed: i64| *at > changed));
        let needs = match state.as_str() {
            "returned" => "returned",
            "new" | "draft" | "done" if is_answered => "answered",
            "draft" => "draft",
            "new" => "new",
            _ => "",
        };
        let place = pile.work.len() + 1;
        pile.work.push(Waiting { assignment: row.try_get(2)?, state, place, qid: row.try_get(6)?, needs });
    }
    Ok(piles)
}

/// When something that somebody began to talk about was last answered, by item: in their own threads, not in those of others on the same item.
async fn answers(app: &App, account: &str) -> Result<BTreeMap<String, i64>, Failure> {
    let select = "WITH RECURSIVE own (id, item) AS (SELECT id, item FROM message WHERE author = $1 AND reply_to IS NULL \
                  UNION ALL SELECT message.id, message.item FROM message JOIN own ON message.reply_to = own.id) \
                  SELECT message.item, MAX(message.at) FROM message JOIN own ON own.id = message.id WHERE message.kind = 'answer' GROUP BY message.item";
    let rows = sqlx::query(select).bind(account.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// All that waits, what needs somebody first before the rest.
pub fn waiting(piles: &[Pile]) -> Vec<&Waiting> {
    let urgency = |work: &Waiting| NEEDS.iter().position(|(needs, _)| *needs == work.needs);
    let mut waiting: Vec<&Waiting> = piles.iter().flat_map(|pile| &pile.work).filter(|work| urgency(work).is_some()).collect();
    // Stable: within one need the order of batches and items stays.
    waiting.sort_by_key(|work| urgency(work));
    waiting
}

/// A state for people, and a sign for it: states are told apart by shape, not by colour alone.
pub fn state_words(state: &str) -> (Words, &'static str) {
    match state {
        "new" => (words("未做", "new"), "○"),
        "draft" => (words("进行中", "begun"), "◐"),
        "returned" => (words("退回", "returned"), "↩"),
        "done" => (words("完成", "done"), "●"),
        "approved" => (words("通过", "approved"), "✓"),
        "skipped" => (words("跳过", "skipped"), "–"),
        "recalled" => (words("收回", "recalled"), "×"),
        _ => (words("未分配", "free"), "□"),
    }
}
