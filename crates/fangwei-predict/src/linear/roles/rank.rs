//! A second look at who it is. The first choice sees one anchor at a time; this one sees what all anchors of the passage think, and where places are.
//!
//! Trees rank the likeliest heads of the first choice. They learnt from passages that the first choice had not, so they know how far it can be trusted.

use super::frame::Shape;
use super::gold::Frame;
use super::looked::Looked;
use super::sketch::{Heads, Sketch};
use super::view::{Sort, View};
use crate::learn::boost::Boost;

/// How many heads are looked at again.
pub const HEADS: usize = 8;
/// How many numbers a head is ranked by.
pub const COLUMNS: usize = 56;

/// What is asked of a word once for a passage.
#[derive(Clone, Debug)]
struct Facts {
    /// The first nominal of its clause, before any verb.
    opens: bool,
    /// What governs it, as a kind of preposition.
    governed: u8,
    /// Follows a verb of its clause with no nominal between.
    object: bool,
    /// How likely it is part of a place.
    placed: f32,
    /// How likely it is part of a time.
    timed: f32,
    /// What it is worth to all anchors.
    votes: f32,
    /// The same for all words of its text.
    text_votes: f32,
    /// How many nominals stand before it in its clause.
    order: f32,
}

/// What a passage tells about its words, over all anchors.
#[derive(Clone, Debug)]
pub struct Crowd {
    facts: Vec<Facts>,
    person: u8,
}

fn governor(text: &str) -> u8 {
    match text {
        "把" | "将" => 1,
        "被" | "让" | "叫" | "给" => 2,
        "在" | "于" => 3,
        "从" | "自" | "由" => 4,
        "到" | "向" | "往" | "朝" | "至" | "沿" => 5,
        "和" | "跟" | "与" | "同" => 6,
        "对" | "为" | "用" | "以" => 7,
        _ => 8,
    }
}

impl Crowd {
    /// What the sketches of all anchors, and the odds of each character to be in a place or a time, tell about words.
    pub fn new(view: &View, sketches: &[Sketch], placed: &[f32], timed: &[f32]) -> Crowd {
        let tokens = &view.reading.tokens;
        let mut votes = vec![0.0_f32; tokens.len()];
        for sketch in sketches {
            for (head, odds) in &sketch.heads {
                votes[*head] += sketch.odds[0] * *odds as f32;
            }
        }
        let mut by_text: rustc_hash::FxHashMap<u64, f32> = rustc_hash::FxHashMap::default();
        for (word, vote) in view.words.iter().zip(&votes) {
            *by_text.entry(word.text).or_default() += vote;
        }
        let mean = |odds: &[f32], at: std::ops::Range<usize>| {
            let length = at.len().max(1) as f32;
            odds.get(at).map_or(0.0, |odds| odds.iter().sum::<f32>() / length)
        };
        let mut facts = Vec::with_capacity(tokens.len());
        let (mut clause, mut nominals, mut verbs, mut object) = (-1, 0_u16, 0_u16, false);
        for (at, (token, word)) in tokens.iter().zip(&view.words).enumerate() {
            let own = view.clause(token.begin);
            if own != clause {
                (clause, nominals, verbs, object) = (own, 0, 0, false);
            }
            let nominal = matches!(word.sort, Sort::Noun | Sort::Pronoun);
            facts.push(Facts {
                opens: nominal && nominals == 0 && verbs == 0,
                governed: word.within.map_or(0, |by| governor(&tokens[by].text)),
                object,
                placed: mean(placed, token.range()),
                timed: mean(timed, token.range()),
                votes: votes[at],
                text_votes: by_text.get(&word.text).copied().unwrap_or(0.0),
                order: f32::from(nominals.min(9)),
            });
            if nominal {
                nominals = nominals.saturating_add(1);
                // A chain of nouns is one object: its last one is the head.
                object &= matches!(view.sort(at as isize + 1), Sort::Noun | Sort::Of);
            }
            if matches!(word.sort, Sort::Verb | Sort::Directional) {
                (verbs, object) = (verbs.saturating_add(1), true);
            }
        }
        Crowd { facts, person: super::view::kind_named("person") }
    }
}

