//! The rules over a whole gold file: what each finds, and what a filter by it would take away, label by label.
//!
//! A filter that drops items with a finding can drop a whole class with them (one dropped every path said with the verb 过). So a release is told what would
//! go before anything goes.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::{Finding, Mark, Rule, Severity, check};
use crate::answer::Answer;
use crate::lang::Lang;
use crate::page::percent;
use crate::table::{Cell, Table};
use crate::task::{Item, Task};
use crate::tasks::SLOTS;

/// How often each label occurs.
pub type Labels = BTreeMap<String, u64>;

/// What one rule found in a file.
#[derive(Clone, Debug)]
pub struct SurveyRow {
    /// The rule.
    pub rule: &'static Rule,
    /// How many findings there are.
    pub findings: u64,
    /// How many items have one.
    pub items: u64,
    /// The labels of these items: what would go with them.
    pub lost: Labels,
    /// The first items that have one.
    pub examples: Vec<(String, Finding)>,
}

/// What the rules found in a file.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How many items were looked at.
    pub items: u64,
    /// How many of them have an error.
    pub blocked: u64,
    /// The labels of all items.
    pub labels: Labels,
    /// The rules that apply, in their order, those that found nothing too.
    pub rows: Vec<SurveyRow>,
}

/// So many items are named for each rule.
const EXAMPLES: usize = 3;

/// Runs the rules over the gold of items.
pub fn survey(task: &dyn Task, items: &[Item], rules: &[&'static Rule]) -> Survey {
    let row = |rule: &&'static Rule| SurveyRow { rule, findings: 0, items: 0, lost: Labels::new(), examples: Vec::new() };
    let rows = rules.iter().filter(|rule| rule.applies(task.kind())).map(row).collect();
    let mut survey = Survey { items: 0, blocked: 0, labels: Labels::new(), rows };
    let found: Vec<Vec<Finding>> = items.par_iter().map(|item| check(task, item, &Mark::of_gold(item), rules)).collect();
    for (item, findings) in items.iter().zip(found) {
        survey.add(item, &findings);
    }
    survey
}

impl Survey {
    fn add(&mut self, item: &Item, findings: &[Finding]) {
        let labels = labels(item.gold.as_ref());
        let count = |into: &mut Labels| {
            for label in &labels {
                *into.entry(label.clone()).or_default() += 1;
            }
        };
        self.items += 1;
        self.blocked += u64::from(findings.iter().any(Finding::blocks));
        count(&mut self.labels);
        for row in &mut self.rows {
            let own: Vec<&Finding> = findings.iter().filter(|finding| finding.rule == row.rule.id).collect();
            let Some(first) = own.first() else { continue };
            row.findings += own.len() as u64;
            row.items += 1;
            count(&mut row.lost);
            if row.examples.len() < EXAMPLES {
                row.examples.push((item.qid.to_string(), (*first).clone()));
            }
        }
    }

    /// Whether no item has an error.
    pub fn is_clean(&self) -> bool {
        self.blocked == 0
    }

    /// The share of a label that a filter by a rule would take away; 0 where nothing has the label.
    pub fn loss(&self, row: &SurveyRow, label: &str) -> f64 {
        let of = |labels: &Labels| labels.get(label).copied().unwrap_or_default() as f64;
        if of(&self.labels) == 0.0 { 0.0 } else { of(&row.lost) / of(&self.labels) }
    }

    /// The label that suffers most, with its share.
    fn worst<'r>(&self, row: &'r SurveyRow) -> Option<(&'r str, f64)> {
        let shares = row.lost.keys().map(|label| (label.as_str(), self.loss(row, label)));
        shares.reduce(|worst, next| if next.1 > worst.1 { next } else { worst })
    }

    /// The rules that found something, as a table: findings, items, share of items, and the label that a filter would hit hardest.
    pub fn table(&self, lang: Lang) -> Table {
        let mut table = Table::new([
            lang.say("规则", "rule"),
            lang.say("程度", "severity"),
            lang.say("内容", "what"),
            lang.say("发现", "findings"),
            lang.say("题数", "items"),
            lang.say("占比", "share"),
            lang.say("若筛除，损失最大的标签", "label that a filter hits hardest"),
            lang.say("例", "example"),
        ]);
        for row in self.rows.iter().filter(|row| row.findings > 0) {
            let worst = self.worst(row).map(|(label, share)| format!("{label} {}", percent(share)));
            let example = row.examples.first().map(|(qid, finding)| format!("{qid} {}", finding.message.get(lang)));
            table.row([
                Cell::from(row.rule.id),
                Cell::from(row.rule.severity.title(lang)),
                Cell::from(row.rule.title.get(lang)),
                Cell::from(row.findings),
                Cell::from(row.items),
                Cell::from(percent(row.items as f64 / self.items.max(1) as f64)),
                Cell::from(worst),
                Cell::from(example),
            ]);
        }
        table
    }

    /// Everything as JSON.
    pub fn to_json(&self, task: &dyn Task, lang: Lang) -> Value {
        let row = |row: &SurveyRow| {
            let lost: BTreeMap<&String, f64> = row.lost.keys().map(|label| (label, self.loss(row, label))).collect();
            let examples: Vec<Value> = row
                .examples
                .iter()
                .map(|(qid, finding)| json!({ "qid": qid, "pointer": finding.pointer, "message": finding.message.get(lang) }))
                .collect();
            json!({
                "rule": row.rule.id,
                "severity": row.rule.severity,
                "title": row.rule.title.get(lang),
                "findings": row.findings,
                "items": row.items,
                "lost": lost,
                "examples": examples,
            })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "task": task.id(), "items": self.items, "blocked": self.blocked, "labels": self.labels, "rules": rows })
    }

    /// How many findings of a severity there are, by the rules' own severities.
    pub fn count(&self, severity: Severity) -> u64 {
        self.rows.iter().filter(|row| row.rule.severity == severity).map(|row| row.findings).sum()
    }
}

/// What an answer says, in words: verdicts, types, numbers of fragments, roles.
fn labels(answer: Option<&Answer>) -> Vec<String> {
    match answer {
        Some(Answer::Verdict(verdict) | Answer::Joint(verdict, _)) => {
            verdict.value().map(|value| value.to_string()).into_iter().collect()
        }
        Some(Answer::Scene(scene)) => scene.judge.value().map(|value| value.to_string()).into_iter().collect(),
        Some(Answer::Reasons(reasons)) => reasons.iter().map(|reason| reason.kind.as_str().to_owned()).collect(),
        Some(Answer::Candidates(candidates)) => candidates.iter().map(|parts| parts.len().to_string()).collect(),
        Some(Answer::Slots(tuples)) => {
            let filled = |tuple: &Vec<crate::answer::Slot>| -> Vec<String> {
                let slots = tuple.iter().zip(SLOTS).filter(|(slot, _)| **slot != crate::answer::Slot::Empty);
                slots.map(|(_, name)| name.to_owned()).collect()
            };
            tuples.iter().flat_map(filled).collect()
        }
        Some(Answer::Tuples(tuples)) => tuples.iter().flatten().map(|element| element.role.to_string()).collect(),
        Some(Answer::DraftReason(_) | Answer::Graph(_)) | None => Vec::new(),
    }
}
