//! When somebody's answers do not count: rules with a name, a number that is measured, and a threshold that is written down beforehand.
//!
//! The paper of 2021 calls answers void that show a mechanical regularity or that the task was not understood. Here each of these is a number. A rule says who
//! breaks it, and nothing more: whether they are excluded is somebody's decision, and is logged.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use super::pattern::repetition;
use super::subject::{Held, Subject, item_score, origin_of};
use super::summary::{middle, summary};
use crate::agree::{AgreeError, Marks, Options, Outcome, OutlierRule, agree, marks_of, outliers, score_pairs};
use crate::lang::{Say, Words, words};
use crate::stats::{Resampling, StatsError};

/// Fewer answers than this show no pattern.
pub const LEAST_ANSWERS: usize = 20;

/// So many wrong pairings of answers and items tell what chance earns.
const MOST_SHIFTS: usize = 200;

/// A rule.
#[derive(Debug)]
pub struct ExclusionRule {
    /// Its name, in kebab case: the key in `study.toml`.
    pub name: &'static str,
    /// Its title.
    pub title: Words,
    /// When it is broken.
    pub holds: Words,
    /// The threshold where nothing is said.
    pub usual: f64,
    measure: fn(&Looked<'_>, f64) -> Measured,
}

/// What rules look at.
struct Looked<'a> {
    held: &'a Held,
    subject: &'a Subject,
    labels: &'a [Option<SmolStr>],
    /// The share of the most frequent label of gold.
    gold_share: Option<f64>,
    apart: &'a [Apart],
}

/// What a rule measured.
#[derive(Default)]
struct Measured {
    value: Option<f64>,
    breaks: bool,
    note: Option<Say>,
    /// The threshold, where it depends on everybody.
    threshold: Option<f64>,
}

impl Measured {
    fn at_least(value: Option<f64>, threshold: f64) -> Measured {
        Measured { value, breaks: value.is_some_and(|value| value >= threshold), ..Measured::default() }
    }

    fn below(value: Option<f64>, threshold: f64) -> Measured {
        Measured { value, breaks: value.is_some_and(|value| value < threshold), ..Measured::default() }
    }
}

/// The rules.
pub static RULES: [ExclusionRule; 6] = [
    ExclusionRule {
        name: "one-answer",
        title: words("只有一种答案", "one answer throughout"),
        holds: words(
            "最多的一种答案占到这个比例（题目的正确答案本身达到它时不用）",
            "the most frequent answer has this share or more (not applied where gold itself has)",
        ),
        usual: 0.95,
        measure: one_answer,
    },
    ExclusionRule {
        name: "pattern",
        title: words("机械规律", "a mechanical pattern"),
        holds: words(
            "相隔 1 到 4 题的答案相同（或相隔 1 题的不同）之多，偏离随机次序达到这么多个标准差（至少 20 个答案）",
            "answers 1 to 4 places apart are equal (or 1 apart differ) beyond an order of chance by so many standard deviations (of 20 answers or more)",
        ),
        usual: 4.0,
        measure: pattern,
    },
    ExclusionRule {
        name: "too-fast",
        title: words("太快", "too fast"),
        holds: words("每题用时的中位数少于这么多秒", "the median time of an answer is below so many seconds"),
        usual: 3.0,
        measure: |looked, threshold| Measured::below(looked.subject.median_seconds(), threshold),
    },
    ExclusionRule {
        name: "incomplete",
        title: words("没有做完", "incomplete"),
        holds: words("作答的比例低于此数", "the share of items answered is below this"),
        usual: 0.9,
        measure: incomplete,
    },
    ExclusionRule {
        name: "chance",
        title: words("不好于随机", "not above chance"),
        holds: words(
            "得分高出把本人的答案错配给别的题的得分，不足这么多个标准差",
            "the score is above that of the same answers given to other items by fewer than so many standard deviations",
        ),
        usual: 1.645,
        measure: |looked, threshold| Measured::below(above_chance(looked.held, looked.subject), threshold),
    },
    ExclusionRule {
        name: "apart",
        title: words("离群", "standing apart"),
        holds: words(
            "与他人的平均 kappa（或互评得分）比中位数低过此数，也低过 2×1.4826×MAD，区间也在中位数之下（至少四人）",
            "the mean kappa (or score) with the others is below the median by more than this and by more than 2 × 1.4826 MAD, and so is its interval (of four people or more)",
        ),
        usual: 0.1,
        measure: apart,
    },
];

/// What a rule says of somebody.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Who.
    pub subject: SmolStr,
    /// The rule.
    pub rule: &'static str,
    /// What was measured; `None` where it cannot be.
    pub value: Option<f64>,
    /// The threshold.
    pub threshold: f64,
    /// Whether the rule is broken.
    pub breaks: bool,
    /// What it looks like.
    #[serde(skip)]
    pub note: Option<Say>,
}

/// Why a study cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum HumanError {
    /// Marks that cannot be held against each other.
    #[error(transparent)]
    Agree(#[from] AgreeError),
    /// Numbers that cannot be resampled.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// Nobody answered.
    #[error("expected a file of answers at least, found none")]
    NoSubjects,
}

/// What every rule says of everybody: by subject, then by rule.
pub fn check(held: &Held, resampling: &Resampling) -> Result<Vec<Finding>, HumanError> {
    let gold = Subject { answers: held.items.iter().map(|item| item.gold.clone()).collect(), ..Subject::default() };
    let gold_share = top_share(&gold.labels());
    let apart = stand_apart(held, resampling)?;
    let mut findings = Vec::new();
    for subject in &held.subjects {
        let labels = subject.labels();
        let looked = Looked { held, subject, labels: &labels, gold_share, apart: &apart };
        for (rule, threshold) in RULES.iter().zip(&held.study.rules) {
            let Some(threshold) = *threshold else { continue };
            let Measured { value, breaks, note, threshold: of_all } = (rule.measure)(&looked, threshold);
            let threshold = of_all.unwrap_or(threshold);
            findings.push(Finding { subject: subject.name.clone(), rule: rule.name, value, threshold, breaks, note });
        }
    }
    Ok(findings)
}

