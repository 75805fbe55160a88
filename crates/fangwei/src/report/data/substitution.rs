//! What substitution did: how many candidates an original gave, how often words and pairs were used.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::stats::Moments;
use crate::substitute::Candidate;

/// A pair of words and how often it was exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PairUse {
    /// The original word.
    pub from: String,
    /// The word in its place.
    pub to: String,
    /// The class of both.
    pub class: &'static str,
    /// How often.
    pub uses: u64,
}

/// The statistics that the 2022 paper compares with those of 2021, and a little more.
#[derive(Clone, Debug, Serialize)]
pub struct Substitution {
    /// Originals with a candidate.
    pub originals: u64,
    /// Candidates.
    pub candidates: u64,
    /// Candidates of an original.
    pub per_original: Option<Moments>,
    /// Candidates with one word replaced.
    pub single: u64,
    /// Candidates with two.
    pub double: u64,
    /// How often each new word was put in.
    pub per_word: Option<Moments>,
    /// How often each pair was exchanged.
    pub per_pair: Option<Moments>,
    /// Every pair, most frequent first.
    pub pairs: Vec<PairUse>,
}

impl Substitution {
    /// Of some candidates.
    pub fn of<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> Substitution {
        let mut originals: BTreeMap<&str, u64> = BTreeMap::new();
        let mut words: BTreeMap<&str, u64> = BTreeMap::new();
        let mut pairs: BTreeMap<(&str, &str, &'static str), u64> = BTreeMap::new();
        let (mut count, mut double) = (0, 0);
        for candidate in candidates {
            count += 1;
            double += u64::from(candidate.replaced.len() > 1);
            *originals.entry(&candidate.origin).or_default() += 1;
            for replaced in &candidate.replaced {
                *words.entry(&replaced.to).or_default() += 1;
                *pairs.entry((&replaced.from, &replaced.to, replaced.class.as_str())).or_default() += 1;
            }
        }
        let moments = |uses: &mut dyn Iterator<Item = u64>| Moments::of(uses.map(|uses| uses as f64));
        let mut used: Vec<PairUse> = pairs
            .iter()
            .map(|((from, to, class), uses)| PairUse { from: (*from).into(), to: (*to).into(), class, uses: *uses })
            .collect();
        // Stable: equal counts stay in the order of words.
        used.sort_by_key(|pair| std::cmp::Reverse(pair.uses));
        Substitution {
            originals: originals.len() as u64,
            candidates: count,
            per_original: moments(&mut originals.values().copied()),
            single: count - double,
            double,
            per_word: moments(&mut words.values().copied()),
            per_pair: moments(&mut pairs.values().copied()),
            pairs: used,
        }
    }
}
