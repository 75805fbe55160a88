//! `prior`: the shortcuts that [`fangwei::audit`] tries, as a predictor. What they earn, any system can earn without understanding; a board that shows them says
//! how much of its scores needs more.

mod shape;
mod siblings;
mod span;
mod verdict;

pub use siblings::Siblings;

use fangwei::answer::{Answer, Verdict};
use fangwei::lang::{Say, words};
use fangwei::task::{Item, Task, Texts};
use fangwei::tasks;

use crate::belief::Belief;
use crate::draft;
use crate::explain::{Explanation, Point};
use crate::job::Job;
use crate::material::{Example, Part};
use crate::options::{CANDIDATES, Kind, Options, Spec, When};
use crate::predictor::{About, Model, PredictError, Predictor};
use crate::rule::{Asked, asked, scene};
use crate::weights::{ReadScope, WeightsError, WriteScope};
use shape::Shape;
use span::Marking;
use verdict::Leaning;

/// The predictor.
#[derive(Debug)]
pub struct Prior;

const ABOUT: About = About {
    name: "prior",
    title: words(
        "不理解文本的捷径：多数、词、替换对、兄弟句差异",
        "shortcuts without understanding: majority, words, exchanged pairs, differences of siblings",
    ),
    how: words(
        "只数标签偏向什么：多数答案、空间词、理由的类型、字的组合，或者被替换的词。选项 by 与 fangwei audit 的捷径同名。pair-prior 和 sibling-difference 要把整个题目文件里的句子互相比较，才知道哪个词被换过；其他预测器都是一题一题单独回答。题目文件里没有兄弟句时，它们退回到多数答案。",
        "Counts only what labels lean on: the majority, words of space, the type of a reason, characters, or the words that were exchanged. The option by has the names of the shortcuts of fangwei audit. pair-prior and sibling-difference compare all items of the input with each other to see which word was exchanged; all other predictors answer each item by itself. Where the input has no siblings they fall back on the majority.",
    ),
};

/// Which shortcut, under the names that the audit has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The commonest answer.
    Majority,
    /// Words of space.
    Word,
    /// Exchanged pairs.
    Pair,
    /// What siblings differ in, with its neighbours.
    Sibling,
    /// Characters.
    NGram,
    /// The type of a reason.
    Type,
}

const NAMES: &[&str] = &["majority", "word-prior", "pair-prior", "sibling-difference", "n-gram", "type-prior"];

impl By {
    fn of(options: &Options) -> By {
        match options.text("by") {
            "word-prior" => By::Word,
            "pair-prior" => By::Pair,
            "sibling-difference" => By::Sibling,
            "n-gram" => By::NGram,
            "type-prior" => By::Type,
            _ => By::Majority,
        }
    }

    /// Whether it looks at the other items of the input.
    pub fn needs_siblings(self) -> bool {
        matches!(self, By::Pair | By::Sibling)
    }
}

const OPTIONS: &[Spec] = &[
    Spec {
        name: "by",
        default: "majority",
        kind: Kind::Choice(NAMES),
        when: When::Train,
        help: words(
            "用哪种捷径；pair-prior 和 sibling-difference 会比较题目文件中的全部题目。任务没有某种捷径时用最接近的较简单的一种",
            "which shortcut; pair-prior and sibling-difference compare all items of the input. Where a task has no such shortcut the next simpler one answers",
        ),
    },
    CANDIDATES,
];

impl Predictor for Prior {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [Spec] {
        OPTIONS
    }

    fn train(&self, job: &Job<'_>, part: &Part<'_>) -> Result<Box<dyn Model>, PredictError> {
        let by = By::of(job.options);
        job.check()?;
        let learnt = learn(by, job, part)?;
        Ok(Box::new(PriorModel { task: job.task, by, learnt, siblings: Siblings::default() }))
    }