fn one_answer(looked: &Looked<'_>, threshold: f64) -> Measured {
    // Items that all have one right answer ask for it throughout.
    let applies = looked.gold_share.is_none_or(|share| share < threshold);
    Measured::at_least(top_share(looked.labels).filter(|_| applies), threshold)
}

fn pattern(looked: &Looked<'_>, threshold: f64) -> Measured {
    let numbers = numbered(looked.labels);
    let found = repetition(&numbers).filter(|_| numbers.len() >= LEAST_ANSWERS);
    Measured { note: found.map(|found| found.say()), ..Measured::at_least(found.map(|found| found.z.abs()), threshold) }
}

fn incomplete(looked: &Looked<'_>, threshold: f64) -> Measured {
    let share = looked.subject.answered() as f64 / looked.held.items.len() as f64;
    Measured::below(Some(share).filter(|share| share.is_finite()), threshold)
}

fn apart(looked: &Looked<'_>, _: f64) -> Measured {
    let Some(found) = looked.apart.iter().find(|one| one.name == looked.subject.name) else { return Measured::default() };
    Measured { value: found.gap, breaks: found.limit.is_some(), threshold: found.limit, note: None }
}

/// The share of the most frequent label.
fn top_share(labels: &[Option<SmolStr>]) -> Option<f64> {
    let mut counts: BTreeMap<&SmolStr, u64> = BTreeMap::new();
    for label in labels.iter().flatten() {
        *counts.entry(label).or_default() += 1;
    }
    let all: u64 = counts.values().sum();
    counts.values().max().map(|most| *most as f64 / all as f64)
}

/// Labels as numbers, those that were given.
fn numbered(labels: &[Option<SmolStr>]) -> Vec<usize> {
    let mut numbers: BTreeMap<&SmolStr, usize> = BTreeMap::new();
    let mut number = |label| {
        let next = numbers.len();
        *numbers.entry(label).or_insert(next)
    };
    labels.iter().flatten().map(&mut number).collect()
}

/// How many standard deviations a subject's mean item score lies above that of the same answers given to other items, shifted along the list.
fn above_chance(held: &Held, subject: &Subject) -> Option<f64> {
    let answered: Vec<usize> = (0..held.items.len()).filter(|at| subject.answers[*at].is_some()).collect();
    if answered.len() < 3 {
        return None;
    }
    let mean = |shift: usize| {
        let sum: f64 = (0..answered.len())
            .map(|at| {
                let answer = subject.answers[answered[(at + shift) % answered.len()]].as_ref();
                item_score(held.study.task, held.mode, &held.items[answered[at]], answer)
            })
            .sum();
        sum / answered.len() as f64
    };
    let shifts = (answered.len() - 1).min(MOST_SHIFTS);
    // Evenly over all shifts where there are more than are needed.
    let chances: Vec<f64> = (0..shifts).map(|number| mean(1 + number * (answered.len() - 1) / shifts)).collect();
    let chance = summary(&chances)?;
    if chance.minimum > 1.0 - 1e-9 {
        // Every answer is right everywhere: the items ask for nothing.
        return None;
    }
    // Spans that fit nowhere else earn nothing there: a deviation of less than one item is no measure.
    let deviation = chance.deviation.max(1.0 / answered.len() as f64);
    Some((mean(0) - chance.mean) / deviation)
}

/// How far somebody's mean with the others is below the median of all.
struct Apart {
    name: SmolStr,
    gap: Option<f64>,
    /// The gap beyond which somebody stands apart, of those who do.
    limit: Option<f64>,
}

/// Everybody's mean kappa with the others, or mean score where answers have no labels, and who is far below the median.
fn stand_apart(held: &Held, resampling: &Resampling) -> Result<Vec<Apart>, HumanError> {
    let own = RULES.iter().zip(&held.study.rules).find(|(rule, _)| rule.name == "apart");
    let gap = own.and_then(|(_, threshold)| *threshold).unwrap_or(f64::INFINITY);
    // That somebody gives one label only has a rule of its own.
    let rule = OutlierRule { gap, one_label: usize::MAX, ..OutlierRule::default() };
    let sets = held.sets(&held.subjects);
    let means: Vec<(SmolStr, Outcome)> = match marks_of(&sets) {
        Some(marks) => {
            let options = Options { resampling: Some(*resampling), outliers: rule, ..Options::default() };
            let agreement = agree(&Marks::new(marks, &[])?, &options)?;
            agreement.annotators.into_iter().map(|one| (one.name, one.mean)).collect()
        }
        None => score_pairs(held.study.task, held.mode, &sets, Some(resampling), origin_of)?.means,
    };
    let found = outliers(&means, &rule);
    let median = middle(means.iter().filter_map(|(_, mean)| mean.get()).collect());
    let one = |(name, mean): &(SmolStr, Outcome)| {
        let outlier = found.iter().find(|outlier| outlier.name == *name);
        Apart {
            name: name.clone(),
            gap: median.zip(mean.get()).map(|(median, mean)| median - mean),
            limit: outlier.and_then(|outlier| Some(outlier.median? - outlier.limit?)),
        }
    };
    Ok(means.iter().map(one).collect())
}

#[cfg(test)]
mod tests;
