//! Guesses the shape of a word: listed, or made of listed words (noun + locative, verb + directional …).
//! The rules are tried in order and the first that fits is taken; a word that fits none reads as `unknown` and as a noun.

use super::class::{Class, Part};
use super::lexicon::Lexicon;

/// A class and its parts, as ranges of the word.
pub(crate) struct Shape {
    pub class: Class,
    pub parts: Vec<(Part, usize, usize)>,
}

impl Shape {
    fn plain(class: Class) -> Shape {
        Shape { class, parts: Vec::new() }
    }

    /// Two parts that meet at `cut`.
    fn cut(class: Class, first: Part, cut: usize, second: Part, end: usize) -> Shape {
        Shape { class, parts: vec![(first, 0, cut), (second, cut, end)] }
    }
}

/// A word without quotes and final particles, to be read with a lexicon.
pub(crate) struct Guess<'g> {
    pub lexicon: &'g Lexicon,
    pub word: &'g [char],
}

impl Guess<'_> {
    /// The shapes that the word can have, the likeliest first; never empty.
    pub fn shapes(&self) -> Vec<Shape> {
        let listed = self.lexicon.classes(self.word);
        let mut found: Vec<Shape> = listed.iter().map(|&class| Shape::plain(class)).collect();
        if listed.iter().any(|class| class.is_closed()) {
            return found;
        }
        if listed.is_empty() && self.word.len() > 1 {
            let rules = [
                Guess::numeral,
                Guess::prep_phrase,
                Guess::dir2,
                Guess::locative,
                Guess::directional,
                Guess::passive,
                Guess::degree,
                Guess::purpose,
                Guess::verb_place,
                Guess::suffix,
                Guess::object,
                Guess::clause,
            ];
            found.extend(rules.iter().find_map(|rule| rule(self)));
        }
        if found.is_empty() {
            found.push(Shape::plain(Class::Unknown));
            found.push(Shape::plain(Class::Noun));
        } else if matches!(
            found[0].class,
            Class::Numeral | Class::Place | Class::Pronoun | Class::Container | Class::Event | Class::VerbObject
        ) {
            found.push(Shape::plain(Class::Noun));
        }
        found
    }

    fn is_verb(&self, word: &[char]) -> bool {
        self.lexicon.is(word, Class::Verb)
    }

    fn numeral(&self) -> Option<Shape> {
        let opens = self.lexicon.is(&self.word[..1], Class::Numeral);
        let measured = self.lexicon.longest_suffix(self.word, &[Class::Loc, Class::LocWord]).is_none();
        (opens && measured).then(|| Shape::plain(Class::Numeral))
    }

    /// A longer listed word wins over a preposition: 自行车 is no phrase with 自.
    fn prep_phrase(&self) -> Option<Shape> {
        let n = self.lexicon.longest_prefix(self.word, |_| true)?;
        let is_prep = self.lexicon.is(&self.word[..n], Class::Prep) && n < self.word.len();
        is_prep.then(|| Shape { class: Class::PrepPhrase, parts: vec![(Part::Place, n, self.word.len())] })
    }

    fn dir2(&self) -> Option<Shape> {
        let n = self.lexicon.longest_suffix(self.word, &[Class::Dir2])?;
        let cut = self.word.len() - n;
        Some(Shape::cut(Class::VerbDir2, Part::Verb, cut, Part::Tail, self.word.len()))
    }

    fn locative(&self) -> Option<Shape> {
        let end = self.word.len();
        let n = self.lexicon.longest_suffix(self.word, &[Class::Loc, Class::LocWord])?;
        let (stem, loc) = self.word.split_at(end - n);
        if self.lexicon.is(stem, Class::Modifier) {
            return Some(Shape::plain(Class::LocWord));
        }
        let verbal = self.is_verb(stem) || self.lexicon.is(stem, Class::Adverb);
        if verbal && !self.lexicon.is(stem, Class::Noun) {
            let class = if self.is_verb(stem) && self.lexicon.is(loc, Class::Dir) { Class::VerbPath } else { Class::VerbLoc };
            return Some(Shape::cut(class, Part::Verb, stem.len(), Part::Tail, end));
        }
        if let Some(v) = self.lexicon.longest_prefix(stem, |c| c.contains(&Class::Verb)) {
            let opener = self.lexicon.classes(&self.word[v..=v]);
            if stem.len() > v && opener.iter().any(|c| matches!(c, Class::Prep | Class::Dir)) {
                return Some(Shape::cut(Class::VerbPlace, Part::Verb, v, Part::Place, end));
            }
        }
        if self.lexicon.is(&self.word[..1], Class::Dir) && self.lexicon.longest_prefix(self.word, |_| true) == Some(1) {
            return Some(Shape::plain(Class::DirPhrase));
        }
        Some(Shape::cut(Class::NounLoc, Part::Noun, stem.len(), Part::Tail, end))
    }

    /// 来, 去 and 起 close a verb; 进, 出 and the like, and prepositions, open a place as well.
    fn directional(&self) -> Option<Shape> {
        let end = self.word.len();
        let (stem, last) = self.word.split_at(end - 1);
        let class = if self.lexicon.is(last, Class::Prep) {
            Class::VerbPrep
        } else if self.lexicon.is(last, Class::Dir) {
            if "来去起".contains(last[0]) { Class::VerbCome } else { Class::VerbPath }
        } else {
            return None;
        };
        let nominal = class == Class::VerbPrep
            && !self.is_verb(stem)
            && (self.lexicon.is(stem, Class::Noun) || self.lexicon.by_suffix(stem).is_some());
        (!nominal).then(|| Shape::cut(class, Part::Verb, end - 1, Part::Tail, end))
    }

    fn passive(&self) -> Option<Shape> {
        let listed = self.lexicon.longest_prefix(self.word, |_| true);
        (self.word[0] == '被' && listed.is_none())
            .then(|| Shape { class: Class::Passive, parts: vec![(Part::Verb, 1, self.word.len())] })
    }

    fn suffix(&self) -> Option<Shape> {
        self.lexicon.by_suffix(self.word).filter(|_| self.opening_verb().is_none()).map(Shape::plain)
    }

    /// The length of the verb that opens the word; a longer listed word of another class hides it (收 in 收音机).
    fn opening_verb(&self) -> Option<usize> {
        let n = self.lexicon.longest_prefix(self.word, |_| true)?;
        self.is_verb(&self.word[..n]).then_some(n)
    }

    /// 挂到脖子, 走进教室: a verb, then a preposition or a directional, then what it takes.
    fn verb_place(&self) -> Option<Shape> {
        let end = self.word.len();
        let verb = self.opening_verb().filter(|n| n + 1 < end)?;
        let opener = &self.word[verb..=verb];
        let rest = &self.word[verb + 1..];
        let held = [Class::Place, Class::Container];
        let takes = self.lexicon.is(opener, Class::Prep)
            || self.lexicon.is(opener, Class::Dir)
                && (held.iter().any(|&class| self.lexicon.is(rest, class))
                    || self.lexicon.by_suffix(rest).is_some_and(|class| held.contains(&class)));
        takes.then(|| Shape::cut(Class::VerbPlace, Part::Verb, verb, Part::Place, end))
    }

    /// 很远: an adjective with its degree.
    fn degree(&self) -> Option<Shape> {
        let graded = "很太极".contains(self.word[0]) && self.lexicon.is(&self.word[1..], Class::Adjective);
        graded.then(|| Shape::plain(Class::Adjective))
    }

    /// 去游泳: a deictic verb before another is one event with it.
    fn purpose(&self) -> Option<Shape> {
        let serial = "来去".contains(self.word[0]) && self.is_verb(&self.word[1..]);
        serial.then(|| Shape::plain(Class::Verb))
    }

    /// A verb and its object; a verb and an object of one character each are one event (喝酒), a doubled verb is a verb (走走).
    fn object(&self) -> Option<Shape> {
        let end = self.word.len();
        let verb = self.opening_verb()?;
        if self.is_verb(&self.word[verb..]) || self.word[0] == self.word[1] {
            return Some(Shape::plain(Class::Verb));
        }
        if end == 2 {
            return Some(Shape::plain(Class::Event));
        }
        let mut cut = verb;
        if self.lexicon.is(&self.word[cut..=cut], Class::Dir) && cut + 1 < end {
            cut += 1;
        }
        let particle = usize::from("了着过".contains(self.word[cut]) && cut + 1 < end);
        let start = cut + particle;
        Some(Shape { class: Class::VerbObject, parts: vec![(Part::Verb, 0, cut), (Part::Object, start, end)] })
    }

    fn clause(&self) -> Option<Shape> {
        let n = self.lexicon.longest_suffix(self.word, &[Class::Verb, Class::Adjective])?;
        let cut = self.word.len() - n;
        (n > 1).then(|| Shape::cut(Class::Clause, Part::Noun, cut, Part::Verb, self.word.len()))
    }
}
