//! The rules: each names one way in which a text contradicts itself or what things are like. One slice holds them all; judging, locating and explaining walk it.

mod direction;
pub mod locative;
mod sense;
mod source;
mod twice;

use std::ops::Range;

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, Words};

use super::scan::Scan;
use crate::reading::Reading;

/// A rule.
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// What it says.
    pub title: Words,
    /// The type of error that it finds.
    pub kind: ReasonType,
    /// How sure it is. Set by hand; the order of the rules was checked against two of five folds of the SpaCE train sets, so it is no measured rate.
    pub odds: f64,
    /// A text on which it fires,
    pub fires: &'static str,
    /// and one, much like it, on which it does not.
    pub silent: &'static str,
    /// Finds what is wrong.
    pub find: fn(&Scan<'_>) -> Vec<Finding>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rule({})", self.id)
    }
}

/// What a rule found, in numbers of words.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The word that is wrong.
    pub word: usize,
    /// The words that it does not go with.
    pub against: Range<usize>,
    /// The second place of a contradiction: its last word.
    pub second: Option<usize>,
    /// Why, for this text.
    pub why: Say,
}

impl Finding {
    /// A word that does not go with others.
    pub fn new(word: usize, against: Range<usize>, why: Say) -> Finding {
        Finding { word, against, second: None, why }
    }
}

/// Every rule; the first that fires explains.
pub const RULES: &[&Rule] = &[
    &sense::IDIOM,
    &source::SAME_ENDS,
    &source::SOURCE_DIRECTION,
    &direction::ENTER_OUTSIDE,
    &direction::LEAVE_INSIDE,
    &direction::VERB_DIRECTION,
    &locative::NOUN_LOCATIVE,
    &locative::BARE_LOCATIVE,
    &locative::HOLDER_SIDE,
    &sense::VERB_PLACE,
    &sense::SEAT_UNDER,
    &source::STILL_MOTION,
    &twice::TWO_SIDES,
];

/// So many findings of a text are kept.
const MOST_FINDINGS: usize = 64;

/// What all rules find in a text, the surest first.
pub fn findings(reading: &Reading) -> Vec<(&'static Rule, Finding)> {
    let scan = Scan::new(reading);
    findings_of(&scan)
}

/// The same of a text whose grammar is read.
pub fn findings_of(scan: &Scan<'_>) -> Vec<(&'static Rule, Finding)> {
    let mut found: Vec<(&'static Rule, Finding)> =
        RULES.iter().flat_map(|rule| (rule.find)(scan).into_iter().take(MOST_FINDINGS).map(|finding| (*rule, finding))).collect();
    found.sort_by(|a, b| b.0.odds.total_cmp(&a.0.odds).then(a.1.word.cmp(&b.1.word)));
    found.truncate(MOST_FINDINGS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::lang::Lang;

    #[test]
    fn every_rule_fires_on_its_example_and_not_on_the_other() {
        for rule in RULES {
            let fires = |text: &str| (rule.find)(&Scan::new(&Reading::new(text)));
            assert!(!fires(rule.fires).is_empty(), "{} does not fire on {}", rule.id, rule.fires);
            assert!(fires(rule.silent).is_empty(), "{} fires on {}: {:?}", rule.id, rule.silent, fires(rule.silent));
        }
    }

    #[test]
    fn rules_are_complete() {
        let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
        for rule in RULES {
            assert!(!rule.title.get(Lang::Zh).is_empty() && !rule.title.get(Lang::En).is_empty(), "{}", rule.id);
            assert!(rule.odds > 0.0 && rule.odds < 1.0, "{}", rule.id);
        }
    }
}
