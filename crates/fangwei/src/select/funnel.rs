//! Where passages fell: a tally for each genre, and their sum. Funnels of parts of a corpus add up to the funnel of the whole, in any order.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;

use serde::Serialize;
use serde_json::{Map, Value, json};
use smol_str::SmolStr;

use super::config::Config;
use super::criterion::CRITERIA;
use crate::lang::{Lang, Words, words};
use crate::table::{Cell, Table};

/// What became of some passages. They sum up: `passages` = all of `fell` + `over_source` + `over_share` + `kept`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many were judged.
    pub passages: u64,
    /// How many fell at each of [`CRITERIA`].
    pub fell: [u64; CRITERIA.len()],
    /// How many were left out because their source has enough.
    pub over_source: u64,
    /// How many were left out to keep the shares of genres and the total.
    pub over_share: u64,
    /// How many are kept.
    pub kept: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passages += other.passages;
        self.fell.iter_mut().zip(other.fell).for_each(|(sum, fell)| *sum += fell);
        self.over_source += other.over_source;
        self.over_share += other.over_share;
        self.kept += other.kept;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

/// The cuts after the criteria.
const OVER_SOURCE: (&str, Words) = ("per_source", words("每个来源的上限", "limit of each source"));
const OVER_SHARE: (&str, Words) = ("shares", words("体裁比例和总数", "shares of genres, total"));

impl Tally {
    /// The name of each cut and how many fell there, in order.
    pub fn cuts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let criteria = CRITERIA.iter().zip(self.fell).map(|(criterion, fell)| (criterion.name, fell));
        criteria.chain([(OVER_SOURCE.0, self.over_source), (OVER_SHARE.0, self.over_share)])
    }
}

impl Serialize for Tally {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fell: Map<String, Value> = self.cuts().map(|(name, fell)| (name.to_owned(), fell.into())).collect();
        json!({ "passages": self.passages, "fell": fell, "kept": self.kept }).serialize(serializer)
    }
}

/// The tallies of all genres.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// How many records were no passages that can be judged.
    pub defective: u64,
    /// By genre.
    pub genres: BTreeMap<SmolStr, Tally>,
}

impl AddAssign<&Funnel> for Funnel {
    fn add_assign(&mut self, other: &Funnel) {
        self.defective += other.defective;
        for (genre, tally) in &other.genres {
            *self.genres.entry(genre.clone()).or_default() += *tally;
        }
    }
}

impl Funnel {
    /// Counts passages of a genre that fell at one of [`CRITERIA`], by its number.
    pub fn fall(&mut self, genre: &SmolStr, criterion: usize, count: u64) {
        let tally = self.genres.entry(genre.clone()).or_default();
        tally.passages += count;
        tally.fell[criterion] += count;
    }

    /// The sum of all genres.
    pub fn total(&self) -> Tally {
        self.genres.values().copied().sum()
    }

    /// A row for each cut: its limit, how many fell there, how many were left, and how many fell of each genre.
    pub fn table(&self, config: &Config, lang: Lang) -> Table {
        let say = |zh, en| lang.say(zh, en).to_owned();
        let head = [say("条件", "criterion"), say("界限", "limit"), say("落选", "fell"), say("剩余", "left")];
        let mut table = Table::new(head.into_iter().chain(self.genres.keys().map(ToString::to_string)));
        let total = self.total();
        let counts = |of: fn(&Tally) -> u64| self.genres.values().map(move |tally| Cell::Count(of(tally)));
        let title = |text: &str| Cell::from(text);
        let first = [title(lang.say("读入", "read")), Cell::Empty, Cell::Empty, Cell::Count(total.passages)];
        table.row(first.into_iter().chain(counts(|tally| tally.passages)));
        let limits = CRITERIA.iter().map(|criterion| (criterion.title, criterion.limit(config).to_string()));
        let most = |limit: Option<u64>| limit.map_or_else(|| "-".to_owned(), |limit| format!("≤ {limit}"));
        let limits = limits.chain([(OVER_SOURCE.1, most(config.per_source)), (OVER_SHARE.1, most(config.total))]);
        let mut left = total.passages;
        for (number, ((name, limit), (_, fell))) in limits.zip(total.cuts()).enumerate() {
            left = left.saturating_sub(fell);
            let of_genre = self.genres.values().map(|tally| Cell::from(tally.cuts().nth(number).map(|(_, fell)| fell)));
            let cells = [title(name.get(lang)), Cell::from(limit), Cell::Count(fell), Cell::Count(left)];
            table.row(cells.into_iter().chain(of_genre));
        }
        let last = [title(lang.say("留下", "kept")), Cell::Empty, Cell::Empty, Cell::Count(total.kept)];
        table.row(last.into_iter().chain(counts(|tally| tally.kept)));
        table
    }

    /// The funnel with the configuration that made it, for programs.
    pub fn report(&self, config: &Config) -> Value {
        let criteria: Vec<Value> =
            CRITERIA.iter().map(|criterion| json!({ "name": criterion.name, "limit": criterion.limit(config) })).collect();
        json!({
            "defective": self.defective,
            "total": self.total(),
            "genres": self.genres,
            "criteria": criteria,
            "config": config,
        })
    }
}
