//! Everybody against everybody: a square of values with nothing on its diagonal, and its means.

use serde::Serialize;
use smol_str::SmolStr;

use crate::score::ratio;

/// A square of values. Of scores, rows are who served as gold; of kappas, both halves are equal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Matrix {
    /// The annotators.
    pub names: Vec<SmolStr>,
    /// The values, row by row; `None` on the diagonal and where there is none.
    pub cells: Vec<Vec<Option<f64>>>,
}

impl Matrix {
    /// A square without values.
    pub fn new(names: &[SmolStr]) -> Matrix {
        Matrix { names: names.to_vec(), cells: vec![vec![None; names.len()]; names.len()] }
    }

    /// A square of values; what is missing, and the diagonal, is `None`.
    pub fn from_rows(names: &[SmolStr], rows: &[Vec<Option<f64>>]) -> Matrix {
        let mut matrix = Matrix::new(names);
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                matrix.set(row, column, *cell);
            }
        }
        matrix
    }

    /// Sets a value beside the diagonal.
    pub fn set(&mut self, row: usize, column: usize, value: Option<f64>) {
        if let (true, Some(cell)) = (row != column, self.cells.get_mut(row).and_then(|cells| cells.get_mut(column))) {
            *cell = value;
        }
    }

    /// The mean of an annotator with the others, as row and as column.
    pub fn mean_of(&self, number: usize) -> Option<f64> {
        mean(self.values(|row, column| row == number || column == number))
    }

    /// The mean over all pairs, each direction counted.
    pub fn mean(&self) -> Option<f64> {
        mean(self.values(|_, _| true))
    }

    fn values(&self, wanted: impl Fn(usize, usize) -> bool) -> impl Iterator<Item = f64> {
        let place = move |(row, cells): (usize, &Vec<Option<f64>>)| {
            let own: Vec<f64> =
                cells.iter().enumerate().filter(|(column, _)| wanted(row, *column)).filter_map(|(_, cell)| *cell).collect();
            own
        };
        self.cells.iter().enumerate().flat_map(place)
    }
}

/// The mean of some values; of none, nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| ratio(sum, count))
}
