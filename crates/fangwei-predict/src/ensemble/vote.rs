//! Voting: each model answers for itself, and what most of the weight is for is the answer.

use fangwei::answer::{Answer, Reason, Scene, Verdict};

/// The answer that has most votes, part by part where the answer has parts. `None` without votes.
pub fn vote(answers: &[(Answer, f64)], candidates: usize) -> Option<Answer> {
    let (first, _) = answers.first()?;
    let kind = std::mem::discriminant(first);
    let same: Vec<&(Answer, f64)> = answers.iter().filter(|(answer, _)| std::mem::discriminant(answer) == kind).collect();
    let total: f64 = same.iter().map(|(_, weight)| weight).sum();
    Some(match first {
        Answer::Verdict(_) => Answer::Verdict(verdict(
            same.iter()
                .filter_map(|(answer, weight)| if let Answer::Verdict(one) = answer { Some((*one, *weight)) } else { None }),
        )),
        Answer::Joint(..) => {
            let pick = |second: bool| {
                verdict(same.iter().filter_map(move |(answer, weight)| match answer {
                    Answer::Joint(one, two) => Some((if second { *two } else { *one }, *weight)),
                    _ => None,
                }))
            };
            Answer::Joint(pick(false), pick(true))
        }
        Answer::Scene(_) => {
            let scenes: Vec<(&Scene, f64)> = same
                .iter()
                .filter_map(|(answer, weight)| if let Answer::Scene(one) = answer { Some((one, *weight)) } else { None })
                .collect();
            let judge = verdict(scenes.iter().map(|(scene, weight)| (scene.judge, *weight)));
            // The reason of the heaviest that judges so.
            let agree = scenes.iter().filter(|(scene, _)| scene.judge.value() == judge.value());
            let heaviest = agree.reduce(|best, next| if next.1 > best.1 { next } else { best });
            Answer::Scene(Scene { judge, reason: heaviest.and_then(|(scene, _)| scene.reason.clone()) })
        }
        Answer::Candidates(_) => {
            let ranked = same
                .iter()
                .filter_map(|(answer, weight)| if let Answer::Candidates(all) = answer { Some((all, weight)) } else { None });
            // A second candidate is half a vote, a third one a third.
            let votes = ranked.flat_map(|(all, weight)| {
                all.iter().enumerate().map(move |(rank, one)| (one.clone(), weight / (rank + 1) as f64))
            });
            Answer::Candidates(tally(votes).into_iter().take(candidates.max(1)).map(|(one, _)| one).collect())
        }
        Answer::Reasons(_) => {
            let all = same
                .iter()
                .filter_map(|(answer, weight)| if let Answer::Reasons(all) = answer { Some((all, *weight)) } else { None });
            Answer::Reasons(reasons(all, total))
        }
        Answer::Slots(_) => {
            let all = same
                .iter()
                .filter_map(|(answer, weight)| if let Answer::Slots(all) = answer { Some((all, *weight)) } else { None });
            Answer::Slots(most(all, total))
        }
        Answer::Tuples(_) => {
            let all = same
                .iter()
                .filter_map(|(answer, weight)| if let Answer::Tuples(all) = answer { Some((all, *weight)) } else { None });
            Answer::Tuples(most(all, total))
        }
        Answer::DraftReason(_) | Answer::Graph(_) => {
            let votes = same.iter().map(|(answer, weight)| (answer.clone(), *weight));
            tally(votes).into_iter().next().map_or_else(|| first.clone(), |(answer, _)| answer)
        }
    })
}

/// Yes, if at least half of the weight says so, as a belief of one half does.
fn verdict(votes: impl Iterator<Item = (Verdict, f64)>) -> Verdict {
    let sum = votes.fold(0.0, |sum, (verdict, weight)| match verdict.value() {
        Some(true) => sum + weight,
        Some(false) => sum - weight,
        None => sum,
    });
    Verdict::Plain(sum >= 0.0)
}

/// Equal votes joined, the heaviest first; of equal ones the first.
fn tally<T: PartialEq>(votes: impl Iterator<Item = (T, f64)>) -> Vec<(T, f64)> {
    let mut all: Vec<(T, f64)> = Vec::new();
    for (one, weight) in votes {
        match all.iter_mut().find(|(known, _)| *known == one) {
            Some((_, known)) => *known += weight,
            None => all.push((one, weight)),
        }
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// What at least half of the weight has; each once.
fn most<'a, T: PartialEq + Clone + 'a>(all: impl Iterator<Item = (&'a Vec<T>, f64)>, total: f64) -> Vec<T> {
    let votes = all.flat_map(|(all, weight)| {
        let mut own: Vec<T> = Vec::new();
        for one in all {
            if !own.contains(one) {
                own.push(one.clone());
            }
        }
        own.into_iter().map(move |one| (one, weight))
    });
    tally(votes).into_iter().filter(|(_, weight)| *weight * 2.0 >= total).map(|(one, _)| one).collect()
}

/// The types that at least half of the weight names, each with its heaviest reason; if there is none, the heaviest type.
fn reasons<'a>(all: impl Iterator<Item = (&'a Vec<Reason>, f64)>, total: f64) -> Vec<Reason> {
    let votes: Vec<(Reason, f64)> = all.flat_map(|(all, weight)| all.iter().map(move |one| (one.clone(), weight))).collect();
    let types = tally(votes.iter().map(|(reason, weight)| (reason.kind, *weight)));
    let kept =
        types.iter().enumerate().filter(|(rank, (_, weight))| *rank == 0 || weight * 2.0 >= total).map(|(_, (kind, _))| *kind);
    let heaviest = |kind| {
        tally(votes.iter().filter(|(reason, _)| reason.kind == kind).cloned()).into_iter().next().map(|(reason, _)| reason)
    };
    kept.filter_map(heaviest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::answer::ReasonType;

    #[test]
    fn the_heavier_side_wins() {
        let say = |value: bool| Answer::Verdict(Verdict::Plain(value));
        assert_eq!(vote(&[(say(true), 1.0), (say(false), 0.6), (say(false), 0.5)], 3), Some(say(false)));
        assert_eq!(vote(&[(say(true), 1.2), (say(false), 0.6), (say(false), 0.5)], 3), Some(say(true)));
        assert_eq!(vote(&[], 3), None);
    }

    #[test]
    fn types_need_half_of_the_weight() {
        let reason = |kind| Reason { kind, fragments: Vec::new() };
        let one = Answer::Reasons(vec![reason(ReasonType::A), reason(ReasonType::C)]);
        let two = Answer::Reasons(vec![reason(ReasonType::C)]);
        let three = Answer::Reasons(vec![reason(ReasonType::C)]);
        assert_eq!(vote(&[(one, 1.0), (two, 1.0), (three, 1.0)], 3), Some(Answer::Reasons(vec![reason(ReasonType::C)])));
    }
}
