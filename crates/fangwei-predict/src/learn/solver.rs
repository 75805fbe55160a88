//! The part that all sparse learners share: rows of weights, AdaGrad, and how a trained matrix is kept.
//!
//! A step gets the errors of a mini-batch, each with the rows it concerns. Rows are divided among threads, not examples: every row
//! gets its gradient summed in the order of the batch, by one thread, so the number of threads changes nothing.

use rayon::prelude::*;

use super::Training;
use super::feature::Keys;
use super::table::Table;
use crate::weights::{ReadScope, Section, WeightsError, WriteScope, f16};

/// Keeps the first division finite; far below any gradient that matters.
const TINY: f32 = 1e-8;

/// Key lists turned into lists of rows, each sorted, keys without a row left out.
#[derive(Debug, Default)]
pub(super) struct RowLists {
    rows: Vec<u32>,
    values: Vec<f32>,
    ends: Vec<u32>,
}

impl RowLists {
    /// `values` runs along all keys, or is empty where each counts 1.
    pub fn new(table: &Table, keys: &Keys, values: &[f32]) -> Self {
        let find = table.finder();
        let mut lists = Self::default();
        let mut at = 0;
        let mut sorted: Vec<(u32, f32)> = Vec::new();
        for list in keys.lists() {
            sorted.clear();
            for &key in list {
                if let Some(row) = find(key) {
                    sorted.push((row, values.get(at).copied().unwrap_or(1.0)));
                }
                at += 1;
            }
            sorted.sort_by_key(|&(row, _)| row);
            lists.rows.extend(sorted.iter().map(|&(row, _)| row));
            if !values.is_empty() {
                lists.values.extend(sorted.iter().map(|&(_, value)| value));
            }
            lists.ends.push(lists.rows.len() as u32);
        }
        lists
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    /// The update that an error on list `index` asks for.
    pub fn update<'a>(&'a self, index: usize, error: &'a [f32]) -> Update<'a> {
        let range = self.range(index);
        let values = if self.values.is_empty() { &[] } else { &self.values[range.clone()] };
        Update { rows: &self.rows[range], values, error }
    }

    /// Adds the weights of list `index` to `scores`.
    pub fn add(&self, index: usize, weights: &[f32], scores: &mut [f32]) {
        let width = scores.len();
        for at in self.range(index) {
            let row = &weights[self.rows[at] as usize * width..][..width];
            let value = if self.values.is_empty() { 1.0 } else { self.values[at] };
            for (score, weight) in scores.iter_mut().zip(row) {
                *score += weight * value;
            }
        }
    }

    fn count(&self, counts: &mut [u64]) {
        for &row in &self.rows {
            counts[row as usize] += 1;
        }
    }
}

/// An error (the gradient of the score, one number a column) and the sorted rows that made the score.
pub(super) struct Update<'a> {
    rows: &'a [u32],
    values: &'a [f32],
    error: &'a [f32],
}

/// Rows of weights in training.
#[derive(Debug)]
pub(super) struct Solver {
    width: usize,
    pub weights: Vec<f32>,
    squares: Vec<f32>,
    gradient: Vec<f32>,
    /// The step that touched a row last: what decay it has missed.
    stamps: Vec<u32>,
    /// Where a thread's rows begin; as many examples touch each part.
    bounds: Vec<usize>,
    step: u32,
}

/// The rows that one thread updates.
struct Shard<'a> {
    first: usize,
    weights: &'a mut [f32],
    squares: &'a mut [f32],
    gradient: &'a mut [f32],
    stamps: &'a mut [u32],
}

