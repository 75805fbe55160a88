//! What comes together in one place: of each passage that passes a few numbers, in any order, from which follows who is kept.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::balance::{Passing, balance};
use super::config::Config;
use super::funnel::Funnel;
use crate::hash::hash;
use crate::lang::{Unknown, words};

/// What is said of one passage: all that a draw needs to know of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// A hash of its id.
    pub id: u64,
    /// Its lot, a hash of seed and id: the passage with the smaller one is drawn first.
    pub lot: u64,
    /// Its genre.
    pub genre: SmolStr,
    /// A hash of its source.
    pub source: u64,
    /// The number of the first of [`CRITERIA`](super::CRITERIA) that it misses; none where it passes.
    pub fell: Option<usize>,
}

impl Verdict {
    /// The verdict on a passage that misses this criterion, or none.
    pub fn new(id: &str, genre: SmolStr, source: &str, fell: Option<usize>, seed: u64) -> Verdict {
        Verdict { id: hash(0, id), lot: hash(seed, id), genre, source: hash(0, source), fell }
    }
}

/// The passages that pass. They may come in any order and be fed from anywhere: the numbers of their records alone say which comes first.
#[derive(Clone, Debug, Default)]
pub struct Draw {
    passing: Vec<Passing>,
    /// Where among these the first passage of each id stands.
    firsts: FxHashMap<u64, usize>,
    /// Genres by their number, in the order in which they came; the result does not depend on it.
    names: Vec<SmolStr>,
    genres: FxHashMap<SmolStr, u32>,
    repeated: u64,
}

/// Who is kept, and where the others fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The numbers of the records that are kept, sorted.
    pub kept: Vec<u64>,
    /// Where passages fell.
    pub funnel: Funnel,
    /// The genre that has too few passages for more to be kept, where that is what limits the number.
    pub short: Option<SmolStr>,
}

impl Draw {
    /// Takes the passage of the record with this number; one that fell is none of the draw's business.
    ///
    /// Of passages with the same id the first by number counts. Where this shows that two have one id, the number of the later one comes back: its record
    /// is defective.
    pub fn take(&mut self, number: u64, verdict: &Verdict) -> Option<u64> {
        if verdict.fell.is_some() {
            return None;
        }
        let genre = self.genre(&verdict.genre);
        let passing = Passing { number, lot: verdict.lot, genre, source: verdict.source };
        let at = *self.firsts.entry(verdict.id).or_insert(self.passing.len());
        let Some(first) = self.passing.get_mut(at) else {
            self.passing.push(passing);
            return None;
        };
        self.repeated += 1;
        let later = first.number.max(number);
        if number < first.number {
            *first = passing;
        }
        Some(later)
    }

    fn genre(&mut self, name: &SmolStr) -> u32 {
        if let Some(number) = self.genres.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.clone());
        self.genres.insert(name.clone(), number);
        number
    }

    /// Draws. `fallen` counts the passages that fell and the records that were no passages; a share of a genre that no passage has is an error.
    pub fn finish(self, fallen: &Funnel, config: &Config) -> Result<Drawn, Unknown> {
        let Draw { mut passing, firsts, names, genres: _, repeated } = self;
        // Before the draw, which needs memory of its own.
        drop(firsts);
        let mut funnel = fallen.clone();
        funnel.defective += repeated;
        for one in &passing {
            funnel.genres.entry(names[one.genre as usize].clone()).or_default().passages += 1;
        }
        if let Some(unknown) = config.shares.keys().find(|genre| !funnel.genres.contains_key(genre.as_str())) {
            let known = funnel.genres.keys().map(SmolStr::as_str);
            return Err(Unknown::new(words("没有这个体裁", "unknown genre"), unknown, known));
        }
        // From here on genres are numbered by name, so that it does not matter which came first.
        let sorted: Vec<SmolStr> = funnel.genres.keys().cloned().collect();
        let number = |name: &SmolStr| sorted.partition_point(|other| other < name) as u32;
        let numbers: Vec<u32> = names.iter().map(number).collect();
        for one in &mut passing {
            one.genre = numbers[one.genre as usize];
        }
        let shares: Vec<Option<f64>> = sorted.iter().map(|name| config.shares.get(name.as_str()).copied()).collect();
        let balance = balance(passing, &shares, config);
        for (number, tally) in funnel.genres.values_mut().enumerate() {
            tally.over_source = balance.over_source[number];
            tally.over_share = balance.over_share[number];
            tally.kept = balance.kept_of[number];
        }
        Ok(Drawn { kept: balance.kept, funnel, short: balance.short.map(|number| sorted[number].clone()) })
    }
}
