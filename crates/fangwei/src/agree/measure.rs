//! The measures of a whole table, as one family: what each is called, and how it is read off the marks or off a draw of the items.

use std::collections::BTreeMap;

use super::alpha::{Metric, Unit, alpha, fleiss};
use super::kappa::{Confusion, Weights};
use super::marks::{Marks, Scale};
use super::{Undefined, Value};
use crate::lang::{Words, words};

/// A measure of the agreement of all annotators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The share of equal pairs of marks.
    Agreement,
    /// The same, levels merged into normal and abnormal.
    Sides,
    /// The share of pairs at most one step apart.
    Near,
    /// The mean of the pairs' Cohen's kappas.
    Cohen,
    /// The same, linear weights.
    Linear,
    /// The same, quadratic weights.
    Quadratic,
    /// Fleiss' kappa.
    Fleiss,
    /// Krippendorff's alpha, nominal.
    AlphaNominal,
    /// Ordinal.
    AlphaOrdinal,
    /// Interval.
    AlphaInterval,
}

impl Measure {
    /// All, in the order of reports.
    pub const ALL: [Measure; 10] = [
        Measure::Agreement,
        Measure::Sides,
        Measure::Near,
        Measure::Cohen,
        Measure::Linear,
        Measure::Quadratic,
        Measure::Fleiss,
        Measure::AlphaNominal,
        Measure::AlphaOrdinal,
        Measure::AlphaInterval,
    ];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Measure::Agreement => "agreement",
            Measure::Sides => "agreement_sides",
            Measure::Near => "agreement_near",
            Measure::Cohen => "cohen",
            Measure::Linear => "cohen_linear",
            Measure::Quadratic => "cohen_quadratic",
            Measure::Fleiss => "fleiss",
            Measure::AlphaNominal => "alpha_nominal",
            Measure::AlphaOrdinal => "alpha_ordinal",
            Measure::AlphaInterval => "alpha_interval",
        }
    }

    /// The name for people.
    pub const fn words(self) -> Words {
        match self {
            Measure::Agreement => words("一致率", "raw agreement"),
            Measure::Sides => words("一致率（并为正常、异常两边）", "raw agreement, two sides"),
            Measure::Near => words("相差不超过一级的比例", "at most one step apart"),
            Measure::Cohen => words("Cohen kappa，两两平均", "Cohen's kappa, mean of pairs"),
            Measure::Linear => words("Cohen kappa，线性加权", "Cohen's kappa, linear weights"),
            Measure::Quadratic => words("Cohen kappa，平方加权", "Cohen's kappa, quadratic weights"),
            Measure::Fleiss => words("Fleiss kappa", "Fleiss' kappa"),
            Measure::AlphaNominal => words("Krippendorff alpha，名义", "Krippendorff's alpha, nominal"),
            Measure::AlphaOrdinal => words("Krippendorff alpha，顺序", "Krippendorff's alpha, ordinal"),
            Measure::AlphaInterval => words("Krippendorff alpha，等距", "Krippendorff's alpha, interval"),
        }
    }

    /// Whether chance is taken off, so that the words of Landis and Koch apply.
    pub const fn is_corrected(self) -> bool {
        !matches!(self, Measure::Agreement | Measure::Sides | Measure::Near)
    }

    /// The value on a table.
    pub fn of(self, marks: &Marks) -> Value {
        let prepared = Prepared::new(marks, 1);
        let values = prepared.values(None);
        values.whole[self as usize]
    }
}

/// Number of the item, label of the first, label of the second.
type SharedItem = (u32, u16, u16);

/// The items that two annotators both marked.
pub(super) struct Shared {
    pub a: u32,
    pub b: u32,
    pub items: Vec<SharedItem>,
}

/// What the measures are read off, counted once for all draws.
pub(super) struct Prepared<'m> {
    marks: &'m Marks,
    /// Pairs with fewer shared items have no kappa.
    least: usize,
    pub pairs: Vec<Shared>,
    /// Which kinds of items there are.
    kinds: Vec<Unit>,
    /// The kind of each item.
    kind_of: Vec<usize>,
}

/// How often an item was drawn; once where nothing is drawn.
fn times(drawn: Option<&[u32]>, item: usize) -> f64 {
    drawn.map_or(1.0, |drawn| f64::from(drawn[item]))
}

/// What two annotators have in common.
#[derive(Clone, Copy)]
pub(super) struct PairValues {
    pub agreement: Value,
    /// By [`Weights`].
    pub kappas: [Value; 3],
}

/// All values of one draw.
pub(super) struct Values {
    /// By [`Measure`].
    pub whole: [Value; Measure::ALL.len()],
    pub pairs: Vec<PairValues>,
}

