//! Evidence: the numbers that speak for or against each site of a passage, for the trees.
//!
//! The strongest is a likelihood ratio: how likely the site would hold this word if someone had replaced the one that the cloze expects, against how likely
//! an author writes it.

use fangwei::lexicon::Lexicon;
use smol_str::SmolStr;

use super::memory::Memory;
use super::rivals::Rivals;
use super::site::Site;
use super::view::View;
use crate::reading::Reading;

/// How many numbers a site has.
pub const COLUMNS: usize = 46;

/// What the cloze says of a site: the word, then its rivals, with log-probabilities.
pub type Weighed = Vec<(SmolStr, f32)>;

/// What a replacement explains, by the cloze: logarithms against the written word being the author's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Some rival stood here and was replaced by this word.
    pub replaced: f32,
    /// The same, and it does harm.
    pub harmful: f32,
}

/// Weighs the rivals of a site by how often they are replaced by its word.
pub fn ratio(weighed: &Weighed, rivals: &Rivals) -> Ratio {
    let Some(((word, own), others)) = weighed.split_first() else { return Ratio { replaced: -9.0, harmful: -9.0 } };
    let standing = rivals.standing(word);
    let (mut replaced, mut harmful) = (1e-4_f32, 1e-4_f32);
    for (rival, log) in others {
        let odds = log.exp() * standing.turns(rival);
        replaced += odds;
        harmful += odds * standing.harms(rival);
    }
    Ratio { replaced: replaced.ln() - own, harmful: harmful.ln() - own }
}

/// Roots that contradict each other.
const POLES: [(&str, &str); 6] = [("上", "下"), ("里内中进入", "外出"), ("前", "后"), ("左", "右"), ("来", "去"), ("东", "西")];

/// Whether two words point the same way (1), to opposite ones (-1), or neither (0).
fn pole(one: &str, other: &str) -> f32 {
    let has = |word: &str, set: &str| word.chars().any(|character| set.contains(character));
    let mut sum = 0.0;
    for (a, b) in POLES {
        if has(one, a) && has(other, b) || has(one, b) && has(other, a) {
            sum -= 1.0;
        } else if has(one, a) && has(other, a) || has(one, b) && has(other, b) {
            sum += 1.0;
        }
    }
    sum
}

/// What the other models say of a passage, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Case<'c> {
    /// The text.
    pub reading: &'c Reading,
    /// Its sites.
    pub sites: &'c [Site],
    /// Their surroundings.
    pub view: &'c View<'c>,
    /// What the cloze says of each.
    pub weighed: &'c [Weighed],
    /// Scores of the sparse model by site, then that of no site at all.
    pub sparse: &'c [f32],
}

