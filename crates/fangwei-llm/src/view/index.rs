//! What the list of items and its filters need of each.

use fangwei::ask::How;
use fangwei::task::Mode;
use serde_json::{Value, json};

use super::Look;
use crate::score::Outcome;

/// So much of a text stands in the list.
const SNIPPET: usize = 60;

/// Task, qid, beginning of the text, and for each system state, score and kinds of errors.
pub(super) fn of(task: usize, looks: &[Option<Look>], mode: Mode) -> Value {
    let of_system = |look: &Look| {
        let state = look.outcome.first().map(|read| read.reading.state as usize);
        json!([state, score_of(look, mode), kinds(&look.outcome)])
    };
    let item = looks.iter().flatten().next().map(|look| &look.outcome.item);
    let text: String = item.map(|item| item.texts.joined().chars().take(SNIPPET).collect()).unwrap_or_default();
    let qid = item.map(|item| item.qid.clone()).unwrap_or_default();
    json!([task, qid, text, looks.iter().map(|look| look.as_ref().map(of_system)).collect::<Vec<_>>()])
}

/// The item's own value of the ranking measure.
fn score_of(look: &Look, mode: Mode) -> Option<f64> {
    look.outcome.item.gold.as_ref()?;
    let scale = look.task.scale();
    let mut row = vec![0.0; scale.columns.len()];
    look.task.score(mode.rules(), &look.outcome.item, look.outcome.answer(), &mut row);
    Some((row[scale.item] * 1e4).round() / 1e4)
}

/// What can be filtered by beside state and score: slips, texts that were not found or had to be guessed, mends, failures.
fn kinds(outcome: &Outcome) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    if let Some(read) = outcome.first() {
        kinds.extend(read.reading.slips.iter().map(|slip| format!("slip:{}", slip.kind.as_str())));
        let placed = read.reading.placed.iter().filter(|placed| !matches!(placed.how, How::Own | How::Exact));
        kinds.extend(placed.map(|placed| format!("place:{}", placed.how.as_str())));
        kinds.extend(read.reading.mends.iter().map(|mend| format!("mend:{}", mend.as_str())));
    }
    if outcome.failure.is_some() {
        kinds.push("failed".to_owned());
    }
    if outcome.reads.len() > 1 {
        let answers: Vec<_> = outcome.reads.iter().flatten().map(|read| &read.reading.answer).collect();
        if answers.windows(2).any(|pair| pair[0] != pair[1]) {
            kinds.push("unstable".to_owned());
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
