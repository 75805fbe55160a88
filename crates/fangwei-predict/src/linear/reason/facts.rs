//! Facts of a reason: what can be measured of its two quotations in their text, as numbers for trees and as keys for a sparse model.
//!
//! A reason is right if the anomaly lies in what it quotes, if the quotations are what the frame speaks of (a noun and its locative do not fit, two words
//! contradict each other), and if they are neither too short to hold the anomaly nor beside it.

use std::ops::Range;

use fangwei::lexicon::{Class, Lexicon, Model};
use fangwei::reasons::{Frame, Statement};

use super::usage::{Fit, Usage};
use crate::learn::feature::Template;
use crate::reading::{Reading, Token};

/// A number that is not known.
pub const UNKNOWN: f32 = f32::NAN;

/// A reason as the model sees it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Numbers, always as many, in the order of their names.
    pub dense: Vec<f32>,
    /// Keys of the sparse model.
    pub keys: Vec<u32>,
}

/// Where the quotations stand.
#[derive(Clone, Debug)]
pub struct Places {
    /// The first,
    pub x: Option<Range<usize>>,
    /// and the second.
    pub y: Option<Range<usize>>,
}

/// Most places of one quotation that are tried.
const MOST_PLACES: usize = 12;

/// Every place where a text stands, the first few.
fn occurrences(chars: &[char], wanted: &str) -> Vec<Range<usize>> {
    let wanted: Vec<char> = wanted.chars().collect();
    if wanted.is_empty() || wanted.len() > chars.len() {
        return Vec::new();
    }
    let starts = chars.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted.as_slice());
    starts.map(|(start, _)| start..start + wanted.len()).take(MOST_PLACES).collect()
}

/// How many characters lie between two ranges; negative where they overlap.
fn gap(a: &Range<usize>, b: &Range<usize>) -> i64 {
    (a.start.max(b.start) as i64) - (a.end.min(b.end) as i64)
}

/// Where the quotations of a reason stand: of several places those where the words fit worst, then those nearest to each other.
pub fn places(reading: &Reading, statement: &Statement, fits: &[Fit]) -> Places {
    let xs = occurrences(&reading.chars, &statement.x);
    let doubt = |range: &Range<usize>| best_in(reading, fits, range).map_or(-9.0, |fit| fit.doubt);
    let Some(y) = &statement.y else {
        let x = xs.into_iter().max_by(|a, b| doubt(a).total_cmp(&doubt(b)));
        return Places { x, y: None };
    };
    let ys = occurrences(&reading.chars, y);
    let mut pairs: Vec<(&Range<usize>, &Range<usize>)> = Vec::new();
    for x in &xs {
        pairs.extend(ys.iter().filter(|y| *y != x).map(|y| (x, y)));
    }
    let nearest = pairs.into_iter().min_by_key(|(x, y)| gap(x, y).abs());
    match nearest {
        Some((x, y)) => Places { x: Some(x.clone()), y: Some(y.clone()) },
        None => Places { x: xs.into_iter().next(), y: ys.into_iter().next() },
    }
}

/// The spatial words within some characters.
fn within<'f>(reading: &'f Reading, fits: &'f [Fit], range: &'f Range<usize>) -> impl Iterator<Item = &'f Fit> {
    fits.iter().filter(move |fit| {
        let token = &reading.tokens[fit.site.token];
        token.begin < range.end && token.end > range.start
    })
}

/// The spatial word within some characters that fits worst.
pub fn best_in<'f>(reading: &'f Reading, fits: &'f [Fit], range: &'f Range<usize>) -> Option<&'f Fit> {
    within(reading, fits, range).max_by(|a, b| a.doubt.total_cmp(&b.doubt))
}

/// Tokens that lie in some characters, whole or in part.
fn tokens<'r>(reading: &'r Reading, range: &Range<usize>) -> &'r [Token] {
    if range.is_empty() || reading.tokens.is_empty() {
        return &[];
    }
    let first = reading.token_of.get(range.start).copied().unwrap_or(0);
    let last = reading.token_of.get(range.end - 1).copied().unwrap_or(first);
    reading.tokens.get(first..=last).unwrap_or_default()
}

