//! `2021/reason`: is a reason why a text would be wrong the right one?
//!
//! A sparse regression over the words and forms of the quotations, and trees over what can be measured of them in the text (how badly the spatial words in them
//! fit, how far they stand apart, how often their words are seen together); the log-odds of both are added.

pub mod facts;
pub mod usage;

#[cfg(test)]
mod tests;

use fangwei::answer::Answer;
use fangwei::lang::Say;
use fangwei::reasons::{Frame, Statement};
use fangwei::task::{Item, Texts};
use rayon::prelude::*;

use crate::belief::Belief;
use crate::explain::{Explanation, Point};
use crate::job::{Job, Keep};
use crate::learn::Training;
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::linear::{Examples, Linear, Target};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};
use facts::{Facts, best_in, facts, places};
use usage::Usage;

/// What was learnt of reasons.
#[derive(Debug)]
pub struct Reason {
    pub(crate) usage: Usage,
    sparse: Linear,
    trees: Boost,
}

/// What the trees' log-odds count against those of the sparse model.
const TREES: f32 = 0.3;

/// A question of the task: the text and the reason.
pub(crate) fn question(item: &Item) -> Result<(&str, Statement), PredictError> {
    let Texts::Reason { context, reason } = &item.texts else {
        return Err(PredictError::Item { expected: "2021/reason".to_owned(), found: "a text without a reason".to_owned() });
    };
    // A reason in none of the four frames is read as a claim that what it says is against common sense.
    let statement = Statement::parse(reason).unwrap_or_else(|| Statement::new(Frame::Sense, reason.as_str(), None));
    Ok((context, statement))
}

/// The answered reasons of a part: those of the task itself, and of the joint task where the text is wrong.
fn examples<'m>(part: &Part<'m>) -> Vec<(&'m Item, u32, bool)> {
    let of = |task: &str| part.of(task).into_iter();
    let own = of("2021/reason").filter_map(|example| match &example.item.gold {
        Some(Answer::Verdict(verdict)) => Some((example.item, example.group, verdict.value()?)),
        _ => None,
    });
    let joint = of("2021/joint").filter_map(|example| match &example.item.gold {
        Some(Answer::Joint(normal, right)) if normal.value() == Some(false) => {
            Some((example.item, example.group, right.value()?))
        }
        _ => None,
    });
    own.chain(joint).collect()
}

impl Reason {
    /// Learns from the reasons of a part, and counts words in all its texts.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Reason, PredictError> {
        job.stage("reason", |stage| {
            let examples = examples(part);
            if examples.is_empty() {
                let expected = "2021/reason / 2021/joint".to_owned();
                return Err(PredictError::NoMaterial { expected, found: "none".to_owned() });
            }
            let mut usage = Usage::of(part);
            stage.job().check()?;
            let facts: Vec<Facts> = examples
                .par_iter()
                .map(|(item, group, _)| {
                    let (text, statement) = question(item)?;
                    let reading = Reading::new(text);
                    let fits = usage.fits(&reading, Some(*group));
                    Ok(facts(&reading, &statement, &usage, &fits, Some(*group)))
                })
                .collect::<Result<_, PredictError>>()?;
            usage.forget();
            let (mut sparse, mut dense) = (Examples::new(2), Rows::new(facts.first().map_or(0, |facts| facts.dense.len())));
            for ((_, _, right), facts) in examples.iter().zip(&facts) {
                sparse.push(&facts.keys, Target::Class(usize::from(*right)), 1.0);
                dense.push(&facts.dense, f32::from(u8::from(*right)), 1.0);
            }
            let seed = stage.job().seed;
            let training = Training { epochs: 12, l2: 25.0, rate: 0.1, min_count: 2, seed, ..Training::default() };
            let (sparse, _) = Linear::train(&sparse, &training, &mut stage.progress());
            stage.finish()?;
            let boosting = Boosting {
                trees: 300,
                rate: 0.04,
                leaves: 15,
                min_child_weight: 4.0,
                l2: 5.0,
                row_share: 0.7,
                column_share: 0.4,
                seed,
                ..Boosting::default()
            };
            let (trees, _) = Boost::train(&dense, Loss::Logistic, &boosting, &mut stage.progress());
            stage.finish()?;
            Ok(Reason { usage, sparse, trees })
        })
    }

    /// How likely a reason is right, from its facts.
    fn odds(&self, facts: &Facts) -> f64 {
        let log = self.sparse.log_probabilities(&facts.keys);
        let sparse = log.get(1).copied().unwrap_or(0.0) - log.first().copied().unwrap_or(0.0);
        let mixed = (1.0 - TREES) * sparse + TREES * self.trees.score(&facts.dense);
        1.0 / (1.0 + f64::from(-mixed).exp())
    }

    /// How likely a reason is right.
    pub fn right(&self, item: &Item) -> Result<f64, PredictError> {
        let (text, statement) = question(item)?;
        let reading = Reading::new(text);
        let fits = self.usage.fits(&reading, None);
        Ok(self.odds(&facts(&reading, &statement, &self.usage, &fits, None)))
    }

    /// What the answer rests on: the quotations, the worst spatial word in each, and how often their words meet.
    pub fn points(&self, item: &Item) -> Result<Vec<Point>, PredictError> {
        let (text, statement) = question(item)?;
        let reading = Reading::new(text);
        let fits = self.usage.fits(&reading, None);
        let odds = self.odds(&facts(&reading, &statement, &self.usage, &fits, None));
        let places = places(&reading, &statement, &fits);
        let mut parts = Vec::new();
        for (range, quotation) in [(&places.x, Some(&statement.x)), (&places.y, statement.y.as_ref())] {
            let Some(quotation) = quotation else { continue };
            let Some(range) = range else {
                parts.push(Point::new(
                    "quotation",
                    quotation.as_str(),
                    Say::new("原文中没有这一片段", "does not stand in the text"),
                ));
                continue;
            };
            let worst = best_in(&reading, &fits, range).map(|fit| {
                let token = &reading.tokens[fit.site.token];
                let (best, share) = (&fit.best, f64::from(fit.share).exp());
                let say = if best.is_empty() || fit.doubt <= 0.0 {
                    Say::new("与上下文相配", "fits its surroundings")
                } else {
                    Say::new(format!("此处更常见的是“{best}”"), format!("“{best}” is more usual here"))
                };
                Point::new("fit", token.text.as_str(), say).at(token.range().map(|place| place as u32)).odds(share)
            });
            let say = Say::new("引用的片段", "a quotation");
            parts.push(
                Point::new("quotation", quotation.as_str(), say)
                    .at(range.clone().map(|place| place as u32))
                    .with(worst.into_iter().collect()),
            );
        }
        let frame = statement.frame.as_str();
        let say = Say::new(format!("这条“{frame}”的理由成立的可能"), format!("chance that this reason ({frame}) is right"));
        Ok(vec![Point::new("reason", "", say).odds(odds).with(parts)])
    }
}

impl Keep for Reason {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.usage.put(&mut out.scope("usage"))?;
        self.sparse.save(&mut out.scope("sparse"));
        self.trees.save(&mut out.scope("trees"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Reason, PredictError> {
        let (sparse, trees) = (Linear::load(&from.scope("sparse"))?, Boost::load(&from.scope("trees"))?);
        Ok(Reason { usage: Usage::get(&from.scope("usage"))?, sparse, trees })
    }
}

impl Model for Reason {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Keep::put(self, out)
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(Belief::Verdict(self.right(item)?))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.points(item)? })
    }
}
