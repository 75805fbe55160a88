//! Label skew: how often people judged a text abnormal, by the words that were exchanged, by how many, by length and by genre.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::input::{Told, told};
use super::original::Replacement;
use super::pool::{Place, Pool};
use crate::score::Facet;
use crate::stats::{Interval, wilson};

/// Judged texts of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    n: u64,
    abnormal: u64,
}

impl Count {
    fn add(&mut self, normal: bool) {
        self.n += 1;
        self.abnormal += u64::from(!normal);
    }

    fn rate(self) -> f64 {
        crate::score::ratio(self.abnormal as f64, self.n as f64)
    }

    fn interval(self) -> Interval {
        wilson(self.abnormal, self.n, 0.95)
    }
}

/// A pair of words of one task's judged texts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairSkew {
    /// The task that asked people.
    pub task: &'static str,
    /// The original word.
    pub from: String,
    /// The word in its place.
    pub to: String,
    /// Judged texts in which this is the only replacement.
    pub n: u64,
    /// How many of them are abnormal.
    pub abnormal: u64,
    /// `abnormal / n`
    pub rate: f64,
    /// Its interval by Wilson.
    pub interval: Interval,
}

/// A kind of judged texts: `to=外`, `replacements=2`, `length=050-099`, `genre=news`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KindSkew {
    /// The task that asked people.
    pub task: &'static str,
    /// `from`, `to`, `replacements`, `length` or `genre`.
    pub by: &'static str,
    /// The value.
    pub value: String,
    /// Judged texts of this kind.
    pub n: u64,
    /// How many of them are abnormal.
    pub abnormal: u64,
    /// `abnormal / n`
    pub rate: f64,
    /// Its interval by Wilson.
    pub interval: Interval,
}

/// A judged text: the task that asked, where it first stands, and the verdict.
pub(super) struct Judged {
    pub task: &'static str,
    pub text: u32,
    pub place: Place,
    pub normal: bool,
}

/// Every judged text once a task, in the order of files; texts that the task judged both ways are left out.
pub(super) fn judged(pool: &Pool<'_>) -> Vec<Judged> {
    let mut all: Vec<Judged> = Vec::new();
    let mut known: FxHashMap<(&str, u32), (usize, bool)> = FxHashMap::default();
    for (file, set) in pool.files.iter().enumerate() {
        let Some(task) = set.task else { continue };
        for (number, item) in set.items.iter().enumerate() {
            let (Some(Told::Judged(normal)), Some(text)) = (told(item), pool.of[file][number].first()) else { continue };
            let (first, same) = known.entry((task.id(), *text)).or_insert((all.len(), true));
            if *first == all.len() {
                all.push(Judged { task: task.id(), text: *text, place: Place { file, item: number }, normal });
            } else if all[*first].normal != normal {
                *same = false;
            }
        }
    }
    all.into_iter().filter(|judged| known[&(judged.task, judged.text)].1).collect()
}

/// The tables: pairs of words, most frequent first; then other kinds by value.
pub(super) fn skew(pool: &Pool<'_>, judged: &[Judged], replaced: &[Option<Vec<Replacement>>]) -> (Vec<PairSkew>, Vec<KindSkew>) {
    let mut pairs: BTreeMap<(&'static str, &str, &str), Count> = BTreeMap::new();
    let mut kinds: BTreeMap<(&'static str, usize, String), Count> = BTreeMap::new();
    let names = ["from", "to", "replacements", "length", "genre"];
    for one in judged {
        let mut add = |kind: usize, value: String| kinds.entry((one.task, kind, value)).or_default().add(one.normal);
        if let Some(words) = &replaced[one.text as usize] {
            add(2, words.len().to_string());
            if let [word] = words.as_slice() {
                add(0, word.from.clone());
                add(1, word.to.clone());
                pairs.entry((one.task, &word.from, &word.to)).or_default().add(one.normal);
            }
        }
        let item = pool.item(one.place);
        if let Some(task) = pool.files[one.place.file].task {
            Facet::Length.classes(task, item).into_iter().for_each(|class| add(3, class));
            Facet::Field("genre".to_owned()).classes(task, item).into_iter().for_each(|class| add(4, class));
        }
    }
    let mut pairs: Vec<PairSkew> = pairs
        .into_iter()
        .map(|((task, from, to), count)| PairSkew {
            task,
            from: from.to_owned(),
            to: to.to_owned(),
            n: count.n,
            abnormal: count.abnormal,
            rate: count.rate(),
            interval: count.interval(),
        })
        .collect();
    // Stable, so that equal counts keep the order of task and words.
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.n));
    let mut kinds: Vec<(usize, KindSkew)> = kinds
        .into_iter()
        .map(|((task, kind, value), count)| {
            let (rate, interval) = (count.rate(), count.interval());
            (kind, KindSkew { task, by: names[kind], value, n: count.n, abnormal: count.abnormal, rate, interval })
        })
        .collect();
    // Words by their number, the rest by value.
    kinds
        .sort_by_key(|(kind, skew)| (skew.task, *kind, if *kind < 2 { std::cmp::Reverse(skew.n) } else { std::cmp::Reverse(0) }));
    (pairs, kinds.into_iter().map(|(_, skew)| skew).collect())
}