impl Solver {
    pub fn new<'a>(rows: usize, width: usize, lists: impl Iterator<Item = &'a RowLists>) -> Self {
        let mut counts = vec![0u64; rows];
        lists.for_each(|lists| lists.count(&mut counts));
        let parts = rayon::current_num_threads().max(1) as u64;
        let all: u64 = counts.iter().sum();
        let mut bounds = vec![0];
        let mut sum = 0;
        for (row, count) in counts.iter().enumerate() {
            if sum * parts >= all * bounds.len() as u64 && row > 0 && (bounds.len() as u64) < parts {
                bounds.push(row);
            }
            sum += count;
        }
        bounds.push(rows);
        let size = rows * width;
        let zeros = || vec![0.0; size];
        Self { width, weights: zeros(), squares: zeros(), gradient: zeros(), stamps: vec![0; rows], bounds, step: 0 }
    }

    /// One step of AdaGrad; `decay` is the strength of L2 against the mean loss of a batch.
    pub fn step(&mut self, updates: &[Update<'_>], rate: f32, decay: f32) {
        self.step += 1;
        let (step, width) = (self.step, self.width);
        let (mut weights, mut squares) = (&mut self.weights[..], &mut self.squares[..]);
        let (mut gradient, mut stamps) = (&mut self.gradient[..], &mut self.stamps[..]);
        let mut shards = Vec::with_capacity(self.bounds.len());
        for bound in self.bounds.windows(2) {
            let rows = bound[1] - bound[0];
            shards.push(Shard {
                first: bound[0],
                weights: weights.split_off_mut(..rows * width).unwrap_or_default(),
                squares: squares.split_off_mut(..rows * width).unwrap_or_default(),
                gradient: gradient.split_off_mut(..rows * width).unwrap_or_default(),
                stamps: stamps.split_off_mut(..rows).unwrap_or_default(),
            });
        }
        if let [shard] = &mut shards[..] {
            shard.step(updates, width, step, rate, decay);
        } else {
            shards.par_iter_mut().for_each(|shard| shard.step(updates, width, step, rate, decay));
        }
    }

    /// The trained matrix: missed decay made up, small rows left out, the rest as halves.
    pub fn finish(mut self, table: &Table, training: &Training, decay: f32) -> Matrix {
        let width = self.width;
        for (row, stamp) in self.stamps.iter().enumerate() {
            let missed = (self.step - stamp) as f32;
            for at in row * width..(row + 1) * width {
                let rate = training.rate / (self.squares[at].sqrt() + TINY);
                self.weights[at] /= 1.0 + rate * decay * missed;
            }
        }
        let mut keys = Vec::new();
        let mut weights = Vec::new();
        for (row, key) in table.keys().into_iter().enumerate() {
            let values = &self.weights[row * width..][..width];
            if values.iter().any(|value| value.abs() >= training.prune.max(f16::MIN_POSITIVE.to_f32())) {
                keys.push(key);
                weights.extend(values.iter().map(|&value| narrow(value)));
            }
        }
        Matrix { table: Table::from_keys(&keys), width, weights: weights.into() }
    }
}

impl Shard<'_> {
    fn step(&mut self, updates: &[Update<'_>], width: usize, step: u32, rate: f32, decay: f32) {
        let (first, last) = (self.first as u32, (self.first + self.stamps.len()) as u32);
        let mut touched: Vec<(u32, u32)> = Vec::new();
        for update in updates {
            // Rows are sorted, so this shard's are one run.
            let from = if first == 0 { 0 } else { update.rows.partition_point(|&row| row < first) };
            for (at, &row) in update.rows.iter().enumerate().skip(from).take_while(|&(_, &row)| row < last) {
                let row = row - first;
                let stamp = &mut self.stamps[row as usize];
                if *stamp != step {
                    touched.push((row, step - *stamp));
                    *stamp = step;
                }
                let gradient = &mut self.gradient[row as usize * width..][..width];
                if let Some(value) = update.values.get(at) {
                    gradient.iter_mut().zip(update.error).for_each(|(sum, error)| *sum += error * value);
                } else {
                    gradient.iter_mut().zip(update.error).for_each(|(sum, error)| *sum += error);
                }
            }
        }
        for (row, missed) in touched {
            let range = row as usize * width..(row as usize + 1) * width;
            let decay = decay * missed as f32;
            let gradient = &mut self.gradient[range.clone()];
            adagrad(&mut self.weights[range.clone()], &mut self.squares[range], gradient, rate, decay);
            gradient.fill(0.0);
        }
    }
}

/// `weights -= rate / √Σg² · g`, then L2 as an implicit step, which cannot overshoot however long the decay was put off.
#[inline]
fn adagrad(weights: &mut [f32], squares: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
    for ((weight, square), &gradient) in weights.iter_mut().zip(squares).zip(gradient) {
        *square += gradient * gradient;
        let rate = rate / (square.sqrt() + TINY);
        *weight = (*weight - rate * gradient) / (1.0 + rate * decay);
    }
}

