//! A view: a reading with what the role models ask of every word, worked out once for a passage.

use fangwei::lexicon::{Class, Lexicon};

use crate::learn::feature::Template;
use crate::reading::{Reading, Token};

/// What a word is to the role models, one letter each, so that a row of them is a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A noun or name.
    Noun,
    /// A pronoun for a thing.
    Pronoun,
    /// A verb.
    Verb,
    /// A directional verb.
    Directional,
    /// A preposition.
    Preposition,
    /// A locative.
    Locative,
    /// A place by itself: 门口, 这里.
    Place,
    /// 的.
    Of,
    /// 着 了 过.
    Aspect,
    /// A joining word.
    And,
    /// An adverb.
    Adverb,
    /// An adjective.
    Adjective,
    /// A number or measure.
    Number,
    /// A mark inside a sentence.
    Comma,
    /// A mark that ends one, or a quotation mark.
    Stop,
    /// A time.
    Time,
    /// Anything else.
    Other,
}

fn sort_of(token: &Token) -> Sort {
    match token.class {
        Some(Class::Locative) => return Sort::Locative,
        Some(Class::Place | Class::Demonstrative) => return Sort::Place,
        Some(Class::Directional) => return Sort::Directional,
        Some(Class::Preposition) => return Sort::Preposition,
        Some(Class::Verb) => return Sort::Verb,
        Some(Class::Adverb) => return Sort::Adverb,
        None => {}
    }
    match token.text.as_str() {
        "的" => return Sort::Of,
        "着" | "了" | "过" => return Sort::Aspect,
        "把" | "被" | "将" | "对" | "给" | "为" | "跟" | "用" => return Sort::Preposition,
        "和" | "与" | "及" | "或" | "、" => return Sort::And,
        _ => {}
    }
    if token.is_mark() {
        return if "，,；;：:".contains(token.text.as_str()) { Sort::Comma } else { Sort::Stop };
    }
    let mut letters = token.pos.chars();
    match letters.next() {
        Some('n') => Sort::Noun,
        Some('r') => Sort::Pronoun,
        Some('v') => Sort::Verb,
        Some('p') => Sort::Preposition,
        Some('f') => Sort::Locative,
        Some('s') => Sort::Place,
        Some('d') => Sort::Adverb,
        Some('a' | 'b' | 'z') => Sort::Adjective,
        Some('m' | 'q') => Sort::Number,
        Some('c') => Sort::And,
        Some('t') => Sort::Time,
        _ => Sort::Other,
    }
}

/// A word with what is asked of it.
#[derive(Clone, Debug)]
pub struct Word {
    /// What it is.
    pub sort: Sort,
    /// The kind of thing, as the lexicon has it, from 1; 0 is unknown.
    pub kind: u8,
    /// A number for the text.
    pub text: u64,
    /// A number for the part of speech.
    pub pos: u64,
    /// Its first character.
    pub front: u64,
    /// Its last character: 员 者 们 are people, whatever stands before.
    pub tail: u64,
    /// Words that do alike: the substitution group of a verb, the kind of a noun.
    pub family: u64,
    /// The number of the preposition of the phrase that the word is in.
    pub within: Option<usize>,
    /// The nearest verb before it in its sentence, and after it.
    pub verb_before: Option<usize>,
    /// The nearest verb after it in its sentence.
    pub verb_after: Option<usize>,
    /// How many quotation marks were open.
    pub quoted: bool,
    /// How many words of the same text were before.
    pub earlier: u16,
    /// How many come after.
    pub later: u16,
}

/// A passage as the role models see it.
#[derive(Clone, Debug)]
pub struct View {
    /// The reading.
    pub reading: Reading,
    /// Its words.
    pub words: Vec<Word>,
    /// Which character of its word each one is: alone, first, inside, last.
    pub place_in_word: Vec<u8>,
    /// How many nominal words begin before each word.
    pub nominals: Vec<u16>,
    /// How many verbs begin before each word.
    pub verbs: Vec<u16>,
    /// How many marks begin before each word.
    pub marks: Vec<u16>,
}

