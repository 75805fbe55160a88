//! Near duplicates: every passage becomes a print of 40 bytes anywhere; the prints are judged in one place, in the order of the passages.

use std::sync::{Arc, Mutex};

use arrow_array::{BinaryArray, Int32Array};
use fangwei::corpus::{self, Near, Print, Verdict};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::json;

use super::columns::{binary, longs, texts};
use super::{by_batch, locked};
use crate::Made;
use crate::arrow::Frame;
use crate::errors::Raised;
use crate::frames::batch;

/// The prints of texts: number, print.
#[pyfunction]
pub fn prints(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let prints: Vec<_> = texts(rows, "text")?.par_iter().map(|text| Print::of(text).to_bytes()).collect();
        batch(vec![
            ("number", Arc::new(longs(rows, "number")?.clone())),
            ("print", Arc::new(BinaryArray::from_iter_values(prints))),
        ])
    })
}

/// Judges prints in their order: 0 stays, 1 is an exact duplicate of one before, 2 a near one.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Seen(Mutex<Judged>);

/// What was judged so far, and the last number of it.
struct Judged {
    seen: corpus::Seen,
    last: Option<i64>,
}

impl Judged {
    /// Who comes before whom decides which of two copies stays.
    fn next(&mut self, number: i64) -> Made<()> {
        match self.last.replace(number) {
            Some(last) if last >= number => {
                let what = format!("prints must come in the order of their numbers, each once: {number} came after {last}");
                Err(Raised::new("DisorderError", what, json!({ "id": number.to_string(), "after": last.to_string() })))
            }
            _ => Ok(()),
        }
    }
}

#[pymethods]
impl Seen {
    /// From which likeness on a passage is a near duplicate; none for exact ones alone.
    #[new]
    fn new(near: Option<f64>) -> PyResult<Seen> {
        let near = near.map_or(Near::Off, Near::From);
        corpus::Config { near, ..corpus::Config::default() }.check().map_err(Raised::from)?;
        Ok(Seen(Mutex::new(Judged { seen: corpus::Seen::new(near), last: None })))
    }

    /// The verdicts on prints: number, verdict.
    fn judge(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
        by_batch(py, table, |rows| {
            let mut verdicts = Vec::with_capacity(rows.num_rows());
            let numbers = longs(rows, "number")?;
            locked(&self.0, |judged| {
                for (number, bytes) in numbers.values().iter().zip(binary(rows, "print")?) {
                    judged.next(*number)?;
                    let bytes = bytes.unwrap_or_default();
                    let wrong = || format!("expected prints of 40 bytes, found {}", bytes.len());
                    let fields = || json!({ "column": "print", "found": bytes.len().to_string() });
                    let print = bytes.try_into().map_err(|_| Raised::new("ColumnError", wrong(), fields()))?;
                    verdicts.push(match judged.seen.see(&Print::from_bytes(print)) {
                        Verdict::First => 0,
                        Verdict::Exact => 1,
                        Verdict::Near => 2,
                    });
                }
                Ok(())
            })?;
            batch(vec![("number", Arc::new(numbers.clone())), ("verdict", Arc::new(Int32Array::from(verdicts)))])
        })
    }

    /// The bytes that are held.
    fn bytes(&self) -> PyResult<usize> {
        Ok(locked(&self.0, |judged| Ok(judged.seen.bytes()))?)
    }
}
