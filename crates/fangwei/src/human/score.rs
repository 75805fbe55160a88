//! How well people did: everybody's score with its interval, mean, deviation and best, how far people agree, and on which items they do not.
//!
//! Everything is given without the excluded and, where somebody is excluded, with them too.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use super::rules::HumanError;
use super::subject::{Head, Held, Subject, item_score, origin_of};
use super::summary::{Summary, summary};
use crate::agree::{Marks, Options, Report, agree, marks_of, score_pairs};
use crate::compare::{measure_at, rows_of};
use crate::stats::{self, Interval, Resampling};
use crate::task::Item;

/// Below this share of people with the same answer an item is called subjective: in 2022 four of five made an item objective.
pub const OBJECTIVE: f64 = 0.8;

/// How a subject did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SubjectScore {
    /// Who.
    pub name: SmolStr,
    /// The rule by which they are excluded, if they are.
    pub excluded: Option<SmolStr>,
    /// How many items they answered.
    pub answered: u64,
    /// How many answers came too late.
    pub late: u64,
    /// The middle of their times.
    pub median_seconds: Option<f64>,
    /// The measure that ranks.
    pub score: f64,
    /// Its bootstrap interval over origins.
    pub interval: Interval,
    /// Wilson's interval, for accuracies.
    pub wilson: Option<Interval>,
}

/// An item on which people differ.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Subjective {
    /// The item.
    pub qid: SmolStr,
    /// Its text.
    pub text: String,
    /// Gold, as a label.
    pub gold: Option<SmolStr>,
    /// How many gave each label; empty for spans and tuples.
    pub labels: BTreeMap<SmolStr, u64>,
    /// The share of the most frequent label, or the mean score of people against each other.
    pub agreement: f64,
    /// The mean score of people on it.
    pub score: f64,
}

/// How some people did on a study.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudyScores {
    /// What it is about.
    #[serde(flatten)]
    pub head: Head,
    /// Everybody, those who are excluded too.
    pub subjects: Vec<SubjectScore>,
    /// Without the excluded.
    pub valid: Option<Summary>,
    /// With them.
    pub all: Option<Summary>,
    /// Kappas, or scores against each other; with the excluded too where there are any.
    pub agreement: Report,
    /// Items on which the valid subjects differ, the most disputed first.
    pub subjective: Vec<Subjective>,
}

/// Scores a study.
pub fn score_study(held: &Held, resampling: &Resampling) -> Result<StudyScores, HumanError> {
    if held.subjects.is_empty() {
        return Err(HumanError::NoSubjects);
    }
    let subjects = held.subjects.iter().map(|subject| one(held, subject, resampling)).collect::<Result<Vec<_>, _>>()?;
    let scores = |valid: bool| {
        let kept = subjects.iter().filter(|subject| !valid || subject.excluded.is_none());
        summary(&kept.map(|subject| subject.score).collect::<Vec<_>>())
    };
    Ok(StudyScores {
        head: held.head(resampling),
        valid: scores(true),
        all: scores(false),
        agreement: agreement(held, resampling)?,
        subjective: subjective(held),
        subjects,
    })
}

fn one(held: &Held, subject: &Subject, resampling: &Resampling) -> Result<SubjectScore, HumanError> {
    let task = held.study.task;
    let scored = subject.scored(task, held.mode, &held.items);
    let read = measure_at(task, held.mode, task.scale().ranking);
    let hits = scored.total.sums[task.scale().item] as u64;
    Ok(SubjectScore {
        name: subject.name.clone(),
        excluded: held.excluded(&subject.name).map(|entry| entry.rule.clone()),
        answered: subject.answered() as u64,
        late: subject.late_answers() as u64,
        median_seconds: subject.median_seconds(),
        score: scored.measures().get(task.scale().ranking).unwrap_or(0.0),
        interval: stats::bootstrap(&rows_of(&scored)?, &held.groups, &read, resampling)?,
        wilson: task.scale().accuracy.then(|| stats::wilson(hits, scored.total.items, resampling.confidence)),
    })
}

/// Kappas where answers are labels, scores against each other where there is more to them.
fn agreement(held: &Held, resampling: &Resampling) -> Result<Report, HumanError> {
    let task = held.study.task;
    let (all, valid) = (held.sets(&held.subjects), held.sets(held.valid()));
    let options = Options { resampling: Some(*resampling), ..Options::default() };
    let mut report = Report::default();
    let is_excluded = |subject: &&Subject| held.excluded(&subject.name).is_some();
    report.excluded = held.subjects.iter().filter(is_excluded).map(|subject| subject.name.clone()).collect();
    if let Some(marks) = marks_of(&all) {
        let marks = Marks::new(marks, &[])?;
        report.agreement = Some(agree(&marks.without(&report.excluded), &options)?);
        if held.has_excluded() {
            report.with_all = Some(agree(&marks, &options)?);
        }
    }
    if !task.scale().accuracy {
        report.scores = Some(score_pairs(task, held.mode, &valid, Some(resampling), origin_of)?);
        if held.has_excluded() {
            report.scores_with_all = Some(score_pairs(task, held.mode, &all, Some(resampling), origin_of)?);
        }
    }
    Ok(report)
}

/// The items on which people differ.
fn subjective(held: &Held) -> Vec<Subjective> {
    let (task, people) = (held.study.task, held.valid());
    let labels: Vec<Vec<Option<SmolStr>>> = people.iter().map(|subject| subject.labels()).collect();
    let gold = Subject { answers: held.items.iter().map(|item| item.gold.clone()).collect(), ..Subject::default() }.labels();
    let mut found = Vec::new();
    for (at, item) in held.items.iter().enumerate() {
        let mut counts: BTreeMap<SmolStr, u64> = BTreeMap::new();
        for label in labels.iter().filter_map(|labels| labels[at].clone()) {
            *counts.entry(label).or_default() += 1;
        }
        let given: u64 = counts.values().sum();
        let agreement = match counts.values().max() {
            Some(most) if task.scale().accuracy && given > 1 => Some(*most as f64 / given as f64),
            _ if task.scale().accuracy => None,
            _ => between(held, &people, at),
        };
        let score = mean_score(held, &people, at);
        if let Some(agreement) = agreement.filter(|agreement| *agreement < OBJECTIVE - 1e-9) {
            let (qid, text) = (item.qid.clone(), item.texts.joined());
            found.push(Subjective { qid, text, gold: gold[at].clone(), labels: counts, agreement, score });
        }
    }
    found.sort_by(|one, other| one.agreement.total_cmp(&other.agreement));
    found
}

fn mean_score(held: &Held, people: &[&Subject], at: usize) -> f64 {
    let one = |subject: &&Subject| item_score(held.study.task, held.mode, &held.items[at], subject.answers[at].as_ref());
    summary(&people.iter().map(one).collect::<Vec<_>>()).map_or(0.0, |summary| summary.mean)
}

/// The mean score of people on an item, each serving as gold for each of the others.
fn between(held: &Held, people: &[&Subject], at: usize) -> Option<f64> {
    let answers: Vec<_> = people.iter().filter_map(|subject| subject.answers[at].clone()).collect();
    let mut scores = Vec::new();
    for (number, gold) in answers.iter().enumerate() {
        let item = Item { gold: Some(gold.clone()), ..held.items[at].clone() };
        let others = answers.iter().enumerate().filter(|(other, _)| *other != number);
        scores.extend(others.map(|(_, pred)| item_score(held.study.task, held.mode, &item, Some(pred))));
    }
    summary(&scores).map(|summary| summary.mean)
}
