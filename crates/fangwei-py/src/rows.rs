//! Rows of record batches as records: a column is a field, an empty cell is a field that is not there.
//!
//! Texts are borrowed from the batch. Answers of mixed types (a tuple of 2022 holds fragments and labels side by side) do not fit into columns, so those
//! fields may hold their JSON as text.

use std::io::{self, Read};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use fangwei::record::Json;
use fangwei::tasks;

/// Fields that no task and no step writes as text.
const NESTED: &[&str] = &["corefs", "non_corefs", "words", "doubts", "replaced"];

/// What pandas calls its index where it has no name.
const INDEX: &str = "__index_level_";

/// A row as a record.
pub fn record(batch: &RecordBatch, row: usize) -> Json<'_> {
    let schema = batch.schema_ref();
    let columns = schema.fields().iter().zip(batch.columns());
    let fields = columns.filter(|(field, column)| !field.name().starts_with(INDEX) && !is_null(column, row));
    Json::Map(
        fields
            .map(|(field, column)| {
                let found = value(column, row);
                let found = match &found {
                    Json::Text(text) if is_nested(field.name()) && text.trim_start().starts_with(['[', '{']) => {
                        Json::parse(text.as_bytes()).map(Json::into_owned).unwrap_or(found)
                    }
                    _ => found,
                };
                (field.name().as_str().into(), found)
            })
            .collect(),
    )
}

fn is_nested(name: &str) -> bool {
    NESTED.contains(&name) || tasks::all().any(|task| task.about().answer == name)
}

/// All rows as JSON lines.
pub fn lines(batches: &[RecordBatch]) -> String {
    let mut lines = String::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            lines.push_str(&record(batch, row).to_line());
            lines.push('\n');
        }
    }
    lines
}

fn is_null(array: &dyn Array, row: usize) -> bool {
    matches!(array.data_type(), DataType::Null) || array.is_null(row)
}

/// A cell.
fn value(array: &dyn Array, row: usize) -> Json<'_> {
    if is_null(array, row) {
        return Json::Null;
    }
    match array.data_type() {
        DataType::Boolean => Json::Bool(array.as_boolean().value(row)),
        DataType::Int8 => Json::Int(array.as_primitive::<Int8Type>().value(row).into()),
        DataType::Int16 => Json::Int(array.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => Json::Int(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Json::Int(array.as_primitive::<Int64Type>().value(row)),
        DataType::UInt8 => Json::Int(array.as_primitive::<UInt8Type>().value(row).into()),
        DataType::UInt16 => Json::Int(array.as_primitive::<UInt16Type>().value(row).into()),
        DataType::UInt32 => Json::Int(array.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt64 => {
            let number = array.as_primitive::<UInt64Type>().value(row);
            i64::try_from(number).map_or(Json::Float(number as f64), Json::Int)
        }
        DataType::Float16 => number(f64::from(array.as_primitive::<Float16Type>().value(row))),
        DataType::Float32 => number(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => number(array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => Json::text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Json::text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Json::text(array.as_string_view().value(row)),
        DataType::List(_) => list(array.as_list::<i32>().values(), bounds(array.as_list::<i32>().value_offsets(), row)),
        DataType::LargeList(_) => list(array.as_list::<i64>().values(), bounds(array.as_list::<i64>().value_offsets(), row)),
        DataType::FixedSizeList(_, length) => {
            let (length, items) = (*length as usize, array.as_fixed_size_list());
            let from = items.value_offset_at(row);
            list(items.values(), (from, from + length))
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            // A struct has all fields of all rows; those that a record does not have are empty.
            let own = columns.filter(|(_, column)| !is_null(column, row));
            Json::Map(own.map(|(field, column)| (field.name().as_str().into(), value(column, row))).collect())
        }
        DataType::Map(_, _) => {
            let map = array.as_map();
            let (from, to) = bounds(map.value_offsets(), row);
            let key = |at: usize| value(map.keys(), at).as_str().map(ToOwned::to_owned).unwrap_or_default();
            Json::Map((from..to).map(|at| (key(at).into(), value(map.values(), at))).collect())
        }
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let Json::Int(at) = value(dictionary.keys(), row) else { return Json::Null };
            value(dictionary.values(), at as usize)
        }
        // Times, decimals and bytes belong to no record; the reader says what it expected in their place.
        other => Json::text(format!("{other}")),
    }
}

/// A whole number stays one: pandas makes floats of a column of numbers in which one is missing.
fn number(found: f64) -> Json<'static> {
    if found.fract() == 0.0 && found.abs() < 9e15 { Json::Int(found as i64) } else { Json::Float(found) }
}

fn bounds<T: Copy + TryInto<usize>>(offsets: &[T], row: usize) -> (usize, usize) {
    let at = |row: usize| offsets[row].try_into().unwrap_or_default();
    (at(row), at(row + 1))
}

fn list(values: &dyn Array, (from, to): (usize, usize)) -> Json<'_> {
    Json::List((from..to).map(|row| value(values, row)).collect())
}

/// The rows of batches as a stream of JSON lines, made while it is read.
pub struct Lines {
    batches: Vec<RecordBatch>,
    batch: usize,
    row: usize,
    ready: io::Cursor<Vec<u8>>,
}

impl Lines {
    /// Of these batches.
    pub fn new(batches: Vec<RecordBatch>) -> Lines {
        Lines { batches, batch: 0, row: 0, ready: io::Cursor::default() }
    }

    /// Makes the next hundred lines or so.
    fn fill(&mut self) {
        let mut lines = Vec::new();
        while let Some(batch) = self.batches.get(self.batch).filter(|_| lines.len() < 1 << 16) {
            if self.row == batch.num_rows() {
                (self.batch, self.row) = (self.batch + 1, 0);
                continue;
            }
            lines.extend_from_slice(record(batch, self.row).to_line().as_bytes());
            lines.push(b'\n');
            self.row += 1;
        }
        self.ready = io::Cursor::new(lines);
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.ready.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        self.fill();
        self.ready.read(buffer)
    }
}
