//! What a dataset is made of: splits, genres, lengths, labels; how labels lean on words; what substitution did.

mod length;
mod show;
mod split;
mod substitution;

pub use length::{Bin, Lengths};
pub use split::split_of;
pub use substitution::Substitution;

use std::collections::BTreeMap;

use serde::Serialize;

use super::label::{Column, Distribution, SUM, distributions};
use crate::audit::{Audit, Dataset, KindSkew, PairSkew, Statement};
use crate::score::Facet;
use crate::task::{Item, Task};

/// A file of a dataset and the split that it is.
#[derive(Debug)]
pub struct DataFile {
    /// `train`, `dev`, `test`, or what the file is called.
    pub split: String,
    /// What it holds.
    pub set: Dataset,
}

/// One split of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Split {
    /// Its name.
    pub name: String,
    /// How many items it has.
    pub items: u64,
    /// How many of them have an answer.
    pub answered: u64,
    /// Items by genre, where items tell theirs.
    pub genres: BTreeMap<String, u64>,
    /// How long its texts are.
    pub lengths: Lengths,
}

/// What is known of one task's data.
#[derive(Clone, Debug, Serialize)]
pub struct TaskData {
    /// The task; `None` for files that do not tell.
    pub task: Option<&'static str>,
    /// Its splits, in the order given.
    pub splits: Vec<Split>,
    /// What its answers say, by split.
    pub labels: Vec<Distribution>,
}

/// What an audit found that a report shows.
#[derive(Clone, Debug, Serialize)]
pub struct Leaning {
    /// Labels by replaced pair, most frequent first.
    pub pairs: Vec<PairSkew>,
    /// Labels by number of replacements, and other kinds.
    pub kinds: Vec<KindSkew>,
    /// How much of each task needs no understanding.
    pub shortcuts: Vec<Statement>,
}

/// Everything about some files.
#[derive(Clone, Debug, Serialize)]
pub struct Data {
    /// By task, in the order in which they first occur.
    pub tasks: Vec<TaskData>,
    /// The texts of all items together.
    pub lengths: Lengths,
    /// How labels lean on words, where files were audited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaning: Option<Leaning>,
    /// What substitution did, where candidates were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
}

impl Data {
    /// Looks at files.
    pub fn of(files: &[DataFile], audit: Option<&Audit>, substitution: Option<Substitution>) -> Data {
        let mut tasks: Vec<Option<&'static dyn Task>> = Vec::new();
        for file in files {
            if tasks.iter().all(|task| task.map(Task::id) != file.set.task.map(Task::id)) {
                tasks.push(file.set.task);
            }
        }
        let of =
            |task: Option<&'static dyn Task>| files.iter().filter(move |file| file.set.task.map(Task::id) == task.map(Task::id));
        let leaning = audit.map(|audit| Leaning {
            pairs: audit.pairs.clone(),
            kinds: audit.skew.clone(),
            shortcuts: audit.statements.clone(),
        });
        Data {
            tasks: tasks.iter().map(|task| task_data(*task, &of(*task).collect::<Vec<_>>())).collect(),
            lengths: Lengths::of(files.iter().flat_map(|file| &file.set.items)),
            leaning,
            substitution,
        }
    }

    /// The names of all splits, in the order in which they first occur.
    pub fn split_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for split in self.tasks.iter().flat_map(|task| &task.splits) {
            if !names.contains(&split.name.as_str()) {
                names.push(&split.name);
            }
        }
        names
    }
}

fn task_data(task: Option<&'static dyn Task>, files: &[&DataFile]) -> TaskData {
    let mut names: Vec<&str> = Vec::new();
    for file in files {
        if !names.contains(&file.split.as_str()) {
            names.push(&file.split);
        }
    }
    let items_of =
        |name: &str| -> Vec<&Item> { files.iter().filter(|file| file.split == name).flat_map(|file| &file.set.items).collect() };
    let splits = names.iter().map(|name| split(task, name, &items_of(name))).collect();
    let labels = task.map_or_else(Vec::new, |task| {
        let answered = |name: &&str| -> Column<'_> {
            let items = items_of(name).into_iter();
            ((*name).to_owned(), items.filter_map(|item| Some((item, item.gold.as_ref()?))).collect())
        };
        let mut columns: Vec<Column<'_>> = names.iter().map(answered).filter(|(_, items)| !items.is_empty()).collect();
        if columns.len() > 1 {
            let all = columns.iter().flat_map(|(_, items)| items.iter().copied()).collect();
            columns.push((SUM.to_owned(), all));
        }
        distributions(task, &columns)
    });
    TaskData { task: task.map(Task::id), splits, labels }
}

fn split(task: Option<&'static dyn Task>, name: &str, items: &[&Item]) -> Split {
    let genre = Facet::Field("genre".to_owned());
    let mut genres: BTreeMap<String, u64> = BTreeMap::new();
    for item in items {
        // A field of a record is the same whatever the task.
        for class in task.map(|task| genre.classes(task, item)).unwrap_or_default() {
            *genres.entry(class).or_default() += 1;
        }
    }
    Split {
        name: name.to_owned(),
        items: items.len() as u64,
        answered: items.iter().filter(|item| item.gold.is_some()).count() as u64,
        genres,
        lengths: Lengths::of(items.iter().copied()),
    }
}