/// The class of a spatial word, the part of speech of another.
fn category(token: &Token) -> &str {
    match token.class {
        Some(class) => class.as_str(),
        None => &token.pos,
    }
}

/// The model of space of a word.
fn model(word: &str) -> Option<Model> {
    Lexicon::shipped().look_up(word).find_map(|entry| entry.model)
}

/// Characters of opposite direction.
const OPPOSITES: [(char, char); 8] =
    [('上', '下'), ('前', '后'), ('左', '右'), ('里', '外'), ('内', '外'), ('进', '出'), ('来', '去'), ('入', '出')];

/// Whether two texts hold opposite words.
fn opposed(a: &str, b: &str) -> bool {
    OPPOSITES.iter().any(|(one, other)| a.contains(*one) && b.contains(*other) || a.contains(*other) && b.contains(*one))
}

/// Numbers and keys gathered one by one.
struct Gather {
    facts: Facts,
    frame: &'static str,
}

impl Gather {
    fn put(&mut self, number: f32) {
        self.facts.dense.push(number);
    }

    fn flag(&mut self, flag: bool) {
        self.put(f32::from(u8::from(flag)));
    }

    /// A key by itself and with the frame.
    fn key(&mut self, kind: u16, parts: &[&str]) {
        let plain = parts.iter().fold(Template::new(kind), |template, part| template.text(part));
        self.facts.keys.push(plain.key());
        self.facts.keys.push(plain.text(self.frame).key());
    }
}

/// The facts of a reason about a text. `without` is an origin whose share in the counts is left out, because the item itself belongs to it.
pub fn facts(reading: &Reading, statement: &Statement, usage: &Usage, fits: &[Fit], without: Option<u32>) -> Facts {
    let places = places(reading, statement, fits);
    let mut gather = Gather { facts: Facts::default(), frame: statement.frame.as_str() };
    for frame in Frame::ALL {
        gather.flag(frame == statement.frame);
    }
    let y_text = statement.y.as_deref().unwrap_or("");
    gather.put(reading.chars.len() as f32);
    gather.put(fits.len() as f32);
    let worst = fits.iter().map(|fit| fit.doubt).fold(f32::MIN, f32::max);
    gather.put(worst.max(-20.0));
    quotation(&mut gather, reading, fits, places.x.as_ref(), &statement.x, "x");
    quotation(&mut gather, reading, fits, places.y.as_ref(), y_text, "y");
    both(&mut gather, reading, usage, fits, &places, statement, without);
    sense(&mut gather, reading, fits, places.x.as_ref(), statement);
    gather.facts.keys.sort_unstable();
    gather.facts.keys.dedup();
    gather.facts
}

