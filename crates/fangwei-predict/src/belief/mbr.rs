//! Minimum Bayes risk: the answers that earn most on average over what may be right, rather than the likeliest ones.
//!
//! A possible answer is a set of marks (a character in a role). Two sets earn the F1 of their marks, which is what the scripts of 2022 and 2023
//! count. Of up to three answers only the best counts, so they are chosen together: greedily, then each is exchanged and mended while that helps.

use rustc_hash::FxHashMap;

/// A character in a role, as one number.
pub type Mark = u32;

/// A possible answer and its weight.
pub type Weighted = (Vec<Mark>, f64);

/// Possible answers beyond these are left out, the lightest first.
const MOST: usize = 320;
/// Answers that are tried as they are.
const MOST_TRIED: usize = 160;
/// Rounds of exchanging and mending.
const ROUNDS: usize = 3;
/// A gain below this is none.
const GAIN: f64 = 1e-9;

/// Possible answers as sets of bits.
struct Sets {
    words: usize,
    bits: Vec<u64>,
    sizes: Vec<u32>,
    weights: Vec<f64>,
    marks: Vec<Mark>,
}

impl Sets {
    fn new(possible: &[Weighted]) -> Sets {
        let mut merged: FxHashMap<Vec<Mark>, f64> = FxHashMap::default();
        for (marks, weight) in possible.iter().filter(|(marks, weight)| !marks.is_empty() && *weight > 0.0) {
            let mut marks = marks.clone();
            marks.sort_unstable();
            marks.dedup();
            *merged.entry(marks).or_default() += weight;
        }
        let mut merged: Vec<(Vec<Mark>, f64)> = merged.into_iter().collect();
        merged.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        merged.truncate(MOST);
        let mut marks: Vec<Mark> = merged.iter().flat_map(|(marks, _)| marks.iter().copied()).collect();
        marks.sort_unstable();
        marks.dedup();
        let words = marks.len().div_ceil(64).max(1);
        let mut bits = vec![0; words * merged.len()];
        for (at, (own, _)) in merged.iter().enumerate() {
            for mark in own {
                let number = marks.partition_point(|there| there < mark);
                bits[at * words + number / 64] |= 1 << (number % 64);
            }
        }
        let total: f64 = merged.iter().map(|(_, weight)| weight).sum();
        Sets {
            words,
            bits,
            sizes: merged.iter().map(|(own, _)| own.len() as u32).collect(),
            weights: merged.iter().map(|(_, weight)| weight / total).collect(),
            marks,
        }
    }

    fn len(&self) -> usize {
        self.weights.len()
    }

