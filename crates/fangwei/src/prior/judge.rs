//! Is a text normal? Guessed from the words that were exchanged.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::learn::{Rates, feature};
use crate::answer::Answer;
use crate::audit::Replacement;
use crate::task::Item;

/// The verdict of an item's gold; 1 is yes.
pub fn verdict(item: &Item) -> usize {
    let verdict = match &item.gold {
        Some(Answer::Verdict(verdict) | Answer::Joint(verdict, _)) => verdict.value(),
        Some(Answer::Scene(scene)) => scene.judge.value(),
        _ => None,
    };
    usize::from(verdict.unwrap_or(false))
}

/// How often a pair of words is harmless; of an unseen pair, how often its new word is; else the rate of all. Two replacements are both harmless, or the text
/// is abnormal. An original is normal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairPrior {
    rate: f64,
    pairs: Rates<(SmolStr, SmolStr)>,
    words: Rates<SmolStr>,
}

impl PairPrior {
    /// Learns from replaced words, `None` where they are not known, and verdicts.
    pub fn learn<'r>(examples: impl IntoIterator<Item = (Option<&'r [Replacement]>, bool)>) -> PairPrior {
        let (mut pairs, mut words) = (Rates::new(), Rates::new());
        let (mut normal, mut all) = (0_usize, 0_usize);
        for (replaced, is_normal) in examples {
            normal += usize::from(is_normal);
            all += 1;
            // Of two replacements it is not known which one did harm.
            if let Some([word]) = replaced {
                pairs.add((word.from.as_str().into(), word.to.as_str().into()), is_normal);
                words.add(word.to.as_str().into(), is_normal);
            }
        }
        PairPrior { rate: crate::score::ratio(normal as f64, all as f64), pairs, words }
    }

    /// How likely a text with these words in place of others is normal.
    pub fn normal(&self, replaced: Option<&[Replacement]>) -> f64 {
        let harmless = |word: &Replacement| {
            let (from, to) = (SmolStr::from(word.from.as_str()), SmolStr::from(word.to.as_str()));
            let before = self.words.rate(&to, self.rate);
            self.pairs.rate(&(from, to), before)
        };
        replaced.map_or(self.rate, |words| words.iter().map(harmless).product())
    }
}

/// What unlabelled siblings tell of a text: which words were exchanged, how many, where, and between which characters.
pub fn difference(text: &[char], words: Option<&[Replacement]>) -> Vec<u32> {
    let Some(words) = words else { return vec![feature("unresolved")] };
    let mut features = vec![feature(("replaced", words.len()))];
    for word in words {
        let third = 3 * word.at.start / text.len().max(1);
        let left = word.at.start.checked_sub(1).and_then(|at| text.get(at));
        let right = text.get(word.at.end);
        features.extend([
            feature(("pair", &word.from, &word.to)),
            feature(("from", &word.from)),
            feature(("to", &word.to)),
            feature(("third", third)),
            feature(("left", left, &word.to)),
            feature(("right", right, &word.to)),
            feature(("left pair", left, &word.from, &word.to)),
        ]);
    }
    features.sort_unstable();
    features.dedup();
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_leans_on_its_word_and_both_on_the_rate() {
        let word = |from: &str, to: &str| vec![Replacement { from: from.into(), to: to.into(), at: 0..1 }];
        let (harmless, harmful) = (word("里", "中"), word("里", "外"));
        let examples = [(&harmless, true), (&harmless, true), (&harmful, false), (&harmful, false)];
        let prior = PairPrior::learn(examples.iter().map(|(words, normal)| (Some(words.as_slice()), *normal)));
        // The rate is 1/2; of the word (2 + 2 × 1/2) / 4 = 3/4; of the pair (2 + 2 × 3/4) / 4 = 7/8.
        assert_eq!(prior.normal(Some(&harmless)), 0.875);
        assert_eq!(prior.normal(Some(&harmful)), 0.125);
        // An unseen pair of a seen word: (0 + 2 × 3/4) / 2.
        assert_eq!(prior.normal(Some(&word("上", "中"))), 0.75);
        assert_eq!(prior.normal(Some(&[])), 1.0);
        assert_eq!(prior.normal(None), 0.5);
        let kept: PairPrior = serde_json::from_str(&serde_json::to_string(&prior).expect("is JSON")).expect("is read");
        assert_eq!(kept.normal(Some(&harmless)), 0.875);
    }
}
