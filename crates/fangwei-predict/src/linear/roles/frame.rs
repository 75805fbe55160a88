//! Frames: given an anchor, which characters around it are the event and the places of the same tuple.
//!
//! A label is a role; the characters of one label are one fragment, so gaps need nothing of their own. States remember whether the event has been, because
//! a tuple has one at most.

use std::sync::Arc;

use super::gold::{Frame, PLACES, Places};
use super::second::Heard;
use super::view::{Sort, View, step};
use crate::learn::crf::{Crf, Sequence, Topology};
use crate::learn::feature::{Keys, Template};

/// Outside, event, and the nine places.
pub const LABELS: usize = 2 + PLACES.len();
const EVENT: usize = 1;
const PLACE: usize = 2;

/// How far from the anchor a frame may reach, in characters.
pub const REACH: usize = 30;

/// Outside and places before the event, the event, outside and places after it.
///
/// # Panics
/// Never: the plan is fixed, and a test makes it.
pub fn topology() -> Topology {
    let others = 1 + PLACES.len();
    let label = |number: usize| if number == 0 { 0 } else { PLACE + number - 1 };
    let mut states: Vec<usize> = (0..others).map(label).collect();
    states.push(EVENT);
    states.extend((0..others).map(label));
    let (event, after) = (others, others + 1);
    let mut transitions = Vec::new();
    for from in 0..others {
        for to in 0..others {
            transitions.push((from, to));
            transitions.push((after + from, after + to));
        }
        transitions.push((from, event));
        transitions.push((event, after + from));
    }
    transitions.push((event, event));
    let starts: Vec<usize> = (0..=event).collect();
    let ends: Vec<usize> = (0..states.len()).collect();
    Topology::new(LABELS, &states, &transitions, &starts, &ends).expect("21 states, each transition once").with_classes(3)
}

/// The characters that a frame of this anchor may have.
pub fn window(view: &View, anchor: usize) -> std::ops::Range<usize> {
    anchor.saturating_sub(REACH)..(anchor + REACH + 1).min(view.reading.chars.len())
}

/// Keys of each character in the window of an anchor.
pub fn keys(view: &View, anchor: usize) -> Keys {
    let mut keys = Keys::new();
    let about = About::new(view, anchor);
    for place in window(view, anchor) {
        about.push(view, place, &mut keys);
        keys.close();
    }
    keys
}

/// What is asked of the anchor once.
struct About {
    anchor: usize,
    word: usize,
    sort: u64,
    text: u64,
    within: Option<usize>,
    within_text: u64,
    before: Option<usize>,
    after: Option<usize>,
}

const TEMPLATES: u16 = 200;

impl About {
    fn new(view: &View, anchor: usize) -> About {
        let number = view.word_at(anchor);
        let word = &view.words[number];
        About {
            anchor,
            word: number,
            sort: word.sort as u64,
            text: word.text,
            within: word.within,
            within_text: word.within.map_or(0, |at| view.text(at as isize)),
            before: word.verb_before,
            after: word.verb_after,
        }
    }

