//! How long texts are, in characters.

use serde::Serialize;

use crate::stats::Moments;
use crate::task::{Item, Texts};

/// Texts of a length up to the next bin's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Bin {
    /// The least length.
    pub from: u64,
    /// How many texts.
    pub texts: u64,
}

/// The characters of a bin's width.
pub(super) const STEP: u64 = 20;

/// The lengths of some items' texts. Of a pair each text counts by itself; reasons are counted apart.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Lengths {
    /// All characters of all texts.
    pub characters: u64,
    /// The texts.
    pub texts: Option<Moments>,
    /// The reasons of 2021.
    pub reasons: Option<Moments>,
    /// Texts by length, in steps, from the shortest to the longest.
    pub bins: Vec<Bin>,
}

impl Lengths {
    /// Of some items.
    pub fn of<'i>(items: impl IntoIterator<Item = &'i Item>) -> Lengths {
        let (mut texts, mut reasons) = (Vec::new(), Vec::new());
        for item in items {
            texts.extend(item.texts.each().into_iter().filter(|text| !text.is_empty()).map(|text| text.chars().count() as u64));
            if let Texts::Reason { reason, .. } = &item.texts {
                reasons.push(reason.chars().count() as u64);
            }
        }
        let moments = |lengths: &[u64]| Moments::of(lengths.iter().map(|length| *length as f64));
        Lengths { characters: texts.iter().sum(), texts: moments(&texts), reasons: moments(&reasons), bins: bins(&texts) }
    }
}

fn bins(lengths: &[u64]) -> Vec<Bin> {
    let (Some(least), Some(most)) = (lengths.iter().min(), lengths.iter().max()) else { return Vec::new() };
    let (first, last) = (least / STEP, most / STEP);
    // One text of a whole book would make millions of bins; what is longer than any item stands in the last.
    let last = last.min(first + 60);
    let mut bins: Vec<Bin> = (first..=last).map(|number| Bin { from: number * STEP, texts: 0 }).collect();
    for length in lengths {
        bins[((length / STEP).min(last) - first) as usize].texts += 1;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted_in_characters() {
        let item = |context: &str| Item {
            qid: "1".into(),
            texts: Texts::Reason { context: context.into(), reason: "“他”不符合常识".into() },
            gold: None,
            corefs: None,
            extra: Vec::new(),
        };
        let items = [item("他在屋里"), item(&"山".repeat(30)), item(&"水".repeat(10_000))];
        let lengths = Lengths::of(&items);
        assert_eq!(lengths.characters, 10_034);
        assert_eq!(lengths.reasons.map(|reasons| reasons.mean), Some(8.0));
        assert_eq!(lengths.bins[..2], [Bin { from: 0, texts: 1 }, Bin { from: 20, texts: 1 }]);
        assert_eq!((lengths.bins.len(), lengths.bins.last().map(|bin| bin.texts)), (61, Some(1)));
    }
}
