//! Agreement of any number of annotators: Fleiss' kappa and Krippendorff's alpha.
//!
//! Both see only how often an item got each label, not from whom. Fleiss asks for equally many marks on every item; alpha takes items as they are, and
//! leaves out those with a single mark, which nothing can be compared with.

use super::{Undefined, Value};

/// How often an item got each label: number of the label, number of marks. Many items are alike, so measures are given each kind once, with how often it occurs.
pub(super) type Unit = Vec<(u16, u32)>;

/// What alpha holds for a disagreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Any two labels are equally far apart.
    Nominal,
    /// Labels are as far apart as there are marks between them.
    Ordinal,
    /// The square of the distance of their values.
    Interval,
}

/// Fleiss' kappa.
pub(super) fn fleiss(units: &[Unit], occurs: &[f64], size: usize) -> Value {
    let mut shares = vec![0.0; size];
    let (mut agreement, mut items, mut each) = (0.0, 0.0, None);
    for (unit, &weight) in units.iter().zip(occurs) {
        let marks: u32 = unit.iter().map(|(_, count)| count).sum();
        if marks == 0 || weight == 0.0 {
            continue;
        }
        if *each.get_or_insert(marks) != marks {
            return Err(Undefined::Uneven);
        }
        let marks = f64::from(marks);
        let equal: f64 = unit.iter().map(|(_, count)| f64::from(*count) * (f64::from(*count) - 1.0)).sum();
        agreement += weight * crate::score::ratio(equal, marks * (marks - 1.0));
        items += weight;
        for (label, count) in unit {
            shares[*label as usize] += weight * f64::from(*count) / marks;
        }
    }
    match each {
        None => return Err(Undefined::NoOverlap),
        Some(1) => return Err(Undefined::OneAnnotator),
        Some(_) => {}
    }
    // Asked of the labels, not of the sum of squares, which may miss 1 by a rounding.
    if shares.iter().filter(|share| **share > 0.0).count() < 2 {
        return Err(Undefined::OneLabel);
    }
    let chance: f64 = shares.iter().map(|share| (share / items).powi(2)).sum();
    Ok((agreement / items - chance) / (1.0 - chance))
}

/// Krippendorff's alpha. Ordinal and interval leave out marks whose label has no value.
pub(super) fn alpha(units: &[Unit], occurs: &[f64], metric: Metric, values: &[Option<f64>]) -> Value {
    let size = values.len();
    let counts = |label: u16| metric == Metric::Nominal || values[label as usize].is_some();
    if metric != Metric::Nominal && values.iter().all(Option::is_none) {
        return Err(Undefined::NoOrder);
    }
    let mut coincidences = vec![0.0; size * size];
    let mut sums = vec![0.0; size];
    for (unit, &weight) in units.iter().zip(occurs) {
        let marks: u32 = unit.iter().filter(|(label, _)| counts(*label)).map(|(_, count)| count).sum();
        if marks < 2 || weight == 0.0 {
            continue;
        }
        for (first, count) in unit.iter().filter(|(label, _)| counts(*label)) {
            sums[*first as usize] += weight * f64::from(*count);
            for (second, others) in unit.iter().filter(|(label, _)| counts(*label)) {
                let others = f64::from(*others) - f64::from(u8::from(first == second));
                coincidences[*first as usize * size + *second as usize] +=
                    weight * f64::from(*count) * others / (f64::from(marks) - 1.0);
            }
        }
    }
    let total: f64 = sums.iter().sum();
    if total == 0.0 {
        return Err(Undefined::NoOverlap);
    }
    let distance = distances(metric, &sums, values);
    let (mut observed, mut expected) = (0.0, 0.0);
    for first in 0..size {
        for second in 0..size {
            let far = distance(first, second);
            observed += coincidences[first * size + second] * far;
            expected += sums[first] * sums[second] * far;
        }
    }
    if expected == 0.0 { Err(Undefined::OneLabel) } else { Ok(1.0 - (total - 1.0) * observed / expected) }
}

/// The squared distance of two labels. Values ascend with the numbers of labels, so labels between two others lie between their numbers.
fn distances<'a>(metric: Metric, sums: &'a [f64], values: &'a [Option<f64>]) -> impl Fn(usize, usize) -> f64 + 'a {
    let mut before = vec![0.0];
    for sum in sums {
        before.push(before[before.len() - 1] + sum);
    }
    move |first, second| {
        let (low, high) = (first.min(second), first.max(second));
        if low == high {
            return 0.0;
        }
        match metric {
            Metric::Nominal => 1.0,
            Metric::Ordinal => (before[high + 1] - before[low] - f64::midpoint(sums[low], sums[high])).powi(2),
            Metric::Interval => (values[high].unwrap_or(0.0) - values[low].unwrap_or(0.0)).powi(2),
        }
    }
}
