//! Mechanical answers: the same again and again after a while, or runs that are too long or too short for answers to items in an order of chance.
//!
//! At a lag of d places the equal pairs are counted. Under any order of the same answers their number has an exact mean and variance, so that the count can be told
//! in standard deviations from what chance gives: far above at lag 2 is A B A B, at lag 3 A B C A B C, at lag 1 long runs; far below at lag 1 is an alternation.

use serde::Serialize;

use crate::lang::Say;

/// The longest period that is looked for.
pub const LONGEST: usize = 4;

/// The lag at which answers repeat most unlike chance.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Lagged {
    /// How many places apart.
    pub lag: usize,
    /// How many of the pairs are equal.
    pub share: f64,
    /// Standard deviations from what chance gives; negative where there are fewer equal pairs.
    pub z: f64,
}

impl Lagged {
    /// What it looks like.
    pub fn say(&self) -> Say {
        let share = crate::page::percent(self.share);
        let lag = self.lag;
        match (lag, self.z > 0.0) {
            (1, true) => {
                Say::new(format!("连续相同：{share} 的答案与前一题相同"), format!("long runs: {share} repeat the one before"))
            }
            (1, false) => Say::new(
                format!("轮流作答：只有 {share} 的答案与前一题相同"),
                format!("alternation: only {share} repeat the one before"),
            ),
            _ => Say::new(
                format!("每 {lag} 题重复：{share} 的答案与前面第 {lag} 题相同"),
                format!("period {lag}: {share} repeat the one {lag} places before"),
            ),
        }
    }
}

/// How unlike chance a row of labels (by number) repeats itself; `None` where chance has no room, as with one label only.
pub fn repetition(labels: &[usize]) -> Option<Lagged> {
    let lags = (1..=LONGEST).filter_map(|lag| at_lag(labels, lag));
    // Below chance is telling at lag 1 only: of longer periods it follows.
    lags.filter(|lagged| lagged.z > 0.0 || lagged.lag == 1).max_by(|a, b| a.z.abs().total_cmp(&b.z.abs()))
}

fn at_lag(labels: &[usize], lag: usize) -> Option<Lagged> {
    let length = labels.len();
    if length < 4 || length <= lag {
        return None;
    }
    let mut counts = vec![0.0_f64; labels.iter().max()? + 1];
    for label in labels {
        counts[*label] += 1.0;
    }
    let n = length as f64;
    // `falling(count, k)`: in how many ways k places can be filled from so many.
    let falling = |count: f64, k: u32| (0..k).map(|step| (count - f64::from(step)).max(0.0)).product::<f64>();
    let sum = |k: u32| counts.iter().map(|count| falling(*count, k)).sum::<f64>();
    let two = sum(2) / falling(n, 2);
    let three = sum(3) / falling(n, 3);
    let squares = counts.iter().map(|count| falling(*count, 2).powi(2)).sum::<f64>();
    let four = (sum(4) + sum(2).powi(2) - squares) / falling(n, 4);
    let pairs = (length - lag) as f64;
    // Two pairs that share a place, and pairs of pairs that share none.
    let joined = 2.0 * length.saturating_sub(2 * lag) as f64;
    let apart = pairs * (pairs - 1.0) - joined;
    let mean = pairs * two;
    let variance = pairs * two + joined * three + apart * four - mean * mean;
    if variance <= 1e-9 {
        return None;
    }
    let equal = labels.iter().zip(&labels[lag..]).filter(|(one, other)| one == other).count() as f64;
    Some(Lagged { lag, share: equal / pairs, z: (equal - mean) / variance.sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Dice;

    #[test]
    fn mean_and_variance_are_those_of_all_orders() {
        // Every order of the labels 0 0 0 1 1 2, by brute force, at each lag.
        fn orders(rest: &mut Vec<usize>, so_far: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
            if rest.is_empty() {
                all.push(so_far.clone());
                return;
            }
            for at in 0..rest.len() {
                let label = rest.remove(at);
                so_far.push(label);
                orders(rest, so_far, all);
                so_far.pop();
                rest.insert(at, label);
            }
        }
        let mut all = Vec::new();
        orders(&mut vec![0, 0, 0, 1, 1, 2], &mut Vec::new(), &mut all);
        assert_eq!(all.len(), 720);
        for lag in 1..=LONGEST {
            let zs: Vec<f64> = all.iter().map(|labels| at_lag(labels, lag).expect("room for chance").z).collect();
            let mean = zs.iter().sum::<f64>() / 720.0;
            let variance = zs.iter().map(|z| z * z).sum::<f64>() / 720.0;
            assert!(mean.abs() < 1e-9 && (variance - 1.0).abs() < 1e-9, "{lag}: {mean} {variance}");
        }
    }

    #[test]
    fn patterns_stand_out_and_chance_does_not() {
        let of = |pattern: &[usize]| repetition(&pattern.iter().copied().cycle().take(40).collect::<Vec<_>>()).expect("labels");
        for (pattern, lag) in [(&[0, 1][..], 1), (&[0, 0, 1], 3), (&[0, 1, 2], 3), (&[0, 0, 1, 1], 4)] {
            let found = of(pattern);
            assert!(found.z.abs() > 4.0, "{pattern:?} {found:?}");
            assert!(found.lag == lag || found.lag == 2, "{pattern:?} {found:?}");
        }
        let halves = repetition(&[[0; 20], [1; 20]].concat()).expect("labels");
        assert!(halves.lag == 1 && halves.z > 4.0, "{halves:?}");
        assert_eq!(repetition(&[1; 40]), None, "one answer throughout has a rule of its own");
        assert_eq!(repetition(&[0, 1, 0]), None);
        let mut dice = Dice::new(2023, 0);
        let far = (0..2000).filter(|_| {
            let labels: Vec<usize> = (0..100).map(|_| usize::from(dice.below(10) < 6)).collect();
            repetition(&labels).is_some_and(|found| found.z.abs() >= 4.0)
        });
        // Five tails beyond four deviations: 1.6 in ten thousand; three in two thousand would be a thousandfold chance of one in a hundred.
        assert!(far.count() <= 3);
    }
}
