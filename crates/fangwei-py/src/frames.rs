//! Rows that steps make, as columns: passages and candidates. Numbers are signed, because Spark has no others.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Fields};
use fangwei::corpus::{Passage, Word};
use fangwei::substitute::Candidate;

use crate::Made;
use crate::errors::Raised;

/// A batch of named columns of one length.
pub fn batch(columns: Vec<(&str, ArrayRef)>) -> Made<RecordBatch> {
    RecordBatch::try_from_iter(columns).map_err(|error| Raised::new("FangweiError", error, serde_json::json!({})))
}

/// The same rows with columns before and after their own.
pub fn between<'c>(
    before: Vec<(&'c str, ArrayRef)>,
    rows: &'c RecordBatch,
    after: Vec<(&'c str, ArrayRef)>,
) -> Made<RecordBatch> {
    let own =
        rows.schema_ref().fields().iter().zip(rows.columns()).map(|(field, column)| (field.name().as_str(), Arc::clone(column)));
    batch(before.into_iter().chain(own).chain(after).collect())
}

/// A column of numbers.
pub fn numbers(values: Vec<i64>) -> ArrayRef {
    Arc::new(Int64Array::from(values))
}

fn texts<'t>(values: impl Iterator<Item = &'t str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

fn lines(values: impl Iterator<Item = u64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values.map(|line| line as i64)))
}

/// Passages: id, genre, source, line, text, words, doubts.
pub fn passages(passages: &[Passage]) -> Made<RecordBatch> {
    let each = || passages.iter();
    batch(vec![
        ("id", texts(each().map(|one| one.id.as_str()))),
        ("genre", texts(each().map(|one| one.genre.as_str()))),
        ("source", texts(each().map(|one| &*one.source))),
        ("line", lines(each().map(|one| one.line))),
        ("text", texts(each().map(|one| one.text.as_str()))),
        ("words", words(each().map(|one| one.words.as_slice()))),
        ("doubts", doubts(each().map(|one| one.doubts.as_slice()))),
    ])
}

/// Lists of words: text, pos, class.
pub fn words<'w>(lists: impl Iterator<Item = &'w [Word]>) -> ArrayRef {
    let fields = Fields::from(["text", "pos", "class"].map(|name| Field::new(name, DataType::Utf8, true)).to_vec());
    let mut builder = ListBuilder::new(StructBuilder::from_fields(fields, 0));
    for list in lists {
        let words = builder.values();
        for word in list {
            let class = word.class.map(fangwei::lexicon::Class::as_str);
            for (number, value) in [Some(word.text.as_str()), Some(word.pos.as_str()), class].into_iter().enumerate() {
                text_field(words, number, value);
            }
            words.append(true);
        }
        builder.append(true);
    }
    Arc::new(builder.finish())
}

/// Lists of numbers of words.
pub fn doubts<'d>(lists: impl Iterator<Item = &'d [u32]>) -> ArrayRef {
    let mut builder = ListBuilder::new(Int32Builder::new());
    for list in lists {
        for number in list {
            builder.values().append_value(*number as i32);
        }
        builder.append(true);
    }
    Arc::new(builder.finish())
}

/// Candidates: id, origin, genre, source, line, context, replaced.
pub fn candidates(candidates: &[Candidate]) -> Made<RecordBatch> {
    let each = || candidates.iter();
    let mut fields = vec![Field::new("at", DataType::Int64, true)];
    fields.extend(["from", "to", "class", "group"].map(|name| Field::new(name, DataType::Utf8, true)));
    let mut builder = ListBuilder::new(StructBuilder::from_fields(Fields::from(fields), 0));
    for candidate in each() {
        let words = builder.values();
        for one in &candidate.replaced {
            if let Some(at) = words.field_builder::<Int64Builder>(0) {
                at.append_value(one.at as i64);
            }
            let values = [one.from.as_str(), one.to.as_str(), one.class.as_str(), one.group.as_str()];
            for (number, value) in values.into_iter().enumerate() {
                text_field(words, number + 1, Some(value));
            }
            words.append(true);
        }
        builder.append(true);
    }
    batch(vec![
        ("id", texts(each().map(|one| one.id.as_str()))),
        ("origin", texts(each().map(|one| one.origin.as_str()))),
        ("genre", texts(each().map(|one| one.genre.as_str()))),
        ("source", texts(each().map(|one| &*one.source))),
        ("line", lines(each().map(|one| one.line))),
        ("context", texts(each().map(|one| one.context.as_str()))),
        ("replaced", Arc::new(builder.finish())),
    ])
}

fn text_field(builder: &mut StructBuilder, number: usize, value: Option<&str>) {
    if let Some(field) = builder.field_builder::<StringBuilder>(number) {
        field.append_option(value);
    }
}
