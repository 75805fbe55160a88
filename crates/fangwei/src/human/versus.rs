//! People and machines on the same items: is a machine above or below people, or is it chance?
//!
//! The mean of people is a system of its own: each item's row is the mean of everybody's, so that the same bootstrap and the same permutation over origins tell it from
//! a machine. Machines beside each subject are corrected for their number (Holm). For verdicts the majority vote is one more system, right or wrong.

use serde::Serialize;
use smol_str::SmolStr;

use super::rules::HumanError;
use super::subject::{Head, Held, Subject};
use super::summary::{Summary, summary};
use crate::answer::{Answer, Kind, Verdict};
use crate::compare::{McNemar, measure_at, rows_of};
use crate::score::{Predictions, Scored, score_items};
use crate::stats::{self, Groups, Interval, Paired, Resampling, Rows, StatsError};

/// A machine beside a subject.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Beside {
    /// The subject.
    pub subject: SmolStr,
    /// Score of the machine minus score of the subject.
    pub difference: f64,
    /// Its interval.
    pub interval: Interval,
    /// Sign-flip permutation over origins, two-sided.
    pub p_permutation: f64,
    /// The same, corrected for the number of pairs.
    pub p_holm: f64,
}

/// A machine beside people.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Machine {
    /// The run.
    pub name: String,
    /// How many of the items it answered.
    pub answered: u64,
    /// Its score.
    pub score: f64,
    /// The machine minus the mean of people.
    pub mean: Paired,
    /// How many subjects it is above.
    pub above: usize,
    /// How many of these beyond chance (Holm, by the confidence of the study).
    pub above_beyond_chance: usize,
    /// How many subjects are above it beyond chance.
    pub below_beyond_chance: usize,
    /// Each subject.
    pub subjects: Vec<Beside>,
    /// The machine (A) against the majority vote of people (B), for verdicts.
    pub vote: Option<McNemar>,
}

/// The majority vote of people.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Vote {
    /// Its score.
    pub score: f64,
    /// Items without a majority: the vote says nothing there.
    pub ties: u64,
}

/// Some people and machines.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Versus {
    /// The people.
    pub people: Summary,
    /// The mean of people, as one system: item by item.
    pub mean: f64,
    /// The majority vote, for verdicts.
    pub vote: Option<Vote>,
    /// The machines, in the order given.
    pub machines: Vec<Machine>,
}

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// What it is about.
    #[serde(flatten)]
    pub head: Head,
    /// Without the excluded.
    pub valid: Versus,
    /// With them, where there are any.
    pub with_excluded: Option<Versus>,
}

/// Holds machines against the people of a study.
pub fn versus(held: &Held, runs: &[(String, Predictions)], resampling: &Resampling) -> Result<Comparison, HumanError> {
    let task = held.study.task;
    let machine = |(name, preds): &(String, Predictions)| {
        let answers: Vec<Option<&Answer>> = held.items.iter().map(|item| preds.answers.get(&item.qid)).collect();
        (name.clone(), score_items(task, held.mode, &held.items, &answers))
    };
    let machines: Vec<(String, Scored<()>)> = runs.iter().map(machine).collect();
    let all: Vec<&Subject> = held.subjects.iter().collect();
    let with_excluded = if held.has_excluded() { Some(beside(held, &all, &machines, resampling)?) } else { None };
    Ok(Comparison { head: held.head(resampling), valid: beside(held, &held.valid(), &machines, resampling)?, with_excluded })
}

