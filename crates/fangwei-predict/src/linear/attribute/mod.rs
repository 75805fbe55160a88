//! `2022/attribute`: the same machinery as [`super::anomaly`], with types. Type C is one triple, B two; A is two fragments that do not go
//! together, labelled by a field of its own. Which types a passage has is told by [`types`], from what [`traits`] sees; what is answered, by
//! [`reasons`].

pub mod traits;
pub mod types;

use fangwei::answer::{Answer, Reason, ReasonType, RoleFragment};
use fangwei::lang::Say;
use fangwei::task::{Item, Task};
use rayon::prelude::*;
use smol_str::SmolStr;

use self::traits::Case;
use self::types::{SETS, Types};
use super::anomaly::gold::Lesson;
use super::anomaly::labeller::{Guess, Labeller, TRAINING};
use super::anomaly::view::View;
use super::anomaly::{Finder, anchors, fragment_points};
use super::suspect::Suspicion;
use crate::belief::{Belief, TypedBelief, reasons};
use crate::explain::{Explanation, Point};
use crate::job::{Job, Keep};
use crate::learn::Training;
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// The model.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Triples: types B and C.
    finder: Finder,
    /// Pairs of fragments: type A.
    pairs: Option<Labeller>,
    types: Types,
}

fn set_of(reasons: &[Reason]) -> usize {
    reasons.iter().fold(0, |set, reason| set | 1 << reason.kind as usize)
}

/// The labeller knows S, P and E; the two fragments of type A take the first two places.
fn as_pair(fragments: &[RoleFragment]) -> Vec<RoleFragment> {
    let renamed = |part: &RoleFragment| {
        let role = if part.role.ends_with('1') { "S" } else { "P" };
        RoleFragment { role: role.into(), fragment: part.fragment.clone() }
    };
    fragments.iter().map(renamed).collect()
}

impl Attribute {
    /// Learns from the answered items of 2022, on top of a suspicion that learnt from everything.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Attribute, PredictError> {
        let examples = part.of(job.task.id());
        let (mut triples, mut pairs, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        for example in &examples {
            let Some(Answer::Reasons(given)) = &example.item.gold else { continue };
            let reading = Reading::new(example.item.texts.context());
            let two: Vec<Vec<RoleFragment>> =
                given.iter().filter(|reason| reason.kind == ReasonType::A).map(|reason| as_pair(&reason.fragments)).collect();
            if !two.is_empty() {
                pairs.push(Lesson::new(reading.clone(), example.group, two.iter().map(Vec::as_slice), example.replaced));
            }
            let rest = given.iter().filter(|reason| reason.kind != ReasonType::A).map(|reason| reason.fragments.as_slice());
            triples.push(Lesson::new(reading, example.group, rest, example.replaced));
            sets.push(set_of(given));
        }
        if triples.is_empty() {
            return Err(PredictError::NoMaterial { expected: job.task.id().to_owned(), found: examples.len().to_string() });
        }
        let (suspicion, held_out) = Suspicion::train_held_out(job, part)?;
        let trained = Finder::train(job, &triples, part.groups(), suspicion, &held_out)?;
        let asked: Vec<&Lesson> = pairs.iter().filter(|lesson| !lesson.golds.is_empty()).collect();
        let pairs = if asked.is_empty() {
            None
        } else {
            Some(job.stage("pairs", |stage| Labeller::train(stage, &asked, &Training { seed: job.seed, ..TRAINING }))?)
        };
        let types = job.stage("types", |stage| {
            let told: Vec<types::Lesson> = triples
                .par_iter()
                .zip(&trained.held_out)
                .zip(&sets)
                .map(|((lesson, guesses), set)| {
                    let view = View::new(&lesson.reading);
                    let suspects = held_out.suspects(lesson.group, &lesson.reading);
                    types::Lesson::new(&Case { view: &view, suspects: &suspects, guesses }, lesson.group, *set)
                })
                .collect();
            Types::train(stage, &told, part.groups(), job.seed)
        })?;
        Ok(Attribute { finder: trained.finder, pairs, types })
    }

