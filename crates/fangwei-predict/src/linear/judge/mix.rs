//! One chance of a text from what the parts say: where the change may be, what it would do there, and what suspicion thinks of the whole.
//!
//! A text is abnormal if one of its sites was changed and the change does harm: the sum of the products over the sites. How much that and the opinion of
//! suspicion count is learnt from texts that none of the parts has seen.

use super::cases::Sight;
use crate::learn::linear::{Examples, Linear, Target};
use crate::learn::{Training, Watch};

/// How many opinions are mixed.
pub const OPINIONS: usize = 3;

/// Log-odds that a text is abnormal: by place and harm, by the sites that suspicion prefers and harm, and by suspicion alone.
pub fn opinions(sight: &Sight, shares: &[f64], harms: &[f64]) -> [f32; OPINIONS] {
    let sum = |shares: &[f64]| shares.iter().zip(harms).map(|(share, harm)| share * harm).sum::<f64>();
    [sum(shares), sum(&sight.odds), sight.abnormal].map(log_odds)
}

fn log_odds(chance: f64) -> f32 {
    let chance = chance.clamp(1e-3, 1.0 - 1e-3);
    (chance / (1.0 - chance)).ln() as f32
}

fn features(opinions: &[f32; OPINIONS]) -> Vec<(u32, f32)> {
    opinions.iter().enumerate().map(|(number, value)| (number as u32 + 1, *value)).collect()
}

/// Learns from opinions with verdicts; both verdicts weigh the same in all.
pub fn train(texts: &[([f32; OPINIONS], bool)], watch: &mut Watch<'_>) -> Linear {
    let mut examples = Examples::new(2);
    let abnormal = texts.iter().filter(|(_, abnormal)| *abnormal).count() as f32 / texts.len().max(1) as f32;
    for (opinions, is_abnormal) in texts {
        let weight = 0.5 / if *is_abnormal { abnormal } else { 1.0 - abnormal };
        examples.push_valued(&features(opinions), Target::Class(usize::from(*is_abnormal)), weight);
    }
    let training = Training { epochs: 30, batch: 64, rate: 0.05, l2: 2.0, min_count: 1, prune: 0.0, seed: 5 };
    Linear::train(&examples, &training, watch).0
}

/// The log-odds that a text is abnormal.
pub fn score(mix: &Linear, opinions: &[f32; OPINIONS]) -> f32 {
    let log = mix.log_probabilities_valued(&features(opinions));
    log.get(1).copied().unwrap_or(0.0) - log.first().copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::unwatched;

    #[test]
    fn a_text_is_as_wrong_as_its_sites_and_the_better_opinion_counts_more() {
        let sight = Sight { rows: Vec::new(), keys: Vec::new(), odds: vec![0.0, 1.0], abnormal: 0.5 };
        // 0.5 · 0.8 + 0.3 · 0.2 = 0.46; suspicion is sure of the second site: 0.2; by itself it knows nothing.
        let [place, suspects, alone] = opinions(&sight, &[0.5, 0.3], &[0.8, 0.2]);
        assert!((place - (0.46_f32 / 0.54).ln()).abs() < 1e-5 && (suspects - 0.25_f32.ln()).abs() < 1e-5 && alone == 0.0);
        // The first opinion is always right, the second is right as often as wrong; three of four texts are abnormal.
        let texts: Vec<_> = (0..400)
            .map(|number| {
                ([if number % 4 > 0 { 1.0 } else { -1.0 }, if number % 8 > 3 { 1.0 } else { -1.0 }, 0.0], number % 4 > 0)
            })
            .collect();
        let mix = train(&texts, &mut unwatched);
        assert!(score(&mix, &[1.0, -1.0, 0.0]) > 1.0 && score(&mix, &[-1.0, 1.0, 0.0]) < -1.0);
        // Neither verdict is expected, however many there were of each.
        assert!(score(&mix, &[0.0; OPINIONS]).abs() < 0.2, "{}", score(&mix, &[0.0; OPINIONS]));
    }
}
