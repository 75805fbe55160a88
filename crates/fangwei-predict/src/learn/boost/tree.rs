//! One tree: grown leaf by leaf where the gain is greatest, on histograms of slopes.

use rayon::prelude::*;

use super::bins::{Column, MISSING};
use super::loss::Slopes;
use super::{Boosting, LEAF, MISSING_LEFT};

/// Sums of slopes and curvatures by bin, for each column in use; the last bin is that of missing values.
type Histogram = Vec<[f64; 2]>;

/// A tree as lists of nodes, ready to be added to a model.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub splits: Vec<u32>,
    pub thresholds: Vec<f32>,
    pub lefts: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Split {
    gain: f64,
    /// Index into the columns in use.
    column: usize,
    bin: u8,
    missing_left: bool,
}

struct Leaf {
    node: usize,
    depth: usize,
    rows: Vec<u32>,
    histograms: Vec<Histogram>,
    sums: [f64; 2],
    split: Option<Split>,
}

pub(super) struct Grower<'a> {
    pub columns: &'a [Column],
    /// Columns that this tree may ask.
    pub used: &'a [usize],
    pub slopes: &'a Slopes,
    pub boosting: &'a Boosting,
}

impl Grower<'_> {
    /// Grows a tree on these rows.
    pub fn grow(&self, rows: Vec<u32>) -> Tree {
        let mut tree = Tree::default();
        let histograms = self.histograms(&rows);
        let sums = rows.iter().fold([0.0; 2], |sums, &row| self.plus(sums, row));
        let mut leaves = vec![self.leaf(tree.add(), 0, rows, histograms, sums)];
        while leaves.len() < self.boosting.leaves.max(1) {
            // Of equal gains the first leaf wins: the order is the same in every run.
            let best = leaves.iter().enumerate().filter_map(|(index, leaf)| Some((index, leaf.split?)));
            let Some((index, split)) = best.reduce(|best, next| if next.1.gain > best.1.gain { next } else { best }) else {
                break;
            };
            let leaf = leaves.swap_remove(index);
            let [left, right] = self.split(leaf, split, &mut tree);
            leaves.push(left);
            leaves.push(right);
        }
        for leaf in leaves {
            tree.thresholds[leaf.node] = self.value(leaf.sums) as f32;
        }
        tree
    }

    fn plus(&self, sums: [f64; 2], row: u32) -> [f64; 2] {
        let row = row as usize;
        [sums[0] + f64::from(self.slopes.first[row]), sums[1] + f64::from(self.slopes.second[row])]
    }

    /// The step that brings the loss down most, made shorter.
    fn value(&self, sums: [f64; 2]) -> f64 {
        let curvature = sums[1] + f64::from(self.boosting.l2);
        if curvature > 0.0 { -sums[0] / curvature * f64::from(self.boosting.rate) } else { 0.0 }
    }

    fn histograms(&self, rows: &[u32]) -> Vec<Histogram> {
        let one = |&column: &usize| {
            let column = &self.columns[column];
            let mut sums = vec![[0.0; 2]; column.cuts.len() + 1];
            let missing = column.cuts.len();
            for &row in rows {
                let bin = column.bins[row as usize];
                let bin = if bin == MISSING { missing } else { usize::from(bin) };
                sums[bin] = self.plus(sums[bin], row);
            }
            sums
        };
        // A column is summed by one thread in the order of the rows. Small leaves are not worth a thread.
        if rows.len() * self.used.len() < 20_000 {
            self.used.iter().map(one).collect()
        } else {
            self.used.par_iter().map(one).collect()
        }
    }

    fn leaf(&self, node: usize, depth: usize, rows: Vec<u32>, histograms: Vec<Histogram>, sums: [f64; 2]) -> Leaf {
        let split = if depth < self.boosting.depth { self.best(&histograms, sums) } else { None };
        Leaf { node, depth, rows, histograms, sums, split }
    }

    /// The best split of a leaf; of equals the first column and bin.
    fn best(&self, histograms: &[Histogram], sums: [f64; 2]) -> Option<Split> {
        let l2 = f64::from(self.boosting.l2);
        let least = f64::from(self.boosting.min_child_weight).max(1e-9);
        let term = |sums: [f64; 2]| sums[0] * sums[0] / (sums[1] + l2);
        let whole = term(sums);
        let mut best: Option<Split> = None;
        for (index, histogram) in histograms.iter().enumerate() {
            let column = &self.columns[self.used[index]];
            let cuts = column.cuts.len();
            let missing = histogram[cuts];
            let mut left = [0.0; 2];
            for (bin, here) in histogram[..cuts].iter().enumerate() {
                left = [left[0] + here[0], left[1] + here[1]];
                for missing_left in [true, false] {
                    // All values against the missing ones is a split too, but only that way round.
                    if (bin + 1 == cuts || !column.has_missing) && missing_left {
                        continue;
                    }
                    let left = if missing_left { [left[0] + missing[0], left[1] + missing[1]] } else { left };
                    let right = [sums[0] - left[0], sums[1] - left[1]];
                    if left[1] < least || right[1] < least {
                        continue;
                    }
                    let gain = term(left) + term(right) - whole;
                    if gain > f64::from(self.boosting.min_gain).max(1e-9) && best.is_none_or(|best| gain > best.gain) {
                        best = Some(Split { gain, column: index, bin: bin as u8, missing_left });
                    }
                }
            }
        }
        best
    }

    fn split(&self, leaf: Leaf, split: Split, tree: &mut Tree) -> [Leaf; 2] {
        let number = self.used[split.column];
        let column = &self.columns[number];
        let goes_left = |row: u32| match column.bins[row as usize] {
            MISSING => split.missing_left,
            bin => bin <= split.bin,
        };
        let (left_rows, right_rows): (Vec<u32>, Vec<u32>) = leaf.rows.iter().partition(|&&row| goes_left(row));
        let left = tree.add();
        tree.add();
        tree.splits[leaf.node] = number as u32 | if split.missing_left { MISSING_LEFT } else { 0 };
        tree.thresholds[leaf.node] = column.cuts[usize::from(split.bin)];
        tree.lefts[leaf.node] = left as u32;

        // The smaller side is summed; the larger one is what is left of the parent.
        let small_is_left = left_rows.len() <= right_rows.len();
        let small_rows = if small_is_left { &left_rows } else { &right_rows };
        let small = self.histograms(small_rows);
        let small_sums = small_rows.iter().fold([0.0; 2], |sums, &row| self.plus(sums, row));
        let minus = |whole: [f64; 2], part: [f64; 2]| [whole[0] - part[0], whole[1] - part[1]];
        let mut large = leaf.histograms;
        for (large, small) in large.iter_mut().zip(&small) {
            large.iter_mut().zip(small).for_each(|(large, small)| *large = minus(*large, *small));
        }
        let large_sums = minus(leaf.sums, small_sums);
        let ((left_histograms, left_sums), (right_histograms, right_sums)) =
            if small_is_left { ((small, small_sums), (large, large_sums)) } else { ((large, large_sums), (small, small_sums)) };
        [
            self.leaf(left, leaf.depth + 1, left_rows, left_histograms, left_sums),
            self.leaf(left + 1, leaf.depth + 1, right_rows, right_histograms, right_sums),
        ]
    }
}

impl Tree {
    fn add(&mut self) -> usize {
        self.splits.push(LEAF);
        self.thresholds.push(0.0);
        self.lefts.push(0);
        self.splits.len() - 1
    }

    /// The value that the tree gives to a row of the binned features.
    pub fn value(&self, columns: &[Column], row: usize) -> f32 {
        let mut node = 0;
        while self.splits[node] != LEAF {
            let column = &columns[(self.splits[node] & !MISSING_LEFT) as usize];
            let left = match column.bins[row] {
                MISSING => self.splits[node] & MISSING_LEFT != 0,
                bin => column.cuts[usize::from(bin)] <= self.thresholds[node],
            };
            node = self.lefts[node] as usize + usize::from(!left);
        }
        self.thresholds[node]
    }
}
