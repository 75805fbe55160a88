//! The agreement of a table, put together: all measures with intervals, every pair, every annotator, and who stands apart.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

use super::band::Band;
use super::kappa::Weights;
use super::marks::{Marks, Scale};
use super::matrix::Matrix;
use super::measure::{Measure, PairValues, Prepared, Values};
use super::outcome::Outcome;
use super::outlier::{Outlier, OutlierRule, Standing, apart};
use crate::stats::{Resampling, StatsError, redraw};

/// Beyond so many pairs only the measures of the whole and of annotators get intervals: every draw would have to be kept for every pair.
pub const MOST_PAIRS: usize = 190;

/// Beyond so many annotators only the measures of the whole get intervals.
pub const MOST_PEOPLE: usize = 300;

/// How to look at a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// How to resample; `None` gives no intervals.
    pub resampling: Option<Resampling>,
    /// The kappa by which annotators are compared.
    pub weights: Weights,
    /// Pairs with fewer items in common have no kappa and do not count in means.
    pub least_shared: usize,
    /// When an annotator stands apart.
    pub outliers: OutlierRule,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            resampling: Some(Resampling::default()),
            weights: Weights::Plain,
            least_shared: 5,
            outliers: OutlierRule::default(),
        }
    }
}

/// Two annotators.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// The first.
    pub a: SmolStr,
    /// The second.
    pub b: SmolStr,
    /// How many items both marked.
    pub shared: u64,
    /// The share of equal labels.
    pub agreement: Outcome,
    /// Cohen's kappa.
    pub cohen: Outcome,
    /// With linear weights.
    pub linear: Outcome,
    /// With quadratic weights.
    pub quadratic: Outcome,
}

/// One annotator.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Annotator {
    /// Who.
    pub name: SmolStr,
    /// How many items they marked.
    pub marked: u64,
    /// How often they gave each label.
    pub labels: Vec<u64>,
    /// The mean kappa with the others.
    pub mean: Outcome,
}

/// How many of those who marked an item gave its most frequent label, and on how many items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Camp {
    /// Marks on an item.
    pub marks: u64,
    /// Of them, the most that are equal.
    pub equal: u64,
    /// How many items.
    pub items: u64,
}

/// The agreement of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Agreement {
    /// How many items have a mark.
    pub items: u64,
    /// How many have two or more.
    pub items_shared: u64,
    /// How many groups were resampled.
    pub groups: usize,
    /// How it was resampled.
    pub resampling: Option<Resampling>,
    /// What the distance between labels means.
    pub scale: Scale,
    /// The labels, in the order of the scale.
    pub labels: Vec<SmolStr>,
    /// Which kappa compares annotators.
    pub weights: Weights,
    /// Pairs with fewer items in common do not count.
    pub least_shared: usize,
    /// All measures.
    #[serde(serialize_with = "by_name")]
    pub measures: Vec<(Measure, Outcome)>,
    /// How many of those who marked an item agree.
    pub camps: Vec<Camp>,
    /// Every annotator.
    pub annotators: Vec<Annotator>,
    /// Every pair that has an item in common.
    pub pairs: Vec<Pair>,
    /// Who stands apart.
    pub outliers: Vec<Outlier>,
}

fn by_name<S: Serializer>(measures: &[(Measure, Outcome)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Shown<'o> {
        #[serde(flatten)]
        outcome: &'o Outcome,
        #[serde(skip_serializing_if = "Option::is_none")]
        band: Option<Band>,
    }
    let shown = |(measure, outcome): &'_ (Measure, Outcome)| {
        let band = outcome.get().filter(|_| measure.is_corrected()).map(Band::of);
        (measure.as_str(), band)
    };
    serializer.collect_map(measures.iter().map(|pair| {
        let (name, band) = shown(pair);
        (name, Shown { outcome: &pair.1, band })
    }))
}

impl Agreement {
    /// The outcome of a measure.
    pub fn get(&self, measure: Measure) -> &Outcome {
        // `measures` holds every measure in its order.
        &self.measures[measure as usize].1
    }

    /// The kappas of all pairs by the weights that compare annotators.
    pub fn matrix(&self) -> Matrix {
        let names: Vec<SmolStr> = self.annotators.iter().map(|annotator| annotator.name.clone()).collect();
        let numbers: BTreeMap<&SmolStr, usize> = names.iter().enumerate().map(|(number, name)| (name, number)).collect();
        let mut matrix = Matrix::new(&names);
        for pair in &self.pairs {
            if let (Some(a), Some(b)) = (numbers.get(&pair.a), numbers.get(&pair.b)) {
                let value = pair.kappa(self.weights).get();
                matrix.set(*a, *b, value);
                matrix.set(*b, *a, value);
            }
        }
        matrix
    }
}

impl Pair {
    /// The kappa with these weights.
    pub fn kappa(&self, weights: Weights) -> &Outcome {
        match weights {
            Weights::Plain => &self.cohen,
            Weights::Linear => &self.linear,
            Weights::Quadratic => &self.quadratic,
        }
    }
}

