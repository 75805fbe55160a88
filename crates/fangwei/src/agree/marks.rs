//! The table of marks: items by annotators, a label in each cell or none.
//!
//! Labels may be mere names, or lie on a scale (levels, numbers, a given order). A label off the scale, such as "unsuitable", counts where labels are
//! compared as names and is left out where distance counts.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;
use smol_str::SmolStr;

use super::AgreeError;
use super::level::{Level, UNFIT, is_unfit};
use crate::stats::Groups;

/// So many labels are told apart; beyond, they are no labels but free text, and tables of label by label would not fit into memory.
pub const MOST_LABELS: usize = 200;

/// So many pairs of marks on one item are compared, over all items; beyond, something else than people stands in the place of annotators.
pub const MOST_COMPARED: usize = 50_000_000;

/// One annotator's label of one item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// The item.
    pub item: SmolStr,
    /// Who marked it.
    pub annotator: SmolStr,
    /// The label; `None` where the item was seen and not marked.
    pub label: Option<SmolStr>,
    /// The sentence that the item was made from, where known.
    pub origin: Option<SmolStr>,
}

/// What the distance between labels means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Names without order.
    Names,
    /// The four levels of a judgement, with or without "unsuitable".
    Levels,
    /// Numbers.
    Numbers,
    /// An order that the user gave.
    Order,
}

/// Items by annotators.
#[derive(Clone, PartialEq, Debug)]
pub struct Marks {
    items: Vec<SmolStr>,
    annotators: Vec<SmolStr>,
    labels: Vec<SmolStr>,
    scale: Scale,
    /// The place of each label on the scale.
    values: Vec<Option<f64>>,
    /// For each item the annotators who marked it, in order, with the label.
    rows: Vec<Vec<(u32, u16)>>,
    origins: Vec<Option<SmolStr>>,
}

impl Marks {
    /// The table of some marks. Items and annotators stand in the order in which they first occur; of two marks by one annotator on one item the last counts.
    ///
    /// `order` puts labels on a scale, the lowest first; without it, levels and numbers are recognised if all labels are such.
    pub fn new(marks: impl IntoIterator<Item = Mark>, order: &[SmolStr]) -> Result<Marks, AgreeError> {
        let mut items = Names::default();
        let mut annotators = Names::default();
        let mut cells: Vec<BTreeMap<u32, Option<SmolStr>>> = Vec::new();
        let mut origins: Vec<Option<SmolStr>> = Vec::new();
        for mark in marks {
            let item = items.number(&mark.item) as usize;
            if item == cells.len() {
                cells.push(BTreeMap::new());
                origins.push(None);
            }
            cells[item].insert(annotators.number(&mark.annotator), mark.label);
            if mark.origin.is_some() {
                origins[item] = mark.origin;
            }
        }
        let given = || cells.iter().flat_map(BTreeMap::values).flatten();
        let (scale, values) = scale(given(), order);
        if values.len() > MOST_LABELS {
            return Err(AgreeError::TooManyLabels { found: values.len(), most: MOST_LABELS });
        }
        let numbers: FxHashMap<SmolStr, u16> =
            values.iter().enumerate().map(|(number, (label, _))| (label.clone(), number as u16)).collect();
        let number = |label: &SmolStr| numbers.get(&canonical(scale, label)).copied();
        let row = |cells: BTreeMap<u32, Option<SmolStr>>| {
            cells.iter().filter_map(|(annotator, label)| Some((*annotator, number(label.as_ref()?)?))).collect()
        };
        let rows: Vec<Vec<(u32, u16)>> = cells.into_iter().map(row).collect();
        let compared = rows.iter().fold(0_usize, |sum, row| sum.saturating_add(row.len().saturating_mul(row.len()) / 2));
        if compared > MOST_COMPARED {
            return Err(AgreeError::TooManyPairs { found: compared, most: MOST_COMPARED });
        }
        let (labels, values) = values.into_iter().unzip();
        Ok(Marks { items: items.names, annotators: annotators.names, labels, scale, values, rows, origins })
    }