    fn load(&self, task: &'static dyn Task, options: &Options, from: &ReadScope) -> Result<Box<dyn Model>, PredictError> {
        let learnt = match asked(task) {
            Asked::Judge | Asked::Reason => Learnt::Verdict(Leaning::get(&from.scope("first"))?),
            Asked::Joint => Learnt::Joint(Leaning::get(&from.scope("first"))?, Leaning::get(&from.scope("second"))?),
            Asked::Scene => Learnt::Scene(Leaning::get(&from.scope("first"))?),
            Asked::Anomaly | Asked::Attribute => Learnt::Span(from.get_json("marking")?),
            Asked::Roles => Learnt::Shape(from.get_json("shape")?),
        };
        Ok(Box::new(PriorModel { task, by: By::of(options), learnt, siblings: Siblings::default() }))
    }
}

/// What was counted for a task.
enum Learnt {
    Verdict(Leaning),
    Joint(Leaning, Leaning),
    Scene(Leaning),
    Span(Marking),
    Shape(Shape),
}

/// The verdict of an answer: of a joint one, either of the two.
fn yes(answer: Option<&Answer>, second: bool) -> Option<bool> {
    let value = |verdict: Verdict| verdict.value();
    match answer? {
        Answer::Verdict(verdict) => value(*verdict),
        Answer::Joint(first, other) => value(if second { *other } else { *first }),
        Answer::Scene(scene) => value(scene.judge),
        _ => None,
    }
}

/// Items with verdicts of the first of these tasks that has any; for the first verdict without the reason beside the text.
fn verdicts(part: &Part<'_>, tasks: &[&str], second: bool) -> Vec<(Item, bool)> {
    let of = |task: &&str| -> Vec<(Item, bool)> {
        let told = |example: &Example<'_>| {
            let yes = yes(example.item.gold.as_ref(), second)?;
            Some((if second { example.item.clone() } else { text_alone(example.item) }, yes))
        };
        part.of(task).iter().filter_map(told).collect()
    };
    tasks.iter().map(of).find(|items| !items.is_empty()).unwrap_or_default()
}

/// The item without the reason beside its text: whether a text is normal does not depend on it.
fn text_alone(item: &Item) -> Item {
    match &item.texts {
        Texts::Reason { context, .. } => Item { texts: Texts::One { context: context.clone() }, ..item.clone() },
        _ => item.clone(),
    }
}

fn learn(by: By, job: &Job<'_>, part: &Part<'_>) -> Result<Learnt, PredictError> {
    let task = job.task;
    let missing = |expected: &str| PredictError::NoMaterial { expected: expected.to_owned(), found: "0".to_owned() };
    let siblings = |items: &[(Item, bool)]| {
        if by.needs_siblings() { Siblings::of(items.iter().map(|(item, _)| item)) } else { Siblings::default() }
    };
    let leaning = |of: &[&str], second: bool| {
        let items = verdicts(part, of, second);
        if items.is_empty() {
            return Err(missing(&of.join(" / ")));
        }
        Ok(Leaning::learn(by, task, &items, &siblings(&items), job.seed))
    };
    Ok(match asked(task) {
        Asked::Judge => Learnt::Verdict(leaning(&[task.id(), "2022/judge", "2021/judge", "2021/joint"], false)?),
        Asked::Reason => Learnt::Verdict(leaning(&[task.id(), "2021/joint"], true)?),
        Asked::Joint => {
            let first = leaning(&["2021/judge", "2021/joint", "2022/judge"], false)?;
            Learnt::Joint(first, leaning(&["2021/reason", "2021/joint"], true)?)
        }
        // Of a handful of pairs nothing but the majority can be said.
        Asked::Scene => Learnt::Scene(Leaning::learn(
            By::Majority,
            task,
            &verdicts(part, &[task.id()], false),
            &Siblings::default(),
            job.seed,
        )),
        Asked::Anomaly | Asked::Attribute => {
            let typed = asked(task) == Asked::Attribute;
            let merged = part.merged(if typed { find("2022/attribute", task) } else { task });
            let items: Vec<&Item> = merged.iter().map(|one| one.item.as_ref()).collect();
            if items.is_empty() && part.of(task.id()).is_empty() {
                return Err(missing(task.id()));
            }
            let siblings = if by.needs_siblings() { Siblings::of(items.iter().copied()) } else { Siblings::default() };
            Learnt::Span(Marking::learn(typed, by, &items, &siblings))
        }
        Asked::Roles => {
            let merged = part.merged(find("2023/roles", task));
            if merged.is_empty() && part.of(task.id()).is_empty() {
                return Err(missing(task.id()));
            }
            Learnt::Shape(Shape::learn(merged.iter().map(|one| one.item.as_ref())))
        }
    })
}

