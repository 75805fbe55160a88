//! Trees one after the other, each on the slopes that the ones before left.

use std::ops::Range;

use fangwei::chance::Dice;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::tree::Grower;
use super::{Boost, Loss, Rows, bins, loss};
use crate::learn::{Curve, Progress, Watch};

/// How trees are grown.
///
/// ```
/// use fangwei_predict::learn::boost::Boosting;
/// let shallow = Boosting { depth: 2, ..Boosting::default() };
/// assert_eq!(shallow.leaves, 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Boosting {
    /// How many trees.
    pub trees: usize,
    /// What each tree's step is multiplied with.
    pub rate: f32,
    /// Most leaves of a tree.
    pub leaves: usize,
    /// Most questions from root to leaf.
    pub depth: usize,
    /// Least sum of curvatures in a leaf (of rows, for the squared loss).
    pub min_child_weight: f32,
    /// Least gain of a split.
    pub min_gain: f32,
    /// Added to the curvature of a leaf.
    pub l2: f32,
    /// Share of the rows (of the groups, for [`Loss::Groups`]) that each tree sees.
    pub row_share: f32,
    /// Share of the columns that each tree may ask.
    pub column_share: f32,
    /// Most bins of a column, 2 to 255.
    pub bins: usize,
    /// Decides which rows and columns.
    pub seed: u64,
}

impl Default for Boosting {
    fn default() -> Self {
        Self {
            trees: 200,
            rate: 0.1,
            leaves: 16,
            depth: 6,
            min_child_weight: 1.0,
            min_gain: 0.0,
            l2: 1.0,
            row_share: 1.0,
            column_share: 1.0,
            bins: 128,
            seed: 0,
        }
    }
}

pub(super) fn train(rows: &Rows, loss: Loss, boosting: &Boosting, watch: &mut Watch<'_>) -> (Boost, Curve) {
    let columns = bins::columns(rows, boosting.bins);
    let groups = loss::groups(rows, loss);
    let base = loss.base(rows);
    let mut scores = vec![base; rows.len()];
    let (mut roots, mut splits, mut thresholds, mut lefts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let skipped = rows.weights.iter().filter(|&&weight| weight <= 0.0).count();
    let mut curve = Curve { losses: Vec::new(), finished: true, skipped };
    let mut slopes = loss.slopes(rows, &groups, &scores);
    for number in 0..boosting.trees {
        // A stream for each tree: what one draws does not depend on how many the others drew.
        let mut dice = Dice::new(boosting.seed, number as u64);
        let chosen = share(&groups, boosting.row_share, &mut dice);
        let numbers: Vec<usize> = (0..rows.columns).collect();
        let used = share(&numbers, boosting.column_share, &mut dice);
        let seen: Vec<u32> = chosen.into_iter().flat_map(|group: Range<usize>| group.map(|row| row as u32)).collect();
        let tree = Grower { columns: &columns, used: &used, slopes: &slopes, boosting }.grow(seen);

        scores.par_iter_mut().with_min_len(1024).enumerate().for_each(|(row, score)| *score += tree.value(&columns, row));
        let first = splits.len() as u32;
        roots.push(first);
        lefts.extend(tree.lefts.iter().map(|left| left + first));
        splits.extend(tree.splits);
        thresholds.extend(tree.thresholds);

        slopes = loss.slopes(rows, &groups, &scores);
        curve.losses.push(slopes.loss);
        if watch(Progress { step: number + 1, steps: boosting.trees, loss: slopes.loss }).is_break() {
            curve.finished = number + 1 == boosting.trees;
            break;
        }
    }
    let boost = Boost {
        columns: rows.columns,
        base,
        roots: roots.into(),
        splits: splits.into(),
        thresholds: thresholds.into(),
        lefts: lefts.into(),
    };
    (boost, curve)
}

/// A random share of a list, at least one, in the order of the list.
fn share<T: Clone>(list: &[T], share: f32, dice: &mut Dice) -> Vec<T> {
    if share >= 1.0 || list.is_empty() {
        return list.to_vec();
    }
    let count = ((list.len() as f32 * share.max(0.0)).round() as usize).clamp(1, list.len());
    let mut order: Vec<usize> = (0..list.len()).collect();
    dice.shuffle(&mut order);
    order.truncate(count);
    order.sort_unstable();
    order.into_iter().map(|index| list[index].clone()).collect()
}
