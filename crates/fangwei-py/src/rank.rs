//! Boards.

use std::io::Read as _;

use fangwei::rank::{Board, Choices, Kind, Policy, Reading, Run, rank as place};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::Made;
use crate::errors::{Raised, tell};
use crate::given::Given;
use crate::settings;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    policy: String,
    population: Option<String>,
    ddof: Option<u8>,
    missing: Option<String>,
    by: Option<String>,
}

impl Wanted {
    fn policy(&self) -> Made<Policy> {
        let choices = Choices {
            population: self.population.as_deref().map(str::parse).transpose()?,
            ddof: self.ddof.map(TryInto::try_into).transpose()?,
            missing: self.missing.as_deref().map(str::parse).transpose()?,
            by: self.by.as_deref().map(str::parse).transpose()?,
        };
        Ok(Policy::chosen(&self.policy, choices)?)
    }
}

/// Ranks a board: CSV or JSON.
#[pyfunction]
pub fn rank(py: Python<'_>, board: Given<'_>, wanted: &str) -> PyResult<String> {
    let held = board.hold()?;
    let work = || -> Made<String> {
        let mut source = held.open()?;
        let (file, mut text) = (source.name.clone(), String::new());
        source.read_to_string(&mut text).map_err(|error| fangwei::record::ReadError { file: file.clone(), error })?;
        let mut reading = Board::read(&text);
        for defect in &mut reading.defects {
            defect.file = file.clone();
        }
        ranked(&reading, wanted)
    };
    Ok(py.detach(work)?)
}

/// A run as Python writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    kind: Option<Kind>,
    task: String,
    mode: String,
    score: f64,
}

/// Ranks the board that runs make.
#[pyfunction]
pub fn rank_runs(py: Python<'_>, runs: &str, wanted: &str) -> PyResult<String> {
    let work = || -> Made<String> {
        let written: Vec<Written> = settings::read(runs)?;
        let runs = written.into_iter().map(|Written { name, kind, task, mode, score }| Run { name, kind, task, mode, score });
        ranked(&Board::from_runs(&runs.collect::<Vec<_>>())?, wanted)
    };
    Ok(py.detach(work)?)
}

fn ranked(reading: &Reading, wanted: &str) -> Made<String> {
    let policy = settings::read::<Wanted>(wanted)?.policy()?;
    if reading.board.entries().is_empty() {
        let what = crate::errors::lang().say("没有可以排名的行", "no row to rank");
        return Err(Raised::defects("EmptyBoardError", what, &reading.defects));
    }
    let mut report = json!(place(&reading.board, &policy));
    report["defects"] = tell(&reading.defects).into();
    Ok(report.to_string())
}
