//! Usage: which spatial words stand in which surroundings, counted over every text of the material, each origin once.
//!
//! Counts need no training, and what one origin adds to them can be taken away again: so an item that is learnt from is looked at as a stranger's would be,
//! with the counts of all the other origins, at no cost.

use fangwei::answer::Answer;
use fangwei::lexicon::Lexicon;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::job::Keep;
use crate::learn::feature::Template;
use crate::material::{Example, Part};
use crate::predictor::PredictError;
use crate::reading::{Reading, Token};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// A spatial word in its place: the number of its token, and the words that could stand there.
#[derive(Clone, Debug)]
pub struct Site {
    /// The token.
    pub token: usize,
    /// The words that could take its place.
    pub rivals: Vec<SmolStr>,
}

/// How well a word fits its place.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The site.
    pub site: Site,
    /// How much better the best rival fits, in logarithms; 0 or less where the word is the best.
    pub doubt: f32,
    /// The logarithm of the word's share among its rivals.
    pub share: f32,
    /// The same by what stands before it only,
    pub share_left: f32,
    /// and by what stands after it only.
    pub share_right: f32,
    /// How many origins have the word with the same word before it.
    pub seen_left: f32,
    /// How many have that word before any spatial word.
    pub seen_any: f32,
    /// The rival that fits best.
    pub best: SmolStr,
}

/// Longest text whose sites are all looked at.
const MOST_SITES: usize = 400;
/// Most rivals that are tried for a word.
const MOST_RIVALS: usize = 40;

/// The sites of a reading.
pub fn sites(reading: &Reading) -> Vec<Site> {
    let lexicon = Lexicon::shipped();
    let mut sites = Vec::new();
    for (number, token) in reading.tokens.iter().enumerate() {
        if token.class.is_none() && token.text.chars().count() > 3 {
            continue;
        }
        let mut rivals: Vec<SmolStr> = Vec::new();
        let mut known = false;
        for entry in lexicon.look_up(&token.text).filter(|entry| token.class.is_none_or(|class| class == entry.class)) {
            known = true;
            for rival in lexicon.rivals(&token.text, entry.class) {
                if rivals.len() < MOST_RIVALS && !rivals.contains(rival.word) {
                    rivals.push(rival.word.clone());
                }
            }
        }
        if known || token.class.is_some() {
            sites.push(Site { token: number, rivals });
        }
        if sites.len() >= MOST_SITES {
            break;
        }
    }
    sites
}

/// How many kinds of surroundings are looked at; the first `LEFT` of them lie before the word.
const KINDS: usize = 12;
const LEFT: usize = 7;

/// The surroundings of a token, one key a kind; 0 where there is none.
fn surroundings(reading: &Reading, token: usize) -> [u32; KINDS] {
    let own = &reading.tokens[token];
    let near = |step: isize| -> Option<&Token> {
        let at = token.checked_add_signed(step)?;
        reading.tokens.get(at)
    };
    let word = |step: isize| near(step).map_or("", |token| token.text.as_str());
    let character = |place: isize| reading.at(place).unwrap_or('\0');
    let (begin, end) = (own.begin as isize, own.end as isize);
    let in_clause = |other: &&Token| other.clause == own.clause;
    let before = || reading.tokens[..token].iter().rev().take(12).take_while(in_clause);
    let after = || reading.tokens[token + 1..].iter().take(12).take_while(in_clause);
    let verb = before().find(|other| other.is('v')).map_or("", |other| other.text.as_str());
    let next_verb = after().find(|other| other.is('v')).map_or("", |other| other.text.as_str());
    let preposition = before().find(|other| other.is('p')).map_or("", |other| other.text.as_str());
    let kind = near(-1)
        .and_then(|other| Lexicon::shipped().noun(&other.text))
        .map_or("", |noun| Lexicon::shipped().kind(noun).name.as_str());
    let mut keys = [0; KINDS];
    let mut put = |number: usize, parts: &[&str]| {
        if parts.iter().any(|part| !part.is_empty()) {
            keys[number] = key(number as u16, parts);
        }
    };
    let left_two: String = [character(begin - 2), character(begin - 1)].iter().collect();
    let left_one = character(begin - 1).to_string();
    let right_two: String = [character(end), character(end + 1)].iter().collect();
    let right_one = character(end).to_string();
    put(0, &[&left_one]);
    put(1, &[&left_two]);
    put(2, &[word(-1)]);
    put(3, &[word(-2), word(-1)]);
    put(4, &[verb, preposition]);
    put(5, &[preposition, word(-1)]);
    put(6, &[kind, preposition]);
    put(7, &[&right_one]);
    put(8, &[&right_two]);
    put(9, &[word(1)]);
    put(10, &[next_verb, preposition]);
    put(11, &[&left_one, &right_one]);
    keys
}

