//! Times: where a passage tells a time, and which frames it holds for; and whether what a frame tells is denied.
//!
//! A field marks the fragments; a conditional logit over them and "none" says which one a frame has. A time holds on: it is often told clauses before.

use std::sync::Arc;

use super::frame::Shape;
use super::gold::{Frame, Places};
use super::view::{Sort, View, step};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::crf::{Crf, Sequence, Topology};
use crate::learn::feature::{Keys, Template};
use crate::learn::linear::{Examples as LinearExamples, Linear, Target};

const INSIDE: usize = 1;
const LAST: usize = 2;
const LABELS: usize = 3;
const TEMPLATES: u16 = 700;
const NONE: u16 = 740;
const DENIED: u16 = 760;

/// Outside, inside, last.
///
/// # Panics
/// Never: the plan is fixed, and a test makes it.
pub fn topology() -> Topology {
    Topology::new(LABELS, &[0, 1, 2], &[(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)], &[0, 1, 2], &[0, 2])
        .expect("three states, each transition once")
        .with_classes(3)
}

/// A passage to learn times from.
pub fn sequence(view: &View, base: Arc<Keys>, frames: &[Frame]) -> Sequence {
    let mut allowed = vec![1_u64; view.reading.chars.len()];
    for at in frames.iter().filter_map(|frame| frame.time.as_ref()).map(|time| &time.at) {
        let (Some(first), Some(last)) = (at.first(), at.last()) else { continue };
        allowed[*first..*last].fill(1 << INSIDE);
        allowed[*last] = 1 << LAST;
    }
    Sequence { parts: vec![base], classes: super::anchor::classes(view), allowed, weight: 1.0 }
}

/// How likely each character is in a time, and ends one.
pub fn characters(crf: &Crf, view: &View, base: &Keys) -> (Vec<f32>, Vec<f32>) {
    let emissions = crf.emissions(base);
    let mut lattice = crf.lattice();
    lattice.run(&emissions, &super::anchor::classes(view), &[]);
    let rows = lattice.marginals().chunks_exact(LABELS);
    (rows.clone().map(|row| 1.0 - row[0]).collect(), rows.map(|row| row[LAST]).collect())
}

/// The fragments that tell a time, each with how likely it does, cut from the odds of characters.
pub fn fragments(odds: &[f32], ends: &[f32]) -> Vec<(Places, f64)> {
    let mut found: Vec<(Places, f64)> = Vec::new();
    let mut open: Places = Vec::new();
    for place in 0..=odds.len() {
        let inside = place < odds.len() && odds[place] > LEAST;
        if inside {
            open.push(place);
        }
        if !open.is_empty() && (!inside || ends[place] > 0.5) {
            let sure = open.iter().map(|place| odds[*place]).sum::<f32>() / open.len() as f32;
            found.push((std::mem::take(&mut open), f64::from(sure)));
        }
    }
    found
}

/// Characters less likely to be in a time are not.
const LEAST: f32 = 0.3;

fn none_keys(view: &View, anchor: usize, shape: &Shape, count: usize) -> Vec<u32> {
    let event: String = shape.event.iter().filter_map(|place| view.reading.chars.get(*place)).collect();
    let role = shape.places.iter().find(|(_, at)| at.contains(&anchor)).map_or(9, |(role, _)| *role as u64);
    let word = view.word_at(anchor);
    vec![
        Template::new(NONE).key(),
        Template::new(NONE + 1).part(count.min(4) as u64).key(),
        Template::new(NONE + 2).part(role).part(u64::from(shape.event.is_empty())).key(),
        Template::new(NONE + 3).text(&event).key(),
        Template::new(NONE + 4).part(u64::from(view.words[word].quoted)).key(),
        Template::new(NONE + 5)
            .part(view.sort(word as isize + 1) as u64)
            .part(role)
            .part(u64::from(shape.event.is_empty()))
            .key(),
    ]
}

fn keys(view: &View, anchor: usize, shape: &Shape, at: &Places, nearer: usize) -> Vec<u32> {
    let mut number = TEMPLATES;
    let mut template = || {
        number += 1;
        Template::new(number)
    };
    let (first, last) = (at[0], at[at.len() - 1]);
    let (begin, end) = (view.word_at(first), view.word_at(last));
    let word = view.word_at(anchor);
    let main = shape.event.first().copied().unwrap_or(anchor);
    let clause = (view.clause(last) - view.clause(main)).clamp(-8, 3) as u64;
    let sentences = view.reading.sentence_of[main] as isize - view.reading.sentence_of[last] as isize;
    let sentences = sentences.clamp(-1, 3) as u64;
    let side = u64::from(last < main);
    let text = super::view::number_of(&view.reading.text(first..last + 1));
    let empty = u64::from(shape.event.is_empty());
    let opens = u64::from(begin == 0 || matches!(view.sort(begin as isize - 1), Sort::Comma | Sort::Stop));
    let closes = u64::from(matches!(view.sort(end as isize + 1), Sort::Comma | Sort::Stop));
    let near = (nearer.min(3)) as u64;
    let quotes = u64::from(view.words[end].quoted) + 2 * u64::from(view.words[word].quoted);
    vec![
        template().part(text).part(clause).key(),
        template().part(text).part(sentences).key(),
        template().part(clause).part(empty).part(opens).part(closes).key(),
        template().part(sentences).part(side).part(near).part(opens).key(),
        template().part(sentences).part(clause).part(near).part(empty).key(),
        template().part(step(last as isize - main as isize)).part(near).key(),
        template().part(view.text(end as isize)).part(sentences).part(side).key(),
        template().part(view.text(begin as isize)).part(sentences).part(side).key(),
        template().part(quotes).part(sentences).key(),
        template().part(opens).part(closes).part(sentences).part(side).part(at.len().min(8) as u64).key(),
        template().part(view.sort(end as isize + 1) as u64).part(clause).part(side).key(),
        template().part(u64::from(shape.event.first().is_some_and(|event| view.word_at(*event) == end + 1))).part(text).key(),
    ]
}

