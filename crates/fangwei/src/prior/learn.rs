//! Two small learners: a table of rates by key, and logistic regression over hashed features. Both are as simple as a shortcut should be.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Weights of the regression; a power of two.
const WEIGHTS: usize = 1 << 18;
const EPOCHS: usize = 6;
const RATE: f32 = 0.5;

/// A number that looks random, the same for the same two numbers (splitmix64).
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut x = seed.wrapping_add((number.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The number of a feature.
pub fn feature(name: impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    // The low bits of this hash are weak.
    (mix(0, hasher.finish()) % WEIGHTS as u64) as u32
}

/// The distinct features of a text: its sequences of one to three characters. `field` keeps two texts of an item apart.
pub fn grams(field: u8, text: &[char]) -> Vec<u32> {
    let mut grams: Vec<u32> = (1..=3).flat_map(|length| text.windows(length).map(|gram| feature((field, gram)))).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// How often something is true, by key, with few cases drawn to a rate known before.
#[derive(Clone, Debug, Default)]
pub struct Rates<K> {
    counts: FxHashMap<K, (f64, f64)>,
}

/// A rate known before weighs as much as so many cases.
const PRIOR: f64 = 2.0;

impl<K: Hash + Eq> Rates<K> {
    /// Nothing counted yet.
    pub fn new() -> Rates<K> {
        Rates { counts: FxHashMap::default() }
    }

    /// Counts a case.
    pub fn add(&mut self, key: K, truth: bool) {
        let (hits, n) = self.counts.entry(key).or_default();
        *hits += f64::from(u8::from(truth));
        *n += 1.0;
    }

    /// The rate of a key; of one without cases, the rate known before.
    pub fn rate(&self, key: &K, before: f64) -> f64 {
        let (hits, n) = self.counts.get(key).copied().unwrap_or_default();
        (hits + PRIOR * before) / (n + PRIOR)
    }
}

/// As a sorted list, so that the same counts are the same bytes.
impl<K: Serialize + Ord> Serialize for Rates<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows: Vec<(&K, f64, f64)> = self.counts.iter().map(|(key, (hits, n))| (key, *hits, *n)).collect();
        rows.sort_unstable_by(|a, b| a.0.cmp(b.0));
        rows.serialize(serializer)
    }
}

impl<'de, K: Deserialize<'de> + Hash + Eq> Deserialize<'de> for Rates<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rates<K>, D::Error> {
        let rows: Vec<(K, f64, f64)> = Vec::deserialize(deserializer)?;
        Ok(Rates { counts: rows.into_iter().map(|(key, hits, n)| (key, (hits, n))).collect() })
    }
}

/// Logistic regression, trained by gradient steps that shrink feature by feature (AdaGrad).
#[derive(Clone, Debug)]
pub struct Regression {
    weights: Vec<f32>,
    bias: f32,
}

impl Regression {
    /// Learns from features and truths, in an order that the seed shuffles.
    pub fn train(examples: &[(&[u32], bool)], seed: u64) -> Regression {
        let mut model = Regression { weights: vec![0.0; WEIGHTS], bias: 0.0 };
        let mut squares = vec![1e-2_f32; WEIGHTS];
        let mut bias_square = 1e-2_f32;
        let mut order: Vec<usize> = (0..examples.len()).collect();
        for epoch in 0..EPOCHS {
            order.sort_by_key(|number| mix(seed ^ epoch as u64, *number as u64));
            for number in &order {
                let (features, truth) = examples[*number];
                let value = scale(features);
                let error = model.probability(features) - f32::from(u8::from(truth));
                let step = error * value;
                for feature in features {
                    let at = *feature as usize;
                    squares[at] += step * step;
                    model.weights[at] -= RATE * step / squares[at].sqrt();
                }
                bias_square += error * error;
                model.bias -= RATE * error / bias_square.sqrt();
            }
        }
        model
    }

    /// Its numbers: the weights that are not 0, by feature, and the bias.
    pub fn parts(&self) -> (Vec<u32>, Vec<f32>, f32) {
        let used: Vec<u32> = (0..WEIGHTS as u32).filter(|at| self.weights[*at as usize] != 0.0).collect();
        let weights = used.iter().map(|at| self.weights[*at as usize]).collect();
        (used, weights, self.bias)
    }

    /// The regression of such numbers; features that there are not are left out.
    pub fn from_parts(used: &[u32], weights: &[f32], bias: f32) -> Regression {
        let mut all = vec![0.0; WEIGHTS];
        for (at, weight) in used.iter().zip(weights) {
            if let Some(there) = all.get_mut(*at as usize) {
                *there = *weight;
            }
        }
        Regression { weights: all, bias }
    }

    /// The probability that something with these features is true.
    pub fn probability(&self, features: &[u32]) -> f32 {
        let sum: f32 = features.iter().map(|feature| self.weights[*feature as usize]).sum();
        1.0 / (1.0 + (-(sum * scale(features) + self.bias)).exp())
    }
}

/// Features of long and short texts weigh the same together.
fn scale(features: &[u32]) -> f32 {
    1.0 / (features.len().max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_lean_on_what_was_known() {
        let mut rates = Rates::new();
        for _ in 0..6 {
            rates.add("里外", true);
        }
        // (6 + 2 × 0.5) / (6 + 2)
        assert_eq!(rates.rate(&"里外", 0.5), 0.875);
        assert_eq!(rates.rate(&"里中", 0.5), 0.5);
    }

    #[test]
    fn regression_learns_one_word() {
        let texts: Vec<Vec<u32>> = ["他在屋里", "她在山外", "猫在车里", "狗在门外"]
            .iter()
            .map(|text| grams(0, &text.chars().collect::<Vec<_>>()))
            .collect();
        let examples: Vec<(&[u32], bool)> = texts.iter().map(Vec::as_slice).zip([true, false, true, false]).collect();
        let model = Regression::train(&examples, 1);
        let ask = |text: &str| model.probability(&grams(0, &text.chars().collect::<Vec<_>>()));
        assert!(ask("书在箱里") > 0.5 && ask("书在箱外") < 0.5);
        let (used, weights, bias) = model.parts();
        let again = Regression::from_parts(&used, &weights, bias);
        assert_eq!(again.probability(&texts[0]), model.probability(&texts[0]));
    }
}
