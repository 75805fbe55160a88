//! How many items a study needs: so many that the score of a subject is known to a wanted half width.
//!
//! An accuracy is reckoned by Wilson's interval at a guessed value, any other measure by the deviation of item scores, taken from a run or from the bound that no
//! score between 0 and 1 exceeds. Siblings of one origin say less than their number (design effect); items of a set that is small say more (finite population).

use serde::Serialize;

use crate::lang::Say;
use crate::stats::{Groups, normal_quantile};

/// What the deviation of item scores is known from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// Items are right or wrong: the expected share tells it.
    Share,
    /// The item scores of a run.
    Run,
    /// A score between 0 and 1 with this mean deviates by no more than √(p(1−p)).
    Bound,
}

/// What is wanted, and what is known before anybody answers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    /// Half of the interval's width.
    pub half_width: f64,
    /// The confidence of the interval.
    pub confidence: f64,
    /// The score that is guessed.
    pub expect: f64,
    /// The deviation of item scores.
    pub deviation: f64,
    /// Where it is known from.
    pub known: Known,
    /// How many items there are to draw from.
    pub population: u64,
    /// How many may be drawn: the number of origins where each gives one item at most.
    pub drawable: u64,
    /// What siblings cost: so many drawn items are worth one.
    pub design_effect: f64,
    /// How many people.
    pub subjects: u64,
    /// How far people's scores of an item go together: 0 not at all, 1 wholly.
    pub agreement: f64,
}

/// The size of a study and how it came about.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Size {
    /// The quantile of the confidence.
    pub z: f64,
    /// Independent items of a set without end.
    pub simple: u64,
    /// With the design effect.
    pub with_design: u64,
    /// With the finite population.
    pub finite: u64,
    /// What is drawn: not more than may be.
    pub items: u64,
    /// The half width that one subject's score has with so many.
    pub half_width: f64,
    /// The half width of the mean of all subjects.
    pub half_width_of_mean: f64,
    /// So many independent answers all subjects' answers are worth.
    pub independent_answers: f64,
}

impl Wanted {
    /// Whether the numbers can be meant.
    pub fn check(&self) -> Result<(), Say> {
        let share = |value: f64| value > 0.0 && value < 1.0;
        let refuse = |zh: &str, en: &str, found: f64| {
            Err(Say::new(format!("{zh}，实为 {found}"), format!("expected {en}, found {found}")))
        };
        if !(self.half_width > 0.0 && self.half_width < 0.5) {
            return refuse("半宽应在 0 和 0.5 之间", "a half width between 0 and 0.5", self.half_width);
        }
        if !share(self.confidence) {
            return refuse("置信水平应在 0 和 1 之间", "a confidence between 0 and 1", self.confidence);
        }
        if !share(self.expect) {
            return refuse("预计得分应在 0 和 1 之间", "an expected score between 0 and 1", self.expect);
        }
        if !(0.0..=1.0).contains(&self.agreement) {
            return refuse("答案的相关应在 0 到 1 之间", "an agreement from 0 to 1", self.agreement);
        }
        Ok(())
    }

    fn z(&self) -> f64 {
        -normal_quantile((1.0 - self.confidence) / 2.0)
    }

    /// The half width of so many independent items, a number that need not be whole.
    fn half_width_of(&self, items: f64) -> f64 {
        let z = self.z();
        match self.known {
            _ if items <= 0.0 => 1.0,
            Known::Share => {
                let variance = self.expect * (1.0 - self.expect);
                z / (items + z * z) * (items * variance + z * z / 4.0).sqrt()
            }
            Known::Run | Known::Bound => z * self.deviation / items.sqrt(),
        }
    }

    /// How many independent items so many drawn ones are worth.
    fn worth(&self, items: u64) -> f64 {
        let (items, population) = (items as f64, self.population as f64);
        if items >= population { f64::INFINITY } else { items / self.design_effect * (population - 1.0) / (population - items) }
    }

    /// The size; with `fixed`, what so many items give.
    pub fn size(&self, fixed: Option<u64>) -> Size {
        let (z, h) = (self.z(), self.half_width);
        let simple = match self.known {
            Known::Share => {
                // Wilson's half width solved for n: the larger root of a square equation.
                let variance = self.expect * (1.0 - self.expect);
                let root = (variance * variance - 4.0 * h * h * variance + h * h).max(0.0).sqrt();
                z * z * (variance - 2.0 * h * h + root) / (2.0 * h * h)
            }
            Known::Run | Known::Bound => (z * self.deviation / h).powi(2),
        };
        let simple = whole(simple);
        let with_design = whole(simple as f64 * self.design_effect);
        let population = self.population.max(1) as f64;
        let finite = whole(with_design as f64 / (1.0 + (with_design as f64 - 1.0) / population)).min(self.population);
        let items = fixed.unwrap_or(finite).min(self.drawable).min(self.population);
        let people = self.subjects.max(1) as f64;
        // The variance of a mean of people whose scores of an item correlate.
        let shared = (1.0 + (people - 1.0) * self.agreement) / people;
        let worth = self.worth(items);
        let (half_width, of_mean) =
            if worth.is_infinite() { (0.0, 0.0) } else { (self.half_width_of(worth), self.half_width_of(worth / shared)) };
        let independent_answers = items as f64 / shared;
        Size { z, simple, with_design, finite, items, half_width, half_width_of_mean: of_mean, independent_answers }
    }
}

/// The next whole number; what rounding added in the last digits is no item.
fn whole(number: f64) -> u64 {
    (number - 1e-9).ceil().max(1.0) as u64
}

