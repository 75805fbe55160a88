//! `summary.json`: scored M of N, what became of every reply, and the measures under both policies, with and without index repair.

use std::collections::BTreeMap;

use fangwei::answer::Answer;
use fangwei::ask::{self, How, Mend, PLACING, Reply, SlipKind, State};
use fangwei::compare::measure_at;
use fangwei::origin::Grouping;
use fangwei::score::{Measures, Total};
use fangwei::stats::{Interval, Resampling, Rows, bootstrap};
use fangwei::task::{Item, Mode};
use serde_json::{Value, json};

use super::{Consistency, Outcome, Read, Run};
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

type Pairs<'r> = Vec<(&'r Item, Option<&'r Answer>)>;

impl Summary {
    /// Sums up a run.
    pub fn of(run: &Run, mode: Mode) -> Summary {
        let firsts: Vec<&Read> = run.outcomes.iter().filter_map(Outcome::first).collect();
        let count_state = |state: State| firsts.iter().filter(|read| read.reading.state == state).count() as u64;
        let slips_of = |slips: &[ask::Slip], kind: SlipKind| slips.iter().filter(|slip| slip.kind == kind).count() as u64;
        let gold_slips = run.has_gold.then(|| gold_slips(run));
        let scored: &dyn Fn(bool) -> Option<Policies> = &|placed| run.has_gold.then(|| policies(run, mode, placed));
        let seconds = firsts.iter().map(|read| read.seconds).sum::<f64>() / firsts.len().max(1) as f64;
        let record = &run.record;
        Summary {
            head: json!({
                "task": record.task, "model": record.model, "provider": record.provider,
                "prompt": { "name": record.prompt.name, "version": record.prompt.version, "shots": record.prompt.shots },
                "sampling": record.sampling, "version": env!("CARGO_PKG_VERSION"),
            }),
            ranking: run.task.scale().ranking,
            mode,
            items: run.outcomes.len() as u64,
            scored: run.outcomes.iter().filter(|outcome| outcome.answer().is_some()).count() as u64,
            states: State::ALL.map(|state| (state, count_state(state))).to_vec(),
            missing: (run.outcomes.len() - firsts.len()) as u64,
            without_gold: run.outcomes.iter().filter(|outcome| run.has_gold && outcome.item.gold.is_none()).count() as u64,
            placed: scored(true),
            unplaced: scored(false),
            interval: run.has_gold.then(|| interval(run, mode)).flatten(),
            places: counted(How::ALL, firsts.iter().flat_map(|read| read.reading.placed.iter().map(|placed| placed.how))),
            mends: counted(Mend::ALL, firsts.iter().flat_map(|read| read.reading.mends.iter().copied())),
            slips: SlipKind::ALL
                .iter()
                .map(|kind| {
                    let answers = firsts.iter().map(|read| slips_of(&read.reading.slips, *kind)).sum();
                    (*kind, answers, gold_slips.as_ref().map(|gold| slips_of(gold, *kind)))
                })
                .collect(),
            consistency: Consistency::of(run, mode),
            spent: run.spent,
            seconds,
            left_out: run
                .folder
                .capabilities()
                .map(|known| known.left_out().into_iter().map(str::to_owned).collect())
                .unwrap_or_default(),
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

fn counted<T: Copy + Ord, const N: usize>(all: [T; N], found: impl Iterator<Item = T>) -> Vec<(T, u64)> {
    let mut counts: BTreeMap<T, u64> = BTreeMap::new();
    found.for_each(|one| *counts.entry(one).or_default() += 1);
    all.into_iter().map(|one| (one, counts.get(&one).copied().unwrap_or(0))).collect()
}

fn answer_of(outcome: &Outcome, placed: bool) -> Option<&Answer> {
    let read = outcome.first()?;
    if placed { read.reading.answer.as_ref() } else { read.reading.unplaced.as_ref() }
}

/// The items that can be scored, with the answers of a variant.
fn pairs(run: &Run, placed: bool) -> Pairs<'_> {
    let with_gold = run.outcomes.iter().filter(|outcome| outcome.item.gold.is_some());
    with_gold.map(|outcome| (&outcome.item, answer_of(outcome, placed))).collect()
}

fn policies(run: &Run, mode: Mode, placed: bool) -> Policies {
    let measures = |pairs: &Pairs<'_>| run.task.measures(mode, &fangwei::score::score_answers(run.task, mode, pairs));
    let all = pairs(run, placed);
    let scored: Pairs<'_> = all.iter().filter(|(_, answer)| answer.is_some()).copied().collect();
    Policies { all: measures(&all), scored: measures(&scored) }
}

/// The slips that the same rules find in gold: what is left of zero.
fn gold_slips(run: &Run) -> Vec<ask::Slip> {
    let gold = run.outcomes.iter().filter(|outcome| outcome.item.gold.is_some());
    gold.flat_map(|outcome| {
        let written = ask::write_reply(run.task, Reply::Official, &outcome.item);
        ask::read(run.task, &outcome.item, &written, Some("stop")).slips
    })
    .collect()
}

/// The 95% interval of the ranking measure; whole origins are drawn, because siblings stand or fall together.
fn interval(run: &Run, mode: Mode) -> Option<Interval> {
    let pairs = pairs(run, true);
    let width = run.task.scale().columns.len();
    let (mut rows, mut total) = (Rows::new(width), Total::new(width));
    for (item, answer) in &pairs {
        let mut row = vec![0.0; width];
        run.task.score(mode.rules(), item, *answer, &mut row);
        rows.push(&row).ok()?;
        total.add(answer.is_some(), &row);
    }
    let keys: Vec<_> = pairs.iter().map(|(item, _)| Grouping::Auto.key(item)).collect();
    let groups = Grouping::Auto.groups(&keys).ok()?;
    bootstrap(&rows, &groups, &measure_at(run.task, mode, run.task.scale().ranking), &Resampling::default()).ok()
}
