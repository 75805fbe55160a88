//! The span labeller: given the suspicious word, which characters are subject, place and event; and of those, many guesses with their odds.
//!
//! One random field labels a triple around its anchor. An answer of two triples is two labellings, at the suspicious word and at the word
//! that it contradicts ([`Partner`]); a character may be in both.

use std::ops::Range;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::features::{self, Anchor, CLASSES};
use super::gold::Lesson;
use super::partner::{self, Partner};
use super::spans::{self, Spans, Triple};
use super::view::View;
use crate::job::{Keep, Stage};
use crate::learn::choice::Choice;
use crate::learn::crf::{Crf, Lattice, Sequence};
use crate::learn::{Training, unwatched};
use crate::linear::opinion::Opinion;
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Anchors that are labelled.
pub const MOST_ANCHORS: usize = 6;
/// Pairs of anchors that are labelled.
const MOST_PAIRS: usize = 5;
/// Pairs less likely than this are not.
const LEAST_PAIR: f64 = 0.02;
/// Labellings drawn for all anchors together, about.
const DRAWS: f64 = 150.0;
/// Fewest and most drawn for one.
const DRAWS_EACH: (f64, f64) = (8.0, 60.0);

/// A guess of the whole answer.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The answer.
    pub spans: Spans,
    /// The share of the draws that gave it.
    pub mass: f64,
    /// The greatest log-probability of an anchor and a labelling that give it.
    pub log_p: f64,
    /// The odds of that anchor,
    pub anchor_odds: f64,
    /// its place among the anchors,
    pub anchor_rank: usize,
    /// and the odds that it has this partner, or none.
    pub partner_odds: f64,
    /// The least and the mean chance of its characters to have their roles.
    pub least: f64,
    /// The mean.
    pub mean: f64,
    /// The word that it hangs at.
    pub anchor: Range<usize>,
}

/// A second opinion on the labels.
pub struct Second<'s> {
    /// Whose.
    pub opinion: &'s dyn Opinion<Anchor>,
    /// How much it counts beside the field's own.
    pub weight: f32,
}

/// The other anchor of a two-triple answer, or none, and its weight.
type WeighedPartner = (Option<Range<usize>>, f32);

/// The labeller.
#[derive(Clone, Debug)]
pub struct Labeller {
    crf: Crf,
    partner: Partner,
}

/// How the field is trained.
pub const TRAINING: Training = Training { epochs: 10, batch: 16, rate: 0.1, l2: 15.0, min_count: 2, prune: 2e-3, seed: 0 };
const PARTNER_TRAINING: Training = Training { epochs: 12, batch: 16, rate: 0.1, l2: 3.0, min_count: 2, prune: 1e-3, seed: 0 };

impl Labeller {
    /// Learns from passages; see [`TRAINING`].
    pub fn train(stage: &Stage<'_>, lessons: &[&Lesson], training: &Training) -> Result<Labeller, PredictError> {
        let topology = spans::topology(CLASSES)
            .map_err(|error| PredictError::NoMaterial { expected: "states".into(), found: error.to_string() })?;
        let views: Vec<View<'_>> = lessons.iter().map(|lesson| View::new(&lesson.reading)).collect();
        let mut sequences = Vec::new();
        let mut pairs = Vec::new();
        for (lesson, view) in lessons.iter().zip(&views) {
            let base = features::base(view);
            let whole = Arc::new(base);
            let classes = features::classes(view);
            let mut partners: FxHashMap<(usize, usize), Vec<WeighedPartner>> = FxHashMap::default();
            for gold in &lesson.golds {
                for (number, (triple, anchors)) in gold.spans.0.iter().zip(&gold.anchors).enumerate() {
                    let other = gold.anchors.get(1 - number.min(1)).and_then(|others| others.first());
                    for at in anchors {
                        let partner = other.filter(|_| gold.anchors.len() > 1).map(|other| (other.clone(), number == 1));
                        partners
                            .entry((at.start, at.end))
                            .or_default()
                            .push((partner.as_ref().map(|(other, _)| other.clone()), 1.0));
                        let anchor = Anchor { at: at.clone(), partner };
                        let window = features::window(view, &anchor);
                        let all = window.len() == view.reading.chars.len();
                        let base = if all { Arc::clone(&whole) } else { Arc::new(slice(&whole, &window)) };
                        let allowed = spans::allowed(&topology, triple, view.reading.chars.len());
                        sequences.push(Sequence {
                            parts: vec![base, Arc::new(features::anchored(view, &anchor))],
                            classes: classes[window.clone()].to_vec(),
                            allowed: allowed[window].to_vec(),
                            weight: 1.0 / anchors.len() as f32,
                        });
                    }
                }
            }
            let mut partners: Vec<_> = partners.into_iter().collect();
            partners.sort_unstable_by_key(|(at, _)| *at);
            pairs.extend(partners.into_iter().map(|((start, end), partners)| partner::Lesson {
                view,
                anchor: start..end,
                partners,
            }));
        }
        let (choice, _) =
            Choice::train(&Partner::examples(&pairs), &Training { seed: training.seed, ..PARTNER_TRAINING }, &mut unwatched);
        let (crf, _) = Crf::train(topology, &sequences, training, &mut stage.progress());
        stage.finish()?;
        Ok(Labeller { crf, partner: Partner { choice } })
    }

