//! The columns that a part reads, by name; one that is missing or of another type is named in the error.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, RecordBatch};
use arrow_schema::DataType;
use fangwei::corpus::{Passage, read_passage};
use fangwei::record::{Check, Defect};
use serde_json::json;

use crate::Made;
use crate::errors::{Raised, lang};
use crate::rows;

fn wrong(batch: &RecordBatch, name: &str, expected: &str) -> Raised {
    let found: Vec<String> =
        batch.schema().fields().iter().map(|field| format!("{} {}", field.name(), field.data_type())).collect();
    let found = found.join(", ");
    Raised::new(
        "ColumnError",
        format!("expected a column {name} {expected}, found {found}"),
        json!({ "column": name, "found": found }),
    )
}

fn column<'b>(batch: &'b RecordBatch, name: &str, expected: &str) -> Made<&'b ArrayRef> {
    batch.column_by_name(name).ok_or_else(|| wrong(batch, name, expected))
}

/// A column of 64-bit numbers. An empty cell would pass for a zero.
pub fn longs<'b>(batch: &'b RecordBatch, name: &str) -> Made<&'b Int64Array> {
    let expected = "of 64-bit numbers without empty cells";
    let numbers = column(batch, name, expected)?.as_primitive_opt::<Int64Type>();
    numbers.filter(|numbers| numbers.null_count() == 0).ok_or_else(|| wrong(batch, name, expected))
}

/// A column of 32-bit numbers.
pub fn ints<'b>(batch: &'b RecordBatch, name: &str) -> Made<&'b Int32Array> {
    column(batch, name, "of 32-bit numbers")?
        .as_primitive_opt::<Int32Type>()
        .ok_or_else(|| wrong(batch, name, "of 32-bit numbers"))
}

/// A column of bytes.
pub fn binary<'b>(batch: &'b RecordBatch, name: &str) -> Made<&'b BinaryArray> {
    column(batch, name, "of bytes")?.as_binary_opt::<i32>().ok_or_else(|| wrong(batch, name, "of bytes"))
}

/// A column of lists.
pub fn lists<'b>(batch: &'b RecordBatch, name: &str) -> Made<&'b ListArray> {
    column(batch, name, "of lists")?.as_list_opt::<i32>().ok_or_else(|| wrong(batch, name, "of lists"))
}

/// A column of texts; an empty cell is an empty text.
pub fn texts<'b>(batch: &'b RecordBatch, name: &str) -> Made<Vec<&'b str>> {
    let found = column(batch, name, "of texts")?;
    Ok(match found.data_type() {
        DataType::Utf8 => found.as_string::<i32>().iter().map(Option::unwrap_or_default).collect(),
        DataType::LargeUtf8 => found.as_string::<i64>().iter().map(Option::unwrap_or_default).collect(),
        DataType::Utf8View => found.as_string_view().iter().map(Option::unwrap_or_default).collect(),
        // A column without a single value has no type of its own.
        DataType::Null => vec![""; found.len()],
        _ => return Err(wrong(batch, name, "of texts")),
    })
}

/// What a row is read as, or why it cannot be.
pub type Read<T> = Result<T, Vec<Defect>>;

/// The first reason why a row could not be read.
pub fn told<T>(read: &Read<T>) -> Option<String> {
    read.as_ref().err().and_then(|defects| defects.first()).map(|defect| defect.render(lang()))
}

/// The passage of a row, or why it is none; the row's number stands where a line would.
pub fn passage(batch: &RecordBatch, row: usize, number: i64) -> Read<Passage> {
    let mut check = Check::new("passages".into(), number as u64 + 1);
    read_passage(&rows::record(batch, row), &mut check).ok_or(check.defects)
}
