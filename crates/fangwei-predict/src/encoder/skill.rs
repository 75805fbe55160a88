//! Skills: how the material of a task becomes examples of a head, and what the head says becomes a belief.
//!
//! Each way of answering with one network is a file named after its head; here is what they share: training, keeping, asking and explaining.

use std::marker::PhantomData;

use fangwei::answer::RoleFragment;
use fangwei::lang::Say;
use fangwei::score::tuples::ENTITY;
use fangwei::task::Item;
use fangwei_encoder::folder::Pretrained;
use fangwei_encoder::heads::{Example, Head, Network};

use super::stages::{self, halved};
use super::{Setup, kept};
use crate::belief::{Belief, Candidate, Tuple, tuples::answered};
use crate::explain::{Explanation, Point};
use crate::job::Job;
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// What one network can learn to do.
pub trait Skill: Send + Sync + 'static {
    /// The head that it needs.
    type Head: Head;
    /// This head.
    const HEAD: Self::Head;

    /// The network before training.
    fn network(encoder: &Pretrained, seed: u64) -> Network {
        Network::new(encoder, &Self::HEAD, seed)
    }

    /// What a part of the material teaches.
    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<<Self::Head as Head>::Gold>>;

    /// What the network thinks of an item.
    fn believe(network: &Network, item: &Item, length: usize) -> Belief;

    /// Why.
    fn points(network: &Network, item: &Item, length: usize) -> Vec<Point> {
        told(Self::believe(network, item, length))
    }
}

/// A network that learnt a task.
struct Trained<S> {
    network: Network,
    length: usize,
    skill: PhantomData<fn() -> S>,
}

/// Learns a skill.
pub fn train<S: Skill>(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let network = S::network(&setup.encoder, job.seed);
    let examples = S::examples(job, part, &network, setup.length);
    if examples.is_empty() {
        return Err(PredictError::NoMaterial { expected: job.task.id().to_owned(), found: "none".to_owned() });
    }
    let network = stages::train(job, &S::HEAD, network, &examples, &setup.plan)?;
    let network = Network { parameters: halved(&network.parameters), ..network };
    Ok(Box::new(Trained::<S> { network, length: setup.length, skill: PhantomData }))
}

/// The model that was kept.
pub fn load<S: Skill>(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    Ok(Box::new(Trained::<S> { network: kept::get(from, &S::HEAD)?, length, skill: PhantomData }))
}

impl<S: Skill> Model for Trained<S> {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        kept::put(&self.network, out)
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(S::believe(&self.network, item, self.length))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: S::points(&self.network, item, self.length) })
    }
}

/// The examples of each answered item of the job's task.
pub fn of_items<Gold>(job: &Job<'_>, part: &Part<'_>, examples: impl Fn(&Item) -> Vec<Example<Gold>>) -> Vec<Example<Gold>> {
    part.merged(job.task).iter().flat_map(|merged| examples(&merged.item)).collect()
}

/// A belief as points: a network knows no more of why than what it thinks, and how surely.
pub fn told(belief: Belief) -> Vec<Point> {
    match belief {
        Belief::Verdict(yes) => vec![verdict(yes)],
        Belief::Candidates(candidates) => candidates.into_iter().next().map(candidate).into_iter().collect(),
        Belief::Tuples(tuples) => {
            let mut tuples = tuples;
            tuples.sort_by(|a, b| b.1.total_cmp(&a.1));
            tuples.truncate(answered(tuples.iter().map(|(_, worth)| *worth)));
            tuples.iter().map(|(own, worth)| tuple(own, *worth)).collect()
        }
        _ => Vec::new(),
    }
}

/// How likely yes is.
pub fn verdict(yes: f64) -> Point {
    Point::new("verdict", "", Say::new("编码器认为“是”的可能", "how likely yes is to the encoder")).odds(yes)
}

fn candidate((candidate, odds): (Candidate, f64)) -> Point {
    let part = |own: &RoleFragment| {
        Point::new("role", own.fragment.text.as_str(), Say::same(own.role.as_str())).at(own.fragment.span.iter().map(|idx| idx.0))
    };
    let say = Say::new("编码器的首选", "the encoder's first choice");
    Point::new("candidate", "", say).odds(odds).with(candidate.iter().map(part).collect())
}

fn tuple(tuple: &Tuple, worth: f64) -> Point {
    let mut entity = Point::new("tuple", "", Say::new("期望得分", "is expected to earn")).odds(worth);
    let mut parts = Vec::new();
    for element in tuple {
        let mut part = Point::new("role", "", Say::same(element.role.as_str()));
        if let Some(fragment) = element.fragment.value() {
            part = Point { word: fragment.text.to_string(), at: fragment.span.clone(), ..part };
        }
        if let Some(label) = element.label.value() {
            part.word = label.to_string();
        }
        if element.role == ENTITY {
            entity = Point { word: part.word, at: part.at, ..entity };
        } else {
            parts.push(part);
        }
    }
    entity.with(parts)
}