/// What one quotation is.
fn quotation(gather: &mut Gather, reading: &Reading, fits: &[Fit], range: Option<&Range<usize>>, text: &str, name: &str) {
    let tag = u16::from(name == "x");
    let chars: Vec<char> = text.chars().collect();
    gather.put(chars.len() as f32);
    let end = |count: usize| chars[chars.len().saturating_sub(count)..].iter().collect::<String>();
    let start = |count: usize| chars.iter().take(count).collect::<String>();
    gather.key(10 + tag, &[text]);
    gather.key(12 + tag, &[&end(1)]);
    gather.key(14 + tag, &[&end(2)]);
    gather.key(16 + tag, &[&start(1)]);
    gather.key(18 + tag, &[&start(2)]);
    for two in chars.windows(2).take(20) {
        gather.key(20 + tag, &[&two.iter().collect::<String>()]);
    }
    for one in chars.iter().take(20) {
        gather.key(22 + tag, &[&one.to_string()]);
    }
    gather.key(24 + tag, &[&chars.len().min(12).to_string()]);
    let Some(range) = range else {
        for _ in 0..25 {
            gather.put(UNKNOWN);
        }
        return;
    };
    let tokens = tokens(reading, range);
    let pattern: Vec<&str> = tokens.iter().take(6).map(category).collect();
    gather.key(26 + tag, &pattern);
    for token in tokens.iter().take(12) {
        gather.key(28 + tag, &[&token.text]);
    }
    if let (Some(first), Some(last)) = (pattern.first(), pattern.last()) {
        gather.key(30 + tag, &[first]);
        gather.key(32 + tag, &[last]);
    }
    let kind = tokens.iter().rev().find_map(|token| Lexicon::shipped().noun(&token.text));
    if let Some(noun) = kind {
        gather.key(34 + tag, &[&Lexicon::shipped().kind(noun).name]);
    }
    let (before, after) = (reading.at(range.start as isize - 1), reading.at(range.end as isize));
    let boundary = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    gather.key(36 + tag, &[&before.unwrap_or('^').to_string()]);
    gather.key(38 + tag, &[&after.unwrap_or('$').to_string()]);
    let token_before = range.start.checked_sub(1).and_then(|place| reading.token_at(place));
    let token_after = reading.token_at(range.end);
    let class = |token: Option<&Token>| token.map_or("", category).to_owned();
    gather.key(40 + tag, &[&class(token_before)]);
    gather.key(42 + tag, &[&class(token_after)]);
    gather.put(tokens.len() as f32);
    gather.put(range.start as f32 / reading.chars.len().max(1) as f32);
    gather.put(reading.clause_of.get(range.start).copied().unwrap_or(0) as f32);
    gather.flag(boundary(before));
    gather.flag(boundary(after));
    gather.flag(tokens.first().is_some_and(|token| token.begin == range.start));
    gather.flag(tokens.last().is_some_and(|token| token.end == range.end));
    gather.put(tokens.iter().filter(|token| token.class.is_some()).count() as f32);
    gather.put(tokens.iter().filter(|token| token.is('n')).count() as f32);
    gather.put(tokens.iter().filter(|token| token.is('v')).count() as f32);
    gather.put(reading.chars[range.clone()].iter().filter(|character| !character.is_alphanumeric()).count() as f32);
    gather.flag(token_after.is_some_and(|token| token.class == Some(Class::Locative)));
    gather.flag(token_after.is_some_and(|token| token.class == Some(Class::Directional)));
    let inside = within(reading, fits, range).count();
    gather.put(inside as f32);
    gather.put(fits.iter().filter(|fit| reading.tokens[fit.site.token].range() == *range).count() as f32);
    let Some(best) = best_in(reading, fits, range) else {
        for _ in 0..10 {
            gather.put(UNKNOWN);
        }
        return;
    };
    let best_token = &reading.tokens[best.site.token];
    gather.put(best.doubt);
    gather.put(best.share);
    gather.put(best.share_left);
    gather.put(best.share_right);
    gather.put(best.seen_left);
    gather.put(best.seen_any);
    // The rank among the spatial words of the text: the anomaly is mostly the first.
    gather.put(fits.iter().filter(|fit| fit.doubt > best.doubt).count() as f32);
    let outside = fits
        .iter()
        .filter(|fit| fit.doubt.is_finite() && !within(reading, fits, range).any(|own| own.site.token == fit.site.token));
    let outside = outside.map(|fit| fit.doubt).fold(-20.0, f32::max);
    gather.put(best.doubt - outside);
    let total: f32 = fits.iter().map(|fit| fit.doubt.min(15.0).exp()).sum();
    gather.put(within(reading, fits, range).map(|fit| fit.doubt.min(15.0).exp()).sum::<f32>() / total.max(1e-6));
    // How much of the quotation lies after the word.
    gather.put(range.end as f32 - best_token.end as f32);
    gather.key(44 + tag, &[&best_token.text]);
    gather.key(46 + tag, &[&best_token.text, &best.best]);
    gather.key(48 + tag, &[best_token.class.map_or("-", Class::as_str), &(best.doubt.clamp(-6.0, 8.0) as i32).to_string()]);
}

