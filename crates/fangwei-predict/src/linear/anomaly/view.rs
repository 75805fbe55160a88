//! A passage as the span labeller sees it: of every word what features ask again and again, worked out once.

use fangwei::lexicon::{Class, Lexicon};

use crate::learn::feature::Template;
use crate::reading::{Reading, Token};

/// How a noun stands in its clause: the nearest thing to a subject or an object that tags alone can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Not a noun.
    None,
    /// A noun before the first verb.
    Before,
    /// A noun after it.
    After,
    /// After 把 or 将, before the next verb.
    Held,
    /// After 被, 让 or 给.
    By,
    /// Right after a preposition.
    Place,
    /// A noun that 的 makes a modifier.
    Owner,
}

/// What is known of a word.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its text, as a number.
    pub text: u64,
    /// Its part of speech, as a number.
    pub pos: u64,
    /// Its last character.
    pub head: u64,
    /// The kind of noun that the lexicon knows it as; 0 for none.
    pub kind: u64,
    /// Its spatial class; 0 for none.
    pub class: u64,
    /// A noun, a name or a pronoun.
    pub nominal: bool,
    /// A verb; directionals are not counted.
    pub verb: bool,
    /// Punctuation.
    pub mark: bool,
    /// A preposition.
    pub preposition: bool,
    /// How it stands in its clause.
    pub part: Part,
    /// Which mention of this word it is, at most 3,
    pub mention: u64,
    /// of how many, at most 3.
    pub mentions: u64,
    /// Nouns before it in its clause, at most 4.
    pub noun_number: u64,
    /// Whether quotation marks are open.
    pub quoted: bool,
    /// How many nouns and
    pub nouns_before: usize,
    /// how many verbs stand before it in the passage.
    pub verbs_before: usize,
}

/// A passage with what is known of its words.
#[derive(Debug)]
pub struct View<'r> {
    /// The passage.
    pub reading: &'r Reading,
    /// Its words.
    pub facts: Vec<Fact>,
}

pub(super) fn number(text: &str) -> u64 {
    u64::from(Template::new(0).text(text).key())
}

/// A class as a number above 0.
pub(super) fn class_number(class: Option<Class>) -> u64 {
    class.map_or(0, |class| class as u64 + 1)
}

impl<'r> View<'r> {
    /// Works out what is known.
    pub fn new(reading: &'r Reading) -> View<'r> {
        let lexicon = Lexicon::shipped();
        let mut facts: Vec<Fact> = reading.tokens.iter().map(|token| fact(token, lexicon)).collect();
        number_mentions(&mut facts);
        let (mut nouns, mut verbs, mut depth) = (0, 0, 0_i32);
        for (fact, token) in facts.iter_mut().zip(&reading.tokens) {
            (fact.nouns_before, fact.verbs_before) = (nouns, verbs);
            nouns += usize::from(fact.nominal);
            verbs += usize::from(fact.verb);
            depth += i32::from(token.text.contains(['“', '「'])) - i32::from(token.text.contains(['”', '」']));
            depth = depth.clamp(0, 3);
            fact.quoted = depth > 0;
        }
        let mut first = 0;
        while first < facts.len() {
            let clause = reading.tokens[first].clause;
            let last = first + reading.tokens[first..].iter().take_while(|token| token.clause == clause).count();
            parse_clause(&mut facts[first..last], &reading.tokens[first..last]);
            first = last.max(first + 1);
        }
        View { reading, facts }
    }
}

fn fact(token: &Token, lexicon: &Lexicon) -> Fact {
    let last = token.text.chars().last();
    let kind = if token.is('n') {
        let whole = lexicon.noun(&token.text);
        let head = || last.and_then(|last| lexicon.noun(last.encode_utf8(&mut [0; 4])));
        whole.or_else(head).map_or(0, |noun| u64::from(noun.kind) + 1)
    } else {
        0
    };
    Fact {
        text: number(&token.text),
        pos: number(&token.pos),
        head: last.map_or(0, u64::from),
        kind,
        class: class_number(token.class),
        nominal: token.is_nominal(),
        verb: token.is('v') && !matches!(token.class, Some(Class::Directional | Class::Preposition)),
        mark: token.is_mark(),
        preposition: token.class == Some(Class::Preposition) || token.is('p'),
        part: Part::None,
        mention: 0,
        mentions: 0,
        noun_number: 0,
        quoted: false,
        nouns_before: 0,
        verbs_before: 0,
    }
}

fn number_mentions(facts: &mut [Fact]) {
    let mut counts: rustc_hash::FxHashMap<u64, u64> = rustc_hash::FxHashMap::default();
    for fact in facts.iter_mut() {
        let count = counts.entry(fact.text).or_default();
        *count += 1;
        fact.mention = (*count).min(3);
    }
    for fact in facts.iter_mut() {
        fact.mentions = counts[&fact.text].min(3);
    }
}

/// Tells how the nouns of a clause stand.
fn parse_clause(facts: &mut [Fact], tokens: &[Token]) {
    let (mut verb_seen, mut nouns) = (false, 0_u64);
    let mut marker = Part::None;
    for at in 0..facts.len() {
        match tokens[at].text.as_str() {
            "把" | "将" => marker = Part::Held,
            "被" | "让" | "给" | "使" | "叫" => marker = Part::By,
            _ if facts[at].preposition => marker = Part::Place,
            _ => {}
        }
        facts[at].noun_number = nouns;
        if facts[at].nominal {
            nouns = (nouns + 1).min(4);
            let owner = tokens.get(at + 1).is_some_and(|next| next.text == "的" || next.text == "之");
            facts[at].part = match marker {
                _ if owner => Part::Owner,
                Part::None if verb_seen => Part::After,
                Part::None => Part::Before,
                marker => marker,
            };
            if !owner {
                marker = Part::None;
            }
        } else if facts[at].verb {
            verb_seen = true;
            marker = Part::None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_stand_in_their_clause() {
        let reading = Reading::new("老师把书放在桌子上，学生打开书。");
        let view = View::new(&reading);
        let part = |word: &str, nth: usize| {
            let mut at = reading.tokens.iter().enumerate().filter(|(_, token)| token.text == word);
            at.nth(nth).map(|(at, _)| (view.facts[at].part, view.facts[at].mention))
        };
        assert_eq!(part("老师", 0), Some((Part::Before, 1)));
        assert_eq!(part("书", 0), Some((Part::Held, 1)));
        assert_eq!(part("桌子", 0), Some((Part::Place, 1)));
        assert_eq!(part("学生", 0), Some((Part::Before, 1)));
        assert_eq!(part("书", 1), Some((Part::After, 2)));
    }
}
