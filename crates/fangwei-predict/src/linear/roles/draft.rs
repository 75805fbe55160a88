//! Drafts: tuples as they come from single anchors, before they are held against each other.
//!
//! Shapes are drawn from the field and entities from the choice; of all tuples that can be made of them, the one is taken that resembles the rest most, by the
//! measure of the task (the mean over roles, nothing if the entity is another).

use rustc_hash::FxHashMap;

use super::frame::Shape;
use super::gold::Places;
use super::sketch::{Heads, Sketch};
use super::view::{Sort, View};
use super::{Parts, mention, time};

/// A tuple around an anchor.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The character that it was made around.
    pub anchor: usize,
    /// How likely a place fragment ends there, in all and by role.
    pub odds: [f32; 6],
    /// What the tuple earns, if one does: its likeness to what was drawn.
    pub gain: f64,
    /// What it is expected to earn.
    pub worth: f64,
    /// Event and places.
    pub shape: Shape,
    /// How likely this event is, or that there is none.
    pub event_odds: f64,
    /// The head of the entity.
    pub head: usize,
    /// How likely it is.
    pub head_odds: f64,
    /// Possible heads with their odds, the likeliest first.
    pub heads: Heads,
    /// The characters of the entity.
    pub entity: Places,
    /// What share of these characters is expected to be right, if the head is.
    pub limits: f64,
    /// Its time, and how likely it has it.
    pub time: Option<(Places, f64)>,
    /// How likely it is denied.
    pub denied: f64,
}

/// The share of common characters.
pub fn likeness(a: &[usize], b: &[usize]) -> f64 {
    let common = a.iter().filter(|place| b.contains(place)).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// What one shape earns where the other is right, and out of how many roles, the entity not counted.
pub fn shared(a: &Shape, b: &Shape) -> (f64, usize) {
    let (mut sum, mut roles) = (0.0, 0);
    if !a.event.is_empty() || !b.event.is_empty() {
        roles += 1;
        sum += likeness(&a.event, &b.event);
    }
    for role in 0..super::gold::PLACES.len() {
        let at = |shape: &Shape| shape.places.iter().position(|(known, _)| *known == role);
        match (at(a), at(b)) {
            (None, None) => {}
            (Some(x), Some(y)) => {
                roles += 1;
                sum += likeness(&a.places[x].1, &b.places[y].1);
            }
            _ => roles += 1,
        }
    }
    (sum, roles)
}

/// How many heads of each shape make tuples.
const HEADS: usize = 4;

/// What the entity is of a tuple, which has three roles more often than not.
const ENTITY: f64 = 0.35;

/// Mentions that were asked for.
pub type Mentioned = FxHashMap<usize, (Places, f64)>;

/// The draft of a sketch: of all tuples, the one that resembles the rest most; none where the passage has nothing that could be an entity.
pub fn draft(parts: &Parts, view: &View, mentioned: &mut Mentioned, sketch: Sketch) -> Option<Draft> {
    let Sketch { anchor, odds, mut shapes, asked, asked_of, mut heads } = sketch;
    let mut tuples: Vec<(usize, usize, f64)> = Vec::new();
    for (number, (known, (_, share))) in asked_of.iter().zip(&shapes).enumerate() {
        tuples.extend(asked[*known].iter().take(HEADS).map(|(head, odds)| (number, *head, share * odds)));
    }
    heads.truncate(8);
    let gain = |candidate: &(usize, usize, f64)| -> f64 {
        let same = tuples.iter().filter(|other| other.1 == candidate.1);
        let earned = |other: &(usize, usize, f64)| {
            let (sum, roles) = shared(&shapes[candidate.0].0, &shapes[other.0].0);
            other.2 * (1.0 + sum) / (1 + roles) as f64
        };
        same.map(earned).sum()
    };
    let mut best: Option<(f64, usize)> = None;
    for (number, candidate) in tuples.iter().enumerate() {
        let gain = gain(candidate);
        if best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, number));
        }
    }
    let (gain, number) = best?;
    let (shape, head, _) = tuples[number];
    let (entity, limits) = mentioned.entry(head).or_insert_with(|| mention::of_head(&parts.mention, view, head)).clone();
    let same_event = shapes.iter().filter(|(other, _)| other.event == shapes[shape].0.event);
    let event_odds = same_event.map(|(_, share)| share).sum();
    let head_odds = heads.iter().find(|(known, _)| *known == head).map_or(0.0, |(_, odds)| *odds);
    let (shape, _) = shapes.swap_remove(shape);
    let worth = f64::from(odds[0]) * gain * (1.0 - ENTITY * (1.0 - limits));
    Some(Draft { anchor, odds, gain, worth, shape, event_odds, head, head_odds, heads, entity, limits, time: None, denied: 0.0 })
}

/// Drafts held against each other: the worthiest first, each anchor in one tuple.
pub fn settle(mut drafts: Vec<Draft>) -> Vec<Draft> {
    drafts.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.anchor.cmp(&b.anchor)));
    let mut kept: Vec<Draft> = Vec::new();
    'drafts: for draft in drafts {
        for other in &mut kept {
            let covered = other.shape.places.iter().any(|(_, at)| at.contains(&draft.anchor));
            if covered {
                continue 'drafts;
            }
            let same_event = !draft.shape.event.is_empty() && draft.shape.event == other.shape.event;
            if same_event && draft.head == other.head {
                if draft.odds[0] > 0.4 {
                    for (role, at) in draft.shape.places {
                        let free = other
                            .shape
                            .places
                            .iter()
                            .all(|(known, taken)| *known != role && taken.iter().all(|place| !at.contains(place)));
                        if free {
                            other.shape.places.push((role, at));
                        }
                    }
                    other.shape.places.sort();
                }
                continue 'drafts;
            }
        }
        kept.push(draft);
    }
    kept
}

