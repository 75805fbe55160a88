//! What annotators get: texts under names that tell nothing, in an order that keeps siblings apart. The key stays behind.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use super::Candidate;
use crate::chance::Dice;

/// An item as an annotator sees it: a record of every task that asks about one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blind {
    /// A name that tells nothing about origin or substitution.
    pub qid: SmolStr,
    /// The text.
    pub context: String,
}

/// A line of the key: which candidate an item is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unblind {
    /// The item.
    pub qid: SmolStr,
    /// The candidate.
    pub id: SmolStr,
}

/// Items and their key, in an order given by the seed in which siblings stand as far apart as their number allows.
pub fn blind(candidates: &[Candidate], seed: u64) -> (Vec<Blind>, Vec<Unblind>) {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    Dice::new(seed, 1).shuffle(&mut order);
    // In rounds: the first sibling of every origin, then the second of every origin that has one, and so on.
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut rounds: Vec<(usize, usize, usize)> = Vec::with_capacity(order.len());
    for (place, number) in order.into_iter().enumerate() {
        let round = seen.entry(&candidates[number].origin).or_default();
        rounds.push((*round, place, number));
        *round += 1;
    }
    rounds.sort_unstable();
    let width = candidates.len().to_string().len();
    let name = |place: usize| format_smolstr!("b-{:0width$}", place + 1);
    let numbered = || rounds.iter().enumerate().map(|(place, (.., number))| (name(place), &candidates[*number]));
    let items = numbered().map(|(qid, candidate)| Blind { qid, context: candidate.context.clone() });
    let key = numbered().map(|(qid, candidate)| Unblind { qid, id: candidate.id.clone() });
    (items.collect(), key.collect())
}
