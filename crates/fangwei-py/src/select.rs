//! Passages that are worth a question.

use fangwei::corpus::Passage;
use fangwei::select::{Config, run};
use pyo3::prelude::*;

use crate::Made;
use crate::arrow::Frame;
use crate::errors::tell;
use crate::frames;
use crate::given::{Given, Held};
use crate::lexicon::Lexicon;
use crate::settings;

/// Selects from passages: those that are kept, and the funnel.
#[pyfunction]
pub fn select(py: Python<'_>, given: Vec<Given<'_>>, config: &str, lexicon: &Lexicon) -> PyResult<(Frame, String)> {
    let held = given.into_iter().map(Given::hold).collect::<PyResult<Vec<Held>>>()?;
    let words = lexicon.words();
    let work = || -> Made<(Frame, String)> {
        let config: Config = settings::read(config)?;
        let mut kept: Vec<u8> = Vec::new();
        let outcome = run(&config, &words, None, &|number| held.get(number).map(Held::open), |line| {
            kept.extend_from_slice(line);
            kept.push(b'\n');
            Ok(())
        })?;
        let mut passages = Vec::new();
        let lines = Held::Bytes("kept".to_owned(), kept.into());
        Passage::each(lines.open()?, |passage| passages.push(passage))?;
        let mut report = outcome.report(&config);
        report["defects"] = tell(&outcome.defects).into();
        Ok((Frame::new(frames::passages(&passages)?), report.to_string()))
    };
    Ok(py.detach(work)?)
}
