//! Spatial words against their rivals: each word of the lexicon's groups is put in the place of the one that stands there, and the whole text is read again.
//!
//! Whole texts are compared, not words: tokens do not keep to words, and what comes after a word tells as much about it as what came before.

use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::{Class, Lexicon};
use serde::Serialize;
use smol_str::SmolStr;

use super::{Local, LocalError};

/// A rival in a word's place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RivalSurprise {
    /// The rival.
    pub word: SmolStr,
    /// By how many bits the text is more surprising with it; below zero where it is less.
    pub bits: f64,
}

/// A spatial word of a text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WordSurprise {
    /// The word.
    pub word: SmolStr,
    /// The class in which it stands here.
    pub class: Class,
    /// The number of its first character.
    pub at: usize,
    /// The bits of the tokens that touch it.
    pub bits: f64,
    /// Its rank among itself and its rivals, by the bits of the text; 1 is the least surprising.
    pub rank: usize,
    /// By how many bits the best rival makes the text less surprising; below zero where the word itself is the best.
    pub gap: f64,
    /// The rivals, the least surprising first.
    pub rivals: Vec<RivalSurprise>,
}

/// A text, and the spatial words in it that have rivals.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Weighed {
    /// How many characters it has.
    pub characters: usize,
    /// Its bits.
    pub bits: f64,
    /// Bits for each character.
    pub per_character: f64,
    /// Its words.
    pub words: Vec<WordSurprise>,
}

impl Weighed {
    /// The widest gap between a word and its best rival.
    pub fn gap(&self) -> Option<f64> {
        self.words.iter().map(|word| word.gap).reduce(f64::max)
    }

    /// Whether some word has a rival that makes the text less surprising by more than so many bits.
    pub fn is_abnormal(&self, margin: f64) -> bool {
        self.gap().is_some_and(|gap| gap > margin)
    }
}

impl Local {
    /// Weighs every spatial word of a text against its rivals.
    pub fn weigh(&self, text: &str, tagger: &Tagger, lexicon: &Lexicon) -> Result<Weighed, LocalError> {
        let read = self.read(text)?;
        let (characters, total): (Vec<char>, f64) = (text.chars().collect(), read.total());
        let (mut words, mut next) = (Vec::new(), 0);
        for word in tagger.tag(text).0 {
            let at = next;
            next += word.len();
            let Some(class) = word.class else { continue };
            let rivals = lexicon.rivals(&word.text, class);
            if rivals.is_empty() {
                continue;
            }
            let replaced = |rival: &str| -> String {
                characters[..at].iter().copied().chain(rival.chars()).chain(characters[next..].iter().copied()).collect()
            };
            let texts: Vec<String> = rivals.iter().map(|rival| replaced(rival.word)).collect();
            let totals = self.totals(&read, &texts)?;
            let mut rivals: Vec<RivalSurprise> = rivals
                .iter()
                .zip(totals)
                .map(|(rival, bits)| RivalSurprise { word: rival.word.clone(), bits: bits - total })
                .collect();
            rivals.sort_by(|a, b| a.bits.total_cmp(&b.bits));
            let touching = read.tokens.spans.iter().zip(&read.bits).filter(|(span, _)| span.start < next && at < span.end);
            words.push(WordSurprise {
                word: word.text,
                class,
                at,
                bits: touching.map(|(_, bits)| bits).sum(),
                rank: 1 + rivals.iter().filter(|rival| rival.bits < 0.0).count(),
                gap: -rivals.first().map_or(0.0, |rival| rival.bits),
                rivals,
            });
        }
        let per_character = total / characters.len().max(1) as f64;
        Ok(Weighed { characters: characters.len(), bits: total, per_character, words })
    }
}
