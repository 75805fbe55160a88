//! What the work on a batch says in numbers: how far it is, how fast, what people answered, how they did. Pure functions of what was loaded.

use std::collections::BTreeMap;

use fangwei::annotate::{Flaw, Level, Mark};
use fangwei::answer::{Answer, Verdict};
use fangwei::lang::{Lang, Words, words};
use fangwei::record::{Check, Json};
use fangwei::score::Total;
use fangwei::task::{Item, Mode, Task, read_item};
use schemars::JsonSchema;
use serde::Serialize;

use crate::agree::labels;

/// One person's work on one item.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// The item.
    pub item: String,
    /// Who.
    pub account: String,
    /// How far it is.
    pub state: String,
    /// Time spent.
    pub spent_ms: i64,
    /// When it was finished last.
    pub finished_at: Option<i64>,
    /// The last finished mark.
    pub mark: Option<Mark>,
    /// Whether that came after the time of a human test.
    pub late: bool,
    /// Verdicts of reviewers, the first first.
    pub verdicts: Vec<String>,
}

impl Work {
    /// Whether it is finished as far as the annotator is concerned.
    pub fn is_done(&self) -> bool {
        self.state == "done" || self.state == "approved"
    }

    /// Whether it still has to be done.
    pub fn is_open(&self) -> bool {
        matches!(self.state.as_str(), "new" | "draft" | "returned")
    }
}

/// The gold of a check question, from what stays on the server.
pub fn read_gold(task: &dyn Task, secret: &str) -> Option<Item> {
    let given = Json::parse(secret.as_bytes()).ok()?;
    read_item(task, given.get("gold")?, true, &mut Check::new("".into(), 0))
}

/// The label of a mark, where it has one: see [`labels::label`].
pub fn label(mark: &Mark) -> Option<String> {
    labels::label(mark, mark.level.is_some()).flatten().map(|label| label.to_string())
}

/// The answer that a mark stands for: that of its level where it has none of its own.
pub fn answer_of(mark: &Mark) -> Option<Answer> {
    let of_level = || mark.level.and_then(Level::verdict).map(|value| Answer::Verdict(Verdict::Plain(value)));
    mark.answer.clone().or_else(of_level)
}

/// How often each label was given, the most frequent first.
pub fn labels(works: &[Work]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for label in works.iter().filter(|work| work.is_done()).filter_map(|work| label(work.mark.as_ref()?)) {
        *counts.entry(label).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(label, count)| (std::cmp::Reverse(*count), label.clone()));
    counts
}

/// What a label is called.
pub fn label_words(label: &str) -> Option<Words> {
    let level = fangwei::agree::Level::ALL.iter().find(|level| level.as_str() == label).map(|level| level.words());
    level.or(match label {
        fangwei::agree::UNFIT => Some(words("不适合", "unsuitable")),
        "true" => Some(words("真", "true")),
        "false" => Some(words("假", "false")),
        flaw => flaw.parse::<Flaw>().ok().map(|flaw| words(flaw.title(Lang::Zh), flaw.title(Lang::En))),
    })
}

/// How often each state occurs, in the order of the work.
pub fn states(works: &[Work]) -> Vec<(&'static str, usize)> {
    let count = |state: &'static str| (state, works.iter().filter(|work| work.state == state).count());
    ["new", "draft", "returned", "done", "approved", "skipped", "recalled"].map(count).to_vec()
}

/// So much finished work is looked at to tell the pace,
const RECENT: usize = 200;
/// and at least so much.
const LEAST: usize = 3;

/// How long the rest takes at the pace of the last finished work, in milliseconds: time went by since the first of it, idle or not. `None` where little is finished.
pub fn remaining_ms(works: &[Work], now: i64) -> Option<i64> {
    let mut times: Vec<i64> = works.iter().filter(|work| work.is_done()).filter_map(|work| work.finished_at).collect();
    times.sort_unstable();
    let recent = &times[times.len().saturating_sub(RECENT)..];
    let open = works.iter().filter(|work| work.is_open()).count();
    if recent.len() < LEAST || open == 0 {
        return None;
    }
    Some((now - recent[0]).max(0) / recent.len() as i64 * open as i64)
}

