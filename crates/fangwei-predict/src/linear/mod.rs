//! The default predictor: sparse models, trees and random fields over features that people can read.
//!
//! | task | room |
//! | --- | --- |
//! | `2023/anomaly` | [`anomaly`] |
//! | `2022/attribute` | [`attribute`] |
//! | `2022/judge`, `2021/judge` | [`judge`] |
//! | `2021/reason`, `2021/joint` | [`reason`], [`joint`] |
//! | `2023/roles`, `2022/roles` | [`roles`] |
//! | `2023/scene` | [`scene`] |
//!
//! The first three stand on [`suspect`], the odds of each spatial word to be the wrong one.

pub mod anomaly;
pub mod attribute;
pub mod joint;
pub mod judge;
pub mod opinion;
pub mod reason;
pub mod roles;
pub mod scene;
pub mod suspect;

use fangwei::lang::words;
use fangwei::task::Task;

use self::anomaly::Anomaly;
use self::attribute::Attribute;
use self::joint::Joint;
use self::judge::Judge;
use self::reason::Reason;
use self::roles::Roles;
use self::scene::Scene;
use crate::job::{Job, Keep};
use crate::material::Part;
use crate::options::{ALL_TYPES, CANDIDATES, Options, SECOND_LOOK, Spec};
use crate::predictor::{About, Model, PredictError, Predictor, check_task};
use crate::weights::ReadScope;

/// The predictor.
#[derive(Debug)]
pub struct Linear;

const ABOUT: About = About {
    name: "linear",
    title: words(
        "特征模型：完形、可疑度、条件随机场、最小贝叶斯风险",
        "feature models: cloze, suspicion, random fields, minimum Bayes risk",
    ),
    how: words(
        "先估计每个空间词出错的可能，再以可疑的词为锚标注片段，最后选出期望得分最高的答案",
        "weighs how likely each spatial word is wrong, labels fragments around the suspicious ones, and answers what is expected to earn most",
    ),
};

const OPTIONS: &[Spec] = &[judge::PRIOR, CANDIDATES, ALL_TYPES, SECOND_LOOK];

type Train = fn(&Job<'_>, &Part<'_>) -> Result<Box<dyn Model>, PredictError>;
type Load = fn(&ReadScope) -> Result<Box<dyn Model>, PredictError>;

/// How the tasks are learnt and loaded.
const TASKS: &[(&str, Train, Load)] = &[
    ("2023/anomaly", |job, part| Ok(Box::new(Anomaly::train(job, part)?)), |from| Ok(Box::new(Anomaly::load(from)?))),
    ("2022/attribute", |job, part| Ok(Box::new(Attribute::train(job, part)?)), |from| Ok(Box::new(Attribute::load(from)?))),
    ("2022/judge", |job, part| Ok(Box::new(Judge::train(job, part)?)), |from| Ok(Box::new(Judge::get(from)?))),
    ("2021/judge", |job, part| Ok(Box::new(Judge::train(job, part)?)), |from| Ok(Box::new(Judge::get(from)?))),
    ("2021/reason", |job, part| Ok(Box::new(Reason::train(job, part)?)), |from| Ok(Box::new(Reason::get(from)?))),
    ("2021/joint", |job, part| Ok(Box::new(Joint::train(job, part)?)), |from| Ok(Box::new(Joint::get(from)?))),
    ("2023/roles", |job, part| Ok(Box::new(Roles::learn(job, part)?)), |from| Ok(Box::new(Roles::load(from)?))),
    ("2022/roles", |job, part| Ok(Box::new(Roles::learn(job, part)?)), |from| Ok(Box::new(Roles::load(from)?))),
    ("2023/scene", |_, _| Ok(Box::new(Scene)), |_| Ok(Box::new(Scene))),
];

fn of(predictor: &Linear, task: &dyn Task) -> Result<&'static (&'static str, Train, Load), PredictError> {
    check_task(predictor, task)?;
    let found = TASKS.iter().find(|(id, ..)| *id == task.id());
    found.ok_or_else(|| PredictError::Item { expected: "linear".to_owned(), found: task.id().to_owned() })
}

impl Predictor for Linear {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn serves(&self, task: &dyn Task) -> bool {
        TASKS.iter().any(|(id, ..)| *id == task.id())
    }

    fn options(&self) -> &'static [Spec] {
        OPTIONS
    }

    fn train(&self, job: &Job<'_>, part: &Part<'_>) -> Result<Box<dyn Model>, PredictError> {
        of(self, job.task)?.1(job, part)
    }

    fn load(&self, task: &'static dyn Task, _: &Options, from: &ReadScope) -> Result<Box<dyn Model>, PredictError> {
        of(self, task)?.2(from)
    }

    /// Scenes are compared by tables, which need no training.
    fn ready(&self, task: &'static dyn Task, _: &Options) -> Option<Box<dyn Model>> {
        (task.id() == "2023/scene").then(|| Box::new(Scene) as Box<dyn Model>)
    }
}
