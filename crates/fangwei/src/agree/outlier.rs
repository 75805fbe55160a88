//! Annotators who stand apart, by a rule that is stated and a list that is shown. Nobody is left out by this module.
//!
//! An annotator's mean kappa (or score) with the others is held against the median of all such means. Far below means: by more than `gap`, and by more than `spread`
//! times the usual distance from the median (1.4826 times the median absolute deviation, which for normal values is their standard deviation). Where the mean has
//! an interval, that must lie below the median as well: few items in common make low means by chance.

use serde::Serialize;
use smol_str::SmolStr;

use super::outcome::Outcome;
use crate::lang::{Say, Words, words};

/// When an annotator stands apart.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OutlierRule {
    /// How far below the median.
    pub gap: f64,
    /// How far in usual distances.
    pub spread: f64,
    /// So many annotators must have a mean: of fewer, nobody can tell who is apart from whom.
    pub least_annotators: usize,
    /// Marks, all with one label, that make an annotator stand apart where others use several.
    pub one_label: usize,
}

impl Default for OutlierRule {
    fn default() -> OutlierRule {
        OutlierRule { gap: 0.1, spread: 2.0, least_annotators: 4, one_label: 10 }
    }
}

impl OutlierRule {
    /// The rule in words.
    pub fn say(&self) -> Say {
        let OutlierRule { gap, spread, least_annotators, one_label } = self;
        Say::new(
            format!(
                "规则：与他人的平均值比所有人的中位数低 {gap} 以上，且低 1.4826×MAD 的 {spread} 倍以上（至少 {least_annotators} 人），有区间时区间也在中位数之下；或 {one_label} 题以上只用一种标签"
            ),
            format!(
                "rule: mean with the others below the median of all by more than {gap} and by more than {spread} times 1.4826 MAD (of at least {least_annotators} annotators), with its interval, if any, below the median too; or one label only on {one_label} items or more"
            ),
        )
    }
}

/// Why somebody stands apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Apart {
    /// Agrees far less than the others.
    Below,
    /// Always the same label.
    OneLabel,
}

impl Apart {
    const fn words(self) -> Words {
        match self {
            Apart::Below => words("与他人的一致性远低于其他人", "agrees with the others far less than they do"),
            Apart::OneLabel => words("只用一种标签", "uses one label only"),
        }
    }
}

/// An annotator who stands apart.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outlier {
    /// Who.
    pub name: SmolStr,
    /// Why.
    pub why: Apart,
    /// The mean kappa with the others.
    pub mean: Option<f64>,
    /// The median of all.
    pub median: Option<f64>,
    /// Below this the rule holds.
    pub limit: Option<f64>,
}

impl Outlier {
    /// The reason with its numbers.
    pub fn say(&self) -> Say {
        let numbers = |below: &str, median: &str| match (self.why, self.mean, self.median, self.limit) {
            (Apart::Below, Some(mean), Some(middle), Some(limit)) => {
                format!(" ({mean:.4} {below} {limit:.4}; {median} {middle:.4})")
            }
            _ => String::new(),
        };
        let why = self.why.words();
        Say::new(format!("{}{}", why.zh, numbers("<", "中位数")), format!("{}{}", why.en, numbers("<", "median")))
    }
}

/// What the rule needs to know of an annotator.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Standing {
    pub name: SmolStr,
    pub mean: Option<f64>,
    /// The upper end of the interval of the mean.
    pub high: Option<f64>,
    pub marked: u64,
    pub distinct_labels: usize,
}

/// Who stands apart by their means with the others.
pub fn outliers(means: &[(SmolStr, Outcome)], rule: &OutlierRule) -> Vec<Outlier> {
    let standing = |(name, mean): &(SmolStr, Outcome)| Standing {
        name: name.clone(),
        mean: mean.get(),
        high: mean.interval.map(|interval| interval.high),
        marked: 0,
        distinct_labels: 0,
    };
    apart(&means.iter().map(standing).collect::<Vec<_>>(), usize::MAX, rule)
}

