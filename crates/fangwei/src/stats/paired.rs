//! Two systems on the same items: is the difference more than luck?
//!
//! The bootstrap asks how far the difference moves when other items are drawn; the permutation asks how
//! large it gets when the systems' answers are swapped at random, group by group.

use rand_chacha::ChaCha8Rng;
use rand_core::Rng;
use serde::Serialize;

use super::resample::{Domain, Table, finite, percentile_interval};
use super::{Groups, Interval, Measure, Resampling, Rows, StatsError, add};

/// Differences this close count as equal: sums in another order differ in their last digits.
const TOLERANCE: f64 = 1e-12;

/// A comparison of two systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    /// Measure of the first system.
    pub a: f64,
    /// Measure of the second system.
    pub b: f64,
    /// `a - b`.
    pub difference: f64,
    /// Percentile interval of the difference.
    pub interval: Interval,
    /// Two-sided p value by the bootstrap distribution, centred on no difference.
    pub p_bootstrap: f64,
    /// Two-sided p value by swapping groups.
    pub p_permutation: f64,
    /// Number of draws of each kind.
    pub resamples: usize,
    /// Seed of the generator.
    pub seed: u64,
    /// Number of groups drawn.
    pub groups: usize,
}

/// Compares two systems, item by item in the same order.
pub fn paired(a: &Rows, b: &Rows, groups: &Groups, measure: Measure, resampling: &Resampling) -> Result<Paired, StatsError> {
    resampling.check()?;
    let table = Table::new(&[a, b], groups)?;
    let observed = table.observed(2, measure)?;
    let difference = observed[0] - observed[1];
    let differences: Vec<f64> =
        table.resampled(2, measure, resampling)?.into_iter().map(|values| values[0] - values[1]).collect();
    // Shifted to a mean of no difference, how often is it as far out as the one observed?
    let p_bootstrap = tail_share(differences.iter().map(|drawn| drawn - difference), difference);
    let swapped = Swaps::new(&table, a.width()).run(&table, measure, resampling)?;
    Ok(Paired {
        a: observed[0],
        b: observed[1],
        difference,
        interval: percentile_interval(differences, resampling.confidence),
        p_bootstrap,
        p_permutation: tail_share(swapped.into_iter(), difference),
        resamples: resampling.resamples,
        seed: resampling.seed,
        groups: groups.count(),
    })
}

/// Share of differences at least as extreme as the observed one, which counts as one of them.
fn tail_share(differences: impl ExactSizeIterator<Item = f64>, observed: f64) -> f64 {
    let all = differences.len() + 1;
    let extreme = differences.filter(|drawn| drawn.abs() >= observed.abs() - TOLERANCE).count() + 1;
    extreme as f64 / all as f64
}

/// What changes when a group's rows are swapped: `b - a` is added to A and taken from B.
struct Swaps {
    width: usize,
    /// `b - a` per group.
    changes: Vec<f64>,
    whole: Vec<f64>,
}

impl Swaps {
    fn new(table: &Table, width: usize) -> Self {
        let changes =
            table.groups().flat_map(|group| (0..width).map(move |column| group[width + column] - group[column])).collect();
        Self { width, changes, whole: table.whole() }
    }

    /// The difference of the measure under each random swap.
    fn run(&self, table: &Table, measure: Measure, resampling: &Resampling) -> Result<Vec<f64>, StatsError> {
        resampling.run(Domain::Permutation, |rng| {
            let change = self.draw(rng);
            let mut sums = self.whole.clone();
            for (column, number) in change.iter().enumerate() {
                sums[column] += number;
                sums[self.width + column] -= number;
            }
            let a = finite(table.read(&sums, 0, measure), "a resample")?;
            let b = finite(table.read(&sums, 1, measure), "a resample")?;
            Ok(a - b)
        })
    }

    /// The summed change of groups that each are swapped with probability 1/2: one random bit per group.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut change = vec![0.0; self.width];
        for block in self.changes.chunks(64 * self.width.max(1)) {
            let mut bits = rng.next_u64();
            let groups = block.len() / self.width.max(1);
            if groups < 64 {
                bits &= (1 << groups) - 1;
            }
            while bits != 0 {
                let start = bits.trailing_zeros() as usize * self.width;
                add(&mut change, &block[start..start + self.width]);
                bits &= bits - 1;
            }
        }
        change
    }
}
