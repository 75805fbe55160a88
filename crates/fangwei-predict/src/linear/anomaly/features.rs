//! What the span labeller looks at: of every character what it is and what stands around it (made once a passage), and how it stands
//! to the suspicious word (made once an anchor).
//!
//! Most of it is asked of words; a character adds whether it is the first, the last, or between.

use std::ops::Range;

use super::view::{Fact, View, class_number, number};
use crate::learn::feature::{Keys, Template};

/// The suspicious word, and in an answer of two triples also the word that it contradicts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// Its characters.
    pub at: Range<usize>,
    /// The word at which the other triple hangs, and whether that is the first triple.
    pub partner: Option<(Range<usize>, bool)>,
}

impl Anchor {
    /// The anchor of a lone triple.
    pub fn lone(at: Range<usize>) -> Anchor {
        Anchor { at, partner: None }
    }

    /// The anchors of two triples; the one that hangs at the earlier word comes first.
    pub fn pair(one: &Range<usize>, other: &Range<usize>) -> [Anchor; 2] {
        let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
        [
            Anchor { at: first.clone(), partner: Some((second.clone(), false)) },
            Anchor { at: second.clone(), partner: Some((first.clone(), true)) },
        ]
    }
}

/// Classes of positions for the transitions.
pub const CLASSES: usize = 3;

/// The class of each position: the first character of a word, another, or punctuation.
pub fn classes(view: &View<'_>) -> Vec<u8> {
    let reading = view.reading;
    let class = |at: usize| {
        let word = reading.token_of[at];
        let begins = at == 0 || reading.token_of[at - 1] != word;
        if view.facts.get(word).is_some_and(|fact| fact.mark) { 2 } else { u8::from(!begins) }
    };
    (0..reading.chars.len()).map(class).collect()
}

/// First, last, only character of its word, or between.
fn edge(view: &View<'_>, at: usize) -> u64 {
    let words = &view.reading.token_of;
    let begins = at == 0 || words[at - 1] != words[at];
    let ends = words.get(at + 1) != Some(&words[at]);
    u64::from(begins) | u64::from(ends) << 1
}

/// The keys of a passage, whatever the anchor.
pub fn base(view: &View<'_>) -> Keys {
    let mut keys = Keys::new();
    let reading = view.reading;
    let mut of_word: Vec<Template> = Vec::new();
    let mut last = usize::MAX;
    for at in 0..reading.chars.len() {
        let word = reading.token_of[at];
        if word != last {
            of_word.clear();
            word_base(view, word, &mut of_word);
            last = word;
        }
        let edge = edge(view, at);
        for template in &of_word {
            keys.push(template.part(edge).key());
        }
        let near = |by: isize| reading.at(at as isize + by).map_or(0, u64::from);
        let (b2, b1, c, a1, a2) = (near(-2), near(-1), near(0), near(1), near(2));
        let mut add = |number: u16, parts: &[u64]| keys.push(mix(number, parts).key());
        add(1, &[c]);
        add(2, &[b1, c]);
        add(3, &[c, a1]);
        add(4, &[b1, c, a1]);
        add(5, &[b2, b1]);
        add(6, &[a1, a2]);
        add(7, &[b1, a1]);
        keys.close();
    }
    keys
}

fn mix(number: u16, parts: &[u64]) -> Template {
    parts.iter().fold(Template::new(number), |template, part| template.part(*part))
}

fn word_base(view: &View<'_>, word: usize, out: &mut Vec<Template>) {
    let none = (0, 0);
    let near =
        |by: isize| word.checked_add_signed(by).and_then(|at| view.facts.get(at)).map_or(none, |fact| (fact.text, fact.pos));
    let Some(fact) = view.facts.get(word) else { return };
    let ((bt, bp), (at, ap)) = (near(-1), near(1));
    let (b2p, a2p) = (near(-2).1, near(2).1);
    let (text, pos) = (fact.text, fact.pos);
    let mut add = |number: u16, parts: &[u64]| out.push(mix(number, parts));
    add(20, &[text]);
    add(21, &[pos]);
    add(22, &[bp, pos]);
    add(23, &[pos, ap]);
    add(24, &[bp, pos, ap]);
    add(25, &[bt, text]);
    add(26, &[text, at]);
    add(27, &[bt, pos]);
    add(28, &[pos, at]);
    add(29, &[fact.head]);
    add(30, &[fact.kind, fact.class]);
    add(31, &[b2p, bp, pos]);
    add(32, &[pos, ap, a2p]);
    add(33, &[fact.part as u64, fact.noun_number]);
    add(34, &[pos, fact.mention, fact.mentions]);
    add(35, &[fact.part as u64, u64::from(fact.quoted)]);
}

/// What the anchor brings with it.
struct Site {
    first: usize,
    last: usize,
    clause: usize,
    sentence: usize,
    class: u64,
    word: u64,
    /// The preposition that opens the anchor's phrase.
    opens: Option<usize>,
    /// The noun right before the anchor.
    noun: u64,
    verb_before: Option<usize>,
    verb_after: Option<usize>,
}