/// Who stands apart, in the order given.
pub(super) fn apart(all: &[Standing], labels_in_use: usize, rule: &OutlierRule) -> Vec<Outlier> {
    let means: Vec<f64> = all.iter().filter_map(|one| one.mean).collect();
    let limit = (means.len() >= rule.least_annotators.max(1)).then(|| {
        let middle = median(means.clone());
        let usual = 1.4826 * median(means.iter().map(|mean| (mean - middle).abs()).collect());
        (middle, middle - rule.gap.max(rule.spread * usual))
    });
    let of = |one: &Standing| {
        let outlier = |why| Outlier {
            name: one.name.clone(),
            why,
            mean: one.mean,
            median: limit.map(|(m, _)| m),
            limit: limit.map(|(_, l)| l),
        };
        match (one.mean, limit) {
            (Some(mean), Some((middle, limit))) if mean < limit && one.high.is_none_or(|high| high < middle) => {
                Some(outlier(Apart::Below))
            }
            _ if one.distinct_labels == 1 && one.marked >= rule.one_label as u64 && labels_in_use > 1 => {
                Some(outlier(Apart::OneLabel))
            }
            _ => None,
        }
    };
    all.iter().filter_map(of).collect()
}

/// The middle value; of an even number, half way between the middle two; of none, 0.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(mean: f64) -> Outcome {
        Outcome::bare(Ok(mean))
    }

    fn names(outliers: &[Outlier]) -> Vec<&str> {
        outliers.iter().map(|outlier| outlier.name.as_str()).collect()
    }

    #[test]
    fn far_below_is_far_in_both_senses() {
        let means = |last: f64| {
            ["a", "b", "c", "d", "e"]
                .map(SmolStr::new)
                .into_iter()
                .zip([0.50, 0.52, 0.54, 0.56, last].map(bare))
                .collect::<Vec<_>>()
        };
        // Median 0.52, deviations 0.02 0 0.02 0.04 0.12: MAD 0.02, usual distance 0.0297, so the gap of 0.1 decides: below 0.42.
        assert_eq!(names(&outliers(&means(0.40), &OutlierRule::default())), ["e"]);
        assert!(outliers(&means(0.43), &OutlierRule::default()).is_empty());
        // A wide field: median 0.5, MAD 0.2, so below 0.5 - 2 * 0.2965 = -0.09 only.
        let wide: Vec<_> =
            ["a", "b", "c", "d", "e"].map(SmolStr::new).into_iter().zip([0.1, 0.3, 0.5, 0.7, 0.9].map(bare)).collect();
        assert!(outliers(&wide, &OutlierRule::default()).is_empty());
        // Three are too few to tell.
        assert!(outliers(&means(0.0)[2..], &OutlierRule::default()).is_empty());
    }

    #[test]
    fn a_mean_that_may_be_chance_is_not_far_below() {
        let one = |name: &str, mean, high| Standing { name: name.into(), mean: Some(mean), high, marked: 9, distinct_labels: 2 };
        // The median of 0.5 0.5 0.5 0.5 0.2 is 0.5.
        let all =
            |high| [one("a", 0.5, None), one("b", 0.5, None), one("c", 0.5, None), one("d", 0.5, None), one("e", 0.2, high)];
        assert_eq!(names(&apart(&all(Some(0.4)), 2, &OutlierRule::default())), ["e"]);
        assert!(apart(&all(Some(0.6)), 2, &OutlierRule::default()).is_empty());
    }

    #[test]
    fn always_the_same_label_stands_apart() {
        let one =
            |name: &str, marked, distinct_labels| Standing { name: name.into(), mean: None, high: None, marked, distinct_labels };
        let all = [one("a", 20, 2), one("b", 20, 1), one("c", 9, 1)];
        assert_eq!(names(&apart(&all, 2, &OutlierRule::default())), ["b"]);
        assert!(apart(&all, 1, &OutlierRule::default()).is_empty());
    }
}
