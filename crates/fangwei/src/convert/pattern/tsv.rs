//! What both tables share: rows of a TSV, names of classes, and what can be wrong with them.
//! Lines that open with `#` and blank lines are skipped.

use thiserror::Error;

use super::class::Class;

/// Why a table cannot be read. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// A row with too few or too many cells.
    #[error("line {line}: expected {expected} columns, found {found}")]
    Columns {
        /// Its line.
        line: usize,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A name that is not in its list.
    #[error("line {line}: expected a {what}, found `{found}`")]
    Unknown {
        /// Its line.
        line: usize,
        /// What was looked for.
        what: &'static str,
        /// What stood there.
        found: String,
    },
    /// A share of a part that the class cannot have.
    #[error("line {line}: class `{class}` has no part `{part}`")]
    NoSuchPart {
        /// Its line.
        line: usize,
        /// The class.
        class: &'static str,
        /// The part.
        part: String,
    },
    /// Two patterns of one name.
    #[error("line {line}: pattern name `{name}` stands twice")]
    Twice {
        /// Its line.
        line: usize,
        /// The name.
        name: String,
    },
    /// No pattern that fits everything.
    #[error("expected a last pattern with `any` in text1, text2 and between, found none")]
    NoFallback,
}

/// A line number, from 1, and the cells of that line.
pub(crate) type Row<'t> = (usize, Vec<&'t str>);

pub(crate) fn rows(text: &str, expected: usize) -> Result<Vec<Row<'_>>, TableError> {
    let mut found = Vec::new();
    for (at, row) in text.lines().enumerate() {
        if row.starts_with('#') || row.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = row.split('\t').collect();
        if cells.len() != expected {
            return Err(TableError::Columns { line: at + 1, expected, found: cells.len() });
        }
        found.push((at + 1, cells));
    }
    Ok(found)
}

pub(crate) fn unknown(line: usize, what: &'static str, found: &str) -> TableError {
    TableError::Unknown { line, what, found: found.to_owned() }
}

pub(crate) fn class_named(name: &str, line: usize) -> Result<Class, TableError> {
    Class::named(name).ok_or_else(|| unknown(line, "class", name))
}
