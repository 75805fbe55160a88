//! Which other word does the suspicious one contradict? An answer of two triples hangs at two words; this model chooses the second, or none.

use std::ops::Range;

use fangwei::lexicon::Class;

use super::view::{View, class_number, number};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;
use crate::reading::Reading;

/// Words that are looked at as partners, the nearest first.
const MOST: usize = 24;

/// The words of a passage at which a triple can hang.
pub fn places(reading: &Reading) -> Vec<Range<usize>> {
    let spatial = reading.tokens.iter().filter(|token| token.class.is_some_and(|class| class != Class::Preposition));
    spatial.map(crate::reading::Token::range).collect()
}

/// Chooses a partner for an anchor.
#[derive(Clone, Debug, Default)]
pub struct Partner {
    pub(super) choice: Choice,
}

/// A passage, an anchor in it, and what its answers say: a partner, or none; each with a weight.
#[derive(Debug)]
pub struct Lesson<'l> {
    /// The passage.
    pub view: &'l View<'l>,
    /// The suspicious word.
    pub anchor: Range<usize>,
    /// Partners that answers gave it.
    pub partners: Vec<(Option<Range<usize>>, f32)>,
}

/// Partners that come into question.
fn alternatives(view: &View<'_>, anchor: &Range<usize>) -> Vec<Range<usize>> {
    let mut places = places(view.reading);
    places.retain(|place| place.end <= anchor.start || place.start >= anchor.end);
    places.sort_by_key(|place| (place.start.abs_diff(anchor.start), place.start));
    places.truncate(MOST);
    places
}

impl Partner {
    /// The examples for the choice.
    pub fn examples(lessons: &[Lesson<'_>]) -> Examples {
        let mut examples = Examples::new(0);
        for lesson in lessons {
            let alternatives = alternatives(lesson.view, &lesson.anchor);
            let weight = |wanted: Option<&Range<usize>>| -> f32 {
                let right = |given: &Option<Range<usize>>| match (given, wanted) {
                    (None, None) => true,
                    (Some(given), Some(wanted)) => given.start < wanted.end && wanted.start < given.end,
                    _ => false,
                };
                lesson.partners.iter().filter(|(given, _)| right(given)).map(|(_, weight)| weight).sum()
            };
            let keys = keys(lesson.view, &lesson.anchor, &alternatives);
            examples.alternative(&keys[0], &[], weight(None));
            for (keys, place) in keys[1..].iter().zip(&alternatives) {
                examples.alternative(keys, &[], weight(Some(place)));
            }
            examples.close(1.0);
        }
        examples
    }

    /// How likely the anchor stands alone, and how likely each partner is; the likeliest first.
    pub fn of(&self, view: &View<'_>, anchor: &Range<usize>) -> (f64, Vec<(Range<usize>, f64)>) {
        let places = alternatives(view, anchor);
        let mut asked = Alternatives::new(0);
        for keys in keys(view, anchor, &places) {
            asked.push(&keys, &[]);
        }
        let odds: Vec<f64> = self.choice.log_probabilities(&asked).into_iter().map(|log| f64::from(log).exp()).collect();
        let mut partners: Vec<(Range<usize>, f64)> = places.into_iter().zip(odds.iter().skip(1).copied()).collect();
        partners.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.start.cmp(&b.0.start)));
        (odds.first().copied().unwrap_or(1.0), partners)
    }
}

/// Keys of what speaks for an anchor that contradicts nothing.
pub fn alone(view: &View<'_>, anchor: &Range<usize>) -> Vec<u32> {
    keys(view, anchor, &alternatives(view, anchor)).swap_remove(0)
}

/// What is known of a place.
struct Known {
    word: u64,
    class: u64,
    noun: u64,
    noun_head: u64,
    noun_kind: u64,
    before: u64,
    verb: u64,
    opens: u64,
    clause: usize,
    sentence: usize,
    token: usize,
}

