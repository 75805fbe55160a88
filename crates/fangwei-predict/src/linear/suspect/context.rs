//! The surroundings of a site: what stands around a spatial word, as the beginnings of features.
//!
//! A feature is a piece of the surroundings joined with a word that stands, or might stand, at the site. The site's own characters are never looked at, so
//! the surroundings of all rivals are the same.

use fangwei::lexicon::{Class, Lexicon};

use super::site::Site;
use crate::learn::feature::Template;
use crate::reading::{Reading, Token};

/// So many words to either side belong to the surroundings.
const NEAR: usize = 9;
/// Stands for what is not there: before the first and after the last word of a text.
const NOTHING: &str = "∅";

/// What stands around a site.
#[derive(Clone, Debug, Default)]
pub struct Surroundings<'r> {
    /// Beginnings of features.
    pub templates: Vec<Template>,
    /// The noun that the word follows.
    pub noun: Option<&'r str>,
    /// The kind of that noun, by the lexicon.
    pub kind: Option<&'static str>,
    /// The preposition before it in its clause.
    pub preposition: Option<&'r str>,
    /// The nearest verb before it in its clause.
    pub verb: Option<&'r str>,
    /// The nearest verb after it.
    pub next_verb: Option<&'r str>,
    /// Words at sites that follow the same noun elsewhere in the text.
    pub elsewhere: Vec<&'r str>,
}

/// Collects beginnings of features, each of a number and its parts.
struct Builder(Vec<Template>);

impl Builder {
    fn add(&mut self, number: u16, parts: &[&str]) {
        self.0.push(parts.iter().fold(Template::new(number), |template, part| template.text(part)));
    }
}

/// The surroundings of the site of a number.
pub fn surroundings<'r>(reading: &'r Reading, sites: &'r [Site], number: usize) -> Surroundings<'r> {
    let site = &sites[number];
    let mut out = Builder(Vec::with_capacity(96));
    let class = site.class.as_str();
    out.add(0, &[class]);
    characters(reading, site, &mut out);
    let (left, right) = neighbours(reading, site);
    words(&left, &right, &mut out);
    let mut around = grammar(reading, site, &left, &right, &mut out);
    others(reading, sites, number, &mut around, &mut out);
    around.templates = out.0;
    around
}

/// Characters up to four places away, alone and together.
fn characters(reading: &Reading, site: &Site, out: &mut Builder) {
    let text = |from: isize, to: isize| -> String { (from..to).map(|place| reading.at(place).unwrap_or('∅')).collect() };
    let (begin, end) = (site.range.start as isize, site.range.end as isize);
    for size in 1..=4 {
        out.add(size, &[&text(begin - size as isize, begin)]);
        out.add(4 + size, &[&text(end, end + size as isize)]);
    }
    out.add(9, &[&text(begin - 2, begin - 1)]);
    out.add(10, &[&text(end + 1, end + 2)]);
    out.add(11, &[&text(begin - 1, begin), &text(end, end + 1)]);
    out.add(12, &[&text(begin - 2, begin), &text(end, end + 1)]);
    out.add(13, &[&text(begin - 1, begin), &text(end, end + 2)]);
    out.add(14, &[&text(begin - 2, begin), &text(end, end + 2)]);
}

/// A word beside the site, perhaps only the part of it that is outside.
#[derive(Clone, Copy)]
struct Beside<'r> {
    text: &'r str,
    pos: &'r str,
    token: Option<&'r Token>,
}

/// The words of the sentence to the left, nearest first, and to the right.
fn neighbours<'r>(reading: &'r Reading, site: &Site) -> (Vec<Beside<'r>>, Vec<Beside<'r>>) {
    let whole = |token: &'r Token| Beside { text: &token.text, pos: &token.pos, token: Some(token) };
    let own = &reading.tokens[site.token];
    let mut left: Vec<Beside<'r>> = reading.tokens[..site.token].iter().rev().take(NEAR).map(whole).collect();
    let mut right: Vec<Beside<'r>> = reading.tokens.iter().skip(site.token + 1).take(NEAR).map(whole).collect();
    // The rest of a word that a locative is glued to.
    let split = |at: usize| own.text.char_indices().nth(at).map_or(own.text.len(), |(byte, _)| byte);
    if own.begin < site.range.start {
        left.insert(0, Beside { text: &own.text[..split(site.range.start - own.begin)], pos: "n", token: None });
    }
    if site.range.end < own.end {
        right.insert(0, Beside { text: &own.text[split(site.range.end - own.begin)..], pos: "v", token: None });
    }
    (left, right)
}

