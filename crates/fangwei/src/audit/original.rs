//! The original sentence of a set of kin, and so the words that were replaced in each member.
//!
//! A replaced sentence differs from its original in one or two places, so at each place where members differ most of them still have the original word.
//! A text whose scene is described, and which nobody was asked to judge, is the original itself.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::align::{Edit, edits};
use super::input::Told;
use super::kin::kin;
use super::pool::Pool;
use super::word::widen;

/// Members are aligned with the original up to so many characters.
const MOST: usize = 24;
/// So often is the majority asked again on the sentence that it chose.
const ROUNDS: usize = 3;

/// So many texts of a set are tried as its original, each on so many members: bounds for sets of thousands.
const CANDIDATES: usize = 50;
const TRIED_ON: usize = 200;

/// What is known of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Its scene is described and nobody judged it: an original.
    Original,
    /// Judged normal.
    Normal,
    /// Judged abnormal, or explained as such: no original.
    Abnormal,
}

/// What is known of each text, labels included.
pub(super) fn known(pool: &Pool<'_>) -> Vec<Option<Known>> {
    let one = |text: u32| {
        let said: Vec<Told> = pool.told(text).collect();
        if said.iter().any(|told| matches!(told, Told::Abnormal | Told::Judged(false))) {
            Some(Known::Abnormal)
        } else if said.contains(&Told::Judged(true)) {
            Some(Known::Normal)
        } else {
            said.first().map(|_| Known::Original)
        }
    };
    (0..pool.texts.len() as u32).map(one).collect()
}

/// The same without labels: what may be known of a text whose label is to be guessed.
pub(super) fn without_labels(known: &[Option<Known>]) -> Vec<Option<Known>> {
    known.iter().map(|known| known.filter(|known| *known == Known::Original)).collect()
}

/// A word that stands in a text for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The original word.
    pub from: String,
    /// The word in its place.
    pub to: String,
    /// The characters of the text that differ.
    pub at: Range<usize>,
}

/// How originals were found, in sets of kin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Originals {
    /// A described, never judged text is the original.
    pub described: u64,
    /// At every place one word has the majority.
    pub majority: u64,
    /// A tie, settled by the only text judged normal.
    pub judged_normal: u64,
    /// A tie that nothing settles.
    pub unresolved: u64,
    /// Texts without kin.
    pub alone: u64,
}

/// A set of kin with the sentence of its majority.
pub(super) struct Kinship {
    /// The texts, in rising order.
    pub members: Vec<u32>,
    majority: Vec<char>,
    /// Whether at every place one word has more votes than any other.
    clear: bool,
}

/// The sets of kin of all groups.
pub(super) fn kinships(pool: &Pool<'_>) -> Vec<Kinship> {
    let of_group = |members: &Vec<u32>| -> Vec<Kinship> {
        let with_majority = |members: Vec<u32>| {
            let texts: Vec<&[char]> = members.iter().map(|text| pool.texts[*text as usize].as_slice()).collect();
            let (majority, clear) = majority(&texts);
            Kinship { members, majority, clear }
        };
        kin(members, &pool.texts).into_iter().map(with_majority).collect()
    };
    pool.members().par_iter().flat_map_iter(of_group).collect()
}

/// The sentence that has the most common word at each place where the texts differ, and whether there was no tie.
fn majority(texts: &[&[char]]) -> (Vec<char>, bool) {
    let mut sentence: Vec<char> = texts.first().map(|text| text.to_vec()).unwrap_or_default();
    let mut clear = texts.len() > 2;
    for _ in 0..ROUNDS {
        let aligned: Vec<(&[char], Vec<Edit>)> =
            texts.iter().filter_map(|text| Some((*text, edits(&sentence, text, MOST)?))).collect();
        let (mut next, mut end) = (Vec::with_capacity(sentence.len()), 0);
        clear = texts.len() > 2;
        for place in places(&aligned) {
            let mut votes: FxHashMap<&[char], usize> = FxHashMap::default();
            for (text, edits) in &aligned {
                *votes.entry(at(text, edits, &place)).or_default() += 1;
            }
            let most = votes.values().copied().max().unwrap_or(0);
            // The first text with a winning word decides between equal ones, whatever the order of the map.
            let winner = aligned.iter().map(|(text, edits)| at(text, edits, &place)).find(|word| votes.get(word) == Some(&most));
            let word = winner.unwrap_or(&sentence[place.clone()]);
            clear &= votes.values().filter(|count| **count == most).count() == 1;
            next.extend_from_slice(&sentence[end..place.start]);
            next.extend_from_slice(word);
            end = place.end;
        }
        next.extend_from_slice(&sentence[end..]);
        if next == sentence {
            break;
        }
        sentence = next;
    }
    (sentence, clear)
}

