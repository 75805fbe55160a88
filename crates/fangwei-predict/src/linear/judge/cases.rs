//! Texts to learn judging from: what suspicion says of each without having seen its origin, and which of its sites were changed.

use std::ops::Range;

use fangwei::answer::Answer;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::locus::Loci;
use super::place::{self, PlaceRow};
use crate::linear::suspect::cloze::keys;
use crate::linear::suspect::{HeldOut, Study};
use crate::material::{Example, Part};
use crate::reading::Reading;

/// The tasks whose verdicts are learnt from.
pub const TASKS: [&str; 2] = ["2022/judge", "2021/judge"];

/// The weight of a verdict of the other year.
const OTHER: f32 = 0.3;

/// What a judge sees of a text.
#[derive(Debug)]
pub struct Sight {
    /// Numbers of each site, then of no site at all.
    pub rows: Vec<PlaceRow>,
    /// Keys of each site: the word in its surroundings.
    pub keys: Vec<Vec<u32>>,
    /// How likely each site is the wrong one, by suspicion alone.
    pub odds: Vec<f64>,
    /// How likely the text is abnormal, by suspicion alone.
    pub abnormal: f64,
}

impl Sight {
    /// What is seen of a text of the own year, or of another.
    pub fn new(study: &Study<'_>, own: bool) -> Sight {
        let sites = &study.suspects.sites;
        let of_site = |(number, around): (usize, _)| {
            let mut buffer = Vec::new();
            keys(around, &sites[number].site.word, &mut buffer);
            buffer
        };
        Sight {
            rows: study.rows.iter().map(|row| place::row(row, own)).collect(),
            keys: study.view.around.iter().enumerate().map(of_site).collect(),
            odds: sites.iter().map(|suspect| suspect.odds).collect(),
            abnormal: study.suspects.abnormal,
        }
    }
}

/// A text to learn from.
#[derive(Debug)]
pub struct Case {
    /// The fold of its origin.
    pub fold: usize,
    /// Whether people of the own year judged it.
    pub own: bool,
    /// Whether it is a question of the task, not only a text that is known to be wrong.
    pub asked: bool,
    /// The verdict.
    pub abnormal: bool,
    /// Its weight.
    pub weight: f32,
    /// What is seen of it.
    pub sight: Sight,
    /// Its changed sites; none of an original, and nothing where nobody knows.
    pub changed: Option<Vec<usize>>,
}

/// A text with its verdict.
struct Judged<'m> {
    example: Example<'m>,
    own: bool,
    asked: bool,
    abnormal: bool,
}

/// The verdicts of a part: those of the judging tasks, and of 2021 the texts that have a reason, which are abnormal.
fn judged<'m>(part: &Part<'m>, task: &str) -> Vec<Judged<'m>> {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut all = Vec::new();
    for id in TASKS {
        for example in part.of(id) {
            let Some(Answer::Verdict(verdict)) = &example.item.gold else { continue };
            let Some(normal) = verdict.value() else { continue };
            if seen.insert(example.item.texts.context()) {
                all.push(Judged { example, own: id == task, asked: true, abnormal: !normal });
            }
        }
    }
    for example in part.of("2021/reason") {
        if seen.insert(example.item.texts.context()) {
            all.push(Judged { example, own: task == "2021/judge", asked: false, abnormal: true });
        }
    }
    all
}

/// The texts of a part, weighed for a task: of each year both verdicts weigh the same in all. Years with verdicts of one kind teach nothing.
pub fn cases(part: &Part<'_>, task: &str, held: &HeldOut) -> Vec<Case> {
    let judged = judged(part, task);
    let count = |own: bool, abnormal: bool| judged.iter().filter(|one| one.own == own && one.abnormal == abnormal).count() as f32;
    let weight = |own: bool, abnormal: bool| {
        let (same, other) = (count(own, abnormal), count(own, !abnormal));
        if same == 0.0 || other == 0.0 { 0.0 } else { (if own { 1.0 } else { OTHER }) * 0.5 * (same + other) / same }
    };
    let weights = [[weight(false, false), weight(false, true)], [weight(true, false), weight(true, true)]];
    let loci = Loci::of(part);
    judged
        .par_iter()
        .filter_map(|one| {
            let weight = weights[usize::from(one.own)][usize::from(one.abnormal)];
            if weight == 0.0 {
                return None;
            }
            let reading = Reading::new(one.example.item.texts.context());
            let places = loci.find(&one.example);
            held.of(one.example.group).study(&reading, |study| {
                let changed = places.and_then(|places| changed(study, &places));
                let fold = held.fold(one.example.group);
                let sight = Sight::new(study, one.own);
                Some(Case { fold, own: one.own, asked: one.asked, abnormal: one.abnormal, weight, sight, changed })
            })
        })
        .collect()
}

/// The sites at some places; nothing where there are places but no site is at any.
fn changed(study: &Study<'_>, places: &[Range<usize>]) -> Option<Vec<usize>> {
    let sites = study.suspects.sites.iter().enumerate();
    let found: Vec<usize> =
        sites.filter(|(_, suspect)| places.iter().any(|place| suspect.site.meets(place))).map(|(number, _)| number).collect();
    (places.is_empty() || !found.is_empty()).then_some(found)
}