/// A key of some words.
pub fn key(kind: u16, parts: &[&str]) -> u32 {
    parts.iter().fold(Template::new(kind), |template, part| template.text(part)).key()
}

/// What is seen: in how many origins each event occurs.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    counts: FxHashMap<u32, u16>,
    /// The events of each origin, as long as there is something to learn.
    own: FxHashMap<u32, FxHashSet<u32>>,
}

/// The event of a word in a surrounding.
fn event(surrounding: u32, word: &str) -> u32 {
    Template::new(904).part(u64::from(surrounding)).text(word).key()
}

/// Whether people judged a text normal.
fn is_normal(example: &Example<'_>) -> bool {
    let judged = example.task.is_some_and(|task| matches!(task.id(), "2021/judge" | "2022/judge"));
    judged && matches!(&example.item.gold, Some(Answer::Verdict(verdict)) if verdict.value() == Some(true))
}

/// The event of two words near each other in one clause.
fn pair(a: &str, b: &str) -> u32 {
    key(901, &[a, b])
}

/// How far apart the words of a pair may be.
const NEAR: usize = 4;

impl Usage {
    /// Adds a text of an origin; tokens for which `skip` is true are known to be wrong.
    pub fn add(&mut self, reading: &Reading, group: u32, skip: impl Fn(&Token) -> bool) {
        let mut events = Vec::new();
        for site in sites(reading) {
            let token = &reading.tokens[site.token];
            if skip(token) {
                continue;
            }
            events.push(key(900, &[&token.text]));
            for surrounding in surroundings(reading, site.token).into_iter().filter(|key| *key != 0) {
                events.push(surrounding);
                events.push(event(surrounding, &token.text));
            }
        }
        for (number, token) in reading.tokens.iter().enumerate().filter(|(_, token)| !token.is_mark() && !skip(token)) {
            events.push(key(902, &[&token.text]));
            let after = reading.tokens[number + 1..].iter().take(NEAR).take_while(|other| other.clause == token.clause);
            events.extend(after.filter(|other| !other.is_mark() && !skip(other)).map(|other| pair(&token.text, &other.text)));
        }
        let own = self.own.entry(group).or_default();
        for event in events {
            if own.insert(event) {
                let count = self.counts.entry(event).or_insert(0);
                *count = count.saturating_add(1);
            }
        }
    }

    /// Counts over every text of a part, each text once. A word that took another's place is not counted, unless people found the text normal with it.
    pub fn of(part: &Part<'_>) -> Usage {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let examples: Vec<Example<'_>> = part.all().filter(|example| seen.insert(example.item.texts.context())).collect();
        let mut usage = Usage::default();
        // Readings are made in parallel, a block at a time, and counted in order.
        for block in examples.chunks(2048) {
            let readings: Vec<Reading> = block.par_iter().map(|example| Reading::new(example.item.texts.context())).collect();
            for (example, reading) in block.iter().zip(&readings) {
                let replaced = if is_normal(example) { &[] } else { example.replaced.unwrap_or_default() };
                let wrong = |token: &Token| replaced.iter().any(|word| word.at.start < token.end && word.at.end > token.begin);
                usage.add(reading, example.group, wrong);
            }
        }
        usage
    }

    /// Forgets which origin had what: nothing can be left out any more.
    pub fn forget(&mut self) {
        self.own = FxHashMap::default();
    }

    /// How many origins have an event, but for one that is left out.
    fn count(&self, event: u32, without: Option<u32>) -> f32 {
        let all = self.counts.get(&event).copied().unwrap_or(0);
        let own = without.and_then(|group| self.own.get(&group)).is_some_and(|own| own.contains(&event));
        f32::from(all.saturating_sub(u16::from(own)))
    }

