//! What is counted of a run, item by item, so that no more than one of them is in memory.

use std::collections::BTreeMap;

use fangwei::answer::Answer;
use fangwei::ask::{self, How, Mend, Reply, SlipKind, State};
use fangwei::compare::measure_at;
use fangwei::origin::{Grouping, Key};
use fangwei::score::Total;
use fangwei::stats::{Interval, Resampling, Rows, bootstrap};
use fangwei::task::{Mode, Task};

use super::consistency::Repeats;
use super::{Outcome, Policies};

/// Counts of kinds.
pub(super) type Counts<T> = BTreeMap<T, u64>;

/// The sums of a run so far.
pub(super) struct Tally {
    task: &'static dyn Task,
    mode: Mode,
    pub items: u64,
    pub scored: u64,
    pub replies: u64,
    pub without_gold: u64,
    pub seconds: f64,
    pub states: Counts<State>,
    pub places: Counts<How>,
    pub mends: Counts<Mend>,
    pub slips: Counts<SlipKind>,
    pub gold_slips: Counts<SlipKind>,
    pub repeats: Repeats,
    placed: Sums,
    unplaced: Sums,
    rows: Rows,
    groups: Vec<Key>,
}

impl Tally {
    pub(super) fn new(task: &'static dyn Task, mode: Mode) -> Tally {
        let width = task.scale().columns.len();
        Tally {
            task,
            mode,
            items: 0,
            scored: 0,
            replies: 0,
            without_gold: 0,
            seconds: 0.0,
            states: Counts::new(),
            places: Counts::new(),
            mends: Counts::new(),
            slips: Counts::new(),
            gold_slips: Counts::new(),
            repeats: Repeats::new(width),
            placed: Sums::new(width),
            unplaced: Sums::new(width),
            rows: Rows::new(width),
            groups: Vec::new(),
        }
    }

    /// Adds an item.
    pub(super) fn add(&mut self, outcome: &Outcome) {
        self.items += 1;
        self.scored += u64::from(outcome.answer().is_some());
        if let Some(read) = outcome.first() {
            let reading = &read.reading;
            self.replies += 1;
            self.seconds += read.seconds;
            count(&mut self.states, [reading.state]);
            count(&mut self.places, reading.placed.iter().map(|placed| placed.how));
            count(&mut self.mends, reading.mends.iter().copied());
            count(&mut self.slips, reading.slips.iter().map(|slip| slip.kind));
        }
        let row = |answer: Option<&Answer>| {
            let mut row = vec![0.0; self.task.scale().columns.len()];
            self.task.score(self.mode.rules(), &outcome.item, answer, &mut row);
            row
        };
        self.repeats.add(outcome, row);
        if outcome.item.gold.is_none() {
            self.without_gold += 1;
            return;
        }
        // The slips that the same rules find in gold: what is left of zero.
        let written = ask::write_reply(self.task, Reply::Official, &outcome.item);
        let gold = ask::read(self.task, &outcome.item, &written, Some("stop")).slips;
        count(&mut self.gold_slips, gold.into_iter().map(|slip| slip.kind));
        let unplaced = outcome.first().and_then(|read| read.reading.unplaced.as_ref());
        self.unplaced.add(unplaced.is_some(), &row(unplaced));
        let row = row(outcome.answer());
        self.placed.add(outcome.answer().is_some(), &row);
        // A row of numbers that are none is left out, and then there is no interval.
        if self.rows.push(&row).is_ok() {
            self.groups.push(Grouping::Auto.key(&outcome.item));
        }
    }

    pub(super) fn placed(&self) -> Policies {
        self.placed.policies(self.task, self.mode)
    }

    pub(super) fn unplaced(&self) -> Policies {
        self.unplaced.policies(self.task, self.mode)
    }

    /// The 95% interval of the ranking measure; whole origins are drawn, because siblings stand or fall together.
    pub(super) fn interval(&self) -> Option<Interval> {
        if self.rows.len() as u64 != self.placed.all.items {
            return None;
        }
        let groups = Grouping::Auto.groups(&self.groups).ok()?;
        let measure = measure_at(self.task, self.mode, self.task.scale().ranking);
        bootstrap(&self.rows, &groups, &measure, &Resampling::default()).ok()
    }
}

/// Sums over all items with gold, and over those with an answer.
struct Sums {
    all: Total,
    scored: Total,
}

impl Sums {
    fn new(width: usize) -> Sums {
        Sums { all: Total::new(width), scored: Total::new(width) }
    }

    fn add(&mut self, answered: bool, row: &[f64]) {
        self.all.add(answered, row);
        if answered {
            self.scored.add(true, row);
        }
    }

    fn policies(&self, task: &dyn Task, mode: Mode) -> Policies {
        Policies { all: task.measures(mode, &self.all), scored: task.measures(mode, &self.scored) }
    }
}

fn count<T: Ord>(counts: &mut Counts<T>, found: impl IntoIterator<Item = T>) {
    for one in found {
        *counts.entry(one).or_default() += 1;
    }
}
