//! From a key to the number of its row of weights.
//!
//! Open addressing in one array of `key << 32 | row + 1`, so that a lookup touches one cache line and a file can be mapped and used.
//! Rows are numbered by falling count: those that are looked up most lie together.

use rustc_hash::FxHashMap;

use super::feature::Keys;
use crate::weights::{ReadScope, Section, WeightsError, WriteScope};

/// Counts keys for a [`Table`].
///
/// ```
/// use fangwei_predict::learn::table::Counter;
///
/// let mut counter = Counter::default();
/// counter.add(7, 2);
/// counter.add(9, 1);
/// let table = counter.table(2);
/// assert_eq!(table.row(7), Some(0));
/// assert_eq!(table.row(9), None); // seen once
/// ```
#[derive(Debug, Clone, Default)]
pub struct Counter(FxHashMap<u32, u32>);

impl Counter {
    /// Adds to the count of a key.
    #[inline]
    pub fn add(&mut self, key: u32, count: u32) {
        let sum = self.0.entry(key).or_default();
        *sum = sum.saturating_add(count);
    }

    /// Counts every key of the lists once for each time it stands there.
    pub fn add_keys(&mut self, keys: &Keys) {
        for &key in keys.all() {
            self.add(key, 1);
        }
    }

    /// A table of the keys with at least this count.
    pub fn table(&self, min_count: u32) -> Table {
        Table::new(self.0.iter().map(|(&key, &count)| (key, count)), min_count)
    }
}

/// From a key to the number of its row.
///
/// ```
/// use fangwei_predict::learn::table::Table;
///
/// // Counts of one key are summed: 5 comes first with 4, then 3 and 8 with 2 each, in their own order.
/// let table = Table::new([(8, 2), (5, 3), (3, 2), (5, 1), (1, 1)], 2);
/// assert_eq!([5, 3, 8, 1].map(|key| table.row(key)), [Some(0), Some(1), Some(2), None]);
/// assert_eq!(table.rows(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    slots: Section<u64>,
    rows: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self::from_keys(&[])
    }
}

impl Table {
    /// The keys whose counts sum up to `min_count` or more, by falling count, then by key.
    pub fn new(keys: impl IntoIterator<Item = (u32, u32)>, min_count: u32) -> Self {
        let mut counted: Vec<(u32, u32)> = keys.into_iter().collect();
        counted.sort_unstable_by_key(|&(key, _)| key);
        counted.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        counted.retain(|&(_, count)| count >= min_count);
        // Stable: equal counts stay in the order of their keys.
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let keys: Vec<u32> = counted.into_iter().map(|(key, _)| key).collect();
        Self::from_keys(&keys)
    }

    /// A row for each key in the order given; a key that is there already keeps its row and leaves its second one unused.
    pub(crate) fn from_keys(keys: &[u32]) -> Self {
        // At most 0.6 full, and never quite full, so that a search for a missing key ends.
        let capacity = (keys.len() * 5 / 3 + 2).next_power_of_two();
        let mut slots = vec![0u64; capacity];
        for (row, &key) in keys.iter().enumerate() {
            let mut at = start(key, capacity);
            while slots[at] != 0 && (slots[at] >> 32) as u32 != key {
                at = (at + 1) & (capacity - 1);
            }
            if slots[at] == 0 {
                slots[at] = u64::from(key) << 32 | (row as u64 + 1);
            }
        }
        Self { slots: slots.into(), rows: keys.len() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The row of a key.
    #[inline]
    pub fn row(&self, key: u32) -> Option<u32> {
        find(&self.slots, key)
    }

    /// For many lookups: the slots are fetched from the section once.
    pub(crate) fn finder(&self) -> impl Fn(u32) -> Option<u32> + Copy {
        let slots: &[u64] = &self.slots;
        move |key| find(slots, key)
    }

    /// Appends the rows of the keys that have one. All first slots are fetched before any is looked at, so that the memory answers
    /// many requests at once instead of one after the other: with a million rows, that is most of the time of a prediction.
    pub(crate) fn rows_of(&self, keys: &[u32], fetched: &mut Vec<u64>, rows: &mut Vec<u32>) {
        let slots: &[u64] = &self.slots;
        let mask = slots.len() - 1;
        fetched.clear();
        fetched.extend(keys.iter().map(|&key| slots[start(key, slots.len()) & mask]));
        for (&key, &slot) in keys.iter().zip(&*fetched) {
            if (slot >> 32) as u32 == key && slot != 0 {
                rows.push(slot as u32 - 1);
            } else if slot != 0 {
                rows.extend(find(slots, key));
            }
        }
    }

    /// The keys by row.
    pub(crate) fn keys(&self) -> Vec<u32> {
        let mut keys = vec![0; self.rows];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            keys[(slot as u32 - 1) as usize] = (slot >> 32) as u32;
        }
        keys
    }

    /// Puts the table into a weights file.
    pub fn save(&self, out: &mut WriteScope<'_>) {
        out.put("slots", &self.slots);
    }

    /// Takes it out again and checks that lookups will end and stay in range.
    pub fn load(from: &ReadScope) -> Result<Self, WeightsError> {
        let slots = from.get::<u64>("slots")?;
        let rows = slots.iter().filter(|&&slot| slot != 0).count();
        if !slots.len().is_power_of_two() || rows == slots.len() {
            return Err(from.unfit("slots", "a power of two with free slots", format!("{rows} of {} used", slots.len())));
        }
        if let Some(slot) = slots.iter().find(|&&slot| slot != 0 && !(1..=rows).contains(&(slot as u32 as usize))) {
            return Err(from.unfit("slots", format!("rows up to {rows}"), format!("row {}", *slot as u32)));
        }
        Ok(Self { slots, rows })
    }
}

#[inline]
fn start(key: u32, capacity: usize) -> usize {
    // Keys of templates are mixed already; a multiplication makes it safe for any others. The product is taken from its high half.
    ((u64::from(key.wrapping_mul(0x9E37_79B1)) * capacity as u64) >> 32) as usize
}

#[inline]
fn find(slots: &[u64], key: u32) -> Option<u32> {
    let mask = slots.len() - 1;
    let mut at = start(key, slots.len());
    loop {
        let slot = slots[at & mask];
        if slot == 0 {
            return None;
        }
        if (slot >> 32) as u32 == key {
            return Some(slot as u32 - 1);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Table};

    #[test]
    fn every_key_is_found_and_no_other() {
        // Steps of 3 leave two of three keys out; zero is a key like any other.
        let keys: Vec<u32> = (0..3000).map(|number| number * 3).collect();
        let table = Table::new(keys.iter().map(|&key| (key, 1)), 1);
        assert_eq!(table.rows(), 3000);
        assert!(table.slots.len() as f64 * 0.6 >= 3000.0);
        for key in 0..9000 {
            assert_eq!(table.row(key), (key % 3 == 0).then_some(key / 3), "{key}");
        }
        assert_eq!(table.keys(), keys);
        assert_eq!(Table::default().row(0), None);
    }

    #[test]
    fn rows_do_not_depend_on_the_order_of_counting() {
        let (mut there, mut back) = (Counter::default(), Counter::default());
        for key in 0..1000u32 {
            there.add(key, key % 7);
            back.add(999 - key, (999 - key) % 7);
        }
        assert_eq!(there.table(2).keys(), back.table(2).keys());
    }
}
