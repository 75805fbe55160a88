//! A second opinion on places, events and entities, and how it joins that of the features: logarithms of odds are added, with a weight.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::sketch::Heads;
use super::view::View;
use super::{anchor, frame};
use crate::linear::opinion::Opinion;

/// What is asked of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Where places end.
    Passage,
    /// What belongs to the place that ends at this character.
    Anchor(usize),
}

/// Labels side by side: ends of places; event and places of an anchor; not an entity of the anchor, or one.
pub const WIDTH: usize = ENTITY + 2;
const FRAME: usize = anchor::LABELS;
const ENTITY: usize = FRAME + frame::LABELS;

/// How much the second opinion counts beside the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// On where places end,
    pub anchor: f32,
    /// on events and places,
    pub frame: f32,
    /// and on entities.
    pub entity: f32,
}

impl Weights {
    /// All of them times a factor.
    #[must_use]
    pub fn times(self, factor: f32) -> Weights {
        Weights { anchor: self.anchor * factor, frame: self.frame * factor, entity: self.entity * factor }
    }
}

/// A second opinion.
pub struct Second<'s> {
    /// Whose.
    pub opinion: &'s dyn Opinion<Question>,
    /// How much it counts.
    pub weights: Weights,
}

/// What the second opinion was, as far as it was asked; nothing where there is none.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    weights: Option<Weights>,
    whole: Vec<f32>,
    of: FxHashMap<usize, Vec<f32>>,
}

impl Heard {
    /// Asks for the passage.
    pub fn passage(view: &View, second: Option<&Second<'_>>) -> Heard {
        let Some(second) = second else { return Heard::default() };
        let whole = second.opinion.labels(&view.reading, &[Question::Passage]).pop().unwrap_or_default();
        Heard { weights: Some(second.weights), whole, of: FxHashMap::default() }
    }

    /// Asks for anchors.
    pub fn ask(&mut self, view: &View, second: Option<&Second<'_>>, anchors: &[usize]) {
        let Some(second) = second else { return };
        let questions: Vec<Question> = anchors.iter().map(|at| Question::Anchor(*at)).collect();
        self.of = anchors.iter().copied().zip(second.opinion.labels(&view.reading, &questions)).collect();
    }

    /// Adds the opinion on where places end.
    pub fn add_ends(&self, emissions: &mut [f32]) {
        let Some(weights) = self.weights else { return };
        add(emissions, &self.whole, 0..anchor::LABELS, weights.anchor);
    }

    /// Adds the opinion on the characters of a window around an anchor.
    pub fn add_frame(&self, at: usize, window: Range<usize>, emissions: &mut [f32]) {
        let (Some(weights), Some(rows)) = (self.weights, self.of.get(&at)) else { return };
        let rows = rows.get(window.start * WIDTH..window.end * WIDTH).unwrap_or_default();
        add(emissions, rows, FRAME..ENTITY, weights.frame);
    }

    /// Weighs heads by the opinion on them, which is that on their last character; their sum stays.
    pub fn weigh(&self, view: &View, at: usize, heads: &mut Heads) {
        if self.weights.is_none() {
            return;
        }
        let before: f64 = heads.iter().map(|(_, odds)| odds).sum();
        for (head, odds) in heads.iter_mut() {
            let last = view.reading.tokens.get(*head).map_or(0, |token| token.end.saturating_sub(1));
            *odds *= f64::from(self.entity(at, last)).exp();
        }
        let after: f64 = heads.iter().map(|(_, odds)| odds).sum();
        for (_, odds) in heads.iter_mut() {
            *odds *= before / after.max(f64::MIN_POSITIVE);
        }
        heads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    }

    fn entity(&self, at: usize, place: usize) -> f32 {
        let (Some(weights), Some(rows)) = (self.weights, self.of.get(&at)) else { return 0.0 };
        let row = rows.get(place * WIDTH + ENTITY..(place + 1) * WIDTH);
        row.map_or(0.0, |row| weights.entity * (row[1] - row[0]))
    }
}

/// Adds the columns of an opinion to emissions that have just these.
fn add(emissions: &mut [f32], rows: &[f32], columns: Range<usize>, weight: f32) {
    for (own, row) in emissions.chunks_exact_mut(columns.len()).zip(rows.chunks_exact(WIDTH)) {
        own.iter_mut().zip(&row[columns.clone()]).for_each(|(own, other)| *own += weight * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;

    /// Is sure of one label of one character.
    struct Sure;

    impl Opinion<Question> for Sure {
        fn labels(&self, reading: &Reading, questions: &[Question]) -> Vec<Vec<f32>> {
            let of = |question: &Question| {
                let mut rows = vec![0.0; reading.chars.len() * WIDTH];
                match question {
                    Question::Passage => rows[2 * WIDTH + 1] = 1.0,
                    Question::Anchor(at) => {
                        rows[at * WIDTH + FRAME + 3] = 1.0;
                        rows[WIDTH + ENTITY + 1] = 1.0;
                    }
                }
                rows
            };
            questions.iter().map(of).collect()
        }
    }

    #[test]
    fn opinions_are_added_where_they_belong() {
        let view = View::new("他在屋里。");
        let second = Second { opinion: &Sure, weights: Weights { anchor: 0.5, frame: 2.0, entity: 3.0 } };
        let mut heard = Heard::passage(&view, Some(&second));
        heard.ask(&view, Some(&second), &[3]);
        let mut ends = vec![0.0; 5 * anchor::LABELS];
        heard.add_ends(&mut ends);
        assert_eq!(ends.iter().position(|own| *own != 0.0), Some(2 * anchor::LABELS + 1));
        assert_eq!(ends[2 * anchor::LABELS + 1], 0.5);
        // A window that begins at the second character.
        let mut frame = vec![0.0; 4 * frame::LABELS];
        heard.add_frame(3, 1..5, &mut frame);
        assert_eq!(frame.iter().position(|own| *own != 0.0), Some(2 * frame::LABELS + 3));
        assert_eq!((heard.entity(3, 1), heard.entity(3, 2), heard.entity(4, 1)), (3.0, 0.0, 0.0));
        // The second word is heard of: e³ times as likely as before, and all that there is stays.
        let mut heads = vec![(0, 0.6), (1, 0.3)];
        heard.weigh(&view, 3, &mut heads);
        assert_eq!(heads.iter().map(|(head, _)| *head).collect::<Vec<_>>(), [1, 0]);
        assert!((heads[0].1 / heads[1].1 - 3_f64.exp() / 2.0).abs() < 1e-4 && (heads[0].1 + heads[1].1 - 0.9).abs() < 1e-9);
        // Nobody asked, nothing added.
        let none = Heard::passage(&view, None);
        none.add_ends(&mut ends);
        assert_eq!(ends[2 * anchor::LABELS + 1], 0.5);
    }
}