    fn push(&self, view: &View, place: usize, keys: &mut Keys) {
        let mut number = TEMPLATES;
        let mut template = || {
            number += 1;
            Template::new(number)
        };
        let w = view.word_at(place);
        let word = &view.words[w];
        let inside = u64::from(view.place_in_word[place]);
        let sort = word.sort as u64;
        let distance = place as isize - self.anchor as isize;
        let words = w as isize - self.word as isize;
        let clauses = (view.clause(place) - view.clause(self.anchor)).clamp(-4, 4);
        let clause = (clauses + 4) as u64;
        let (low, high) = (w.min(self.word), w.max(self.word));
        let verbs = u64::from(view.verbs[high].saturating_sub(view.verbs[low]).min(4));
        let nouns = u64::from(view.nominals[high].saturating_sub(view.nominals[low]).min(4));
        let is_before = Some(w) == self.before;
        let is_after = Some(w) == self.after;
        let nearest = u64::from(is_before) + 2 * u64::from(is_after);
        let side = u64::from(distance > 0) + 2 * u64::from(words == 0);
        let phrase = u64::from(self.within.is_some_and(|at| (at..=self.word).contains(&w)));
        keys.push(template().part(step(distance)).key());
        keys.push(template().part(step(distance)).part(self.sort).key());
        keys.push(template().part(step(words)).part(sort).part(inside).key());
        keys.push(template().part(clause).part(side).part(sort).part(verbs).key());
        keys.push(template().part(clause).part(side).part(nearest).part(verbs).part(nouns).part(sort).key());
        keys.push(template().part(nearest).part(self.sort).part(phrase).part(inside).part(sort).key());
        keys.push(template().part(nearest).part(word.text).part(side).part(inside).key());
        keys.push(template().part(word.text).part(side).part(verbs).part(clause).key());
        keys.push(template().part(nearest).part(self.within_text).part(word.text).key());
        keys.push(template().part(nearest).part(self.text).part(word.text).key());
        keys.push(template().part(nearest).part(self.text).part(self.within_text).part(sort).part(inside).key());
        keys.push(template().part(phrase).part(sort).part(step(words)).part(self.within_text).key());
        keys.push(
            template()
                .part(phrase)
                .part(view.sort(w as isize - 1) as u64)
                .part(sort)
                .part(view.sort(w as isize + 1) as u64)
                .part(side)
                .key(),
        );
        keys.push(template().part(word.pos).part(clause).part(side).part(verbs).part(inside).key());
        keys.push(template().part(word.family).part(nearest).part(side).part(self.within_text).part(inside).key());
        keys.push(template().part(word.family).part(clause).part(side).part(verbs).key());
        // What the anchor itself is rests on its preposition and the verbs around it.
        if distance.abs() < 8 && clauses == 0 {
            let before = self.before.map_or(0, |at| view.text(at as isize));
            let after = self.after.map_or(0, |at| view.text(at as isize));
            let gap = self.before.map_or(9, |at| step(self.word as isize - at as isize));
            let near = u64::from(distance == 0) + 2 * phrase;
            keys.push(template().part(near).part(before).part(gap).part(sort).key());
            keys.push(template().part(near).part(after).part(sort).key());
            keys.push(template().part(near).part(self.within_text).part(before).part(sort).key());
            keys.push(template().part(near).part(self.text).part(self.within_text).part(sort).key());
            keys.push(
                template()
                    .part(near)
                    .part(self.sort)
                    .part(self.within_text)
                    .part(view.sort(self.word as isize + 1) as u64)
                    .part(step(words))
                    .key(),
            );
            keys.push(template().part(near).part(view.text(self.word as isize + 1)).part(sort).key());
            keys.push(template().part(near).part(view.family(self.before)).part(gap).part(self.within_text).key());
            keys.push(template().part(near).part(view.family(self.before)).part(self.sort).part(sort).key());
            keys.push(template().part(near).part(view.family(self.after)).part(self.sort).part(self.within_text).key());
        } else {
            for _ in 0..9 {
                template();
            }
        }
        // The row of words between.
        if words.abs() <= 5 && words != 0 {
            let mut row = template().part(u64::from(words < 0));
            for between in low..=high {
                row = row.part(view.words[between].sort as u64);
            }
            keys.push(row.part(inside).key());
            let mut texts = template().part(u64::from(words < 0));
            if words.abs() <= 3 {
                for between in low + 1..high {
                    texts = texts.part(view.words[between].text);
                }
                keys.push(texts.part(sort).part(self.sort).part(inside).key());
            }
        } else {
            template();
            template();
        }
        let directional = u64::from(word.sort == Sort::Directional);
        keys.push(template().part(directional).part(clause).part(verbs).part(view.text(w as isize - 1)).part(inside).key());
    }
}

/// What is known of the labels in the window, as sets of states; none if the event lies outside.
fn allowed(topology: &Topology, window: std::ops::Range<usize>, frame: &Frame) -> Vec<u64> {
    window.map(|place| topology.states_of(label(frame, place))).collect()
}

/// The label of a character in a frame.
pub fn label(frame: &Frame, place: usize) -> usize {
    if frame.event.as_ref().is_some_and(|event| event.contains(&place)) {
        return EVENT;
    }
    let role = frame.places.iter().find(|(_, at)| at.contains(&place));
    role.map_or(0, |(role, _)| PLACE + role)
}

/// A frame to learn from, seen from one of its anchors.
pub fn sequence(topology: &Topology, view: &View, anchor: usize, frame: &Frame) -> Sequence {
    let window = window(view, anchor);
    let classes = super::anchor::classes(view)[window.clone()].to_vec();
    let base = super::anchor::keys(view, window.clone());
    Sequence {
        parts: vec![Arc::new(base), Arc::new(keys(view, anchor))],
        classes,
        allowed: allowed(topology, window, frame),
        weight: 1.0,
    }
}

/// The event and the places of a tuple.
#[derive(Clone, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub struct Shape {
    /// The characters of the event; none if there is none.
    pub event: Places,
    /// Places by role, as numbers of [`PLACES`].
    pub places: Vec<(usize, Places)>,
}

/// The first and the last word of some characters; those of the anchor where there are none.
pub fn words_of(view: &View, anchor: usize, at: &[usize]) -> (usize, usize) {
    let (first, last) = (at.first().copied().unwrap_or(anchor), at.last().copied().unwrap_or(anchor));
    (view.word_at(first), view.word_at(last))
}

/// The place that holds an anchor, with its role; its first and last word; and those of the event.
pub type Around<'s> = (Option<&'s (usize, Places)>, (usize, usize), Option<(usize, usize)>);

