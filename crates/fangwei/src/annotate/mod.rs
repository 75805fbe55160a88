//! The rules of annotation: one slice, [`RULES`], for the editor, the server and the release.
//!
//! A [`Mark`] is what one person says of one item. A [`Rule`] looks at a mark in its text ([`Subject`]) and gives [`Finding`]s, each with its place in the mark and in
//! the text, a message in two languages and, where possible, a change that mends it. Errors block finishing; warnings may be waived with a reason. The decisions
//! behind the rules are in `docs/design/annotation.md`, the rules for people in `docs/guide/*/rules.md`, which [`cards`] writes.
//!
//! ```
//! use fangwei::annotate::{Mark, RULES, check};
//! use fangwei::record::{Check, Json};
//! use fangwei::task::read_item;
//!
//! let task = fangwei::tasks::find("2023/roles")?;
//! let record = r#"{"qid":"1","context":"票放在桌上。","corefs":[],"results":[[{"role":"处所","fragment":{"text":"在桌上","idxes":[2,3,4]}}]]}"#;
//! let item = read_item(task, &Json::parse(record.as_bytes())?, true, &mut Check::new("gold".into(), 1)).expect("a record");
//! let findings = check(task, &item, &Mark::of_gold(&item), RULES);
//! assert!(findings.iter().any(|finding| finding.rule == "SR01" && finding.blocks()), "the entity is missing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cards;
mod craft;
mod example;
mod finding;
mod fix;
pub mod form;
mod mark;
mod reading;
mod role;
mod rules;
mod subject;
mod survey;

pub use cards::cards;
pub use craft::{Deciding, Flaw, MOST_GRADE, Problem, WrittenPair};
pub use example::{Example, ExampleError, example};
pub use finding::{Finding, Hit, Severity};
pub use fix::Fix;
pub use mark::{FORMAT, Level, Mark, RULES_VERSION, Special, Unsuitable, Waiver};
pub use reading::{Reading, Token};
pub use role::Role;
pub use rules::RULES;
pub use subject::{MOST_RECORDS, Mention, MentionSet, Record, Side, Spot, Subject, Value};
pub use survey::{Survey, SurveyRow, survey};

use crate::answer::Kind;
use crate::lang::Words;
use crate::task::{Item, Task};

/// So many findings of one rule are kept for one mark.
const MOST_OF_RULE: usize = 100;

/// One rule of annotation.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which never changes: `SF15`.
    pub id: &'static str,
    /// The answers that it applies to.
    pub on: &'static [Kind],
    /// How much a finding of it matters.
    pub severity: Severity,
    /// What it is about.
    pub title: Words,
    /// What to do.
    pub message: Words,
    /// Looks at a mark.
    pub check: fn(&Subject<'_>) -> Vec<Hit>,
    /// Marks that it has nothing to say of: the first for people, the others are near misses.
    pub passes: &'static [Example],
    /// A mark in which it finds one thing, and no other rule finds an error or a warning.
    pub fails: Example,
}

impl Rule {
    /// Whether the rule applies to answers of this kind.
    pub fn applies(&self, kind: Kind) -> bool {
        self.on.contains(&kind)
    }
}

/// Checks a mark of an item by some rules, in their order. What the person waived is still listed, with the reason.
pub fn check(task: &dyn Task, item: &Item, mark: &Mark, rules: &[&Rule]) -> Vec<Finding> {
    let reading = Reading::of(item.texts.context());
    check_subject(&Subject::new(task, item, mark, &reading), rules)
}

/// The same for a subject at hand: its text was read before, or the replaced words are known.
pub fn check_subject(subject: &Subject<'_>, rules: &[&Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules.iter().filter(|rule| rule.applies(subject.kind())) {
        let hits = (rule.check)(subject).into_iter().take(MOST_OF_RULE);
        findings.extend(hits.map(|hit| Finding::new(rule, hit, subject)));
    }
    for finding in &mut findings {
        finding.settle(&subject.mark.waivers);
    }
    findings
}

/// The rule of a name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests;
