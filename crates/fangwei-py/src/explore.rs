//! One passage, looked at from all sides.

use std::path::PathBuf;

use fangwei_predict::explore::{Ask, Sources, explore, html, text};
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::errors::lang;

/// Rules, and models in their place where folders of models are given.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Explorer(Sources);

#[pymethods]
impl Explorer {
    #[new]
    #[allow(clippy::needless_pass_by_value)] // Python hands over a list of its own
    fn new(py: Python<'_>, models: Vec<PathBuf>) -> PyResult<Explorer> {
        Ok(py.detach(|| -> Made<Explorer> { Ok(Explorer(Sources::load(&models)?)) })?)
    }

    /// What is seen, as JSON, as text and as a page.
    fn look(&self, py: Python<'_>, passage: &str, all_rivals: bool) -> PyResult<(String, String, String)> {
        let work = || -> Made<(String, String, String)> {
            let explored = explore(passage, &self.0, Ask { all_rivals })?;
            let report = json!(explored).to_string();
            let shown = text::text(&explored, lang(), false);
            Ok((report, shown, html::page(&[(String::new(), explored)], lang())))
        };
        Ok(py.detach(work)?)
    }
}