/// The places of the sentence at which some text differs; those that touch are one.
fn places(aligned: &[(&[char], Vec<Edit>)]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = aligned.iter().flat_map(|(_, edits)| edits.iter().map(|edit| edit.from.clone())).collect();
    all.sort_unstable_by_key(|place| (place.start, place.end));
    let mut places: Vec<Range<usize>> = Vec::new();
    for place in all {
        match places.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => places.push(place),
        }
    }
    places
}

/// What a text has at a place of the sentence. Edits lie within places or outside of them, never across.
fn at<'t>(text: &'t [char], edits: &[Edit], place: &Range<usize>) -> &'t [char] {
    let shifted = |index: usize, before: &dyn Fn(&Edit) -> bool| {
        let last = edits.iter().rev().find(|edit| before(edit));
        last.map_or(index, |edit| index + edit.to.end - edit.from.end)
    };
    let start =
        shifted(place.start, &|edit| edit.from.end < place.start || edit.from.end == place.start && !edit.from.is_empty());
    let end = shifted(place.end, &|edit| edit.from.end <= place.end);
    text.get(start..end).unwrap_or_default()
}

/// The replaced words of each text: none of an original, `None` where the original is not known.
pub(super) fn replacements(
    pool: &Pool<'_>,
    kinships: &[Kinship],
    known: &[Option<Known>],
    is_word: &(dyn Fn(&str) -> bool + Sync),
) -> (Vec<Option<Vec<Replacement>>>, Originals) {
    let trusted = normal_texts_are_originals(pool, kinships, known);
    let resolved: Vec<(By, Vec<Option<Vec<Replacement>>>)> = kinships
        .par_iter()
        .map(|kinship| {
            let (by, original) = original(pool, kinship, known, trusted);
            let replaced = |text: &u32| {
                let (original, text) = (original.as_deref()?, pool.texts[*text as usize].as_slice());
                let word = |edit: Edit| {
                    let (from, to) = widen(original, &edit.from, text, &edit.to, is_word);
                    Replacement { from, to, at: edit.to }
                };
                Some(edits(original, text, MOST)?.into_iter().map(word).collect())
            };
            (by, kinship.members.iter().map(replaced).collect())
        })
        .collect();
    let mut of_text = vec![None; pool.texts.len()];
    let mut tally = Originals::default();
    for (kinship, (by, replaced)) in kinships.iter().zip(resolved) {
        match by {
            By::Described => tally.described += 1,
            By::Majority => tally.majority += 1,
            By::Normal => tally.judged_normal += 1,
            By::Nothing if kinship.members.len() == 1 => tally.alone += 1,
            By::Nothing => tally.unresolved += 1,
        }
        for (text, replaced) in kinship.members.iter().zip(replaced) {
            of_text[*text as usize] = replaced;
        }
    }
    (of_text, tally)
}

/// What told the original.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Described,
    Majority,
    Normal,
    Nothing,
}

