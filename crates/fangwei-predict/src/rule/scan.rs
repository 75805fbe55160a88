//! The grammar that rules read: places with what governs them (在, 从, 进), the verbs that they go with, and directions after verbs.
//!
//! It is a shallow grammar: one pass over the words of each clause. What it misses, rules stay silent about.

use std::ops::Range;

use fangwei::lexicon::{Class, Lexicon};

use super::rules::locative::noun_of;
use crate::reading::{Reading, Token};

/// A place: 在山洞里, 进屋里, 桌子上.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The word before it that makes it a place of something: a preposition, a direction, or a verb such as 来到.
    pub governor: Option<usize>,
    /// Its first word, without the governor.
    pub first: usize,
    /// The noun that its locative belongs to.
    pub noun: Option<usize>,
    /// Its last word: a locative, a place word, a demonstrative, or a noun.
    pub last: usize,
    /// The verb that it goes with.
    pub verb: Option<usize>,
    /// Whether it follows that verb.
    pub follows: bool,
    /// Whether it stands before 的 and so tells where a noun is.
    pub modifies: bool,
}

/// A direction after a verb, or by itself: 走进, 拿出来.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The verb; none where the direction is the verb.
    pub verb: Option<usize>,
    /// The direction.
    pub direction: usize,
}

/// A text with its places and moves.
#[derive(Debug)]
pub struct Scan<'r> {
    /// The text.
    pub reading: &'r Reading,
    /// Places in the order of the text.
    pub places: Vec<Place>,
    /// Directions in the order of the text.
    pub moves: Vec<Move>,
    /// Of each word, whether it is part of a place.
    inside: Vec<bool>,
}

/// Bounds for texts without end: more is not looked at.
const MOST_PLACES: usize = 2_000;
/// A place has at most so many words.
const LONGEST: usize = 12;

/// Verbs that say nothing of a place by themselves.
const HELPERS: &[&str] =
    &["能", "会", "要", "想", "可以", "能够", "应该", "必须", "愿意", "敢", "肯", "让", "使", "叫", "令", "请"];
/// Verbs that take a place as their object.
const ARRIVING: &[&str] =
    &["进入", "来到", "回到", "到达", "离开", "抵达", "返回", "前往", "驶入", "落入", "走到", "经过", "穿过", "通过"];