/// How one person did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Person {
    /// The account.
    pub account: String,
    /// The name that is shown.
    pub shown: String,
    /// Items given, those taken back aside.
    pub given: usize,
    /// Items done.
    pub done: usize,
    /// Items skipped.
    pub skipped: usize,
    /// Items done after the time that a human test gives.
    pub late: usize,
    /// The median of the time spent on an item, of those done.
    pub median_ms: Option<i64>,
    /// Marks that were reviewed.
    pub reviewed: usize,
    /// The share of these that passed in the end.
    pub passed: Option<f64>,
    /// The share of these that passed at the first review.
    pub passed_first: Option<f64>,
    /// Comparisons with others on the same item.
    pub compared: usize,
    /// The share of these with the same label; of spans and tuples, the mean score against the others by the task's own scorer.
    pub agreement: Option<f64>,
    /// Check questions done.
    pub checks: usize,
    /// What they earn by the task's own scorer, under the measure that ranks the task.
    pub check_score: Option<f64>,
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The middle of some numbers; of two middle ones, the lower.
pub fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// Whether a reviewer's verdict lets a mark pass.
fn passes(verdict: &str) -> bool {
    verdict.starts_with("approve")
}

/// For each person how often their label was that of another on the same item, of how many comparisons.
fn alike(works: &[Work]) -> BTreeMap<&str, (usize, usize)> {
    let mut by_item: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for work in works.iter().filter(|work| work.is_done()) {
        if let Some(label) = work.mark.as_ref().and_then(label) {
            by_item.entry(&work.item).or_default().push((&work.account, label));
        }
    }
    let mut alike: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for marks in by_item.values() {
        for (number, (account, label)) in marks.iter().enumerate() {
            for (_, (_, other)) in marks.iter().enumerate().filter(|(place, _)| *place != number) {
                let entry = alike.entry(account).or_default();
                entry.0 += usize::from(label == other);
                entry.1 += 1;
            }
        }
    }
    alike
}

/// The share of pairs of marks on one item that have the same label.
pub fn agreement(works: &[Work]) -> Option<f64> {
    let sums = alike(works).into_values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    share(sums.0, sums.1)
}

/// How everybody did, by name. `checks` is the gold of check questions by item, `names` the accounts with the names that are shown.
pub fn people(task: &dyn Task, works: &[Work], checks: &BTreeMap<String, Item>, names: &BTreeMap<String, String>) -> Vec<Person> {
    let alike = alike(works);
    let mut of: BTreeMap<&str, Vec<&Work>> = BTreeMap::new();
    works.iter().filter(|work| work.state != "recalled").for_each(|work| of.entry(&work.account).or_default().push(work));
    let mut people: Vec<Person> = of
        .iter()
        .map(|(account, works)| {
            let done: Vec<&&Work> = works.iter().filter(|work| work.is_done()).collect();
            let reviewed: Vec<&&Work> = works.iter().filter(|work| !work.verdicts.is_empty()).collect();
            let passed = |verdict: fn(&[String]) -> Option<&String>| {
                reviewed.iter().filter(|work| verdict(&work.verdicts).is_some_and(|verdict| passes(verdict))).count()
            };
            let (same, compared) = alike.get(account).copied().unwrap_or_default();
            let (checks, check_score) = check_score(task, &done, checks);
            Person {
                account: (*account).to_owned(),
                shown: names.get(*account).cloned().unwrap_or_default(),
                given: works.len(),
                done: done.len(),
                skipped: works.iter().filter(|work| work.state == "skipped").count(),
                late: done.iter().filter(|work| work.late).count(),
                median_ms: median(done.iter().map(|work| work.spent_ms).collect()),
                reviewed: reviewed.len(),
                passed: share(passed(<[String]>::last), reviewed.len()),
                passed_first: share(passed(<[String]>::first), reviewed.len()),
                compared,
                agreement: share(same, compared),
                checks,
                check_score,
            }
        })
        .collect();
    people.sort_by(|one, other| (&one.shown, &one.account).cmp(&(&other.shown, &other.account)));
    people
}

