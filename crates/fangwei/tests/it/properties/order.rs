//! The order in which things are written says nothing: tuples, roles, candidates, fragments, lines.

use fangwei::answer::{Answer, ReasonType};
use fangwei::task::Mode;
use proptest::prelude::*;

use super::generate::{Noise, Set};
use super::{MODES, agree, for_every_task, measures};

/// A shuffle by a seed (Fisher and Yates over a linear congruential generator).
pub fn shuffle<T>(list: &mut [T], seed: &mut u64) {
    for last in (1..list.len()).rev() {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.swap(last, (*seed >> 33) as usize % (last + 1));
    }
}

/// Changes every prediction, and every gold answer too.
fn change(set: &Set, mut change: impl FnMut(&mut Answer)) -> Set {
    let mut changed = set.clone();
    changed.preds.iter_mut().flatten().for_each(&mut change);
    changed.items.iter_mut().filter_map(|item| item.gold.as_mut()).for_each(change);
    changed
}

#[test]
fn the_order_of_tuples_and_of_roles() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let shuffled = change(&set, |answer| match answer {
            Answer::Slots(tuples) => shuffle(tuples, &mut seed),
            Answer::Tuples(tuples) => {
                shuffle(tuples, &mut seed);
                for tuple in tuples {
                    let mut roles: Vec<_> = tuple.iter().map(|element| &element.role).collect();
                    roles.sort_unstable();
                    // Of a repeated role the first counts (spec), so its order matters.
                    if roles.windows(2).all(|pair| pair[0] != pair[1]) {
                        shuffle(tuple, &mut seed);
                    }
                }
            }
            _ => {}
        });
        MODES.iter().try_for_each(|mode| agree(&measures(task, *mode, &set), &measures(task, *mode, &shuffled)))
    });
}

/// Only F1: among candidates of equal F1 the first counts, and its precision and recall may differ from those of the next (1/2 and 1 or 1 and 1/2). The type
/// accuracy follows the same choice.
#[test]
fn the_order_of_candidates_leaves_f1() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let mut shuffled = set.clone();
        for answer in shuffled.preds.iter_mut().flatten() {
            match answer {
                Answer::Candidates(candidates) => shuffle(candidates, &mut seed),
                // Only the first reason of each type counts, so those of one type stay in their order.
                Answer::Reasons(reasons) => {
                    let mut types = ReasonType::ALL;
                    shuffle(&mut types, &mut seed);
                    reasons.sort_by_key(|reason| types.iter().position(|kind| *kind == reason.kind));
                }
                _ => {}
            }
        }
        for answer in shuffled.items.iter_mut().filter_map(|item| item.gold.as_mut()) {
            match answer {
                Answer::Candidates(candidates) => shuffle(candidates, &mut seed),
                Answer::Reasons(reasons) => shuffle(reasons, &mut seed),
                _ => {}
            }
        }
        // The text allows three candidates: which three stand first decides.
        let few = set.preds.iter().flatten().all(|pred| !matches!(pred, Answer::Candidates(list) if list.len() > 3));
        for mode in MODES.into_iter().filter(|mode| *mode == Mode::Official || few) {
            let f1 = |set: &Set| -> Vec<_> {
                measures(task, mode, set).into_iter().filter(|(path, _)| path.ends_with("macro_f1")).collect()
            };
            agree(&f1(&set), &f1(&shuffled))?;
        }
        Ok(())
    });
}

#[test]
fn the_order_of_fragments() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let shuffled = change(&set, |answer| match answer {
            Answer::Candidates(candidates) => candidates.iter_mut().for_each(|parts| shuffle(parts, &mut seed)),
            Answer::Reasons(reasons) => reasons.iter_mut().for_each(|reason| shuffle(&mut reason.fragments, &mut seed)),
            Answer::Graph(graph) => {
                shuffle(&mut graph.events, &mut seed);
                shuffle(&mut graph.relations, &mut seed);
            }
            _ => {}
        });
        MODES.iter().try_for_each(|mode| agree(&measures(task, *mode, &set), &measures(task, *mode, &shuffled)))
    });
}

#[test]
fn the_order_of_indexes() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let shuffled = change(&set, |answer| {
            let Answer::Candidates(candidates) = answer else { return };
            for part in candidates.iter_mut().flatten() {
                let mut places: Vec<_> = part.fragment.span.iter().collect();
                shuffle(&mut places, &mut seed);
                part.fragment.span = places.into_iter().collect();
            }
        });
        MODES.iter().try_for_each(|mode| agree(&measures(task, *mode, &set), &measures(task, *mode, &shuffled)))
    });
}

/// A sum of floats depends on its order in the last digits only.
#[test]
fn the_order_of_items() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let mut cases: Vec<_> = set.items.iter().cloned().zip(set.preds.iter().cloned()).collect();
        shuffle(&mut cases, &mut seed);
        let (items, preds) = cases.into_iter().unzip();
        let shuffled = Set { items, preds };
        for mode in MODES {
            agree(&measures(task, mode, &set), &measures(task, mode, &shuffled))?;
        }
        prop_assert_eq!(set.items.len(), shuffled.items.len());
        Ok(())
    });
}
