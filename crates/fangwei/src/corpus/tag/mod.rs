//! Words, their parts of speech and their spatial classes.
//!
//! A dictionary segmenter makes the first draft. It does not know that 桌上 is a thing and a locative, that 上 after a verb is a direction, or that 往 is a
//! preposition; so the draft is cut anew where a noun and a locative or a verb and a direction were written as one (`split`), and each word that the
//! lexicon knows is then judged by its neighbours (`rules`).

mod context;
mod marks;
mod rules;
mod split;

use jieba_rs::Jieba;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Word;
use crate::lexicon::{Class, Lexicon};
use context::At;
use marks::Marks;

/// A word of the draft.
#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    text: &'t str,
    pos: &'t str,
    marks: Marks,
}

/// Segments and tags.
pub struct Tagger {
    jieba: Jieba,
    marks: FxHashMap<SmolStr, Marks>,
}

impl std::fmt::Debug for Tagger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tagger({} words)", self.marks.len())
    }
}

impl Tagger {
    /// A tagger that knows the words of a lexicon.
    pub fn new(lexicon: &Lexicon) -> Tagger {
        let mut jieba = Jieba::new();
        split::prepare(&mut jieba, lexicon);
        Tagger { jieba, marks: marks::of(lexicon) }
    }

    /// The words of a text, and the numbers of those whose tagging is doubtful.
    pub fn tag(&self, text: &str) -> (Vec<Word>, Vec<u32>) {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        self.draft(text, &mut tokens);
        let mut words = Vec::with_capacity(tokens.len());
        let mut doubts = Vec::new();
        for at in 0..tokens.len() {
            let verdict = rules::judge(At::new(&tokens, at));
            if verdict.doubt {
                doubts.push(at as u32);
            }
            let pos = verdict.class.map_or(tokens[at].pos, |class| pos_of(class));
            words.push(Word { text: tokens[at].text.into(), pos: pos.into(), class: verdict.class });
        }
        (words, doubts)
    }

    /// The words of the dictionary, cut anew where they are two.
    fn draft<'t>(&'t self, text: &'t str, tokens: &mut Vec<Token<'t>>) {
        for drafted in self.jieba.tag(text, false) {
            self.cut(drafted.word, drafted.tag, tokens);
        }
    }

    fn token<'t>(&self, text: &'t str, pos: &'t str) -> Token<'t> {
        let known = self.marks.get(text).copied().unwrap_or_default();
        let marks = known.with_pos(pos, text);
        Token { text, pos, marks: if marks.is_plain_noun() { marks.or(self.of_head(text)) } else { marks } }
    }

    /// What a longer noun has from its last characters: 建设路 is a road, 替补队员 are people.
    fn of_head(&self, noun: &str) -> Marks {
        let mut begins = noun.char_indices().rev().map(|(at, _)| at);
        let (last, second) = (begins.next(), begins.next());
        let known = |at: Option<usize>| at.filter(|at| *at > 0).and_then(|at| self.marks.get(&noun[at..]));
        known(second).or_else(|| known(last)).map_or_else(Marks::default, |marks| marks.of_noun())
    }
}

/// The part of speech that a class is written with. Directional verbs have a letter of their own: they are what a substitution looks for.
const fn pos_of(class: Class) -> &'static str {
    match class {
        Class::Locative => "f",
        Class::Place => "s",
        Class::Directional => "vf",
        Class::Verb => "v",
        Class::Preposition => "p",
        Class::Adverb => "d",
        Class::Demonstrative => "r",
    }
}

#[cfg(test)]
mod tests;
