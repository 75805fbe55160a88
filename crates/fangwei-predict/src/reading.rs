//! A reading: a text as predictors see it, cut once into characters, words and clauses.
//!
//! Places are character numbers, as everywhere. Every predictor reads through this, so features of different models mean the same by "the noun before".

use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::{Class, Lexicon};
use smol_str::SmolStr;
use std::ops::Range;
use std::sync::OnceLock;

/// A word in its place.
#[derive(Clone, Debug)]
pub struct Token {
    /// The word.
    pub text: SmolStr,
    /// Its part of speech, in the letters of the Peking University tag set.
    pub pos: SmolStr,
    /// Its class, where it is used as a spatial word.
    pub class: Option<Class>,
    /// The first character.
    pub begin: usize,
    /// The character after the last.
    pub end: usize,
    /// The number of its clause.
    pub clause: usize,
}

impl Token {
    /// Its characters.
    pub fn range(&self) -> Range<usize> {
        self.begin..self.end
    }

    /// Whether the part of speech begins with this letter.
    pub fn is(&self, pos: char) -> bool {
        self.pos.starts_with(pos)
    }

    /// Whether it is a noun, a name or a pronoun that can stand for a thing.
    pub fn is_nominal(&self) -> bool {
        (self.is('n') || self.is('r') && self.class.is_none()) && !self.text.is_empty()
    }

    /// Whether it is punctuation.
    pub fn is_mark(&self) -> bool {
        self.text.chars().all(|character| !character.is_alphanumeric())
    }
}

/// A text with its words.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The characters.
    pub chars: Vec<char>,
    /// The words; joined they are the text.
    pub tokens: Vec<Token>,
    /// The number of the word that each character is in.
    pub token_of: Vec<usize>,
    /// The number of the clause of each character: clauses end with punctuation.
    pub clause_of: Vec<usize>,
    /// The number of the sentence of each character.
    pub sentence_of: Vec<usize>,
}

/// The tagger of the shipped lexicon, made once.
pub fn tagger() -> &'static Tagger {
    static TAGGER: OnceLock<Tagger> = OnceLock::new();
    TAGGER.get_or_init(|| Tagger::new(Lexicon::shipped()))
}

/// Marks that end a clause.
const ENDS_CLAUSE: &str = "，。；：！？、…—,;:!?“”\"（）()《》\n";
/// Marks that end a sentence.
const ENDS_SENTENCE: &str = "。！？!?\n";

impl Reading {
    /// Reads a text with the shipped lexicon.
    pub fn new(text: &str) -> Reading {
        let chars: Vec<char> = text.chars().collect();
        let (mut clause, mut sentence) = (0, 0);
        let (mut clause_of, mut sentence_of) = (Vec::with_capacity(chars.len()), Vec::with_capacity(chars.len()));
        let mut fresh = true;
        for character in &chars {
            clause_of.push(clause);
            sentence_of.push(sentence);
            // Several marks in a row end one clause.
            if ENDS_CLAUSE.contains(*character) {
                clause += usize::from(!fresh);
                fresh = true;
            } else {
                fresh = false;
            }
            sentence += usize::from(ENDS_SENTENCE.contains(*character));
        }
        let (words, _) = tagger().tag(text);
        let mut tokens = Vec::with_capacity(words.len());
        let mut token_of = Vec::with_capacity(chars.len());
        for word in words {
            let begin = token_of.len();
            let end = (begin + word.text.chars().count()).min(chars.len());
            token_of.resize(end, tokens.len());
            let clause = clause_of.get(begin).copied().unwrap_or(0);
            tokens.push(Token { text: word.text, pos: word.pos, class: word.class, begin, end, clause });
        }
        // A segmenter that loses a character must not lose its place.
        token_of.resize(chars.len(), tokens.len().saturating_sub(1));
        Reading { chars, tokens, token_of, clause_of, sentence_of }
    }

    /// The text of some characters.
    pub fn text(&self, range: Range<usize>) -> String {
        self.chars.get(range).unwrap_or_default().iter().collect()
    }

    /// The character at a place; before the first and after the last, none.
    pub fn at(&self, place: isize) -> Option<char> {
        usize::try_from(place).ok().and_then(|place| self.chars.get(place)).copied()
    }

    /// The word at a place.
    pub fn token_at(&self, place: usize) -> Option<&Token> {
        self.token_of.get(place).and_then(|number| self.tokens.get(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cover_the_text_and_clauses_end_with_marks() {
        let reading = Reading::new("他跳进山洞里，又走出来。𠮷😀 ok");
        assert_eq!(reading.tokens.iter().map(|token| token.text.as_str()).collect::<String>(), "他跳进山洞里，又走出来。𠮷😀 ok");
        assert_eq!(reading.tokens.last().map(|token| token.end), Some(reading.chars.len()));
        assert_eq!(reading.clause_of[0], 0);
        assert_eq!(reading.clause_of[8], 1);
        assert_eq!(reading.sentence_of[reading.chars.len() - 1], 1);
        let inside = reading.tokens.iter().find(|token| token.text == "里").expect("is cut off");
        assert_eq!((inside.class, inside.begin), (Some(Class::Locative), 5));
        assert!(Reading::new("").tokens.is_empty());
    }
}
