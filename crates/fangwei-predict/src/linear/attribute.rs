//! `2022/attribute`: the same machinery as [`super::anomaly`], with types. Type C is one triple, B two; A is two fragments that do not go
//! together, labelled by a field of its own. Which types a passage has is a classifier over its suspicious words and its guesses.

use fangwei::answer::{Answer, Reason, ReasonType, RoleFragment};
use fangwei::lang::Say;
use fangwei::task::{Item, Task};
use rayon::prelude::*;
use smol_str::SmolStr;

use super::anomaly::features::Anchor;
use super::anomaly::gold::Lesson;
use super::anomaly::labeller::{Guess, Labeller, TRAINING};
use super::anomaly::view::View;
use super::anomaly::{Finder, anchors, fragment_points, partner};
use super::suspect::{Suspects, Suspicion};
use crate::belief::{Belief, TypedBelief, reasons};
use crate::explain::{Explanation, Point};
use crate::job::{Job, Keep};
use crate::learn::Training;
use crate::learn::feature::Template;
use crate::learn::linear::{Examples, Linear, Target};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Sets of types: each number below 8 is one, bit by bit.
const SETS: usize = 8;

const TYPE_TRAINING: Training = Training { epochs: 15, batch: 16, rate: 0.1, l2: 200.0, min_count: 3, prune: 1e-3, seed: 0 };

/// The model.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Triples: types B and C.
    finder: Finder,
    /// Pairs of fragments: type A.
    pairs: Option<Labeller>,
    types: Linear,
}

/// A classifier as a stage keeps it.
struct Types(Linear);

impl Keep for Types {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Types, PredictError> {
        Ok(Types(Linear::load(from)?))
    }
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
            let features: Vec<Vec<(u32, f32)>> = triples
                .par_iter()
                .zip(&trained.held_out)
                .map(|(lesson, guesses)| {
                    type_features(&View::new(&lesson.reading), &held_out.suspects(lesson.group, &lesson.reading), guesses)
                })
                .collect();
            let mut examples = Examples::new(SETS);
            for (features, set) in features.iter().zip(&sets).filter(|(_, set)| **set > 0) {
                examples.push_valued(features, Target::Class(*set), 1.0);
            }
            let (types, _) = Linear::train(&examples, &Training { seed: job.seed, ..TYPE_TRAINING }, &mut stage.progress());
            stage.finish()?;
            Ok(Types(types))
        })?;
        Ok(Attribute { finder: trained.finder, pairs, types: types.0 })
    }

    /// The model that was kept.
    pub fn load(from: &ReadScope) -> Result<Attribute, PredictError> {
        let pairs = from.get::<u32>("pairs-there")?.first() == Some(&1);
        Ok(Attribute {
            finder: Finder::get(&from.scope("finder"))?,
            pairs: if pairs { Some(Labeller::get(&from.scope("pairs"))?) } else { None },
            types: Types::get(&from.scope("types"))?.0,
        })
    }

    /// What is thought of each type, and the chances of the sets of types.
    pub fn think(&self, reading: &Reading) -> (Vec<TypedBelief>, Vec<f64>) {
        let suspects = self.finder.suspicion.suspects(reading);
        let view = View::new(reading);
        let anchors = anchors(reading, &suspects);
        let guesses = self.finder.labeller.guess(&view, &anchors);
        let sets = self.types.log_probabilities_valued(&type_features(&view, &suspects, &guesses));
        let odds = |kind: ReasonType| -> f64 {
            let sum = |keep: &dyn Fn(usize) -> bool| -> f64 {
                (1..sets.len()).filter(|set| keep(*set)).map(|set| f64::from(sets[set]).exp()).sum()
            };
            sum(&|set| set >> kind as usize & 1 == 1) / sum(&|_| true).max(f64::MIN_POSITIVE)
        };
        let weighed = super::anomaly::weigh(&view, guesses, self.finder.reranker.as_ref());
        let pairs = self.pairs.as_ref().map(|pairs| pairs.guess(&view, &anchors)).unwrap_or_default();
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
        let sets = sets.iter().map(|log| f64::from(*log).exp()).collect();
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

/// What the types are told by: the most suspicious words with what stands around them, and what the guesses look like.
fn type_features(view: &View<'_>, suspects: &Suspects, guesses: &[Guess]) -> Vec<(u32, f32)> {
    let mut features = vec![(Template::new(1).key(), 1.0)];
    for (rank, number) in suspects.best(2).into_iter().enumerate() {
        let suspect = &suspects.sites[number];
        let odds = suspect.odds as f32;
        let mut add = |template: Template, value: f32| features.push((template.part(rank as u64).key(), value));
        let weight = if rank == 0 { 1.0 } else { odds.min(0.5) };
        for key in partner::alone(view, &suspect.site.range) {
            add(Template::new(2).part(u64::from(key)), weight);
        }
        let rival = suspect.rivals.first().map_or("", |(word, _)| word.as_str());
        add(Template::new(3).text(&suspect.site.word).text(rival), weight);
        add(Template::new(4).part((suspect.log_p.clamp(-12.0, 0.0) * 0.7) as i64 as u64), weight);
        add(Template::new(5).part(suspect.ratio.clamp(-8.0, 12.0) as i64 as u64), weight);
        add(Template::new(6).part((odds * 8.0) as u64), weight);
        if rank == 0 {
            for key in near_keys(view, &Anchor::lone(suspect.site.range.clone())) {
                add(Template::new(7).part(u64::from(key)), 1.0);
            }
        }
    }
    let total: f64 = guesses.iter().map(|guess| guess.mass).sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |keep: &dyn Fn(&Guess) -> bool| {
        (guesses.iter().filter(|guess| keep(guess)).map(|guess| guess.mass).sum::<f64>() / total) as f32
    };
    let double = share(&|guess| guess.spans.0.len() > 1);
    features.push((Template::new(10).key(), double));
    features.push((Template::new(11).part((double * 8.0) as u64).key(), 1.0));
    for role in 0..3 {
        features.push((
            Template::new(12).part(role as u64).key(),
            share(&|guess| guess.spans.0.len() == 1 && !guess.spans.0[0][role].is_empty()),
        ));
    }
    features
}

/// The words around an anchor.
fn near_keys(view: &View<'_>, anchor: &Anchor) -> Vec<u32> {
    let word = view.reading.token_of.get(anchor.at.start).copied().unwrap_or(0);
    let near = |by: isize| word.checked_add_signed(by).and_then(|at| view.facts.get(at));
    let mut keys = Vec::new();
    for by in [-3, -2, -1, 1, 2] {
        if let Some(fact) = near(by) {
            keys.push(Template::new(20).part(by as u64).part(fact.text).key());
            keys.push(Template::new(21).part(by as u64).part(fact.pos).key());
        }
    }
    keys
}

impl Model for Attribute {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.finder.put(&mut out.scope("finder"))?;
        out.put("pairs-there", &[u32::from(self.pairs.is_some())]);
        if let Some(pairs) = &self.pairs {
            pairs.put(&mut out.scope("pairs"))?;
        }
        self.types.save(&mut out.scope("types"));
        Ok(())
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
