//! The order of items within a split: drawn by a seed, with siblings apart.

use std::collections::{BTreeSet, VecDeque};

use crate::chance::Dice;

/// Members in a drawn order in which no two of one group are neighbours, as far as that can be: a group of more than half of them has to have some.
pub fn apart(members: &[usize], group_of: impl Fn(usize) -> u32, dice: &mut Dice) -> Vec<usize> {
    let mut waiting: Vec<usize> = members.to_vec();
    dice.shuffle(&mut waiting);
    let mut waiting: VecDeque<usize> = waiting.into();
    let mut counts: rustc_hash::FxHashMap<u32, usize> = rustc_hash::FxHashMap::default();
    for member in &waiting {
        *counts.entry(group_of(*member)).or_default() += 1;
    }
    let mut sizes: BTreeSet<(usize, u32)> = counts.iter().map(|(group, count)| (*count, *group)).collect();
    let mut order: Vec<usize> = Vec::with_capacity(waiting.len());
    let mut last: Option<u32> = None;
    while !waiting.is_empty() {
        // A group that has more than half of the rest cannot wait any longer.
        let pressing = sizes.last().filter(|(count, _)| count * 2 > waiting.len()).map(|(_, group)| *group);
        let fits = |member: &usize| match pressing {
            Some(group) if last != Some(group) => group_of(*member) == group,
            _ => Some(group_of(*member)) != last,
        };
        let at = waiting.iter().position(fits).unwrap_or(0);
        let Some(member) = waiting.remove(at) else { break };
        let group = group_of(member);
        if let Some(count) = counts.get_mut(&group) {
            sizes.remove(&(*count, group));
            *count -= 1;
            sizes.insert((*count, group));
        }
        last = Some(group);
        order.push(member);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_stand_apart_where_they_can() {
        // Half and one of them are of one group: they fit on every second place only.
        let groups = [0, 0, 0, 0, 1, 2, 3];
        for seed in 0..50 {
            let order = apart(&[0, 1, 2, 3, 4, 5, 6], |member| groups[member], &mut Dice::new(seed, 1));
            let found: Vec<u32> = order.iter().map(|member| groups[*member]).collect();
            assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "{found:?}");
        }
        // Three of four: two have to be neighbours, and nothing is lost.
        let mut order = apart(&[0, 1, 2, 3], |member| u32::from(member == 3), &mut Dice::new(1, 1));
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
    }

    #[test]
    fn the_order_follows_the_seed() {
        let order = |seed| apart(&(0..20).collect::<Vec<_>>(), |member| member as u32, &mut Dice::new(seed, 1));
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }
}
