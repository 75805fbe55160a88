//! Tuples by entities first, then what is said of each: the counterpart of Fudan's systems of 2022 (task 3) and 2023 (task 2), and of System4SpaCE2022.
//!
//! Where Fudan's second step generates the elements, here it labels them, as that of System4SpaCE2022 does; other than there, an entity may have several events.

use std::ops::Range;

use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::entity::ask_about;
use fangwei_encoder::vocabulary::Vocabulary;

use super::tuples::{Found, Order, Parts, Piece, Topic};
use crate::linear::roles::gold::Frame;

/// Entities are topics, events their counterparts.
pub struct EntityFirst;

impl Order for EntityFirst {
    fn topics(frames: &[Frame]) -> Vec<Topic> {
        let mut topics = Vec::new();
        for frame in frames {
            for entity in &frame.entities {
                Topic::hear(&mut topics, &entity.own, frame, frame.event.iter().cloned());
            }
        }
        topics
    }

    fn ask_about(vocabulary: &Vocabulary, text: &[u32], topic: &[Range<usize>]) -> (Sequence, usize) {
        ask_about(vocabulary, text, topic)
    }

    /// The words before the text, and a mark behind them.
    fn extra(topic: &[usize]) -> usize {
        topic.len() + 1
    }

    /// A tuple for each event, with the times and places that are nearest to it; one without an event where there is none.
    fn tuples(found: &Found) -> Vec<Parts> {
        let distance = |event: &Piece, token: usize| event.0.iter().map(|own| own.abs_diff(token)).min().unwrap_or(usize::MAX);
        let nearest = |token: usize| {
            let numbered = found.counterparts.iter().enumerate();
            numbered.min_by_key(|(number, event)| (distance(event, token), *number)).map(|(number, _)| number)
        };
        let of = |number: Option<usize>| Parts {
            entity: found.topic.clone(),
            event: number.map(|number| found.counterparts[number].clone()),
            rest: found.rest.iter().filter(|own| nearest(own.0) == number).copied().collect(),
        };
        if found.counterparts.is_empty() { vec![of(None)] } else { (0..found.counterparts.len()).map(Some).map(of).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_with_the_nearest_event() {
        let counterparts = vec![(vec![3], 0.9), (vec![10, 11], 0.8)];
        let rest = vec![(2, 4, 0.5), (5, 4, 0.6), (12, 5, 0.7)];
        let found = Found { topic: (vec![0], 1.0), counterparts, rest: rest.clone(), ..Found::default() };
        let tuples = EntityFirst::tuples(&found);
        assert_eq!(tuples.iter().map(|own| own.rest.clone()).collect::<Vec<_>>(), [rest[..2].to_vec(), rest[2..].to_vec()]);
        let bare = EntityFirst::tuples(&Found { counterparts: Vec::new(), ..found });
        assert_eq!((bare.len(), bare[0].event.is_none(), bare[0].rest.len()), (1, true, 3));
    }
}
