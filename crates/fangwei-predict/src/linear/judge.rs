//! Judging: is a text normal? A small model over what suspicion says of its words.
//!
//! Train sets hold more abnormal texts than others do (76 of 100 in 2022), so both verdicts weigh the same in training, and what share of abnormal texts is
//! expected is an option ([`PRIOR`]).

use fangwei::answer::Answer;
use fangwei::lang::words;
use fangwei::task::{Item, Texts};
use rayon::prelude::*;

use super::suspect::{HeldOut, Suspects, Suspicion};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::{Job, Keep};
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
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

/// The tasks whose verdicts are learnt from.
const TASKS: [&str; 2] = ["2022/judge", "2021/judge"];
/// The weight of a verdict of the other year.
const OTHER: f32 = 0.3;
/// Numbers that a text has.
const COLUMNS: usize = 28;

/// A trained judge.
#[derive(Clone, Debug)]
pub struct Judge {
    suspicion: Suspicion,
    trees: Trees,
}

/// The trees over the numbers of a text.
#[derive(Clone, Debug)]
struct Trees(Boost);

impl Keep for Trees {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Trees, PredictError> {
        Ok(Trees(Boost::load(from)?))
    }
}

/// The numbers that suspicion gives a text.
fn row(reading: &Reading, suspects: &Suspects) -> [f32; COLUMNS] {
    let mut out = [f32::NAN; COLUMNS];
    let abnormal = suspects.abnormal.clamp(1e-6, 1.0 - 1e-6);
    let sites = &suspects.sites;
    let sorted = |value: &dyn Fn(usize) -> f32| {
        let mut values: Vec<f32> = (0..sites.len()).map(value).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values
    };
    let ratios = sorted(&|at| sites[at].ratio);
    let logs = sorted(&|at| -sites[at].log_p);
    let odds = sorted(&|at| sites[at].odds as f32);
    let at = |values: &[f32], place: usize| values.get(place).copied().unwrap_or(f32::NAN);
    let above = |bar: f32| ratios.iter().filter(|ratio| **ratio > bar).count() as f32;
    let entropy: f64 = sites.iter().map(|site| -site.odds * site.odds.max(1e-9).ln()).sum();
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len().max(1) as f32;
    out[..17].copy_from_slice(&[
        (abnormal / (1.0 - abnormal)).ln() as f32,
        at(&odds, 0),
        at(&odds, 1),
        at(&odds, 2),
        at(&ratios, 0),
        at(&ratios, 1),
        at(&ratios, 2),
        at(&logs, 0),
        at(&logs, 1),
        at(&logs, 2),
        above(-1.0),
        above(0.0),
        above(1.5),
        entropy as f32,
        mean(&logs),
        sites.len() as f32,
        reading.chars.len() as f32,
    ]);
    if let Some(best) = suspects.best(1).first().map(|best| &sites[*best]) {
        let rival = |place: usize| best.rivals.get(place).map_or(f32::NAN, |rival| rival.1);
        out[17..26].copy_from_slice(&[
            best.ratio,
            -best.log_p,
            rival(0),
            rival(1),
            rival(0) - best.log_p,
            f32::from(best.site.class as u8),
            best.site.word.chars().count() as f32,
            f32::from(u8::from(best.site.tagged)),
            best.site.range.start as f32 / reading.chars.len().max(1) as f32,
        ]);
    }
    out
}

impl Judge {
    /// Learns to judge texts for the task of the job.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Judge, PredictError> {
        let (suspicion, held) = Suspicion::train_held_out(job, part)?;
        let trees = job.stage("judge", |stage| {
            let trees = train_trees(stage.job().task.id(), part, &held, &mut stage.progress())?;
            stage.finish()?;
            Ok(trees)
        })?;
        Ok(Judge { suspicion, trees })
    }

    /// How likely a text is abnormal where `prior` of all texts are.
    pub fn abnormal(&self, reading: &Reading, prior: f64) -> f64 {
        let numbers = row(reading, &self.suspicion.suspects(reading));
        // The ranker has its own opinion, from the same evidence by another way: the mean of both errs least.
        let score = 0.5 * (self.trees.0.score(&numbers) + numbers[0]);
        let prior = prior.clamp(1e-3, 1.0 - 1e-3);
        1.0 / (1.0 + (-f64::from(score)).exp() * (1.0 - prior) / prior)
    }

    /// What the judge stands on.
    pub fn suspicion(&self) -> &Suspicion {
        &self.suspicion
    }
}

/// A text with its verdict.
struct Judged<'m> {
    group: u32,
    text: &'m str,
    abnormal: bool,
    weight: f32,
}

/// The verdicts of a task, both kinds of the same weight in all; none where one kind is missing.
fn judged<'m>(part: &Part<'m>, task: &str, weight: f32) -> Vec<Judged<'m>> {
    let mut all: Vec<Judged<'m>> = part
        .of(task)
        .into_iter()
        .filter_map(|example| {
            let Some(Answer::Verdict(verdict)) = &example.item.gold else { return None };
            Some(Judged { group: example.group, text: example.item.texts.context(), abnormal: !verdict.value()?, weight })
        })
        .collect();
    let abnormal = all.iter().filter(|one| one.abnormal).count() as f32;
    let normal = all.len() as f32 - abnormal;
    if abnormal == 0.0 || normal == 0.0 {
        return Vec::new();
    }
    all.iter_mut().filter(|one| !one.abnormal).for_each(|one| one.weight *= abnormal / normal);
    all
}

fn train_trees(task: &str, part: &Part<'_>, held: &HeldOut, watch: &mut crate::learn::Watch<'_>) -> Result<Trees, PredictError> {
    let judged: Vec<Judged<'_>> = TASKS.iter().flat_map(|id| judged(part, id, if *id == task { 1.0 } else { OTHER })).collect();
    if judged.is_empty() {
        return Err(PredictError::NoMaterial { expected: TASKS.join(" "), found: "no verdicts of both kinds".to_owned() });
    }
    let made: Vec<[f32; COLUMNS]> = judged
        .par_iter()
        .map(|one| {
            let reading = Reading::new(one.text);
            row(&reading, &held.suspects(one.group, &reading))
        })
        .collect();
    let mut rows = Rows::new(COLUMNS);
    for (one, row) in judged.iter().zip(made) {
        rows.push(&row, f32::from(u8::from(one.abnormal)), one.weight);
    }
    let boosting = Boosting {
        trees: 80,
        rate: 0.05,
        leaves: 8,
        depth: 4,
        min_child_weight: 20.,
        l2: 10.0,
        row_share: 0.7,
        column_share: 0.5,
        seed: 3,
        ..Boosting::default()
    };
    Ok(Trees(Boost::train(&rows, Loss::Logistic, &boosting, watch).0))
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
        self.trees.put(&mut out.scope("judge"))
    }

    fn get(from: &ReadScope) -> Result<Judge, PredictError> {
        Ok(Judge { suspicion: Suspicion::get(&from.scope("suspicion"))?, trees: Trees::get(&from.scope("judge"))? })
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

    use fangwei::tasks;

    use super::super::suspect::made_up;
    use super::*;
    use crate::job::Unwatched;

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
}
