//! Every number by which a passage is judged. What a model has to be asked for is asked only when it is wanted.

use std::cell::OnceCell;

use super::config::Config;
use super::criterion::CRITERIA;
use super::draw::Verdict;
use super::guess::{Guess, Rank, Rivals};
use super::surface::Surface;
use crate::corpus::{Passage, Word};
use crate::lexicon::Lexicon;

/// What passages are judged by.
pub struct Judge<'a> {
    /// Limits and weights.
    pub config: &'a Config,
    lexicon: &'a Lexicon,
    guess: Option<&'a dyn Guess>,
    rivals: Rivals<'a>,
}

impl<'a> Judge<'a> {
    /// A judge; without a guesser no word is guessed.
    pub fn new(config: &'a Config, lexicon: &'a Lexicon, guess: Option<&'a dyn Guess>) -> Judge<'a> {
        Judge { config, lexicon, guess, rivals: Rivals::of(lexicon) }
    }

    /// Looks at a passage.
    pub fn look(&'a self, passage: &'a Passage) -> Evidence<'a> {
        let Judge { config, lexicon, .. } = *self;
        let weight = |word: &Word| {
            let class = word.class?;
            Some(config.weight(class, lexicon.entry(&word.text, class).and_then(|entry| entry.model)))
        };
        let weights: Vec<f64> = passage.words.iter().filter_map(weight).collect();
        let mut entities: Vec<&str> = Vec::new();
        for word in passage.words.iter().filter(|word| is_entity(word, lexicon, config.pronouns)) {
            if !entities.contains(&word.text.as_str()) {
                entities.push(&word.text);
            }
        }
        Evidence {
            passage,
            characters: passage.text.chars().count(),
            spatial: weights.len(),
            // From 0, because the sum of nothing is −0.
            weight: weights.iter().fold(0.0, |sum, weight| sum + weight),
            entities,
            surface: Surface::of(passage),
            judge: self,
            ranks: OnceCell::new(),
        }
    }

    /// The number of the first of [`CRITERIA`] that a passage misses.
    pub fn first_missed(&self, passage: &Passage) -> Option<usize> {
        let evidence = self.look(passage);
        CRITERIA.iter().position(|criterion| !criterion.limit(self.config).holds(criterion.value(&evidence)))
    }

    /// What a draw needs to know of a passage.
    pub fn verdict(&self, passage: &Passage) -> Verdict {
        Verdict::new(&passage.id, passage.genre.clone(), &passage.source, self.first_missed(passage), self.config.seed)
    }
}

/// A passage with its numbers.
pub struct Evidence<'a> {
    /// The passage.
    pub passage: &'a Passage,
    /// How many characters it has.
    pub characters: usize,
    /// How many spatial words.
    pub spatial: usize,
    /// What they weigh together.
    pub weight: f64,
    /// Its words for things, persons and places, each once, in the order of the text.
    pub entities: Vec<&'a str>,
    /// Signs of errors.
    pub surface: Surface,
    judge: &'a Judge<'a>,
    ranks: OnceCell<Vec<(usize, Rank)>>,
}

impl Evidence<'_> {
    /// Weighted spatial words per hundred characters.
    pub fn density(&self) -> f64 {
        if self.characters == 0 { 0.0 } else { 100.0 * self.weight / self.characters as f64 }
    }

    /// The share of words whose tagging is doubtful.
    pub fn doubts(&self) -> f64 {
        let words = self.passage.words.len();
        if words == 0 { 0.0 } else { self.passage.doubts.len() as f64 / words as f64 }
    }

    /// How each spatial word with rivals ranks among them, by the number of the word.
    pub fn ranks(&self) -> &[(usize, Rank)] {
        self.ranks.get_or_init(|| {
            let Some(guess) = self.judge.guess else { return Vec::new() };
            let slots = self.judge.rivals.slots(self.passage);
            let ranks = guess.rank(self.passage, &slots);
            slots.iter().map(|slot| slot.at).zip(ranks).collect()
        })
    }

    /// The share of spatial words with rivals that were guessed.
    pub fn guessed(&self) -> f64 {
        let ranks = self.ranks();
        let guessed = ranks.iter().filter(|(_, rank)| rank.is_guessed()).count();
        if ranks.is_empty() { 0.0 } else { guessed as f64 / ranks.len() as f64 }
    }

    /// How many spatial words have rivals and were not guessed. Without a guesser, all spatial words.
    pub fn hard(&self) -> usize {
        match self.judge.guess {
            Some(_) => self.ranks().iter().filter(|(_, rank)| !rank.is_guessed()).count(),
            None => self.spatial,
        }
    }
}

/// Words for persons that are no nouns.
const PRONOUNS: [&str; 15] =
    ["我", "你", "您", "他", "她", "它", "我们", "你们", "他们", "她们", "它们", "咱", "咱们", "大家", "人家"];

/// Whether a word names a thing, a person or a place: a noun of the lexicon, a noun whose head is one (替补队员), or a name.
fn is_entity(word: &Word, lexicon: &Lexicon, pronouns: bool) -> bool {
    let text = word.text.as_str();
    if word.class.is_some() || lexicon.is_abstract(text) {
        return false;
    }
    let headed = || {
        let mut begins = text.char_indices().rev().map(|(at, _)| at);
        let (last, second) = (begins.next(), begins.next());
        [second, last].into_iter().flatten().any(|at| at > 0 && lexicon.noun(&text[at..]).is_some())
    };
    match word.pos.as_str() {
        "nr" | "ns" | "nt" | "nz" | "nrt" | "nrfg" => true,
        pos if pos.starts_with('n') => lexicon.noun(text).is_some() || headed(),
        // The dictionary's tag for characters that it cannot class (车, 井, 县).
        "zg" => lexicon.noun(text).is_some(),
        pos if pos.starts_with('r') => pronouns && PRONOUNS.contains(&text),
        // Of one character, a noun of the lexicon may as well be a measure (米), a particle (地) or a verb (连).
        _ => text.chars().nth(1).is_some() && lexicon.noun(text).is_some(),
    }
}