/// Weights that every example has: biases, dense features, transitions.
#[derive(Debug)]
pub(super) struct Dense {
    pub weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Dense {
    pub fn new(len: usize) -> Self {
        Self { weights: vec![0.0; len], squares: vec![0.0; len] }
    }

    pub fn step(&mut self, gradient: &[f64], rate: f32, decay: f32) {
        let gradient: Vec<f32> = gradient.iter().map(|&sum| sum as f32).collect();
        adagrad(&mut self.weights, &mut self.squares, &gradient, rate, decay);
    }
}

/// A trained table of rows of weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    table: Table,
    width: usize,
    weights: Section<f16>,
}

impl Matrix {
    /// No rows.
    pub fn empty(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// Adds the rows of each list of keys to its `width` scores.
    pub fn add_lists<'a>(&self, lists: impl Iterator<Item = &'a [u32]>, scores: &mut [f32]) {
        let weights: &[u16] = bytemuck::cast_slice(&self.weights);
        let (mut fetched, mut rows) = (Vec::new(), Vec::new());
        for (list, scores) in lists.zip(scores.chunks_exact_mut(self.width.max(1))) {
            rows.clear();
            self.table.rows_of(list, &mut fetched, &mut rows);
            for &row in &rows {
                let row = &weights[row as usize * self.width..][..self.width];
                scores.iter_mut().zip(row).for_each(|(score, &bits)| *score += widen(bits));
            }
        }
    }

    /// Adds the rows of keys with values.
    pub fn add_valued(&self, keys: &[u32], values: &[f32], scores: &mut [f32]) {
        for (row, value) in keys.iter().zip(values).filter_map(|(&key, value)| Some((self.table.row(key)?, value))) {
            let row = &self.weights[row as usize * self.width..][..self.width];
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += widen(weight.to_bits()) * value);
        }
    }

    /// The weights of one key.
    pub fn weights_of(&self, key: u32) -> Option<Vec<f32>> {
        let row = self.table.row(key)? as usize;
        Some(self.weights[row * self.width..][..self.width].iter().map(|weight| weight.to_f32()).collect())
    }

    pub fn save(&self, out: &mut WriteScope<'_>) {
        self.table.save(out);
        out.put("width", &[self.width as u32]);
        out.put("weights", &self.weights);
    }

    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let table = Table::load(from)?;
        let width = from.get::<u32>("width")?.first().copied().unwrap_or_default() as usize;
        let weights = from.get::<f16>("weights")?;
        let expected = table.rows().checked_mul(width);
        if expected != Some(weights.len()) {
            let expected = format!("{} rows of {width}", table.rows());
            return Err(from.unfit("weights", expected, weights.len()));
        }
        Ok(Self { table, width, weights })
    }
}

/// To half precision, without the numbers that would need slow arithmetic: infinite or subnormal.
fn narrow(weight: f32) -> f16 {
    if weight.abs() < f16::MIN_POSITIVE.to_f32() || weight.is_nan() {
        return f16::ZERO;
    }
    f16::from_f32(weight.clamp(f16::MIN.to_f32(), f16::MAX.to_f32()))
}

/// From half precision by shifting the bits into place and mending the exponent: exact for all finite numbers, and the compiler
/// can do several at once.
#[inline]
fn widen(bits: u16) -> f32 {
    const EXPONENT: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * EXPONENT;
    f32::from_bits(magnitude.to_bits() | u32::from(bits & 0x8000) << 16)
}

#[cfg(test)]
mod tests {
    use super::{narrow, widen};
    use crate::weights::f16;

    #[test]
    fn halves_are_widened_exactly() {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            if half.is_finite() {
                assert_eq!(widen(bits).to_bits(), half.to_f32().to_bits(), "{bits:04x}");
            }
        }
        assert_eq!(narrow(1e9), f16::MAX);
        assert_eq!(narrow(f32::NAN), f16::ZERO);
        assert_eq!(narrow(-1e-7), f16::ZERO);
    }
}
