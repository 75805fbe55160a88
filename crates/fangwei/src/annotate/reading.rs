//! The text of an item as the rules read it: characters, words with their tags, clauses.
//!
//! Rules match words and what the tagger made of them, never first characters: 离岸处 does not begin with the preposition 离, nor 通道 with 通过.

use std::sync::OnceLock;

use smol_str::SmolStr;

use crate::corpus::Word;
use crate::corpus::tag::Tagger;
use crate::lexicon::{Class, Lexicon};
use crate::text::{CharIdx, Span};

/// Marks that end a clause (标点句).
const CLAUSE_ENDS: [char; 16] = ['，', '。', '；', '：', '！', '？', ',', ';', ':', '!', '?', '…', '\n', '．', '﹔', '—'];

/// Marks that belong to no value. Quotation marks are apart: a quotation that is an entity keeps its own.
const MARKS: [char; 22] = [
    '，', '。', '；', '：', '！', '？', '、', ',', ';', ':', '!', '?', '…', '—', '（', '）', '(', ')', '·', '\n', ' ', '\u{3000}',
];

/// Quotation marks and title marks.
const QUOTES: [char; 12] = ['“', '”', '‘', '’', '《', '》', '「', '」', '『', '』', '"', '\''];

/// Where a word stands.
#[derive(Clone, Debug)]
struct Placed {
    word: Word,
    start: u32,
    end: u32,
}

/// A text with its words and clauses.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its characters.
    pub chars: Vec<char>,
    words: Vec<Placed>,
    /// The number of the word that each character is in.
    word_of: Vec<u32>,
    /// The number of the clause that each character is in.
    clause_of: Vec<u32>,
}

/// A word of a value, or the part of a word that the value covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The characters that the value covers.
    pub text: SmolStr,
    /// The part of speech; empty for a part of a word.
    pub pos: SmolStr,
    /// The spatial class, where the word is in spatial use.
    pub class: Option<Class>,
    /// The first character's place.
    pub start: u32,
    /// One past the last character's place.
    pub end: u32,
    /// Whether the value covers the whole word.
    pub whole: bool,
}

impl Token {
    /// Whether it is one of these words.
    pub fn says(&self, words: &[&str]) -> bool {
        words.contains(&self.text.as_str())
    }

    /// Whether it is in spatial use in this class.
    pub fn is(&self, class: Class) -> bool {
        self.class == Some(class)
    }

    /// Whether it is a spatial verb and no noun of the lexicon: 站 after 火车 is a building.
    pub fn is_verb(&self) -> bool {
        self.whole && self.is(Class::Verb) && Lexicon::shipped().noun(&self.text).is_none()
    }

    /// Whether it is a direction, or could be one.
    pub fn is_directional(&self) -> bool {
        self.is(Class::Directional) || Lexicon::shipped().has(&self.text, Class::Directional)
    }

    /// Whether it is a preposition, spatial or not.
    pub fn is_preposition(&self) -> bool {
        self.is(Class::Preposition) || self.class.is_none() && self.pos == "p"
    }

    /// Whether it names something: a noun, a place word, a pronoun, or a noun of the lexicon.
    pub fn is_nominal(&self) -> bool {
        let named = matches!(self.pos.as_bytes().first(), Some(b'n' | b'r' | b's' | b'j')) || self.pos == "eng";
        let class = matches!(self.class, None | Some(Class::Place | Class::Demonstrative));
        class && (named || Lexicon::shipped().noun(&self.text).is_some())
    }

    /// Whether it is 着, 了 or 过 as a particle; 过 in 走过桥 is a verb.
    pub fn is_aspect(&self) -> bool {
        self.class.is_none() && self.says(&["着", "了", "过"]) && matches!(self.pos.as_bytes().first(), Some(b'u' | b'y'))
    }

    /// Whether it is the particle 的.
    pub fn is_de(&self) -> bool {
        self.text == "的"
    }

    /// Whether it denies: 不, 没有, 未. A word that holds such a character (不锈钢, 无锡) does not.
    pub fn is_negation(&self) -> bool {
        self.whole
            && self.says(&["不", "没", "没有", "未", "非", "无", "否", "并不", "并未", "并没有", "从不", "从未", "未曾", "毫无"])
    }

    /// Whether it is a numeral without its measure.
    pub fn is_numeral(&self) -> bool {
        !self.text.is_empty()
            && self.text.chars().all(|c| "零〇一二三四五六七八九十百千万亿两几".contains(c) || c.is_ascii_digit())
    }
}

/// The tagger of the shipped lexicon.
fn tagger() -> &'static Tagger {
    static TAGGER: OnceLock<Tagger> = OnceLock::new();
    TAGGER.get_or_init(|| Tagger::new(Lexicon::shipped()))
}