    /// How much more often two words stand near each other, in this order, than by chance; and how often each is seen.
    pub fn affinity(&self, a: &str, b: &str, without: Option<u32>) -> [f32; 3] {
        let (of_a, of_b) = (self.count(key(902, &[a]), without), self.count(key(902, &[b]), without));
        let both = self.count(pair(a, b), without);
        [((both + 0.1) / (of_a * of_b + 1.0)).ln(), both, of_a.min(of_b)]
    }

    /// How well each spatial word of a text fits.
    pub fn fits(&self, reading: &Reading, without: Option<u32>) -> Vec<Fit> {
        sites(reading).into_iter().map(|site| self.fit(reading, site, without)).collect()
    }

    fn fit(&self, reading: &Reading, site: Site, without: Option<u32>) -> Fit {
        /// Surroundings overlap, so their gains are not added in full.
        const DAMPING: f32 = 0.5;
        /// How much the general share of a word counts against what is seen in its surroundings.
        const BACKING: f32 = 2.0;
        let token = &reading.tokens[site.token];
        let keys = surroundings(reading, site.token);
        let totals: Vec<f32> = keys.iter().map(|key| if *key == 0 { 0.0 } else { self.count(*key, without) }).collect();
        let words: Vec<&SmolStr> = std::iter::once(&token.text).chain(&site.rivals).collect();
        let prior: Vec<f32> = words.iter().map(|word| self.count(key(900, &[word]), without) + 0.5).collect();
        let all: f32 = prior.iter().sum();
        let mut sums = vec![[0.0_f32; 2]; words.len()];
        for (place, (key, _)) in keys.iter().zip(&totals).enumerate().filter(|(_, (_, total))| **total > 0.0) {
            let seen: Vec<f32> = words.iter().map(|word| self.count(event(*key, word), without)).collect();
            let here: f32 = seen.iter().sum();
            for (number, seen) in seen.iter().enumerate() {
                let general = prior[number] / all;
                // The gain over the general share, so that kinds of surroundings can be added up.
                let gain = ((seen + BACKING * general) / (here + BACKING)).ln() - general.ln();
                sums[number][usize::from(place >= LEFT)] += gain;
            }
        }
        let score = |number: usize, left: f32, right: f32| {
            (prior[number] / all).ln() + DAMPING * (left * sums[number][0] + right * sums[number][1])
        };
        let share = |left: f32, right: f32| {
            let scores: Vec<f32> = (0..words.len()).map(|number| score(number, left, right)).collect();
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            scores[0] - most - scores.iter().map(|score| (score - most).exp()).sum::<f32>().ln()
        };
        let best = (1..words.len()).max_by(|a, b| score(*a, 1.0, 1.0).total_cmp(&score(*b, 1.0, 1.0)));
        Fit {
            doubt: best.map_or(0.0, |best| score(best, 1.0, 1.0) - score(0, 1.0, 1.0)),
            share: share(1.0, 1.0),
            share_left: share(1.0, 0.0),
            share_right: share(0.0, 1.0),
            seen_left: if keys[2] == 0 { 0.0 } else { self.count(event(keys[2], &token.text), without) },
            seen_any: totals[2],
            best: best.map_or_else(SmolStr::default, |best| words[best].clone()),
            site,
        }
    }
}

impl Keep for Usage {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        let mut counts: Vec<(u32, u16)> = self.counts.iter().map(|(key, count)| (*key, *count)).collect();
        counts.sort_unstable();
        let (keys, counts): (Vec<u32>, Vec<u16>) = counts.into_iter().unzip();
        out.put("keys", &keys);
        out.put("counts", &counts);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Usage, PredictError> {
        let (keys, counts) = (from.get::<u32>("keys")?, from.get::<u16>("counts")?);
        if keys.len() != counts.len() {
            return Err(from.unfit("counts", keys.len(), counts.len()).into());
        }
        Ok(Usage { counts: keys.iter().copied().zip(counts.iter().copied()).collect(), own: FxHashMap::default() })
    }
}
