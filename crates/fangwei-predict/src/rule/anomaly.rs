//! What is wrong in a text that is known to be wrong: the word of the surest rule; where none fires, the place whose locative is least typical.

use fangwei::answer::{Fragment, Reason, ReasonType, RoleFragment};
use fangwei::lexicon::Class;

use super::fragment::{Triple, candidate, fragment, of_places};
use super::rules::locative::oddity;
use super::rules::{Finding, findings_of};
use super::scan::Scan;
use crate::belief::{Candidate, TypedBelief};
use fangwei::lang::Say;

/// So many answers are kept.
const MOST: usize = 6;
/// The weight of a place that no rule names.
const UNNAMED: f64 = 0.25;

/// Possible words that are wrong, the likeliest first, with weights that sum to 1.
pub fn suspects(scan: &Scan<'_>) -> Vec<(Finding, ReasonType, f64)> {
    let mut all: Vec<(Finding, ReasonType, f64)> = Vec::new();
    let mut add = |finding: Finding, kind: ReasonType, weight: f64| {
        if all.iter().all(|(known, ..)| known.word != finding.word) {
            all.push((finding, kind, weight));
        }
    };
    for (rule, finding) in findings_of(scan) {
        add(finding, rule.kind, rule.odds);
    }
    let mut odd: Vec<(f64, usize)> = Vec::new();
    for place in scan.places.iter().filter(|place| scan.is(place.last, Class::Locative)) {
        let noun = place.noun.map_or("", |noun| scan.text(noun));
        odd.push((oddity(noun, scan.text(place.last)).unwrap_or(0.5), place.last));
    }
    odd.extend(scan.moves.iter().map(|one| (0.3, one.direction)));
    odd.extend(scan.places.iter().filter(|place| scan.is(place.last, Class::Place)).map(|place| (0.2, place.last)));
    odd.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (oddity, word) in odd.into_iter().take(MOST) {
        let why = Say::new("没有规则指出错处；这个方位词最不常见", "no rule fires; this is the least typical word of space");
        add(Finding::new(word, word..word, why), ReasonType::C, UNNAMED * (0.1 + oddity));
    }
    // A text without any word of space: its first word.
    if all.is_empty() {
        let first = scan.reading.tokens.iter().position(|token| !token.is_mark());
        let why = Say::new("没有空间词", "there is no word of space");
        all.extend(first.map(|word| (Finding::new(word, word..word, why), ReasonType::C, 1.0)));
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.word.cmp(&b.0.word)));
    all.truncate(MOST);
    let total: f64 = all.iter().map(|(.., weight)| weight).sum();
    for (.., weight) in &mut all {
        *weight /= total.max(1e-9);
    }
    all
}

/// Possible answers of `2023/anomaly`.
pub fn candidates(scan: &Scan<'_>) -> Vec<(Candidate, f64)> {
    let mut all: Vec<(Candidate, f64)> = Vec::new();
    for (finding, _, weight) in suspects(scan) {
        let candidate = candidate(scan, &finding);
        match all.iter_mut().find(|(known, _)| *known == candidate) {
            Some((_, known)) => *known += weight,
            None if candidate.is_empty() => {}
            None => all.push((candidate, weight)),
        }
    }
    if all.is_empty() {
        all.extend(first_character(scan).map(|fragment| (vec![part("P1", fragment)], 1.0)));
    }
    all
}

/// Of a text of marks alone: something of it must be named.
fn first_character(scan: &Scan<'_>) -> Option<Fragment> {
    of_places(scan, if scan.reading.chars.is_empty() { Vec::new() } else { vec![0] })
}

fn part(role: &str, fragment: Fragment) -> RoleFragment {
    RoleFragment { role: role.into(), fragment }
}

/// How likely each type is, by the type that the surest rule names: most texts break common sense, whatever else is wrong with them.
fn odds(kind: ReasonType, named: ReasonType) -> f64 {
    match (kind, named) {
        (ReasonType::C, ReasonType::B) | (ReasonType::A, ReasonType::A) => 0.4,
        (ReasonType::C, _) => 0.7,
        (ReasonType::B, ReasonType::B) => 0.5,
        (ReasonType::A, _) => 0.2,
        (ReasonType::B, _) => 0.1,
    }
}

/// Possible reasons of `2022/attribute`, type by type.
pub fn reasons(scan: &Scan<'_>) -> Vec<TypedBelief> {
    let suspects = suspects(scan);
    let named = suspects.first().map_or(ReasonType::C, |(_, kind, _)| *kind);
    let mut all: Vec<TypedBelief> = Vec::new();
    for kind in ReasonType::ALL {
        let mut of_kind: Vec<(Reason, f64)> = Vec::new();
        for (finding, _, weight) in &suspects {
            if let Some(fragments) = typed(scan, finding, kind).filter(|fragments| !fragments.is_empty()) {
                let reason = Reason { kind, fragments };
                match of_kind.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, known)) => *known += weight,
                    None => of_kind.push((reason, *weight)),
                }
            }
        }
        if of_kind.is_empty() && kind == ReasonType::C {
            of_kind.extend(first_character(scan).map(|fragment| (Reason { kind, fragments: vec![part("P", fragment)] }, 1.0)));
        }
        let total: f64 = of_kind.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut of_kind {
            *weight /= total.max(1e-9);
        }
        if !of_kind.is_empty() {
            all.push(TypedBelief { odds: odds(kind, named), reasons: of_kind });
        }
    }
    all
}

/// The fragments of a finding, told as a reason of a type; none where it cannot be told so.
fn typed(scan: &Scan<'_>, finding: &Finding, kind: ReasonType) -> Option<Vec<RoleFragment>> {
    match kind {
        ReasonType::A => {
            let place = scan.places.iter().find(|place| place.last == finding.word);
            let against = if finding.against.is_empty() {
                place.and_then(|place| place.noun).map(|noun| noun..noun + 1)?
            } else {
                finding.against.clone()
            };
            // A word beside itself is no collocation.
            if against.contains(&finding.word) {
                return None;
            }
            let (one, two) = (fragment(scan, against)?, fragment(scan, [finding.word])?);
            let (one, two) = if one.span.first() <= two.span.first() { (one, two) } else { (two, one) };
            Some(vec![part("text1", one), part("text2", two)])
        }
        ReasonType::B => {
            finding.second?;
            let parts = candidate(scan, finding);
            parts.iter().any(|part| part.role.ends_with('2')).then_some(parts)
        }
        ReasonType::C => Some(Triple::around(scan, finding.word).parts("")),
    }
}