    /// Guesses for a passage whose suspicious words have these odds, with a second opinion on the labels if there is one.
    pub fn guess(&self, view: &View<'_>, anchors: &[(Range<usize>, f64)], second: Option<&Second<'_>>) -> Vec<Guess> {
        let mut anchors: Vec<(Range<usize>, f64)> = anchors
            .iter()
            .filter(|(at, odds)| at.end <= view.reading.chars.len() && !at.is_empty() && *odds > 0.0)
            .cloned()
            .collect();
        anchors.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.start.cmp(&b.0.start)));
        anchors.truncate(MOST_ANCHORS);
        let total: f64 = anchors.iter().map(|(_, odds)| odds).sum();
        let mut lone: Vec<f64> = Vec::new();
        let mut pairs: Vec<(f64, usize, Range<usize>, f64)> = Vec::new();
        for (rank, (at, odds)) in anchors.iter().enumerate() {
            let odds = odds / total;
            let (alone, partners) = self.partner.of(view, at);
            lone.push(alone);
            pairs.extend(
                partners
                    .into_iter()
                    .map(|(partner, share)| (odds * share, rank, partner, share))
                    .filter(|pair| pair.0 >= LEAST_PAIR),
            );
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2.start).cmp(&(b.1, b.2.start))));
        pairs.truncate(MOST_PAIRS);
        let asked = anchors.iter().map(|(at, _)| Anchor::lone(at.clone()));
        let asked = asked.chain(pairs.iter().flat_map(|(_, rank, partner, _)| Anchor::pair(&anchors[*rank].0, partner)));
        let mut draw = Draw::new(self, view, second, &asked.collect::<Vec<_>>());
        for (rank, ((at, odds), alone)) in anchors.iter().zip(lone).enumerate() {
            draw.lone(at, rank, odds / total, alone);
        }
        for (_, rank, partner, share) in pairs {
            draw.pair(&anchors[rank].0, &partner, rank, anchors[rank].1 / total, share);
        }
        draw.finish()
    }
}

fn slice(keys: &crate::learn::feature::Keys, window: &Range<usize>) -> crate::learn::feature::Keys {
    let mut part = crate::learn::feature::Keys::new();
    window.clone().for_each(|at| part.extend(keys.list(at)));
    part
}

/// Draws labellings and gathers them.
struct Draw<'d> {
    labeller: &'d Labeller,
    view: &'d View<'d>,
    base: Vec<f32>,
    classes: Vec<u8>,
    lattice: Lattice<'d>,
    dice: ChaCha8Rng,
    guesses: FxHashMap<Spans, Guess>,
    /// What the second opinion weighs, and what it is on each anchor.
    weight: f32,
    second: FxHashMap<Anchor, Vec<f32>>,
}

/// A labelling: the triple, its log-probability, the least and the summed chance of its characters.
type Drawn = (Triple, f64, f64, f64);

