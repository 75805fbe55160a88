//! Where a text was changed, as far as its siblings tell.
//!
//! Where the original of a family is known, the replaced words are known too (`Example::replaced`). Where every text of a family has another word at one place,
//! nobody knows which word stood there first; the place is still plain: it is where siblings differ.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::material::{Example, Part};

/// So many siblings are compared with a text at most.
const MOST_SIBLINGS: usize = 200;
/// A longer difference is more than one word, so the two differ in more than one place.
const LONGEST: usize = 4;

/// The changed places of the texts of a part.
#[derive(Debug, Default)]
pub struct Loci<'m> {
    families: FxHashMap<u32, Vec<(&'m str, Vec<char>)>>,
}

impl<'m> Loci<'m> {
    /// Gathers the families of a part.
    pub fn of(part: &Part<'m>) -> Loci<'m> {
        let mut families: FxHashMap<u32, Vec<(&'m str, Vec<char>)>> = FxHashMap::default();
        for example in part.all() {
            let text = example.item.texts.context();
            let family = families.entry(example.group).or_default();
            if family.len() <= MOST_SIBLINGS && !family.iter().any(|(other, _)| *other == text) {
                family.push((text, text.chars().collect()));
            }
        }
        Loci { families }
    }

    /// The changed places of an item; none of an original, and nothing where nobody knows.
    pub fn find(&self, example: &Example<'m>) -> Option<Vec<Range<usize>>> {
        if let Some(replaced) = example.replaced {
            return Some(replaced.iter().map(|one| one.at.start..one.at.end.max(one.at.start + 1)).collect());
        }
        let text: Vec<char> = example.item.texts.context().chars().collect();
        let family = self.families.get(&example.group)?;
        let others = family.iter().map(|(_, other)| other.as_slice()).filter(|other| *other != text.as_slice());
        vote(&text, others).map(|place| vec![place])
    }
}

/// The place where most siblings differ from a text, of those that differ in one place only; of equal numbers the first.
fn vote<'t>(text: &[char], siblings: impl Iterator<Item = &'t [char]>) -> Option<Range<usize>> {
    let mut votes: Vec<(Range<usize>, usize)> = Vec::new();
    for sibling in siblings {
        let place = difference(text, sibling);
        if place.len() > LONGEST || sibling.len().abs_diff(text.len()) > LONGEST {
            continue;
        }
        match votes.iter_mut().find(|(other, _)| *other == place) {
            Some((_, count)) => *count += 1,
            None => votes.push((place, 1)),
        }
    }
    let best = votes.into_iter().min_by_key(|(place, count)| (std::cmp::Reverse(*count), place.start))?;
    Some(best.0.start..best.0.end.max(best.0.start + 1))
}

/// What is left of a text without the beginning and the end that another text shares.
fn difference(text: &[char], other: &[char]) -> Range<usize> {
    let start = text.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = text.len().min(other.len()) - start;
    let end = text.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    start..text.len() - end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, siblings: &[&str]) -> Option<Range<usize>> {
        let siblings: Vec<Vec<char>> = siblings.iter().map(|text| text.chars().collect()).collect();
        vote(&text.chars().collect::<Vec<_>>(), siblings.iter().map(Vec::as_slice))
    }

    #[test]
    fn siblings_that_differ_in_one_place_tell_it() {
        // Two differ in the fourth character only, one in another as well: that difference is too long to be one word.
        let found = places(
            "雨落在屋前的一块空地上。",
            &["雨落在屋后的一块空地上。", "雨落在屋里的一块空地上。", "雨落在屋后的一块空地下。"],
        );
        assert_eq!(found, Some(4..5));
        // A word that is longer here than there.
        assert_eq!(places("灯挂在门外面。", &["灯挂在门上。"]), Some(4..6));
        assert_eq!(places("灯挂在门上。", &[]), None);
        assert_eq!(places("", &["灯"]), Some(0..1));
    }
}
