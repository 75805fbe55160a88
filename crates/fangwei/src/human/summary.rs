//! Scores of people in three numbers: mean, deviation, best. The deviation is that of the population, as the paper of 2021 prints it.

use serde::Serialize;

use crate::agree::median;
use crate::stats::Moments;

/// Scores of some people.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How many.
    pub people: usize,
    /// Their mean.
    pub mean: f64,
    /// The deviation of the population: these people are all there are.
    pub deviation: f64,
    /// The best.
    pub maximum: f64,
    /// The worst.
    pub minimum: f64,
}

/// The summary of some scores; of none, nothing.
///
/// ```
/// // The accuracies of 2022, table 7.
/// let summary = fangwei::human::summary(&[0.74, 0.78, 0.83, 0.69, 0.95, 0.80, 0.69]).expect("seven people");
/// assert_eq!(format!("{:.2}", summary.mean), "0.78");
/// ```
pub fn summary(scores: &[f64]) -> Option<Summary> {
    let Moments { n, mean, deviation, least, most } = Moments::of(scores.iter().copied())?;
    Some(Summary { people: n as usize, mean, deviation, maximum: most, minimum: least })
}

/// One score a person out of several studies: the mean over those that they took part in.
pub fn over_studies<'n>(studies: &[Vec<(&'n str, f64)>]) -> Vec<(&'n str, f64)> {
    let mut people: Vec<(&str, Vec<f64>)> = Vec::new();
    for (name, score) in studies.iter().flatten() {
        match people.iter_mut().find(|(known, _)| known == name) {
            Some((_, scores)) => scores.push(*score),
            None => people.push((name, vec![*score])),
        }
    }
    people.into_iter().map(|(name, scores)| (name, scores.iter().sum::<f64>() / scores.len() as f64)).collect()
}

/// The middle value; of none, nothing.
pub(super) fn middle(values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| median(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 4 of the paper of 2021: subjects 1, 2, 3, 6 took part in both experiments, 4 and 5 in the first.
    const NAMES: [&str; 6] = ["1", "2", "3", "6", "4", "5"];
    const FIRST_REASON: [f64; 6] = [0.8300, 0.8350, 0.8300, 0.7700, 0.7850, 0.7650];
    const FIRST_JOINT: [f64; 6] = [0.6891, 0.6076, 0.6154, 0.7244, 0.6164, 0.6615];
    const SECOND_JUDGE: [f64; 4] = [0.8400, 0.6600, 0.6000, 0.7600];
    const SECOND_REASON: [f64; 4] = [0.8100, 0.7300, 0.8550, 0.7650];
    const SECOND_JOINT: [f64; 4] = [0.6866, 0.5464, 0.6000, 0.6667];

    fn printed(scores: &[f64], maximum: f64, mean: f64, deviation: f64) {
        let found = summary(scores).expect("scores");
        // Half a unit of the last printed digit, and what the inputs lost by their own rounding.
        let near = |a: f64, b: f64| (a - b).abs() < 0.000_11;
        assert!(near(found.maximum, maximum) && near(found.mean, mean) && near(found.deviation, deviation), "{found:?}");
    }

    #[test]
    fn table_4_of_2021() {
        printed(&FIRST_REASON, 0.8350, 0.8025, 0.0298);
        printed(&FIRST_JOINT, 0.7244, 0.6524, 0.0434);
        printed(&SECOND_JUDGE, 0.8400, 0.7150, 0.0921);
        printed(&SECOND_REASON, 0.8550, 0.7900, 0.0470);
        printed(&SECOND_JOINT, 0.6866, 0.6249, 0.0555);
    }

    #[test]
    fn means_over_two_experiments_of_2021() {
        let named = |scores: &[f64]| NAMES.iter().copied().zip(scores.iter().copied()).collect::<Vec<_>>();
        let scores = |first: &[f64], second: &[f64]| {
            over_studies(&[named(first), named(second)]).into_iter().map(|(_, score)| score).collect::<Vec<_>>()
        };
        let reason = scores(&FIRST_REASON, &SECOND_REASON);
        assert!((reason[2] - 0.8425).abs() < 1e-9 && (reason[5] - 0.7650).abs() < 1e-9, "{reason:?}");
        printed(&reason, 0.8425, 0.7938, 0.0282);
        printed(&scores(&FIRST_JOINT, &SECOND_JOINT), 0.6955, 0.6410, 0.0436);
    }

    #[test]
    fn tables_7_and_9_of_2022() {
        let judge = summary(&[0.74, 0.78, 0.83, 0.69, 0.95, 0.80, 0.69]).expect("scores");
        assert_eq!((format!("{:.2}", judge.mean), judge.maximum, judge.minimum), ("0.78".to_owned(), 0.95, 0.69));
        let texts = summary(&[0.84, 0.78, 0.81, 0.82, 0.87, 0.82, 0.83, 0.83, 0.81]).expect("scores");
        let types = summary(&[0.70, 0.36, 0.74, 0.62, 0.76, 0.64, 0.70, 0.70, 0.66]).expect("scores");
        assert_eq!((format!("{:.2}", texts.mean), format!("{:.2}", types.mean)), ("0.82".to_owned(), "0.65".to_owned()));
    }

    #[test]
    fn table_8_of_2022() {
        // The kappas of ten pairs; the mean is printed as 0.53.
        let kappas = [0.53, 0.57, 0.49, 0.42, 0.51, 0.56, 0.37, 0.76, 0.48, 0.59];
        assert_eq!(format!("{:.2}", summary(&kappas).expect("kappas").mean), "0.53");
        assert_eq!(summary(&[]), None);
    }
}