impl<'d> Draw<'d> {
    fn new(labeller: &'d Labeller, view: &'d View<'d>, second: Option<&Second<'_>>, asked: &[Anchor]) -> Draw<'d> {
        let opinions = second.map(|second| second.opinion.labels(view.reading, asked)).unwrap_or_default();
        Draw {
            weight: second.map_or(0.0, |second| second.weight),
            second: asked.iter().cloned().zip(opinions).collect(),
            labeller,
            view,
            base: labeller.crf.emissions(&features::base(view)),
            classes: features::classes(view),
            lattice: labeller.crf.lattice(),
            dice: ChaCha8Rng::seed_from_u64(0x5eed),
            guesses: FxHashMap::default(),
        }
    }

    /// Labellings at an anchor: the best one, then draws.
    fn draw(&mut self, anchor: &Anchor, count: usize) -> Vec<Drawn> {
        let crf = &self.labeller.crf;
        let labels = crf.topology().labels();
        let window = features::window(self.view, anchor);
        let mut emissions = self.base[window.start * labels..window.end * labels].to_vec();
        crf.add_emissions(&features::anchored(self.view, anchor), &mut emissions);
        if let Some(second) = self.second.get(anchor).and_then(|second| second.get(window.start * labels..window.end * labels)) {
            emissions.iter_mut().zip(second).for_each(|(own, other)| *own += self.weight * other);
        }
        self.lattice.run(&emissions, &self.classes[window.clone()], &[]);
        let chances = self.lattice.marginals().to_vec();
        let mut paths = self.lattice.samples(count, &mut self.dice);
        paths.extend(self.lattice.viterbi().map(|(path, _)| path));
        let describe = |path: Vec<usize>| {
            let log_p = self.lattice.log_probability(&path);
            let chance = |at: usize| f64::from(chances[at * labels + crf.topology().label_of(path[at])]);
            let inside: Vec<f64> = (0..path.len()).filter(|at| crf.topology().label_of(path[*at]) != 0).map(chance).collect();
            let mut triple = spans::triple(crf.topology(), &path);
            triple.iter_mut().flatten().for_each(|at| *at += window.start as u32);
            (triple, log_p, inside.iter().copied().fold(1.0, f64::min), inside.iter().sum())
        };
        paths.into_iter().map(describe).collect()
    }

    fn lone(&mut self, at: &Range<usize>, rank: usize, odds: f64, alone: f64) {
        let drawn = self.draw(&Anchor::lone(at.clone()), count(odds * alone));
        let guess = |(triple, log_p, least, sum): Drawn| {
            let size = triple.iter().map(Vec::len).sum::<usize>().max(1) as f64;
            (Spans(vec![triple]), log_p, least, sum / size)
        };
        self.gather(drawn.into_iter().map(guess).collect(), at, rank, odds, alone);
    }

    fn pair(&mut self, at: &Range<usize>, partner: &Range<usize>, rank: usize, odds: f64, share: f64) {
        let number = count(odds * share);
        let [one, two] = Anchor::pair(at, partner).map(|anchor| self.draw(&anchor, number));
        let join = |(one, two): (Drawn, Drawn)| {
            let size = one.0.iter().chain(&two.0).map(Vec::len).sum::<usize>().max(1) as f64;
            (Spans(vec![one.0, two.0]), one.1 + two.1, one.2.min(two.2), (one.3 + two.3) / size)
        };
        self.gather(one.into_iter().zip(two).map(join).collect(), at, rank, odds, share);
    }

    fn gather(&mut self, drawn: Vec<(Spans, f64, f64, f64)>, at: &Range<usize>, rank: usize, odds: f64, share: f64) {
        let weight = odds * share;
        let each = weight / drawn.len().max(1) as f64;
        for (spans, log_p, least, mean) in drawn {
            if !sound(&spans) {
                continue;
            }
            let log_p = log_p + weight.max(1e-9).ln();
            let guess = self.guesses.entry(spans.clone()).or_insert_with(|| Guess {
                spans,
                mass: 0.0,
                log_p: f64::NEG_INFINITY,
                anchor_odds: odds,
                anchor_rank: rank,
                partner_odds: share,
                least,
                mean,
                anchor: at.clone(),
            });
            guess.mass += each;
            if log_p > guess.log_p {
                (guess.log_p, guess.anchor_odds, guess.anchor_rank) = (log_p, odds, rank);
                (guess.partner_odds, guess.least, guess.mean, guess.anchor) = (share, least, mean, at.clone());
            }
        }
    }

    fn finish(self) -> Vec<Guess> {
        let mut guesses: Vec<Guess> = self.guesses.into_values().collect();
        guesses.sort_by(|a, b| b.mass.total_cmp(&a.mass).then_with(|| a.spans.cmp(&b.spans)));
        guesses
    }
}

fn count(weight: f64) -> usize {
    (DRAWS * weight).clamp(DRAWS_EACH.0, DRAWS_EACH.1) as usize
}

/// Two triples have more than three fragments; fewer are one triple by the rule of 2023.
pub fn sound(spans: &Spans) -> bool {
    let fragments = |triple: &Triple| triple.iter().filter(|places| !places.is_empty()).count();
    match spans.0.as_slice() {
        [one] => fragments(one) > 0,
        [one, two] => fragments(two) > 0 && fragments(one) + fragments(two) > 3,
        _ => false,
    }
}

impl Keep for Labeller {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.crf.save(&mut out.scope("crf"))?;
        self.partner.choice.save(&mut out.scope("partner"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Labeller, PredictError> {
        let partner = Partner { choice: Choice::load(&from.scope("partner"))? };
        Ok(Labeller { crf: Crf::load(&from.scope("crf"))?, partner })
    }
}