/// A task that is in the list, else this one.
fn find(id: &str, task: &'static dyn Task) -> &'static dyn Task {
    tasks::find(id).unwrap_or(task)
}

struct PriorModel {
    task: &'static dyn Task,
    by: By,
    learnt: Learnt,
    siblings: Siblings,
}

impl Model for PriorModel {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        match &self.learnt {
            Learnt::Verdict(first) | Learnt::Scene(first) => first.put(&mut out.scope("first")),
            Learnt::Joint(first, second) => {
                first.put(&mut out.scope("first"))?;
                second.put(&mut out.scope("second"))
            }
            Learnt::Span(marking) => out.put_json("marking", marking),
            Learnt::Shape(shape) => out.put_json("shape", shape),
        }
    }

    fn prepare(&mut self, items: &[Item]) -> Result<(), PredictError> {
        if self.by.needs_siblings() {
            self.siblings = Siblings::of(items);
        }
        Ok(())
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(match &self.learnt {
            Learnt::Verdict(first) => Belief::Verdict(first.yes(self.task, item, &self.siblings)),
            Learnt::Joint(first, second) => Belief::Joint(
                first.yes(self.task, &text_alone(item), &self.siblings),
                second.yes(self.task, item, &self.siblings),
            ),
            Learnt::Scene(first) => {
                let texts = item.texts.each();
                let compared = scene::compare(item.texts.context(), texts.get(1).copied().unwrap_or_default());
                Belief::Scene {
                    same: first.yes(self.task, item, &self.siblings),
                    if_same: compared.if_same,
                    if_not: compared.if_not,
                }
            }
            Learnt::Span(marking) => marking.believe(self.by, item, &self.siblings),
            Learnt::Shape(shape) => Belief::Tuples(shape.tuples(item)),
        })
    }

    fn answer(&self, task: &dyn Task, item: &Item, options: &Options) -> Result<Answer, PredictError> {
        Ok(draft::answer(task, item, &self.believe(item, options)?, options))
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.points(item) })
    }
}

impl PriorModel {
    fn points(&self, item: &Item) -> Vec<Point> {
        let name = NAMES[self.by as usize];
        let shortcut = Say::new(format!("捷径 {name}，不看文本的意思"), format!("shortcut {name}, blind to what the text says"));
        let of = |leaning: &Leaning, item: &Item| {
            let odds = leaning.yes(self.task, item, &self.siblings);
            let words = self.siblings.words(item.texts.context()).unwrap_or_default().iter().map(|word| {
                let say = Say::new(format!("兄弟句中是“{}”", word.from), format!("siblings have “{}”", word.from));
                Point::new("replaced", word.to.as_str(), say).at(word.at.start as u32..word.at.end as u32)
            });
            let mut parts: Vec<Point> = words.collect();
            parts.extend(leaning.word(item).map(|(word, odds)| {
                Point::new("word", word.as_str(), Say::new("有这个词的题答“是”的比例", "share of yes among items with this word"))
                    .odds(odds)
            }));
            Point::new("prior", "", shortcut.clone()).odds(odds).with(parts)
        };
        match &self.learnt {
            Learnt::Verdict(first) | Learnt::Scene(first) => vec![of(first, item)],
            Learnt::Joint(first, second) => vec![of(first, &text_alone(item)), of(second, item)],
            Learnt::Span(marking) => {
                let point = |(word, odds): (fangwei::audit::Replacement, f64)| {
                    Point::new("anchor", word.to.as_str(), shortcut.clone())
                        .at(word.at.start as u32..word.at.end as u32)
                        .odds(odds)
                };
                marking.words(self.by, item, &self.siblings).into_iter().map(point).collect()
            }
            Learnt::Shape(shape) => {
                let roles = shape.roles().join(" ");
                vec![Point::new(
                    "prior",
                    roles,
                    Say::new(
                        "最常见的元组格式，填入最近的名词和动词",
                        "the commonest shape of a tuple, filled with the nearest noun and verb",
                    ),
                )]
            }
        }
    }
}