    /// The items.
    pub fn items(&self) -> &[SmolStr] {
        &self.items
    }

    /// The annotators.
    pub fn annotators(&self) -> &[SmolStr] {
        &self.annotators
    }

    /// The labels, in the order of the scale.
    pub fn labels(&self) -> &[SmolStr] {
        &self.labels
    }

    /// What the distance between labels means.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The place of each label on the scale; `None` off it.
    pub fn values(&self) -> &[Option<f64>] {
        &self.values
    }

    /// Who marked item number `item`, in order, with the number of the label.
    pub fn row(&self, item: usize) -> &[(u32, u16)] {
        &self.rows[item]
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[(u32, u16)]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// The origin of item number `item`, where known.
    pub fn origin(&self, item: usize) -> Option<&SmolStr> {
        self.origins[item].as_ref()
    }

    /// The level of label number `label`, where the scale is one of levels.
    pub fn level(&self, label: u16) -> Option<Level> {
        if self.scale == Scale::Levels { Level::parse(&self.labels[label as usize]) } else { None }
    }

    /// Names the origins of items that have none.
    pub fn add_origins(&mut self, origin: impl Fn(&str) -> Option<SmolStr>) {
        for (item, known) in self.items.iter().zip(&mut self.origins) {
            if known.is_none() {
                *known = origin(item);
            }
        }
    }

    /// Items of one origin together, the others each alone.
    pub fn groups(&self) -> Groups {
        let key = |(item, origin): (&SmolStr, &Option<SmolStr>)| match origin {
            Some(origin) => (true, origin.clone()),
            None => (false, item.clone()),
        };
        Groups::from_keys(self.items.iter().zip(&self.origins).map(key))
    }

    /// The table without some annotators; items stay, though nobody may have marked them.
    #[must_use]
    pub fn without(&self, names: &[SmolStr]) -> Marks {
        let kept: Vec<usize> = (0..self.annotators.len()).filter(|number| !names.contains(&self.annotators[*number])).collect();
        let moved: FxHashMap<u32, u32> = kept.iter().enumerate().map(|(to, from)| (*from as u32, to as u32)).collect();
        let row = |row: &Vec<(u32, u16)>| {
            row.iter().filter_map(|(annotator, label)| Some((*moved.get(annotator)?, *label))).collect::<Vec<_>>()
        };
        Marks {
            annotators: kept.iter().map(|number| self.annotators[*number].clone()).collect(),
            rows: self.rows.iter().map(row).collect(),
            ..self.clone()
        }
    }
}

/// Dense numbers for names, in the order in which they first occur.
#[derive(Default)]
struct Names {
    names: Vec<SmolStr>,
    numbers: FxHashMap<SmolStr, u32>,
}

impl Names {
    fn number(&mut self, name: &SmolStr) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.names.push(name.clone());
        }
        number
    }
}

/// The labels in the order of their scale, each with its place.
fn scale<'l>(labels: impl Iterator<Item = &'l SmolStr>, order: &[SmolStr]) -> (Scale, Vec<(SmolStr, Option<f64>)>) {
    let mut labels: Vec<&SmolStr> = labels.collect();
    labels.sort_unstable();
    labels.dedup();
    if !order.is_empty() {
        let off = labels.iter().filter(|label| !order.contains(label)).map(|label| ((*label).clone(), None));
        let mut distinct: Vec<&SmolStr> = Vec::new();
        for label in order {
            if !distinct.contains(&label) {
                distinct.push(label);
            }
        }
        let on = distinct.into_iter().enumerate().map(|(place, label)| (label.clone(), Some((place + 1) as f64)));
        return (Scale::Order, on.chain(off).collect());
    }
    let is_level = |label: &&SmolStr| Level::parse(label).is_some() || is_unfit(label);
    if !labels.is_empty() && labels.iter().all(is_level) {
        let on = Level::ALL.map(|level| (level.as_str().into(), Some(f64::from(level.value()))));
        let off = labels.iter().any(|label| is_unfit(label)).then(|| (UNFIT.into(), None));
        return (Scale::Levels, on.into_iter().chain(off).collect());
    }
    if let (false, Some(mut numbers)) =
        (labels.is_empty(), labels.iter().map(|label| number(label)).collect::<Option<Vec<f64>>>())
    {
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        return (Scale::Numbers, numbers.into_iter().map(|number| (number_label(number), Some(number))).collect());
    }
    (Scale::Names, labels.into_iter().map(|label| (label.clone(), None)).collect())
}

