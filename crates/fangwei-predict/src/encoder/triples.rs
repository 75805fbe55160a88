//! Triples of `2023/anomaly` as networks see them: six roles, each with some characters, and candidates made of what each role may be.

use fangwei::answer::{Answer, Fragment, RoleFragment};
use fangwei::task::Item;
use fangwei::text::{Span, join};

use crate::belief::Candidate;

/// The roles of an anomaly.
pub const ROLES: [&str; 6] = ["S1", "P1", "E1", "S2", "P2", "E2"];

/// What a role may be, the likeliest first: characters, and how likely they are. No characters is a role that is not filled. The odds sum to 1 at most.
pub type Choices = Vec<(Vec<u32>, f64)>;

/// How many possible fragments of a role are looked at.
pub const MOST_CHOICES: usize = 3;

/// The numbers of roles and their characters in the fullest of the right answers: it names what the others leave open.
pub fn gold(item: &Item) -> Option<Vec<(usize, Vec<usize>)>> {
    let Some(Answer::Candidates(candidates)) = &item.gold else { return None };
    let numbered = candidates.iter().enumerate();
    let (_, fullest) = numbered.max_by_key(|(number, candidate)| (candidate.len(), std::cmp::Reverse(*number)))?;
    let role = |own: &RoleFragment| {
        let role = ROLES.iter().position(|role| *role == own.role)?;
        Some((role, own.fragment.span.iter().map(|idx| idx.0 as usize).collect()))
    };
    Some(fullest.iter().filter_map(role).collect())
}

/// Fragments of the roles that have characters.
pub fn fragments<'p>(item: &Item, places: impl Iterator<Item = &'p [u32]>) -> Candidate {
    let chars: Vec<char> = item.texts.context().chars().collect();
    let fragment = |(role, places): (&&'static str, &'p [u32])| {
        let span: Span = places.iter().copied().collect();
        let text = join(&chars, &span).filter(|text| !text.is_empty())?;
        Some(RoleFragment { role: (*role).into(), fragment: Fragment { text: text.into(), span } })
    };
    ROLES.iter().zip(places).filter_map(fragment).collect()
}

/// Fragments that were found apart from each other, as choices: one of them, or none, which is as likely as that all are wrong.
pub fn weighed(mut found: Choices) -> Choices {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(MOST_CHOICES);
    let none = found.iter().map(|(_, odds)| 1.0 - odds).product();
    found.push((Vec::new(), none));
    // Never nought: where no fragment is likely, none is.
    let sum: f64 = found.iter().map(|(_, odds)| odds).sum();
    for (_, odds) in &mut found {
        *odds /= sum;
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

/// Candidates by odds, from the choices of each role in each window of a text: the likeliest of every role, then the same with one role changed. Of several
/// windows the one counts that is surest that something is there.
pub fn candidates(item: &Item, windows: &[Vec<Choices>]) -> Vec<(Candidate, f64)> {
    let filled = |roles: &Vec<Choices>| -> f64 {
        roles.iter().filter_map(|role| role.first()).filter(|(places, _)| !places.is_empty()).map(|(_, odds)| *odds).sum()
    };
    let surest = windows.iter().enumerate().max_by(|a, b| filled(a.1).total_cmp(&filled(b.1)).then(b.0.cmp(&a.0)));
    let Some((_, roles)) = surest else { return Vec::new() };
    let candidate = |choice: &[usize; ROLES.len()]| {
        let chosen = roles.iter().zip(choice).map(|(role, number)| role.get(*number));
        let odds = chosen.clone().flatten().map(|(_, odds)| odds).product();
        (fragments(item, chosen.map(|own| own.map_or(&[][..], |(places, _)| places))), odds)
    };
    let mut choices = vec![[0; ROLES.len()]];
    for (role, own) in roles.iter().enumerate().take(ROLES.len()) {
        for number in 1..own.len() {
            let mut choice = [0; ROLES.len()];
            choice[role] = number;
            choices.push(choice);
        }
    }
    let mut candidates: Vec<(Candidate, f64)> = choices.iter().map(candidate).filter(|(own, _)| !own.is_empty()).collect();
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
    candidates
}

#[cfg(test)]
mod tests {
    use fangwei::task::Texts;

    use super::*;

    #[test]
    fn none_is_as_likely_as_that_all_are_wrong() {
        let choices = weighed(vec![(vec![3], 0.5), (vec![1, 2], 0.8)]);
        // 0.8, 0.5 and 0.2 x 0.5, out of 1.4.
        let expected = [(vec![1, 2], 0.8 / 1.4), (vec![3], 0.5 / 1.4), (vec![], 0.1 / 1.4)];
        for ((places, odds), (right, share)) in choices.iter().zip(expected) {
            assert_eq!(*places, right);
            assert!((odds - share).abs() < 1e-12, "{odds}, expected {share}");
        }
        assert_eq!(weighed(Vec::new()), [(Vec::new(), 1.0)]);
    }

    #[test]
    fn the_likeliest_of_every_role_comes_first() {
        let texts = Texts::One { context: "他在树里飞".into() };
        let item = Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() };
        let none: Choices = vec![(Vec::new(), 1.0)];
        let quiet = vec![none.clone(); ROLES.len()];
        let mut loud = quiet.clone();
        loud[0] = vec![(vec![0], 0.9), (Vec::new(), 0.1)];
        loud[1] = vec![(vec![1, 2, 3], 0.6), (vec![2, 3], 0.4)];
        let found = candidates(&item, &[quiet, loud]);
        let texts: Vec<Vec<&str>> =
            found.iter().map(|(own, _)| own.iter().map(|part| part.fragment.text.as_str()).collect()).collect();
        assert_eq!(texts, [vec!["他", "在树里"], vec!["他", "树里"], vec!["在树里"]]);
        assert!((found[0].1 - 0.54).abs() < 1e-12 && (found[2].1 - 0.06).abs() < 1e-12, "{found:?}");
        assert!(candidates(&item, &[]).is_empty());
    }
}