/// How many of the others stand between a time and the frame.
fn nearer(times: &[Places], at: &Places, main: usize) -> usize {
    let end = at[at.len() - 1];
    times.iter().filter(|other| other.first().is_some_and(|place| *place > end && *place < main)).count()
}

/// Adds an example: the time of a frame that people marked, out of all that they marked in the passage and words that are times.
pub fn learn(view: &View, anchor: usize, shape: &Shape, frame: &Frame, marked: &[Places], examples: &mut Examples) {
    if frame.time.as_ref().is_some_and(|time| time.at.is_empty()) {
        return;
    }
    let main = shape.event.first().copied().unwrap_or(anchor);
    examples.alternative(&none_keys(view, anchor, shape, marked.len()), &[], f32::from(u8::from(frame.time.is_none())));
    for at in marked {
        let right = frame.time.as_ref().is_some_and(|time| time.at == *at);
        examples.alternative(&keys(view, anchor, shape, at, nearer(marked, at, main)), &[], f32::from(u8::from(right)));
    }
    examples.close(1.0);
}

/// How likely each of these times is that of a frame.
pub fn odds(model: &Choice, view: &View, anchor: usize, shape: &Shape, times: &[Places]) -> Vec<f64> {
    let main = shape.event.first().copied().unwrap_or(anchor);
    let mut alternatives = Alternatives::new(0);
    alternatives.push(&none_keys(view, anchor, shape, times.len()), &[]);
    for at in times {
        alternatives.push(&keys(view, anchor, shape, at, nearer(times, at, main)), &[]);
    }
    model.log_probabilities(&alternatives).into_iter().skip(1).map(|odds| f64::from(odds).exp()).collect()
}

fn denied_keys(view: &View, anchor: usize, shape: &Shape) -> Vec<u32> {
    let main = shape.event.first().copied().unwrap_or(anchor);
    let word = view.word_at(main);
    let clause = view.clause(main);
    let mut keys = vec![Template::new(DENIED).key()];
    for at in (word.saturating_sub(12)..word).rev() {
        let apart = (clause - view.clause(view.reading.tokens[at].begin)) as u64;
        if apart > 1 {
            break;
        }
        if !matches!(view.words[at].sort, Sort::Noun | Sort::Pronoun | Sort::Comma | Sort::Locative) {
            keys.push(Template::new(DENIED + 1).part(view.words[at].text).part(apart).key());
            keys.push(Template::new(DENIED + 2).part(view.words[at].text).part((word - at).min(4) as u64).key());
        }
    }
    for at in word..(word + 6).min(view.words.len()) {
        keys.push(Template::new(DENIED + 3).part(view.words[at].text).key());
    }
    keys.push(Template::new(DENIED + 4).part(u64::from(view.words[word].quoted)).key());
    let end = view.reading.chars.iter().skip(anchor).find(|mark| "。？！?!".contains(**mark));
    keys.push(Template::new(DENIED + 5).part(end.map_or(0, |mark| u64::from(*mark))).key());
    keys
}

/// Adds an example of a frame that is denied or not.
pub fn learn_denied(view: &View, anchor: usize, shape: &Shape, denied: bool, examples: &mut LinearExamples) {
    examples.push(&denied_keys(view, anchor, shape), Target::Class(usize::from(denied)), 1.0);
}

/// How likely what a frame tells is denied.
pub fn denied(model: &Linear, view: &View, anchor: usize, shape: &Shape) -> f64 {
    model.log_probabilities(&denied_keys(view, anchor, shape)).get(1).map_or(0.0, |odds| f64::from(*odds).exp())
}

/// The times that people marked in a passage, and words that are times by themselves.
pub fn marked(view: &View, frames: &[Frame]) -> Vec<Places> {
    let mut all: Vec<Places> =
        frames.iter().filter_map(|frame| frame.time.as_ref()).map(|time| time.at.clone()).filter(|at| !at.is_empty()).collect();
    for (token, word) in view.reading.tokens.iter().zip(&view.words) {
        let at: Places = token.range().collect();
        if word.sort == Sort::Time && all.iter().all(|known| at.iter().all(|place| !known.contains(place))) {
            all.push(at);
        }
    }
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_times_stand_beside_what_was_marked() {
        assert_eq!(topology().states(), 3);
        let view = View::new("昨天他在家，今天他在学校。");
        let frame = Frame {
            event: None,
            places: vec![(0, vec![3, 4])],
            time: Some(super::super::gold::Time { at: vec![0, 1], label: None }),
            denied: false,
            entities: Vec::new(),
        };
        // 昨天 was marked, 今天 is a time by itself.
        assert_eq!(marked(&view, &[frame]), [vec![0, 1], vec![6, 7]]);
    }
}