/// The number that a label is; -0 is 0.
fn number(label: &str) -> Option<f64> {
    label.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// `3` for 3, 3.0 and 3e0.
fn number_label(number: f64) -> SmolStr {
    smol_str::format_smolstr!("{number}")
}

/// The label under which others of the same meaning are counted.
fn canonical(scale: Scale, label: &SmolStr) -> SmolStr {
    match (scale, Level::parse(label)) {
        (Scale::Levels, Some(level)) => level.as_str().into(),
        (Scale::Levels, None) => UNFIT.into(),
        (Scale::Numbers, _) => number(label).map_or_else(|| label.clone(), number_label),
        _ => label.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(item: &str, annotator: &str, label: &str) -> Mark {
        Mark { item: item.into(), annotator: annotator.into(), label: Some(label.into()), origin: None }
    }

    #[test]
    fn levels_in_both_languages_are_the_same_labels() {
        let marks = [mark("1", "甲", "bad"), mark("1", "乙", "显然异常"), mark("2", "甲", "fine"), mark("2", "乙", "不适合")];
        let marks = Marks::new(marks, &[]).expect("a table");
        assert_eq!(marks.scale(), Scale::Levels);
        assert_eq!(marks.labels(), ["fine", "someFine", "someBad", "bad", "unfit"]);
        assert_eq!(marks.row(0), [(0, 3), (1, 3)]);
        assert_eq!(marks.row(1), [(0, 0), (1, 4)]);
        assert_eq!(marks.values()[4], None);
    }

    #[test]
    fn numbers_are_sorted_as_numbers_and_orders_as_given() {
        let numbers = Marks::new([mark("1", "a", "10"), mark("1", "b", "9"), mark("2", "b", "9.0")], &[]).expect("a table");
        assert_eq!((numbers.scale(), numbers.labels()), (Scale::Numbers, &["9".into(), "10".into()][..]));
        let order = ["low".into(), "high".into()];
        let ordered = Marks::new([mark("1", "a", "high"), mark("1", "b", "none")], &order).expect("a table");
        assert_eq!(ordered.labels(), ["low", "high", "none"]);
        assert_eq!(ordered.values(), [Some(1.0), Some(2.0), None]);
        assert_eq!(Marks::new([mark("1", "a", "A"), mark("1", "b", "2")], &[]).expect("a table").scale(), Scale::Names);
    }

    #[test]
    fn the_last_mark_counts_and_annotators_can_be_left_out() {
        let marks = [mark("1", "a", "x"), mark("1", "a", "y"), mark("1", "b", "x"), mark("2", "b", "y")];
        let marks = Marks::new(marks, &[]).expect("a table");
        assert_eq!(marks.row(0), [(0, 1), (1, 0)]);
        let without = marks.without(&["a".into()]);
        assert_eq!((without.annotators(), without.row(0)), (&["b".into()][..], &[(0, 0)][..]));
    }

    #[test]
    fn free_text_is_no_label_and_ten_thousand_marks_on_an_item_are_no_people() {
        let marks = (0..=MOST_LABELS).map(|number| mark("1", &number.to_string(), &format!("text {number}")));
        assert!(matches!(Marks::new(marks, &[]), Err(AgreeError::TooManyLabels { .. })));
        let crowd = (0..11_000).map(|number| mark("1", &number.to_string(), "x"));
        assert!(matches!(Marks::new(crowd, &[]), Err(AgreeError::TooManyPairs { .. })));
    }
}
