//! Features sorted into bins of about equal weight, a byte each.

use rayon::prelude::*;

use super::Rows;

/// The bin of missing values.
pub(super) const MISSING: u8 = u8::MAX;

/// One feature of all rows.
#[derive(Debug)]
pub(super) struct Column {
    /// By row.
    pub bins: Vec<u8>,
    /// `value <= cuts[bin]`, and not less than the cut before: the last cut is infinite.
    pub cuts: Vec<f32>,
    pub has_missing: bool,
}

/// Sorts every feature into at most `limit` bins (2 to 255).
pub(super) fn columns(rows: &Rows, limit: usize) -> Vec<Column> {
    (0..rows.columns).into_par_iter().map(|column| Column::new(rows, column, limit.clamp(2, usize::from(MISSING)))).collect()
}

impl Column {
    fn new(rows: &Rows, column: usize, limit: usize) -> Self {
        let values = || rows.values.iter().skip(column).step_by(rows.columns);
        let mut sorted: Vec<f32> = values().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        let mut cuts = cuts(&sorted, limit);
        cuts.push(f32::INFINITY);
        let bin = |value: f32| cuts.partition_point(|&cut| cut < value) as u8;
        let bins: Vec<u8> = values().map(|&value| if value.is_nan() { MISSING } else { bin(value) }).collect();
        Self { bins, cuts, has_missing: sorted.len() < rows.len() }
    }
}

/// Cuts half-way between neighbours: between all distinct values if they fit, else where the next share of the rows is full.
fn cuts(sorted: &[f32], limit: usize) -> Vec<f32> {
    let mut runs: Vec<(f32, usize)> = Vec::new();
    for &value in sorted {
        match runs.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ => runs.push((value, 1)),
        }
    }
    let all_fit = runs.len() <= limit;
    let mut cuts = Vec::new();
    let (mut filled, mut left) = (0, sorted.len());
    for pair in runs.windows(2) {
        filled += pair[0].1;
        // The share is what is left for the bins that are left: a frequent value that fills several leaves the rest to the others.
        if all_fit || (filled * (limit - cuts.len()) >= left && cuts.len() + 1 < limit) {
            let middle = pair[0].0 / 2.0 + pair[1].0 / 2.0;
            // Of two neighbouring floats the half may be the upper one.
            cuts.push(if middle < pair[1].0 { middle } else { pair[0].0 });
            left -= filled;
            filled = 0;
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::cuts;

    #[test]
    fn few_values_get_a_bin_each_and_many_equal_shares() {
        assert_eq!(cuts(&[1.0, 1.0, 2.0, 4.0], 255), [1.5, 3.0]);
        assert!(cuts(&[7.0; 5], 255).is_empty());
        let many: Vec<f32> = (0..1000).map(|number| number as f32).collect();
        // Four bins of 250.
        assert_eq!(cuts(&many, 4), [249.5, 499.5, 749.5]);
        // Neighbouring floats stay apart.
        let (low, high) = (1.0f32, f32::from_bits(1.0f32.to_bits() + 1));
        assert_eq!(cuts(&[low, high], 255), [low]);
    }
}