/// What the two quotations are to each other.
fn both(
    gather: &mut Gather,
    reading: &Reading,
    usage: &Usage,
    fits: &[Fit],
    places: &Places,
    statement: &Statement,
    without: Option<u32>,
) {
    let (Some(x), Some(y), Some(y_text)) = (&places.x, &places.y, &statement.y) else {
        for _ in 0..20 {
            gather.put(UNKNOWN);
        }
        return;
    };
    let (of_x, of_y) = (tokens(reading, x), tokens(reading, y));
    let distance = gap(x, y);
    gather.put(distance as f32);
    gather.flag(x.start < y.start);
    gather.flag(distance == 0);
    gather.flag(distance < 0);
    let clause = |range: &Range<usize>| reading.clause_of.get(range.start).copied().unwrap_or(0) as f32;
    let sentence = |range: &Range<usize>| reading.sentence_of.get(range.start).copied().unwrap_or(0) as f32;
    gather.put((clause(x) - clause(y)).abs());
    gather.put((sentence(x) - sentence(y)).abs());
    gather.flag(opposed(&statement.x, y_text));
    let models = |tokens: &[Token]| tokens.iter().filter_map(|token| model(&token.text)).collect::<Vec<_>>();
    let (models_x, models_y) = (models(of_x), models(of_y));
    gather.put(models_x.iter().filter(|model| models_y.contains(model)).count() as f32);
    gather.put(statement.x.chars().filter(|character| y_text.contains(*character)).count() as f32);
    // The words that meet: the last of the first and the first of the second.
    let (first, second) = if x.start < y.start { (of_x, of_y) } else { (of_y, of_x) };
    let (last, next) = (first.last(), second.first());
    let text = |token: Option<&Token>| token.map_or("", |token| token.text.as_str()).to_owned();
    for number in usage.affinity(&text(last), &text(next), without) {
        gather.put(number);
    }
    let nearest = of_x.iter().flat_map(|a| of_y.iter().map(move |b| (a, b))).take(100);
    let affinities = nearest.map(|(a, b)| {
        let (a, b) = if a.begin < b.begin { (a, b) } else { (b, a) };
        usage.affinity(&a.text, &b.text, without)
    });
    let (mut least, mut most) = (0.0_f32, f32::MIN);
    for affinity in affinities {
        least = least.min(affinity[0]);
        most = most.max(affinity[1]);
    }
    gather.put(least);
    gather.put(most);
    let doubt = |range: &Range<usize>| best_in(reading, fits, range).map_or(-20.0, |fit| fit.doubt);
    let (high, low) = (doubt(x).max(doubt(y)), doubt(x).min(doubt(y)));
    gather.put(high);
    gather.put(low);
    let covered = |fit: &&Fit| {
        let token = &reading.tokens[fit.site.token];
        [x, y].iter().any(|range| token.begin < range.end && token.end > range.start)
    };
    gather.put(fits.iter().filter(|fit| !covered(fit)).map(|fit| fit.doubt).fold(-20.0, f32::max) - high);
    let total: f32 = fits.iter().map(|fit| fit.doubt.min(15.0).exp()).sum();
    gather.put(fits.iter().filter(covered).map(|fit| fit.doubt.min(15.0).exp()).sum::<f32>() / total.max(1e-6));
    // A noun and the locative that its kind takes.
    let noun = first.iter().rev().find_map(|token| Lexicon::shipped().noun(&token.text));
    gather.put(noun.map_or(UNKNOWN, |noun| f32::from(u8::from(next.is_some_and(|next| noun.takes.contains(&next.text))))));
    gather.put(fits.iter().filter(|fit| !covered(fit) && fit.doubt > high).count() as f32);
    gather.key(60, &[&text(last), &text(next)]);
    gather.key(61, &[&text(of_x.last()), &text(of_y.last())]);
    for a in of_x.iter().filter(|token| token.class.is_some()).take(4) {
        for b in of_y.iter().filter(|token| token.class.is_some()).take(4) {
            gather.key(62, &[&a.text, &b.text]);
        }
    }
    let class = |token: Option<&Token>| token.map_or("", category).to_owned();
    gather.key(63, &[&class(of_x.last()), &class(of_y.last())]);
    gather.key(64, &[&class(of_x.first()), &class(of_y.first()), &distance.clamp(-1, 3).to_string()]);
    if let (Some(noun), Some(next)) = (noun, next) {
        gather.key(65, &[&Lexicon::shipped().kind(noun).name, &next.text]);
    }
    gather.key(66, &[&distance.clamp(-2, 12).to_string()]);
    gather.key(67, &[&((clause(x) - clause(y)) as i32).clamp(-5, 5).to_string()]);
    shape(gather, reading, (x, of_x), (y, of_y), (&statement.x, y_text), distance);
    for a in of_x.iter().take(4) {
        for b in of_y.iter().take(4) {
            gather.key(68, &[&a.text, &b.text]);
        }
    }
}

