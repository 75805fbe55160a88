//! Anomalies by a grid over pairs of tokens, which reads fragments with gaps: the counterpart of W2NER, with which CPIC took part in 2022 (task 2).

use fangwei::task::Item;
use fangwei_encoder::heads::grid::{Found, Grid};
use fangwei_encoder::heads::{Example, Network};

use super::skill::{Skill, of_items};
use super::triples::{Choices, ROLES, candidates, gold, weighed};
use super::windows::{AT_ONCE, Windows};
use crate::belief::Belief;
use crate::job::Job;
use crate::material::Part;

/// Say of every two tokens whether they follow each other in a fragment, or close one in a role.
pub struct Pair;

impl Skill for Pair {
    type Head = Grid;
    const HEAD: Grid = Grid { roles: ROLES.len() };

    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<Vec<Found>>> {
        of_items(job, part, |item| {
            let Some(gold) = gold(item) else { return Vec::new() };
            let windows = Windows::new(network, item.texts.context(), None, length);
            let example = |window: usize| {
                let found = |(role, at): &(usize, Vec<usize>)| Found { role: *role, places: windows.places(window, at) };
                let gold = gold.iter().map(found).filter(|own| !own.places.is_empty()).collect();
                Example { sequence: windows.sequences[window].clone(), gold }
            };
            (0..windows.sequences.len()).map(example).collect()
        })
    }

    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        let windows = Windows::new(network, item.texts.context(), None, length);
        // Fewer at once than elsewhere: a grid grows with the square of the length.
        let at_once = (AT_ONCE * AT_ONCE * AT_ONCE / length.max(1)).clamp(1, AT_ONCE);
        let asked = windows.sequences.chunks(at_once).flat_map(|some| Self::HEAD.ask(network, some));
        let choices = |(window, found): (usize, Vec<(Found, f64)>)| -> Vec<Choices> {
            let mut roles = vec![Choices::new(); ROLES.len()];
            for (own, odds) in found {
                let places = windows.characters(window, own.places);
                if let Some(role) = roles.get_mut(own.role).filter(|_| !places.is_empty()) {
                    role.push((places, odds));
                }
            }
            roles.into_iter().map(weighed).collect()
        };
        Belief::Candidates(candidates(item, &asked.enumerate().map(choices).collect::<Vec<_>>()))
    }
}
