//! The bootstrap over groups of items.
//!
//! Rows are summed per group once; a resample is then a gather of as many group rows as there are groups.
//! All systems of a comparison lie side by side in one row, so one draw serves them all and stays in cache.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use super::{Groups, Interval, Measure, Rows, StatsError, add};

/// How to resample; together with the data it fixes every digit of the result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Resampling {
    /// Seed of the generator.
    pub seed: u64,
    /// Number of draws.
    pub resamples: usize,
    /// Confidence of the interval.
    pub confidence: f64,
}

impl Default for Resampling {
    fn default() -> Self {
        Self { seed: 0, resamples: 10_000, confidence: 0.95 }
    }
}

impl Resampling {
    pub(super) fn check(&self) -> Result<(), StatsError> {
        if self.resamples == 0 {
            return Err(StatsError::Empty("resample"));
        }
        if self.confidence > 0.0 && self.confidence < 1.0 { Ok(()) } else { Err(StatsError::Confidence(self.confidence)) }
    }

    /// Calls `each` once per resample with a generator of its own, and collects in order: no result
    /// depends on the number of threads. `domain` keeps different uses of one seed apart.
    pub(super) fn run<T: Send>(
        &self,
        domain: Domain,
        each: impl Fn(&mut ChaCha8Rng) -> Result<T, StatsError> + Sync,
    ) -> Result<Vec<T>, StatsError> {
        let generator = ChaCha8Rng::seed_from_u64(self.seed);
        (0..self.resamples)
            .into_par_iter()
            .map(|index| {
                let mut rng = generator.clone();
                rng.set_stream(index as u64 | domain as u64);
                each(&mut rng)
            })
            .collect()
    }
}

/// What a stream of random numbers is used for; its value is a high bit of the stream number, above any index.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Domain {
    Bootstrap = 0,
    Permutation = 1 << 62,
}

/// Group sums of several systems: per group, the sums of each system, then the number of items.
pub(super) struct Table {
    /// Numbers per system.
    width: usize,
    /// Numbers per group.
    stride: usize,
    cells: Vec<f64>,
}

impl Table {
    pub(super) fn new(systems: &[&Rows], groups: &Groups) -> Result<Self, StatsError> {
        let first = systems.first().ok_or(StatsError::Empty("system"))?;
        if first.is_empty() {
            return Err(StatsError::Empty("item"));
        }
        for rows in systems {
            if rows.width() != first.width() {
                return Err(StatsError::Width { expected: first.width(), found: rows.width() });
            }
            if rows.len() != first.len() {
                return Err(StatsError::Length { what: "every system", expected: first.len(), found: rows.len() });
            }
        }
        if groups.len() != first.len() {
            return Err(StatsError::Length { what: "the groups", expected: first.len(), found: groups.len() });
        }
        let width = first.width();
        let stride = systems.len() * width + 1;
        let mut cells = vec![0.0; groups.count() * stride];
        for (system, rows) in systems.iter().enumerate() {
            for (row, &group) in rows.iter().zip(groups.of()) {
                let start = group as usize * stride + system * width;
                add(&mut cells[start..start + width], row);
            }
        }
        for &group in groups.of() {
            cells[(group as usize + 1) * stride - 1] += 1.0;
        }
        Ok(Self { width, stride, cells })
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.stride)
    }

    /// The sums of all groups once.
    pub(super) fn whole(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.stride];
        for group in self.groups() {
            add(&mut sums, group);
        }
        sums
    }

    /// The sums of as many groups as there are, drawn with replacement.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut sums = vec![0.0; self.stride];
        let count = self.cells.len() / self.stride;
        for _ in 0..count {
            let group = pick(rng, count);
            add(&mut sums, &self.cells[group * self.stride..(group + 1) * self.stride]);
        }
        sums
    }

    /// Reads the measure of system `system` off sums.
    pub(super) fn read(&self, sums: &[f64], system: usize, measure: Measure) -> f64 {
        measure(&sums[system * self.width..(system + 1) * self.width], sums[self.stride - 1])
    }

    /// The measures of all systems on the items as given.
    pub(super) fn observed(&self, systems: usize, measure: Measure) -> Result<Vec<f64>, StatsError> {
        let sums = self.whole();
        (0..systems).map(|system| finite(self.read(&sums, system, measure), "the items as given")).collect()
    }

    /// The measures of all systems on every resample, the same draw for all.
    pub(super) fn resampled(
        &self,
        systems: usize,
        measure: Measure,
        resampling: &Resampling,
    ) -> Result<Vec<Vec<f64>>, StatsError> {
        resampling.run(Domain::Bootstrap, |rng| {
            let sums = self.draw(rng);
            (0..systems).map(|system| finite(self.read(&sums, system, measure), "a resample")).collect()
        })
    }
}

