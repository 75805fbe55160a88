//! Which items: strata by genre and label, shares in whole numbers by largest remainders, at most one item an origin, everything from one seed.
//!
//! An origin has siblings in several strata and can serve only one of them. Where a stratum finds no free origin, one is passed on along the shortest chain of strata
//! that ends at a free one, so that a quota stays short only if it must. What is short is told and made up from other strata.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use crate::agree::label;
use crate::chance::Dice;
use crate::score::Facet;
use crate::select::apportion;
use crate::stats::Groups;
use crate::task::{Item, Task};

/// What stands for a class that an item does not have.
pub const NO_CLASS: &str = "—";

/// A way of sorting items into strata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct By {
    name: String,
    /// `None` is the label of the answer.
    facet: Option<Facet>,
}

impl By {
    /// `label`, a facet of the task, or a field of the record.
    pub fn parse(name: &str, task: &dyn Task) -> By {
        By { name: name.to_owned(), facet: (name != "label").then(|| Facet::parse(name, task)) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The class of an item: classes of several are one, joined.
    pub fn class(&self, task: &dyn Task, item: &Item) -> Option<String> {
        match &self.facet {
            None => label(item.gold.as_ref()?)?.map(|label| label.to_string()),
            Some(facet) => Some(facet.classes(task, item).join("+")).filter(|class| !class.is_empty()),
        }
    }
}

/// How items are drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The task.
    pub task: &'static dyn Task,
    /// The strata are the combinations of these classes.
    pub by: Vec<By>,
    /// Which of them gets equal numbers, whatever its shares.
    pub equal: Option<usize>,
    /// Whether an origin may give several items.
    pub siblings: bool,
    /// How many items.
    pub items: usize,
    /// The seed.
    pub seed: u64,
}

/// A stratum: how many there are, were wanted, and were drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Stratum {
    /// Its classes, in the order of `by`.
    pub classes: Vec<String>,
    /// Items in the set.
    pub population: u64,
    /// Origins in the set that have such an item.
    pub origins: u64,
    /// So many were wanted.
    pub wanted: u64,
    /// So many could be had by the quota.
    pub by_quota: u64,
    /// So many were drawn, with what makes up for others.
    pub drawn: u64,
}

/// What was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The items by number, in the order in which they are shown.
    pub items: Vec<usize>,
    /// The strata.
    pub strata: Vec<Stratum>,
}

/// What each stratum holds: for every origin its items there.
type Members = BTreeMap<usize, Vec<usize>>;

/// Draws items.
pub fn draw(draw: &Draw, items: &[Item], groups: &Groups) -> Drawn {
    let class = |by: &By, item: &Item| by.class(draw.task, item).unwrap_or_else(|| NO_CLASS.to_owned());
    let keys: Vec<Vec<String>> = items.iter().map(|item| draw.by.iter().map(|by| class(by, item)).collect()).collect();
    let names: Vec<Vec<String>> = keys.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let numbers: BTreeMap<&Vec<String>, usize> = names.iter().enumerate().map(|(number, name)| (name, number)).collect();
    let mut members: Vec<Members> = vec![Members::new(); names.len()];
    let mut origins: Vec<Members> = vec![Members::new(); names.len()];
    for (item, key) in keys.iter().enumerate() {
        let origin = groups.of()[item] as usize;
        let stratum = numbers[key];
        origins[stratum].entry(origin).or_default().push(item);
        members[stratum].entry(if draw.siblings { item } else { origin }).or_default().push(item);
    }
    let population: Vec<u64> = members.iter().map(|stratum| stratum.values().map(|items| items.len() as u64).sum()).collect();
    let wanted = quotas(draw, &names, &population);
    let mut dice = Dice::new(draw.seed, 0);
    let mut table = Table::new(&members, &mut dice);
    let by_quota: Vec<u64> = wanted
        .iter()
        .enumerate()
        .map(|(stratum, wanted)| (0..*wanted).take_while(|_| table.give(stratum)).count() as u64)
        .collect();
    table.fill(draw, &names, &by_quota, &wanted);
    let mut drawn = vec![0; names.len()];
    let mut chosen = Vec::new();
    for (unit, stratum) in table.owner.iter().enumerate() {
        if let Some(of_unit) = stratum.and_then(|stratum| members[stratum].get(&unit)) {
            chosen.push(of_unit[dice.below(of_unit.len())]);
            drawn[stratum.unwrap_or_default()] += 1;
        }
    }
    dice.shuffle(&mut chosen);
    let stratum = |(number, classes): (usize, Vec<String>)| Stratum {
        classes,
        population: population[number],
        origins: origins[number].len() as u64,
        wanted: wanted[number],
        by_quota: by_quota[number],
        drawn: drawn[number],
    };
    Drawn { items: chosen, strata: names.into_iter().enumerate().map(stratum).collect() }
}

