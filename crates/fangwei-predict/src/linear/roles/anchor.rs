//! Anchors: the characters with which a place fragment ends. One field over the passage says how likely each one is such an end.

use std::sync::Arc;

use super::gold::Frame;
use super::second::Heard;
use super::view::View;
use crate::learn::crf::{Crf, Sequence, Topology};
use crate::learn::feature::{Keys, Template};
use crate::reading::Token;

/// Outside, inside, and the last character of 处所, 起点, 终点, 方向 and the rest.
pub const LABELS: usize = 7;
const INSIDE: usize = 1;
const LAST: usize = 2;

/// The label of the last character of a fragment in a role.
fn last_of(role: usize) -> usize {
    LAST + role.min(4)
}

/// Outside, inside or last may follow each other in any order: fragments have gaps.
///
/// # Panics
/// Never: the plan is fixed, and a test makes it.
pub fn topology() -> Topology {
    Topology::free(LABELS).expect("seven states and every transition once").with_classes(3)
}

/// Whether a character begins a word, is inside one, or is a mark: transitions differ.
pub fn classes(view: &View) -> Vec<u8> {
    let class = |(place, within): (usize, &u8)| {
        let mark = view.reading.token_at(place).is_some_and(Token::is_mark);
        if mark { 2 } else { u8::from(*within >= 2) }
    };
    view.place_in_word.iter().enumerate().map(class).collect()
}

/// Keys of every character that do not depend on any anchor.
pub fn keys(view: &View, range: std::ops::Range<usize>) -> Keys {
    let mut keys = Keys::new();
    for place in range {
        push_keys(view, place, &mut keys);
        keys.close();
    }
    keys
}

fn push_keys(view: &View, place: usize, keys: &mut Keys) {
    let reading = &view.reading;
    let here = place as isize;
    let at = |offset: isize| reading.at(here + offset).map_or(0, u64::from);
    let mut number = 0_u16;
    let mut template = || {
        number += 1;
        Template::new(number)
    };
    for offset in -3..=3 {
        keys.push(template().part(at(offset)).key());
    }
    for offset in -2..=1 {
        keys.push(template().part(at(offset)).part(at(offset + 1)).key());
    }
    for offset in -2..=0 {
        keys.push(template().part(at(offset)).part(at(offset + 1)).part(at(offset + 2)).key());
    }
    let number_of_word = view.word_at(place);
    let w = number_of_word as isize;
    let word = &view.words[number_of_word];
    let inside = u64::from(view.place_in_word[place]);
    keys.push(template().part(word.text).part(inside).key());
    keys.push(template().part(word.pos).part(inside).key());
    keys.push(template().part(word.kind.into()).part(inside).part(view.sort(w) as u64).key());
    for offset in [-2, -1, 1, 2] {
        keys.push(template().part(view.text(w + offset)).part(inside & 1).key());
        keys.push(template().part(view.pos(w + offset)).part(view.sort(w) as u64).part(inside).key());
    }
    keys.push(template().part(view.text(w - 1)).part(word.text).part(inside).key());
    keys.push(template().part(view.text(w + 1)).part(word.text).part(inside).key());
    keys.push(
        template().part(view.sort(w - 1) as u64).part(view.sort(w) as u64).part(view.sort(w + 1) as u64).part(inside).key(),
    );
    keys.push(
        template()
            .part(view.sort(w - 2) as u64)
            .part(view.sort(w - 1) as u64)
            .part(view.sort(w) as u64)
            .part(word.text)
            .part(inside)
            .key(),
    );
    keys.push(
        template()
            .part(view.sort(w) as u64)
            .part(view.sort(w + 1) as u64)
            .part(view.sort(w + 2) as u64)
            .part(word.text)
            .part(inside)
            .key(),
    );
    let within = word.within.map_or(0, |at| view.text(at as isize));
    let depth = word.within.map_or(0, |at| step_of(number_of_word - at));
    keys.push(template().part(within).part(depth).part(inside & 1).key());
    keys.push(template().part(within).part(word.text).key());
    keys.push(template().part(within).part(view.sort(w) as u64).part(view.sort(w + 1) as u64).part(inside & 1).key());
    let before = word.verb_before.map_or(0, |at| view.text(at as isize));
    let after = word.verb_after.map_or(0, |at| view.text(at as isize));
    let gap_before = word.verb_before.map_or(9, |at| step_of(number_of_word - at));
    let gap_after = word.verb_after.map_or(9, |at| step_of(at - number_of_word));
    keys.push(template().part(before).part(gap_before).part(view.sort(w) as u64).part(inside & 1).key());
    keys.push(template().part(after).part(gap_after).part(view.sort(w) as u64).part(inside & 1).key());
    keys.push(template().part(before).part(word.text).key());
    keys.push(template().part(view.family(word.verb_before)).part(gap_before).part(view.sort(w) as u64).part(inside).key());
    keys.push(template().part(view.family(word.verb_after)).part(gap_after).part(view.sort(w) as u64).part(inside).key());
    keys.push(
        template()
            .part(view.family(word.verb_before))
            .part(within)
            .part(view.sort(w) as u64)
            .part(view.sort(w + 1) as u64)
            .part(inside)
            .key(),
    );
    keys.push(template().part(word.family).part(view.sort(w - 1) as u64).part(view.sort(w + 1) as u64).part(inside).key());
    keys.push(template().part(after).part(word.text).key());
    keys.push(template().part(within).part(before).part(view.sort(w) as u64).key());
    // The locative that closes what the word may open.
    let ahead = (1..=6).find(|ahead| {
        matches!(view.sort(w + ahead), super::view::Sort::Locative | super::view::Sort::Comma | super::view::Sort::Stop)
    });
    let closing = ahead.map_or(0, |ahead| view.text(w + ahead));
    keys.push(template().part(closing).part(ahead.unwrap_or(7) as u64).part(view.sort(w) as u64).key());
    keys.push(template().part(view.sort(w) as u64).part(inside).part(u64::from(word.quoted)).key());
}

