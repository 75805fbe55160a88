//! Rivals: the words that may stand at a site in place of the one that does.
//!
//! They come from the substitution groups of the lexicon and from the replacements that siblings show in training.

use fangwei::lexicon::{Class, Lexicon};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::BTreeMap;

use super::passage::Passage;

/// So many rivals of a word are weighed.
const MOST_RIVALS: usize = 14;

/// How often words stood in place of others, and where it did harm.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rivals {
    /// By word that stands there and word before: how often in all, how often the text was normal, how often abnormal; an origin group counts once.
    pairs: BTreeMap<SmolStr, BTreeMap<SmolStr, [f32; 3]>>,
    /// By word: how often it stands replaced, how often sound, and how often it was replaced by another.
    words: BTreeMap<SmolStr, [f32; 3]>,
    /// All replacements.
    total: f32,
}

impl Rivals {
    /// Counts what a set of passages shows.
    pub fn count<'p>(passages: impl Iterator<Item = &'p Passage>) -> Rivals {
        let mut rivals = Rivals::default();
        let mut seen: FxHashSet<(u32, SmolStr, SmolStr, Option<bool>)> = FxHashSet::default();
        for passage in passages {
            for (number, site) in passage.sites.iter().enumerate() {
                let Some(from) = &passage.before[number] else {
                    if passage.sound[number] > 0.9 {
                        // Siblings repeat their sound words; a fifth is about one of them.
                        rivals.words.entry(site.word.clone()).or_default()[1] += 0.2;
                    }
                    continue;
                };
                let from = SmolStr::from(from.as_str());
                if from == site.word || !seen.insert((passage.group, from.clone(), site.word.clone(), passage.normal)) {
                    continue;
                }
                let blame = match passage.normal {
                    Some(false) => passage.gold.iter().find(|(at, _)| *at == number).map_or(0.0, |(_, share)| *share),
                    _ => 0.0,
                };
                let counts = rivals.pairs.entry(site.word.clone()).or_default().entry(from.clone()).or_default();
                counts[0] += 1.0;
                counts[1] += f32::from(u8::from(passage.normal == Some(true)));
                counts[2] += blame;
                rivals.words.entry(site.word.clone()).or_default()[0] += 1.0;
                rivals.words.entry(from).or_default()[2] += 1.0;
                rivals.total += 1.0;
            }
        }
        rivals
    }

    /// The word itself, then its rivals: those seen in training by number, then those of the lexicon.
    pub fn of(&self, word: &SmolStr, class: Class) -> Vec<SmolStr> {
        let mut all = vec![word.clone()];
        let mut seen: BTreeMap<&SmolStr, f32> = BTreeMap::new();
        for (from, counts) in self.pairs.get(word).into_iter().flatten() {
            *seen.entry(from).or_default() += counts[0];
        }
        let mut seen: Vec<(&SmolStr, f32)> = seen.into_iter().filter(|(_, count)| *count >= 2.0).collect();
        seen.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let known = Lexicon::shipped().rivals(word, class).into_iter().map(|rival| rival.word);
        for rival in seen.into_iter().map(|(rival, _)| rival).chain(known) {
            if all.len() > MOST_RIVALS {
                break;
            }
            if !all.contains(rival) {
                all.push(rival.clone());
            }
        }
        all
    }

    /// What is known of a word that stands for others.
    pub fn standing(&self, to: &str) -> Standing<'_> {
        let pairs = self.pairs.get(to);
        let sum = |place: usize| pairs.into_iter().flat_map(BTreeMap::values).map(|counts| counts[place]).sum::<f32>();
        Standing {
            rivals: self,
            pairs,
            share: self.words.get(to).map_or(0.0, |counts| counts[0]) / self.total.max(1.0),
            harm: (sum(2) + 0.7 * 6.0) / (sum(1) + sum(2) + 6.0),
        }
    }

    /// The log-odds that the word stands there replaced, whatever is around it.
    pub fn suspicion(&self, word: &str) -> f32 {
        let [replaced, sound, _] = self.words.get(word).copied().unwrap_or_default();
        ((replaced + 0.5) / (sound + 2.0)).ln()
    }
}

/// A word that stands for others.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'r> {
    rivals: &'r Rivals,
    pairs: Option<&'r BTreeMap<SmolStr, [f32; 3]>>,
    /// Its share of all replacements.
    share: f32,
    /// How likely it does harm, whatever it stands for.
    harm: f32,
}

impl Standing<'_> {
    /// How likely `from` is replaced by this word, of all that it is replaced by.
    pub fn turns(&self, from: &str) -> f32 {
        let pair = self.pairs.and_then(|pairs| pairs.get(from)).map_or(0.0, |counts| counts[0]);
        let all = self.rivals.words.get(from).map_or(0.0, |counts| counts[2]);
        (pair + 2.0 * self.share + 0.002) / (all + 2.0)
    }

    /// How likely it does harm that it stands for `from`: as often as was seen, and where that is seldom, as often as the word does in all.
    pub fn harms(&self, from: &str) -> f32 {
        let [_, normal, abnormal] = self.pairs.and_then(|pairs| pairs.get(from)).copied().unwrap_or_default();
        (abnormal + 2.0 * self.harm) / (abnormal + normal + 2.0)
    }
}
