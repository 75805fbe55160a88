//! Mean and spread of a list of numbers.

use serde::Serialize;

/// What a list of numbers comes to. The deviation is that of the population (divided by n), as the papers of the years give it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Moments {
    /// How many there are.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their population deviation.
    pub deviation: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl Moments {
    /// Of some numbers; of none, nothing.
    ///
    /// ```
    /// # use fangwei::stats::Moments;
    /// let moments = Moments::of([2.0, 4.0]).expect("two numbers");
    /// assert_eq!((moments.mean, moments.deviation, moments.most), (3.0, 1.0, 4.0));
    /// assert_eq!(Moments::of([]), None);
    /// ```
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Moments> {
        let values: Vec<f64> = values.into_iter().collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        let fold = |start: f64, pick: fn(f64, f64) -> f64| values.iter().copied().fold(start, pick);
        (!values.is_empty()).then(|| Moments {
            n: values.len() as u64,
            mean,
            deviation: variance.sqrt(),
            least: fold(f64::INFINITY, f64::min),
            most: fold(f64::NEG_INFINITY, f64::max),
        })
    }
}