/// What other anchors think of a head: the one before, the one after, and those of the same event.
fn others(sketches: &[Sketch], number: usize, event: &[usize], view: &View, head: usize) -> [f32; 7] {
    let text = view.words[head].text;
    let of = |sketch: &Sketch| {
        let own = sketch.heads.iter().find(|(known, _)| *known == head).map_or(0.0, |(_, odds)| *odds as f32);
        let same: f64 = sketch.heads.iter().filter(|(known, _)| view.words[*known].text == text).map(|(_, odds)| odds).sum();
        (own, same as f32)
    };
    let sure = |sketch: &&Sketch| sketch.odds[0] > 0.25;
    let (before, after) = sketches.split_at(number);
    let previous = before.iter().rev().find(sure).map(of);
    let next = after.iter().skip(1).find(sure).map(of);
    let (mut same_event, mut weight) = (0.0, 0.0);
    if !event.is_empty() {
        let near = sketches[number.saturating_sub(6)..(number + 7).min(sketches.len())].iter();
        for other in near.filter(|other| other.anchor != sketches[number].anchor) {
            let share: f64 = other.shapes.iter().filter(|(shape, _)| shape.event == event).map(|(_, share)| share).sum();
            let share = share as f32 * other.odds[0];
            same_event += share * of(other).0;
            weight += share;
        }
    }
    let missing = (f32::NAN, f32::NAN);
    let (previous, next) = (previous.unwrap_or(missing), next.unwrap_or(missing));
    [previous.0, previous.1, next.0, next.1, same_event, weight, if weight > 0.1 { same_event / weight } else { f32::NAN }]
}