fn step_of(distance: usize) -> u64 {
    super::view::step(distance as isize)
}

/// What is known of the labels of a passage, as sets of states.
fn allowed(length: usize, frames: &[Frame]) -> Vec<u64> {
    let mut sets = vec![0_u64; length];
    for (role, at) in frames.iter().flat_map(|frame| &frame.places) {
        let (Some(first), Some(last)) = (at.first(), at.last()) else { continue };
        for (place, set) in sets.iter_mut().enumerate().take(*last).skip(*first) {
            // A gap is no part of the fragment, yet inside of it.
            *set |= if at.contains(&place) { 1 << INSIDE } else { 1 | 1 << INSIDE };
        }
        sets[*last] |= 1 << last_of(*role);
    }
    for set in &mut sets {
        let last = *set & !0b11;
        // An end counts for more than that something longer goes on over it.
        *set = if last > 0 {
            last
        } else if *set == 0 {
            1
        } else {
            *set
        };
    }
    sets
}

/// The label of each character of a passage; in a gap of a fragment, inside.
pub fn labels(length: usize, frames: &[Frame]) -> Vec<usize> {
    allowed(length, frames).into_iter().map(|set| (u64::BITS - 1 - set.max(1).leading_zeros()) as usize).collect()
}

/// A passage to learn anchors from.
pub fn sequence(view: &View, base: Arc<Keys>, frames: &[Frame]) -> Sequence {
    Sequence { parts: vec![base], classes: classes(view), allowed: allowed(view.reading.chars.len(), frames), weight: 1.0 }
}

/// How likely each character ends a place fragment, in all and by role; and how likely it is in one.
pub fn odds(crf: &Crf, view: &View, base: &Keys, heard: &Heard) -> (Vec<[f32; 6]>, Vec<f32>) {
    let mut emissions = crf.emissions(base);
    heard.add_ends(&mut emissions);
    let mut lattice = crf.lattice();
    lattice.run(&emissions, &classes(view), &[]);
    let row = |row: &[f32]| {
        let ends = &row[LAST..];
        [ends.iter().sum(), ends[0], ends[1], ends[2], ends[3], ends[4]]
    };
    let rows = lattice.marginals().chunks_exact(LABELS);
    (rows.clone().map(row).collect(), rows.map(|row| 1.0 - row[0]).collect())
}

#[cfg(test)]
mod tests {
    use super::super::gold::Mentions;
    use super::*;

    #[test]
    fn the_end_of_a_fragment_is_known_and_its_gap_may_be_either() {
        let mentions = Mentions { own: vec![0], others: Vec::new() };
        let frame = Frame { event: None, places: vec![(2, vec![1, 2, 4])], time: None, denied: false, entities: vec![mentions] };
        // Outside, inside twice, the gap either, the end of 终点, outside.
        assert_eq!(allowed(6, &[frame]), [0b1, 0b10, 0b10, 0b11, 1 << 4, 0b1]);
    }

    #[test]
    fn an_untrained_field_says_something_of_any_text() {
        let crf = Crf::untrained(topology());
        for text in ["", "在", "他在屋里。"] {
            let view = View::new(text);
            let length = text.chars().count();
            assert_eq!(odds(&crf, &view, &keys(&view, 0..length), &Heard::default()).0.len(), length);
        }
    }
}
