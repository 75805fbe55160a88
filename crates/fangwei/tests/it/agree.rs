//! Agreement: values of other programs, the tables that papers printed, properties, and the way from marks to gold.

mod answers;
mod frozen;
mod gold;
mod properties;
mod published;

use fangwei::agree::{Mark, Marks};

/// A table from a text an annotator: a character is a label, `.` is none.
pub fn table(rows: &[&str]) -> Marks {
    let mark = |(annotator, row): (usize, &&str)| {
        let mark = move |(item, label): (usize, char)| Mark {
            item: item.to_string().into(),
            annotator: annotator.to_string().into(),
            label: Some(label.to_string().into()).filter(|_| label != '.'),
            origin: None,
        };
        row.chars().enumerate().map(mark).collect::<Vec<_>>()
    };
    Marks::new(rows.iter().enumerate().flat_map(mark), &[]).expect("few labels")
}

/// Whether two numbers are equal to twelve digits.
pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}
