//! `2021/joint`: is the text normal, and if not, is the reason right? Two models, and a decision that the measure asks for.
//!
//! The measure counts a hit where a text is abnormal, was called so, and the reason was judged rightly; precision is over the texts called abnormal, recall over
//! the abnormal ones. F1 = 2 · hits / (called + abnormal), so calling one more text abnormal pays exactly if its chance of a hit exceeds F1 / 2: far below
//! one half. See [`call_normal`].

use fangwei::answer::{Answer, Verdict};
use fangwei::lang::Say;
use fangwei::task::{Item, Task};

use super::judge::Judge;
use super::reason::Reason;
use crate::belief::Belief;
use crate::explain::{Explanation, Point};
use crate::job::{Job, Keep};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// What was learnt of texts and reasons.
#[derive(Debug)]
pub struct Joint {
    judge: Judge,
    reason: Reason,
}

/// The F1 that is aimed at, which fixes the decision.
const AIM: f64 = 0.60;

/// The share of abnormal texts that is expected, that of 2021.
const PRIOR: f64 = 0.55;

/// The chance of a hit if a text is called abnormal.
pub fn hit(normal: f64, right: f64) -> f64 {
    (1.0 - normal) * right.max(1.0 - right)
}

/// Whether to call a text normal.
pub fn call_normal(normal: f64, right: f64) -> bool {
    hit(normal, right) < AIM / 2.0
}

impl Joint {
    /// Learns both parts.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Joint, PredictError> {
        let reason = Reason::train(job, part)?;
        // The judge weighs the texts of its own year most.
        let mut judging = job.within("judge");
        judging.task = fangwei::tasks::find("2021/judge").map_or(job.task, |task| task);
        Ok(Joint { judge: Judge::train(&judging, part)?, reason })
    }

    /// How likely the text is normal, and the reason right if it is not.
    pub fn odds(&self, item: &Item) -> Result<(f64, f64), PredictError> {
        let abnormal = self.judge.abnormal(&Reading::new(item.texts.context()), PRIOR);
        Ok((1.0 - abnormal, self.reason.right(item)?))
    }
}

impl Keep for Joint {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Keep::put(&self.judge, &mut out.scope("judge"))?;
        Keep::put(&self.reason, &mut out.scope("reason"))
    }

    fn get(from: &ReadScope) -> Result<Joint, PredictError> {
        Ok(Joint { judge: Judge::get(&from.scope("judge"))?, reason: Reason::get(&from.scope("reason"))? })
    }
}

impl Model for Joint {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Keep::put(self, out)
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        let (normal, right) = self.odds(item)?;
        Ok(Belief::Joint(normal, right))
    }

    fn answer(&self, _: &dyn Task, item: &Item, _: &Options) -> Result<Answer, PredictError> {
        let (normal, right) = self.odds(item)?;
        Ok(Answer::Joint(Verdict::Plain(call_normal(normal, right)), Verdict::Plain(right >= 0.5)))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        let (normal, right) = self.odds(item)?;
        let bound = AIM / 2.0;
        let say = Say::new(
            format!("文本异常且理由判断正确的可能；超过 {bound:.2} 就判为异常"),
            format!("chance that the text is abnormal and the reason judged rightly; called abnormal above {bound:.2}"),
        );
        let mut points = vec![
            Point::new("hit", "", say).odds(hit(normal, right)),
            Point::new("normal", "", Say::new("文本正常的可能", "chance that the text is normal")).odds(normal),
        ];
        points.extend(self.reason.points(item)?);
        Ok(Explanation { points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likely_normal_text_is_still_called_abnormal_if_the_reason_is_clear() {
        // 0.4 · 0.95 = 0.38 is above 0.30; with a doubtful reason 0.4 · 0.55 = 0.22 is below.
        assert!(!call_normal(0.6, 0.95));
        assert!(!call_normal(0.6, 0.05));
        assert!(call_normal(0.6, 0.55));
        assert!(call_normal(0.99, 1.0));
    }
}
