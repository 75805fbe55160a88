//! Gradient-boosted trees on dense features, some of which may be missing.
//!
//! Features are sorted into at most 255 bins once; a tree grows leaf by leaf, where the loss falls most. Written by hand because the
//! crates at hand either lack the loss over groups or a clear licence.

mod bins;
mod loss;
mod train;
mod tree;

pub use loss::Loss;
pub use train::Boosting;

use super::{Curve, Watch};
use crate::weights::{ReadScope, Section, WeightsError, WriteScope};

/// Rows of dense features with targets. A missing value is NaN.
///
/// ```
/// use fangwei_predict::learn::boost::Rows;
///
/// let mut rows = Rows::new(2);
/// rows.push(&[0.5, f32::NAN], 1.0, 1.0);
/// rows.push(&[0.1, 3.0], 0.0, 1.0);
/// rows.close_group(); // only for `Loss::Groups`
/// assert_eq!(rows.len(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rows {
    columns: usize,
    values: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
    ends: Vec<usize>,
}

impl Rows {
    /// No rows of this many features.
    pub fn new(columns: usize) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Adds a row; features beyond the end are missing. A target or weight that is no number makes the row count nothing.
    pub fn push(&mut self, features: &[f32], target: f32, weight: f32) {
        self.values.extend((0..self.columns).map(|column| features.get(column).copied().unwrap_or(f32::NAN)));
        let usable = target.is_finite() && weight.is_finite() && weight > 0.0;
        self.targets.push(if usable { target } else { 0.0 });
        self.weights.push(if usable { weight } else { 0.0 });
    }

    /// Ends a group: the rows since the last one are alternatives.
    pub fn close_group(&mut self) {
        self.ends.push(self.targets.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

/// Marks a leaf in the list of columns; its threshold is its value.
const LEAF: u32 = u32::MAX;
/// Set in the column of a split that sends missing values to the left.
const MISSING_LEFT: u32 = 1 << 31;

/// Trained trees.
///
/// ```
/// use fangwei_predict::learn::boost::{Boost, Boosting, Loss, Rows};
/// use fangwei_predict::learn::unwatched;
///
/// let mut rows = Rows::new(1);
/// for number in 0..100 {
///     rows.push(&[number as f32], if number < 40 { 2.0 } else { 5.0 }, 1.0);
/// }
/// let (boost, _) = Boost::train(&rows, Loss::Squared, &Boosting::default(), &mut unwatched);
/// assert!((boost.score(&[39.0]) - 2.0).abs() < 0.05);
/// assert!((boost.score(&[40.0]) - 5.0).abs() < 0.05);
/// ```
#[derive(Debug, Clone)]
pub struct Boost {
    columns: usize,
    base: f32,
    roots: Section<u32>,
    /// By node: column and flags, threshold or value of a leaf, left child (the right one follows it).
    splits: Section<u32>,
    thresholds: Section<f32>,
    lefts: Section<u32>,
}

impl Boost {
    /// Trains trees one after the other.
    pub fn train(rows: &Rows, loss: Loss, boosting: &Boosting, watch: &mut Watch<'_>) -> (Self, Curve) {
        train::train(rows, loss, boosting, watch)
    }

    /// The score of a row: log-odds, value, or log-weight among its group, by the loss that the trees were trained for.
    pub fn score(&self, features: &[f32]) -> f32 {
        let (splits, thresholds, lefts) = (&*self.splits, &*self.thresholds, &*self.lefts);
        let mut score = self.base;
        for &root in &*self.roots {
            let mut node = root as usize;
            while splits[node] != LEAF {
                let value = features.get((splits[node] & !MISSING_LEFT) as usize).copied().unwrap_or(f32::NAN);
                let left = if value.is_nan() { splits[node] & MISSING_LEFT != 0 } else { value <= thresholds[node] };
                node = lefts[node] as usize + usize::from(!left);
            }
            score += thresholds[node];
        }
        score
    }

    /// How many trees there are.
    pub fn trees(&self) -> usize {
        self.roots.len()
    }

    /// How often each column is asked, to explain the model.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.columns];
        for &split in self.splits.iter().filter(|&&split| split != LEAF) {
            uses[(split & !MISSING_LEFT) as usize] += 1;
        }
        uses
    }

    /// Puts the model into a weights file.
    pub fn save(&self, out: &mut WriteScope<'_>) {
        out.put("columns", &[self.columns as u32]);
        out.put("base", &[self.base]);
        out.put("roots", &self.roots);
        out.put("splits", &self.splits);
        out.put("thresholds", &self.thresholds);
        out.put("lefts", &self.lefts);
    }

    /// Takes it out again and checks that every walk down a tree ends.
    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let columns = from.get::<u32>("columns")?.first().copied().unwrap_or_default() as usize;
        let base = from.get::<f32>("base")?.first().copied().unwrap_or_default();
        let boost = Self {
            columns,
            base,
            roots: from.get("roots")?,
            splits: from.get("splits")?,
            thresholds: from.get("thresholds")?,
            lefts: from.get("lefts")?,
        };
        let nodes = boost.splits.len();
        if boost.thresholds.len() != nodes || boost.lefts.len() != nodes {
            let found = format!("{} and {}", boost.thresholds.len(), boost.lefts.len());
            return Err(from.unfit("splits", format!("{nodes} thresholds and children"), found));
        }
        if let Some(root) = boost.roots.iter().find(|&&root| root as usize >= nodes) {
            return Err(from.unfit("roots", format!("nodes below {nodes}"), root));
        }
        for (node, (&split, &left)) in boost.splits.iter().zip(&*boost.lefts).enumerate() {
            if split == LEAF {
                continue;
            }
            if (split & !MISSING_LEFT) as usize >= columns {
                return Err(from.unfit("splits", format!("columns below {columns}"), split & !MISSING_LEFT));
            }
            // Children stand after their parent, so there are no circles.
            if left as usize <= node || left as usize + 1 >= nodes {
                return Err(from.unfit("lefts", format!("children after node {node}, below {nodes}"), left));
            }
        }
        Ok(boost)
    }
}

#[cfg(test)]
mod tests;
