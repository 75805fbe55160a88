//! The years and their tasks. A new year is one more folder here and one more line in [`YEARS`]; nothing else lists tasks.

mod common;
mod y2021;
mod y2022;
mod y2022_draft;
mod y2023;

pub use y2021::{is_sheet, pack as pack_sheet};
pub use y2022::roles::{LABEL_SLOTS, SLOTS};
pub use y2023::roles::{ROLES, labels_of};
pub use y2023::{is_difference, quoted_difference};

use crate::lang::{Unknown, Words, words};
use crate::task::Task;

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
