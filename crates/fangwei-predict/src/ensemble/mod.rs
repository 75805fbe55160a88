//! `ensemble`: several models together. By default their beliefs are mixed by weight and one answer follows from the mixture; or each answers and they vote.
//!
//! It is made in two ways: trained, with the names of its members (option `of`), or joined from model folders that are there ([`join`]). Either way its folder
//! holds all of its members and needs none of theirs.

mod member;
mod mix;
mod vote;

pub use mix::mix;
pub use vote::vote;

use std::path::Path;

use fangwei::answer::Answer;
use fangwei::lang::{Say, words};
use fangwei::task::{Item, Task};

use crate::belief::Belief;
use crate::draft;
use crate::explain::{Explanation, Point};
use crate::folder::{self, Record};
use crate::job::Job;
use crate::material::Part;
use crate::options::{ALL_TYPES, CANDIDATES, Kind, Options, Spec, When};
use crate::predictor::{About, Model, PredictError, Predictor, check_task};
use crate::weights::{ReadScope, WeightsError, WriteScope};
use member::{Kept, Member};

/// The predictor.
#[derive(Debug)]
pub struct Ensemble;

const NAME: &str = "ensemble";

const ABOUT: About = About {
    name: NAME,
    title: words("几个预测器合在一起", "several predictors together"),
    how: words(
        "选项 of 列出成员，成员的选项写在冒号后面：of=\"rule prior:by=word-prior\"。mode=mean 把各成员的看法按权重平均，再得出一个答案；mode=vote 由各成员分别作答，按权重表决。模型文件夹里存有全部成员。",
        "The option of lists the members, with their options behind colons: of=\"rule prior:by=word-prior\". mode=mean averages what the members think by their weights, and one answer follows; mode=vote lets each answer and counts votes by weight. The model folder holds all members.",
    ),
};

const OPTIONS: &[Spec] = &[
    Spec {
        name: "of",
        default: "rule",
        kind: Kind::Text,
        when: When::Train,
        help: words("成员，用空格隔开：rule prior:by=word-prior", "the members, with blanks between: rule prior:by=word-prior"),
    },
    Spec {
        name: "weights",
        default: "",
        kind: Kind::Text,
        when: When::Train,
        help: words(
            "各成员的权重，用空格隔开；不写则相同",
            "a weight for each member, with blanks between; the same where none is given",
        ),
    },
    Spec {
        name: "mode",
        default: "mean",
        kind: Kind::Choice(&["mean", "vote"]),
        when: When::Predict,
        help: words("平均各成员的看法，或由各成员表决", "average what members think, or let them vote"),
    },
    CANDIDATES,
    ALL_TYPES,
];

impl Predictor for Ensemble {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [Spec] {
        OPTIONS
    }

    fn train(&self, job: &Job<'_>, part: &Part<'_>) -> Result<Box<dyn Model>, PredictError> {
        let asked = member::parse(job.options)?;
        let mut members = Vec::with_capacity(asked.len());
        for (number, (predictor, options, weight)) in asked.into_iter().enumerate() {
            check_task(predictor, job.task)?;
            let name = format!("{}-{}", number + 1, predictor.about().name);
            let model = predictor.train(&job.within(&name).with_options(&options), part)?;
            members.push(Member { predictor, options, weight, model, folder: String::new(), sha256: String::new() });
        }
        Ok(Box::new(EnsembleModel { members }))
    }

    fn load(&self, task: &'static dyn Task, _: &Options, from: &ReadScope) -> Result<Box<dyn Model>, PredictError> {
        let kept: Vec<Kept> = from.get_json("members")?;
        let member = |(number, kept): (usize, Kept)| kept.load(task, &from.scope(&scope(number)), from);
        let members: Vec<Member> = kept.into_iter().enumerate().map(member).collect::<Result<_, _>>()?;
        if members.is_empty() {
            return Err(from.unfit("members", "1..", 0).into());
        }
        Ok(Box::new(EnsembleModel { members }))
    }
}

/// The name under which a member's sections stand.
fn scope(number: usize) -> String {
    format!("member-{}", number + 1)
}

/// Joins models of a task that are there into one, with a weight for each, and writes its folder.
pub fn join(task: &'static dyn Task, members: &[(&Path, f64)], out: &Path) -> Result<Record, PredictError> {
    let mut joined: Vec<Member> = Vec::with_capacity(members.len());
    let mut data = Vec::new();
    for (folder, weight) in members {
        let loaded = folder::load(folder, Some(task))?;
        let (member, origin) = Member::of(folder, loaded, *weight)?;
        joined.push(member);
        data.push(origin);
    }
    if joined.is_empty() {
        return Err(PredictError::NoMaterial { expected: "1..".to_owned(), found: "0".to_owned() });
    }
    let names: Vec<&str> = joined.iter().map(|member| member.predictor.about().name).collect();
    let weights: Vec<String> = joined.iter().map(|member| member.weight.to_string()).collect();
    let (of, weights) = (names.join(" "), weights.join(" "));
    let options = Options::new(OPTIONS, [("of", of.as_str()), ("weights", weights.as_str())])?;
    let record = folder::record(task, &Ensemble, &options, 0, data, std::collections::BTreeMap::new(), None);
    folder::save(out, record, &EnsembleModel { members: joined })
}

/// Members with their weights.
struct EnsembleModel {
    members: Vec<Member>,
}

impl EnsembleModel {
    /// What each member says, those that cannot left out; an error where none can.
    fn each<T>(&self, ask: impl Fn(&Member) -> Result<T, PredictError>) -> Result<Vec<(T, f64)>, PredictError> {
        let mut said = Vec::with_capacity(self.members.len());
        let mut failed = None;
        for member in &self.members {
            match ask(member) {
                Ok(one) => said.push((one, member.weight)),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        match failed {
            Some(error) if said.is_empty() => Err(error),
            _ => Ok(said),
        }
    }
}

impl Model for EnsembleModel {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put_json("members", &self.members.iter().map(Member::kept).collect::<Vec<_>>())?;
        for (number, member) in self.members.iter().enumerate() {
            member.model.put(&mut out.scope(&scope(number)))?;
        }
        Ok(())
    }

    fn prepare(&mut self, items: &[Item]) -> Result<(), PredictError> {
        self.members.iter_mut().try_for_each(|member| member.model.prepare(items))
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        let beliefs = self.each(|member| member.model.believe(item, &member.options_for(options)))?;
        let nothing = || PredictError::NoMaterial { expected: "1..".to_owned(), found: "0".to_owned() };
        mix(&beliefs).ok_or_else(nothing)
    }

    fn answer(&self, task: &dyn Task, item: &Item, options: &Options) -> Result<Answer, PredictError> {
        if options.text("mode") == "vote" {
            let answers = self.each(|member| member.model.answer(task, item, &member.options_for(options)))?;
            if let Some(answer) = vote(&answers, options.int("candidates") as usize) {
                return Ok(answer);
            }
        }
        Ok(draft::answer(task, item, &self.believe(item, options)?, options))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        let total: f64 = self.members.iter().map(|member| member.weight).sum();
        let points = self.members.iter().map(|member| {
            let own = member.model.explain(item, &member.options_for(options)).unwrap_or_default();
            let name = member.predictor.about().name;
            Point::new("member", name, Say::new("成员，所占权重", "member, with its share of the weight"))
                .odds(member.weight / total.max(1e-12))
                .with(own.points)
        });
        Ok(Explanation { points: points.collect() })
    }
}