impl<'m> Prepared<'m> {
    pub fn new(marks: &'m Marks, least: usize) -> Prepared<'m> {
        let mut shared: BTreeMap<(u32, u32), Vec<SharedItem>> = BTreeMap::new();
        let mut numbers: BTreeMap<Unit, usize> = BTreeMap::new();
        let (mut kinds, mut kind_of) = (Vec::new(), Vec::with_capacity(marks.items().len()));
        for (item, row) in marks.rows().enumerate() {
            let mut unit: BTreeMap<u16, u32> = BTreeMap::new();
            for (number, (a, first)) in row.iter().enumerate() {
                *unit.entry(*first).or_default() += 1;
                for (b, second) in &row[number + 1..] {
                    shared.entry((*a, *b)).or_default().push((item as u32, *first, *second));
                }
            }
            let unit: Unit = unit.into_iter().collect();
            kind_of.push(*numbers.entry(unit).or_insert_with_key(|unit| {
                kinds.push(unit.clone());
                kinds.len() - 1
            }));
        }
        let pairs = shared.into_iter().map(|((a, b), items)| Shared { a, b, items }).collect();
        Prepared { marks, least: least.max(1), pairs, kinds, kind_of }
    }

    /// How many annotators there are.
    pub fn people(&self) -> usize {
        self.marks.annotators().len()
    }

    /// All values on the items as given, or on a draw of them.
    pub fn values(&self, drawn: Option<&[u32]>) -> Values {
        let pairs: Vec<PairValues> = self.pairs.iter().map(|pair| self.pair(pair, drawn)).collect();
        let values = self.marks.values();
        let mut occurs = vec![0.0; self.kinds.len()];
        for (item, kind) in self.kind_of.iter().enumerate() {
            occurs[*kind] += times(drawn, item);
        }
        let whole = Measure::ALL.map(|measure| match measure {
            Measure::Agreement => self.agreement(&occurs, |first, second| Some(first == second)),
            Measure::Sides => self.agreement(&occurs, |first, second| self.same_side(first, second)),
            Measure::Near => {
                self.agreement(&occurs, |first, second| Some((values[first as usize]? - values[second as usize]?).abs() <= 1.0))
            }
            Measure::Cohen => mean_kappa(&pairs, Weights::Plain),
            Measure::Linear => mean_kappa(&pairs, Weights::Linear),
            Measure::Quadratic => mean_kappa(&pairs, Weights::Quadratic),
            Measure::Fleiss => fleiss(&self.kinds, &occurs, values.len()),
            Measure::AlphaNominal => alpha(&self.kinds, &occurs, Metric::Nominal, values),
            Measure::AlphaOrdinal => alpha(&self.kinds, &occurs, Metric::Ordinal, values),
            Measure::AlphaInterval => alpha(&self.kinds, &occurs, Metric::Interval, values),
        });
        // One annotator alone has nothing in common with anybody; that is the better reason.
        let alone = self.people() < 2;
        let whole = whole.map(|value| value.map_err(|why| if alone { Undefined::OneAnnotator } else { why }));
        Values { whole, pairs }
    }

    fn pair(&self, pair: &Shared, drawn: Option<&[u32]>) -> PairValues {
        let values = self.marks.values();
        if pair.items.len() < self.least {
            // With random pairs of many annotators most pairs share an item or two: no table is made for them.
            let sum = |equal: bool| -> f64 {
                let counted = pair.items.iter().filter(|(_, first, second)| !equal || first == second);
                counted.map(|(item, ..)| times(drawn, *item as usize)).sum()
            };
            let (hits, all) = (sum(true), sum(false));
            let agreement = if all > 0.0 { Ok(hits / all) } else { Err(Undefined::NoOverlap) };
            return PairValues { agreement, kappas: [Err(Undefined::FewShared); 3] };
        }
        let mut confusion = Confusion::new(values.len());
        for (item, first, second) in &pair.items {
            confusion.add(*first, *second, times(drawn, *item as usize));
        }
        let kappas = [Weights::Plain, Weights::Linear, Weights::Quadratic].map(|weights| confusion.kappa(weights, values));
        PairValues { agreement: confusion.agreement(), kappas }
    }

    /// Whether both levels are normal or both abnormal.
    fn same_side(&self, first: u16, second: u16) -> Option<bool> {
        Some(self.marks.level(first)?.is_normal() == self.marks.level(second)?.is_normal())
    }

    /// The share of pairs of marks on one item that are `equal`; pairs of which that cannot be said are left out.
    fn agreement(&self, occurs: &[f64], equal: impl Fn(u16, u16) -> Option<bool>) -> Value {
        let (mut hits, mut all) = (0.0, 0.0);
        for (unit, &weight) in self.kinds.iter().zip(occurs) {
            for (number, (first, count)) in unit.iter().enumerate() {
                let mut add = |second: u16, pairs: f64| {
                    if let Some(equal) = equal(*first, second) {
                        all += weight * pairs;
                        hits += if equal { weight * pairs } else { 0.0 };
                    }
                };
                let count = f64::from(*count);
                add(*first, count * (count - 1.0) / 2.0);
                for (second, others) in &unit[number + 1..] {
                    add(*second, count * f64::from(*others));
                }
            }
        }
        let comparable = match self.marks.scale() {
            Scale::Levels => true,
            _ => (0..self.marks.labels().len() as u16).any(|label| equal(label, label).is_some()),
        };
        match all > 0.0 {
            true => Ok(hits / all),
            false if comparable => Err(Undefined::NoOverlap),
            false => Err(Undefined::NoOrder),
        }
    }

    /// For each annotator the mean kappa with the others.
    pub fn means(&self, pairs: &[PairValues], weights: Weights) -> Vec<Value> {
        let mut own: Vec<Vec<Value>> = vec![Vec::new(); self.people()];
        for (pair, values) in self.pairs.iter().zip(pairs) {
            for annotator in [pair.a, pair.b] {
                own[annotator as usize].push(values.kappas[weights as usize]);
            }
        }
        own.into_iter().map(|values| mean_of(values.into_iter())).collect()
    }
}

/// The mean of the pairs that have a value, each pair alike.
fn mean_kappa(pairs: &[PairValues], weights: Weights) -> Value {
    mean_of(pairs.iter().map(|pair| pair.kappas[weights as usize]))
}

/// The mean of the values that are defined; of none, the first reason.
pub(super) fn mean_of(values: impl Iterator<Item = Value>) -> Value {
    let (mut sum, mut count, mut why) = (0.0, 0.0, None);
    for value in values {
        match value {
            Ok(value) => {
                sum += value;
                count += 1.0;
            }
            Err(reason) => why = why.or(Some(reason)),
        }
    }
    if count > 0.0 { Ok(sum / count) } else { Err(why.unwrap_or(Undefined::NoOverlap)) }
}
