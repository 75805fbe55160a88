//! Tuples by events first, then what belongs to each: the counterpart of the baselines of 2022 (task 3) and 2023 (task 2).
//!
//! As there, tuples without an event are neither learnt nor found; other than there, an event may have several entities.

use std::ops::Range;

use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::trigger::{ASKED, ask_about};
use fangwei_encoder::vocabulary::Vocabulary;

use super::tuples::{Found, Order, Parts, Topic};
use crate::linear::roles::gold::Frame;

/// Events are topics, entities their counterparts.
pub struct EventFirst;

impl Order for EventFirst {
    fn topics(frames: &[Frame]) -> Vec<Topic> {
        let mut topics = Vec::new();
        for frame in frames {
            if let Some(event) = &frame.event {
                Topic::hear(&mut topics, event, frame, frame.entities.iter().map(|entity| entity.own.clone()));
            }
        }
        topics
    }

    fn ask_about(vocabulary: &Vocabulary, text: &[u32], topic: &[Range<usize>]) -> (Sequence, usize) {
        let about: Vec<(Range<usize>, u8)> = topic.iter().map(|range| (range.clone(), ASKED)).collect();
        (ask_about(vocabulary, text, &about), 1)
    }

    fn extra(_: &[usize]) -> usize {
        0
    }

    /// A tuple for each entity, with all places. A tuple without an entity earns nothing, so the likeliest is taken where none is sure.
    fn tuples(found: &Found) -> Vec<Parts> {
        let entities = if found.counterparts.is_empty() { found.likeliest.as_slice() } else { &found.counterparts };
        let of = |entity: &(Vec<usize>, f64)| Parts {
            entity: entity.clone(),
            event: Some(found.topic.clone()),
            rest: found.rest.clone(),
        };
        entities.iter().map(of).collect()
    }
}