/// The rows of a passage: one a site, then the one of no site.
pub fn rows(case: &Case<'_>, rivals: &Rivals, memory: &Memory) -> Vec<[f32; COLUMNS]> {
    let Case { reading, sites, view, weighed, sparse } = *case;
    let count = sites.len();
    let ratios: Vec<Ratio> = weighed.iter().map(|weighed| ratio(weighed, rivals)).collect();
    let harmful: Vec<f32> = ratios.iter().map(|ratio| ratio.harmful).collect();
    let logs: Vec<f32> = weighed.iter().map(|weighed| weighed.first().map_or(0.0, |own| -own.1)).collect();
    let nothing = sparse.get(count).copied().unwrap_or(0.0);
    let of_sites = &sparse[..count.min(sparse.len())];
    let (top, second) = two_largest(&harmful);
    let (sparse_top, sparse_second) = two_largest(of_sites);
    let sum_of = |values: &[f32]| values.iter().map(|value| value.exp()).sum::<f32>().max(1e-9).ln();
    let total = sum_of(&harmful);
    let sparse_total = sum_of(of_sites);
    let passage = [
        top,
        second,
        total,
        sparse_top - nothing,
        sparse_second - nothing,
        sparse_total - nothing,
        count as f32,
        reading.chars.len() as f32,
        logs.iter().sum::<f32>() / count.max(1) as f32,
        two_largest(&logs).0,
    ];
    let mut rows = Vec::with_capacity(count + 1);
    for (number, site) in sites.iter().enumerate() {
        let around = &view.around[number];
        let others = weighed[number].get(1..).unwrap_or_default();
        let best = others.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let own = -logs[number];
        let best_log = best.map_or(f32::NAN, |best| best.1);
        let standing = rivals.standing(&site.word);
        let harm = |rival: &str| standing.harms(rival);
        let entropy: f32 = weighed[number].iter().map(|(_, log)| -log * log.exp()).sum();
        let expected_harm: f32 = others.iter().map(|(rival, log)| log.exp() * harm(rival)).sum();
        let best_harm = others.iter().map(|(rival, log)| log + harm(rival).ln()).fold(f32::NEG_INFINITY, f32::max);
        let fits = around
            .noun
            .and_then(|noun| Lexicon::shipped().noun(noun))
            .map_or(f32::NAN, |noun| f32::from(u8::from(noun.takes.iter().any(|word| site.word.contains(word.as_str())))));
        let same = around.elsewhere.iter().filter(|word| **word == site.word).count();
        let poles = |distance: usize| {
            let near = number.saturating_sub(distance)..(number + distance + 1).min(count);
            let clause = |site: &Site| reading.clause_of.get(site.range.start).copied().unwrap_or(0);
            near.filter(|other| *other != number && clause(&sites[*other]).abs_diff(clause(site)) < distance)
                .map(|other| pole(&site.word, &sites[other].word))
                .fold((0.0, 0.0), |(same, against), pole| (same + pole.max(0.0), against - pole.min(0.0)))
        };
        let (near, wide) = (poles(1), poles(3));
        let [noun_count, noun_word, verb_count, verb_word] = memory.counts(around, &site.word);
        let rank = |values: &[f32]| values.iter().filter(|value| **value > values[number]).count() as f32;
        let gap = |other: Option<&Site>| other.map_or(f32::NAN, |other| other.range.start.abs_diff(site.range.start) as f32);
        let mut row = [f32::NAN; COLUMNS];
        let values = [
            0.0,
            logs[number],
            best_log - own,
            ratios[number].harmful,
            ratios[number].replaced,
            others.iter().filter(|(_, log)| *log > own).count() as f32,
            entropy,
            rivals.suspicion(&site.word),
            of_sites[number] - nothing,
            of_sites[number] - sparse_total,
            rank(&harmful),
            harmful[number] - if harmful[number] >= top { second } else { top },
            rank(&logs),
            rank(of_sites),
            f32::from(site.class as u8),
            site.word.chars().count() as f32,
            f32::from(u8::from(site.tagged)),
            site.range.start as f32 / reading.chars.len().max(1) as f32,
            fits,
            same as f32,
            (around.elsewhere.len() - same) as f32,
            sites.iter().filter(|other| other.word == site.word).count() as f32,
            best.map_or(f32::NAN, |best| harm(&best.0)),
            expected_harm,
            best_harm - own,
            best.map_or(f32::NAN, |best| standing.turns(&best.0)),
            near.0,
            near.1,
            wide.0,
            wide.1,
            noun_count,
            noun_word,
            verb_count,
            verb_word,
            gap(number.checked_sub(1).and_then(|before| sites.get(before))),
            gap(sites.get(number + 1)),
        ];
        row[..values.len()].copy_from_slice(&values);
        row[36..].copy_from_slice(&passage);
        rows.push(row);
    }
    let mut none = [f32::NAN; COLUMNS];
    none[0] = 1.0;
    none[36..].copy_from_slice(&passage);
    rows.push(none);
    rows
}

fn two_largest(values: &[f32]) -> (f32, f32) {
    values.iter().fold(
        (-9.0, -9.0),
        |(first, second), value| {
            if *value > first { (*value, first) } else { (first, second.max(*value)) }
        },
    )
}