impl Shape {
    /// What stands around an anchor.
    pub fn around(&self, view: &View, anchor: usize) -> Around<'_> {
        let own = self.places.iter().find(|(_, at)| at.contains(&anchor));
        let place = words_of(view, anchor, own.map_or(&[], |(_, at)| at));
        let event = (!self.event.is_empty()).then(|| words_of(view, anchor, &self.event));
        (own, place, event)
    }

    /// The shape that a path through the states tells.
    fn of_path(topology: &Topology, path: &[usize], begin: usize) -> Shape {
        let mut by_label: Vec<Places> = vec![Vec::new(); LABELS];
        for (offset, state) in path.iter().enumerate() {
            by_label[topology.label_of(*state)].push(begin + offset);
        }
        let mut labels = by_label.into_iter().skip(EVENT);
        let event = labels.next().unwrap_or_default();
        Shape { event, places: labels.enumerate().filter(|(_, at)| !at.is_empty()).collect() }
    }
}

/// What all anchors of a passage share.
#[derive(Clone, Debug)]
pub struct Sheet<'h> {
    /// Scores of the labels that do not depend on the anchor.
    pub base: Vec<f32>,
    /// Classes of the characters.
    pub classes: Vec<u8>,
    /// A second opinion.
    pub heard: &'h Heard,
}

impl<'h> Sheet<'h> {
    /// The sheet of a passage, from the keys of its characters.
    pub fn new(crf: &Crf, view: &View, keys: &Keys, heard: &'h Heard) -> Sheet<'h> {
        Sheet { base: crf.emissions(keys), classes: super::anchor::classes(view), heard }
    }
}

/// Possible shapes around an anchor with their shares, given what is thought of its event. Two opinions on the event meet here, that of the choice and that of
/// the field; each counts for half. Given the event, places are the likeliest path and some that are drawn.
pub fn shapes(
    crf: &Crf,
    view: &View,
    sheet: &Sheet<'_>,
    anchor: usize,
    events: &[(Places, f64)],
    samples: usize,
    rng: &mut impl rand_core::Rng,
) -> Vec<(Shape, f64)> {
    let window = window(view, anchor);
    let mut emissions = sheet.base[window.start * LABELS..window.end * LABELS].to_vec();
    crf.add_emissions(&keys(view, anchor), &mut emissions);
    sheet.heard.add_frame(anchor, window.clone(), &mut emissions);
    let topology = crf.topology();
    // The anchor is in a place, whatever else is.
    let place = (PLACE..LABELS).fold(0, |set, label| set | topology.states_of(label));
    let event_state = topology.states_of(EVENT);
    let mut free = vec![u64::MAX; window.len()];
    free[anchor - window.start] = place;
    let classes = &sheet.classes[window.clone()];
    let mut lattice = crf.lattice();
    let all = lattice.run(&emissions, classes, &free);
    let mut weighed: Vec<(f64, Vec<u64>, &Places)> = Vec::new();
    for (event, odds) in events {
        if event.iter().any(|at| !window.contains(at) || *at == anchor) {
            continue;
        }
        let mut allowed = vec![!event_state; window.len()];
        allowed[anchor - window.start] = place;
        for at in event {
            allowed[at - window.start] = event_state;
        }
        let sum = lattice.constrain(&allowed);
        if sum.is_finite() {
            weighed.push((FIELD * (sum - all) + CHOICE * odds.max(1e-9).ln(), allowed, event));
        }
    }
    let top = weighed.iter().map(|(weight, ..)| *weight).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = weighed.iter().map(|(weight, ..)| (weight - top).exp()).sum();
    let mut found: Vec<(Shape, f64)> = Vec::new();
    for (weight, allowed, event) in &weighed {
        let share = (weight - top).exp() / sum;
        if share < 0.02 {
            continue;
        }
        lattice.constrain(allowed);
        let count = ((samples as f64 * share).round() as usize).max(2);
        let mut add = |path: &[usize], part: f64| {
            let shape = Shape { event: (*event).clone(), ..Shape::of_path(topology, path, window.start) };
            match found.iter_mut().find(|(known, _)| *known == shape) {
                Some((_, sum)) => *sum += share * part,
                None => found.push((shape, share * part)),
            }
        };
        if let Some((path, _)) = lattice.viterbi() {
            add(&path, 0.01);
        }
        for path in lattice.samples(count, rng) {
            add(&path, 0.99 / count as f64);
        }
    }
    found
}

/// What the opinion of the field on the event counts.
const FIELD: f64 = 0.5;
/// What that of the choice counts.
const CHOICE: f64 = 0.7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_event_and_fragments_may_have_gaps() {
        let topology = topology();
        // 21 states: outside and nine places twice, and the event between.
        assert_eq!(topology.states(), 21);
        let (outside, event, after) = (0, 10, 11);
        let path = [1, outside, 1, event, after, after + 4];
        let shape = Shape::of_path(&topology, &path, 100);
        assert_eq!(shape, Shape { event: vec![103], places: vec![(0, vec![100, 102]), (3, vec![105])] });
    }
}
