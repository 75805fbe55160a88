//! How far a score can be trusted.
//!
//! Every official score is read off sums over items, so an item is a row of numbers and a score is a
//! function of the summed rows. Drawing items again (whole origins at a time, since siblings stand or fall
//! together) and reading the score again tells how far it moves by luck alone.

mod interval;
mod moments;
mod paired;
mod redraw;
mod resample;

pub use interval::{Interval, holm, mcnemar_exact, normal_quantile, wilson};
pub use moments::Moments;
pub use paired::{Paired, paired};
pub use redraw::{Redrawn, redraw};
pub(crate) use resample::percentile_interval;
pub use resample::{Resampling, bootstrap, first_probability, resampled};

use std::collections::HashMap;
use std::hash::Hash;

/// Reads a score off the sums of the rows and the number of items.
///
/// It must be finite for every draw: a measure that divides defines its own 0/0.
pub type Measure<'a> = &'a (dyn Fn(&[f64], f64) -> f64 + Sync);

/// Why a resampling cannot be done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// A row of another width than its table.
    #[error("expected a row of {expected} numbers, found {found}")]
    Width {
        /// Width of the table.
        expected: usize,
        /// Width of the row.
        found: usize,
    },
    /// A number that is infinite or not a number.
    #[error("expected finite numbers, found {found} in column {column}")]
    NotFinite {
        /// Column of the row, from 0.
        column: usize,
        /// What stands there.
        found: f64,
    },
    /// Tables or groups of different length.
    #[error("expected {expected} items in {what}, found {found}")]
    Length {
        /// What has another length.
        what: &'static str,
        /// Length of the first table.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// Nothing to draw from.
    #[error("expected at least one {0}, found none")]
    Empty(&'static str),
    /// A confidence outside of (0, 1).
    #[error("expected a confidence between 0 and 1, found {0}")]
    Confidence(f64),
    /// The measure gave no finite number.
    #[error("expected a finite measure, found {found} in {place}; define its 0/0")]
    Measure {
        /// The value.
        found: f64,
        /// `the items as given` or `a resample`.
        place: &'static str,
    },
}

/// One row of numbers per item, whose sums give the score.
///
/// ```
/// # use fangwei::stats::Rows;
/// let mut rows = Rows::new(2);
/// rows.push(&[1.0, 2.0])?;
/// rows.push(&[0.0, 3.0])?;
/// assert_eq!(rows.sums(), [1.0, 5.0]);
/// # Ok::<(), fangwei::stats::StatsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    width: usize,
    len: usize,
    data: Vec<f64>,
}

impl Rows {
    /// An empty table of rows of `width` numbers.
    pub fn new(width: usize) -> Self {
        Self { width, len: 0, data: Vec::new() }
    }

    /// Appends an item.
    pub fn push(&mut self, row: &[f64]) -> Result<(), StatsError> {
        if row.len() != self.width {
            return Err(StatsError::Width { expected: self.width, found: row.len() });
        }
        if let Some(column) = row.iter().position(|number| !number.is_finite()) {
            return Err(StatsError::NotFinite { column, found: row[column] });
        }
        self.data.extend_from_slice(row);
        self.len += 1;
        Ok(())
    }

    /// Numbers per item.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row of item `index`, if there is one.
    pub fn row(&self, index: usize) -> Option<&[f64]> {
        (index < self.len).then(|| &self.data[index * self.width..(index + 1) * self.width])
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.len).map(|index| &self.data[index * self.width..(index + 1) * self.width])
    }

    /// The sum of every column.
    pub fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        for row in self.iter() {
            add(&mut sums, row);
        }
        sums
    }
}

/// Which items are drawn together, as a dense group number per item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    of: Vec<u32>,
    count: usize,
}

impl Groups {
    /// Every one of `n` items alone.
    pub fn singletons(n: usize) -> Self {
        Self { of: (0..n as u32).collect(), count: n }
    }

    /// Items of equal key together; groups are numbered as they are first seen.
    pub fn from_keys<K: Eq + Hash>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut seen: HashMap<K, u32> = HashMap::new();
        let of = keys
            .into_iter()
            .map(|key| {
                let next = seen.len() as u32;
                *seen.entry(key).or_insert(next)
            })
            .collect();
        Self { of, count: seen.len() }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The group number of every item.
    pub fn of(&self) -> &[u32] {
        &self.of
    }
}

/// Adds a row to running sums of the same width.
fn add(sums: &mut [f64], row: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests;
