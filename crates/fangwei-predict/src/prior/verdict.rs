//! Yes or no, without understanding: how labels lean on the set, on a word, on an exchanged pair, on characters, or on the type of a reason.

use fangwei::prior::{PairPrior, Rates, Regression, difference, grams};
use fangwei::task::{Item, Task, Texts};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{By, Siblings};
use crate::predictor::PredictError;
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// What was counted.
#[derive(Debug)]
pub enum Leaning {
    /// How often the answer is yes.
    Rate(f64),
    /// By word.
    Words(f64, Rates<SmolStr>),
    /// By exchanged pair.
    Pairs(PairPrior),
    /// By the type of the reason.
    Types(f64, Rates<Vec<String>>),
    /// By what is exchanged and where, or by characters.
    Features(bool, Box<Regression>),
}

/// A leaning in a file, without the numbers of a regression.
#[derive(Serialize, Deserialize)]
enum Kept {
    Rate(f64),
    Words(f64, Rates<SmolStr>),
    Pairs(PairPrior),
    Types(f64, Rates<Vec<String>>),
    Features { siblings: bool, bias: f32 },
}

impl Leaning {
    /// Counts answers; `examples` are items with whether the answer is yes.
    pub fn learn(by: By, task: &dyn Task, examples: &[(Item, bool)], siblings: &Siblings, seed: u64) -> Leaning {
        let yes = examples.iter().filter(|(_, yes)| *yes).count() as f64;
        let rate = if examples.is_empty() { 0.5 } else { yes / examples.len() as f64 };
        let of_reasons = examples.first().is_some_and(|(item, _)| matches!(item.texts, Texts::Reason { .. }));
        match by {
            By::Word => {
                let mut rates = Rates::new();
                for (item, yes) in examples {
                    for word in words(item) {
                        rates.add(word, *yes);
                    }
                }
                Leaning::Words(rate, rates)
            }
            By::Type if of_reasons => {
                let mut rates = Rates::new();
                for (item, yes) in examples {
                    rates.add(task.facet("type", item).unwrap_or_default(), *yes);
                }
                Leaning::Types(rate, rates)
            }
            By::Pair if !of_reasons => {
                Leaning::Pairs(PairPrior::learn(examples.iter().map(|(item, yes)| (siblings.words(item.texts.context()), *yes))))
            }
            By::NGram => regressed(false, examples, siblings, seed),
            By::Sibling if !of_reasons => regressed(true, examples, siblings, seed),
            // A reason is not exchanged, and a text has no type: there the set is all that is known.
            By::Majority | By::Type | By::Pair | By::Sibling => Leaning::Rate(rate),
        }
    }

    /// How likely yes is.
    pub fn yes(&self, task: &dyn Task, item: &Item, siblings: &Siblings) -> f64 {
        match self {
            Leaning::Rate(rate) => *rate,
            Leaning::Words(rate, rates) => telling(*rate, rates, item).map_or(*rate, |(_, odds)| odds),
            Leaning::Pairs(prior) => prior.normal(siblings.words(item.texts.context())),
            Leaning::Types(rate, rates) => rates.rate(&task.facet("type", item).unwrap_or_default(), *rate),
            Leaning::Features(by_siblings, regression) => {
                f64::from(regression.probability(&features(*by_siblings, item, siblings)))
            }
        }
    }

    /// The word that decides, where one does, with the rate of yes.
    pub fn word(&self, item: &Item) -> Option<(SmolStr, f64)> {
        let Leaning::Words(rate, rates) = self else { return None };
        telling(*rate, rates, item)
    }

    /// Puts it into a file.
    pub fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        let kept = match self {
            Leaning::Rate(rate) => Kept::Rate(*rate),
            Leaning::Words(rate, rates) => Kept::Words(*rate, rates.clone()),
            Leaning::Pairs(prior) => Kept::Pairs(prior.clone()),
            Leaning::Types(rate, rates) => Kept::Types(*rate, rates.clone()),
            Leaning::Features(siblings, regression) => {
                let (used, weights, bias) = regression.parts();
                out.put("used", &used);
                out.put("weights", &weights);
                Kept::Features { siblings: *siblings, bias }
            }
        };
        out.put_json("leaning", &kept)
    }

    /// Takes it out.
    pub fn get(from: &ReadScope) -> Result<Leaning, PredictError> {
        Ok(match from.get_json("leaning")? {
            Kept::Rate(rate) => Leaning::Rate(rate),
            Kept::Words(rate, rates) => Leaning::Words(rate, rates),
            Kept::Pairs(prior) => Leaning::Pairs(prior),
            Kept::Types(rate, rates) => Leaning::Types(rate, rates),
            Kept::Features { siblings, bias } => {
                let (used, weights) = (from.get::<u32>("used")?, from.get::<f32>("weights")?);
                if used.len() != weights.len() {
                    return Err(from.unfit("weights", used.len(), weights.len()).into());
                }
                Leaning::Features(siblings, Box::new(Regression::from_parts(&used, &weights, bias)))
            }
        })
    }
}

fn regressed(by_siblings: bool, examples: &[(Item, bool)], siblings: &Siblings, seed: u64) -> Leaning {
    let all: Vec<Vec<u32>> = examples.iter().map(|(item, _)| features(by_siblings, item, siblings)).collect();
    let pairs: Vec<(&[u32], bool)> = all.iter().map(Vec::as_slice).zip(examples.iter().map(|(_, yes)| *yes)).collect();
    Leaning::Features(by_siblings, Box::new(Regression::train(&pairs, seed)))
}

fn features(by_siblings: bool, item: &Item, siblings: &Siblings) -> Vec<u32> {
    let chars: Vec<char> = item.texts.context().chars().collect();
    if by_siblings {
        return difference(&chars, siblings.words(item.texts.context()));
    }
    let mut features = grams(0, &chars);
    if let Texts::Reason { reason, .. } = &item.texts {
        features.extend(grams(1, &reason.chars().collect::<Vec<_>>()));
    }
    features
}

/// The words of space of a text, each once; of a reason those that it quotes.
fn words(item: &Item) -> Vec<SmolStr> {
    let text = if let Texts::Reason { reason, .. } = &item.texts { reason.as_str() } else { item.texts.context() };
    let mut words: Vec<SmolStr> =
        Reading::new(text).tokens.into_iter().filter(|token| token.class.is_some()).map(|token| token.text).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The word whose rate lies farthest from that of all, with its rate.
fn telling(rate: f64, rates: &Rates<SmolStr>, item: &Item) -> Option<(SmolStr, f64)> {
    let far = |odds: f64| (odds - rate).abs();
    let words = words(item).into_iter().map(|word| {
        let odds = rates.rate(&word, rate);
        (word, odds)
    });
    words.reduce(|best, next| if far(next.1) > far(best.1) { next } else { best })
}
