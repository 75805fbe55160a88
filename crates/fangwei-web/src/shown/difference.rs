//! What differs between marks: between several, line by line as a multiset; between two versions of one, as the least list of lines that came and went.

use std::collections::BTreeMap;

use fangwei::lang::Lang;

use super::{Card, Row};

/// A line of a comparison: `+` came, `-` went, blank stayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `+`, `-` or a blank.
    pub sign: char,
    /// The line.
    pub text: String,
    /// JSON pointer into the version that has the line.
    pub pointer: String,
}

/// More lines than this are not aligned but listed as gone and come.
const MOST_LINES: usize = 1000;

/// Notes on every line whether some other mark lacks it. Numbers of records do not matter: who marks the same tuples in another order says the same.
pub fn compare(marks: &mut [Vec<Card>]) {
    type Key = (String, String, Vec<u32>);
    let key = |row: &Row| -> Key {
        let (name, text, idxes) = row.key();
        (name.to_owned(), text.to_owned(), idxes.to_vec())
    };
    let counts: Vec<BTreeMap<Key, usize>> = marks
        .iter()
        .map(|cards| {
            let mut counts = BTreeMap::new();
            for row in cards.iter().flat_map(|card| &card.rows) {
                *counts.entry(key(row)).or_default() += 1;
            }
            counts
        })
        .collect();
    for row in marks.iter_mut().flatten().flat_map(|card| &mut card.rows) {
        let wanted = counts.iter().map(|counts| counts.get(&key(row)).copied().unwrap_or_default());
        let (least, most) = wanted.fold((usize::MAX, 0), |(least, most), count| (least.min(count), most.max(count)));
        row.differs = least != most;
    }
}

/// What changed from one version to the next.
pub fn difference(before: &[Card], after: &[Card], lang: Lang) -> Vec<Line> {
    let (before, after) = (lines(before, lang), lines(after, lang));
    let line = |sign: char, (text, pointer): &(String, String)| Line { sign, text: text.clone(), pointer: pointer.clone() };
    if before.len().max(after.len()) > MOST_LINES {
        return before.iter().map(|one| line('-', one)).chain(after.iter().map(|one| line('+', one))).collect();
    }
    // The longest common subsequence, from the end: `common[i][j]` lines of `before[i..]` stand in `after[j..]` in order.
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            common[i][j] =
                if before[i].0 == after[j].0 { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut told) = (0, 0, Vec::new());
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i].0 == after[j].0 {
            told.push(line(' ', &after[j]));
            (i, j) = (i + 1, j + 1);
        } else if j == after.len() || (i < before.len() && common[i + 1][j] >= common[i][j + 1]) {
            told.push(line('-', &before[i]));
            i += 1;
        } else {
            told.push(line('+', &after[j]));
            j += 1;
        }
    }
    told
}

/// Titles and lines with their pointers.
fn lines(cards: &[Card], lang: Lang) -> Vec<(String, String)> {
    let row = |row: &Row| {
        let place = if row.place.is_empty() { String::new() } else { format!(" {}", row.place) };
        (format!("{}{}{}{place}", row.name.get(lang), lang.say("：", ": "), row.text.get(lang)), row.pointer.clone())
    };
    cards
        .iter()
        .flat_map(|card| {
            std::iter::once((card.title.get(lang).to_owned(), card.pointer.clone())).chain(card.rows.iter().map(row))
        })
        .collect()
}
