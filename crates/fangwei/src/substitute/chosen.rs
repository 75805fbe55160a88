//! The candidates of one original: few of each place and of each pair, chosen evenly.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use super::chooser::mark;
use super::draft::Draft;
use super::{Candidate, Config, Replaced};
use crate::lexicon::Class;

type Pair = (SmolStr, SmolStr);

/// How often pairs and new words were used so far.
#[derive(Default)]
pub(super) struct Used {
    pub pairs: FxHashMap<Pair, usize>,
    words: FxHashMap<SmolStr, usize>,
}

impl Used {
    fn pair(&self, replaced: &Replaced) -> usize {
        self.pairs.get(&(replaced.from.clone(), replaced.to.clone())).copied().unwrap_or(0)
    }

    fn allows(&self, replaced: &Replaced, config: &Config) -> bool {
        let word = self.words.get(&replaced.to).copied().unwrap_or(0);
        (config.per_pair == 0 || self.pair(replaced) < config.per_pair) && (config.per_word == 0 || word < config.per_word)
    }

    pub fn count(&mut self, replaced: &Replaced) {
        *self.pairs.entry((replaced.from.clone(), replaced.to.clone())).or_default() += 1;
        *self.words.entry(replaced.to.clone()).or_default() += 1;
    }
}

/// The candidates of one original as they are chosen.
pub(super) struct Chosen<'c> {
    pub draft: &'c Draft,
    pub config: &'c Config,
    pub candidates: Vec<Candidate>,
    pub texts: &'c mut FxHashSet<u128>,
    pub used: &'c mut Used,
}

impl Chosen<'_> {
    /// Takes substitutions of one word, the place with the fewest so far first, then the rarest pair.
    pub fn singles(&mut self) {
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for kept in self.candidates.iter().filter(|candidate| candidate.replaced.len() == 1) {
            *places.entry(kept.replaced[0].at).or_default() += 1;
        }
        let mut singles: usize = places.values().sum();
        // What a cap forbids now it forbids to the end. How often a pair was used is looked up once: only what is taken here changes it.
        let allowed = self.draft.possible.iter().filter(|replaced| self.used.allows(replaced, self.config));
        let mut left: Vec<(usize, &Replaced)> = allowed.map(|replaced| (self.used.pair(replaced), replaced)).collect();
        while singles < self.config.single {
            let rank = |(times, replaced): &(usize, &Replaced)| {
                (places.get(&replaced.at).copied().unwrap_or(0), *times, class_rank(replaced.class))
            };
            let Some(best) = (0..left.len()).min_by_key(|number| rank(&left[*number])) else { break };
            let (_, replaced) = left.swap_remove(best);
            let place = places.entry(replaced.at).or_default();
            if *place < self.config.per_place && self.take(&[replaced]) {
                *place += 1;
                singles += 1;
                let same = |other: &Replaced| (&other.from, &other.to) == (&replaced.from, &replaced.to);
                left.iter_mut().filter(|(_, other)| same(other)).for_each(|(times, _)| *times += 1);
            }
        }
    }

    /// Takes substitutions of two words at different places.
    pub fn doubles(&mut self) {
        let possible = &self.draft.possible;
        let mut doubles = self.candidates.iter().filter(|candidate| candidate.replaced.len() == 2).count();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, first) in possible.iter().enumerate() {
            if doubles >= self.config.double {
                return;
            }
            let fresh =
                |replaced: &Replaced, places: &BTreeMap<usize, usize>| places.get(&replaced.at).copied().unwrap_or(0) == 0;
            let Some(second) = possible[number + 1..]
                .iter()
                .find(|second| second.at != first.at && second.class == first.class && fresh(second, &places))
            else {
                continue;
            };
            if !fresh(first, &places) {
                continue;
            }
            let pair = if first.at < second.at { [first, second] } else { [second, first] };
            if self.take(&pair) {
                doubles += 1;
                for replaced in pair {
                    *places.entry(replaced.at).or_default() += 1;
                }
            }
        }
    }

    /// The candidates with their names: those of one word first, in the order of their places.
    pub fn named(mut self) -> Vec<Candidate> {
        self.candidates.sort_by_key(|candidate| (candidate.replaced.len(), candidate.replaced[0].at));
        for candidate in &mut self.candidates {
            candidate.id = name(candidate);
        }
        self.candidates
    }

    /// Adds a candidate, unless a cap is full or the text is there already.
    fn take(&mut self, replaced: &[&Replaced]) -> bool {
        let twice = replaced.len() == 2 && replaced[0].to == replaced[1].to;
        if twice || !replaced.iter().all(|replaced| self.used.allows(replaced, self.config)) {
            return false;
        }
        let (context, replaced) = write(&self.draft.text, replaced);
        if !self.texts.insert(mark(&context)) {
            return false;
        }
        for replaced in &replaced {
            self.used.count(replaced);
        }
        let Draft { id, genre, source, line, .. } = self.draft;
        self.candidates.push(Candidate {
            id: SmolStr::default(),
            origin: id.clone(),
            genre: genre.clone(),
            source: source.clone(),
            line: *line,
            context,
            replaced,
        });
        true
    }
}

/// The name of a candidate says what it is made of, so that it stays the same however many others there are.
fn name(candidate: &Candidate) -> SmolStr {
    let changes = candidate.replaced.iter().map(|replaced| format!("@{}{}", replaced.at, replaced.to));
    format_smolstr!("{}{}", candidate.origin, changes.collect::<String>())
}

/// Among equals the classes come in the order of the configuration's default: locatives first.
fn class_rank(class: Class) -> usize {
    Class::ALL.iter().position(|known| *known == class).unwrap_or(usize::MAX)
}

/// The text with words replaced, and where the new ones stand in it.
fn write(text: &str, replaced: &[&Replaced]) -> (String, Vec<Replaced>) {
    let characters: Vec<char> = text.chars().collect();
    let mut written = String::with_capacity(text.len());
    let mut placed = Vec::with_capacity(replaced.len());
    let (mut at, mut length) = (0, 0);
    for one in replaced {
        written.extend(&characters[at..one.at]);
        length += one.at - at;
        placed.push(Replaced { at: length, ..(*one).clone() });
        written.push_str(&one.to);
        length += one.to.chars().count();
        at = one.at + one.from.chars().count();
    }
    written.extend(&characters[at..]);
    (written, placed)
}