/// A number for a text, the same in every run.
pub fn number_of(text: &str) -> u64 {
    u64::from(Template::new(0).text(text).key())
}

/// The kind of a noun by its longest end that the lexicon knows.
fn kind_of(lexicon: &Lexicon, text: &str) -> u8 {
    let mut begins = text.char_indices().map(|(at, _)| at);
    let found = begins.find_map(|at| lexicon.noun(&text[at..]));
    found.map_or(0, |noun| noun.kind as u8 + 1)
}

/// The number of a kind by its name; 0 if the lexicon has none of it.
pub fn kind_named(name: &str) -> u8 {
    Lexicon::shipped().kinds().iter().position(|kind| kind.name == name).map_or(0, |number| number as u8 + 1)
}

/// Verbs by the first group of their last known form (走 of 走进), else by their first character; other words by kind.
fn family_of(lexicon: &Lexicon, token: &Token, kind: u8) -> u64 {
    if !token.is('v') {
        return u64::from(kind);
    }
    let mut ends: Vec<usize> = token.text.char_indices().map(|(at, _)| at).skip(1).collect();
    ends.push(token.text.len());
    let group = ends.iter().rev().find_map(|end| {
        let text = &token.text[..*end];
        lexicon
            .entry(text, Class::Verb)
            .or_else(|| lexicon.entry(text, Class::Directional))
            .and_then(|entry| entry.groups.first())
    });
    // verb.put.stick and verb.put.tie are both putting.
    let name = group.and_then(|group| lexicon.groups().get(*group as usize)).map(|group| {
        let end = group.name.match_indices('.').nth(1).map_or(group.name.len(), |(at, _)| at);
        number_of(&group.name[..end])
    });
    name.unwrap_or_else(|| token.text.chars().next().map_or(0, |first| (1 << 40) + u64::from(first)))
}

impl View {
    /// Looks at a text.
    pub fn new(text: &str) -> View {
        let reading = Reading::new(text);
        let lexicon = Lexicon::shipped();
        let count = reading.tokens.len();
        let mut words: Vec<Word> = Vec::with_capacity(count);
        let (mut within, mut verb, mut quoted): (Option<usize>, Option<usize>, bool) = (None, None, false);
        let mut seen: rustc_hash::FxHashMap<&str, u16> = rustc_hash::FxHashMap::default();
        for (at, token) in reading.tokens.iter().enumerate() {
            let sort = sort_of(token);
            let sentence = |token: &Token| reading.sentence_of.get(token.begin).copied();
            if at > 0 && sentence(token) != sentence(&reading.tokens[at - 1]) {
                (within, verb) = (None, None);
            }
            match token.text.as_str() {
                "“" => quoted = true,
                "”" => quoted = false,
                "\"" => quoted = !quoted,
                _ => {}
            }
            let earlier = seen.entry(token.text.as_str()).or_insert(0);
            let kind = if token.pos.starts_with("nr") {
                255
            } else if matches!(sort, Sort::Noun | Sort::Other | Sort::Adjective | Sort::Number) {
                kind_of(lexicon, &token.text)
            } else {
                0
            };
            words.push(Word {
                sort,
                kind,
                text: number_of(&token.text),
                pos: number_of(&token.pos),
                front: token.text.chars().next().map_or(0, u64::from),
                tail: token.text.chars().next_back().map_or(0, u64::from),
                family: family_of(lexicon, token, kind),
                within,
                verb_before: verb,
                verb_after: None,
                quoted,
                earlier: *earlier,
                later: 0,
            });
            *earlier = earlier.saturating_add(1);
            match sort {
                Sort::Preposition => within = Some(at),
                Sort::Verb | Sort::Directional => (within, verb) = (None, Some(at)),
                Sort::Comma | Sort::Stop => within = None,
                // A phrase ends with its locative.
                Sort::Locative | Sort::Place => {
                    words[at].within = within;
                    within = None;
                }
                _ => {}
            }
        }
        let mut verb: Option<usize> = None;
        for at in (0..count).rev() {
            let token = &reading.tokens[at];
            if at + 1 < count && reading.sentence_of.get(token.begin) != reading.sentence_of.get(reading.tokens[at + 1].begin) {
                verb = None;
            }
            words[at].verb_after = verb;
            let all = seen.get(token.text.as_str()).copied().unwrap_or(0);
            words[at].later = all.saturating_sub(words[at].earlier.saturating_add(1));
            if matches!(words[at].sort, Sort::Verb | Sort::Directional) {
                verb = Some(at);
            }
        }
        let mut place_in_word = vec![0; reading.chars.len()];
        for token in &reading.tokens {
            for place in token.range() {
                place_in_word[place] = u8::from(place > token.begin) * 2 + u8::from(place + 1 == token.end);
            }
        }
        let running = |wanted: &dyn Fn(Sort) -> bool| {
            let mut sum = 0_u16;
            let mut sums: Vec<u16> = words
                .iter()
                .map(|word| {
                    let before = sum;
                    sum = sum.saturating_add(u16::from(wanted(word.sort)));
                    before
                })
                .collect();
            sums.push(sum);
            sums
        };
        let nominals = running(&|sort| matches!(sort, Sort::Noun | Sort::Pronoun));
        let verbs = running(&|sort| matches!(sort, Sort::Verb | Sort::Directional));
        let marks = running(&|sort| matches!(sort, Sort::Comma | Sort::Stop));
        View { reading, words, place_in_word, nominals, verbs, marks }
    }

