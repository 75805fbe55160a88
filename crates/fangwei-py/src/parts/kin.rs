//! Siblings across datasets: texts and their sequences are found anywhere, sequences that several texts hold make pairs anywhere, and the audit takes the
//! pairs that belong together instead of searching for them.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, Int32Array, Int64Array, RecordBatch, StringArray};
use fangwei::audit::{Dataset, Options, Texts, audit_grouped as audit};
use fangwei::origin::{Grams, belong_together, numbers, pairs as counted};
use fangwei::record::Json;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::by_batch;
use super::columns::{ints, lists, longs, texts as column};
use crate::Made;
use crate::arrow::{Frame, batches};
use crate::audit::{Found, found};
use crate::errors::Raised;
use crate::frames::batch;
use crate::given::{Given, Held};
use crate::rows::record;
use crate::settings;

/// The texts of a record, one or two of a pair, as every reader of items finds them.
fn texts_of(given: &Json<'_>) -> Vec<String> {
    let text = |name: &str| given.get(name).and_then(Json::as_str).map(ToOwned::to_owned);
    match (text("context"), text("context1"), text("context2")) {
        (Some(context), ..) => vec![context],
        (_, Some(first), Some(second)) => vec![first, second],
        _ => Vec::new(),
    }
}

/// Where a text stands, as one number that rises with file, row and place.
fn place(number: i64, at: usize) -> i64 {
    number * 2 + at as i64
}

/// The texts of items: place, text. `number` must rise over all files.
#[pyfunction]
pub fn item_texts(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let numbers = longs(rows, "number")?;
        let of = |row: usize| {
            texts_of(&record(rows, row)).into_iter().enumerate().map(move |(at, text)| (place(numbers.value(row), at), text))
        };
        let (places, texts): (Vec<i64>, Vec<String>) = (0..rows.num_rows()).flat_map(of).unzip();
        batch(vec![("place", Arc::new(Int64Array::from(places))), ("text", Arc::new(StringArray::from(texts)))])
    })
}

/// The sequences of texts: gram, place, size (how many the text has).
#[pyfunction]
pub fn text_grams(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let (places, texts) = (longs(rows, "place")?, column(rows, "text")?);
        let grams: Vec<Grams> = texts.par_iter().map(|text| Grams::of(text)).collect();
        let total = grams.iter().map(|grams| grams.hashes().len()).sum();
        let (mut gram, mut place, mut size) = (Vec::with_capacity(total), Vec::with_capacity(total), Vec::with_capacity(total));
        for (row, grams) in grams.iter().enumerate() {
            let hashes = grams.hashes();
            gram.extend(hashes.iter().map(|hash| *hash as i64));
            place.extend(std::iter::repeat_n(places.value(row), hashes.len()));
            size.extend(std::iter::repeat_n(hashes.len() as i32, hashes.len()));
        }
        batch(vec![
            ("gram", Arc::new(Int64Array::from(gram))),
            ("place", Arc::new(Int64Array::from(place))),
            ("size", Arc::new(Int32Array::from(size))),
        ])
    })
}

/// The pairs that sequences count for: a, b, size_a, size_b. `holders` are lists of place and size, sorted.
#[pyfunction]
pub fn gram_pairs(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let holders = lists(rows, "holders")?;
        let parts = holders.values().as_struct();
        let wrong = || {
            Raised::new(
                "ColumnError",
                "expected holders of place and size",
                serde_json::json!({ "column": "holders", "found": holders.data_type().to_string() }),
            )
        };
        let places =
            parts.column_by_name("place").and_then(|column| column.as_primitive_opt::<Int64Type>()).ok_or_else(wrong)?.values();
        let sizes =
            parts.column_by_name("size").and_then(|column| column.as_primitive_opt::<Int32Type>()).ok_or_else(wrong)?.values();
        let (mut a, mut b, mut size_a, mut size_b) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for bounds in holders.value_offsets().windows(2) {
            let (from, to) = (bounds[0] as usize, bounds[1] as usize);
            let numbers: Vec<u32> = (0..(to - from) as u32).collect();
            for (first, second) in counted(&numbers) {
                let (first, second) = (from + first as usize, from + second as usize);
                a.push(places[first]);
                b.push(places[second]);
                size_a.push(sizes[first]);
                size_b.push(sizes[second]);
            }
        }
        batch(vec![
            ("a", Arc::new(Int64Array::from(a))),
            ("b", Arc::new(Int64Array::from(b))),
            ("size_a", Arc::new(Int32Array::from(size_a))),
            ("size_b", Arc::new(Int32Array::from(size_b))),
        ])
    })
}