fn check_score(task: &dyn Task, done: &[&&Work], checks: &BTreeMap<String, Item>) -> (usize, Option<f64>) {
    let mut total = Total::new(task.scale().columns.len());
    for (work, gold) in done.iter().filter_map(|work| Some((work, checks.get(&work.item)?))) {
        let pred = work.mark.as_ref().and_then(answer_of);
        let mut row = vec![0.0; task.scale().columns.len()];
        task.score(Mode::Official.rules(), gold, pred.as_ref(), &mut row);
        total.add(pred.is_some(), &row);
    }
    let score = (total.items > 0).then(|| task.measures(Mode::Official, &total).get(task.scale().ranking)).flatten();
    (total.items as usize, score.filter(|score| score.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(item: &str, account: &str, state: &str, mark: Option<Mark>) -> Work {
        Work { item: item.to_owned(), account: account.to_owned(), state: state.to_owned(), mark, ..Work::default() }
    }

    fn says(value: bool) -> Mark {
        Mark::new(Answer::Verdict(Verdict::Plain(value)))
    }

    fn task() -> &'static dyn Task {
        fangwei::tasks::find("2022/judge").expect("a task")
    }

    #[test]
    fn people_are_told_by_their_done_work() {
        let mut works = vec![
            work("1", "a", "done", Some(says(true))),
            work("1", "b", "approved", Some(says(true))),
            work("2", "a", "done", Some(says(true))),
            work("2", "b", "done", Some(says(false))),
            work("2", "c", "draft", Some(says(false))),
            work("3", "a", "recalled", None),
        ];
        works[0].verdicts = vec!["return".to_owned(), "approve".to_owned()];
        works[2].verdicts = vec!["approve".to_owned()];
        (works[0].spent_ms, works[2].spent_ms) = (4000, 1000);
        let gold = r#"{"gold":{"qid":"2","context":"他","judge":0}}"#;
        let checks = [("2".to_owned(), read_gold(task(), gold).expect("gold"))].into();
        let names = [("a".to_owned(), "甲".to_owned())].into();
        let people = people(task(), &works, &checks, &names);
        let a = people.iter().find(|person| person.account == "a").expect("a");
        assert_eq!((a.shown.as_str(), a.given, a.done, a.median_ms), ("甲", 2, 2, Some(1000)));
        assert_eq!((a.reviewed, a.passed, a.passed_first), (2, Some(1.0), Some(0.5)), "one of two was sent back first");
        assert_eq!((a.compared, a.agreement), (2, Some(0.5)), "b agrees on one of two; a draft is no mark");
        assert_eq!((a.checks, a.check_score), (1, Some(0.0)), "gold of 2 is false, a said true");
        let b = people.iter().find(|person| person.account == "b").expect("b");
        assert_eq!(b.check_score, Some(1.0));
    }

    #[test]
    fn labels_are_levels_verdicts_or_unfit() {
        let level = Mark { level: Some(Level::SomeBad), ..Mark::default() };
        let unfit = Mark { unsuitable: Some(fangwei::annotate::Unsuitable::default()), ..level.clone() };
        assert_eq!(label(&level).as_deref(), Some("someBad"));
        assert_eq!(label(&unfit).as_deref(), Some("unfit"));
        assert_eq!(label(&says(false)).as_deref(), Some("false"));
        let works = [
            work("1", "a", "done", Some(says(true))),
            work("2", "a", "done", Some(says(false))),
            work("3", "a", "done", Some(says(false))),
        ];
        assert_eq!(labels(&works), [("false".to_owned(), 2), ("true".to_owned(), 1)]);
    }

    #[test]
    fn the_rest_takes_as_long_as_the_last_took() {
        let done = |at| Work { finished_at: Some(at), ..work("1", "a", "done", None) };
        let mut works = vec![done(1000), done(2000), done(3000)];
        works.extend((0..4).map(|_| work("1", "a", "new", None)));
        assert_eq!(remaining_ms(&works, 4000), Some(4000), "three in three seconds, four to go");
        assert_eq!(remaining_ms(&works[1..], 4000), None, "two are no pace");
        assert_eq!(median(vec![5, 1, 3]), Some(3));
        assert_eq!(median(vec![]), None);
    }
}
