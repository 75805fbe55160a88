//! What is known of a text to learn from: which of its sites are sound, which was replaced to make it abnormal.
//!
//! One text may be an item of several tasks; everything that they say of it is put together, and it is learnt from once.

use std::ops::Range;

use fangwei::answer::{Answer, RoleFragment};
use fangwei::audit::Replacement;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::site::{Site, sites};
use crate::material::{Example, Part};
use crate::reading::Reading;

/// A text with what is known of it.
#[derive(Debug)]
pub struct Passage {
    /// The text.
    pub reading: Reading,
    /// Its sites.
    pub sites: Vec<Site>,
    /// Its origin group.
    pub group: u32,
    /// Whether it is normal, where someone said so.
    pub normal: Option<bool>,
    /// The sites that make it abnormal, with weights that sum to 1; none of a normal text, nor where nothing is known.
    pub gold: Vec<(usize, f32)>,
    /// By site, how surely it stands as the author wrote it, or reads as well.
    pub sound: Vec<f32>,
    /// By site, the word that stood there before.
    pub before: Vec<Option<String>>,
    /// The year of its task, because the years chose texts differently.
    pub year: u16,
}

/// What items say of one text.
#[derive(Clone, Debug, Default)]
struct Said<'m> {
    group: u32,
    year: u16,
    normal: Option<bool>,
    contradicted: bool,
    /// A text whose scene is described was not replaced.
    described: bool,
    replaced: Option<&'m [Replacement]>,
    fragments: Vec<&'m RoleFragment>,
}

/// The texts of a part, each once, in the order of the material.
pub fn passages(part: &Part<'_>) -> Vec<Passage> {
    let mut order: Vec<&str> = Vec::new();
    let mut said: FxHashMap<&str, Said<'_>> = FxHashMap::default();
    for example in part.all() {
        let text = example.item.texts.context();
        let entry = said.entry(text).or_insert_with(|| {
            order.push(text);
            Said::default()
        });
        hear(entry, &example);
    }
    order.par_iter().map(|text| passage(text, &said[text])).collect()
}

fn hear<'m>(said: &mut Said<'m>, example: &Example<'m>) {
    said.group = example.group;
    let id = example.task.map_or("", fangwei::task::Task::id);
    said.year = said.year.max(id.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0));
    said.replaced = said.replaced.or(example.replaced);
    let normal = match (&example.item.gold, id) {
        // A reason explains why a text is abnormal, rightly or wrongly.
        (Some(_), "2021/reason") => Some(false),
        (Some(Answer::Verdict(verdict) | Answer::Joint(verdict, _)), _) => verdict.value(),
        (Some(Answer::Candidates(candidates)), _) => {
            said.fragments.extend(candidates.iter().flatten());
            Some(false)
        }
        (Some(Answer::Reasons(reasons)), _) => {
            said.fragments.extend(reasons.iter().flat_map(|reason| &reason.fragments));
            Some(false)
        }
        (Some(Answer::Slots(_) | Answer::Tuples(_)), _) => {
            said.described = true;
            None
        }
        _ => None,
    };
    said.contradicted |= said.normal.is_some() && normal.is_some() && said.normal != normal;
    said.normal = said.normal.or(normal);
}

fn passage(text: &str, said: &Said<'_>) -> Passage {
    let reading = Reading::new(text);
    let sites = sites(&reading);
    let normal = if said.contradicted { None } else { said.normal };
    let replaced = said.replaced.unwrap_or_default();
    let before: Vec<Option<String>> =
        sites.iter().map(|site| replaced.iter().find(|one| site.meets(&one.at)).map(|one| one.from.clone())).collect();
    let gold = if normal == Some(false) { gold(&sites, replaced, &said.fragments) } else { Vec::new() };
    let in_fragments = |site: &Site| said.fragments.iter().any(|part| covers(part, &site.range));
    let sound = sites
        .iter()
        .zip(&before)
        .map(|(site, before)| match (normal, said.replaced) {
            (Some(true), _) => 1.0,
            (None, None) => {
                if said.described {
                    1.0
                } else {
                    0.7
                }
            }
            (_, Some(_)) => {
                if before.is_some() {
                    0.0
                } else {
                    1.0
                }
            }
            (Some(false), None) => {
                if said.fragments.is_empty() {
                    0.5
                } else if in_fragments(site) {
                    0.0
                } else {
                    1.0
                }
            }
        })
        .collect();
    Passage { group: said.group, year: said.year, normal, gold, sound, before, reading, sites }
}

fn covers(part: &RoleFragment, range: &Range<usize>) -> bool {
    part.fragment.span.iter().any(|idx| range.contains(&(idx.0 as usize)))
}

/// Whether a role holds the words that may be wrong: places, events, and the two sides of a bad collocation.
fn may_be_wrong(part: &RoleFragment) -> bool {
    part.role.starts_with(['P', 'E', 't'])
}

/// The sites that make a text abnormal. A replaced word inside the fragments that people marked is sure; else all replaced ones; else, where siblings tell
/// nothing, every site inside the fragments that may be wrong, those of places first.
fn gold(sites: &[Site], replaced: &[Replacement], fragments: &[&RoleFragment]) -> Vec<(usize, f32)> {
    let inside = |site: &Site, which: &dyn Fn(&RoleFragment) -> bool| {
        fragments.iter().any(|part| which(part) && covers(part, &site.range))
    };
    let those = |keep: &dyn Fn(&Site) -> bool| -> Vec<usize> {
        sites.iter().enumerate().filter(|(_, site)| keep(site)).map(|(number, _)| number).collect()
    };
    let was_replaced = |site: &Site| replaced.iter().any(|one| site.meets(&one.at));
    let tries: [&dyn Fn(&Site) -> bool; 4] = [
        &|site| was_replaced(site) && inside(site, &|_| true),
        &|site| fragments.is_empty() && was_replaced(site),
        &|site| site.class != fangwei::lexicon::Class::Preposition && inside(site, &may_be_wrong),
        &|site| inside(site, &may_be_wrong),
    ];
    let found = tries.iter().map(|keep| those(*keep)).find(|found| !found.is_empty()).unwrap_or_default();
    let share = 1.0 / found.len().max(1) as f32;
    found.into_iter().map(|number| (number, share)).collect()
}

/// The sites of a text that make it abnormal, with weights, by what its item says.
pub fn gold_sites(example: &Example<'_>, reading: &Reading) -> Vec<(usize, f32)> {
    let mut said = Said::default();
    hear(&mut said, example);
    gold(&sites(reading), said.replaced.unwrap_or_default(), &said.fragments)
}
