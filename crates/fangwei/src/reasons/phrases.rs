//! Finds phrases without a tagger: a noun with its locative, a verb with its directional, and the clauses of a text.
//!
//! The words are those of the pattern table of [`crate::convert::pattern`]. It misses phrases and finds some that are none; wrong reasons are checked by
//! people anyway, and whoever has a tagger gives its phrases instead.

use std::ops::Range;

use crate::convert::pattern::{Class, Lexicon, Tables};
use crate::text::Span;

/// The longest noun before a locative.
const LONGEST_NOUN: usize = 5;

/// Words that end like a phrase of place and are none.
const NOT_PLACES: [&str; 18] = [
    "晚上", "早上", "马上", "实上", "际上", "以上", "以下", "一下", "之后", "以后", "以前", "之前", "其中", "心里", "心中",
    "然后", "此外", "另外",
];

/// After these a locative tells the time: 三日前, 五点后.
const TIMES: &str = "日月年时点分秒天周";

/// Before these 上 and 下 tell the time: 上午, 下旬.
const HALVES: &str = "午旬月周年";

/// Characters that no noun before a locative has: particles, pronouns, connectives.
const STOPS: &str = "的了着过把被将在和与及或是有就也都又还便才不很更最这那哪每各某他她它我你您们谁自从向往朝到由沿于对给让使叫跟比按以为因而且但若如果则并";

fn lexicon() -> &'static Lexicon {
    &Tables::builtin().lexicon
}

/// Whether a character parts clauses. Quotation marks do: a reason is quoted itself.
pub fn parts_clauses(c: char) -> bool {
    !c.is_alphanumeric() && c != '、' && c != '·'
}

/// The clauses of a text, without the marks between them.
pub fn clauses(chars: &[char]) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut begins = 0;
    for end in 0..=chars.len() {
        if end == chars.len() || parts_clauses(chars[end]) {
            if begins < end {
                clauses.push(begins..end);
            }
            begins = end + 1;
        }
    }
    clauses
}

/// The length of the locative that begins at `at`, if there is one.
fn locative_at(chars: &[char], at: usize) -> Option<usize> {
    let rest = &chars[at..];
    let is = |length: usize, classes: &[Class]| {
        rest.len() >= length && classes.iter().any(|class| lexicon().is(&rest[..length], *class))
    };
    (2..=4).rev().find(|length| is(*length, &[Class::LocWord])).or_else(|| {
        // 上 of 上来 and of 上课 is no locative.
        let other = is(2, &[Class::Dir2, Class::Verb, Class::Place, Class::Noun]);
        let time = rest.get(1).is_some_and(|next| HALVES.contains(*next)) || at > 0 && TIMES.contains(chars[at - 1]);
        (is(1, &[Class::Loc]) && !other && !time).then_some(1)
    })
}

/// The length of the locative that closes a phrase.
pub fn locative_of(phrase: &[char]) -> Option<usize> {
    lexicon().longest_suffix(phrase, &[Class::LocWord, Class::Loc]).filter(|length| *length < phrase.len())
}

/// Whether the whole is a locative.
pub fn is_locative(word: &[char]) -> bool {
    lexicon().is(word, Class::Loc) || lexicon().is(word, Class::LocWord)
}

/// Where the noun before `end` begins.
fn noun_before(chars: &[char], end: usize) -> usize {
    let mut begins = end;
    while begins > 0 && end - begins < LONGEST_NOUN {
        let before = chars[begins - 1];
        let word = |length: usize| begins.checked_sub(length).map(|from| lexicon().classes(&chars[from..begins]));
        let acts = |classes: &[Class]| {
            let verbal = [Class::Verb, Class::Prep, Class::Dir, Class::Dir2, Class::Adverb];
            classes.iter().any(|class| verbal.contains(class)) && !classes.contains(&Class::Noun)
        };
        let two = word(2).is_some_and(acts);
        // The first character before a locative may well be 包 or 背; further away a verb ends the noun.
        let one = begins < end && word(1).is_some_and(acts);
        if parts_clauses(before) || STOPS.contains(before) || two || one {
            break;
        }
        begins -= 1;
    }
    begins
}

/// The phrases of place of a text: a noun with its locative, in order, none within another.
pub fn find_phrases(text: &str) -> Vec<Span> {
    let chars: Vec<char> = text.chars().collect();
    let mut phrases: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let Some(length) = locative_at(&chars, at) else {
            at += 1;
            continue;
        };
        let begins = noun_before(&chars, at).max(phrases.last().map_or(0, |last| last.end));
        let whole: String = chars[begins..at + length].iter().collect();
        if begins < at && !NOT_PLACES.iter().any(|word| whole.ends_with(word)) {
            phrases.push(begins..at + length);
        }
        at += length;
    }
    phrases.into_iter().map(|range| (range.start as u32..range.end as u32).collect()).collect()
}

/// A word and what follows it closely.
pub type Pair = (Range<usize>, Range<usize>);

/// Pairs that stand together in the text: noun and locative of the phrases, verb and directional.
pub fn pairs(chars: &[char], phrases: &[Range<usize>]) -> Vec<Pair> {
    let of_phrase = |phrase: &Range<usize>| {
        let length = locative_of(chars.get(phrase.clone())?)?;
        Some((phrase.start..phrase.end - length, phrase.end - length..phrase.end))
    };
    let mut pairs: Vec<Pair> = phrases.iter().filter_map(of_phrase).collect();
    for at in 1..chars.len() {
        let verb = (1..=2).rev().find(|length| at >= *length && lexicon().is(&chars[at - length..at], Class::Verb));
        let direction = [(2, Class::Dir2), (1, Class::Dir)]
            .into_iter()
            .find(|(length, class)| at + length <= chars.len() && lexicon().is(&chars[at..at + length], *class));
        if let (Some(verb), Some((direction, _))) = (verb, direction) {
            pairs.push((at - verb..at, at..at + direction));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        find_phrases(text).iter().filter_map(|span| crate::text::join(&chars, span)).collect()
    }

    #[test]
    fn a_noun_with_its_locative() {
        assert_eq!(found("外婆坐在门槛上剥豆子，豆荚扔进脚边的竹篮里。"), ["门槛上", "脚边", "竹篮里"]);
        assert_eq!(found("晚上他走上来，从车斗里取出扫帚。"), ["车斗里"]);
        assert!(found("三日上午，五点前到。").is_empty());
        assert!(found("").is_empty() && found("上").is_empty());
    }

    #[test]
    fn clauses_and_pairs() {
        let chars: Vec<char> = "他从车斗里取出扫帚，说：“走！”".chars().collect();
        let text = |range: &Range<usize>| chars[range.clone()].iter().collect::<String>();
        assert_eq!(clauses(&chars).iter().map(text).collect::<Vec<_>>(), ["他从车斗里取出扫帚", "说", "走"]);
        let found: Vec<_> = pairs(&chars, std::slice::from_ref(&(2..5))).iter().map(|(a, b)| (text(a), text(b))).collect();
        assert_eq!(found, [("车斗".to_owned(), "里".to_owned()), ("取".to_owned(), "出".to_owned())]);
    }
}