fn words(left: &[Beside<'_>], right: &[Beside<'_>], out: &mut Builder) {
    let at = |side: &[Beside<'_>], place: usize| -> (String, String) {
        side.get(place).map_or((NOTHING.to_owned(), NOTHING.to_owned()), |one| (one.text.to_owned(), one.pos.to_owned()))
    };
    let ((l1, p1), (l2, p2), (l3, _)) = (at(left, 0), at(left, 1), at(left, 2));
    let ((r1, q1), (r2, q2), (r3, _)) = (at(right, 0), at(right, 1), at(right, 2));
    out.add(20, &[&l1]);
    out.add(21, &[&l2]);
    out.add(22, &[&l2, &l1]);
    out.add(23, &[&r1]);
    out.add(24, &[&r2]);
    out.add(25, &[&r1, &r2]);
    out.add(26, &[&l1, &r1]);
    out.add(27, &[&p1]);
    out.add(28, &[&q1]);
    out.add(29, &[&p1, &q1]);
    out.add(30, &[&p2, &p1]);
    out.add(31, &[&q1, &q2]);
    out.add(32, &[&p2, &p1, &q1]);
    out.add(33, &[&l2, &r1]);
    out.add(34, &[&l1, &q1]);
    out.add(35, &[&p1, &r1]);
    out.add(36, &[&l3, &l2, &l1]);
    out.add(37, &[&r1, &r2, &r3]);
    out.add(38, &[&l1, &r2]);
}

/// Particles between a verb and its complement.
fn is_particle(text: &str) -> bool {
    matches!(text, "了" | "着" | "过" | "得" | "不" | "的" | "地" | "一")
}

/// The kind of a noun: its own, or that of the longest known noun that it ends with.
fn kind_of(noun: &str) -> Option<&'static str> {
    let lexicon = Lexicon::shipped();
    noun.char_indices().find_map(|(at, _)| lexicon.noun(&noun[at..])).map(|noun| lexicon.kind(noun).name.as_str())
}

fn last(text: &str) -> &str {
    text.char_indices().next_back().map_or("", |(at, _)| &text[at..])
}

/// Prepositions that tell of a way or a place, and the two that bring an object before the verb.
fn is_preposition(token: &Token) -> bool {
    token.class == Some(Class::Preposition)
        || matches!(token.text.as_str(), "在" | "从" | "往" | "向" | "朝" | "到" | "由" | "自" | "把" | "将" | "沿着" | "于")
}