/// Of counted pairs (a, b, shared, size_a, size_b) those that belong together: a, b.
#[pyfunction]
pub fn kin_pairs(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Frame> {
    by_batch(py, table, |rows| {
        let (a, b, shared) = (longs(rows, "a")?, longs(rows, "b")?, longs(rows, "shared")?);
        let (size_a, size_b) = (ints(rows, "size_a")?, ints(rows, "size_b")?);
        let together =
            |row: &usize| belong_together(shared.value(*row) as usize, size_a.value(*row) as usize, size_b.value(*row) as usize);
        let rows: Vec<usize> = (0..rows.num_rows()).filter(together).collect();
        let of = |column: &Int64Array| Int64Array::from_iter_values(rows.iter().map(|row| column.value(*row)));
        batch(vec![("a", Arc::new(of(a))), ("b", Arc::new(of(b)))])
    })
}

/// Audits files whose pairs of texts that belong together are known, by place; each file comes with the numbers of its rows.
#[pyfunction]
pub fn audit_grouped(
    py: Python<'_>,
    files: Vec<(Option<String>, Bound<'_, PyAny>, Given<'_>)>,
    pairs: &Bound<'_, PyAny>,
    seed: u64,
    folds: usize,
) -> PyResult<Found> {
    let pairs = batches(pairs)?;
    let files = files.into_iter().map(|(task, numbers, given)| Ok((task, batches(&numbers)?, given.hold()?)));
    let files = files.collect::<PyResult<Vec<(Option<String>, Vec<RecordBatch>, Held)>>>()?;
    let work = || -> Made<Found> {
        let mut sets = Vec::new();
        for (task, _, held) in &files {
            sets.push(Dataset::read(held.open()?, task.as_deref().map(settings::task).transpose()?)?);
        }
        let texts = Texts::of(&sets);
        let known: HashMap<&str, u32> = texts.texts().iter().copied().zip(0..).collect();
        // Where each text stands, for the pairs name places.
        let mut at: HashMap<i64, u32> = HashMap::new();
        for (_, numbers, held) in &files {
            let Held::Rows(_, given) = held else { continue };
            let numbers =
                numbers.iter().map(|rows| Ok(longs(rows, "number")?.values().to_vec())).collect::<Made<Vec<Vec<i64>>>>()?;
            let rows = given.iter().flat_map(|rows| (0..rows.num_rows()).map(move |row| (rows, row)));
            for (number, (rows, row)) in numbers.into_iter().flatten().zip(rows) {
                for (position, text) in texts_of(&record(rows, row)).iter().enumerate() {
                    at.extend(known.get(text.as_str()).map(|known| (place(number, position), *known)));
                }
            }
        }
        let mut joined: Vec<(u32, u32)> = texts.pairs().to_vec();
        for rows in &pairs {
            let (a, b) = (longs(rows, "a")?, longs(rows, "b")?);
            joined.extend(a.values().iter().zip(b.values()).filter_map(|(a, b)| at.get(a).copied().zip(at.get(b).copied())));
        }
        let groups = numbers(texts.texts().len(), joined);
        let audited = audit(texts, groups, &Options { seed, folds, ..Options::default() });
        Ok(found(&audited.map_err(|error| Raised::new("FangweiError", error, serde_json::json!({})))?))
    };
    Ok(py.detach(work)?)
}
