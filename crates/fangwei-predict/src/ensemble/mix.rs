//! Mixing beliefs: a mean of what several models think, each by its weight.

use fangwei::answer::{Reason, ReasonType};

use crate::belief::{Belief, Candidate, Tuple, TypedBelief};

/// Roles that tell how and when, not where: tuples that differ in them alone are one.
const BESIDE: &[&str] = &["事件", "事实性", "时间"];

/// The mean of beliefs of one kind; those of another kind than the first are left out. `None` without any.
pub fn mix(beliefs: &[(Belief, f64)]) -> Option<Belief> {
    let (first, _) = beliefs.first()?;
    let kind = std::mem::discriminant(first);
    let same: Vec<&(Belief, f64)> =
        beliefs.iter().filter(|(belief, weight)| std::mem::discriminant(belief) == kind && *weight > 0.0).collect();
    let total: f64 = same.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return Some(first.clone());
    }
    let mean = |value: &dyn Fn(&Belief) -> f64| same.iter().map(|(belief, weight)| value(belief) * weight).sum::<f64>() / total;
    Some(match first {
        Belief::Verdict(_) => Belief::Verdict(mean(&|belief| if let Belief::Verdict(yes) = belief { *yes } else { 0.0 })),
        Belief::Joint(..) => Belief::Joint(
            mean(&|belief| if let Belief::Joint(normal, _) = belief { *normal } else { 0.0 }),
            mean(&|belief| if let Belief::Joint(_, right) = belief { *right } else { 0.0 }),
        ),
        Belief::Candidates(_) => {
            let each =
                same.iter().filter_map(
                    |(belief, weight)| if let Belief::Candidates(all) = belief { Some((all, weight / total)) } else { None },
                );
            let all: Vec<(Candidate, f64)> =
                each.flat_map(|(all, share)| all.iter().map(move |(one, odds)| (one.clone(), odds * share))).collect();
            Belief::Candidates(pooled(all))
        }
        Belief::Reasons(_) => {
            let each: Vec<(&Vec<TypedBelief>, f64)> = same
                .iter()
                .filter_map(|(belief, weight)| if let Belief::Reasons(all) = belief { Some((all, weight / total)) } else { None })
                .collect();
            Belief::Reasons(ReasonType::ALL.into_iter().filter_map(|kind| of_type(kind, &each)).collect())
        }
        Belief::Tuples(_) => {
            let each = same
                .iter()
                .filter_map(|(belief, weight)| if let Belief::Tuples(all) = belief { Some((all, weight / total)) } else { None });
            Belief::Tuples(tuples(each))
        }
        Belief::Scene { .. } => {
            let odds = mean(&|belief| if let Belief::Scene { same, .. } = belief { *same } else { 0.0 });
            // Words cannot be averaged: those of the heaviest.
            let heaviest = same.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
            match heaviest {
                Some((Belief::Scene { if_same, if_not, .. }, _)) => {
                    Belief::Scene { same: odds, if_same: if_same.clone(), if_not: if_not.clone() }
                }
                _ => first.clone(),
            }
        }
    })
}

/// Equal ones joined, the likeliest first; the order of equally likely ones stays.
fn pooled<T: PartialEq>(all: Vec<(T, f64)>) -> Vec<(T, f64)> {
    let mut pool: Vec<(T, f64)> = Vec::new();
    for (one, odds) in all {
        match pool.iter_mut().find(|(known, _)| *known == one) {
            Some((_, known)) => *known += odds,
            None => pool.push((one, odds)),
        }
    }
    pool.sort_by(|a, b| b.1.total_cmp(&a.1));
    pool
}

/// One type: who does not have it thinks it impossible.
fn of_type(kind: ReasonType, each: &[(&Vec<TypedBelief>, f64)]) -> Option<TypedBelief> {
    let is = |one: &&TypedBelief| one.reasons.first().is_some_and(|(reason, _)| reason.kind == kind);
    let mut odds = 0.0;
    let mut reasons: Vec<(Reason, f64)> = Vec::new();
    for (all, share) in each {
        for one in all.iter().filter(is) {
            odds += one.odds * share;
            reasons.extend(one.reasons.iter().map(|(reason, given)| (reason.clone(), given * one.odds * share)));
        }
    }
    let mut reasons = pooled(reasons);
    let total: f64 = reasons.iter().map(|(_, odds)| odds).sum();
    for (_, odds) in &mut reasons {
        *odds /= total.max(1e-12);
    }
    (!reasons.is_empty()).then_some(TypedBelief { odds, reasons })
}

