//! The model of `2023/anomaly`: what it learns from, what it thinks of an item, and why.

use fangwei::answer::{Answer, RoleFragment};
use fangwei::lang::Say;
use fangwei::task::Item;

use super::Finder;
use super::gold::Lesson;
use super::labeller::Second;
use crate::belief::{Belief, candidates};
use crate::explain::{Explanation, Point};
use crate::job::{Job, Keep};
use crate::linear::suspect::Suspicion;
use crate::material::Part;
use crate::options::{Options, SECOND_LOOK};
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// The model.
#[derive(Clone, Debug)]
pub struct Anomaly {
    finder: Finder,
}

impl Anomaly {
    /// What the answered items teach, and those of 2022 that were not marked anew.
    pub fn lessons(job: &Job<'_>, part: &Part<'_>) -> Result<Vec<Lesson>, PredictError> {
        let items = part.merged(job.task);
        let lesson = |item: &crate::material::Merged<'_>| {
            let Some(Answer::Candidates(candidates)) = &item.item.gold else { return None };
            let reading = Reading::new(item.item.texts.context());
            Some(Lesson::new(reading, item.group, candidates.iter().map(Vec::as_slice), item.replaced))
                .filter(|lesson| !lesson.golds.is_empty())
        };
        let lessons: Vec<Lesson> = items.iter().filter_map(lesson).collect();
        if lessons.is_empty() {
            return Err(PredictError::NoMaterial { expected: job.task.id().to_owned(), found: items.len().to_string() });
        }
        Ok(lessons)
    }

    /// Learns all stages.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Anomaly, PredictError> {
        let lessons = Anomaly::lessons(job, part)?;
        if !job.options.is_on(SECOND_LOOK.name) {
            return Anomaly::train_bare(job, part, &lessons);
        }
        let (suspicion, held_out) = Suspicion::train_held_out(job, part)?;
        Ok(Anomaly { finder: Finder::train(job, &lessons, part.groups(), suspicion, &held_out)?.finder })
    }

    /// Learns suspicion and the labeller alone: who has a second opinion on the labels has no use for a reranker of guesses that were made without it.
    pub fn train_bare(job: &Job<'_>, part: &Part<'_>, lessons: &[Lesson]) -> Result<Anomaly, PredictError> {
        let (suspicion, _) = Suspicion::train_held_out(job, part)?;
        Ok(Anomaly { finder: Finder::bare(job, lessons, suspicion)? })
    }

    /// The model that was kept.
    pub fn load(from: &ReadScope) -> Result<Anomaly, PredictError> {
        Ok(Anomaly { finder: Finder::get(from)? })
    }

    /// Possible answers with their weights.
    pub fn possible(&self, reading: &Reading, second: Option<&Second<'_>>) -> Vec<(Vec<RoleFragment>, f64)> {
        self.finder
            .find(reading, second)
            .into_iter()
            .map(|(guess, weight)| (guess.spans.fragments(&reading.chars, true), weight))
            .collect()
    }

    /// Why: suspicious words, and candidates with the odds of their fragments.
    pub fn points(&self, item: &Item, options: &Options, second: Option<&Second<'_>>) -> Vec<Point> {
        let reading = Reading::new(item.texts.context());
        let mut points = self.finder.suspicion.explain(&reading);
        let possible = self.possible(&reading, second);
        let most = usize::try_from(options.int("candidates")).ok().filter(|most| *most > 0).unwrap_or(1);
        let (chosen, expected) = candidates::choose(item.texts.context(), &possible, most);
        for candidate in &chosen {
            let say = Say::new(
                format!("候选答案；{most} 个候选合计的期望 F1 为 {expected:.2}"),
                format!("a candidate; of up to {most} together an F1 of {expected:.2} is expected"),
            );
            points.push(Point::new("candidate", "", say).with(fragment_points(candidate, &possible)));
        }
        points
    }
}

impl Model for Anomaly {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.finder.put(out)
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(Belief::Candidates(self.possible(&Reading::new(item.texts.context()), None)))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.points(item, options, None) })
    }
}

/// The fragments of an answer, each with the odds that its role is filled by just these characters.
pub fn fragment_points(answer: &[RoleFragment], possible: &[(Vec<RoleFragment>, f64)]) -> Vec<Point> {
    let total: f64 = possible.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let point = |part: &RoleFragment| {
        let places = part.fragment.span.to_set();
        let same = |there: &RoleFragment| there.role == part.role && there.fragment.span.to_set() == places;
        let odds: f64 = possible.iter().filter(|(candidate, _)| candidate.iter().any(same)).map(|(_, weight)| weight).sum();
        let say = Say::new(format!("片段 {}", part.role), format!("fragment {}", part.role));
        Point::new("fragment", part.fragment.text.as_str(), say).at(places.iter().map(|at| at.0)).odds((odds / total).min(1.0))
    };
    answer.iter().map(point).collect()
}
