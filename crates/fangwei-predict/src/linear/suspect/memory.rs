//! Memory: which words were seen after a noun and after a verb, in sound places. What the cloze knows in weights, in numbers that people can read.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::BTreeMap;

use super::context::Surroundings;
use super::passage::Passage;
use super::view::View;

/// Rarer neighbours are forgotten.
const LEAST: u32 = 2;

type Counts = BTreeMap<SmolStr, BTreeMap<SmolStr, u32>>;

/// Counts of words by their neighbours.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    nouns: Counts,
    verbs: Counts,
}

impl Memory {
    /// Counts the sound sites of passages; an origin group counts once.
    pub fn count<'p>(views: impl Iterator<Item = (&'p Passage, &'p View<'p>)>) -> Memory {
        let mut memory = Memory::default();
        let mut seen: FxHashSet<(u32, SmolStr, SmolStr)> = FxHashSet::default();
        for (passage, view) in views {
            for (number, site) in passage.sites.iter().enumerate().filter(|(number, _)| passage.sound[*number] >= 1.0) {
                let around = &view.around[number];
                for (counts, beside) in [(&mut memory.nouns, around.noun), (&mut memory.verbs, around.verb)] {
                    let Some(beside) = beside.map(SmolStr::from) else { continue };
                    if seen.insert((passage.group, beside.clone(), site.word.clone())) {
                        *counts.entry(beside).or_default().entry(site.word.clone()).or_default() += 1;
                    }
                }
            }
        }
        for counts in [&mut memory.nouns, &mut memory.verbs] {
            counts.retain(|_, words| words.values().sum::<u32>() >= LEAST);
        }
        memory
    }

    /// Logarithms: how often the noun before was seen, how often with this word; the same for the verb.
    pub fn counts(&self, around: &Surroundings<'_>, word: &str) -> [f32; 4] {
        let of = |counts: &Counts, beside: Option<&str>| {
            let Some(words) = beside.map(|beside| counts.get(beside)) else { return [f32::NAN; 2] };
            let sum: u32 = words.map_or(0, |words| words.values().sum());
            let own = words.and_then(|words| words.get(word)).copied().unwrap_or(0);
            [sum, own].map(|count| (count as f32).ln_1p())
        };
        let ([noun, noun_word], [verb, verb_word]) = (of(&self.nouns, around.noun), of(&self.verbs, around.verb));
        [noun, noun_word, verb, verb_word]
    }

    /// The words seen after a noun, the most common first.
    pub fn after(&self, noun: &str) -> Vec<(&str, u32)> {
        let mut words: Vec<(&str, u32)> =
            self.nouns.get(noun).into_iter().flatten().map(|(word, count)| (word.as_str(), *count)).collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        words
    }
}
