//! What is wrong: the word that the source of places blames, and every word that a rule names, each with the reason in words.

use std::ops::Range;

use fangwei::answer::RoleFragment;
use fangwei::lang::Say;
use fangwei::lexicon::Class;

use super::explored::{Anomaly, Choices, Reason, Role, share};
use super::places;
use super::sources::{Part, Source, Sources};
use crate::belief::{self, Belief};
use crate::explain::Point;
use crate::predictor::PredictError;
use crate::rule::fragment::candidate;
use crate::rule::rules::{Finding, Rule, findings_of};
use crate::rule::scan::Scan;
use crate::rule::suspects;

/// So many wrong words are told of.
const MOST: usize = 6;

/// The wrong words, the surest first. Where the text is judged abnormal there is at least one; where a model judges it normal, what rules object to is told all
/// the same, under their name.
pub fn anomalies(text: &str, scan: &Scan<'_>, sources: &Sources, abnormal: bool) -> Result<Vec<Anomaly>, PredictError> {
    let mut all: Vec<Anomaly> = Vec::new();
    if abnormal && let Some(source) = sources.model(Part::Locate).or_else(|| sources.model(Part::Type)) {
        all.extend(by_model(text, scan, source)?);
    }
    for (rule, finding) in findings_of(scan) {
        add(&mut all, by_rule(scan, rule, &finding));
    }
    if abnormal && all.is_empty() {
        // A model judged, and nobody can say where: what is least usual.
        all.extend(suspects(scan).first().map(|(finding, _, odds)| blamed(scan, finding, *odds, finding.why.clone())));
    }
    all.truncate(MOST);
    if abnormal && let (Some(first), Some(source)) = (all.first_mut(), sources.model(Part::Type)) {
        first.kind = kind(&source.believe(text)?).or(first.kind.take());
    }
    Ok(all)
}

/// Of two that blame one word, the first stays and takes the reasons of the other.
fn add(all: &mut Vec<Anomaly>, one: Anomaly) {
    match all.iter_mut().find(|known| known.idxes.iter().any(|place| one.idxes.contains(place))) {
        Some(known) => {
            known.reasons.extend(one.reasons.into_iter().filter(|reason| !known.reasons.contains(reason)).collect::<Vec<_>>());
            known.kind = known.kind.take().or(one.kind);
            for choices in one.choices {
                if known.choices.iter().all(|there| there.idxes != choices.idxes) {
                    known.choices.push(choices);
                }
            }
        }
        None => all.push(one),
    }
}

fn by_rule(scan: &Scan<'_>, rule: &Rule, finding: &Finding) -> Anomaly {
    let why = Say::new(
        format!("{}。{}（规则 {}）", finding.why.zh, rule.title.zh, rule.id),
        format!("{}: {} (rule {})", finding.why.en, rule.title.en, rule.id),
    );
    Anomaly { kind: Some(rule.kind.as_str().to_owned()), ..blamed(scan, finding, rule.odds, why) }
}

/// A word that the rules blame.
fn blamed(scan: &Scan<'_>, finding: &Finding, odds: f64, why: Say) -> Anomaly {
    // Of words that do not go together either may be the one to change.
    let against = finding.against.clone().chain(finding.second).filter(|number| *number != finding.word);
    Anomaly {
        word: scan.text(finding.word).to_owned(),
        idxes: scan.token(finding.word).map(places).unwrap_or_default(),
        odds: share(odds),
        kind: None,
        reasons: vec![Reason { by: "rule".to_owned(), say: why }],
        fragments: candidate(scan, finding).iter().map(role).collect(),
        choices: std::iter::once(finding.word).chain(against).filter_map(|number| open(scan, number)).collect(),
    }
}

fn role(part: &RoleFragment) -> Role {
    let idxes = part.fragment.span.iter().map(|idx| idx.0).collect();
    Role { role: part.role.to_string(), text: part.fragment.text.to_string(), label: None, idxes }
}