/// How many of each stratum: by share, or equal for the classes of one facet and by the share of the other classes within each.
fn quotas(draw: &Draw, names: &[Vec<String>], population: &[u64]) -> Vec<u64> {
    let total = (draw.items as u64).min(population.iter().sum());
    let parts: Vec<f64> = population.iter().map(|count| *count as f64).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let Some(equal) = draw.equal else { return apportion(total, &parts) };
    let classes: Vec<&String> = names.iter().map(|name| &name[equal]).collect::<BTreeSet<_>>().into_iter().collect();
    let of_class = apportion(total, &vec![1.0; classes.len()]);
    let rest = |name: &[String]| {
        let mut rest = name.to_vec();
        rest.remove(equal);
        rest
    };
    // The other classes have the share that they have in the whole set: so the genres of normal and abnormal items are the same.
    let mut shares: BTreeMap<Vec<String>, f64> = BTreeMap::new();
    for (name, part) in names.iter().zip(&parts) {
        *shares.entry(rest(name)).or_default() += part;
    }
    let mut quotas = vec![0; names.len()];
    for (class, total) in classes.iter().zip(of_class) {
        let own: Vec<usize> = (0..names.len()).filter(|number| names[*number][equal] == **class).collect();
        let parts: Vec<f64> = own.iter().map(|number| shares[&rest(&names[*number])]).collect();
        for (number, quota) in own.iter().zip(apportion(total, &parts)) {
            quotas[*number] = quota;
        }
    }
    quotas
}

/// Who owns what: units (origins, or items where siblings are allowed) and the strata that they may serve.
struct Table {
    /// The units of each stratum, in an order of chance.
    units: Vec<Vec<usize>>,
    /// The stratum that each unit serves.
    owner: Vec<Option<usize>>,
}

impl Table {
    fn new(members: &[Members], dice: &mut Dice) -> Table {
        let size = members.iter().flat_map(BTreeMap::keys).max().map_or(0, |last| last + 1);
        let units = members.iter().map(|stratum| {
            let mut own: Vec<usize> = stratum.keys().copied().collect();
            dice.shuffle(&mut own);
            own
        });
        Table { units: units.collect(), owner: vec![None; size] }
    }

    /// Gives a stratum one more unit, passing others on where that frees one. False where there is none.
    fn give(&mut self, stratum: usize) -> bool {
        // Breadth first: `way` tells by which unit a stratum was reached, and from which stratum.
        let mut way: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        let mut waiting = VecDeque::from([stratum]);
        let mut seen = BTreeSet::from([stratum]);
        while let Some(at) = waiting.pop_front() {
            if let Some(free) = self.units[at].iter().find(|unit| self.owner[**unit].is_none()) {
                let (mut unit, mut at) = (*free, at);
                loop {
                    self.owner[unit] = Some(at);
                    let Some((passed, before)) = way.get(&at) else { return true };
                    (unit, at) = (*passed, *before);
                }
            }
            for unit in &self.units[at] {
                if let Some(owner) = self.owner[*unit].filter(|owner| seen.insert(*owner)) {
                    way.insert(owner, (*unit, at));
                    waiting.push_back(owner);
                }
            }
        }
        false
    }

    /// Makes up for what is short: from strata of the same equal class first, then from any, a round at a time so that none gives all.
    fn fill(&mut self, draw: &Draw, names: &[Vec<String>], by_quota: &[u64], wanted: &[u64]) {
        let missing = |number: usize| wanted[number].saturating_sub(by_quota[number]);
        let mut left: u64 = 0;
        for number in 0..names.len() {
            let kin = |other: &usize| draw.equal.is_none_or(|equal| names[*other][equal] == names[number][equal]);
            let kin: Vec<usize> = (0..names.len()).filter(kin).collect();
            left += self.spread(&kin, missing(number));
        }
        let all: Vec<usize> = (0..names.len()).collect();
        self.spread(&all, left);
    }

    /// Gives so many units to these strata in turn, the largest first; how many could not be given.
    fn spread(&mut self, strata: &[usize], mut missing: u64) -> u64 {
        let mut order = strata.to_vec();
        order.sort_by_key(|stratum| std::cmp::Reverse(self.units[*stratum].len()));
        while missing > 0 && !order.is_empty() {
            order.retain(|stratum| {
                if missing == 0 {
                    return true;
                }
                let given = self.give(*stratum);
                missing -= u64::from(given);
                given
            });
        }
        missing
    }
}

#[cfg(test)]
mod tests;
