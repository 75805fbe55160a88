//! The years and their tasks. A new year is one more folder here and one more line in [`YEARS`]; nothing else lists tasks.

mod common;
mod y2021;
mod y2022;
mod y2022_draft;
mod y2023;

pub use y2021::{is_sheet, pack as pack_sheet};
pub use y2022::reason_roles;
pub use y2022::roles::{LABEL_SLOTS, SLOTS};
pub use y2023::roles::{ROLES, labels_of};
pub use y2023::{TRIPLE_ROLES, is_difference, quoted_difference};

use crate::lang::{Unknown, Words, words};
use crate::record::{Check, Json, Severity};
use crate::task::{Task, read_item};

/// A year of the evaluation.
#[derive(Debug)]
pub struct Year {
    /// `2023`; the early page of 2022 is `2022-draft`.
    pub name: &'static str,
    /// What it was called.
    pub title: Words,
    /// Its tasks, in the official order.
    pub tasks: &'static [&'static dyn Task],
    /// The named ranking policy of the year (see `crate::rank`).
    pub policy: &'static str,
}

/// Every year, oldest first.
pub const YEARS: &[&Year] = &[&y2021::YEAR, &y2022_draft::YEAR, &y2022::YEAR, &y2023::YEAR];

/// Every task of every year.
pub fn all() -> impl Iterator<Item = &'static dyn Task> {
    YEARS.iter().flat_map(|year| year.tasks.iter().copied())
}

/// The task with this id (`2023/anomaly`) or official number (`2023/task1`).
pub fn find(name: &str) -> Result<&'static dyn Task, Unknown> {
    all()
        .find(|task| task.id() == name || task.about().alias == name)
        .ok_or_else(|| Unknown::new(words("没有这个任务", "unknown task"), name, all().map(Task::id)))
}

/// Task and file of `[TASK=]FILE`. What stands before `=` counts as a task only if it looks like one, for file names may hold `=`.
pub fn split_given(given: &str) -> Result<(Option<&'static dyn Task>, &str), Unknown> {
    match given.split_once('=') {
        Some((task, file)) if task.split('/').count() == 2 && task.starts_with("20") && !file.is_empty() => {
            Ok((Some(find(task)?), file))
        }
        _ => Ok((None, given)),
    }
}

/// How many records of a file are looked at to tell its task.
const LOOKED_AT: usize = 200;

/// The task that answered records belong to, told by their shape: the one that reads most of them without error, then the one that knows most of their fields.
/// `None` where no task reads any; records without answers look alike in several tasks.
pub fn recognise(records: &[Json<'_>]) -> Option<&'static dyn Task> {
    let looked_at = &records[..records.len().min(LOOKED_AT)];
    let fit = |task: &'static dyn Task| {
        let read = |given: &&Json<'_>| {
            let mut check = Check::new("".into(), 0);
            let item = read_item(task, given, true, &mut check)?;
            check.defects.iter().all(|defect| defect.severity() != Severity::Error).then_some(item.extra.len())
        };
        let strangers: Vec<usize> = looked_at.iter().filter_map(|given| read(&given)).collect();
        (strangers.len(), std::cmp::Reverse(strangers.iter().sum::<usize>()))
    };
    let (task, (read, _)) = all().map(|task| (task, fit(task))).reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    (read > 0).then_some(task)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn tasks_are_found_by_id_and_number() {
        assert_eq!(find("2023/anomaly").map(Task::id), Ok("2023/anomaly"));
        assert_eq!(find("2022/task2").map(Task::id), Ok("2022/attribute"));
        let error = find("2023/anomoly").expect_err("a typing error");
        assert!(error.to_string().contains("did you mean 2023/anomaly?"), "{error}");
    }

    #[test]
    fn answered_records_tell_their_task() {
        for (record, id) in [
            (r#"{"qID":"1-train-1","context":"他","judge1":true}"#, "2021/judge"),
            (r#"{"qID":"2-train-1","context":"他","reason":"“他”不符合常识","judge2":false}"#, "2021/reason"),
            (r#"{"qid":"1-train-1","context":"他","judge":1,"genre":"news"}"#, "2022/judge"),
            (
                r#"{"qid":"2","context":"他","reasons":[{"fragments":[{"role":"S","text":"他","idxes":[0]}],"type":"C"}]}"#,
                "2022/attribute",
            ),
            (r#"{"qid":"1","context":"他","results":[[{"role":"S1","text":"他","idxes":[0]}]]}"#, "2023/anomaly"),
            (
                r#"{"qid":"2","context":"他","corefs":[],"non_corefs":[],"results":[[{"role":"空间实体","fragment":{"text":"他","idxes":[0]}}]]}"#,
                "2023/roles",
            ),
            (r#"{"qid":"3-1","context1":"他","context2":"她","results":[{"judge":"true","reason":"都在"}]}"#, "2023/scene"),
        ] {
            let given = Json::parse(record.as_bytes()).expect("is JSON");
            assert_eq!(recognise(&[given]).map(Task::id), Some(id), "{record}");
        }
        let input = Json::parse(r#"{"context":"他"}"#.as_bytes()).expect("is JSON");
        assert!(recognise(&[input]).is_none());
    }

    #[test]
    fn eleven_tasks_with_unique_names() {
        let mut names: Vec<&str> = all().flat_map(|task| [task.id(), task.about().alias]).collect();
        assert_eq!(names.len(), 22);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 22);
    }

    #[test]
    fn every_task_is_complete() {
        for task in all() {
            assert!(
                !task.about().guide.get(Lang::Zh).is_empty() && !task.about().guide.get(Lang::En).is_empty(),
                "{}",
                task.id()
            );
            assert!(task.scale().item < task.scale().columns.len(), "{}", task.id());
            assert!(task.quirks().len() < 32, "{}", task.id());
            for quirk in task.quirks() {
                assert!(quirk.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", quirk.name);
            }
            let measures = task.measures(crate::task::Mode::Official, &crate::score::Total::new(task.scale().columns.len()));
            assert!(measures.get(task.scale().ranking).is_some(), "{} has no {}", task.id(), task.scale().ranking);
        }
    }
}
