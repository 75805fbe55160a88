//! Anomalies by reading comprehension, a pair of pointers for every role: the counterpart of Fudan's systems of 2022 (task 2) and 2023 (task 1).

use fangwei::task::Item;
use fangwei_encoder::heads::pointers::Pointers;
use fangwei_encoder::heads::{Example, Network};

use super::skill::{Skill, of_items};
use super::triples::{Choices, MOST_CHOICES, ROLES, candidates, gold};
use super::windows::{AT_ONCE, Windows};
use crate::belief::Belief;
use crate::job::Job;
use crate::material::Part;

/// Point at the first and the last token of each role of the anomaly.
pub struct PointOut;

impl Skill for PointOut {
    type Head = Pointers;
    const HEAD: Pointers = Pointers { roles: ROLES.len() };

    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<Vec<(usize, usize)>>> {
        of_items(job, part, |item| {
            let Some(gold) = gold(item) else { return Vec::new() };
            let windows = Windows::new(network, item.texts.context(), None, length);
            let example = |window: usize| {
                let mut pointers = vec![(0, 0); ROLES.len()];
                for (role, places) in &gold {
                    let places = windows.places(window, places);
                    if let (Some(first), Some(last)) = (places.first(), places.last()) {
                        pointers[*role] = (*first, *last);
                    }
                }
                Example { sequence: windows.sequences[window].clone(), gold: pointers }
            };
            (0..windows.sequences.len()).map(example).collect()
        })
    }

    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        let windows = Windows::new(network, item.texts.context(), None, length);
        let asked = windows.sequences.chunks(AT_ONCE).flat_map(|some| Self::HEAD.ask(network, some, MOST_CHOICES));
        let choices = |(window, roles): (usize, Vec<Vec<_>>)| -> Vec<Choices> {
            let choice =
                |own: &fangwei_encoder::heads::pointers::Pointed| (windows.characters(window, own.first..=own.last), own.odds);
            roles.iter().map(|role| role.iter().map(choice).collect()).collect()
        };
        Belief::Candidates(candidates(item, &asked.enumerate().map(choices).collect::<Vec<_>>()))
    }
}
