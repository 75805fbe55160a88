//! A second look at whole guesses: trees that see what a labelling cannot see of itself (how it agrees with the other guesses, whether its
//! fragments are whole words, how its triples go together) and give each guess a better weight.
//!
//! They learn from guesses for passages that neither the labeller nor suspicion had seen.

use rustc_hash::FxHashMap;

use super::labeller::Guess;
use super::spans::{Spans, Triple};
use super::view::View;
use crate::belief::mbr;
use crate::job::Keep;
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::{Watch, log_softmax};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Guesses that are looked at, the heaviest first.
pub const MOST: usize = 160;

/// How many features a guess has.
const COLUMNS: usize = 60;

/// How sharply guesses are told apart by what they earn.
const SHARPNESS: f64 = 10.0;

/// How much the trees and how much the draws count: the trees learn from weaker models than those that they judge.
const TREES: f64 = 0.8;
const DRAWS: f64 = 0.5;

const BOOSTING: Boosting = Boosting {
    trees: 150,
    rate: 0.08,
    leaves: 24,
    depth: 7,
    min_child_weight: 2.0,
    min_gain: 0.0,
    l2: 2.0,
    row_share: 0.7,
    column_share: 0.6,
    bins: 64,
    seed: 0,
};

/// The marks of a guess for [`mbr`].
pub fn marks(spans: &Spans) -> Vec<mbr::Mark> {
    let triples = spans.0.iter().enumerate();
    let roles = triples
        .flat_map(|(number, triple)| triple.iter().enumerate().map(move |(role, places)| ((number * 3 + role) as u32, places)));
    roles.flat_map(|(role, places)| places.iter().map(move |at| at * 8 + role)).collect()
}

/// F1 of two answers.
fn f1(one: &[mbr::Mark], two: &[mbr::Mark]) -> f64 {
    let hits = one.iter().filter(|mark| two.contains(mark)).count();
    2.0 * hits as f64 / (one.len() + two.len()).max(1) as f64
}

/// Trees over whole guesses.
#[derive(Clone, Debug)]
pub struct Reranker(Boost);

/// Gathers guesses with what they earn.
#[derive(Debug)]
pub struct Examples(Rows);

impl Default for Examples {
    fn default() -> Examples {
        Examples(Rows::new(COLUMNS))
    }
}

impl Examples {
    /// Adds the guesses for a passage with its right answers.
    pub fn add(&mut self, view: &View<'_>, guesses: &[Guess], golds: &[&Spans]) {
        let golds: Vec<Vec<mbr::Mark>> = golds.iter().map(|gold| marks(gold)).collect();
        let guesses = &guesses[..guesses.len().min(MOST)];
        let earned: Vec<f64> = guesses
            .iter()
            .map(|guess| {
                let own = marks(&guess.spans);
                golds.iter().map(|gold| f1(&own, gold)).fold(0.0, f64::max)
            })
            .collect();
        let best = earned.iter().copied().fold(0.0, f64::max);
        if best == 0.0 {
            return;
        }
        let shares: Vec<f64> = earned.iter().map(|earned| ((earned - best) * SHARPNESS).exp()).collect();
        let sum: f64 = shares.iter().sum();
        for (features, share) in features(view, guesses).iter().zip(&shares) {
            self.0.push(features, (share / sum) as f32, 1.0);
        }
        self.0.close_group();
    }
}

impl Reranker {
    /// Learns; none where there is nothing to learn from.
    pub fn train(examples: &Examples, seed: u64, watch: &mut Watch<'_>) -> Option<Reranker> {
        (!examples.0.is_empty())
            .then(|| Reranker(Boost::train(&examples.0, Loss::Groups, &Boosting { seed, ..BOOSTING }, watch).0))
    }

    /// Gives the guesses their weights; they sum to 1.
    pub fn weigh(&self, view: &View<'_>, guesses: &[Guess]) -> Vec<f64> {
        let guesses = &guesses[..guesses.len().min(MOST)];
        let mut scores: Vec<f32> = features(view, guesses).iter().map(|row| self.0.score(row)).collect();
        log_softmax(&mut scores);
        let weight = |(score, guess): (f32, &Guess)| (f64::from(score) * TREES).exp() * guess.mass.powf(DRAWS);
        let weights: Vec<f64> = scores.into_iter().zip(guesses).map(weight).collect();
        let total: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        weights.into_iter().map(|weight| weight / total).collect()
    }
}

impl Keep for Reranker {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Reranker, PredictError> {
        Ok(Reranker(Boost::load(from)?))
    }
}

/// The features of each guess of a passage.
fn features(view: &View<'_>, guesses: &[Guess]) -> Vec<[f32; COLUMNS]> {
    let possible: Vec<mbr::Weighted> = guesses.iter().map(|guess| (marks(&guess.spans), guess.mass)).collect();
    let agreement = mbr::agreement(&possible);
    let total: f64 = guesses.iter().map(|guess| guess.mass).sum::<f64>().max(1e-12);
    // How much weight the guesses have that fill a role with the same characters, and that fill the same roles.
    let mut by_role: FxHashMap<(usize, &[u32]), f64> = FxHashMap::default();
    let mut by_pattern: FxHashMap<u32, f64> = FxHashMap::default();
    for guess in guesses {
        for (role, places) in roles(&guess.spans) {
            *by_role.entry((role, places)).or_default() += guess.mass / total;
        }
        *by_pattern.entry(pattern(&guess.spans)).or_default() += guess.mass / total;
    }
    let most = |of: &dyn Fn(&Guess) -> f64| guesses.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (top_mass, top_log) = (most(&|guess| guess.mass), most(&|guess| guess.log_p));
    let top_agreement = agreement.iter().copied().fold(0.0, f64::max);
    let row = |(rank, guess): (usize, &Guess)| {
        let mut row = [f32::NAN; COLUMNS];
        let mut at = 0;
        let mut add = |value: f64| {
            row[at] = value as f32;
            at += 1;
        };
        add((guess.mass / total).max(1e-9).ln());
        add((guess.mass / top_mass).max(1e-9).ln());
        add(guess.log_p);
        add(guess.log_p - top_log);
        add(guess.anchor_odds);
        add(guess.anchor_rank as f64);
        add(guess.partner_odds);
        add(guess.least);
        add(guess.mean);
        add(agreement[rank]);
        add(agreement[rank] - top_agreement);
        add(rank as f64);
        add(guesses.len() as f64);
        add(by_pattern[&pattern(&guess.spans)]);
        add(f64::from(pattern(&guess.spans)));
        let mut shares = [f64::NAN; 6];
        let mut lengths = [0.0; 6];
        for (role, places) in roles(&guess.spans) {
            shares[role] = by_role[&(role, places)];
            lengths[role] = places.len() as f64;
        }
        shares.into_iter().chain(lengths).for_each(&mut add);
        shape(view, guess).into_iter().for_each(&mut add);
        row
    };
    guesses.iter().enumerate().map(row).collect()
}

