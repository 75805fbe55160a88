//! Sketches: what is thought of a single anchor before anything is decided: shapes drawn from the field, and who it may be for each.

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::frame::{self, Shape, Sheet};
use super::gold::Places;
use super::view::View;
use super::{Parts, entity, event};

/// How many paths are drawn around an anchor.
const DRAWN: usize = 20;
/// How many shapes of those are held against each other.
const SHAPES: usize = 8;
/// How many events are looked at.
const EVENTS: usize = 4;

/// Heads with their odds, the likeliest first.
pub type Heads = Vec<(usize, f64)>;

/// What was asked of words and need not be asked again for the next anchor.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    events: FxHashMap<usize, Places>,
}

/// What is thought of an anchor.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// The character.
    pub anchor: usize,
    /// How likely a place fragment ends there, in all and by role.
    pub odds: [f32; 6],
    /// Shapes with their shares, the likeliest first.
    pub shapes: Vec<(Shape, f64)>,
    /// Heads, asked for once for all shapes of one event and one role of the anchor: who it is does not hang on the limits of fragments.
    pub asked: Vec<Heads>,
    /// Which of these each shape has.
    pub asked_of: Vec<usize>,
    /// Heads over all shapes.
    pub heads: Heads,
}

/// The likeliest events of an anchor with their characters; an empty one is none.
fn events(parts: &Parts, view: &View, memory: &mut Memory, anchor: usize) -> Vec<(Places, f64)> {
    let odds = event::odds(&parts.event, view, anchor);
    let mut characters =
        |word: usize| memory.events.entry(word).or_insert_with(|| event::of_word(&parts.limits, view, word)).clone();
    odds.into_iter().take(EVENTS).map(|(word, odds)| (word.map(&mut characters).unwrap_or_default(), odds)).collect()
}

impl Sketch {
    /// The sketch of an anchor.
    pub fn new(parts: &Parts, view: &View, sheet: &Sheet<'_>, memory: &mut Memory, anchor: usize, odds: [f32; 6]) -> Sketch {
        // Chance of its own for every place, so that no anchor changes what another draws.
        let mut rng = ChaCha8Rng::seed_from_u64(anchor as u64);
        let events = events(parts, view, memory, anchor);
        let mut shapes = frame::shapes(&parts.frame, view, sheet, anchor, &events, DRAWN, &mut rng);
        shapes.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        shapes.truncate(SHAPES);
        let all: f64 = shapes.iter().map(|(_, share)| share).sum::<f64>().max(1e-9);
        for (_, share) in &mut shapes {
            *share /= all;
        }
        let mut questions: Vec<(&Places, usize)> = Vec::new();
        let (mut asked, mut asked_of) = (Vec::new(), Vec::new());
        for (shape, _) in &shapes {
            let role = shape.places.iter().find(|(_, at)| at.contains(&anchor)).map_or(0, |(role, _)| *role);
            let known = questions.iter().position(|(event, of)| **event == shape.event && *of == role);
            asked_of.push(known.unwrap_or_else(|| {
                questions.push((&shape.event, role));
                asked.push(entity::odds(&parts.entity, view, anchor, shape));
                asked.len() - 1
            }));
        }
        let mut sketch = Sketch { anchor, odds, shapes, asked, asked_of, heads: Heads::new() };
        sketch.gather();
        sketch
    }

    /// Adds up the heads of all shapes.
    pub fn gather(&mut self) {
        let mut heads = Heads::new();
        for (known, (_, share)) in self.asked_of.iter().zip(&self.shapes) {
            for (head, odds) in &self.asked[*known] {
                match heads.iter_mut().find(|(known, _)| known == head) {
                    Some((_, sum)) => *sum += share * odds,
                    None => heads.push((*head, share * odds)),
                }
            }
        }
        heads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        heads.truncate(MOST_HEADS);
        self.heads = heads;
    }
}

/// How many heads are remembered over all shapes.
const MOST_HEADS: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_shapes_are_added_up_by_their_shares() {
        let shapes = vec![(Shape::default(), 0.75), (Shape::default(), 0.25)];
        let asked = vec![vec![(4, 0.8), (2, 0.2)], vec![(2, 1.0)]];
        let mut sketch = Sketch { anchor: 0, odds: [0.0; 6], shapes, asked, asked_of: vec![0, 1], heads: Heads::new() };
        sketch.gather();
        // 0.75 · 0.8 for one; 0.75 · 0.2 + 0.25 · 1 for the other.
        assert_eq!(sketch.heads.iter().map(|(head, _)| *head).collect::<Vec<_>>(), [4, 2]);
        assert!((sketch.heads[0].1 - 0.6).abs() < 1e-9 && (sketch.heads[1].1 - 0.4).abs() < 1e-9);
    }
}
