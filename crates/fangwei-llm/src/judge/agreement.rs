//! How far a judge agrees with people, and people with each other: the latter is what the former can be held against.

use fangwei::agree::{Band, Confusion, Weights};
use fangwei::score::Grades;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Grades go from 0 to 5 in halves, for people give halves.
const STEPS: u16 = 11;

/// Two graders held against each other.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Against {
    /// Items that both graded.
    pub items: u64,
    /// Cohen's kappa with quadratic weights; `None` where it is not defined (one grade only, or no item).
    pub kappa: Option<f64>,
    /// What such a kappa is called (Landis and Koch).
    pub band: Option<Band>,
    /// The share of equal grades.
    pub exact: f64,
    /// The share of grades at most one apart.
    pub within_one: f64,
    /// Mean of the first minus mean of the second.
    pub bias: f64,
}

impl Against {
    /// Holds grades against each other.
    pub fn of(pairs: &[(f64, f64)]) -> Against {
        let mut confusion = Confusion::new(STEPS as usize);
        let step = |grade: f64| (grade * 2.0).round().clamp(0.0, f64::from(STEPS - 1)) as u16;
        for (first, second) in pairs {
            confusion.add(step(*first), step(*second), 1.0);
        }
        let values: Vec<Option<f64>> = (0..STEPS).map(|step| Some(f64::from(step) / 2.0)).collect();
        let kappa = confusion.kappa(Weights::Quadratic, &values).ok();
        let share = |count: usize| if pairs.is_empty() { 0.0 } else { count as f64 / pairs.len() as f64 };
        let within = |most: f64| share(pairs.iter().filter(|(first, second)| (first - second).abs() <= most).count());
        let bias = pairs.iter().map(|(first, second)| first - second).sum::<f64>() / pairs.len().max(1) as f64;
        Against { items: pairs.len() as u64, kappa, band: kappa.map(Band::of), exact: within(0.0), within_one: within(1.0), bias }
    }
}

/// A judge among people.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Agreement {
    /// The judge against each rater.
    pub raters: [Against; 2],
    /// The judge against the mean of the raters.
    pub mean: Against,
    /// The raters against each other, on the same items.
    pub people: Against,
}

impl Agreement {
    /// Holds a judge's grades against people's, on the items that both have.
    pub fn of(judge: &[Grades], people: &[Grades]) -> Agreement {
        let by_qid: FxHashMap<&str, [f64; 2]> = people.iter().map(|grades| (grades.qid.as_str(), grades.raters)).collect();
        let shared: Vec<(f64, [f64; 2])> =
            judge.iter().filter_map(|grades| Some((grades.raters[0], *by_qid.get(grades.qid.as_str())?))).collect();
        let against = |people: &dyn Fn(&[f64; 2]) -> f64| {
            Against::of(&shared.iter().map(|(judge, raters)| (*judge, people(raters))).collect::<Vec<_>>())
        };
        Agreement {
            raters: [against(&|raters| raters[0]), against(&|raters| raters[1])],
            mean: against(&|raters| f64::midpoint(raters[0], raters[1])),
            people: Against::of(&shared.iter().map(|(_, raters)| (raters[0], raters[1])).collect::<Vec<_>>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_kappa_of_grades() {
        // Observed squares: 0 + 0 + 1 + 1 + 0 = 2. Expected: each first grade against each second one, divided by five:
        // firsts 5 4 3 2 1 and seconds 5 4 4 1 1 give (0+1+1+16+16) + (1+0+0+9+9) + (4+1+1+4+4) + (9+4+4+1+1) + (16+9+9+0+0) = 120, 120/5 = 24.
        let against = Against::of(&[(5.0, 5.0), (4.0, 4.0), (3.0, 4.0), (2.0, 1.0), (1.0, 1.0)]);
        assert!((against.kappa.expect("defined") - (1.0 - 2.0 / 24.0)).abs() < 1e-12, "{against:?}");
        assert_eq!((against.exact, against.within_one, against.bias), (0.6, 1.0, 0.0));
    }

    #[test]
    fn one_grade_only_has_no_kappa() {
        let against = Against::of(&[(3.0, 3.0), (3.0, 3.0)]);
        assert_eq!((against.kappa, against.exact), (None, 1.0));
        assert_eq!(Against::of(&[]).items, 0);
    }

    #[test]
    fn only_items_that_both_graded() {
        let grades = |qid: &str, raters| Grades { qid: qid.into(), raters };
        let judge = [grades("a", [4.0, 4.0]), grades("b", [2.0, 2.0]), grades("c", [5.0, 5.0])];
        let people = [grades("a", [4.0, 3.0]), grades("b", [2.0, 3.0]), grades("x", [0.0, 0.0])];
        let agreement = Agreement::of(&judge, &people);
        assert_eq!((agreement.people.items, agreement.raters[0].exact, agreement.raters[1].exact), (2, 1.0, 0.0));
        assert_eq!(agreement.mean.exact, 0.0, "3.5 and 2.5 are nobody's grade");
    }
}