/// Whether a character is a mark that belongs to no value.
pub fn is_mark(character: char) -> bool {
    MARKS.contains(&character)
}

/// Whether a character is a quotation mark.
pub fn is_quote(character: char) -> bool {
    QUOTES.contains(&character)
}

impl Reading {
    /// Reads a text.
    pub fn of(text: &str) -> Reading {
        let chars: Vec<char> = text.chars().collect();
        let (mut words, mut word_of) = (Vec::new(), Vec::with_capacity(chars.len()));
        for word in tagger().tag(text).0 {
            let start = word_of.len() as u32;
            word_of.extend(std::iter::repeat_n(words.len() as u32, word.len()));
            words.push(Placed { word, start, end: word_of.len() as u32 });
        }
        // The segmenter gives back every character; should it not, the rest is in no word, and no rule looks there.
        word_of.resize(chars.len(), u32::MAX);
        let mut clause = 0;
        let mut next = |character: &char| {
            let own = clause;
            clause += u32::from(CLAUSE_ENDS.contains(character));
            own
        };
        let clause_of = chars.iter().map(&mut next).collect();
        Reading { chars, words, word_of, clause_of }
    }

    /// Whether every place of the span is in the text.
    pub fn holds(&self, span: &Span) -> bool {
        span.iter().all(|CharIdx(idx)| (idx as usize) < self.chars.len())
    }

    /// The characters at the places of a span that lie in the text.
    pub fn text(&self, span: &Span) -> String {
        span.iter().filter_map(|CharIdx(idx)| self.chars.get(idx as usize)).collect()
    }

    /// The words of a span, piece by piece; nothing where a place is outside of the text.
    pub fn tokens(&self, span: &Span) -> Vec<Token> {
        if !self.holds(span) {
            return Vec::new();
        }
        span.pieces().into_iter().flat_map(|piece| self.tokens_in(piece)).collect()
    }

    fn tokens_in(&self, piece: std::ops::Range<u32>) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut at = piece.start;
        while at < piece.end {
            let Some(placed) = self.placed(at) else { break };
            let end = placed.end.min(piece.end);
            tokens.push(self.token(placed, at, end));
            at = end;
        }
        tokens
    }

    fn placed(&self, idx: u32) -> Option<&Placed> {
        self.words.get(*self.word_of.get(idx as usize)? as usize)
    }

    fn token(&self, placed: &Placed, start: u32, end: u32) -> Token {
        if placed.start == start && placed.end == end {
            let Word { text, pos, class } = placed.word.clone();
            return Token { text, pos, class, start, end, whole: true };
        }
        // Of a part of a word only the lexicon can say something: 在 of a verb that the segmenter left joined to it.
        let text: SmolStr = self.chars[start as usize..end as usize].iter().copied().collect();
        let class = [Class::Preposition, Class::Locative, Class::Directional]
            .into_iter()
            .find(|class| Lexicon::shipped().has(&text, *class));
        Token { text, pos: SmolStr::default(), class, start, end, whole: false }
    }

    /// The word that a character is in.
    pub fn word_at(&self, idx: u32) -> Option<Token> {
        self.placed(idx).map(|placed| self.token(placed, placed.start, placed.end))
    }

    /// The word that ends before a place, in the same clause.
    pub fn before(&self, idx: u32) -> Option<Token> {
        self.word_at(idx.checked_sub(1)?).filter(|word| self.clause(word.start) == self.clause(idx) && word.end <= idx)
    }

    /// The word that begins at a place, in the same clause as the character before it.
    pub fn after(&self, idx: u32) -> Option<Token> {
        self.word_at(idx).filter(|word| idx > 0 && self.clause(idx) == self.clause(idx - 1) && word.start >= idx)
    }

    /// The clause that a character is in.
    pub fn clause(&self, idx: u32) -> Option<u32> {
        self.clause_of.get(idx as usize).copied()
    }

    /// The clauses that a span touches, in rising order, each once.
    pub fn clauses(&self, span: &Span) -> Vec<u32> {
        let mut clauses: Vec<u32> = span.iter().filter_map(|CharIdx(idx)| self.clause(idx)).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }

    /// Every word of the text.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = Token> + '_ {
        self.words.iter().map(|placed| self.token(placed, placed.start, placed.end))
    }

    /// The words of a clause.
    pub fn words_of(&self, clause: u32) -> impl DoubleEndedIterator<Item = Token> + '_ {
        let first = self.clause_of.partition_point(|own| *own < clause);
        let last = self.clause_of.partition_point(|own| *own <= clause);
        let first = self.words.partition_point(|placed| (placed.end as usize) <= first);
        let last = self.words.partition_point(|placed| (placed.start as usize) < last);
        self.words[first..last.max(first)].iter().map(|placed| self.token(placed, placed.start, placed.end))
    }
}
