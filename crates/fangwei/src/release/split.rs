//! Groups into splits, so that every class of items comes near its shares.
//!
//! A class is a task, a genre of a task, a label of a task, or both together; the release as a whole is one too. Let d be what a split should have of a
//! class and n what it has: the cost is the sum of (n − d)² / d, which a rare class feels as much as a common one. Largest groups choose first, each the split that
//! costs least; then single groups move, and pairs of groups change places, while that lowers the cost. Equal groups are told apart by the seed alone.

use crate::chance::Dice;

/// A group as the split sees it.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// How many items it has.
    pub size: usize,
    /// How many it has of each class, by number of class.
    pub classes: Vec<(usize, f64)>,
    /// The split that it must be in.
    pub fixed: Option<usize>,
}

/// So often all groups are looked at again; in practice a handful is enough.
const ROUNDS: usize = 30;
/// So many other groups are tried as partners of an exchange.
const PARTNERS: usize = 24;
/// A gain below this is rounding.
const GAIN: f64 = 1e-9;

struct Scale {
    /// What each split should have of each class.
    wanted: Vec<Vec<f64>>,
    /// What it has.
    held: Vec<Vec<f64>>,
}

impl Scale {
    /// What it costs to add `factor` times a load to a split.
    fn cost(&self, split: usize, load: &Load, factor: f64) -> f64 {
        let one = |(class, count): &(usize, f64)| {
            let (held, wanted) = (self.held[split][*class], self.wanted[split][*class]);
            let added = factor * count;
            added * (2.0 * (held - wanted) + added) / wanted
        };
        load.classes.iter().map(one).sum()
    }

    fn put(&mut self, split: usize, load: &Load, factor: f64) {
        for (class, count) in &load.classes {
            self.held[split][*class] += factor * count;
        }
    }

    /// The split that costs least; of equals the first.
    fn cheapest(&self, load: &Load) -> usize {
        let costs = (0..self.held.len()).map(|split| (split, self.cost(split, load, 1.0)));
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(split, _)| split)
    }
}

/// The split of each load. `parts` are the shares as parts of one, none of them 0.
pub fn assign(loads: &[Load], parts: &[f64], seed: u64) -> Vec<usize> {
    let classes = loads.iter().flat_map(|load| &load.classes).map(|(class, _)| class + 1).max().unwrap_or(0);
    let mut totals = vec![0.0; classes];
    for (class, count) in loads.iter().flat_map(|load| &load.classes) {
        totals[*class] += count;
    }
    let wanted = parts.iter().map(|part| totals.iter().map(|total| (part * total).max(f64::MIN_POSITIVE)).collect()).collect();
    let mut scale = Scale { wanted, held: vec![vec![0.0; classes]; parts.len()] };
    let mut split: Vec<usize> = loads.iter().map(|load| load.fixed.unwrap_or(0)).collect();
    for (load, split) in loads.iter().zip(&split).filter(|(load, _)| load.fixed.is_some()) {
        scale.put(*split, load, 1.0);
    }
    let mut dice = Dice::new(seed, 0);
    let mut free: Vec<usize> = (0..loads.len()).filter(|number| loads[*number].fixed.is_none()).collect();
    dice.shuffle(&mut free);
    free.sort_by_key(|number| std::cmp::Reverse(loads[*number].size));
    for number in &free {
        split[*number] = scale.cheapest(&loads[*number]);
        scale.put(split[*number], &loads[*number], 1.0);
    }
    for _ in 0..ROUNDS {
        if !improve(loads, &free, &mut split, &mut scale, &mut dice) {
            break;
        }
    }
    fill_empty(loads, &free, &mut split, &mut scale);
    split
}

/// Moves and exchanges groups where that lowers the cost; whether any did.
fn improve(loads: &[Load], free: &[usize], split: &mut [usize], scale: &mut Scale, dice: &mut Dice) -> bool {
    let mut moved = false;
    for number in free {
        let (load, from) = (&loads[*number], split[*number]);
        scale.put(from, load, -1.0);
        let to = scale.cheapest(load);
        let better = scale.cost(to, load, 1.0) < scale.cost(from, load, 1.0) - GAIN;
        split[*number] = if better { to } else { from };
        scale.put(split[*number], load, 1.0);
        moved |= better;
    }
    for number in free {
        for _ in 0..PARTNERS.min(free.len()) {
            let other = free[dice.below(free.len())];
            let (one, two) = (split[*number], split[other]);
            if one == two {
                continue;
            }
            let before = -scale.cost(one, &loads[*number], -1.0) - scale.cost(two, &loads[other], -1.0);
            scale.put(one, &loads[*number], -1.0);
            scale.put(two, &loads[other], -1.0);
            let after = scale.cost(two, &loads[*number], 1.0) + scale.cost(one, &loads[other], 1.0);
            let better = after < before - GAIN;
            let (one_to, two_to) = if better { (two, one) } else { (one, two) };
            scale.put(one_to, &loads[*number], 1.0);
            scale.put(two_to, &loads[other], 1.0);
            (split[*number], split[other]) = (one_to, two_to);
            moved |= better;
        }
    }
    moved
}

/// A split that the shares left empty gets the group that costs least, where another split can spare one.
fn fill_empty(loads: &[Load], free: &[usize], split: &mut [usize], scale: &mut Scale) {
    for empty in 0..scale.held.len() {
        if split.contains(&empty) {
            continue;
        }
        let spare = free.iter().filter(|number| split.iter().filter(|other| **other == split[**number]).count() > 1);
        let cost = |number: &usize| scale.cost(empty, &loads[*number], 1.0) + scale.cost(split[*number], &loads[*number], -1.0);
        if let Some(number) = spare.copied().min_by(|a, b| cost(a).total_cmp(&cost(b))) {
            scale.put(split[number], &loads[number], -1.0);
            scale.put(empty, &loads[number], 1.0);
            split[number] = empty;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(size: usize, classes: &[(usize, f64)]) -> Load {
        Load { size, classes: classes.to_vec(), fixed: None }
    }

    #[test]
    fn every_class_gets_its_share() {
        // 40 single items of class 1 and 20 of class 2, all of class 0: 7:1:2 is 28:4:8 and 14:2:4.
        let loads: Vec<Load> = (0..60).map(|number| load(1, &[(0, 1.0), (if number < 40 { 1 } else { 2 }, 1.0)])).collect();
        let split = assign(&loads, &[0.7, 0.1, 0.2], 5);
        let count = |range: std::ops::Range<usize>, which| split[range].iter().filter(|split| **split == which).count();
        assert_eq!([0, 1, 2].map(|which| count(0..40, which)), [28, 4, 8]);
        assert_eq!([0, 1, 2].map(|which| count(40..60, which)), [14, 2, 4]);
    }

    #[test]
    fn what_is_decided_stays_and_the_rest_makes_up_for_it() {
        // Two of four equal groups are in the first half already: the others go to the second.
        let mut loads = vec![load(1, &[(0, 1.0)]); 4];
        (loads[0].fixed, loads[1].fixed) = (Some(0), Some(0));
        assert_eq!(assign(&loads, &[0.5, 0.5], 1), [0, 0, 1, 1]);
    }

    #[test]
    fn no_split_is_empty_while_there_are_groups() {
        let loads = vec![load(1, &[(0, 1.0)]); 3];
        let mut split = assign(&loads, &[0.9, 0.05, 0.05], 1);
        split.sort_unstable();
        assert_eq!(split, [0, 1, 2]);
    }
}