/// Tuples that name the same entity and the same places are one: its odds are the mean, its other roles those of whoever is surest.
fn tuples<'b>(each: impl Iterator<Item = (&'b Vec<(Tuple, f64)>, f64)>) -> Vec<(Tuple, f64)> {
    let key =
        |tuple: &Tuple| -> Tuple { tuple.iter().filter(|element| !BESIDE.contains(&element.role.as_str())).cloned().collect() };
    let mut pool: Vec<(Tuple, Tuple, f64, f64)> = Vec::new();
    for (all, share) in each {
        // One model may say a tuple twice; it counts once, as its surest.
        let mut own: Vec<(Tuple, &Tuple, f64)> = Vec::new();
        for (tuple, odds) in all {
            let key = key(tuple);
            match own.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, kept, known)) if *odds > *known => (*kept, *known) = (tuple, *odds),
                Some(_) => {}
                None => own.push((key, tuple, *odds)),
            }
        }
        for (key, tuple, odds) in own {
            let part = odds * share;
            match pool.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, kept, sum, surest)) => {
                    *sum += part;
                    if part > *surest {
                        (*kept, *surest) = (tuple.clone(), part);
                    }
                }
                None => pool.push((key, tuple.clone(), part, part)),
            }
        }
    }
    pool.into_iter().map(|(_, tuple, odds, _)| (tuple, odds)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::answer::{Element, Fragment, Part, RoleFragment};

    fn fragment(text: &str, at: u32) -> Fragment {
        Fragment { text: text.into(), span: (at..at + text.chars().count() as u32).collect() }
    }

    fn candidate(text: &str) -> Candidate {
        vec![RoleFragment { role: "P1".into(), fragment: fragment(text, 0) }]
    }

    fn tuple(event: &str, place: &str) -> Tuple {
        let element =
            |role: &str, text: &str| Element { role: role.into(), label: Part::Absent, fragment: Part::Value(fragment(text, 0)) };
        vec![element("空间实体", "猫"), element("事件", event), element("处所", place)]
    }

    #[test]
    fn verdicts_are_averaged_by_weight() {
        // (0.9 × 3 + 0.1 × 1) / 4
        let Some(Belief::Verdict(odds)) = mix(&[(Belief::Verdict(0.9), 3.0), (Belief::Verdict(0.1), 1.0)]) else {
            panic!("a verdict")
        };
        assert!((odds - 0.7).abs() < 1e-12);
        // A belief of another kind has no voice, and its weight does not count.
        let mixed = mix(&[(Belief::Verdict(0.9), 1.0), (Belief::Tuples(Vec::new()), 9.0)]);
        assert_eq!(mixed, Some(Belief::Verdict(0.9)));
        assert_eq!(mix(&[]), None);
    }

    #[test]
    fn equal_candidates_are_pooled() {
        let (a, b) = (candidate("桌下"), candidate("床上"));
        let one = Belief::Candidates(vec![(a.clone(), 0.6), (b.clone(), 0.4)]);
        let two = Belief::Candidates(vec![(b.clone(), 1.0)]);
        let Some(Belief::Candidates(all)) = mix(&[(one, 1.0), (two, 1.0)]) else { panic!("candidates") };
        assert_eq!(all.iter().map(|(one, _)| one.clone()).collect::<Vec<_>>(), [b, a]);
        assert!((all[0].1 - 0.7).abs() < 1e-12 && (all[1].1 - 0.3).abs() < 1e-12);
    }

    #[test]
    fn tuples_of_one_entity_and_place_are_one() {
        let one = Belief::Tuples(vec![(tuple("睡", "在床上"), 0.9)]);
        let two = Belief::Tuples(vec![(tuple("躺", "在床上"), 0.5), (tuple("躺", "在门口"), 0.6)]);
        let Some(Belief::Tuples(all)) = mix(&[(one, 1.0), (two, 1.0)]) else { panic!("tuples") };
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].0, tuple("睡", "在床上"));
        assert!((all[0].1 - 0.7).abs() < 1e-12 && (all[1].1 - 0.3).abs() < 1e-12);
    }
}