/// How the two quotations are built and lie, as keys: which form of words stands where, and what lies between.
fn shape(
    gather: &mut Gather,
    reading: &Reading,
    x: (&Range<usize>, &[Token]),
    y: (&Range<usize>, &[Token]),
    texts: (&str, &str),
    distance: i64,
) {
    let pattern = |tokens: &[Token]| tokens.iter().take(5).map(category).collect::<Vec<_>>().join(" ");
    let (pattern_x, pattern_y) = (pattern(x.1), pattern(y.1));
    let order = if x.0.start < y.0.start { "<" } else { ">" };
    let apart = format!("{order}{}", distance.clamp(-1, 4));
    let last = |tokens: &[Token]| tokens.last().map_or("", category).to_owned();
    gather.key(70, &[&pattern_x, &pattern_y, &apart]);
    gather.key(71, &[&last(x.1), texts.1, &apart]);
    gather.key(72, &[texts.0, &last(y.1), &apart]);
    gather.key(73, &[texts.1, &apart]);
    gather.key(74, &[&pattern_x, &apart]);
    gather.key(75, &[&pattern_y, &apart]);
    let size = |text: &str| text.chars().count().min(9).to_string();
    gather.key(76, &[&size(texts.0), &size(texts.1), order]);
    let (from, to) = (x.0.end.min(y.0.end), x.0.start.max(y.0.start));
    if from < to && to - from <= 4 {
        let between = reading.text(from..to);
        gather.key(77, &[&between, order]);
        gather.key(78, &[&pattern(tokens(reading, &(from..to))), order]);
    }
    let kind = |tokens: &[Token]| {
        let noun = tokens.iter().rev().find_map(|token| Lexicon::shipped().noun(&token.text));
        noun.map_or("-", |noun| Lexicon::shipped().kind(noun).name.as_str())
    };
    gather.key(79, &[kind(x.1), texts.1, &apart]);
}

/// What the explanation of a reason of common sense says.
fn sense(gather: &mut Gather, reading: &Reading, fits: &[Fit], x: Option<&Range<usize>>, statement: &Statement) {
    let Some(sense) = statement.sense.as_deref() else {
        for _ in 0..5 {
            gather.put(UNKNOWN);
        }
        return;
    };
    let chars: Vec<char> = sense.chars().collect();
    gather.put(chars.len() as f32);
    gather.put(chars.iter().filter(|character| statement.x.contains(**character)).count() as f32 / chars.len().max(1) as f32);
    gather.put(chars.iter().filter(|character| reading.chars.contains(*character)).count() as f32 / chars.len().max(1) as f32);
    let best = x.and_then(|x| best_in(reading, fits, x));
    // Who corrects a word names the word that should stand there.
    let named = best.map(|best| best.site.rivals.iter().filter(|rival| sense.contains(rival.as_str())).count() as f32);
    gather.put(named.unwrap_or(UNKNOWN));
    gather.put(best.map_or(UNKNOWN, |best| f32::from(u8::from(!best.best.is_empty() && sense.contains(best.best.as_str())))));
    for one in &chars {
        gather.key(80, &[&one.to_string()]);
    }
    for two in chars.windows(2).take(40) {
        gather.key(81, &[&two.iter().collect::<String>()]);
    }
    gather.key(82, &[&chars.iter().take(2).collect::<String>()]);
}
