//! Where no quirk applies, the script and the text agree; where they part, a quirk is to blame.

use fangwei::answer::{Answer, Element, Fragment, Part, Reason, ReasonType, RoleFragment, Slot};
use fangwei::score::explain_modes;
use fangwei::task::{Corefs, Item, Mode, Task};
use fangwei::tasks::SLOTS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::generate::{Noise, Set, answer, fragment_at, item, numbered};
use super::{agree, for_every_task, measures, run};

/// Two characters of the text that no other number shares.
fn chunk(number: u32) -> Fragment {
    fragment_at([2 * number, 2 * number + 1])
}

/// 2022/attribute without its quirks: one reason a side, no repeated role or index, and where the types agree every gold role predicted (else strict recall
/// ignores some) and one fragment right (else the sets of types agree and the best pair does not).
fn plain_reasons() -> BoxedStrategy<(Answer, Answer)> {
    let roles = subsequence(vec!["S", "P", "E"], 1..=3);
    let kind = select(ReasonType::ALL.to_vec());
    (roles, kind, vec(any::<bool>(), 3))
        .prop_map(|(roles, kind, right)| {
            let side = |places: &dyn Fn(usize) -> Fragment| -> Vec<RoleFragment> {
                roles.iter().enumerate().map(|(n, role)| RoleFragment { role: (*role).into(), fragment: places(n) }).collect()
            };
            let gold = Reason { kind: ReasonType::C, fragments: side(&|n| chunk(n as u32)) };
            let pred = Reason { kind, fragments: side(&|n| chunk(if n == 0 || right[n] { n } else { n + 9 } as u32)) };
            (Answer::Reasons(vec![gold]), Answer::Reasons(vec![pred]))
        })
        .boxed()
}

/// One choice of three a role, tuple by tuple.
type Choices = Vec<Vec<u32>>;

/// Fragments for the roles tasks: equal or without a common character, so that Jaccard is F1 and a set is a list. All tuples have the same roles, so that a
/// mean over roles is the sum over a constant; 空间实体 is always there, 参照实体 never.
fn plain_places() -> BoxedStrategy<(Choices, Choices)> {
    (1..4_usize)
        .prop_flat_map(|roles| {
            let tuple = || vec(0..3_u32, roles + 1);
            (vec(tuple(), 1..4), vec(tuple(), 0..5))
        })
        .boxed()
}

/// The fragment of role number `role` with this choice of three.
fn choice(role: usize, choice: u32) -> Fragment {
    chunk(role as u32 * 3 + choice)
}

/// Choices 0 and 1 of the entity mean the same: one set of two mentions, each the whole entity.
fn plain_corefs() -> Corefs {
    Corefs { same: vec![vec![choice(0, 0), choice(0, 1)]], different: Vec::new() }
}

fn slots(tuples: &[Vec<u32>]) -> Answer {
    let tuple = |choices: &Vec<u32>| {
        let mut slots = vec![Slot::Empty; SLOTS.len()];
        for (role, value) in choices.iter().enumerate() {
            slots[[0, 2, 7, 10][role]] = Slot::Fragment(choice(role, *value));
        }
        slots
    };
    Answer::Slots(tuples.iter().map(tuple).collect())
}

fn elements(tuples: &[Vec<u32>]) -> Answer {
    let element = |(role, value): (usize, &u32)| Element {
        role: ["空间实体", "事件", "处所", "方向"][role].into(),
        label: Part::Absent,
        fragment: Part::Value(choice(role, *value)),
    };
    Answer::Tuples(tuples.iter().map(|choices| choices.iter().enumerate().map(element).collect()).collect())
}

/// Gold and prediction that touch no quirk of the task.
fn plain(task: &'static dyn Task) -> BoxedStrategy<(Answer, Answer)> {
    match task.id() {
        "2022/attribute" => plain_reasons(),
        "2022/roles" => plain_places().prop_map(|(gold, pred)| (slots(&gold), slots(&pred))).boxed(),
        "2023/roles" => plain_places().prop_map(|(gold, pred)| (elements(&gold), elements(&pred))).boxed(),
        // Sane predictions, all given: no cast, no missing answer, no repeated role or index, at most three candidates. Tasks without quirks take any.
        _ => {
            let noise = if task.quirks().is_empty() { Noise::Noisy } else { Noise::Sane };
            (answer(task, Noise::Sane), answer(task, noise)).boxed()
        }
    }
}

#[test]
fn official_equals_spec_where_no_quirk_applies() {
    for task in fangwei::tasks::all() {
        let case = (item(task), plain(task)).prop_map(|(item, (gold, pred))| {
            let corefs = item.corefs.as_ref().map(|_| plain_corefs());
            (Item { gold: Some(gold), corefs, ..item }, Some(pred))
        });
        run(task, vec(case, 1..5).prop_map(numbered).boxed(), |set: Set| {
            let spec = measures(task, Mode::Spec, &set);
            // The pooled measures of the roles tasks exist in spec only.
            for (path, official) in measures(task, Mode::Official, &set) {
                let found = spec.iter().find(|(other, _)| *other == path).map(|(_, value)| *value);
                prop_assert!(found.is_some_and(|spec| (spec - official).abs() <= 1e-12), "{}: {} {:?}", path, official, found);
            }
            for (item, pred) in set.pairs() {
                prop_assert_eq!(explain_modes(task, item, pred), None);
            }
            Ok(())
        });
    }
}

/// Without coreference, which belongs to gold, both sides of the roles tasks are alike: precision one way is recall the other way.
#[test]
fn precision_is_the_recall_of_the_other_side() {
    for task in fangwei::tasks::all().filter(|task| task.id().ends_with("/roles")) {
        run(task, (item(task), plain(task)).boxed(), |(item, (gold, pred))| {
            let set = |gold: &Answer, pred: &Answer| {
                numbered(vec![(Item { gold: Some(gold.clone()), corefs: None, ..item.clone() }, Some(pred.clone()))])
            };
            for mode in [Mode::Official, Mode::Spec] {
                // One value under one name, so that both directions can be held against each other; the same numbers are added in another order, so they agree but for
                // rounding.
                let read = |set: &Set, name: &str| -> Vec<(String, f64)> {
                    let found = measures(task, mode, set).into_iter().filter(|(path, _)| path == name);
                    found.map(|(_, value)| ("ratio".to_owned(), value)).collect()
                };
                let (one, other) = (set(&gold, &pred), set(&pred, &gold));
                prop_assert_eq!(read(&one, "avg_precision").len(), 1);
                agree(&read(&one, "avg_precision"), &read(&other, "avg_recall"))?;
                agree(&read(&one, "avg_recall"), &read(&other, "avg_precision"))?;
            }
            Ok(())
        });
    }
}

#[test]
fn a_difference_has_a_quirk_to_blame() {
    for_every_task(Noise::Noisy, |task, set, _| {
        for (item, pred) in set.pairs() {
            let row = |mode: Mode| {
                let mut row = vec![0.0; task.scale().columns.len()];
                task.score(mode.rules(), item, pred, &mut row);
                row.truncate(task.scale().own);
                row
            };
            let (official, spec) = (row(Mode::Official), row(Mode::Spec));
            match explain_modes(task, item, pred) {
                None => prop_assert!(official.iter().zip(&spec).all(|(a, b)| (a - b).abs() <= 1e-12)),
                Some(difference) => {
                    prop_assert!(!difference.quirks.is_empty(), "{:?} {:?}", official, spec);
                    prop_assert_eq!(difference.official, official[task.scale().item]);
                    prop_assert_eq!(difference.spec, spec[task.scale().item]);
                }
            }
        }
        Ok(())
    });
}
