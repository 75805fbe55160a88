//! Looking around in a draft: a word, its neighbours within the clause, and the noun phrase after it.

use super::Token;
use super::marks::Marks;

/// Signs that stand between a word and its neighbour without parting them.
const TRANSPARENT: [&str; 8] = ["“", "”", "‘", "’", "《", "》", "「", "」"];

/// Small words between a verb and its direction: 蹿了出来, 捡不起来.
const BETWEEN: [&str; 9] = ["了", "着", "过", "得", "不", "没", "一", "没有", "住"];

/// Words that a noun phrase may hold although they are adverbs: 最前面.
const DEGREES: [&str; 6] = ["最", "更", "很", "较", "正", "太"];

/// A place in a draft.
#[derive(Clone, Copy)]
pub(super) struct At<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
}

impl<'a, 't> At<'a, 't> {
    pub fn new(tokens: &'a [Token<'t>], at: usize) -> At<'a, 't> {
        At { tokens, at }
    }

    pub fn text(self) -> &'t str {
        self.tokens[self.at].text
    }

    pub fn pos(self) -> &'t str {
        self.tokens[self.at].pos
    }

    /// Whether the word has at least one of these marks.
    pub fn is(self, marks: Marks) -> bool {
        self.tokens[self.at].marks.any(marks)
    }

    /// Whether the word is one of these.
    pub fn says(self, words: &[&str]) -> bool {
        words.contains(&self.text())
    }

    /// Whether the word has one character.
    pub fn is_short(self) -> bool {
        self.text().chars().nth(1).is_none()
    }

    /// The word before in the same clause.
    pub fn left(self) -> Option<At<'a, 't>> {
        let at = (0..self.at).rev().find(|at| !TRANSPARENT.contains(&self.tokens[*at].text))?;
        Some(At { at, ..self }).filter(|left| !left.is(Marks::PUNCTUATION))
    }

    /// The word after in the same clause.
    pub fn right(self) -> Option<At<'a, 't>> {
        let at = (self.at + 1..self.tokens.len()).find(|at| !TRANSPARENT.contains(&self.tokens[*at].text))?;
        Some(At { at, ..self }).filter(|right| !right.is(Marks::PUNCTUATION))
    }

    /// The very next token, signs included.
    pub fn next_sign(self) -> Option<&'t str> {
        self.tokens.get(self.at + 1).map(|token| token.text)
    }

    /// The word before, small words between a verb and its direction aside.
    pub fn verb_left(self) -> Option<At<'a, 't>> {
        let left = self.left()?;
        if left.says(&BETWEEN) { left.verb_left() } else { Some(left) }
    }

    /// The word after, 了 aside: 下了车.
    pub fn goal(self) -> Option<At<'a, 't>> {
        let right = self.right()?;
        if right.says(&["了", "过"]) { right.right() } else { Some(right) }
    }

    /// The words before in the clause, the nearest first.
    pub fn lefts(self) -> impl Iterator<Item = At<'a, 't>> {
        std::iter::successors(self.left(), |at| at.left())
    }

    /// The words after in the clause.
    pub fn rights(self) -> impl Iterator<Item = At<'a, 't>> {
        std::iter::successors(self.right(), |at| at.right())
    }

    /// Whether the word can be the head of a noun phrase.
    pub fn is_nominal(self) -> bool {
        const NAMES: Marks =
            Marks::NOMINAL.or(Marks::ENTITY).or(Marks::PRONOUN).or(Marks::PLACE).or(Marks::DEMONSTRATIVE).or(Marks::ABSTRACT);
        self.is(NAMES) || matches!(self.pos(), "s" | "eng" | "j")
    }

    /// Whether the word tells a time.
    pub fn is_time(self) -> bool {
        self.is(Marks::TIME.or(Marks::TEMPORAL)) && !self.is(Marks::SPATIAL)
    }

    /// Whether the word is a verb, spatial or not, and no noun of the lexicon.
    pub fn is_plain_verb(self) -> bool {
        self.is(Marks::VERBAL) && !self.is(Marks::ENTITY.or(Marks::NOMINAL))
    }

    /// The noun phrase that begins after the word: up to the first verb outside of an attribute, or the end of the clause.
    pub fn phrase(self) -> Phrase<'a, 't> {
        let mut phrase = Phrase { head: None, place: None, next: None };
        for word in self.rights() {
            let bare_direction =
                word.is(Marks::DIRECTIONAL) && phrase.head.is_none() && word.left().map(|left| left.at) != Some(self.at);
            if word.is(Marks::LOCATIVE.or(Marks::PLACE).or(Marks::DEMONSTRATIVE)) && !bare_direction {
                phrase.place = Some(word);
                let goes_on = |next: At<'_, '_>| next.text() == "的" || next.is_nominal() || next.is(Marks::LOCATIVE);
                if !word.right().is_some_and(goes_on) {
                    phrase.next = word.right();
                    return phrase;
                }
            } else if word.is_nominal() && (word.is(Marks::ENTITY) || !word.is(Marks::VERBAL)) {
                phrase.head = Some(word);
            } else if word.ends_phrase() {
                phrase.next = Some(word);
                return phrase;
            }
        }
        phrase
    }

    /// Whether the word ends a noun phrase: a verb, adverb or preposition that no 的 turns into an attribute.
    fn ends_phrase(self) -> bool {
        if self.says(&DEGREES) {
            return false;
        }
        if self.is(Marks::CONJUNCTION) || self.says(&["把", "被", "将", "了", "着"]) {
            return true;
        }
        let adverb = self.is(Marks::ADVERBIAL) && !self.is(Marks::ADJECTIVE);
        let verb = self.is(Marks::VERBAL.or(Marks::VERB).or(Marks::PREPOSITION).or(Marks::DIRECTIONAL)) || self.pos() == "p";
        (adverb || verb) && !self.rights().take(6).any(|word| word.text() == "的")
    }
}

/// A noun phrase.
#[derive(Clone, Copy)]
pub(super) struct Phrase<'a, 't> {
    /// Its last noun or pronoun.
    pub head: Option<At<'a, 't>>,
    /// A locative, place word or demonstrative.
    pub place: Option<At<'a, 't>>,
    /// The first word after it in the clause.
    pub next: Option<At<'a, 't>>,
}
