//! Typed reasons of `2022/attribute`: of each type the fragments that earn most, and the set of types that is worth answering.
//!
//! One more type never lowers what the fragments earn, but the types must be the right set. So a set is worth the chance that it is the right
//! one, and (as text and as elements) what its fragments are expected to earn.

use fangwei::answer::{Fragment, Reason, ReasonType, RoleFragment};

use super::TypedBelief;
use super::earn::{Earnings, Marks, Possible};

/// Sets of three types; the first is empty.
const SETS: usize = 8;

/// What a right set of types counts for, where text and elements count for 1 each.
const TYPES: f64 = 2.0;

/// Fragments that a reason of each type has at least, as annotators were told.
const LEAST: [usize; 3] = [2, 4, 2];

fn has(set: usize, kind: usize) -> bool {
    set >> kind & 1 == 1
}

/// The reasons to answer; with `all`, one of every type. `sets` are the chances of the sets of types, bit by bit (A is 1, B 2, C 4), where they are
/// known; else each type is taken to be there or not by itself.
pub fn choose(text: &str, typed: &[TypedBelief], sets: Option<&[f64]>, all: bool) -> Vec<Reason> {
    let mut kinds: [Possible; 3] = Default::default();
    let mut odds = [0.0; 3];
    for typed in typed {
        for (reason, weight) in &typed.reasons {
            kinds[reason.kind as usize].push((reason.fragments.clone(), *weight));
            odds[reason.kind as usize] = typed.odds.clamp(0.001, 0.999);
        }
    }
    let earnings = Earnings::new(&kinds);
    let chances = chances(odds, sets);
    let met: Vec<[f64; 3]> = (0..3)
        .map(|kind| [0, 1, 2].map(|right| if all { f64::from(u8::from(right == kind)) } else { meets(&chances, kind, right) }))
        .collect();
    let answers: Vec<Option<Marks>> = (0..3).map(|kind| earnings.best(kind, &met[kind])).collect();
    let there = (0..3).filter(|kind| answers[*kind].is_some()).fold(0, |set, kind| set | 1 << kind);
    let chosen = if all { there } else { likeliest(&earnings, &answers, &chances, there) };
    let chars: Vec<char> = text.chars().collect();
    let reason = |kind: ReasonType| {
        // Mending takes most of the time, and changes little between the types: only what is answered is mended.
        let number = kind as usize;
        let answer = answers[number].clone().filter(|_| has(chosen, number))?;
        let answer = earnings.mend(answer, number, &met[number], LEAST[number]);
        let fragments = earnings.spans(&answer, number).into_iter().map(|(role, places)| RoleFragment {
            role,
            fragment: Fragment {
                text: places.iter().filter_map(|at| chars.get(*at as usize)).collect::<String>().into(),
                span: places.into_iter().collect(),
            },
        });
        Some(Reason { kind, fragments: fragments.collect() })
    };
    ReasonType::ALL.into_iter().filter_map(reason).collect()
}

/// The chances of the sets; they sum to 1.
fn chances(odds: [f64; 3], sets: Option<&[f64]>) -> [f64; SETS] {
    let alone = |set: usize| -> f64 { (0..3).map(|kind| if has(set, kind) { odds[kind] } else { 1.0 - odds[kind] }).product() };
    let mut chances = [0.0; SETS];
    for (set, chance) in chances.iter_mut().enumerate().skip(1) {
        *chance = sets.map_or_else(|| alone(set), |sets| sets.get(set).copied().unwrap_or(0.0));
    }
    let total: f64 = chances.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    chances.map(|chance| chance / total)
}

/// How often an answer of one type meets a reason of another: of its own type wherever that is there, else of one of those that are.
fn meets(chances: &[f64; SETS], kind: usize, right: usize) -> f64 {
    let share = |set: usize| {
        if right == kind {
            1.0
        } else if has(set, kind) {
            0.0
        } else {
            1.0 / f64::from(set.count_ones())
        }
    };
    (1..SETS).filter(|set| has(*set, right)).map(|set| chances[set] * share(set)).sum()
}

/// The set of types that earns most.
fn likeliest(earnings: &Earnings, answers: &[Option<Marks>], chances: &[f64; SETS], there: usize) -> usize {
    let mut text = [[0.0; 3]; 3];
    let mut elements = [0.0; 3];
    for (kind, answer) in answers.iter().enumerate() {
        if let Some(answer) = answer {
            text[kind] = [0, 1, 2].map(|right| earnings.text(answer, right));
            elements[kind] = earnings.elements(answer, kind);
        }
    }
    let kinds = |set: usize| (0..3).filter(move |kind| has(set, *kind));
    let worth = |chosen: usize| -> f64 {
        let earned = |right: usize| {
            let as_text = kinds(chosen).flat_map(|own| kinds(right).map(move |right| (own, right)));
            let as_text = as_text.map(|(own, right)| text[own][right]).fold(0.0, f64::max);
            chances[right] * (as_text + kinds(chosen & right).map(|kind| elements[kind]).fold(0.0, f64::max))
        };
        TYPES * chances[chosen] + (1..SETS).map(earned).sum::<f64>()
    };
    let possible = (1..SETS).filter(|set| set & !there == 0);
    possible.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(kind: ReasonType, odds: f64) -> TypedBelief {
        let part = |role: &str, at: u32| RoleFragment {
            role: role.into(),
            fragment: Fragment { text: "上".into(), span: [at].into_iter().collect() },
        };
        let fragments = if kind == ReasonType::A {
            vec![part("text1", 0), part("text2", 1)]
        } else {
            vec![part("S", 0), part("P", 1), part("E", 2)]
        };
        TypedBelief { odds, reasons: vec![(Reason { kind, fragments }, 1.0)] }
    }

    #[test]
    fn the_likely_types_are_answered() {
        let kinds =
            |typed: &[TypedBelief], all| choose("上上上", typed, None, all).iter().map(|reason| reason.kind).collect::<Vec<_>>();
        let sure = [typed(ReasonType::A, 0.05), typed(ReasonType::C, 0.95)];
        assert_eq!(kinds(&sure, false), [ReasonType::C]);
        assert_eq!(kinds(&sure, true), [ReasonType::A, ReasonType::C]);
        let both = [typed(ReasonType::A, 0.9), typed(ReasonType::C, 0.9)];
        assert_eq!(kinds(&both, false), [ReasonType::A, ReasonType::C]);
        // Known chances of sets count more than those of single types: the two are never right together here.
        let apart = [0.0, 0.4, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0];
        let chosen = choose("上上上", &both, Some(&apart), false);
        assert!(chosen.iter().any(|reason| reason.kind == ReasonType::C), "{chosen:?}");
        // All roles come back, whatever they are called.
        assert_eq!(choose("上上上", &sure[1..], None, false)[0].fragments.len(), 3);
        assert!(choose("", &[], None, true).is_empty());
    }

    #[test]
    fn an_answer_meets_its_own_type_wherever_it_is() {
        // A alone 0.1, C alone 0.6, both 0.3: an answer of C meets C in 0.9 and A in the rest.
        let chances = [0.0, 0.1, 0.0, 0.0, 0.6, 0.3, 0.0, 0.0];
        assert!((meets(&chances, 2, 2) - 0.9).abs() < 1e-9);
        assert!((meets(&chances, 2, 0) - 0.1).abs() < 1e-9);
        assert!((meets(&chances, 0, 2) - 0.6).abs() < 1e-9);
    }
}
