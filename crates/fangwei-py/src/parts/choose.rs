//! Substitution: drafts are made anywhere; one place serves them in the order of their lots, because caps hold for the whole set.

use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, BinaryArray, Int32Array, Int64Array, StringArray};
use fangwei::substitute::{self, Candidate, Config, Draft, Funnel, draft, mark};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::columns::{Read, binary, longs, passage, texts, told};
use super::{by_batch, locked, signed};
use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::Raised;
use crate::frames::{self, batch, between, candidates};
use crate::lexicon::Lexicon;
use crate::settings;

fn config(json: &str) -> Made<Config> {
    let config: Config = settings::read(json)?;
    config.check()?;
    Ok(config)
}

/// The drafts of originals: number, lot, id, mark, draft, defect. A row that is no passage has a defect and no draft.
#[pyfunction]
pub fn drafts(py: Python<'_>, table: &Bound<'_, PyAny>, settings: &str, lexicon: &Lexicon) -> PyResult<Frame> {
    let (config, words) = (config(settings)?, lexicon.words());
    by_batch(py, table, |rows| {
        let numbers = longs(rows, "number")?;
        let make = |row: usize| -> Read<Draft> {
            passage(rows, row, numbers.value(row)).map(|passage| draft(&passage, &words, &config))
        };
        let drafts: Vec<_> = (0..rows.num_rows()).into_par_iter().map(make).collect();
        let each = || drafts.iter().map(|one| one.as_ref().ok());
        let written = drafts.par_iter().map(|one| one.as_ref().ok().and_then(|draft| serde_json::to_string(draft).ok()));
        let written: Vec<Option<String>> = written.collect();
        batch(vec![
            ("number", Arc::new(numbers.clone())),
            ("lot", Arc::new(each().map(|one| one.map(|draft| signed(draft.lot))).collect::<Int64Array>())),
            ("id", Arc::new(each().map(|one| one.map(|draft| draft.id.as_str())).collect::<StringArray>())),
            ("mark", Arc::new(each().map(|one| one.map(|draft| mark(&draft.text).to_le_bytes())).collect::<BinaryArray>())),
            ("draft", Arc::new(StringArray::from(written))),
            ("defect", Arc::new(drafts.iter().map(told).collect::<StringArray>())),
        ])
    })
}

/// A candidate to keep, with the text of its original.
#[derive(Deserialize)]
struct Kept {
    candidate: Candidate,
    original: Option<String>,
}

/// Serves drafts in the order of lot and id.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Chooser(Mutex<Option<substitute::Chooser>>);

#[pymethods]
impl Chooser {
    /// `keep` is a list of candidates that stay, each with the text of its original, as JSON.
    #[new]
    fn new(py: Python<'_>, settings: &str, keep: &str) -> PyResult<Chooser> {
        let work = || -> Made<Chooser> {
            let mut chooser = substitute::Chooser::new(config(settings)?);
            for kept in settings::read::<Vec<Kept>>(keep)? {
                chooser.keep(kept.candidate, kept.original.as_deref())?;
            }
            Ok(Chooser(Mutex::new(Some(chooser))))
        };
        Ok(py.detach(work)?)
    }

    /// Remembers the marks of originals' texts: no candidate may have one of them. All of them must be seen before the first draft is served.
    fn see(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = batches(table)?;
        let work = || -> Made<()> {
            for rows in &given {
                for bytes in binary(rows, "mark")?.iter().flatten() {
                    let mark = bytes.try_into().map(u128::from_le_bytes).map_err(|_| broken("mark", "16 bytes", bytes.len()))?;
                    self.with(|chooser| {
                        chooser.see(mark);
                        Ok(())
                    })?;
                }
            }
            Ok(())
        };
        Ok(py.detach(work)?)
    }

    /// The candidates of drafts: the number of the original, the candidate's place among its own, and the columns of candidates.
    fn choose(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
        let given = batches(table)?;
        let work = || -> Made<Frame> {
            let (mut numbers, mut places, mut made): (Vec<i64>, Vec<i32>, Vec<Candidate>) = Default::default();
            for rows in &given {
                let of = longs(rows, "number")?;
                for (row, written) in texts(rows, "draft")?.into_iter().enumerate() {
                    let draft: Draft = serde_json::from_str(written).map_err(|error| broken("draft", "a draft", error))?;
                    let length = draft.text.chars().count();
                    if draft.possible.iter().any(|one| one.at + one.from.chars().count() > length) {
                        return Err(broken("draft", "words within the text", &draft.id));
                    }
                    let chosen = self.with(|chooser| {
                        chooser.choose(&draft).map_err(|error| {
                            Raised::new("DisorderError", &error, json!({ "id": error.id, "after": error.after }))
                        })
                    })?;
                    numbers.extend(std::iter::repeat_n(of.value(row), chosen.len()));
                    places.extend(0..chosen.len() as i32);
                    made.extend(chosen);
                }
            }
            let made = candidates(&made)?;
            let places: ArrayRef = Arc::new(Int32Array::from(places));
            between(vec![("number", frames::numbers(numbers)), ("place", places)], &made, Vec::new()).map(Frame::new)
        };
        Ok(py.detach(work)?)
    }

    /// What became of all words, once the last draft was served.
    fn finish(&self, py: Python<'_>) -> PyResult<String> {
        let work = || -> Made<String> {
            let chooser = locked(&self.0, |held| {
                held.take().ok_or_else(|| broken("chooser", "one that goes on", "one that has finished"))
            })?;
            let funnel: Funnel = chooser.finish();
            let means = json!({ "per_original": funnel.per_original(), "per_word": funnel.per_word() });
            Ok(json!({ "funnel": funnel, "means": means }).to_string())
        };
        Ok(py.detach(work)?)
    }
}

impl Chooser {
    fn with<R>(&self, work: impl FnOnce(&mut substitute::Chooser) -> Made<R>) -> Made<R> {
        locked(&self.0, |held| work(held.as_mut().ok_or_else(|| broken("chooser", "one that goes on", "one that has finished"))?))
    }
}

fn broken(column: &str, expected: &str, found: impl std::fmt::Display) -> Raised {
    let found = found.to_string();
    Raised::new(
        "ColumnError",
        format!("{column}: expected {expected}, found {found}"),
        json!({ "column": column, "found": found }),
    )
}