/// The place of a spatial word, to be filled with rivals.
pub fn open(scan: &Scan<'_>, number: usize) -> Option<Choices> {
    let token = scan.token(number)?;
    let (word, idxes) = (token.text.to_string(), places(token));
    Some(Choices { word, class: token.class?, idxes, score: 0.0, rivals: Vec::new() })
}

/// The word that a model blames: of the words that it suspects the first that stands in what it marks as wrong, else the last spatial word of that.
fn by_model(text: &str, scan: &Scan<'_>, source: &Source) -> Result<Option<Anomaly>, PredictError> {
    let belief = source.believe(text)?;
    let (fragments, odds) = match &belief {
        Belief::Candidates(possible) => likeliest(text, possible),
        Belief::Reasons(typed) => {
            let best = typed.iter().reduce(|best, next| if next.odds > best.odds { next } else { best });
            let best = best.and_then(|typed| typed.reasons.iter().reduce(|best, next| if next.1 > best.1 { next } else { best }));
            best.map(|(reason, odds)| (reason.fragments.clone(), *odds)).unwrap_or_default()
        }
        _ => return Ok(None),
    };
    let marked: Vec<Role> = fragments.iter().map(role).collect();
    let explanation = source.explain(text)?;
    let suspected: Vec<&Point> = explanation.points.iter().filter(|point| point.kind == "anchor").collect();
    let is_marked = |point: &&&Point| point.at.iter().any(|at| marked.iter().any(|role| role.idxes.contains(&at.0)));
    let anchor = suspected.iter().find(is_marked).or(suspected.first()).copied();
    let number = anchor
        .and_then(|point| point.at.first())
        .and_then(|at| scan.reading.token_of.get(at.0 as usize).copied())
        .or_else(|| last_spatial(scan, &marked));
    let Some(number) = number else { return Ok(None) };
    let say = anchor.map_or_else(
        || Say::new("模型认为错在这里", "the model finds the error here"),
        |point| Say::new(format!("“{}”{}", point.word, point.say.zh), format!("“{}”: {}", point.word, point.say.en)),
    );
    Ok(Some(Anomaly {
        word: scan.text(number).to_owned(),
        idxes: scan.token(number).map(places).unwrap_or_default(),
        odds: anchor.and_then(|point| point.odds).map_or(share(odds), share),
        kind: kind(&belief),
        reasons: vec![Reason { by: source.name.clone(), say }],
        fragments: marked,
        choices: open(scan, number).into_iter().collect(),
    }))
}

/// The one answer that earns most, and how likely the likeliest is.
fn likeliest(text: &str, possible: &[(Vec<RoleFragment>, f64)]) -> (Vec<RoleFragment>, f64) {
    let odds = possible.iter().map(|(_, odds)| *odds).fold(0.0, f64::max);
    (belief::candidates::choose(text, possible, 1).0.into_iter().next().unwrap_or_default(), odds)
}

/// The last spatial word of what is marked as a place, else of all that is marked.
fn last_spatial(scan: &Scan<'_>, marked: &[Role]) -> Option<usize> {
    let last = |wanted: &dyn Fn(&Role) -> bool| {
        let all: Range<usize> = 0..scan.reading.tokens.len();
        let inside = |number: &usize| {
            let token = &scan.reading.tokens[*number];
            token.class.is_some_and(|class| class != Class::Verb)
                && marked.iter().any(|role| wanted(role) && role.idxes.contains(&(token.begin as u32)))
        };
        all.rev().find(inside)
    };
    last(&|role| role.role.starts_with('P')).or_else(|| last(&|_| true))
}

/// The likeliest type.
fn kind(belief: &Belief) -> Option<String> {
    let Belief::Reasons(typed) = belief else { return None };
    let best = typed.iter().reduce(|best, next| if next.odds > best.odds { next } else { best })?;
    best.reasons.first().map(|(reason, _)| reason.kind.as_str().to_owned())
}
