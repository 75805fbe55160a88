//! Documents into passages, and passages and candidates as the lines that commands write.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use fangwei::corpus::{Config, Counts, Passage, cut, read_passage};
use fangwei::record::{Check, parse};
use fangwei::substitute::Candidate;
use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::by_batch;
use super::columns::{Read, longs, texts, told};
use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::Raised;
use crate::frames::{self, batch, between, passages};
use crate::rows::record;
use crate::settings;

/// Passages of one document have numbers below this, above those of the documents before.
const ROOM: i64 = 1 << 24;

/// Documents (number, name, text and perhaps genre) as passages without words, numbered on; and what was counted, as JSON.
#[pyfunction]
pub fn cut_documents(py: Python<'_>, table: &Bound<'_, PyAny>, config: &str) -> PyResult<(Frame, String)> {
    let given = batches(table)?;
    let work = || -> Made<(Frame, String)> {
        let config: Config = settings::read(config)?;
        config.check()?;
        let (mut made, mut counts) = (Vec::new(), Counts::default());
        for rows in &given {
            let (numbers, names, bodies) = (longs(rows, "number")?, texts(rows, "name")?, texts(rows, "text")?);
            let genres = if rows.column_by_name("genre").is_some() { Some(texts(rows, "genre")?) } else { None };
            let genre = |row: usize| genres.as_ref().map(|genres| genres[row]).filter(|genre| !genre.is_empty());
            let cut: Vec<_> =
                (0..rows.num_rows()).into_par_iter().map(|row| cut(&config, names[row], genre(row), bodies[row])).collect();
            let (mut numbered, mut all): (Vec<i64>, Vec<Passage>) = (Vec::new(), Vec::new());
            for (row, (passages, outcome)) in cut.into_iter().enumerate() {
                counts += outcome.counts;
                let number = numbers.value(row);
                if !(0..i64::MAX / ROOM).contains(&number) {
                    let what = format!("expected documents numbered from 0 to {}, found {number}", i64::MAX / ROOM);
                    return Err(Raised::new("ColumnError", what, json!({ "column": "number", "found": number.to_string() })));
                }
                if passages.len() as i64 > ROOM {
                    let what =
                        format!("{}: expected at most {ROOM} passages of a document, found {}", names[row], passages.len());
                    return Err(Raised::new(
                        "DocumentTooLongError",
                        what,
                        json!({ "name": names[row], "found": passages.len(), "most": ROOM }),
                    ));
                }
                numbered.extend((0..passages.len() as i64).map(|at| number * ROOM + at));
                all.extend(passages);
            }
            made.push(between(vec![("number", frames::numbers(numbered))], &passages(&all)?, Vec::new())?);
        }
        Ok((Frame::of(made), json!(counts).to_string()))
    };
    Ok(py.detach(work)?)
}

/// Lines that commands wrote (number, value) as passages, numbered; a line that is none has a defect and nothing else.
#[pyfunction]
pub fn read_passages(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let (numbers, lines) = (longs(rows, "number")?, texts(rows, "value")?);
        let read = |row: usize| -> Read<Passage> {
            let mut check = Check::new("passages".into(), numbers.value(row) as u64 + 1);
            let passage = parse(lines[row].as_bytes(), &mut check).and_then(|given| read_passage(&given, &mut check));
            passage.ok_or(check.defects)
        };
        let read: Vec<Read<Passage>> = (0..rows.num_rows()).into_par_iter().map(read).collect();
        let defects: ArrayRef = Arc::new(read.iter().map(told).collect::<StringArray>());
        let found: Vec<Passage> = read.into_iter().map(|read| read.unwrap_or_else(|_| nothing())).collect();
        between(vec![("number", Arc::new(numbers.clone()))], &passages(&found)?, vec![("defect", defects)])
    })
}

/// What stands beside a defect.
fn nothing() -> Passage {
    let (words, doubts) = (Vec::new(), Vec::new());
    Passage { id: "".into(), genre: "".into(), source: "".into(), line: 0, text: String::new(), words, doubts }
}

/// Rows as the lines that commands write: number, value. `kind` is `passage` or `candidate`.
#[pyfunction]
pub fn command_lines(py: Python<'_>, table: &Bound<'_, PyAny>, kind: &str) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let numbers = longs(rows, "number")?;
        let line = |row: usize| match kind {
            "candidate" => line::<Candidate>(rows, row),
            _ => passage_line(rows, row, numbers.value(row)),
        };
        let lines = (0..rows.num_rows()).into_par_iter().map(line).collect::<Made<Vec<String>>>()?;
        batch(vec![("number", Arc::new(numbers.clone())), ("value", Arc::new(StringArray::from(lines)))])
    })
}

fn passage_line(rows: &RecordBatch, row: usize, number: i64) -> Made<String> {
    let passage = super::columns::passage(rows, row, number);
    let passage = passage.map_err(|defects| Raised::defects("PassagesError", "not a passage", &defects))?;
    written(&passage)
}

fn line<T: Serialize + serde::de::DeserializeOwned>(rows: &RecordBatch, row: usize) -> Made<String> {
    let made: T = serde_json::from_str(&record(rows, row).to_line()).map_err(|error| Raised::settings(&error))?;
    written(&made)
}

fn written(value: &impl Serialize) -> Made<String> {
    serde_json::to_string(value).map_err(|error| Raised::settings(&error))
}