    /// The model that was kept.
    pub fn load(from: &ReadScope) -> Result<Attribute, PredictError> {
        let pairs = from.get::<u32>("pairs-there")?.first() == Some(&1);
        Ok(Attribute {
            finder: Finder::get(&from.scope("finder"))?,
            pairs: if pairs { Some(Labeller::get(&from.scope("pairs"))?) } else { None },
            types: Types::get(&from.scope("types"))?,
        })
    }

    /// What is thought of each type, and the chances of the sets of types.
    pub fn think(&self, reading: &Reading) -> (Vec<TypedBelief>, [f64; SETS]) {
        let suspects = self.finder.suspicion.suspects(reading);
        let view = View::new(reading);
        let anchors = anchors(reading, &suspects);
        let guesses = self.finder.labeller.guess(&view, &anchors, None);
        let sets = self.types.chances(&Case { view: &view, suspects: &suspects, guesses: &guesses });
        let odds = |kind: ReasonType| (1..SETS).filter(|set| set >> kind as usize & 1 == 1).map(|set| sets[set]).sum();
        let weighed = super::anomaly::weigh(&view, guesses, self.finder.reranker.as_ref());
        let pairs = self.pairs.as_ref().map(|pairs| pairs.guess(&view, &anchors, None)).unwrap_or_default();
        let pairs: Vec<(Guess, f64)> = pairs.into_iter().map(|guess| (guess.clone(), guess.mass)).collect();
        let of = |kind: ReasonType, from: &[(Guess, f64)]| {
            let wanted = |guess: &Guess| (guess.spans.0.len() > 1) == (kind == ReasonType::B);
            let reason = |guess: &Guess| Reason {
                kind,
                fragments: named(kind, guess.spans.fragments(&reading.chars, kind == ReasonType::B)),
            };
            let mut reasons: Vec<(Reason, f64)> =
                from.iter().filter(|(guess, _)| wanted(guess)).map(|(guess, weight)| (reason(guess), *weight)).collect();
            let total: f64 = reasons.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
            for (_, weight) in &mut reasons {
                *weight /= total;
            }
            TypedBelief { odds: odds(kind), reasons }
        };
        (vec![of(ReasonType::A, &pairs), of(ReasonType::B, &weighed), of(ReasonType::C, &weighed)], sets)
    }
}

/// Type A writes its fragments as `text1` and `text2`.
fn named(kind: ReasonType, fragments: Vec<RoleFragment>) -> Vec<RoleFragment> {
    if kind != ReasonType::A {
        return fragments;
    }
    let name = |part: RoleFragment| {
        let role: SmolStr = if part.role == "S" { "text1".into() } else { "text2".into() };
        RoleFragment { role, ..part }
    };
    fragments.into_iter().filter(|part| part.role != "E").map(name).collect()
}

impl Model for Attribute {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.finder.put(&mut out.scope("finder"))?;
        out.put("pairs-there", &[u32::from(self.pairs.is_some())]);
        if let Some(pairs) = &self.pairs {
            pairs.put(&mut out.scope("pairs"))?;
        }
        self.types.put(&mut out.scope("types"))
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(Belief::Reasons(self.think(&Reading::new(item.texts.context())).0))
    }

    /// The chances of sets of types are not in the belief, but the answer needs them: A, B and C seldom stand together.
    fn answer(&self, _: &dyn Task, item: &Item, options: &Options) -> Result<Answer, PredictError> {
        let (typed, sets) = self.think(&Reading::new(item.texts.context()));
        Ok(Answer::Reasons(reasons::choose(item.texts.context(), &typed, Some(&sets), options.is_on("all-types"))))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        let reading = Reading::new(item.texts.context());
        let mut points = self.finder.suspicion.explain(&reading);
        let (typed, sets) = self.think(&reading);
        for reason in reasons::choose(item.texts.context(), &typed, Some(&sets), options.is_on("all-types")) {
            let Some(own) = typed.iter().find(|typed| typed.reasons.first().is_some_and(|(first, _)| first.kind == reason.kind))
            else {
                continue;
            };
            let possible: Vec<_> = own.reasons.iter().map(|(reason, weight)| (reason.fragments.clone(), *weight)).collect();
            let kind = reason.kind.as_str();
            let say = Say::new(format!("类型 {kind}"), format!("type {kind}"));
            points.push(Point::new("type", kind, say).odds(own.odds).with(fragment_points(&reason.fragments, &possible)));
        }
        Ok(Explanation { points })
    }
}