/// Words looked through for a preposition or a verb.
const REACH: usize = 14;

impl Site {
    fn new(view: &View<'_>, at: &Range<usize>) -> Site {
        let reading = view.reading;
        let word_at = |place: usize| reading.token_of.get(place).copied().unwrap_or(0);
        let (first, last) = (word_at(at.start), word_at(at.end.saturating_sub(1).max(at.start)));
        let clause = reading.clause_of.get(at.start).copied().unwrap_or(0);
        let in_clause = |word: &usize| reading.tokens[*word].clause == clause;
        let before: Vec<usize> = (0..first).rev().take(REACH).take_while(in_clause).collect();
        let after = (last + 1..reading.tokens.len()).take(REACH).take_while(in_clause);
        let verb_before = before.iter().copied().find(|word| view.facts[*word].verb);
        let opens = before.iter().copied().find(|word| view.facts[*word].preposition);
        // A verb between closes the phrase, unless 的 makes it a modifier of the noun.
        let modifies = (0..first)
            .rev()
            .take(REACH)
            .any(|word| reading.tokens[word].text == "的" && verb_before.is_some_and(|verb| verb < word));
        let opens = opens.filter(|opens| verb_before.is_none_or(|verb| verb < *opens) || modifies);
        let noun = first.checked_sub(1).map_or(0, |word| view.facts[word].text);
        Site {
            first,
            last,
            clause,
            sentence: reading.sentence_of.get(at.start).copied().unwrap_or(0),
            class: class_number(reading.tokens.get(first).and_then(|token| token.class)),
            word: number(&reading.text(at.clone())),
            opens,
            noun,
            verb_before,
            verb_after: { after }.find(|word| view.facts[*word].verb),
        }
    }

    /// Signed distance in words; 0 inside.
    fn distance(&self, word: usize) -> i64 {
        if word < self.first {
            word as i64 - self.first as i64
        } else if word > self.last {
            word as i64 - self.last as i64
        } else {
            0
        }
    }

    /// Where a word stands to the anchor's phrase: inside the anchor, its preposition, between the two, before, after; in the clause or not.
    fn region(&self, word: usize, clause: usize) -> u64 {
        if (self.first..=self.last).contains(&word) {
            0
        } else if self.opens == Some(word) {
            1
        } else if self.opens.is_some_and(|opens| (opens..self.first).contains(&word)) {
            2
        } else if clause != self.clause {
            3 + u64::from(clause > self.clause)
        } else {
            5 + u64::from(word > self.last) + 2 * u64::from(self.opens.is_some())
        }
    }
}

fn clamp(number: i64, most: i64) -> u64 {
    (number.clamp(-most, most) + most) as u64
}

/// The characters around an anchor that are labelled: all of an ordinary passage, so much of a long one that no work grows with it.
pub fn window(view: &View<'_>, anchor: &Anchor) -> Range<usize> {
    const SIDE: usize = 256;
    let length = view.reading.chars.len();
    let first = anchor.at.start.saturating_sub(SIDE).min(length.saturating_sub(2 * SIDE));
    if length <= 2 * SIDE { 0..length } else { first..first + 2 * SIDE }
}

/// The keys that an anchor adds at each position of its window.
pub fn anchored(view: &View<'_>, anchor: &Anchor) -> Keys {
    let mut keys = Keys::new();
    let reading = view.reading;
    let site = Site::new(view, &anchor.at);
    let partner = anchor.partner.as_ref().map(|(at, second)| (Site::new(view, at), *second));
    let said: Vec<u64> = partner.as_ref().map(|(partner, _)| words_of_clause(view, partner.first)).unwrap_or_default();
    let mut of_word: Vec<Template> = Vec::new();
    let mut last = usize::MAX;
    for at in window(view, anchor) {
        let word = reading.token_of[at];
        if word != last {
            of_word.clear();
            if let Some(fact) = view.facts.get(word) {
                word_anchored(view, &site, word, fact, &mut of_word);
                if let Some((partner, second)) = &partner {
                    word_paired(view, (&site, partner, *second), &said, word, &mut of_word);
                }
            }
            last = word;
        }
        let edge = edge(view, at);
        for template in &of_word {
            keys.push(template.part(edge).key());
        }
        if anchor.at.contains(&at) {
            keys.push(mix(60, &[(at - anchor.at.start) as u64, (anchor.at.end - at) as u64, site.class]).key());
        }
        keys.close();
    }
    keys
}

