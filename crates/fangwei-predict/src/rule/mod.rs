//! `rule`: the floor. Nothing is learnt: a lexicon of nouns with the locatives that they take, a shallow grammar, and named rules ([`RULES`]) that say in words
//! what is wrong.

mod anomaly;
pub mod entity;
mod explain;
pub mod fragment;
mod reason;
pub mod roles;
pub mod rules;
pub mod scan;
pub mod scene;

pub(crate) use anomaly::suspects;
pub use rules::{Finding, RULES, Rule};

use fangwei::answer::Answer;
use fangwei::lang::words;
use fangwei::task::{Item, Task, Texts};

use crate::belief::Belief;
use crate::draft;
use crate::explain::Explanation;
use crate::job::Job;
use crate::material::Part;
use crate::options::{CANDIDATES, Options, Spec};
use crate::predictor::{About, Model, PredictError, Predictor};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};
use scan::Scan;

/// The predictor.
#[derive(Debug)]
pub struct ByRule;

const ABOUT: About = About {
    name: "rule",
    title: words("词表、搭配表和语法规则，不用训练", "lexicon, collocations and grammar rules; needs no training"),
    how: words(
        "名词按形状分类，每类带哪些方位词由词表给出；再按浅层语法找出处所、趋向和主语。规则逐条有名字：名词不带这个方位词、进到外面、从里面进来、一物在两侧等。有规则指出错处，文本就判为异常，并用那条规则的话说明理由。",
        "Nouns are sorted by their shape, and the lexicon tells which locatives each sort takes; a shallow grammar finds places, directions and subjects. The rules have names: a noun that does not take its locative, entering an outside, coming in from inside, one thing on two sides, and so on. Where a rule fires the text is judged abnormal, and the rule says why.",
    ),
};

const OPTIONS: &[Spec] = &[CANDIDATES];

impl Predictor for ByRule {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [Spec] {
        OPTIONS
    }

    fn learns(&self) -> bool {
        false
    }

    fn train(&self, job: &Job<'_>, _: &Part<'_>) -> Result<Box<dyn Model>, PredictError> {
        Ok(Box::new(RuleModel { task: job.task }))
    }

    fn load(&self, task: &'static dyn Task, _: &Options, _: &ReadScope) -> Result<Box<dyn Model>, PredictError> {
        Ok(Box::new(RuleModel { task }))
    }

    fn ready(&self, task: &'static dyn Task, _: &Options) -> Option<Box<dyn Model>> {
        Some(Box::new(RuleModel { task }))
    }
}

/// The rules for one task.
struct RuleModel {
    task: &'static dyn Task,
}

/// What a task asks for, told by its name's last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Is the text normal?
    Judge,
    /// Is the reason right?
    Reason,
    /// Both.
    Joint,
    /// Which fragments are wrong?
    Anomaly,
    /// The same with types.
    Attribute,
    /// Who is where?
    Roles,
    /// Do two texts show one scene?
    Scene,
}

/// What a task asks for.
pub fn asked(task: &dyn Task) -> Asked {
    match task.id().rsplit('/').next().unwrap_or_default() {
        "reason" => Asked::Reason,
        "joint" => Asked::Joint,
        "anomaly" => Asked::Anomaly,
        "attribute" => Asked::Attribute,
        "roles" | "relations" => Asked::Roles,
        "scene" => Asked::Scene,
        _ => Asked::Judge,
    }
}

/// How likely the text is normal: a text in which no rule fires may still be wrong.
fn normal(scan: &Scan<'_>) -> f64 {
    let found = rules::findings_of(scan);
    let surest = found.first().map_or(0.0, |(rule, _)| rule.odds);
    // A second rule makes it surer, by half of what is left.
    let second = found.iter().any(|(rule, finding)| (rule.id, finding.word) != (found[0].0.id, found[0].1.word));
    let abnormal = if second { surest + (1.0 - surest) / 2.0 } else { surest };
    if found.is_empty() { SILENT } else { 1.0 - abnormal }
}

/// How likely a text is normal where every rule is silent.
const SILENT: f64 = 0.55;

impl Model for RuleModel {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        // Nothing was learnt; the number of rules tells an old folder from a present one.
        out.put_json("rules", &RULES.len())
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        let reading = Reading::new(item.texts.context());
        let scan = Scan::new(&reading);
        let reason = if let Texts::Reason { reason, .. } = &item.texts { reason.as_str() } else { "" };
        Ok(match asked(self.task) {
            Asked::Judge => Belief::Verdict(normal(&scan)),
            Asked::Reason => Belief::Verdict(reason::right(&scan, reason)),
            Asked::Joint => Belief::Joint(normal(&scan), reason::right(&scan, reason)),
            Asked::Anomaly => Belief::Candidates(anomaly::candidates(&scan)),
            Asked::Attribute => Belief::Reasons(anomaly::reasons(&scan)),
            Asked::Roles => Belief::Tuples(roles::tuples(&scan)),
            Asked::Scene => {
                let two = item.texts.each().get(1).copied().unwrap_or_default();
                let compared = scene::compare(item.texts.context(), two);
                Belief::Scene { same: compared.same, if_same: compared.if_same, if_not: compared.if_not }
            }
        })
    }

    fn answer(&self, task: &dyn Task, item: &Item, options: &Options) -> Result<Answer, PredictError> {
        Ok(draft::answer(task, item, &self.believe(item, options)?, options))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(explain::explain(self.task, item))
    }
}