fn roles(spans: &Spans) -> impl Iterator<Item = (usize, &[u32])> {
    let triples = spans.0.iter().enumerate();
    triples
        .flat_map(|(number, triple)| triple.iter().enumerate().map(move |(role, places)| (number * 3 + role, places.as_slice())))
        .filter(|(_, places)| !places.is_empty())
}

/// Which roles are filled, bit by bit.
fn pattern(spans: &Spans) -> u32 {
    roles(spans).fold(0, |pattern, (role, _)| pattern | 1 << role)
}

/// What the fragments look like in the text.
fn shape(view: &View<'_>, guess: &Guess) -> Vec<f64> {
    let reading = view.reading;
    let pieces = |places: &[u32]| 1.0 + places.windows(2).filter(|pair| pair[0] + 1 != pair[1]).count() as f64;
    let gap = |places: &[u32]| {
        places.last().zip(places.first()).map_or(0.0, |(last, first)| f64::from(last - first) + 1.0 - places.len() as f64)
    };
    // Ends of pieces that cut a word.
    let cuts = |places: &[u32]| -> f64 {
        let same = |one: usize, two: usize| {
            reading.token_of.get(one).is_some() && reading.token_of.get(one) == reading.token_of.get(two)
        };
        let cut = |at: &u32| {
            let at = *at as usize;
            let before = at > 0 && !places.contains(&(at as u32 - 1)) && same(at - 1, at);
            let after = !places.contains(&(at as u32 + 1)) && same(at, at + 1);
            u32::from(before) + u32::from(after)
        };
        f64::from(places.iter().map(cut).sum::<u32>())
    };
    let anchor = guess.anchor.start;
    let away = |places: &[u32]| places.first().map_or(f64::NAN, |first| f64::from(*first) - anchor as f64);
    let clause = |at: usize| reading.clause_of.get(at).copied().unwrap_or(0) as f64;
    let clauses = |places: &[u32]| places.first().map_or(f64::NAN, |first| clause(*first as usize) - clause(anchor));
    let fact =
        |places: &[u32]| places.first().and_then(|at| reading.token_of.get(*at as usize)).and_then(|word| view.facts.get(*word));
    let last_fact =
        |places: &[u32]| places.last().and_then(|at| reading.token_of.get(*at as usize)).and_then(|word| view.facts.get(*word));
    let holds = |places: &[u32]| f64::from(u8::from(places.iter().any(|at| guess.anchor.contains(&(*at as usize)))));
    let none = Triple::default();
    let (one, two) = (guess.spans.0.first().unwrap_or(&none), guess.spans.0.get(1));
    let mut out = vec![
        roles(&guess.spans).map(|(_, places)| pieces(places)).sum(),
        roles(&guess.spans).map(|(_, places)| cuts(places)).sum(),
        gap(&one[1]),
        gap(&one[2]),
        away(&one[0]),
        away(&one[1]),
        away(&one[2]),
        clauses(&one[0]),
        clauses(&one[2]),
        holds(&one[0]),
        holds(&one[1]),
        holds(&one[2]),
        fact(&one[0]).map_or(f64::NAN, |fact| f64::from(fact.part as u8)),
        fact(&one[0]).map_or(f64::NAN, |fact| fact.mention as f64),
        fact(&one[1]).map_or(f64::NAN, |fact| f64::from(u8::from(fact.preposition))),
        last_fact(&one[1]).map_or(f64::NAN, |fact| fact.class as f64),
        fact(&one[2]).map_or(f64::NAN, |fact| f64::from(u8::from(fact.verb))),
        last_fact(&one[2]).map_or(f64::NAN, |fact| fact.class as f64),
        fact(&one[0]).map_or(f64::NAN, |fact| f64::from(u8::from(fact.nominal))),
        reading.token_at(anchor).and_then(|token| token.class).map_or(f64::NAN, |class| f64::from(class as u8)),
    ];
    if let Some(two) = two {
        let text = |places: &[u32]| -> String { places.iter().filter_map(|at| reading.chars.get(*at as usize)).collect() };
        let same = |role: usize| {
            let (one, two) = (&one[role], &two[role]);
            f64::from(u8::from(one == two) + u8::from(!one.is_empty() && text(one) == text(two)))
        };
        out.extend([same(0), same(1), same(2), clauses(&two[0]), clauses(&two[2]), away(&two[1]), away(&two[0])]);
        out.push(fact(&two[0]).map_or(f64::NAN, |fact| f64::from(fact.part as u8)));
        out.push(holds(&two[1]) + holds(&two[2]));
    }
    out
}