    fn set(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    fn hits(&self, chosen: &[u64], at: usize) -> u32 {
        chosen.iter().zip(self.set(at)).map(|(a, b)| (a & b).count_ones()).sum()
    }

    /// Marks that stand together in every set or in none: what a mended answer may gain or lose.
    fn atoms(&self) -> Vec<Vec<usize>> {
        let mut by_column: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for number in 0..self.marks.len() {
            let mut column = 0_u64;
            for at in 0..self.len() {
                let bit = self.set(at)[number / 64] >> (number % 64) & 1;
                column = (column.rotate_left(5) ^ (bit + 2 * at as u64 * bit + 1)).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
            by_column.entry(column).or_default().push(number);
        }
        let mut atoms: Vec<Vec<usize>> = by_column.into_values().collect();
        atoms.sort_unstable();
        atoms
    }

    fn marks_of(&self, chosen: &[u64]) -> Vec<Mark> {
        (0..self.marks.len())
            .filter(|number| chosen[number / 64] >> (number % 64) & 1 == 1)
            .map(|number| self.marks[number])
            .collect()
    }
}

fn f1(hits: u32, sizes: u32) -> f64 {
    if sizes == 0 { 0.0 } else { 2.0 * f64::from(hits) / f64::from(sizes) }
}

/// Up to `most` answers with the greatest expected best F1, the one that earns most alone first. `sound` tells whether marks may stand
/// together in one answer. Also how much they are expected to earn together.
pub fn choose(possible: &[Weighted], most: usize, sound: &dyn Fn(&[Mark]) -> bool) -> (Vec<Vec<Mark>>, f64) {
    let sets = Sets::new(possible);
    if sets.len() == 0 {
        return (Vec::new(), 0.0);
    }
    let tried = sets.len().min(MOST_TRIED);
    let gains: Vec<Vec<f64>> = (0..tried)
        .map(|at| {
            let set = sets.set(at).to_vec();
            (0..sets.len()).map(|target| f1(sets.hits(&set, target), sets.sizes[at] + sets.sizes[target])).collect()
        })
        .collect();
    let worth = |others: &[f64], own: &[f64]| -> f64 {
        sets.weights.iter().zip(others).zip(own).map(|((weight, other), own)| weight * own.max(*other)).sum()
    };
    let mut chosen: Vec<Vec<u64>> = Vec::new();
    let mut earned: Vec<Vec<f64>> = Vec::new();
    let mut expected = 0.0;
    let others_of = |earned: &[Vec<f64>], but: usize| -> Vec<f64> {
        let others = earned.iter().enumerate().filter(|(slot, _)| *slot != but);
        others.fold(vec![0.0; sets.len()], |mut best, (_, own)| {
            best.iter_mut().zip(own).for_each(|(best, own)| *best = best.max(*own));
            best
        })
    };
    let atoms = sets.atoms();
    for _ in 0..most {
        let others = others_of(&earned, usize::MAX);
        let mut best: Option<(usize, f64)> = None;
        for (at, own) in gains.iter().enumerate() {
            let worth = worth(&others, own);
            if worth > best.map_or(expected + GAIN, |(_, worth)| worth + GAIN) && sound(&sets.marks_of(sets.set(at))) {
                best = Some((at, worth));
            }
        }
        let Some((at, worth)) = best else { break };
        chosen.push(sets.set(at).to_vec());
        earned.push(gains[at].clone());
        expected = worth;
    }
    for _ in 0..ROUNDS {
        let before = expected;
        for slot in 0..chosen.len() {
            let others = others_of(&earned, slot);
            for (at, own) in gains.iter().enumerate() {
                let worth = worth(&others, own);
                if worth > expected + GAIN && sound(&sets.marks_of(sets.set(at))) {
                    (chosen[slot], earned[slot], expected) = (sets.set(at).to_vec(), own.clone(), worth);
                }
            }
            mend(&sets, &atoms, &others, &mut chosen[slot], &mut earned[slot], &mut expected, sound);
        }
        if expected <= before + GAIN {
            break;
        }
    }
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    let alone = |slot: usize| -> f64 { sets.weights.iter().zip(&earned[slot]).map(|(weight, own)| weight * own).sum() };
    order.sort_by(|a, b| alone(*b).total_cmp(&alone(*a)));
    (order.into_iter().map(|slot| sets.marks_of(&chosen[slot])).collect(), expected)
}

/// What each possible answer is expected to earn alone, in the order given.
pub fn agreement(possible: &[Weighted]) -> Vec<f64> {
    let mut marks: Vec<Mark> = possible.iter().flat_map(|(own, _)| own.iter().copied()).collect();
    marks.sort_unstable();
    marks.dedup();
    let words = marks.len().div_ceil(64).max(1);
    let mut bits = vec![0_u64; words * possible.len()];
    for (at, (own, _)) in possible.iter().enumerate() {
        for mark in own {
            let number = marks.partition_point(|there| there < mark);
            bits[at * words + number / 64] |= 1 << (number % 64);
        }
    }
    let set = |at: usize| &bits[at * words..][..words];
    let sizes: Vec<u32> = (0..possible.len()).map(|at| set(at).iter().map(|word| word.count_ones()).sum()).collect();
    let total: f64 = possible.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let earns = |one: usize| -> f64 {
        let each = possible.iter().enumerate().map(|(two, (_, weight))| {
            let hits = set(one).iter().zip(set(two)).map(|(a, b)| (a & b).count_ones()).sum();
            weight * f1(hits, sizes[one] + sizes[two])
        });
        each.sum::<f64>() / total
    };
    (0..possible.len()).map(earns).collect()
}

/// Adds or takes away one atom while that helps.
fn mend(
    sets: &Sets,
    atoms: &[Vec<usize>],
    others: &[f64],
    chosen: &mut [u64],
    earned: &mut Vec<f64>,
    expected: &mut f64,
    sound: &dyn Fn(&[Mark]) -> bool,
) {
    let holds = |set: &[u64], atom: &[usize]| set[atom[0] / 64] >> (atom[0] % 64) & 1 == 1;
    loop {
        let size: u32 = chosen.iter().map(|word| word.count_ones()).sum();
        let hits: Vec<u32> = (0..sets.len()).map(|at| sets.hits(chosen, at)).collect();
        let mut best: Option<(usize, f64)> = None;
        for (number, atom) in atoms.iter().enumerate() {
            let (count, gone) = (atom.len() as u32, holds(chosen, atom));
            let size = if gone { size.saturating_sub(count) } else { size + count };
            let mut worth = 0.0;
            for at in 0..sets.len() {
                let change = if holds(sets.set(at), atom) { count } else { 0 };
                let hits = if gone { hits[at].saturating_sub(change) } else { hits[at] + change };
                worth += sets.weights[at] * others[at].max(f1(hits, size + sets.sizes[at]));
            }
            if worth > best.map_or(*expected + GAIN, |(_, worth)| worth + GAIN) {
                let mut mended = chosen.to_vec();
                for bit in atom {
                    mended[bit / 64] ^= 1 << (bit % 64);
                }
                if sound(&sets.marks_of(&mended)) {
                    best = Some((number, worth));
                }
            }
        }
        let Some((number, worth)) = best else { return };
        for bit in &atoms[number] {
            chosen[bit / 64] ^= 1 << (bit % 64);
        }
        let size: u32 = chosen.iter().map(|word| word.count_ones()).sum();
        *earned = (0..sets.len()).map(|at| f1(sets.hits(chosen, at), size + sets.sizes[at])).collect();
        *expected = worth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(_: &[Mark]) -> bool {
        true
    }

    #[test]
    fn the_middle_beats_the_likeliest() {
        // {1} is likeliest, but {1,2} shares a mark with everything: 0.4 · 2/3 + 0.3 · 1 + 0.3 · 4/5 = 0.807 against 0.4 + 0.3 · 2/3 + 0.3 · 1/2 = 0.75.
        let possible = [(vec![1], 0.4), (vec![1, 2], 0.3), (vec![1, 2, 3], 0.3)];
        let (chosen, expected) = choose(&possible, 1, &any);
        assert_eq!(chosen, [vec![1, 2]]);
        assert!((expected - (0.4 * 2.0 / 3.0 + 0.3 + 0.3 * 0.8)).abs() < 1e-9, "{expected}");
        // With three answers all are covered.
        assert!((choose(&possible, 3, &any).1 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_answer_that_nobody_gave_may_earn_most() {
        // Pairs of three marks: all three together earn 4/5 against each; a pair earns (1 + 1/2 + 1/2) / 3 = 2/3.
        let possible = [(vec![1, 2], 1.0), (vec![2, 3], 1.0), (vec![1, 3], 1.0)];
        let (chosen, expected) = choose(&possible, 1, &any);
        assert_eq!(chosen, [vec![1, 2, 3]]);
        assert!((expected - 0.8).abs() < 1e-9, "{expected}");
        // What is not sound is not answered.
        assert_eq!(choose(&possible, 1, &|marks| marks.len() < 3).0[0].len(), 2);
        assert!(choose(&[], 3, &any).0.is_empty());
    }
}
