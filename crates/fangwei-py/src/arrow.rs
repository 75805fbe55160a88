//! Tables of other programs, by the Arrow C stream interface: nothing is copied on the way in or out.
//!
//! Whatever has `__arrow_c_stream__` (pandas, polars, pyarrow, datasets) comes in as record batches; a [`Frame`] goes out the same way.
#![allow(unsafe_code)] // the C interface hands over raw pointers; both places say why they may

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::rows;

const STREAM: &CStr = c"arrow_array_stream";

/// The batches of anything that has `__arrow_c_stream__`.
pub fn batches(given: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let capsule = given.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds an initialised stream, which the interface asks its consumer to move out; what is left behind is marked as released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    let read = || {
        let reader = reader?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<RecordBatch>, _>>()?;
        // A table without rows has columns all the same.
        Ok::<_, ArrowError>(if batches.is_empty() { vec![RecordBatch::new_empty(schema)] } else { batches })
    };
    // The producer may be Python and takes the lock where it needs it.
    given.py().detach(read).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Rows of named columns that live in Rust.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Frame {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Frame {
    /// Of one batch.
    pub fn new(batch: RecordBatch) -> Frame {
        Frame { schema: batch.schema(), batches: vec![batch] }
    }

    /// Of several of one kind.
    pub fn of(batches: Vec<RecordBatch>) -> Frame {
        let schema = batches.first().map_or_else(|| Schema::empty().into(), RecordBatch::schema);
        Frame { schema, batches }
    }
}

#[pymethods]
impl Frame {
    #[new]
    fn from_stream(given: &Bound<'_, PyAny>) -> PyResult<Frame> {
        Ok(Frame::of(batches(given)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore a wish that it cannot fulfil.
        drop(requested_schema);
        let batches: Vec<_> = self.batches.iter().cloned().map(Ok).collect();
        let reader: Box<dyn RecordBatchReader + Send> =
            Box::new(RecordBatchIterator::new(batches.into_iter(), Arc::clone(&self.schema)));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as JSON lines.
    fn lines(&self, py: Python<'_>) -> String {
        py.detach(|| rows::lines(&self.batches))
    }
}
