//! Every defect of a submission.

use fangwei::score::read_items;
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::errors::tell;
use crate::given::Given;
use crate::settings;

/// Checks predictions, against items where they are given.
#[pyfunction]
pub fn validate(py: Python<'_>, task: &str, preds: Given<'_>, items: Option<Given<'_>>) -> PyResult<String> {
    let (preds, items) = (preds.hold()?, items.map(Given::hold).transpose()?);
    let check = || -> Made<String> {
        let task = settings::task(task)?;
        let items = items.map(|held| -> Made<_> { Ok(read_items(task, held.open()?, false)?.0) }).transpose()?;
        let report = fangwei::validate::validate(task, preds.open()?, items.as_deref())?;
        Ok(json!({ "task": task.id(), "records": report.records, "defects": tell(&report.defects) }).to_string())
    };
    Ok(py.detach(check)?)
}
