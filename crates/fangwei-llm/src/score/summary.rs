//! `summary.json`: scored M of N, what became of every reply, and the measures under both policies, with and without index repair.

use std::collections::BTreeMap;

use fangwei::ask::{How, Mend, PLACING, SlipKind, State};
use fangwei::score::Measures;
use fangwei::stats::Interval;
use fangwei::task::Mode;
use serde_json::{Value, json};

use super::tally::{Counts, Tally};
use super::{Consistency, Outcomes};
use crate::chat::Capabilities;
use crate::runner::Spent;

/// Measures under both policies.
#[derive(Clone, PartialEq, Debug)]
pub struct Policies {
    /// Items without an answer count as wrong: the score of the model.
    pub all: Measures,
    /// Items without an answer are left out: the score of what it did answer.
    pub scored: Measures,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The head of the record: task, model, prompt.
    pub head: Value,
    /// The path of the measure that ranks.
    pub ranking: &'static str,
    /// How it was scored.
    pub mode: Mode,
    /// Items that were asked about.
    pub items: u64,
    /// Items with an answer that can be scored.
    pub scored: u64,
    /// How many replies are in each state.
    pub states: Vec<(State, u64)>,
    /// Items without any reply.
    pub missing: u64,
    /// Items that gold lacks.
    pub without_gold: u64,
    /// With texts placed; `None` without gold.
    pub placed: Option<Policies>,
    /// With the indexes that the model gave itself.
    pub unplaced: Option<Policies>,
    /// The interval of the ranking measure, origins drawn together.
    pub interval: Option<Interval>,
    /// How texts were found.
    pub places: Vec<(How, u64)>,
    /// What had to be mended.
    pub mends: Vec<(Mend, u64)>,
    /// Slips in the answers, and by the same rules in gold.
    pub slips: Vec<(SlipKind, u64, Option<u64>)>,
    /// Repeats.
    pub consistency: Option<Consistency>,
    /// What was spent.
    pub spent: Spent,
    /// The mean time of a reply.
    pub seconds: f64,
    /// Parameters that the server did not take.
    pub left_out: Vec<String>,
    /// Lines of the folder that could not be read.
    pub unread: u64,
}

impl Summary {
    /// Sums up what was tallied.
    pub(super) fn tallied(run: &Outcomes, mode: Mode, tally: &Tally) -> Summary {
        let Outcomes { record, task, has_gold, .. } = run;
        let (task, has_gold) = (*task, *has_gold);
        let slip = |kind: &SlipKind| {
            let of = |counts: &Counts<SlipKind>| counts.get(kind).copied().unwrap_or(0);
            (*kind, of(&tally.slips), has_gold.then(|| of(&tally.gold_slips)))
        };
        let left_out = |known: Capabilities| known.left_out().into_iter().map(str::to_owned).collect();
        Summary {
            head: json!({
                "task": record.task, "model": record.model, "provider": record.provider,
                "prompt": { "name": record.prompt.name, "version": record.prompt.version, "shots": record.prompt.shots },
                "sampling": record.sampling, "version": env!("CARGO_PKG_VERSION"),
            }),
            ranking: task.scale().ranking,
            mode,
            items: tally.items,
            scored: tally.scored,
            states: all_of(State::ALL, &tally.states),
            missing: tally.items - tally.replies,
            without_gold: if has_gold { tally.without_gold } else { 0 },
            placed: has_gold.then(|| tally.placed()),
            unplaced: has_gold.then(|| tally.unplaced()),
            interval: if has_gold { tally.interval() } else { None },
            places: all_of(How::ALL, &tally.places),
            mends: all_of(Mend::ALL, &tally.mends),
            slips: SlipKind::ALL.iter().map(slip).collect(),
            consistency: tally.repeats.consistency(task, mode, has_gold),
            spent: run.spent,
            seconds: tally.seconds / tally.replies.max(1) as f64,
            left_out: run.folder.capabilities().map(left_out).unwrap_or_default(),
            unread: run.unread,
        }
    }

    /// How many replies are in a state.
    pub fn state(&self, state: State) -> u64 {
        self.states.iter().find(|(known, _)| *known == state).map_or(0, |(_, count)| *count)
    }

    /// As `summary.json` has it.
    pub fn to_json(&self) -> Value {
        let mut value = self.head.clone();
        value["mode"] = json!(self.mode);
        value["items"] = json!(self.items);
        value["scored"] = json!(self.scored);
        for (state, count) in &self.states {
            value[state.as_str()] = json!(count);
        }
        value["missing"] = json!(self.missing);
        value["ranking"] = json!(self.ranking);
        let both = |policies: &Option<Policies>| {
            policies.as_ref().map(|both| json!({ "measures": both.all, "measures_of_scored": both.scored }))
        };
        let of = |name: &str| both(&self.placed).map_or(Value::Null, |both| both[name].clone());
        value["measures"] = of("measures");
        value["measures_of_scored"] = of("measures_of_scored");
        if let Some(interval) = &self.interval {
            value["interval"] = json!(interval);
        }
        let places: BTreeMap<&str, u64> = self.places.iter().map(|(how, count)| (how.as_str(), *count)).collect();
        value["placing"] = json!({ "step": PLACING, "texts": places, "without": both(&self.unplaced) });
        value["mends"] = self
            .mends
            .iter()
            .map(|(mend, count)| (mend.as_str().to_owned(), json!(count)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let slip = |(kind, answers, gold): &(SlipKind, u64, Option<u64>)| {
            (kind.as_str().to_owned(), json!({ "answers": answers, "gold": gold }))
        };
        value["slips"] = self.slips.iter().map(slip).collect::<serde_json::Map<_, _>>().into();
        if let Some(consistency) = &self.consistency {
            value["repeats"] = json!(consistency);
        }
        value["spent"] = json!(self.spent);
        value["seconds"] = json!(self.seconds);
        if self.without_gold > 0 {
            value["without_gold"] = json!(self.without_gold);
        }
        if !self.left_out.is_empty() {
            value["left_out"] = json!(self.left_out);
        }
        if self.unread > 0 {
            value["unread_lines"] = json!(self.unread);
        }
        value
    }
}

/// The count of each kind, zero where none was found.
fn all_of<T: Copy + Ord, const N: usize>(all: [T; N], counts: &Counts<T>) -> Vec<(T, u64)> {
    all.into_iter().map(|one| (one, counts.get(&one).copied().unwrap_or(0))).collect()
}