fn grammar<'r>(
    reading: &'r Reading,
    site: &Site,
    left: &[Beside<'r>],
    right: &[Beside<'r>],
    out: &mut Builder,
) -> Surroundings<'r> {
    let clause = reading.clause_of.get(site.range.start).copied().unwrap_or(0);
    let inside = |one: &&Beside<'r>| {
        one.token.is_none_or(|token| token.clause == clause) && one.token.is_none_or(|token| !token.is_mark())
    };
    let is_verb =
        |one: &Beside<'r>| one.pos.starts_with('v') && one.token.is_none_or(|token| token.class != Some(Class::Directional));
    let noun = left
        .first()
        .filter(inside)
        .filter(|one| one.token.is_none_or(Token::is_nominal) || one.pos.starts_with(['n', 's']))
        .map(|one| one.text);
    let kind = noun.and_then(kind_of);
    let of_clause = || left.iter().take_while(inside);
    let preposition = of_clause().enumerate().find(|(_, one)| one.token.is_some_and(is_preposition));
    let (distance, preposition) = preposition.map_or((0, None), |(distance, one)| (distance, Some(one.text)));
    let verb = of_clause().find(|one| is_verb(one)).map(|one| one.text);
    let before_preposition = preposition.and_then(|_| left.get(distance + 1)).filter(|one| is_verb(one)).map(|one| one.text);
    let next_verb = right.iter().take_while(inside).find(|one| is_verb(one)).map(|one| one.text);
    let next_noun = right.iter().take_while(inside).find(|one| one.token.is_some_and(Token::is_nominal)).map(|one| one.text);
    let head = of_clause().find(|one| !is_particle(one.text)).map_or(NOTHING, |one| one.text);
    let or = |text: Option<&'r str>| text.unwrap_or(NOTHING);
    let (noun_text, kind_text, preposition_text, verb_text, next_text) =
        (or(noun), kind.unwrap_or(NOTHING), or(preposition), or(verb), or(next_verb));
    let gap = ["0", "1", "2", "3", "4"][distance.min(4)];
    let class = site.class.as_str();

    out.add(40, &[noun_text]);
    out.add(41, &[last(noun_text)]);
    out.add(42, &[kind_text]);
    out.add(43, &[preposition_text, gap]);
    out.add(44, &[preposition_text, kind_text]);
    out.add(45, &[preposition_text, last(noun_text)]);
    out.add(46, &[preposition_text, noun_text]);
    out.add(47, &[verb_text]);
    out.add(48, &[last(verb_text)]);
    out.add(49, &[next_text]);
    out.add(50, &[last(next_text)]);
    out.add(51, &[preposition_text, next_text]);
    out.add(52, &[preposition_text, verb_text]);
    out.add(53, &[kind_text, next_text]);
    out.add(54, &[kind_text, verb_text]);
    out.add(55, &[last(noun_text), next_text]);
    out.add(56, &[last(noun_text), verb_text]);
    out.add(57, &[head, class]);
    out.add(58, &[last(head), class]);
    out.add(59, &[or(next_noun), class]);
    out.add(60, &[last(or(next_noun)), verb_text]);
    out.add(61, &[or(before_preposition), preposition_text]);
    out.add(62, &[or(before_preposition), kind_text]);
    out.add(63, &[or(before_preposition), last(noun_text)]);
    let starts = left.first().is_none_or(|one| one.token.is_some_and(Token::is_mark));
    let ends = right.first().is_none_or(|one| one.token.is_some_and(Token::is_mark));
    out.add(64, &[if starts { "^" } else { "" }, if ends { "$" } else { "" }, class]);
    out.add(65, &[if ends { "$" } else { "" }, verb_text]);
    out.add(66, &[if ends { "$" } else { "" }, preposition_text, kind_text]);
    if let Some(takes) = noun.and_then(|noun| Lexicon::shipped().noun(noun)) {
        for word in &takes.takes {
            out.add(67, &[word]);
        }
    }
    Surroundings { templates: Vec::new(), noun, kind, preposition, verb, next_verb, elsewhere: Vec::new() }
}

/// The other spatial words of the text.
fn others<'r>(reading: &'r Reading, sites: &'r [Site], number: usize, around: &mut Surroundings<'r>, out: &mut Builder) {
    let site = &sites[number];
    let clause = |site: &Site| reading.clause_of.get(site.range.start).copied().unwrap_or(0);
    let same = |other: &Site| if clause(other) == clause(site) { "c" } else { "s" };
    if let Some(other) = number.checked_sub(1).and_then(|before| sites.get(before)) {
        out.add(80, &[&other.word, same(other)]);
        out.add(81, &[&other.word, around.verb.unwrap_or(NOTHING)]);
        out.add(82, &[&other.word, around.kind.unwrap_or(NOTHING), same(other)]);
    }
    if let Some(other) = sites.get(number + 1) {
        out.add(83, &[&other.word, same(other)]);
        out.add(84, &[&other.word, around.verb.unwrap_or(NOTHING)]);
        out.add(85, &[&other.word, around.kind.unwrap_or(NOTHING), same(other)]);
    }
    // Texts of thousands of sites: only those near by are compared.
    let near = number.saturating_sub(16)..(number + 17).min(sites.len());
    for at in near {
        let other = &sites[at];
        if at == number {
            continue;
        }
        let before = other.token.checked_sub(1).map(|token| reading.tokens[token].text.as_str());
        if around.noun.is_some() && before == around.noun {
            out.add(89, &[&other.word]);
            out.add(90, &[&other.word, around.preposition.unwrap_or(NOTHING)]);
            around.elsewhere.push(&other.word);
        }
    }
}
