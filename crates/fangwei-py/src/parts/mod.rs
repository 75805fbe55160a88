//! Steps cut into parts that run on batches of rows, on any number of machines: what Spark, Ray and plain processes call.
//!
//! Rows carry a `number` that tells their order in the whole; a part that looks at each row alone may run anywhere, one that looks at all of them
//! ([`near::Seen`], [`draw::Draw`], [`choose::Chooser`]) sees a few bytes a row in one place. The parts are the library's own: the same bytes come out as on one machine.

pub mod choose;
pub mod columns;
pub mod draw;
pub mod kin;
pub mod lines;
pub mod near;
pub mod neighbours;

use std::sync::Mutex;

use arrow_array::RecordBatch;
use pyo3::prelude::*;

use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::Raised;

/// A table batch by batch, without Python's lock.
fn by_batch(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    work: impl Fn(&RecordBatch) -> Made<RecordBatch> + Send,
) -> PyResult<Frame> {
    let given = batches(table)?;
    Ok(py.detach(|| given.iter().map(work).collect::<Made<Vec<_>>>().map(Frame::of))?)
}

/// Works on what a lock guards. A thread that died while it held the lock left it in a state that nobody can vouch for.
fn locked<T, R>(guarded: &Mutex<T>, work: impl FnOnce(&mut T) -> Made<R>) -> Made<R> {
    let mut held = guarded.lock().map_err(|error| Raised::new("FangweiError", error, serde_json::json!({})))?;
    work(&mut held)
}

/// A number that keeps its order as a signed one: Spark has no others.
fn signed(number: u64) -> i64 {
    (number ^ (1 << 63)) as i64
}
