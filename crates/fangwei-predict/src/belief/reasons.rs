//! Typed reasons of `2022/attribute`: of each type the fragments that earn most, and the set of types that is worth answering.
//!
//! One more type never lowers what the fragments earn, but the types must be the right set. So a set is worth the chance that it is the right
//! one, and (as text and as elements) what its fragments earn where their type is right.

use fangwei::answer::{Reason, ReasonType};

use super::TypedBelief;
use super::candidates;

/// Sets of three types; the first is empty.
const SETS: usize = 8;

/// What a right set of types counts for, where text and elements count for 1 each.
const TYPES: f64 = 2.0;

/// The reasons to answer; with `all`, one of every type. `sets` are the chances of the sets of types, bit by bit (A is 1, B 2, C 4), where they are
/// known; else each type is taken to be there or not by itself.
pub fn choose(text: &str, typed: &[TypedBelief], sets: Option<&[f64]>, all: bool) -> Vec<Reason> {
    let best: Vec<(f64, f64, Reason)> = typed.iter().filter_map(|typed| best(text, typed)).collect();
    if all {
        return best.into_iter().map(|(.., reason)| reason).collect();
    }
    let has = |set: usize, kind: ReasonType| set >> kind as usize & 1 == 1;
    let alone = |set: usize| -> f64 {
        best.iter().map(|(odds, _, reason)| if has(set, reason.kind) { *odds } else { 1.0 - odds }).product()
    };
    let chances: Vec<f64> =
        (0..SETS).map(|set| sets.map_or_else(|| alone(set), |sets| sets.get(set).copied().unwrap_or(0.0))).collect();
    let total: f64 = chances[1..].iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let worth = |chosen: usize| -> f64 {
        let earned = (1..SETS).map(|right| {
            let hit = best.iter().filter(|(.., reason)| has(chosen, reason.kind) && has(right, reason.kind));
            chances[right] * hit.map(|(_, earned, _)| *earned).fold(0.0, f64::max)
        });
        (TYPES * chances[chosen] + 2.0 * earned.sum::<f64>()) / total
    };
    let there = best.iter().fold(0, |set, (.., reason)| set | 1 << reason.kind as usize);
    let possible = (1..SETS).filter(|set| set & !there == 0);
    let chosen = possible.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a))).unwrap_or(0);
    best.into_iter().filter(|(.., reason)| has(chosen, reason.kind)).map(|(.., reason)| reason).collect()
}

/// Of one type: its odds, what its best fragments are expected to earn, and these.
fn best(text: &str, typed: &TypedBelief) -> Option<(f64, f64, Reason)> {
    let kind = typed.reasons.first()?.0.kind;
    let possible: Vec<_> = typed.reasons.iter().map(|(reason, weight)| (reason.fragments.clone(), *weight)).collect();
    let (chosen, expected) = candidates::choose(text, &possible, 1);
    let fragments = chosen.into_iter().next()?;
    Some((typed.odds.clamp(0.001, 0.999), expected, Reason { kind, fragments }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::answer::{Fragment, RoleFragment};

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
}
