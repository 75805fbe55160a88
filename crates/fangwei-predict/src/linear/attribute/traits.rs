//! What tells the types of reasons apart: the suspicious words with what stands around them, as keys, and what the guesses look like, as numbers.

use fangwei::lexicon::Class;

use crate::learn::feature::Template;
use crate::linear::anomaly::labeller::Guess;
use crate::linear::anomaly::partner;
use crate::linear::anomaly::spans::Triple;
use crate::linear::anomaly::view::View;
use crate::linear::suspect::{Suspect, Suspects};

/// How many numbers describe a passage.
pub const NUMBERS: usize = 45;

/// Suspicious words whose surroundings are looked at one by one,
const APART: usize = 2;
/// and together, each as much as it is suspicious.
const TOGETHER: usize = 4;
/// Suspicious words that give numbers.
const NUMBERED: usize = 3;

/// A passage as the types are told by.
#[derive(Debug)]
pub struct Case<'c> {
    /// The passage.
    pub view: &'c View<'c>,
    /// Its suspicious words.
    pub suspects: &'c Suspects,
    /// The guesses at its triples.
    pub guesses: &'c [Guess],
}

impl Case<'_> {
    /// Keys with values, for the sparse model.
    pub fn keys(&self) -> Vec<(u32, f32)> {
        let mut keys = vec![(Template::new(1).key(), 1.0)];
        let best = self.suspects.best(TOGETHER);
        for (rank, suspect) in best.iter().take(APART).map(|number| &self.suspects.sites[*number]).enumerate() {
            let odds = suspect.odds as f32;
            let weight = if rank == 0 { 1.0 } else { odds.min(0.5) };
            let mut add = |template: Template| keys.push((template.part(rank as u64).key(), weight));
            for key in partner::alone(self.view, &suspect.site.range) {
                add(Template::new(2).part(u64::from(key)));
            }
            for key in self.near(suspect) {
                add(Template::new(3).part(u64::from(key)));
            }
            add(Template::new(4).text(&suspect.site.word).text(rival(suspect)));
            add(Template::new(5).part((suspect.log_p.clamp(-12.0, 0.0) * 0.7) as i64 as u64));
            add(Template::new(6).part(suspect.ratio.clamp(-8.0, 12.0) as i64 as u64));
            add(Template::new(7).part((odds * 8.0) as u64));
        }
        for suspect in best.iter().map(|number| &self.suspects.sites[*number]) {
            for key in partner::alone(self.view, &suspect.site.range) {
                keys.push((Template::new(8).part(u64::from(key)).key(), suspect.odds as f32));
            }
            for key in self.near(suspect) {
                keys.push((Template::new(9).part(u64::from(key)).key(), suspect.odds as f32));
            }
        }
        for (column, number) in self.numbers().into_iter().enumerate().filter(|(_, number)| number.is_finite()) {
            // Shares lie below 1; all else is some tens at most, or a length.
            let (value, step) = match number.abs() {
                small if small <= 1.0 => (number, number * 6.0),
                middle if middle < 30.0 => (number / 10.0, number / 2.0),
                _ => (number / 100.0, number / 20.0),
            };
            keys.push((Template::new(10).part(column as u64).key(), value));
            keys.push((Template::new(11).part(column as u64).part(step as i64 as u64).key(), 1.0));
        }
        keys
    }

    /// The words around a suspicious one, in its clause, and the directional before it.
    fn near(&self, suspect: &Suspect) -> Vec<u32> {
        let (tokens, facts) = (&self.view.reading.tokens, &self.view.facts);
        let Some(word) = self.word(suspect) else { return Vec::new() };
        let class = facts[word].class;
        let near = |by: isize| {
            let there = word.checked_add_signed(by).filter(|there| *there < tokens.len());
            there.filter(|there| tokens[*there].clause == tokens[word].clause)
        };
        let number = |at: Option<usize>, of: &dyn Fn(usize) -> u64| at.map_or(u64::MAX, of);
        let pos = |by: isize| number(near(by), &|at| facts[at].pos);
        let text = |by: isize| number(near(by), &|at| facts[at].text);
        let mut keys = Vec::new();
        for by in [-3, -2, -1, 1, 2] {
            keys.push(Template::new(20).part(by as u64).part(text(by)).key());
            keys.push(Template::new(21).part(by as u64).part(pos(by)).key());
            keys.push(Template::new(22).part(by as u64).part(pos(by)).part(class).key());
            keys.push(Template::new(23).part(by as u64).part(number(near(by), &|at| facts[at].class)).key());
        }
        keys.push(Template::new(24).part(text(-1)).part(facts[word].text).key());
        keys.push(Template::new(25).part(facts[word].text).part(text(1)).key());
        keys.push(Template::new(26).part(pos(-1)).part(class).part(pos(1)).key());
        keys.push(Template::new(27).part(pos(-2)).part(pos(-1)).part(class).key());
        let directional = |by: &isize| near(*by).is_some_and(|at| tokens[at].class == Some(Class::Directional));
        let directional = (1..8).map(|by: isize| -by).find(directional);
        let before = directional.map_or(0, text);
        keys.push(Template::new(28).part(before).part(facts[word].text).key());
        keys.push(Template::new(29).part(u64::from(before != 0)).part(class).key());
        let verb = (1..10).map(|by: isize| -by).find(|by| near(*by).is_some_and(|at| facts[at].verb));
        keys.push(Template::new(30).part(verb.unwrap_or(0) as u64).part(class).key());
        let verb = (1..10).find(|by| near(*by).is_some_and(|at| facts[at].verb));
        keys.push(Template::new(31).part(verb.unwrap_or(0) as u64).part(class).key());
        keys.push(Template::new(32).part(verb.map_or(0, text)).part(facts[word].text).key());
        keys
    }

    fn word(&self, suspect: &Suspect) -> Option<usize> {
        let word = self.view.reading.token_of.get(suspect.site.range.start).copied();
        word.filter(|word| *word < self.view.facts.len())
    }

    /// Numbers, for the trees; one that there is not is NaN.
    pub fn numbers(&self) -> [f32; NUMBERS] {
        let mut numbers = [f32::NAN; NUMBERS];
        let mut at = 0;
        let mut add = |value: f64| {
            if let Some(number) = numbers.get_mut(at) {
                *number = value as f32;
            }
            at += 1;
        };
        let reading = self.view.reading;
        add(reading.chars.len() as f64);
        add(reading.tokens.last().map_or(0.0, |token| token.clause as f64));
        add(self.suspects.sites.len() as f64);
        add(self.suspects.abnormal);
        let best = self.suspects.best(TOGETHER);
        for rank in 0..NUMBERED {
            let suspect = best.get(rank).map(|number| &self.suspects.sites[*number]);
            let of = |value: &dyn Fn(&Suspect) -> f64| suspect.map_or(f64::NAN, value);
            add(of(&|suspect| suspect.odds));
            add(of(&|suspect| f64::from(suspect.log_p)));
            add(of(&|suspect| f64::from(suspect.ratio)));
            add(of(&|suspect| suspect.rivals.first().map_or(f64::NAN, |rival| f64::from(rival.1 - suspect.log_p))));
            add(of(&|suspect| suspect.site.range.start as f64 / reading.chars.len().max(1) as f64));
            for by in [-1, 0, 1] {
                add(of(&|suspect| self.sort(suspect, by)));
            }
        }
        let directional =
            |suspect: &&Suspect| self.word(suspect).is_some_and(|word| reading.tokens[word].class == Some(Class::Directional));
        add(self.suspects.sites.iter().filter(directional).map(|suspect| suspect.odds).sum());
        self.shares().into_iter().for_each(add);
        numbers
    }

    /// What kind of word stands at a suspicious one, or beside it.
    fn sort(&self, suspect: &Suspect, by: isize) -> f64 {
        let word = self.word(suspect).and_then(|word| word.checked_add_signed(by));
        let fact = word.and_then(|word| self.view.facts.get(word));
        fact.map_or(f64::NAN, |fact| fact.class as f64 + 20.0 * f64::from(u8::from(fact.nominal) + 2 * u8::from(fact.verb)))
    }

    /// How the guesses are spread, and what the likeliest of two triples looks like.
    fn shares(&self) -> Vec<f64> {
        let total: f64 = self.guesses.iter().map(|guess| guess.mass).sum::<f64>().max(f64::MIN_POSITIVE);
        let mean = |of: &dyn Fn(&Guess) -> f64| self.guesses.iter().map(|guess| guess.mass / total * of(guess)).sum::<f64>();
        let lone = |guess: &Guess| guess.spans.0.len() == 1;
        let heaviest = |keep: &dyn Fn(&Guess) -> bool| {
            let kept = self.guesses.iter().filter(|guess| keep(guess));
            kept.reduce(|best, guess| if guess.mass > best.mass { guess } else { best })
        };
        let double = heaviest(&|guess| !lone(guess));
        let mut shares = vec![mean(&|guess| f64::from(u8::from(!lone(guess))))];
        for role in 0..3 {
            shares.push(mean(&|guess| f64::from(u8::from(lone(guess) && !guess.spans.0[0][role].is_empty()))));
            shares.push(mean(&|guess| if lone(guess) { guess.spans.0[0][role].len() as f64 } else { 0.0 }));
        }
        shares.push(mean(&|guess| guess.spans.0.iter().flatten().map(Vec::len).sum::<usize>() as f64));
        shares.push(mean(&|guess| -(guess.mass / total).max(1e-12).ln()));
        shares.push(heaviest(&lone).map_or(0.0, |guess| guess.mass / total));
        shares.push(double.map_or(0.0, |guess| guess.mass / total));
        let text =
            |places: &[u32]| -> String { places.iter().filter_map(|at| self.view.reading.chars.get(*at as usize)).collect() };
        if let Some((guess, [one, two])) =
            double.and_then(|guess| Some((guess, <&[Triple; 2]>::try_from(&guess.spans.0[..]).ok()?)))
        {
            let same = |role: usize| f64::from(u8::from(text(&one[role]) == text(&two[role])));
            let place = |triple: &Triple| triple[1].first().map_or(f64::NAN, |at| f64::from(*at));
            shares.extend([same(0), same(1), same(2), guess.partner_odds, (place(one) - place(two)).abs()]);
        }
        shares
    }
}

fn rival(suspect: &Suspect) -> &str {
    suspect.rivals.first().map_or("", |(word, _)| word.as_str())
}
