//! The readings of a fragment: what its word can be, and which characters of the fragment make up each part.
//! Quotes and final particles are left out of the word, but quotes come back with the whole fragment.

use super::class::{Class, Part};
use super::guess::{Guess, Shape};
use super::lexicon::Lexicon;
use crate::text::{CharIdx, Span};

/// One way to read a fragment. Positions count within the fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What the fragment is taken for.
    pub class: Class,
    parts: Vec<(Part, Vec<usize>)>,
}

impl Reading {
    /// The positions of a part, or none if this reading lacks it.
    pub fn part(&self, part: Part) -> &[usize] {
        self.parts.iter().find(|(p, _)| *p == part).map_or(&[], |(_, positions)| positions)
    }
}

/// Commas, stops and the like, which belong to no role. Quotes do: people keep them inside a fragment.
pub(crate) fn is_separator(character: char) -> bool {
    "，、。；：！？,;:!? ".contains(character)
}

fn is_quote(character: char) -> bool {
    "“”‘’「」『』\"'".contains(character)
}

/// All readings of the fragment at these indexes of the context; none for a fragment without any word character.
pub fn readings(lexicon: &Lexicon, context: &[char], span: &Span) -> Vec<Reading> {
    let at = |CharIdx(idx): CharIdx| context.get(idx as usize).copied().unwrap_or(char::REPLACEMENT_CHARACTER);
    let chars: Vec<char> = span.iter().map(at).collect();
    let whole: Vec<usize> = (0..chars.len()).filter(|&i| !is_separator(chars[i])).collect();
    let mut places: Vec<usize> = whole.iter().copied().filter(|&i| !is_quote(chars[i])).collect();
    while places.len() > 1 && places.last().is_some_and(|&i| "的了着".contains(chars[i])) {
        places.pop();
    }
    let Some(&last) = places.last() else {
        return Vec::new();
    };
    let word: Vec<char> = places.iter().map(|&i| chars[i]).collect();
    // A closing quote right after the core belongs to it, a final particle does not.
    let core_end = whole.iter().copied().filter(|&i| i > last).take_while(|&i| is_quote(chars[i])).last().unwrap_or(last);
    let core: Vec<usize> = whole.iter().copied().filter(|&i| i <= core_end).collect();
    let before = span.iter().next().and_then(|CharIdx(i)| context.get((i as usize).checked_sub(1)?)).copied();
    let guess = Guess { lexicon, word: &word };
    let mut found = guess.shapes();
    if let Some(before) = before {
        settle(before, &mut found);
    }
    found
        .into_iter()
        .map(|shape| {
            let mut parts = vec![(Part::Whole, whole.clone()), (Part::Core, core.clone())];
            for (part, from, to) in shape.parts {
                parts.push((part, places[from..to].to_vec()));
            }
            Reading { class: shape.class, parts }
        })
        .collect()
}

/// A listed verb right after 的 is used as a noun.
fn settle(before: char, shapes: &mut Vec<Shape>) {
    if before == '的' {
        for shape in shapes.iter_mut().filter(|s| s.class == Class::Verb) {
            shape.class = Class::Noun;
        }
        shapes.dedup_by_key(|s| s.class);
    }
}
