//! Originals into candidates: one or two spatial words replaced by rivals of their class.
//!
//! Which words may be replaced, and by what, is said by the lexicon's groups and by named [`RULES`]; how many come out is said by caps, so that neither an
//! original nor a pair of words dominates. A candidate keeps its origin, the places, words and classes: any item can be traced to its source sentence.
//!
//! The words of an original are looked at apart from all others ([`draft`](fn@draft), on any machine); only the choice among what is possible, which the caps of the whole
//! set bind, is made in one place and in one order ([`Chooser`]). [`substitute`](fn@substitute) is made of these.

mod blind;
mod chooser;
mod chosen;
mod draft;
mod keep;
mod rules;
mod run;
#[cfg(test)]
mod tests;

pub use blind::{Blind, Unblind, blind, fresh, repeated};
pub use chooser::{Chooser, Disorder, mark};
pub use draft::{Draft, Tried, draft};
pub use keep::Misfit;
pub use rules::{RULES, Rule, Slot, Trial};
pub use run::substitute;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::lang::{Unknown, words};
use crate::lexicon::Class;

/// What is replaced and how much of it. The defaults come near the 2022 set: 8.4 candidates an original.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Everything that is chosen at random follows from it.
    pub seed: u64,
    /// The classes whose words are replaced.
    pub classes: Vec<Class>,
    /// At most so many candidates with one replaced word, for each original.
    pub single: usize,
    /// At most so many candidates with two replaced words, for each original.
    pub double: usize,
    /// At most so many candidates with one replaced word that replace the same word of an original.
    pub per_place: usize,
    /// At most so many candidates with the same pair of words, in the whole set; 0 for no limit.
    pub per_pair: usize,
    /// At most so many candidates with the same new word, in the whole set; 0 for no limit.
    pub per_word: usize,
    /// Rules that are not applied, by name.
    pub without: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 1,
            classes: vec![Class::Locative, Class::Place, Class::Directional, Class::Preposition, Class::Adverb],
            single: 7,
            double: 2,
            per_place: 3,
            per_pair: 200,
            per_word: 0,
            without: Vec::new(),
        }
    }
}

impl Config {
    /// Refuses rules that nobody knows, and to leave out the one that nothing may break.
    pub fn check(&self) -> Result<(), Unknown> {
        if let Some(always) = self.without.iter().find(|name| *name == "abstract-noun") {
            let rest = RULES.iter().map(|rule| rule.name).filter(|name| *name != "abstract-noun");
            return Err(Unknown::new(words("这条规则不能不用", "this rule cannot be left out"), always, rest));
        }
        let unknown = self.without.iter().find(|name| RULES.iter().all(|rule| rule.name != **name));
        unknown.map_or(Ok(()), |name| {
            Err(Unknown::new(words("没有这条规则", "unknown rule"), name, RULES.iter().map(|rule| rule.name)))
        })
    }
}

/// One replaced word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The number of the new word's first character in the candidate.
    pub at: usize,
    /// The original word.
    pub from: SmolStr,
    /// The new word.
    pub to: SmolStr,
    /// The class of both.
    pub class: Class,
    /// The group that holds both.
    pub group: SmolStr,
}

/// An original with one or two words replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its name: the original's, and each new word after the number of its first character, `news/01.txt#3@12外`.
    pub id: SmolStr,
    /// The name of the original.
    pub origin: SmolStr,
    /// The original's genre.
    pub genre: SmolStr,
    /// The file that the original was cut from.
    pub source: Arc<str>,
    /// The line on which the original begins there.
    pub line: u64,
    /// The text.
    pub context: String,
    /// What was replaced, in the order of the text.
    pub replaced: Vec<Replaced>,
}

/// What became of the words of the originals on their way to candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// Originals read.
    pub originals: usize,
    /// Originals that gave at least one candidate.
    pub used: usize,
    /// Candidates that were given to people before and stay.
    pub kept: usize,
    /// Words that the lexicon knows in one of the wanted classes.
    pub words: usize,
    /// Words that each rule put aside.
    pub words_dropped: BTreeMap<&'static str, usize>,
    /// Words left, each with at least one rival.
    pub places: usize,
    /// Substitutions of one word that were tried.
    pub trials: usize,
    /// Substitutions that each rule put aside.
    pub trials_dropped: BTreeMap<&'static str, usize>,
    /// Substitutions left.
    pub possible: usize,
    /// Candidates with one replaced word that the caps let through.
    pub single: usize,
    /// Candidates with two.
    pub double: usize,
    /// Distinct pairs of words among the candidates.
    pub pairs: usize,
    /// Distinct replaced words.
    pub replaced_words: usize,
    /// How often the most frequent pair occurs, and which it is.
    pub most: Option<(usize, String, String)>,
}

impl Funnel {
    /// Candidates for each original that gave any; 8.41 in the 2022 set.
    pub fn per_original(&self) -> f64 {
        (self.single + self.double) as f64 / self.used.max(1) as f64
    }

    /// Substitutions for each replaced word; the 2022 set's was 4.39 over its list of words.
    pub fn per_word(&self) -> f64 {
        (self.single + 2 * self.double) as f64 / self.replaced_words.max(1) as f64
    }
}