/// Whether two heads stand side by side as equals: 哥哥和弟弟, 山、水.
fn joined(view: &View, a: usize, b: usize) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let between = low + 1..high;
    let parts = |sort: Sort| {
        matches!(sort, Sort::And | Sort::Noun | Sort::Pronoun | Sort::Number | Sort::Adjective | Sort::Of | Sort::Other)
    };
    between.len() <= 8
        && between.clone().any(|word| view.words[word].sort == Sort::And)
        && between.clone().all(|word| parts(view.words[word].sort))
}

/// One place, several entities: a draft for each head that stands beside the one taken and is not much less likely.
pub fn companions(parts: &Parts, view: &View, drafts: &mut Vec<Draft>) {
    let mut more = Vec::new();
    for draft in drafts.iter() {
        let own = draft.head_odds.max(1e-9);
        for (head, odds) in &draft.heads {
            let apart = *head != draft.head && !view.reading.tokens[*head].range().any(|place| draft.entity.contains(&place));
            if apart && *odds > BESIDE * own && joined(view, *head, draft.head) {
                let (entity, limits) = mention::of_head(&parts.mention, view, *head);
                if entity.iter().all(|place| !draft.entity.contains(place)) {
                    more.push(Draft { head: *head, entity, limits, worth: draft.worth * COMPANION, ..draft.clone() });
                }
            }
        }
    }
    drafts.extend(more);
    drafts.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.anchor.cmp(&b.anchor)).then(a.head.cmp(&b.head)));
}

/// A companion is at least this likely, as a share of the head that was taken.
const BESIDE: f64 = 0.1;
/// What a companion is worth, as a share of the draft beside which it stands.
const COMPANION: f64 = 0.8;

/// How far a time holds on, in characters.
const HOLDS: usize = 250;

/// Adds the time of a draft, and whether it is denied.
pub fn complete(parts: &Parts, view: &View, times: &[(Places, f64)], draft: &mut Draft) {
    let near = |at: &Places| at[0].abs_diff(draft.anchor) <= HOLDS;
    let apart =
        |at: &Places| near(at) && draft.shape.places.iter().all(|(_, taken)| at.iter().all(|place| !taken.contains(place)));
    let fit: Vec<&(Places, f64)> = times.iter().filter(|(at, _)| apart(at)).collect();
    let places: Vec<Places> = fit.iter().map(|(at, _)| at.clone()).collect();
    let odds = time::odds(&parts.when, view, draft.anchor, &draft.shape, &places);
    let best = odds.iter().zip(&fit).map(|(odds, (at, sure))| (at, odds * sure)).max_by(|a, b| a.1.total_cmp(&b.1));
    draft.time = best.map(|(at, odds)| (at.clone(), odds));
    draft.denied = time::denied(&parts.denied, view, draft.anchor, &draft.shape);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(anchor: usize, worth: f64, event: Places, places: Vec<(usize, Places)>, head: usize) -> Draft {
        Draft {
            anchor,
            odds: [0.9; 6],
            gain: 1.0,
            worth,
            shape: Shape { event, places },
            event_odds: 1.0,
            head,
            head_odds: 1.0,
            heads: Vec::new(),
            entity: vec![head],
            limits: 1.0,
            time: None,
            denied: 0.0,
        }
    }

    #[test]
    fn likeness_is_the_share_of_common_characters() {
        assert_eq!(likeness(&[1, 2, 3], &[2, 3, 4]), 0.5);
        assert_eq!(likeness(&[], &[]), 0.0);
        let a = Shape { event: vec![5], places: vec![(0, vec![1, 2])] };
        let b = Shape { event: vec![5], places: vec![(0, vec![1]), (3, vec![9])] };
        // The event in full, half of the place, nothing for the direction: 1.5 of 3 roles.
        assert_eq!(shared(&a, &b), (1.5, 3));
    }

    #[test]
    fn a_place_is_in_one_tuple_and_one_event_joins_its_places() {
        let from = draft(3, 0.9, vec![5], vec![(1, vec![1, 2, 3])], 0);
        let again = draft(2, 0.8, vec![5], vec![(0, vec![1, 2])], 0);
        let toward = draft(7, 0.7, vec![5], vec![(3, vec![6, 7])], 0);
        let other = draft(12, 0.6, vec![11], vec![(0, vec![12])], 0);
        let settled = settle(vec![other, toward, again, from]);
        assert_eq!(settled.len(), 2);
        assert_eq!(settled[0].shape.places, [(1, vec![1, 2, 3]), (3, vec![6, 7])]);
        assert_eq!(settled[1].anchor, 12);
    }

    #[test]
    fn equals_side_by_side_are_joined() {
        let view = View::new("哥哥和弟弟在院子里。");
        let head = |text: &str| view.reading.tokens.iter().position(|token| token.text == text).expect("is a word");
        assert!(joined(&view, head("哥哥"), head("弟弟")));
        assert!(!joined(&view, head("哥哥"), head("院子")));
    }
}
