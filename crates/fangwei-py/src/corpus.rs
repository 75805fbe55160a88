//! Raw text into passages.

use std::path::PathBuf;

use fangwei::corpus::tag::Tagger;
use fangwei::corpus::{Config, run};
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::arrow::Frame;
use crate::errors::tell;
use crate::frames;
use crate::lexicon::Lexicon;
use crate::settings;

/// Cuts and tags files and folders: passages, and what became of the files.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python hands over a list of its own
pub fn corpus(py: Python<'_>, inputs: Vec<PathBuf>, config: &str, lexicon: Option<&Lexicon>) -> PyResult<(Frame, String)> {
    let words = lexicon.map(Lexicon::words);
    let work = || -> Made<(Frame, String)> {
        let config: Config = settings::read(config)?;
        let tagger = words.as_ref().map(|words| Tagger::new(words));
        let tag = |text: &str| tagger.as_ref().map(|tagger| tagger.tag(text)).unwrap_or_default();
        let mut passages = Vec::new();
        let outcome = run(
            &config,
            &inputs,
            tag,
            |_| (),
            |passage| {
                passages.push(passage);
                Ok(())
            },
        )?;
        let report = json!({ "counts": outcome.counts, "defects": tell(&outcome.defects) });
        Ok((Frame::new(frames::passages(&passages)?), report.to_string()))
    };
    Ok(py.detach(work)?)
}
