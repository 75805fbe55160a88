//! Judging: is a text normal?
//!
//! | room | what it does |
//! | --- | --- |
//! | [`locus`], [`mod@cases`] | where the texts that are learnt from were changed, and what is seen of them |
//! | [`place`] | which word was changed |
//! | [`harm`] | whether a changed word does harm |
//! | [`mix`] | how likely the text is abnormal, from both and from what suspicion says |
//!
//! Train sets hold more abnormal texts than others do (76 of 100 in 2022), so both verdicts weigh the same in training, and what share of abnormal texts is
//! expected is an option ([`PRIOR`]).

pub mod cases;
pub mod harm;
pub mod locus;
pub mod mix;
pub mod place;

use fangwei::lang::words;
use fangwei::task::{Item, Texts};
use rayon::prelude::*;

use self::cases::{Case, Sight, cases};
use self::harm::Harm;
use super::suspect::{HeldOut, INNER, Suspicion};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::{Job, Keep};
use crate::learn::boost::Boost;
use crate::learn::linear::Linear;
use crate::material::Part;
use crate::options::{Kind, Options, Spec, When};
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// The option for the expected share of abnormal texts.
pub const PRIOR: Spec = Spec {
    name: "prior",
    default: "0.5",
    kind: Kind::Number(0.01, 0.99),
    when: When::Predict,
    help: words(
        "预计异常文本所占的比例；训练时两类权重相同，0.5 表示不偏向任何一类",
        "the share of abnormal texts that is expected; both verdicts weigh the same in training, so 0.5 favours neither",
    ),
};

/// A trained judge.
#[derive(Clone, Debug)]
pub struct Judge {
    suspicion: Suspicion,
    parts: Parts,
}

/// What a judge knows beside suspicion.
#[derive(Clone, Debug)]
struct Parts {
    place: Boost,
    harm: Harm,
    mix: Linear,
}

impl Parts {
    /// The log-odds that a text is abnormal.
    fn score(&self, sight: &Sight) -> f32 {
        let harms = harm::chances(&self.harm.trees, sight, &harm::scores(&self.harm.sparse, sight));
        mix::score(&self.mix, &mix::opinions(sight, &place::shares(&self.place, sight), &harms))
    }
}

impl Keep for Parts {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.place.save(&mut out.scope("place"));
        self.harm.put(&mut out.scope("harm"))?;
        self.mix.save(&mut out.scope("mix"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Parts, PredictError> {
        let (place, mix) = (Boost::load(&from.scope("place"))?, Linear::load(&from.scope("mix"))?);
        Ok(Parts { place, harm: Harm::get(&from.scope("harm"))?, mix })
    }
}

impl Judge {
    /// Learns to judge texts for the task of the job.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Judge, PredictError> {
        let (suspicion, held) = Suspicion::train_held_out(job, part)?;
        let parts = job.stage("judge", |stage| {
            let parts = train_parts(stage.job(), part, &held, &mut stage.progress())?;
            stage.finish()?;
            Ok(parts)
        })?;
        Ok(Judge { suspicion, parts })
    }

    /// How likely a text is abnormal where `prior` of all texts are.
    pub fn abnormal(&self, reading: &Reading, prior: f64) -> f64 {
        let score = self.suspicion.study(reading, |study| self.parts.score(&Sight::new(study, true)));
        let prior = prior.clamp(1e-3, 1.0 - 1e-3);
        1.0 / (1.0 + (-f64::from(score)).exp() * (1.0 - prior) / prior)
    }

    /// What the judge stands on.
    pub fn suspicion(&self) -> &Suspicion {
        &self.suspicion
    }
}

/// Trains the parts in the order in which they stand on each other. Each learns from what those before it say of origins that they have not seen: of each
/// there is one model without each fold, and a last one that has seen everything.
fn train_parts(
    job: &Job<'_>,
    part: &Part<'_>,
    held: &HeldOut,
    watch: &mut crate::learn::Watch<'_>,
) -> Result<Parts, PredictError> {
    let cases = cases(part, job.task.id(), held);
    if cases.is_empty() {
        return Err(PredictError::NoMaterial { expected: cases::TASKS.join(" "), found: "no verdicts of both kinds".to_owned() });
    }
    let without = |fold: usize| cases.iter().filter(move |case| case.fold != fold);
    let seed = job.seed;
    let sparse: Vec<Linear> = (0..=INNER).map(|fold| harm::train_sparse(without(fold), seed, watch)).collect();
    job.check()?;
    let scores: Vec<Vec<f32>> = cases.par_iter().map(|case| harm::scores(&sparse[case.fold], &case.sight)).collect();
    let mut models: Vec<(Boost, Boost)> = Vec::with_capacity(INNER + 1);
    for fold in 0..=INNER {
        let scored = cases.iter().zip(&scores).filter(|(case, _)| case.fold != fold).map(|(case, scores)| (case, &scores[..]));
        models.push((place::train(without(fold), seed, watch), harm::train_trees(scored, seed, watch)));
        job.check()?;
    }
    let asked: Vec<(&Case, &Vec<f32>)> = cases.iter().zip(&scores).filter(|(case, _)| case.asked).collect();
    // Where the own year has no verdicts, those of the other must do.
    let own = asked.iter().any(|(case, _)| case.own);
    let opinions: Vec<_> = asked
        .par_iter()
        .filter(|(case, _)| case.own == own)
        .map(|(case, scores)| {
            let (place, trees) = &models[case.fold];
            let harms = harm::chances(trees, &case.sight, scores);
            (mix::opinions(&case.sight, &place::shares(place, &case.sight), &harms), case.abnormal)
        })
        .collect();
    let mix = mix::train(&opinions, watch);
    let (Some((place, trees)), Some(sparse)) = (models.pop(), sparse.into_iter().next_back()) else {
        return Err(PredictError::Interrupted);
    };
    Ok(Parts { place, harm: Harm { sparse, trees }, mix })
}

impl Model for Judge {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Keep::put(self, out)
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        Ok(Belief::Verdict(1.0 - self.abnormal(&read(item)?, expected(options))))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.suspicion.explain(&read(item)?) })
    }
}