impl Scan<'_> {
    /// Reads the grammar of a text.
    pub fn new(reading: &Reading) -> Scan<'_> {
        let mut scan = Scan { reading, places: Vec::new(), moves: Vec::new(), inside: vec![false; reading.tokens.len()] };
        scan.find_moves();
        scan.find_places();
        scan
    }

    /// A word by its number.
    pub fn token(&self, number: usize) -> Option<&Token> {
        self.reading.tokens.get(number)
    }

    /// The text of a word; of none, nothing.
    pub fn text(&self, number: usize) -> &str {
        self.token(number).map_or("", |token| token.text.as_str())
    }

    /// Whether a word is of a class.
    pub fn is(&self, number: usize, class: Class) -> bool {
        self.token(number).is_some_and(|token| token.class == Some(class))
    }

    /// Whether a word is part of a place.
    pub fn is_inside(&self, number: usize) -> bool {
        self.inside.get(number).copied().unwrap_or(false)
    }

    /// Whether two words stand in one clause.
    pub fn together(&self, a: usize, b: usize) -> bool {
        matches!((self.token(a), self.token(b)), (Some(a), Some(b)) if a.clause == b.clause)
    }

    /// Whether a word is a verb that can tell what happens.
    pub fn is_verb(&self, number: usize) -> bool {
        self.token(number).is_some_and(|token| {
            let spatial = matches!(token.class, Some(Class::Verb | Class::Directional));
            (spatial || token.is('v') && token.class.is_none()) && !HELPERS.contains(&token.text.as_str())
        })
    }

    /// Whether a word can stand before the head of a noun phrase.
    fn is_modifier(&self, number: usize) -> bool {
        self.token(number).is_some_and(|token| {
            let place = matches!(token.class, Some(Class::Locative | Class::Place | Class::Demonstrative));
            place
                || token.text == "的"
                || token.class.is_none() && ['n', 'r', 'm', 'q', 'a', 'b', 's', 'i', 'j', 'l'].iter().any(|pos| token.is(*pos))
        })
    }

    fn is_thing(&self, number: usize) -> bool {
        self.token(number)
            .is_some_and(|token| token.class.is_none() && (token.is('n') || token.is('s') || token.is('j') || token.is('r')))
    }

    fn find_moves(&mut self) {
        for number in 0..self.reading.tokens.len() {
            if !self.is(number, Class::Directional) || self.moves.len() >= MOST_PLACES {
                continue;
            }
            let before = self.before(number, &["了", "不", "得", "着"]);
            let verb = before.filter(|before| self.is_verb(*before) && !self.is(*before, Class::Directional));
            self.moves.push(Move { verb, direction: number });
        }
    }

    /// The word before, some words not counted; in the same clause.
    pub fn before(&self, number: usize, skipped: &[&str]) -> Option<usize> {
        let found = (0..number).rev().take(3).find(|before| !skipped.contains(&self.text(*before)))?;
        self.together(found, number).then_some(found)
    }

    /// The word after, some words not counted; in the same clause.
    pub fn after(&self, number: usize, skipped: &[&str]) -> Option<usize> {
        let found = (number + 1..self.reading.tokens.len()).take(3).find(|after| !skipped.contains(&self.text(*after)))?;
        self.together(found, number).then_some(found)
    }

    fn find_places(&mut self) {
        let mut places: Vec<Place> = Vec::new();
        let mut governed: Vec<usize> = Vec::new();
        for number in 0..self.reading.tokens.len() {
            if places.len() >= MOST_PLACES {
                break;
            }
            if [Class::Locative, Class::Place, Class::Demonstrative].iter().any(|class| self.is(number, *class)) {
                let place = self.place_ending_at(number);
                governed.extend(place.governor);
                places.push(place);
            }
        }
        // What governs a place without a locative: 在学校, 进屋子.
        governed.sort_unstable();
        for number in 0..self.reading.tokens.len() {
            if places.len() >= MOST_PLACES {
                break;
            }
            if self.governs(number) && governed.binary_search(&number).is_err() {
                places.extend(self.place_after(number));
            }
        }
        places.sort_by_key(|place| (place.last, place.first));
        for place in &places {
            self.inside[place.first..=place.last].fill(true);
        }
        self.places = places;
    }

    /// Whether a word makes what follows a place.
    fn governs(&self, number: usize) -> bool {
        let Some(token) = self.token(number) else { return false };
        match token.class {
            Some(Class::Preposition) => true,
            Some(Class::Directional) => {
                token.text.chars().count() == 1 && !matches!(token.text.as_str(), "来" | "去" | "起" | "开")
            }
            _ => ARRIVING.contains(&token.text.as_str()),
        }
    }

    fn place_ending_at(&self, last: usize) -> Place {
        let noun = if self.is(last, Class::Locative) { self.before(last, &["的"]) } else { None };
        let noun = noun.filter(|noun| self.is_thing(*noun) || self.is(*noun, Class::Place));
        let mut first = noun.unwrap_or(last);
        let (mut governor, mut wide) = (None, first);
        // Back to what governs it; over a verb only where 的 follows that verb.
        let mut attributive = false;
        for number in (0..first).rev().take(LONGEST) {
            if !self.together(number, last) {
                break;
            }
            if self.governs(number) && (!attributive || self.is(number, Class::Preposition)) {
                governor = Some(number);
                break;
            }
            attributive |= self.text(number) == "的";
            if !self.is_modifier(number) && (!attributive || self.reading.tokens[number].class.is_some()) {
                // 进了屋里: 了 stands between.
                if self.text(number) == "了" && number > 0 && self.governs(number - 1) {
                    governor = Some(number - 1);
                }
                break;
            }
            wide = number;
        }
        if governor.is_some() {
            first = wide;
        } else {
            while first > 0
                && self.is_thing(first - 1)
                && self.together(first - 1, last)
                && self.token(first).is_some_and(|token| token.is('n'))
            {
                first -= 1;
            }
        }
        self.with_verb(Place { governor, first, noun, last, verb: None, follows: false, modifies: false })
    }

    fn place_after(&self, governor: usize) -> Option<Place> {
        let first = self.after(governor, &["了", "着", "过"])?;
        let mut last = None;
        for number in (first..self.reading.tokens.len()).take(LONGEST) {
            if !self.together(number, governor) || !self.is_modifier(number) {
                break;
            }
            if self.is_thing(number) {
                last = Some(number);
            }
        }
        let last = last?;
        // 拿出一本书: what follows a direction without a locative is a place only if one can be in it.
        if !self.is(governor, Class::Preposition) && !is_room(self.text(last)) {
            return None;
        }
        let place =
            Place { governor: Some(governor), first, noun: Some(last), last, verb: None, follows: false, modifies: false };
        Some(self.with_verb(place))
    }

    fn with_verb(&self, mut place: Place) -> Place {
        place.modifies = self.text(place.last + 1) == "的" && self.together(place.last, place.last + 1);
        if let Some(governor) = place.governor {
            if !self.is(governor, Class::Preposition) {
                let before = self.before(governor, &["了", "着"]);
                place.verb = before.filter(|before| self.is_verb(*before)).or(Some(governor));
                place.follows = true;
                return place;
            }
            if let Some(before) = self.before(governor, &["了", "着"]).filter(|before| self.is_verb(*before)) {
                // 跑出来到门口: the verb is 跑.
                let own = self.moves.iter().find(|one| one.direction == before).and_then(|one| one.verb);
                place.verb = Some(own.unwrap_or(before));
                place.follows = true;
                return place;
            }
        }
        if !place.modifies {
            let rest = place.last + 1..self.reading.tokens.len();
            let mut rest = rest.take(2 * LONGEST).take_while(|number| self.together(*number, place.last));
            place.verb = rest.find(|number| self.is_verb(*number) || ARRIVING.contains(&self.text(*number)));
        }
        place
    }

    /// The characters of a run of words.
    pub fn chars(&self, words: Range<usize>) -> Range<usize> {
        let begin = self.token(words.start).map_or(0, |token| token.begin);
        let end = words.end.checked_sub(1).and_then(|last| self.token(last)).map_or(begin, |token| token.end);
        begin..end.max(begin)
    }

    /// The places of a clause.
    pub fn places_of(&self, clause: usize) -> impl Iterator<Item = &Place> {
        // Places are sorted, so a clause is a run of them.
        let start = self.places.partition_point(|place| self.token(place.last).is_some_and(|token| token.clause < clause));
        self.places[start..].iter().take_while(move |place| self.token(place.last).is_some_and(|token| token.clause == clause))
    }

    /// The text of the words of a place.
    pub fn place_text(&self, place: &Place) -> String {
        self.reading.text(self.chars(place.first..place.last + 1))
    }
}

