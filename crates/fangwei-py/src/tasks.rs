//! The tasks of all years.

use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::lang;

/// Every task: names, fields, measures, quirks, guide.
#[pyfunction]
pub fn tasks() -> String {
    let one = |task: &dyn fangwei::task::Task| -> Value {
        let (about, scale) = (task.about(), task.scale());
        let quirk = |quirk: &fangwei::task::Quirk| json!({ "name": quirk.name, "official": quirk.official.get(lang()), "spec": quirk.spec.get(lang()) });
        json!({
            "id": about.id, "alias": about.alias, "title": about.title.get(lang()), "guide": about.guide.get(lang()),
            "fields": about.fields, "answer": about.answer, "ranking": scale.ranking, "columns": scale.columns[..scale.own],
            "facets": fangwei::score::Facet::names(task), "prompts": fangwei::ask::ways(task),
            "quirks": task.quirks().iter().map(quirk).collect::<Vec<_>>(),
        })
    };
    Value::from(fangwei::tasks::all().map(one).collect::<Vec<_>>()).to_string()
}
