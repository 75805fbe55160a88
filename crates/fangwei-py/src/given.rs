//! What Python hands over: a path, JSON lines, or a table. All of it becomes a [`Source`], so that every reader of the library serves.

use std::io::Cursor;
use std::path::PathBuf;

use arrow_array::RecordBatch;
use fangwei::record::{OpenError, Source};
use pyo3::prelude::*;

use crate::arrow;
use crate::rows::Lines;

/// As Python gives it: `"path"`, `(name, b"lines")`, `(name, table)`.
#[derive(FromPyObject)]
pub enum Given<'py> {
    /// A file.
    Path(PathBuf),
    /// Bytes as a file would hold them.
    Bytes(String, Vec<u8>),
    /// Anything with `__arrow_c_stream__`.
    Table(String, Bound<'py, PyAny>),
}

/// The same, free of Python; it can be opened any number of times.
#[derive(Clone)]
pub enum Held {
    /// A file.
    Path(PathBuf),
    /// Bytes as a file would hold them, under a name.
    Bytes(String, std::sync::Arc<Vec<u8>>),
    /// Rows under a name.
    Rows(String, Vec<RecordBatch>),
}

impl Given<'_> {
    /// Takes hold of it.
    pub fn hold(self) -> PyResult<Held> {
        Ok(match self {
            Given::Path(path) => Held::Path(path),
            Given::Bytes(name, bytes) => Held::Bytes(name, bytes.into()),
            Given::Table(name, table) => Held::Rows(name, arrow::batches(&table)?),
        })
    }
}

/// Bytes that several readers share.
struct Shared(std::sync::Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Held {
    /// A stream of records.
    pub fn open(&self) -> Result<Source, OpenError> {
        let (name, source) = match self {
            Held::Path(path) => return Source::open(path),
            Held::Bytes(name, bytes) => (name, Source::from_reader(name, Cursor::new(Shared(bytes.clone())))),
            Held::Rows(name, batches) => (name, Source::from_reader(name, Lines::new(batches.clone()))),
        };
        source.map_err(|error| OpenError { file: name.clone(), error })
    }
}