fn word_anchored(view: &View<'_>, site: &Site, word: usize, fact: &Fact, out: &mut Vec<Template>) {
    let reading = view.reading;
    let (text, pos, part) = (fact.text, fact.pos, fact.part as u64);
    let distance = site.distance(word);
    let near = clamp(distance, 15);
    let token = &reading.tokens[word];
    let clause = clamp(token.clause as i64 - site.clause as i64, 4);
    let sentence = clamp(reading.sentence_of.get(token.begin).copied().unwrap_or(0) as i64 - site.sentence as i64, 2);
    let region = site.region(word, token.clause);
    let anchor = &view.facts[site.first.min(view.facts.len() - 1)];
    let nouns = clamp(fact.nouns_before as i64 - anchor.nouns_before as i64, 6);
    let verbs = clamp(fact.verbs_before as i64 - anchor.verbs_before as i64, 5);
    let sign = (distance.signum() + 1) as u64;
    let opens = site.opens.map_or(0, |opens| view.facts[opens].text);
    let governor = site.verb_before.map_or(0, |verb| view.facts[verb].text);
    let follower = site.verb_after.map_or(0, |verb| view.facts[verb].text);
    let is_verb = u64::from(site.verb_before == Some(word)) | u64::from(site.verb_after == Some(word)) << 1;
    let text_near = |by: isize| word.checked_add_signed(by).and_then(|at| view.facts.get(at)).map_or(0, |fact| fact.text);
    let pos_near = |by: isize| word.checked_add_signed(by).and_then(|at| view.facts.get(at)).map_or(0, |fact| fact.pos);
    let same_noun = u64::from(site.noun != 0 && text == site.noun);
    let mut add = |number: u16, parts: &[u64]| out.push(mix(number, parts));
    add(61, &[near, pos]);
    add(62, &[near, site.class]);
    add(63, &[near, site.word]);
    add(64, &[clause, pos]);
    add(65, &[clause, text]);
    add(66, &[clause, fact.noun_number, part]);
    add(67, &[nouns, pos]);
    add(68, &[verbs, pos, sign]);
    add(69, &[nouns, verbs, clause]);
    add(70, &[text, site.class, sign]);
    add(71, &[text, site.word, sign]);
    add(72, &[region, pos, site.class]);
    add(73, &[region, text]);
    add(74, &[region, near]);
    add(75, &[region, pos, pos_near(-1), pos_near(1)]);
    add(76, &[sentence, pos]);
    add(77, &[same_noun, clause, region]);
    add(78, &[region, text_near(1), pos]);
    add(79, &[region, text_near(-1), pos]);
    add(80, &[part, clause, fact.mention, site.class]);
    add(81, &[part, clause, governor]);
    add(82, &[part, clause, follower]);
    add(83, &[is_verb, site.class, opens]);
    add(84, &[is_verb, text]);
    add(85, &[part, clause, nouns]);
    add(86, &[part, clause, sign, u64::from(fact.quoted), fact.kind]);
    add(87, &[clause, part, opens, is_verb]);
    add(88, &[text, governor]);
    if distance.unsigned_abs() <= 7 {
        let (low, high) = if word < site.first { (word, site.first) } else { (site.last, word) };
        let path =
            view.facts[low..=high.min(view.facts.len() - 1)].iter().fold(Template::new(89), |path, fact| path.part(fact.pos));
        out.push(path.part(sign));
        out.push(path.part(sign).part(site.class).part(text));
    }
}

/// What only an answer of two triples asks: the same with the mark of the triple, and how a word stands to the other anchor.
fn word_paired(
    view: &View<'_>,
    (site, partner, second): (&Site, &Site, bool),
    said: &[u64],
    word: usize,
    out: &mut Vec<Template>,
) {
    let fact = &view.facts[word];
    let token = &view.reading.tokens[word];
    let mode = 1 + u64::from(second);
    let (pos, part) = (fact.pos, fact.part as u64);
    let clause = clamp(token.clause as i64 - site.clause as i64, 4);
    let other = clamp(token.clause as i64 - partner.clause as i64, 4);
    let (region, beyond) = (site.region(word, token.clause), partner.region(word, token.clause));
    let apart = clamp(partner.clause as i64 - site.clause as i64, 3);
    let repeated = said.contains(&fact.text);
    let mut add = |number: u16, parts: &[u64]| out.push(mix(number, parts));
    add(100, &[mode, clamp(site.distance(word), 15), pos]);
    add(101, &[mode, clause, part, fact.noun_number]);
    add(102, &[mode, region, pos, site.class]);
    add(103, &[clamp(partner.distance(word), 15), pos]);
    add(104, &[clause, other, part]);
    add(105, &[mode, clause, other, apart, part]);
    add(106, &[region, beyond, pos]);
    add(107, &[u64::from(repeated), clause, part, mode]);
    add(108, &[u64::from(repeated), region, pos, fact.mention]);
    add(109, &[mode, apart, fact.text]);
    add(110, &[apart, part, fact.mention, fact.mentions]);
}

/// The words of the clause that a word stands in, of a long clause those near it.
fn words_of_clause(view: &View<'_>, word: usize) -> Vec<u64> {
    let tokens = &view.reading.tokens;
    let Some(clause) = tokens.get(word).map(|token| token.clause) else { return Vec::new() };
    let near = word.saturating_sub(2 * REACH)..tokens.len().min(word + 2 * REACH);
    near.filter(|there| tokens[*there].clause == clause).map(|there| view.facts[there].text).collect()
}