/// The agreement of a table of marks.
///
/// ```
/// use fangwei::agree::{Mark, Marks, Measure, Options, agree};
/// let mark = |item: &str, annotator: &str, label: &str| Mark {
///     item: item.into(), annotator: annotator.into(), label: Some(label.into()), origin: None,
/// };
/// let labels = [("a", "fine", "fine"), ("b", "bad", "bad"), ("c", "bad", "someBad"), ("d", "fine", "fine"), ("e", "bad", "bad")];
/// let marks = labels.iter().flat_map(|(item, first, second)| [mark(item, "甲", first), mark(item, "乙", second)]);
/// let agreement = agree(&Marks::new(marks, &[])?, &Options::default())?;
/// assert_eq!(agreement.get(Measure::Agreement).get(), Some(0.8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn agree(marks: &Marks, options: &Options) -> Result<Agreement, StatsError> {
    let prepared = Prepared::new(marks, options.least_shared);
    let values = prepared.values(None);
    let means = prepared.means(&values.pairs, options.weights);
    let groups = marks.groups();
    let with_pairs = prepared.pairs.len() <= MOST_PAIRS && marks.annotators().len() <= MOST_PEOPLE;
    let redrawn = match &options.resampling {
        Some(resampling) if !groups.is_empty() => {
            redraw(&groups, resampling, |drawn| flat(&prepared, &prepared.values(Some(drawn)), options.weights, with_pairs))?
        }
        _ => Vec::new(),
    };
    let (wholes, people) = (Measure::ALL.len(), marks.annotators().len());
    // What was not drawn stands beyond the end of the row.
    let drawn_mean = |number: usize| redrawn.get(wholes + number).filter(|_| people <= MOST_PEOPLE);
    let measures = Measure::ALL.into_iter().enumerate();
    let measures = measures.map(|(at, measure)| (measure, Outcome::new(values.whole[at], redrawn.get(at)))).collect();
    let annotators = annotators(marks, |number| Outcome::new(means[number], drawn_mean(number)));
    let pairs = prepared.pairs.iter().zip(&values.pairs).enumerate().map(|(number, (shared, values))| {
        let first = wholes + people + number * 4;
        let outcome = |at: usize, value| Outcome::new(value, if with_pairs { redrawn.get(first + at) } else { None });
        Pair {
            a: marks.annotators()[shared.a as usize].clone(),
            b: marks.annotators()[shared.b as usize].clone(),
            shared: shared.items.len() as u64,
            agreement: outcome(0, values.agreement),
            cohen: outcome(1, values.kappas[0]),
            linear: outcome(2, values.kappas[1]),
            quadratic: outcome(3, values.kappas[2]),
        }
    });
    Ok(Agreement {
        items: marks.rows().filter(|row| !row.is_empty()).count() as u64,
        items_shared: marks.rows().filter(|row| row.len() > 1).count() as u64,
        groups: groups.count(),
        resampling: options.resampling,
        scale: marks.scale(),
        labels: marks.labels().to_vec(),
        weights: options.weights,
        least_shared: options.least_shared,
        measures,
        camps: camps(marks),
        pairs: pairs.collect(),
        outliers: find_outliers(&annotators, &options.outliers),
        annotators,
    })
}

/// All values of a draw in one row: the whole, the annotators' means, the pairs.
fn flat(prepared: &Prepared<'_>, values: &Values, weights: Weights, with_pairs: bool) -> Vec<Option<f64>> {
    let whole = values.whole.iter().map(|value| value.ok());
    let means = prepared.means(&values.pairs, weights).into_iter().map(Result::ok);
    let means = means.take(if prepared.people() <= MOST_PEOPLE { MOST_PEOPLE } else { 0 });
    let pair = |pair: &PairValues| [pair.agreement.ok(), pair.kappas[0].ok(), pair.kappas[1].ok(), pair.kappas[2].ok()];
    let pairs = values.pairs.iter().filter(|_| with_pairs).flat_map(pair);
    whole.chain(means).chain(pairs).collect()
}

fn annotators(marks: &Marks, mean: impl Fn(usize) -> Outcome) -> Vec<Annotator> {
    let mut counts = vec![vec![0_u64; marks.labels().len()]; marks.annotators().len()];
    for (annotator, label) in marks.rows().flatten() {
        counts[*annotator as usize][*label as usize] += 1;
    }
    let one = |(number, labels): (usize, Vec<u64>)| Annotator {
        name: marks.annotators()[number].clone(),
        marked: labels.iter().sum(),
        labels,
        mean: mean(number),
    };
    counts.into_iter().enumerate().map(one).collect()
}

fn find_outliers(annotators: &[Annotator], rule: &OutlierRule) -> Vec<Outlier> {
    let labels = annotators.first().map_or(0, |annotator| annotator.labels.len());
    let in_use = (0..labels).filter(|label| annotators.iter().any(|annotator| annotator.labels[*label] > 0)).count();
    let standing = |annotator: &Annotator| Standing {
        name: annotator.name.clone(),
        mean: annotator.mean.get(),
        high: annotator.mean.interval.map(|interval| interval.high),
        marked: annotator.marked,
        distinct_labels: annotator.labels.iter().filter(|count| **count > 0).count(),
    };
    apart(&annotators.iter().map(standing).collect::<Vec<_>>(), in_use, rule)
}

fn camps(marks: &Marks) -> Vec<Camp> {
    let mut camps: BTreeMap<(u64, std::cmp::Reverse<u64>), u64> = BTreeMap::new();
    for row in marks.rows().filter(|row| row.len() > 1) {
        let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
        for (_, label) in row {
            *counts.entry(*label).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        *camps.entry((row.len() as u64, std::cmp::Reverse(most))).or_default() += 1;
    }
    camps.into_iter().map(|((marks, equal), items)| Camp { marks, equal: equal.0, items }).collect()
}
