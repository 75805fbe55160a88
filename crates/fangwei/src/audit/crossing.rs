//! What crosses from one file to another: texts that stand in both, and siblings of one origin on either side. A system that trained on one file has seen the other.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::pool::Pool;

/// What two files have in common.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Crossing {
    /// The first file.
    pub a: String,
    /// The second.
    pub b: String,
    /// Distinct texts that stand in both, character for character.
    pub verbatim: u64,
    /// Items of either file whose text is not in the other, but which have a sibling there.
    pub siblings: u64,
    /// Share of the first file's items that are in the second, verbatim or by a sibling.
    pub share_a: f64,
    /// Share of the second file's items that are in the first.
    pub share_b: f64,
}

/// Every pair of files with something in common.
pub(super) fn crossing(pool: &Pool<'_>) -> Vec<Crossing> {
    let groups: Vec<FxHashSet<u32>> =
        pool.of.iter().map(|items| items.iter().flatten().map(|text| pool.group[*text as usize]).collect()).collect();
    let stands = |text: u32, file: usize| pool.places[text as usize].iter().any(|place| place.file == file);
    // Items of one file that are verbatim in the other, and those that have only a sibling there.
    let touched = |file: usize, other: usize| {
        let mut counts = (0_u64, 0_u64);
        for texts in &pool.of[file] {
            if texts.iter().any(|text| stands(*text, other)) {
                counts.0 += 1;
            } else if texts.iter().any(|text| groups[other].contains(&pool.group[*text as usize])) {
                counts.1 += 1;
            }
        }
        counts
    };
    let mut crossing = Vec::new();
    for a in 0..pool.files.len() {
        for b in a + 1..pool.files.len() {
            let verbatim = (0..pool.texts.len() as u32).filter(|text| stands(*text, a) && stands(*text, b)).count() as u64;
            let (of_a, of_b) = (touched(a, b), touched(b, a));
            if of_a.0 + of_a.1 == 0 {
                continue;
            }
            let share = |(copies, siblings): (u64, u64), file: usize| {
                crate::score::ratio((copies + siblings) as f64, pool.files[file].items.len() as f64)
            };
            crossing.push(Crossing {
                a: pool.files[a].name.to_string(),
                b: pool.files[b].name.to_string(),
                verbatim,
                siblings: of_a.1 + of_b.1,
                share_a: share(of_a, a),
                share_b: share(of_b, b),
            });
        }
    }
    crossing
}
