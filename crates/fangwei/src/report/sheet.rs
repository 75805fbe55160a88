//! The items of a task with what everybody who took it answered and earned: systems, models and people alike.

use crate::answer::Answer;
use crate::human::{Held, Subject};
use crate::origin::{Grouping, MissingGroup};
use crate::rank::Kind;
use crate::score::{Predictions, Scored, score_items};
use crate::stats::Groups;
use crate::task::{Item, Mode, Task};

/// Somebody who took a task.
#[derive(Debug)]
pub struct Taker {
    /// Who.
    pub name: String,
    /// A team, a baseline, a language model, or a person.
    pub kind: Kind,
    /// What they answered.
    pub preds: Predictions,
}

impl Taker {
    /// The people of a study whose answers count.
    pub fn of_study(held: &Held) -> Vec<Taker> {
        let person = |subject: &&Subject| {
            let mut preds = Predictions::default();
            for (item, answer) in held.items.iter().zip(&subject.answers) {
                if let Some(answer) = answer {
                    preds.order.push(item.qid.clone());
                    preds.answers.insert(item.qid.clone(), answer.clone());
                }
            }
            Taker { name: subject.name.to_string(), kind: Kind::Human, preds }
        };
        held.valid().iter().map(person).collect()
    }
}

/// Items and takers.
#[derive(Debug)]
pub struct Sheet {
    /// The task.
    pub task: &'static dyn Task,
    /// How it is scored.
    pub mode: Mode,
    /// The items with their gold.
    pub items: Vec<Item>,
    /// Which items belong together when they are resampled.
    pub groups: Groups,
    /// Who took it, in the order given.
    pub takers: Vec<Taker>,
    /// Whose answers a study does not count, and by which rule.
    pub excluded: Vec<(String, String)>,
    /// What each earned, in the order of takers.
    pub scored: Vec<Scored<()>>,
}

impl Sheet {
    /// Scores everybody on all items.
    pub fn new(
        task: &'static dyn Task,
        mode: Mode,
        items: Vec<Item>,
        takers: Vec<Taker>,
        grouping: &Grouping,
    ) -> Result<Sheet, MissingGroup> {
        let keys: Vec<_> = items.iter().map(|item| grouping.key(item)).collect();
        let groups = grouping.groups(&keys)?;
        let answers = |taker: &Taker| {
            score_items(task, mode, &items, &items.iter().map(|item| taker.preds.answers.get(&item.qid)).collect::<Vec<_>>())
        };
        let scored = takers.iter().map(answers).collect();
        Ok(Sheet { task, mode, items, groups, takers, excluded: Vec::new(), scored })
    }

    /// The numbers of the systems: everybody but people.
    pub fn machines(&self) -> Vec<usize> {
        (0..self.takers.len()).filter(|taker| self.takers[*taker].kind != Kind::Human).collect()
    }

    /// The numbers of the people.
    pub fn people(&self) -> Vec<usize> {
        (0..self.takers.len()).filter(|taker| self.takers[*taker].kind == Kind::Human).collect()
    }

    /// The items that people were given: those that at least one of them answered. A study takes a part of a set.
    pub fn studied(&self) -> Vec<usize> {
        let people = self.people();
        (0..self.items.len()).filter(|item| people.iter().any(|taker| self.scored[*taker].answered[*item])).collect()
    }

    /// What a taker answered to an item.
    pub fn answer(&self, taker: usize, item: usize) -> Option<&Answer> {
        self.takers[taker].preds.answers.get(&self.items[item].qid)
    }

    /// What a taker earned on an item, as the ranking measure counts it.
    pub fn earned(&self, taker: usize, item: usize) -> f64 {
        self.scored[taker].row(item)[self.task.scale().item]
    }

    /// The ranking measure of a taker over some items.
    pub fn score_on(&self, taker: usize, items: impl IntoIterator<Item = usize>) -> f64 {
        let total = self.scored[taker].total_of(items);
        self.task.measures(self.mode, &total).get(self.task.scale().ranking).unwrap_or(0.0)
    }
}