impl Keep for Judge {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.suspicion.put(&mut out.scope("suspicion"))?;
        self.parts.put(&mut out.scope("judge"))
    }

    fn get(from: &ReadScope) -> Result<Judge, PredictError> {
        Ok(Judge { suspicion: Suspicion::get(&from.scope("suspicion"))?, parts: Parts::get(&from.scope("judge"))? })
    }
}

/// The value of the option; without one, no verdict is favoured.
fn expected(options: &Options) -> f64 {
    let prior = options.number("prior");
    if prior > 0.0 { prior } else { 0.5 }
}

fn read(item: &Item) -> Result<Reading, PredictError> {
    match &item.texts {
        Texts::Pair { .. } => Err(PredictError::Item { expected: "one text".to_owned(), found: "two".to_owned() }),
        texts => Ok(Reading::new(texts.context())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use fangwei::audit::Dataset;
    use fangwei::record::Source;
    use fangwei::tasks;

    use super::super::suspect::made_up;
    use super::*;
    use crate::job::Unwatched;
    use crate::material::Material;

    #[test]
    fn a_wrong_word_makes_a_text_abnormal_and_the_prior_moves_the_verdict() {
        let options = Options::new(&[], []).expect("no options");
        let curves = Mutex::new(BTreeMap::new());
        let task = tasks::find("2022/judge").expect("there is one");
        let job = Job::new(task, 7, &options, None, &Unwatched, &curves);
        let material = made_up::material(60);
        let judge = Judge::train(&job, &material.whole()).expect("trains");
        let (sound, wrong) = (Reading::new(made_up::SOUND), Reading::new(made_up::WRONG));
        assert!(judge.abnormal(&sound, 0.5) < 0.5 && judge.abnormal(&wrong, 0.5) > 0.5);
        assert!(judge.abnormal(&sound, 0.9) > judge.abnormal(&sound, 0.5));
        // Odds are multiplied by those of the prior: 9 to 1.
        let odds = |share: f64| share / (1.0 - share);
        assert!((odds(judge.abnormal(&wrong, 0.9)) / odds(judge.abnormal(&wrong, 0.5)) - 9.0).abs() < 1e-6);
        // Verdicts of one kind teach nothing.
        assert!(Judge::train(&job, &made_up::material(0).whole()).is_err());
    }

    #[test]
    fn a_change_that_people_tolerate_leaves_a_text_normal() {
        let options = Options::new(&[], []).expect("no options");
        let curves = Mutex::new(BTreeMap::new());
        let job = Job::new(tasks::find("2022/judge").expect("there is one"), 7, &options, None, &Unwatched, &curves);
        let mut lines = String::new();
        for number in 0..60 {
            let [sound, behind, below] = made_up::family(number);
            let within = sound.replace("里，帽子", "中，帽子");
            for (sibling, (text, judge)) in [(&sound, 1), (&within, 1), (&behind, 0), (&below, 0)].into_iter().enumerate() {
                lines.push_str(&format!("{{\"qid\":\"1-{number}-{sibling}\",\"context\":\"{text}\",\"judge\":{judge}}}\n"));
            }
        }
        let source = Source::from_bytes("made-up.jsonl", lines).expect("reads from memory");
        let material = Material::new(vec![Dataset::read(source, tasks::find("2022/judge").ok()).expect("reads")]);
        let judge = Judge::train(&job, &material.whole()).expect("trains");
        let chance = |text: &str| judge.abnormal(&Reading::new(text), 0.5);
        let tolerable = made_up::SOUND.replace("抽屉里", "抽屉中");
        assert!(chance(&tolerable) < 0.5 && chance(made_up::WRONG) > 0.5, "{} {}", chance(&tolerable), chance(made_up::WRONG));
    }
}