impl Known {
    fn new(view: &View<'_>, at: &Range<usize>) -> Known {
        let reading = view.reading;
        let token = reading.token_of.get(at.start).copied().unwrap_or(0);
        let clause = reading.clause_of.get(at.start).copied().unwrap_or(0);
        let near = |back: usize| token.checked_sub(back).filter(|word| reading.tokens[*word].clause == clause);
        let noun = near(1).map(|word| &view.facts[word]).filter(|fact| fact.nominal);
        let verb = (1..8).map_while(near).find(|word| view.facts[*word].verb);
        let opens = (1..8).map_while(near).find(|word| view.facts[*word].preposition);
        let text = |word: Option<usize>| word.map_or(0, |word| view.facts[word].text);
        Known {
            word: number(&reading.text(at.clone())),
            class: class_number(reading.tokens.get(token).and_then(|token| token.class)),
            noun: noun.map_or(0, |fact| fact.text),
            noun_head: noun.map_or(0, |fact| fact.head),
            noun_kind: noun.map_or(0, |fact| fact.kind),
            before: text(near(1)),
            verb: text(verb),
            opens: text(opens),
            clause,
            sentence: reading.sentence_of.get(at.start).copied().unwrap_or(0),
            token,
        }
    }
}

/// Keys of "none", then of each place.
fn keys(view: &View<'_>, anchor: &Range<usize>, places: &[Range<usize>]) -> Vec<Vec<u32>> {
    let own = Known::new(view, anchor);
    let others: Vec<Known> = places.iter().map(|place| Known::new(view, place)).collect();
    let same_noun = others.iter().filter(|other| own.noun != 0 && other.noun == own.noun).count().min(3) as u64;
    let same_verb = others.iter().filter(|other| own.verb != 0 && other.verb == own.verb).count().min(3) as u64;
    let same_word = others.iter().filter(|other| other.word == own.word).count().min(3) as u64;
    let mut all = Vec::with_capacity(places.len() + 1);
    let mut list = Vec::new();
    let add = |list: &mut Vec<u32>, number: u16, parts: &[u64]| {
        list.push(parts.iter().fold(Template::new(number), |template, part| template.part(*part)).key());
    };
    add(&mut list, 1, &[]);
    add(&mut list, 2, &[own.word]);
    add(&mut list, 3, &[own.class]);
    add(&mut list, 4, &[same_noun, own.class]);
    add(&mut list, 5, &[same_verb, same_noun]);
    add(&mut list, 6, &[own.noun]);
    add(&mut list, 7, &[own.noun, own.word]);
    add(&mut list, 8, &[own.opens, own.word]);
    add(&mut list, 9, &[own.verb]);
    add(&mut list, 10, &[others.len().min(12) as u64]);
    add(&mut list, 11, &[own.noun_kind, own.word]);
    add(&mut list, 12, &[own.verb, own.word]);
    add(&mut list, 13, &[same_word]);
    all.push(list);
    for other in &others {
        let mut list = Vec::new();
        let clauses = (other.clause as i64 - own.clause as i64).clamp(-5, 5) as u64;
        let sentences = (other.sentence as i64 - own.sentence as i64).clamp(-3, 3) as u64;
        let words = (other.token as i64 - own.token as i64).clamp(-12, 12) as u64;
        let noun = u64::from(own.noun != 0 && own.noun == other.noun)
            + u64::from(own.noun_head != 0 && own.noun_head == other.noun_head);
        let verb = u64::from(own.verb != 0 && own.verb == other.verb);
        let kind = u64::from(own.noun_kind != 0 && own.noun_kind == other.noun_kind);
        let opens = u64::from(own.opens != 0 && own.opens == other.opens);
        let before = u64::from(own.before != 0 && own.before == other.before);
        let after = u64::from(other.token > own.token);
        add(&mut list, 20, &[]);
        add(&mut list, 21, &[own.word, other.word]);
        add(&mut list, 22, &[own.class, other.class]);
        add(&mut list, 23, &[clauses]);
        add(&mut list, 24, &[sentences, noun]);
        add(&mut list, 25, &[words]);
        add(&mut list, 26, &[noun, own.class, other.class]);
        add(&mut list, 27, &[noun, own.word, other.word]);
        add(&mut list, 28, &[verb, clauses]);
        add(&mut list, 29, &[noun, verb, kind, opens, before]);
        add(&mut list, 30, &[noun, same_noun, after]);
        add(&mut list, 31, &[other.word]);
        add(&mut list, 32, &[before, own.class, other.class]);
        add(&mut list, 33, &[clauses, own.class, other.class, noun]);
        add(&mut list, 34, &[u64::from(own.word == other.word), noun, clauses]);
        all.push(list);
    }
    all
}
