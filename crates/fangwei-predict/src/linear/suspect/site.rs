//! Sites: the places of a passage where a spatial word stands that could have been put there in place of another.
//!
//! The tagger knows most of them. Where it is silent (后 after a word of time, 起来 that it takes for an aspect) the lexicon alone decides, because a replaced
//! word often reads as something else: that is what is wrong with it.

use std::ops::Range;

use fangwei::lexicon::{Class, Lexicon};
use smol_str::SmolStr;

use crate::reading::{Reading, Token};

/// More sites are not looked at: a bound for texts that are no passages.
pub const MOST_SITES: usize = 160;

/// A spatial word in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its characters.
    pub range: Range<usize>,
    /// The word.
    pub word: SmolStr,
    /// Its class here.
    pub class: Class,
    /// The number of the token that it begins in.
    pub token: usize,
    /// Whether the tagger takes it for spatial; else only the lexicon knows the word.
    pub tagged: bool,
}

impl Site {
    /// Whether the site shares a character with a range. An empty range is a place between two characters: the one after it counts.
    pub fn meets(&self, range: &Range<usize>) -> bool {
        self.range.start < range.end.max(range.start + 1) && range.start < self.range.end
    }
}

/// Classes that are replaced. Verbs that are not directional, and adverbs, never are.
const CLASSES: [Class; 5] = [Class::Locative, Class::Directional, Class::Place, Class::Preposition, Class::Demonstrative];

/// The sites of a text, in order.
pub fn sites(reading: &Reading) -> Vec<Site> {
    let lexicon = Lexicon::shipped();
    let mut sites = Vec::new();
    for (number, token) in reading.tokens.iter().enumerate() {
        if sites.len() >= MOST_SITES {
            break;
        }
        let whole =
            |class: Class, tagged: bool| Site { range: token.range(), word: token.text.clone(), class, token: number, tagged };
        if let Some(class) = token.class {
            if CLASSES.contains(&class) {
                sites.push(whole(class, true));
            }
        } else if let Some(class) = silent_class(lexicon, &reading.tokens, number) {
            sites.push(whole(class, false));
        } else if let Some(site) = inner(lexicon, token, number) {
            sites.push(site);
        }
    }
    sites
}

/// The class of a word of the lexicon that the tagger does not take for spatial.
fn silent_class(lexicon: &Lexicon, tokens: &[Token], number: usize) -> Option<Class> {
    let token = &tokens[number];
    let has = |class| lexicon.has(&token.text, class);
    let after_verb = number > 0 && tokens[number - 1].is('v');
    if has(Class::Directional) && (after_verb || token.is('v') || !has(Class::Locative)) {
        return Some(Class::Directional);
    }
    if has(Class::Preposition) {
        // 在 of an action under way and 到 of a result are everywhere and nobody replaces them.
        return token.is('p').then_some(Class::Preposition);
    }
    [Class::Locative, Class::Place, Class::Demonstrative].into_iter().find(|class| has(*class))
}

/// Single locatives that segmenters glue to their neighbours when they stand where they should not: 雪后, 在外, 东门.
const GLUED: &str = "上下里外中内前后左右旁边侧顶底东南西北";

/// A locative inside a word that nobody knows as a whole. 前 and 后 glue to anything; common words with them are fixed or tell a time.
fn inner(lexicon: &Lexicon, token: &Token, number: usize) -> Option<Site> {
    let mut characters = token.text.chars();
    let (first, second) = (characters.next()?, characters.next()?);
    if characters.next().is_some()
        || lexicon.is_fixed(&token.text)
        || !(token.is('v') || token.is('f') || token.is('t') || token.is('s'))
    {
        return None;
    }
    let (at, character) = if GLUED.contains(second) {
        (token.begin + 1, second)
    } else if GLUED.contains(first) {
        (token.begin, first)
    } else {
        return None;
    };
    let word = SmolStr::from_iter([character]);
    Some(Site { range: at..at + 1, word, class: Class::Locative, token: number, tagged: false })
}