    /// The number of the word at a character.
    pub fn word_at(&self, place: usize) -> usize {
        self.reading.token_of.get(place).copied().unwrap_or(0)
    }

    /// The clause of a character.
    pub fn clause(&self, place: usize) -> isize {
        self.reading.clause_of.get(place).copied().unwrap_or(0) as isize
    }

    /// The number for the text of a word; 0 beyond the ends.
    pub fn text(&self, word: isize) -> u64 {
        usize::try_from(word).ok().and_then(|word| self.words.get(word)).map_or(0, |word| word.text)
    }

    /// What a word is; beyond the ends, a stop.
    pub fn sort(&self, word: isize) -> Sort {
        usize::try_from(word).ok().and_then(|word| self.words.get(word)).map_or(Sort::Stop, |word| word.sort)
    }

    /// The family of a word; 0 where there is none.
    pub fn family(&self, word: Option<usize>) -> u64 {
        word.and_then(|word| self.words.get(word)).map_or(0, |word| word.family)
    }

    /// The number for the part of speech of a word; 0 beyond the ends.
    pub fn pos(&self, word: isize) -> u64 {
        usize::try_from(word).ok().and_then(|word| self.words.get(word)).map_or(0, |word| word.pos)
    }
}

/// A distance in steps that grow: 0 1 2 3 4 5-6 7-9 10-14 15-24 25-, with its sign.
pub fn step(distance: isize) -> u64 {
    let size = match distance.unsigned_abs() {
        small @ 0..=4 => small as u64,
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        15..=24 => 8,
        25..=49 => 9,
        _ => 10,
    };
    size * 2 + u64::from(distance < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_phrase_and_the_verbs_around() {
        let view = View::new("老人坐在屋里。");
        let at = |text: &str| view.reading.tokens.iter().position(|token| token.text == text).expect("is a word");
        let inside = &view.words[at("里")];
        assert_eq!(inside.sort, Sort::Locative);
        assert_eq!(inside.within, Some(at("在")));
        assert_eq!(inside.verb_before, Some(at("坐")));
        assert_eq!(view.words[at("。")].within, None);
        assert_eq!(view.words[at("老人")].kind, kind_named("person"));
    }

    #[test]
    fn steps_grow_and_have_a_sign() {
        assert_eq!((step(0), step(3), step(-3), step(6), step(5)), (0, 6, 7, 10, 10));
    }
}
