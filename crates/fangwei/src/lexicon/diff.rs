//! What changed between two lexicons: every table becomes names with values, and names are compared.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Lexicon;

/// A row that came, went or says something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it is a row of: `words`, `pairs`, `kinds`, `nouns`, `abstract`, `temporal` or `fixed`.
    pub table: &'static str,
    /// The word, with its class where it has one; of a pair, both words.
    pub name: String,
    /// What the first lexicon says; nothing if it has no such row.
    pub before: Option<String>,
    /// What the second lexicon says; nothing if it has no such row.
    pub after: Option<String>,
}

/// The differences of two lexicons, in the order of the tables and of the names.
///
/// Groups are compared by the substitutions that they allow, so that a group may be renamed or cut in two without a difference. Remarks do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Diff {
    /// The changes.
    pub changes: Vec<Change>,
}

/// Names with values.
type Table = BTreeMap<String, String>;

impl Diff {
    /// The names of [`Change::table`].
    pub const TABLES: [&'static str; 7] = ["words", "pairs", "kinds", "nouns", "abstract", "temporal", "fixed"];

    /// Compares two lexicons.
    pub fn of(before: &Lexicon, after: &Lexicon) -> Diff {
        let mut changes = Vec::new();
        for ((table, before), after) in Diff::TABLES.into_iter().zip(tables(before)).zip(tables(after)) {
            let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for name in names {
                let (before, after) = (before.get(name).cloned(), after.get(name).cloned());
                if before != after {
                    changes.push(Change { table, name: name.clone(), before, after });
                }
            }
        }
        Diff { changes }
    }

    /// How many rows of a table came, went and changed.
    pub fn count(&self, table: &str) -> (u64, u64, u64) {
        let of_table = self.changes.iter().filter(|change| change.table == table);
        of_table.fold((0, 0, 0), |(added, removed, changed), change| match (&change.before, &change.after) {
            (None, _) => (added + 1, removed, changed),
            (_, None) => (added, removed + 1, changed),
            _ => (added, removed, changed + 1),
        })
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// The tables of a lexicon, in the order of [`Diff::TABLES`].
fn tables(lexicon: &Lexicon) -> [Table; 7] {
    let list = |words: &mut dyn Iterator<Item = &str>| words.map(|word| (word.to_owned(), String::new())).collect();
    let words = lexicon.entries().iter().map(|entry| {
        let model = entry.model.map_or("-", |model| model.as_str());
        (format!("{} {}", entry.class, entry.word), model.to_owned())
    });
    let pairs = lexicon.pairs().into_iter().map(|(class, from, to)| (format!("{class} {from} {to}"), String::new()));
    let kinds = lexicon.kinds().iter().map(|kind| (kind.name.to_string(), kind.takes.join(" ")));
    let nouns = lexicon.nouns().map(|noun| {
        let kind = &lexicon.kind(noun).name;
        (noun.word.to_string(), format!("{kind}: {}", noun.takes.join(" ")))
    });
    [
        words.collect(),
        pairs.collect(),
        kinds.collect(),
        nouns.collect(),
        list(&mut lexicon.abstracts()),
        list(&mut lexicon.temporals()),
        list(&mut lexicon.fixed()),
    ]
}