fn beside(
    held: &Held,
    people: &[&Subject],
    machines: &[(String, Scored<()>)],
    resampling: &Resampling,
) -> Result<Versus, HumanError> {
    let task = held.study.task;
    let read = measure_at(task, held.mode, task.scale().ranking);
    let score = |scored: &Scored<()>| scored.measures().get(task.scale().ranking).unwrap_or(0.0);
    let subjects: Vec<(SmolStr, Scored<()>)> =
        people.iter().map(|subject| (subject.name.clone(), subject.scored(task, held.mode, &held.items))).collect();
    let scores: Vec<f64> = subjects.iter().map(|(_, scored)| score(scored)).collect();
    let summary = summary(&scores).ok_or(HumanError::NoSubjects)?;
    let rows = subjects.iter().map(|(_, scored)| rows_of(scored)).collect::<Result<Vec<_>, _>>()?;
    let mean = mean_rows(&rows)?;
    let vote = (task.kind() == Kind::Verdict).then(|| majority(held, people));
    let held_against = |a: &Rows, b: &Rows, groups: &Groups| stats::paired(a, b, groups, &read, resampling);
    let mut told = Vec::new();
    for (name, machine) in machines {
        let own = rows_of(machine)?;
        let mut beside = Vec::new();
        for ((subject, _), rows) in subjects.iter().zip(&rows) {
            let paired = held_against(&own, rows, &held.groups)?;
            beside.push(Beside {
                subject: subject.clone(),
                difference: paired.difference,
                interval: paired.interval,
                p_permutation: paired.p_permutation,
                p_holm: 1.0,
            });
        }
        told.push(Machine {
            name: name.clone(),
            answered: machine.total.answered,
            score: score(machine),
            mean: held_against(&own, &mean, &held.groups)?,
            above: beside.iter().filter(|beside| beside.difference > 1e-12).count(),
            above_beyond_chance: 0,
            below_beyond_chance: 0,
            subjects: beside,
            vote: vote.as_ref().map(|(vote, _)| McNemar::of(machine, vote)),
        });
    }
    correct(&mut told, 1.0 - resampling.confidence);
    let vote = vote.map(|(vote, ties)| Vote { score: score(&vote), ties });
    let sums = mean.sums();
    Ok(Versus { people: summary, mean: read(&sums, held.items.len() as f64), vote, machines: told })
}

/// Holm over all machines and subjects, and what stands beyond chance after it.
fn correct(machines: &mut [Machine], level: f64) {
    let p: Vec<f64> = machines.iter().flat_map(|machine| machine.subjects.iter().map(|beside| beside.p_permutation)).collect();
    let mut corrected = stats::holm(&p).into_iter();
    for machine in machines {
        for (beside, p) in machine.subjects.iter_mut().zip(&mut corrected) {
            beside.p_holm = p;
        }
        let beyond = |sign: f64| machine.subjects.iter().filter(|one| one.p_holm <= level && one.difference * sign > 0.0).count();
        (machine.above_beyond_chance, machine.below_beyond_chance) = (beyond(1.0), beyond(-1.0));
    }
}

/// Item by item the mean of everybody's rows.
fn mean_rows(rows: &[Rows]) -> Result<Rows, StatsError> {
    let first = rows.first().ok_or(StatsError::Empty("subject"))?;
    let mut mean = Rows::new(first.width());
    for at in 0..first.len() {
        let column = |column: usize| rows.iter().filter_map(|rows| Some(rows.row(at)?[column])).sum::<f64>() / rows.len() as f64;
        mean.push(&(0..first.width()).map(column).collect::<Vec<_>>())?;
    }
    Ok(mean)
}

/// The verdict that more than half of those give who answer; nothing where there is a tie.
fn majority(held: &Held, people: &[&Subject]) -> (Scored<()>, u64) {
    let vote = |at: usize| {
        let verdicts = people.iter().filter_map(|subject| match subject.answers[at] {
            Some(Answer::Verdict(verdict)) => verdict.value(),
            _ => None,
        });
        let balance: i64 = verdicts.map(|verdict| if verdict { 1 } else { -1 }).sum();
        (balance != 0).then(|| Answer::Verdict(Verdict::Plain(balance > 0)))
    };
    let votes: Vec<Option<Answer>> = (0..held.items.len()).map(vote).collect();
    let ties = votes.iter().filter(|vote| vote.is_none()).count() as u64;
    let votes: Vec<Option<&Answer>> = votes.iter().map(Option::as_ref).collect();
    (score_items(held.study.task, held.mode, &held.items, &votes), ties)
}
