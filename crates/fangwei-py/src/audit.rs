//! What datasets give away.

use fangwei::audit::{Dataset, Options};
use fangwei::page::Format;
use pyo3::prelude::*;

use crate::Made;
use crate::errors::{lang, tell};
use crate::given::{Given, Held};
use crate::settings;

/// The findings, and the page for people as Markdown and HTML.
pub type Found = (String, String, String);

/// Audits files together, each with its task or none.
#[pyfunction]
pub fn audit(py: Python<'_>, files: Vec<(Option<String>, Given<'_>)>, seed: u64, folds: usize) -> PyResult<Found> {
    let files = files.into_iter().map(|(task, given)| Ok((task, given.hold()?)));
    let files = files.collect::<PyResult<Vec<(Option<String>, Held)>>>()?;
    let work = || -> Made<Found> {
        let mut sets = Vec::new();
        for (task, held) in &files {
            let task = task.as_deref().map(settings::task).transpose()?;
            sets.push(Dataset::read(held.open()?, task)?);
        }
        Ok(found(&fangwei::audit::audit(&sets, &Options { seed, folds, ..Options::default() })))
    };
    Ok(py.detach(work)?)
}

/// An audit as Python takes it.
pub fn found(audit: &fangwei::audit::Audit) -> Found {
    let mut report = audit.to_json(lang());
    report["defects"] = tell(&audit.defects).into();
    let page = audit.page(lang(), 30);
    (report.to_string(), page.render(Format::Markdown), page.render(Format::Html))
}
