//! Which roles a system takes for which.
//!
//! Within answers or tuples that the scorer matched, a gold fragment is held against the predicted fragment that shares most characters with it, whatever its role.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::report::sheet::Sheet;
use crate::score::{Alignment, Pair};
use crate::text::IdxSet;

/// Gold roles by predicted roles.
#[derive(Clone, Debug, Serialize)]
pub struct Confusion {
    /// The system.
    pub system: String,
    /// The roles, in the order in which gold has them first; rows are gold.
    pub roles: Vec<String>,
    /// How often a gold role was found as each role.
    pub counts: Vec<Vec<u64>>,
    /// How often nothing was found in the place of a gold role.
    pub missed: Vec<u64>,
    /// How often a role was said where gold has nothing.
    pub extra: Vec<u64>,
}

type Counts = BTreeMap<(Option<String>, Option<String>), u64>;

impl Confusion {
    /// Of one taker; `None` where answers have no fragments in roles.
    pub fn of(sheet: &Sheet, taker: usize) -> Option<Confusion> {
        let counted: Vec<Counts> = (0..sheet.items.len())
            .into_par_iter()
            .filter_map(|item| {
                let pred = sheet.answer(taker, item)?;
                Some(count(&sheet.task.align(sheet.mode.rules(), &sheet.items[item], Some(pred))))
            })
            .collect();
        let mut counts: Counts = BTreeMap::new();
        for (pair, count) in counted.into_iter().flatten() {
            *counts.entry(pair).or_default() += count;
        }
        let gold = sheet.items.iter().flat_map(|item| sheet.task.align(sheet.mode.rules(), item, item.gold.as_ref()).pairs);
        let mut roles: Vec<String> = Vec::new();
        for row in gold.flat_map(|pair| pair.rows) {
            if !roles.contains(&row.role) {
                roles.push(row.role);
            }
        }
        roles.extend(said_only(&counts, &roles));
        let get =
            |gold: Option<&String>, pred: Option<&String>| counts.get(&(gold.cloned(), pred.cloned())).copied().unwrap_or(0);
        let found = counts.iter().any(|((gold, pred), _)| gold.is_some() && pred.is_some());
        found.then(|| Confusion {
            system: sheet.takers[taker].name.clone(),
            counts: roles.iter().map(|gold| roles.iter().map(|pred| get(Some(gold), Some(pred))).collect()).collect(),
            missed: roles.iter().map(|gold| get(Some(gold), None)).collect(),
            extra: roles.iter().map(|pred| get(None, Some(pred))).collect(),
            roles,
        })
    }
}

/// Roles that only predictions have.
fn said_only(counts: &Counts, known: &[String]) -> Vec<String> {
    let mut roles: Vec<String> =
        counts.keys().filter_map(|(_, pred)| pred.clone()).filter(|role| !known.contains(role)).collect();
    roles.dedup();
    roles.sort();
    roles.dedup();
    roles
}

fn count(alignment: &Alignment) -> Counts {
    let mut counts = Counts::new();
    // Leftovers of either side are no confusion of roles: the scorer matched them with nothing.
    for pair in alignment.pairs.iter().filter(|pair| pair.gold.is_some() && pair.pred.is_some()) {
        confuse(pair, &mut counts);
    }
    counts
}

fn confuse(pair: &Pair, counts: &mut Counts) {
    let places = |gold: bool| -> Vec<(&String, IdxSet)> {
        let side = |row: &'_ crate::score::RoleRow| if gold { row.gold.clone() } else { row.pred.clone() };
        pair.rows
            .iter()
            .filter_map(|row| Some((&row.role, side(row)?.span.to_set())))
            .filter(|(_, set)| !set.is_empty())
            .collect()
    };
    let (golds, preds) = (places(true), places(false));
    let mut taken = vec![false; preds.len()];
    for (role, place) in &golds {
        // Its own role first among equals, so that two roles on one text are not taken for each other.
        let best = preds
            .iter()
            .enumerate()
            .map(|(at, (other, there))| (place.overlap(there), other == role, at))
            .filter(|(shared, ..)| *shared > 0)
            .max_by_key(|(shared, same, at)| (*shared, *same, std::cmp::Reverse(*at)));
        let found = best.map(|(_, _, at)| {
            taken[at] = true;
            preds[at].0.clone()
        });
        *counts.entry((Some((*role).clone()), found)).or_default() += 1;
    }
    for ((role, _), taken) in preds.iter().zip(taken) {
        if !taken {
            *counts.entry((None, Some((*role).clone()))).or_default() += 1;
        }
    }
}