/// One of `count` groups. Multiply and shift: an uneven share of at most count / 2^32.
pub(super) fn pick(rng: &mut ChaCha8Rng, count: usize) -> usize {
    ((u64::from(rng.next_u32()) * count as u64) >> 32) as usize
}

pub(super) fn finite(found: f64, place: &'static str) -> Result<f64, StatsError> {
    if found.is_finite() { Ok(found) } else { Err(StatsError::Measure { found, place }) }
}

/// The percentile interval of resampled values.
pub(crate) fn percentile_interval(mut values: Vec<f64>, confidence: f64) -> Interval {
    values.sort_by(f64::total_cmp);
    let rest = (1.0 - confidence) / 2.0;
    Interval { low: quantile(&values, rest), high: quantile(&values, 1.0 - rest), confidence }
}

/// Quantile of sorted values, linear between neighbours (as numpy's default). 0 of nothing.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// Percentile interval of a measure by the bootstrap over groups.
///
/// ```
/// # use fangwei::stats::{Groups, Resampling, Rows, bootstrap};
/// let mut rows = Rows::new(1);
/// for hit in [1.0, 0.0, 1.0, 1.0] {
///     rows.push(&[hit])?;
/// }
/// let accuracy = |sums: &[f64], items: f64| sums[0] / items;
/// let interval = bootstrap(&rows, &Groups::singletons(4), &accuracy, &Resampling::default())?;
/// assert!(interval.low < 0.75 && 0.75 < interval.high);
/// # Ok::<(), fangwei::stats::StatsError>(())
/// ```
pub fn bootstrap(rows: &Rows, groups: &Groups, measure: Measure, resampling: &Resampling) -> Result<Interval, StatsError> {
    resampling.check()?;
    let table = Table::new(&[rows], groups)?;
    let values = table.resampled(1, measure, resampling)?;
    Ok(percentile_interval(values.into_iter().flatten().collect(), resampling.confidence))
}

/// The measures of all systems on every resample, the same draw for all: the scores that luck alone might have given them.
pub fn resampled(
    systems: &[&Rows],
    groups: &Groups,
    measure: Measure,
    resampling: &Resampling,
) -> Result<Vec<Vec<f64>>, StatsError> {
    resampling.check()?;
    Table::new(systems, groups)?.resampled(systems.len(), measure, resampling)
}

/// The share of resamples in which each system has the highest measure; systems that tie share it.
pub fn first_probability(
    systems: &[Rows],
    groups: &Groups,
    measure: Measure,
    resampling: &Resampling,
) -> Result<Vec<f64>, StatsError> {
    let mut shares = vec![0.0; systems.len()];
    for values in resampled(&systems.iter().collect::<Vec<_>>(), groups, measure, resampling)? {
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first: Vec<usize> = (0..values.len()).filter(|&system| best - values[system] <= 1e-12).collect();
        for &system in &first {
            shares[system] += 1.0 / first.len() as f64;
        }
    }
    for share in &mut shares {
        *share /= resampling.resamples as f64;
    }
    Ok(shares)
}