/// The numbers of the likeliest heads of a shape.
pub fn rows(view: &View, crowd: &Crowd, sketches: &[Sketch], number: usize, shape: &Shape, heads: &Heads) -> Vec<[f32; COLUMNS]> {
    let sketch = &sketches[number];
    let anchor = sketch.anchor;
    let (own, place, event) = shape.around(view, anchor);
    let top = heads.first().map_or(0.0, |(_, odds)| *odds).max(1e-9);
    let main = event.map_or(place.0, |(first, _)| first);
    let tokens = &view.reading.tokens;
    let clause = |word: usize| view.clause(tokens[word].begin) as f32;
    let flag = |is: bool| f32::from(u8::from(is));
    let likeliest = heads.iter().take(HEADS).enumerate();
    let row = |(rank, (head, odds)): (usize, &(usize, f64))| {
        let head = *head;
        let facts = &crowd.facts[head];
        let word = &view.words[head];
        let h = head as isize;
        let (low, high) = if head < place.0 { (head, place.0) } else { (place.1.min(head), head) };
        let between = |sums: &[u16], low: usize, high: usize| f32::from(sums[high].saturating_sub(sums[low]));
        let gap = if head < place.0 {
            head as f32 - place.0 as f32
        } else if head > place.1 {
            (head - place.1) as f32
        } else {
            0.0
        };
        let to_event =
            event.map(|(first, last)| if head < first { head as f32 - first as f32 } else { head as f32 - last as f32 });
        let (event_low, event_high) = (head.min(main), head.max(main));
        // Mentions of the same text nearer to the frame, and what other heads of the same text share.
        let same = |other: &&(usize, f64)| view.words[other.0].text == word.text && other.0 != head;
        let same_mass: f64 = heads.iter().filter(same).map(|(_, odds)| odds).sum();
        let nearer = heads.iter().filter(same).filter(|other| (low..=high).contains(&other.0)).count();
        let rivals_between = heads.iter().take(HEADS).filter(|(other, _)| *other > low && *other < high).count();
        let subject_rival = (event_low + 1..event_high).any(|at| crowd.facts[at].opens);
        let alive = match word.kind {
            255 => 1.0,
            kind if kind == crowd.person => 1.0,
            0 => 2.0,
            _ => 3.0,
        };
        let [previous, previous_text, next, next_text, same_event, same_event_weight, same_event_share] =
            others(sketches, number, &shape.event, view, head);
        [
            (odds.max(1e-9).ln()) as f32,
            (odds / top).max(1e-9).ln() as f32,
            rank as f32,
            top as f32,
            gap,
            to_event.unwrap_or(f32::NAN),
            clause(head) - clause(place.1),
            clause(head) - clause(main),
            between(&view.nominals, low, high),
            between(&view.verbs, low, high),
            between(&view.marks, low, high),
            between(&view.nominals, event_low, event_high),
            between(&view.verbs, event_low, event_high),
            flag(head >= place.0 && head <= place.1),
            event.map_or(f32::NAN, |(first, _)| flag(head > first)),
            flag(facts.opens),
            f32::from(facts.governed),
            flag(facts.object),
            facts.placed,
            facts.timed,
            facts.votes - sketch.odds[0] * *odds as f32,
            facts.text_votes - facts.votes,
            facts.order,
            previous,
            previous_text,
            next,
            next_text,
            same_event,
            same_event_weight,
            same_event_share,
            same_mass as f32,
            nearer as f32,
            rivals_between as f32,
            flag(subject_rival),
            alive,
            f32::from(word.sort as u8),
            f32::from(word.kind),
            f32::from(view.sort(h + 1) as u8),
            f32::from(view.sort(h - 1) as u8),
            f32::from(word.earlier.min(9)),
            f32::from(word.later.min(9)),
            flag(word.quoted) + 2.0 * flag(view.words[place.1].quoted),
            own.map_or(9.0, |(role, _)| *role as f32),
            shape.places.iter().fold(0_u32, |set, (role, _)| set | 1 << role) as f32,
            event.map_or(-1.0, |(first, _)| f32::from(view.words[first].sort as u8)),
            sketch.odds[0],
            event.map_or(f32::NAN, |(first, _)| first as f32 - place.1 as f32),
            event.map_or(f32::NAN, |(first, _)| clause(first) - clause(place.1)),
            flag(view.reading.sentence_of.get(tokens[head].begin) == view.reading.sentence_of.get(anchor)),
            (tokens[head].end - tokens[head].begin) as f32,
            sketches.len() as f32,
            f32::from(view.sort(place.1 as isize + 1) as u8),
            f32::from(view.sort(place.0 as isize - 1) as u8),
            f32::from(view.words[place.0].sort as u8),
            heads.get(1).map_or(0.0, |(_, odds)| *odds as f32),
            head as f32,
        ]
    };
    likeliest.map(row).collect()
}

/// The heads of each question of a sketch, ranked anew. What the first choice gave to all of them together is shared out again; the rest keep what they had.
pub fn again(trees: &Boost, view: &View, crowd: &Crowd, sketches: &[Sketch], number: usize) -> Vec<Heads> {
    let sketch = &sketches[number];
    let of = |(asked, heads): (usize, &Heads)| {
        let mut of_asked = sketch.shapes.iter().zip(&sketch.asked_of).filter(|(_, of)| **of == asked);
        of_asked
            .next()
            .map_or_else(|| heads.clone(), |((shape, _), _)| rerank(trees, view, crowd, sketches, number, shape, heads))
    };
    sketch.asked.iter().enumerate().map(of).collect()
}

fn rerank(trees: &Boost, view: &View, crowd: &Crowd, sketches: &[Sketch], number: usize, shape: &Shape, heads: &Heads) -> Heads {
    let rows = rows(view, crowd, sketches, number, shape, heads);
    let scores: Vec<f64> = rows.iter().map(|row| f64::from(trees.score(row))).collect();
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - top).exp()).sum();
    let mass: f64 = heads.iter().take(scores.len()).map(|(_, odds)| odds).sum();
    let mut heads = heads.clone();
    for ((_, odds), score) in heads.iter_mut().zip(&scores) {
        *odds = mass * (score - top).exp() / sum;
    }
    heads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    heads
}