/// Whether texts that were judged normal are originals rather than harmless replacements: asked where the majority is clear, whether its sentence is among
/// them in at least half of the sets. SpaCE judged only replaced sentences; other sets judge their originals too.
fn normal_texts_are_originals(pool: &Pool<'_>, kinships: &[Kinship], known: &[Option<Known>]) -> bool {
    let (mut clear, mut held) = (0, 0);
    for kinship in kinships.iter().filter(|kinship| kinship.clear) {
        let has = |wanted: Known| kinship.members.iter().any(|text| known[*text as usize] == Some(wanted));
        if has(Known::Original) || !has(Known::Normal) {
            continue;
        }
        clear += 1;
        held += usize::from(majority_member(pool, kinship).is_some_and(|text| known[text as usize] == Some(Known::Normal)));
    }
    held * 2 >= clear
}

fn majority_member(pool: &Pool<'_>, kinship: &Kinship) -> Option<u32> {
    kinship.members.iter().copied().find(|text| pool.texts[*text as usize] == kinship.majority)
}

fn original(pool: &Pool<'_>, kinship: &Kinship, known: &[Option<Known>], trusted: bool) -> (By, Option<Vec<char>>) {
    let those = |wanted: Known| -> Vec<u32> {
        kinship.members.iter().copied().filter(|text| known[*text as usize] == Some(wanted)).collect()
    };
    let text = |text: u32| Some(pool.texts[text as usize].clone());
    let member = majority_member(pool, kinship);
    let described = those(Known::Original);
    if kinship.members.len() > 1 && !described.is_empty() {
        let majority = member.filter(|text| kinship.clear && described.contains(text));
        if let Some(found) = majority.or_else(|| nearest(pool, kinship, &described)) {
            return (By::Described, text(found));
        }
    }
    if kinship.clear && member.is_none_or(|text| known[text as usize] != Some(Known::Abnormal)) {
        return (By::Majority, Some(kinship.majority.clone()));
    }
    match nearest(pool, kinship, &those(Known::Normal)) {
        Some(found) if trusted && kinship.members.len() > 1 => (By::Normal, text(found)),
        _ => (By::Nothing, None),
    }
}

/// The candidate from which fewest replacements lead to the members; `None` where two are equal. A member at more than two replacements weighs most.
fn nearest(pool: &Pool<'_>, kinship: &Kinship, candidates: &[u32]) -> Option<u32> {
    let cost = |candidate: u32| {
        let counts = kinship.members.iter().take(TRIED_ON).map(|member| {
            edits(&pool.texts[candidate as usize], &pool.texts[*member as usize], MOST).map_or(MOST, |edits| edits.len())
        });
        counts.fold((0, 0), |(far, sum), count| (far + usize::from(count > 2), sum + count))
    };
    let mut costs: Vec<((usize, usize), u32)> =
        candidates.iter().take(CANDIDATES).map(|candidate| (cost(*candidate), *candidate)).collect();
    costs.sort_unstable();
    match costs[..] {
        [(_, only)] => Some(only),
        [(least, first), (next, _), ..] if least < next => Some(first),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(texts: &[&str]) -> Vec<Vec<char>> {
        texts.iter().map(|text| text.chars().collect()).collect()
    }

    fn sentence(texts: &[&str]) -> (String, bool) {
        let texts = chars(texts);
        let (sentence, clear) = majority(&texts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        (sentence.into_iter().collect(), clear)
    }

    #[test]
    fn the_majority_at_each_place_is_the_original() {
        // 里 and 上 keep two votes of three each: no text is the original, and yet it is found.
        let texts = ["他从箱子外取出书放在桌上", "他从箱子里取出书放在桌下", "他从箱子里取进书放在桌上"];
        assert_eq!(sentence(&texts), ("他从箱子里取出书放在桌上".to_owned(), true));
    }

    #[test]
    fn words_of_different_length_vote_too() {
        let texts = ["书放在箱子里面，灯亮着", "书放在箱子里，灯亮着", "书放在箱子里面，灯灭着", "书放在箱子旁边，灯亮着"];
        assert_eq!(sentence(&texts), ("书放在箱子里面，灯亮着".to_owned(), true));
    }

    #[test]
    fn a_tie_is_not_clear() {
        assert!(!sentence(&["书在桌上", "书在桌下"]).1);
        assert!(!sentence(&["书在桌上", "书在桌下", "书在桌旁"]).1);
    }
}
