//! Items of a file as records of their task.

use fangwei::audit::Dataset;
use fangwei::task::write_item;
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::errors::tell;
use crate::given::Given;
use crate::settings;

/// The items as JSON lines in the official order of fields, and what is known of the file.
#[pyfunction]
pub fn load(py: Python<'_>, given: Given<'_>, task: Option<&str>) -> PyResult<(String, String)> {
    let held = given.hold()?;
    let read = || -> Made<(String, String)> {
        let task = task.map(settings::task).transpose()?;
        let set = Dataset::read(held.open()?, task)?;
        let mut lines = String::new();
        for item in &set.items {
            match set.task {
                Some(task) => lines.push_str(&write_item(task, item).to_line()),
                None => lines.push_str(&untold(item).to_string()),
            }
            lines.push('\n');
        }
        let about = json!({
            "name": &*set.name, "task": set.task.map(fangwei::task::Task::id), "records": set.records,
            "answered": set.items.iter().filter(|item| item.gold.is_some()).count(), "defects": tell(&set.defects),
        });
        Ok((lines, about.to_string()))
    };
    Ok(py.detach(read)?)
}

/// The answered items of a task that come with the program, as JSON lines.
#[pyfunction]
pub fn sample(task: &str) -> PyResult<String> {
    let task = settings::task(task)?;
    let pool = fangwei::ask::Pool::shipped(task);
    Ok(pool.items().iter().map(|item| format!("{}\n", write_item(task, item).to_line())).collect())
}

/// An item of a file that does not tell its task: its name, its texts and whatever else it holds.
fn untold(item: &fangwei::task::Item) -> fangwei::record::Json<'static> {
    let mut fields = vec![("qid".to_owned(), fangwei::record::Json::text(item.qid.to_string()))];
    fields.extend(item.texts.write().into_iter().map(|(name, text)| (name.to_owned(), text)));
    fields.extend(item.extra.iter().cloned());
    fangwei::record::Json::map(fields)
}