/// Whether a thing is of a kind that one goes into, out of, onto or along.
fn is_room(word: &str) -> bool {
    const ROOMS: &[&str] = &[
        "volume",
        "building",
        "region",
        "territory",
        "road",
        "opening",
        "vehicle",
        "water",
        "landform",
        "structure",
        "container",
    ];
    noun_of(word).is_some_and(|noun| ROOMS.contains(&Lexicon::shipped().kind(noun).name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, String, String)> {
        let reading = Reading::new(text);
        let scan = Scan::new(&reading);
        let word = |number: Option<usize>| number.map_or(String::new(), |number| scan.text(number).to_owned());
        scan.places.iter().map(|place| (word(place.governor), scan.place_text(place), word(place.verb))).collect()
    }

    #[test]
    fn places_have_governors_and_verbs() {
        let row = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(told("他从箱子里拿出一本书。"), [row("从", "箱子里", "拿")]);
        assert_eq!(told("书放在桌子上。"), [row("在", "桌子上", "放")]);
        assert_eq!(told("他走进屋子里。"), [row("进", "屋子里", "走")]);
        assert_eq!(told("桌子下面有一只猫。"), [row("", "桌子下面", "有")]);
        assert!(told("").is_empty() && told("，。！😀").is_empty());
    }
}
