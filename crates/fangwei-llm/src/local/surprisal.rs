//! How surprising a text is to the model, token by token: minus the logarithm of the probability that the model gave to it, in bits. One pass reads the text.

use std::ops::Range;

use candle_core::Tensor;

use super::cache::Cache;
use super::model::Run;
use super::vocabulary::Tokens;
use super::{Local, LocalError};

/// So many positions are turned into probabilities at a time: a vocabulary of 150,000 takes half a megabyte for each.
const POSITIONS: usize = 32;
/// So many rows are read in one pass.
const ROWS: usize = 512;

/// A token of a text, and how surprising it is there.
#[derive(Clone, PartialEq, Debug)]
pub struct Surprise {
    /// Its first character and the one after its last. Tokens that are parts of one character have the same.
    pub characters: Range<usize>,
    /// The bits.
    pub bits: f64,
}

/// A text that was read, from which others that begin alike go on.
pub(super) struct Read {
    pub tokens: Tokens,
    /// Of each token.
    pub bits: Vec<f64>,
    /// What begins a text, and all tokens but the last.
    cache: Cache,
}

impl Read {
    pub(super) fn total(&self) -> f64 {
        self.bits.iter().sum()
    }
}

impl Local {
    /// How surprising each token of a text is, given those before it. The first stands after the mark that ends the texts of the model's training.
    pub fn surprisal(&self, text: &str) -> Result<Vec<Surprise>, LocalError> {
        let read = self.read(text)?;
        let surprises = read.tokens.spans.into_iter().zip(read.bits);
        Ok(surprises.map(|(characters, bits)| Surprise { characters, bits }).collect())
    }

    pub(super) fn read(&self, text: &str) -> Result<Read, LocalError> {
        let tokens = self.vocabulary.tokens(text)?;
        let mut cache = Cache::default();
        if tokens.ids.is_empty() {
            return Ok(Read { tokens, bits: Vec::new(), cache });
        }
        let input = self.input(&tokens.ids);
        let rows = self.model.read(&mut [Run { tokens: &input, cache: &mut cache }])?;
        let bits = self.bits(&rows, &tokens.ids)?;
        Ok(Read { tokens, bits, cache })
    }

    /// The bits of whole texts, most of which they have in common with one that was read. What they share is not read again, and the rest of them together.
    pub(super) fn totals(&self, read: &Read, texts: &[String]) -> Result<Vec<f64>, LocalError> {
        let mut waiting = Vec::with_capacity(texts.len());
        for text in texts {
            let ids = self.vocabulary.tokens(text)?.ids;
            let shared = read.tokens.ids.iter().zip(&ids).take_while(|(before, now)| before == now).count();
            let rest = self.input(&ids).split_off(shared.min(ids.len()));
            let cache = read.cache.first(shared)?;
            waiting.push(Rest { input: rest, targets: ids[shared..].to_vec(), cache, bits: read.bits[..shared].iter().sum() });
        }
        let mut begin = 0;
        while begin < waiting.len() {
            let mut rows = 0;
            let fitting = waiting[begin..].iter().take_while(|rest| {
                rows += rest.input.len();
                rows <= ROWS
            });
            let end = begin + fitting.count().max(1);
            self.add(&mut waiting[begin..end])?;
            begin = end;
        }
        Ok(waiting.into_iter().map(|rest| rest.bits).collect())
    }

    /// Adds the bits of what is not shared.
    fn add(&self, waiting: &mut [Rest]) -> Result<(), LocalError> {
        let targets: Vec<u32> = waiting.iter().flat_map(|rest| rest.targets.iter().copied()).collect();
        let some = waiting.iter_mut().filter(|rest| !rest.input.is_empty());
        let mut runs: Vec<Run<'_>> = some.map(|rest| Run { tokens: &rest.input, cache: &mut rest.cache }).collect();
        if runs.is_empty() {
            return Ok(());
        }
        let rows = self.model.read(&mut runs)?;
        let mut bits = self.bits(&rows, &targets)?.into_iter();
        for rest in waiting {
            rest.bits += bits.by_ref().take(rest.targets.len()).sum::<f64>();
        }
        Ok(())
    }

    /// What the model reads to tell each of these tokens: the one before it.
    fn input(&self, ids: &[u32]) -> Vec<u32> {
        let before = ids.split_last().map_or(&[][..], |(_, before)| before);
        if ids.is_empty() { Vec::new() } else { [&[self.vocabulary.text_end], before].concat() }
    }

    /// The bits of each target after its row.
    fn bits(&self, rows: &Tensor, targets: &[u32]) -> Result<Vec<f64>, LocalError> {
        let mut bits = Vec::with_capacity(targets.len());
        for some in targets.chunks(POSITIONS) {
            let logits = self.model.logits(&rows.narrow(0, bits.len(), some.len())?)?;
            for (logits, target) in logits.iter().zip(some) {
                bits.push(bits_of(logits, *target as usize).ok_or(LocalError::NotFinite)?);
            }
        }
        Ok(bits)
    }
}

/// The end of a text whose beginning was read.
struct Rest {
    input: Vec<u32>,
    targets: Vec<u32>,
    cache: Cache,
    bits: f64,
}

/// Minus the binary logarithm of a token's share; in 64 bits, for a sum over a vocabulary loses digits.
fn bits_of(logits: &[f32], target: usize) -> Option<f64> {
    let top = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let all: f64 = logits.iter().map(|logit| (f64::from(*logit) - top).exp()).sum();
    let bits = (all.ln() + top - f64::from(*logits.get(target)?)) / std::f64::consts::LN_2;
    // A share of one is minus nothing.
    bits.is_finite().then_some(bits.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_shares() {
        // Shares of 1/2, 1/4 and 1/4, told with any offset.
        let logits = [1.0 + std::f32::consts::LN_2, 1.0, 1.0];
        for (target, expected) in [(0, 1.0), (1, 2.0), (2, 2.0)] {
            let bits = bits_of(&logits, target).expect("numbers");
            assert!((bits - expected).abs() < 1e-6, "{bits}");
        }
        assert_eq!(bits_of(&[5.0], 0), Some(0.0));
        assert_eq!(bits_of(&[0.0, f32::NAN], 0), None);
        assert_eq!(bits_of(&[0.0], 1), None);
    }
}