/// Adds the likeliest shapes of an anchor as examples, if people marked a frame there.
pub fn learn(view: &View, crowd: &Crowd, sketches: &[Sketch], number: usize, frames: &[Frame], out: &mut Looked) {
    let sketch = &sketches[number];
    let here: Vec<&Frame> =
        frames.iter().filter(|frame| frame.places.iter().any(|(_, at)| at.contains(&sketch.anchor))).collect();
    let right: Vec<usize> = here
        .iter()
        .flat_map(|frame| &frame.entities)
        .flat_map(|mentions| mentions.others.iter().chain([&mentions.own]))
        .filter_map(|at| at.last())
        .map(|last| view.word_at(*last))
        .collect();
    for (asked, heads) in sketch.asked.iter().enumerate() {
        let of_asked = || sketch.shapes.iter().zip(&sketch.asked_of).filter(|(_, of)| **of == asked);
        let share: f64 = of_asked().map(|((_, share), _)| share).sum();
        let Some(((shape, _), _)) = of_asked().next() else { continue };
        let hits = heads.iter().take(HEADS).filter(|(head, _)| right.contains(head)).count();
        if hits == 0 || share < 0.15 {
            continue;
        }
        for (row, (head, _)) in rows(view, crowd, sketches, number, shape, heads).iter().zip(heads) {
            out.push(row, if right.contains(head) { 1.0 / hits as f32 } else { 0.0 }, share as f32);
        }
        out.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(anchor: usize, heads: Heads) -> Sketch {
        let shape = Shape { event: vec![3], places: vec![(0, vec![anchor - 1, anchor])] };
        Sketch { anchor, odds: [0.5; 6], shapes: vec![(shape, 1.0)], asked: vec![heads.clone()], asked_of: vec![0], heads }
    }

    #[test]
    fn words_know_what_governs_them_and_what_all_anchors_think() {
        let view = View::new("母亲把鱼放在桌上，鱼在水里。");
        let all = |text: &str| -> Vec<usize> {
            let tokens = view.reading.tokens.iter().enumerate();
            tokens.filter(|(_, token)| token.text == text).map(|(at, _)| at).collect()
        };
        let (mother, fish) = (all("母亲")[0], all("鱼"));
        let sketches = [sketch(7, vec![(fish[0], 0.6), (mother, 0.4)]), sketch(12, vec![(fish[1], 0.8), (mother, 0.2)])];
        let crowd = Crowd::new(&view, &sketches, &[], &[]);
        assert!(crowd.facts[mother].opens && !crowd.facts[fish[0]].opens);
        assert_eq!((crowd.facts[mother].governed, crowd.facts[fish[0]].governed), (0, governor("把")));
        // Each anchor is half sure of itself: 0.4 / 2 + 0.2 / 2, and the two fish share 0.6 / 2 + 0.8 / 2.
        assert!((crowd.facts[mother].votes - 0.3).abs() < 1e-6);
        assert!((crowd.facts[fish[1]].text_votes - 0.7).abs() < 1e-6);
        let [_, _, next, next_text, ..] = others(&sketches, 0, &[], &view, fish[0]);
        assert_eq!((next, next_text), (0.0, 0.8));
    }

    #[test]
    fn only_anchors_that_people_marked_teach() {
        let view = View::new("母亲把鱼放在桌上，鱼在水里。");
        let sketches = [sketch(7, vec![(0, 0.6), (2, 0.4)])];
        let crowd = Crowd::new(&view, &sketches, &[], &[]);
        let mentions = super::super::gold::Mentions { own: vec![0, 1], others: Vec::new() };
        let frame = |place: usize| Frame {
            event: None,
            places: vec![(0, vec![place])],
            time: None,
            denied: false,
            entities: vec![mentions.clone()],
        };
        for (place, taught) in [(7, 2), (11, 0)] {
            let mut looked = Looked::default();
            learn(&view, &crowd, &sketches, 0, &[frame(place)], &mut looked);
            let mut rows = crate::learn::boost::Rows::new(COLUMNS);
            looked.add_to(&mut rows);
            assert_eq!(rows.len(), taught);
        }
    }
}
