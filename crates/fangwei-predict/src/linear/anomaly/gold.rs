//! What the labeller learns from: passages with their answers, and for each triple of an answer the word that it hangs at.

use std::ops::Range;

use fangwei::answer::RoleFragment;
use fangwei::audit::Replacement;
use fangwei::lexicon::Class;

use super::spans::{Spans, Triple, touches};
use crate::reading::Reading;

/// An answer and the anchors of its triples.
#[derive(Clone, Debug)]
pub struct Gold {
    /// The answer.
    pub spans: Spans,
    /// For each triple the words that it may hang at: replaced words, else the last spatial word of its place.
    pub anchors: Vec<Vec<Range<usize>>>,
}

/// A passage with its answers.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The passage.
    pub reading: Reading,
    /// Its origin group.
    pub group: u32,
    /// Its answers.
    pub golds: Vec<Gold>,
}

impl Lesson {
    /// A passage with answers; those without any mark are left out.
    pub fn new<'f>(
        reading: Reading,
        group: u32,
        answers: impl IntoIterator<Item = &'f [RoleFragment]>,
        replaced: Option<&[Replacement]>,
    ) -> Lesson {
        let length = reading.chars.len() as u32;
        let replaced: Vec<Range<usize>> =
            replaced.unwrap_or_default().iter().filter_map(|one| whole_word(&reading, &one.at)).collect();
        let gold = |fragments: &'f [RoleFragment]| {
            let mut spans = Spans::of(fragments);
            spans.0.iter_mut().flatten().for_each(|places| places.retain(|at| *at < length));
            let anchors = spans.0.iter().map(|triple| anchors(&reading, triple, &replaced)).collect();
            Gold { spans, anchors }
        };
        let golds = answers.into_iter().map(gold).filter(|gold| gold.anchors.iter().all(|anchors| !anchors.is_empty())).collect();
        Lesson { reading, group, golds }
    }
}

/// The word that some characters are part of, unless it is a long one.
fn whole_word(reading: &Reading, at: &Range<usize>) -> Option<Range<usize>> {
    let token = reading.token_at(at.start)?;
    let fits = !at.is_empty() && at.end <= token.end && token.range().len() <= 3;
    Some(if fits { token.range() } else { at.start..at.end.max(at.start + 1).min(reading.chars.len()) })
}

/// The words that a triple may hang at.
fn anchors(reading: &Reading, triple: &Triple, replaced: &[Range<usize>]) -> Vec<Range<usize>> {
    let own: Vec<Range<usize>> = replaced.iter().filter(|range| touches(triple, range)).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let place: Triple = [Vec::new(), triple[1].clone(), Vec::new()];
    let spatial = |of: &Triple| last_spatial(reading, of);
    let any = triple[1].iter().chain(&triple[2]).chain(&triple[0]).last();
    let any = || any.and_then(|at| reading.token_at(*at as usize)).map(crate::reading::Token::range);
    spatial(&place).or_else(|| spatial(triple)).or_else(any).into_iter().collect()
}

fn last_spatial(reading: &Reading, triple: &Triple) -> Option<Range<usize>> {
    let mut places: Vec<usize> = triple.iter().flatten().map(|at| *at as usize).collect();
    places.sort_unstable();
    let tokens = places.iter().rev().filter_map(|at| reading.token_at(*at));
    let spatial = |class: Class| !matches!(class, Class::Preposition | Class::Verb);
    tokens.filter(|token| token.class.is_some_and(spatial)).map(crate::reading::Token::range).next()
}
