//! The model of neighbours: counted on parts of a corpus, added up, and used to judge passages anywhere.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, StringArray};
use fangwei::lexicon::Lexicon as Words;
use fangwei::select::{self, Config, Guess, NGram, NoSuchCell, Verdict};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::json;

use super::columns::{Read, longs, passage, told};
use super::{by_batch, signed};
use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::Raised;
use crate::frames::batch;
use crate::lexicon::Lexicon;
use crate::settings;

/// The row of a table of counts that says how many spatial words were counted.
const SLOTS: i64 = -1;

/// A model of neighbours, or a part of one.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Neighbours(Arc<NGram>);

#[pymethods]
impl Neighbours {
    /// Without counts, of 2^bits cells.
    #[new]
    fn new(py: Python<'_>, bits: u32) -> Neighbours {
        Neighbours(Arc::new(py.detach(|| NGram::new(bits))))
    }

    /// Counts passages; rows that are none are passed over.
    fn train(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = batches(table)?;
        py.detach(|| {
            for rows in &given {
                (0..rows.num_rows())
                    .into_par_iter()
                    .filter_map(|row| passage(rows, row, 0).ok())
                    .for_each(|one| self.0.train(&one));
            }
        });
        Ok(())
    }

    /// Its counts: cell, count. One row, with cell -1, counts the spatial words.
    fn counts(&self, py: Python<'_>) -> PyResult<Frame> {
        let work = || -> Made<Frame> {
            let rows = std::iter::once((SLOTS, self.0.slots() as i64));
            let rows = rows.chain(self.0.counts().map(|(cell, count)| (i64::from(cell), i64::from(count))));
            let (cells, counts): (Vec<i64>, Vec<i64>) = rows.unzip();
            let columns: [(&str, ArrayRef); 2] =
                [("cell", Arc::new(Int64Array::from(cells))), ("count", Arc::new(Int64Array::from(counts)))];
            batch(columns.to_vec()).map(Frame::new)
        };
        Ok(py.detach(work)?)
    }

    /// Adds counts of another part.
    fn add(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = batches(table)?;
        let work = || -> Made<()> {
            for rows in &given {
                let (cells, counts) = (longs(rows, "cell")?.values(), longs(rows, "count")?.values());
                let pairs = || cells.iter().zip(counts.iter());
                let slots = pairs().filter(|(cell, _)| **cell == SLOTS).map(|(_, count)| *count as u64).sum();
                let others = pairs().filter(|(cell, _)| **cell != SLOTS).map(|(cell, count)| (*cell as u32, *count as u32));
                self.0.add(slots, others).map_err(|error: NoSuchCell| {
                    Raised::new("ColumnError", error, json!({ "column": "cell", "found": error.to_string() }))
                })?;
            }
            Ok(())
        };
        Ok(py.detach(work)?)
    }

    /// The share of its cells in use.
    fn load(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.0.load())
    }
}

/// Judges passages by criteria, with a model of neighbours where they ask for one.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Judge {
    config: Config,
    words: Arc<Cow<'static, Words>>,
    model: Option<Arc<NGram>>,
}

#[pymethods]
impl Judge {
    #[new]
    fn new(config: &str, lexicon: &Lexicon, model: Option<&Neighbours>) -> PyResult<Judge> {
        let config: Config = settings::read(config)?;
        config.check().map_err(Raised::from)?;
        Ok(Judge { config, words: lexicon.words(), model: model.map(|model| Arc::clone(&model.0)) })
    }

    /// Whether a criterion asks for a model of neighbours.
    fn guesses(&self) -> bool {
        self.config.guesses()
    }

    /// Two to this power cells has the model.
    fn bits(&self) -> u32 {
        self.config.model_bits
    }

    /// The verdicts on passages: number, id, lot, genre, source, fell (-1: passes, -2: no passage), defect.
    fn verdicts(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
        let guess = self.model.as_deref().map(|model| model as &dyn Guess);
        let judge = select::Judge::new(&self.config, &self.words, guess);
        by_batch(py, table, |rows| {
            let numbers = longs(rows, "number")?;
            let look =
                |row: usize| -> Read<Verdict> { passage(rows, row, numbers.value(row)).map(|passage| judge.verdict(&passage)) };
            let verdicts: Vec<_> = (0..rows.num_rows()).into_par_iter().map(look).collect();
            let of = |number: fn(&Verdict) -> i64| -> ArrayRef {
                Arc::new(Int64Array::from_iter_values(verdicts.iter().map(|one| one.as_ref().map_or(0, number))))
            };
            let fell = |one: &Result<Verdict, _>| one.as_ref().map_or(-2, |one| one.fell.map_or(-1, |fell| fell as i32));
            let genres = verdicts.iter().map(|one| one.as_ref().map_or("", |one| one.genre.as_str()));
            batch(vec![
                ("number", Arc::new(numbers.clone())),
                ("id", of(|one| one.id as i64)),
                ("lot", of(|one| signed(one.lot))),
                ("genre", Arc::new(StringArray::from_iter_values(genres))),
                ("source", of(|one| one.source as i64)),
                ("fell", Arc::new(Int32Array::from_iter_values(verdicts.iter().map(fell)))),
                ("defect", Arc::new(verdicts.iter().map(told).collect::<StringArray>())),
            ])
        })
    }
}
