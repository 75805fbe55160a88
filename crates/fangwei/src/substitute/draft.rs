//! What may be substituted in one original, before anything is chosen. A draft depends on its original, the lexicon, the rules and the seed alone, so drafts
//! can be made anywhere and in any order; it holds all that the choice needs, and no words of the passage.

use std::ops::AddAssign;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::rules::{Looks, RULES, Rule, Slot, Trial};
use super::{Config, Replaced};
use crate::chance::Dice;
use crate::corpus::Passage;
use crate::hash::hash;
use crate::lexicon::Lexicon;

/// The possible substitutions of an original, in an order that the seed gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The original's lot, a hash of seed and id: drafts are served in the order of lots.
    pub lot: u64,
    /// The original's name.
    pub id: SmolStr,
    /// Its genre.
    pub genre: SmolStr,
    /// The file that it was cut from.
    pub source: Arc<str>,
    /// The line on which it begins there.
    pub line: u64,
    /// Its text.
    pub text: String,
    /// Every substitution of one word that no rule forbids; places are those of the original. Written by places, so that a place is written once.
    #[serde(with = "by_place")]
    pub possible: Vec<Replaced>,
    /// What became of its words.
    pub tried: Tried,
}

impl Draft {
    /// What the order of drafts is told by: the lot, and the name where two have one lot.
    pub fn turn(&self) -> (u64, &str) {
        (self.lot, &self.id)
    }
}

/// What became of the words of originals before any choice. They sum up, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Words that the lexicon knows in one of the wanted classes.
    pub words: usize,
    /// Words left, each with at least one rival.
    pub places: usize,
    /// Substitutions of one word that were tried.
    pub trials: usize,
    /// Substitutions left.
    pub possible: usize,
    /// Words or substitutions that each of [`RULES`] put aside.
    pub dropped: [usize; RULES.len()],
}

impl AddAssign<&Tried> for Tried {
    fn add_assign(&mut self, other: &Tried) {
        self.words += other.words;
        self.places += other.places;
        self.trials += other.trials;
        self.possible += other.possible;
        self.dropped.iter_mut().zip(other.dropped).for_each(|(sum, dropped)| *sum += dropped);
    }
}

/// An original's lot under a seed.
pub(super) fn lot(passage: &Passage, config: &Config) -> u64 {
    hash(config.seed, &passage.id)
}

/// Finds what may be substituted in a passage.
pub fn draft(passage: &Passage, lexicon: &Lexicon, config: &Config) -> Draft {
    let lot = lot(passage, config);
    let (mut possible, tried) = possible(passage, lexicon, config);
    // Dice of its own, so that no other original has a part in the order.
    Dice::new(config.seed, lot).shuffle(&mut possible);
    let Passage { id, genre, source, line, text, .. } = passage;
    Draft { lot, id: id.clone(), genre: genre.clone(), source: source.clone(), line: *line, text: text.clone(), possible, tried }
}

/// Every substitution of one word of a passage that no rule forbids, in the order of the text.
fn possible(passage: &Passage, lexicon: &Lexicon, config: &Config) -> (Vec<Replaced>, Tried) {
    let on = |rule: &Rule| config.without.iter().all(|without| without != rule.name);
    let first = |forbids: &dyn Fn(&Rule) -> bool| RULES.iter().position(|rule| on(rule) && forbids(rule));
    let (mut possible, mut tried) = (Vec::new(), Tried::default());
    for (number, (at, word)) in passage.placed().enumerate() {
        for class in config.classes.iter().copied().filter(|class| lexicon.has(&word.text, *class)) {
            // A word of two classes is asked in the one in which it stands here, or in its first where it stands in none.
            if word.class.is_some_and(|here| here != class && config.classes.contains(&here)) {
                continue;
            }
            let slot = Slot { passage, number, at, class };
            tried.words += 1;
            if let Some(rule) = first(&|rule| matches!(rule.looks, Looks::Word(may) if !may(&slot, lexicon))) {
                tried.dropped[rule] += 1;
                break;
            }
            let rivals = lexicon.rivals(&word.text, class);
            tried.places += usize::from(!rivals.is_empty());
            for rival in rivals {
                tried.trials += 1;
                let trial = Trial { slot, rival };
                if let Some(rule) = first(&|rule| matches!(rule.looks, Looks::Substitution(may) if !may(&trial, lexicon))) {
                    tried.dropped[rule] += 1;
                    continue;
                }
                tried.possible += 1;
                let (from, to) = (word.text.clone(), rival.word.clone());
                possible.push(Replaced { at, from, to, class, group: rival.group.name.clone() });
            }
            break;
        }
    }
    (possible, tried)
}

/// Substitutions as places and what may stand there: a place has a dozen rivals or more.
mod by_place {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use smol_str::SmolStr;

    use super::super::Replaced;
    use crate::lexicon::Class;

    /// Where, which word, and its class; then the number of a place, a new word and their group.
    #[derive(Serialize, Deserialize)]
    struct Written(Vec<(usize, SmolStr, Class)>, Vec<(u32, SmolStr, SmolStr)>);

    pub fn serialize<S: Serializer>(possible: &[Replaced], serializer: S) -> Result<S::Ok, S::Error> {
        let mut places: Vec<(usize, SmolStr, Class)> = Vec::new();
        let written = possible.iter().map(|replaced| {
            let place = (replaced.at, replaced.from.clone(), replaced.class);
            let number = places.iter().position(|other| *other == place).unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            });
            (number as u32, replaced.to.clone(), replaced.group.clone())
        });
        let written = written.collect();
        Written(places, written).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Replaced>, D::Error> {
        let Written(places, written) = Written::deserialize(deserializer)?;
        let replaced = |(number, to, group): (u32, SmolStr, SmolStr)| {
            let (at, from, class) = places
                .get(number as usize)
                .cloned()
                .ok_or_else(|| D::Error::custom(format!("expected a place below {}, found {number}", places.len())))?;
            Ok(Replaced { at, from, to, class, group })
        };
        written.into_iter().map(replaced).collect()
    }
}
