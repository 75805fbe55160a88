//! What annotators get: texts under names that tell nothing, in an order that keeps siblings apart. The key stays behind.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
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

/// A line of the key: which candidate an item is, and the text that it must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unblind {
    /// The item.
    pub qid: SmolStr,
    /// The candidate.
    pub id: SmolStr,
    /// Its text: what comes back under the item's name must be about this.
    pub context: String,
}

/// The first id that was there before: names are drawn from ids, and a candidate goes back to its original by one.
pub fn repeated<'i>(mut ids: impl Iterator<Item = &'i str>) -> Option<&'i str> {
    let mut known = FxHashSet::default();
    ids.find(|id| !known.insert(*id))
}

/// The candidates that were not given out before.
pub fn fresh<'c>(candidates: &'c [Candidate], given_out: &[Candidate]) -> Vec<&'c Candidate> {
    let known: FxHashSet<&str> = given_out.iter().map(|candidate| candidate.id.as_str()).collect();
    candidates.iter().filter(|candidate| !known.contains(candidate.id.as_str())).collect()
}

/// Items and their key, in an order given by the seed in which siblings stand as far apart as their number allows.
///
/// A name is drawn from the seed and the candidate's own name: it tells nothing without both, and stays the same when other candidates come or go, so that what
/// annotators have can still be told apart after the candidates were made again.
pub fn blind(candidates: &[&Candidate], seed: u64) -> (Vec<Blind>, Vec<Unblind>) {
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
    let ordered = || rounds.iter().map(|(.., number)| candidates[*number]);
    let items = ordered().map(|candidate| Blind { qid: name(candidate, seed), context: candidate.context.clone() });
    let key = ordered().map(|candidate| Unblind {
        qid: name(candidate, seed),
        id: candidate.id.clone(),
        context: candidate.context.clone(),
    });
    (items.collect(), key.collect())
}

/// Sixty-four bits of a hash: two of a million candidates share a name once in forty million runs.
fn name(candidate: &Candidate, seed: u64) -> SmolStr {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(candidate.id.as_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    format_smolstr!("b-{:016x}", u64::from_be_bytes([a, b, c, d, e, f, g, h]))
}
