//! Who was excluded and readmitted: a log that only grows, so that nobody's answers disappear without a trace. Of several words about somebody the last counts.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// The name of the file.
pub const EXCLUDED: &str = "excluded.jsonl";

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The answers do not count.
    Exclude,
    /// They count again.
    Readmit,
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Who.
    pub subject: SmolStr,
    /// What was done.
    pub action: Action,
    /// The rule, or `hand`.
    pub rule: SmolStr,
    /// What was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The threshold that held then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Who did it: `rule`, or a person.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// Where somebody stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Standing<'l> {
    /// Nobody said anything about them.
    Admitted,
    /// Excluded, as this line tells.
    Excluded(&'l Entry),
    /// Readmitted, as this line tells: no rule excludes them again by itself.
    Readmitted(&'l Entry),
}

/// Where somebody stands by the log.
pub fn standing<'l>(log: &'l [Entry], subject: &str) -> Standing<'l> {
    match log.iter().rev().find(|entry| entry.subject == subject) {
        None => Standing::Admitted,
        Some(entry) if entry.action == Action::Exclude => Standing::Excluded(entry),
        Some(entry) => Standing::Readmitted(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let entry = |action, at| Entry {
            subject: "甲".into(),
            action,
            rule: "hand".into(),
            value: None,
            threshold: None,
            why: String::new(),
            by: "组长".to_owned(),
            at,
        };
        let log = [entry(Action::Exclude, 1), entry(Action::Readmit, 2)];
        assert!(matches!(standing(&log[..1], "甲"), Standing::Excluded(_)));
        assert!(matches!(standing(&log, "甲"), Standing::Readmitted(entry) if entry.at == 2));
        assert_eq!(standing(&log, "乙"), Standing::Admitted);
        let line = serde_json::to_string(&log[0]).expect("a line");
        assert_eq!(line, r#"{"subject":"甲","action":"exclude","rule":"hand","by":"组长","at":1}"#);
        assert_eq!(serde_json::from_str::<Entry>(&line).expect("an entry"), log[0]);
    }
}