/// What siblings cost: 1 + (m − 1) ρ, where m is the size of the group that an item stands in, on average over items, and ρ how far siblings' scores go together.
pub fn design_effect(groups: &Groups, correlation: f64) -> f64 {
    let sizes = sizes(groups);
    let squares: f64 = sizes.iter().map(|size| size * size).sum();
    let items: f64 = sizes.iter().sum();
    if items == 0.0 { 1.0 } else { 1.0 + (squares / items - 1.0) * correlation.clamp(0.0, 1.0) }
}

fn sizes(groups: &Groups) -> Vec<f64> {
    let mut sizes = vec![0.0; groups.count()];
    for group in groups.of() {
        sizes[*group as usize] += 1.0;
    }
    sizes
}

/// The deviation of item scores (of a sample), and how far siblings' scores go together: the intraclass correlation of a one-way analysis of variance.
///
/// Where no group has two items, or all scores are equal, siblings are taken to go together wholly: nothing shows the contrary.
pub fn spread(scores: &[f64], groups: &Groups) -> Option<(f64, f64)> {
    let items = scores.len() as f64;
    if scores.len() < 2 || groups.len() != scores.len() {
        return None;
    }
    let mean = scores.iter().sum::<f64>() / items;
    let total: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let sizes = sizes(groups);
    let mut sums = vec![0.0; groups.count()];
    for (score, group) in scores.iter().zip(groups.of()) {
        sums[*group as usize] += score;
    }
    let between: f64 = sums.iter().zip(&sizes).map(|(sum, size)| size * (sum / size - mean).powi(2)).sum();
    let (count, squares) = (groups.count() as f64, sizes.iter().map(|size| size * size).sum::<f64>());
    let deviation = (total / (items - 1.0)).sqrt();
    if count >= items || count < 2.0 || total == 0.0 {
        return Some((deviation, 1.0));
    }
    let (between, within) = (between / (count - 1.0), (total - between) / (items - count));
    let usual = (items - squares / items) / (count - 1.0);
    let correlation = (between - within) / (between + (usual - 1.0) * within);
    Some((deviation, correlation.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    fn wanted(half_width: f64, expect: f64) -> Wanted {
        Wanted {
            half_width,
            confidence: 0.95,
            expect,
            deviation: (expect * (1.0 - expect)).sqrt(),
            known: Known::Share,
            population: 1_000_000_000,
            drawable: 1_000_000_000,
            design_effect: 1.0,
            subjects: 1,
            agreement: 0.5,
        }
    }

    #[test]
    fn closed_forms() {
        // At one half Wilson's size is z² (1 / 4h² − 1): 3.841459 · 99 = 380.3.
        assert_eq!(wanted(0.05, 0.5).size(None).simple, 381);
        // pq = 0.16, √(0.0256 − 0.0016 + 0.0025) = 0.162788: 3.841459 · 0.317788 / 0.005 = 244.16.
        assert_eq!(wanted(0.05, 0.8).size(None).simple, 245);
        // A mean of scores: (1.959964 · 0.3 / 0.05)² = 138.3.
        let mean = Wanted { known: Known::Run, deviation: 0.3, ..wanted(0.05, 0.8) };
        assert_eq!(mean.size(None).simple, 139);
        assert!((mean.size(None).half_width - 1.959_964 * 0.3 / 139_f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn one_item_fewer_is_too_wide() {
        for (half, expect) in [(0.05, 0.8), (0.1, 0.5), (0.03, 0.95), (0.2, 0.7)] {
            let wanted = wanted(half, expect);
            let size = wanted.size(None);
            assert!(size.half_width <= half && wanted.size(Some(size.items - 1)).half_width > half, "{half} {expect} {size:?}");
        }
        // The half width is that of the interval which reports it: 40 of 50.
        let interval = wilson(40, 50, 0.95);
        let half = wanted(0.05, 0.8).size(Some(50)).half_width;
        // All but: a set of a thousand million items is not without end.
        assert!((half - (interval.high - interval.low) / 2.0).abs() < 1e-6);
    }

    #[test]
    fn small_sets_and_siblings() {
        // 245 / (1 + 244/500) = 164.7 of 500 items; all of them leave no doubt.
        let small = Wanted { population: 500, drawable: 500, ..wanted(0.05, 0.8) };
        assert_eq!((small.size(None).finite, small.size(Some(500)).half_width), (165, 0.0));
        // Two items an origin, wholly alike: twice as many. Five people who agree by a half are worth 1 / 0.6 answers an item.
        let pairs = Groups::from_keys((0..100).map(|item| item / 2));
        assert_eq!((design_effect(&pairs, 1.0), design_effect(&pairs, 0.0)), (2.0, 1.0));
        let doubled = Wanted { design_effect: 2.0, subjects: 5, ..wanted(0.05, 0.8) }.size(None);
        assert_eq!(doubled.items, 490);
        assert!((doubled.independent_answers - 490.0 / 0.6).abs() < 1e-9 && doubled.half_width_of_mean < doubled.half_width);
        // Fewer origins than items wanted: told by the width that they give.
        let few = Wanted { drawable: 60, ..wanted(0.05, 0.8) }.size(None);
        assert!(few.items == 60 && few.half_width > 0.09, "{few:?}");
    }

    #[test]
    fn siblings_correlation_is_that_of_the_scores() {
        let groups = Groups::from_keys([0, 0, 1, 1, 2, 2, 3, 3]);
        let alike = spread(&[1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &groups).expect("scores");
        assert_eq!(alike.1, 1.0);
        assert!((alike.0 - (8.0_f64 / 4.0 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(spread(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], &groups).expect("scores").1, 0.0);
        assert_eq!(spread(&[0.5, 0.1], &Groups::singletons(2)).expect("scores").1, 1.0);
        assert_eq!(spread(&[0.5], &Groups::singletons(1)), None);
    }
}
