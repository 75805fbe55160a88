//! What could stand in a place: the words of the substitution groups, each put into the passage and judged.
//!
//! A passage with two wrong words stays wrong whatever is put in place of one. So each place is weighed twice: first as the passage is, then with the best
//! rivals in the other wrong places.

use fangwei::lexicon::{self, Class, Lexicon};
use rayon::prelude::*;

use super::Ask;
use super::anomaly::open;
use super::explored::{Choices, Explored, Rival, share};
use super::sources::{Part, Source, Sources};
use crate::predictor::PredictError;
use crate::reading::Reading;
use crate::rule::rules::locative::oddity;
use crate::rule::scan::Scan;

/// So many rivals of a word are weighed, and so many of them told.
const MOST_WEIGHED: usize = 24;
const MOST_TOLD: usize = 8;
/// So many characters are judged for one passage, all rivals together: beyond, words are left out and counted.
const MOST_JUDGED: usize = 600_000;

/// A word in place of others: where, and which.
type Fix = (Vec<u32>, String);

/// Fills the places of wrong words with rivals, and, where that is asked for, those of all spatial words.
pub fn weigh(explored: &mut Explored, scan: &Scan<'_>, sources: &Sources, ask: Ask) -> Result<(), PredictError> {
    let Some(judge) = sources.of(Part::Judge) else { return Ok(()) };
    let mut desk = Desk { scan, judge, left: MOST_JUDGED };
    for anomaly in &mut explored.anomalies {
        for choices in &mut anomaly.choices {
            desk.fill(choices, &[])?;
        }
    }
    let mut fixes = fixes(explored);
    if fixes.len() > 1 {
        for anomaly in &mut explored.anomalies {
            let others: Vec<Fix> =
                fixes.iter().filter(|(at, _)| !anomaly.choices.iter().any(|own| own.idxes == *at)).cloned().collect();
            for choices in &mut anomaly.choices {
                desk.fill(choices, &others)?;
            }
        }
        fixes = self::fixes(explored);
    }
    if !fixes.is_empty() && explored.normal < 0.5 {
        let mended = with(scan, &fixes);
        explored.mended = (judge.normal(&mended)? >= 0.5).then_some(mended);
    }
    if ask.all_rivals {
        for number in 0..scan.reading.tokens.len() {
            let Some(mut choices) = open(scan, number) else { continue };
            let known = explored.anomalies.iter().flat_map(|anomaly| &anomaly.choices).find(|known| known.idxes == choices.idxes);
            match known {
                Some(known) => choices = known.clone(),
                None if desk.left > 0 => desk.fill(&mut choices, &[])?,
                None => {
                    explored.unweighed += 1;
                    continue;
                }
            }
            explored.choices.push(choices);
        }
    }
    Ok(())
}

/// The best rival of each wrong word, in the place where it helps most.
fn fixes(explored: &Explored) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    for anomaly in &explored.anomalies {
        let tried = anomaly.choices.iter().filter_map(|place| Some((place, place.rivals.first()?)));
        // The first of equals: the word that is wrong, not what it is at odds with.
        let best = tried.reduce(|best, next| if next.1.score > best.1.score { next } else { best });
        let Some((place, rival)) = best else { continue };
        if fixes.iter().all(|(known, _)| *known != place.idxes) {
            fixes.push((place.idxes.clone(), rival.word.clone()));
        }
    }
    fixes
}

/// The passage with words in place of others.
fn with(scan: &Scan<'_>, fixes: &[Fix]) -> String {
    let mut text = String::with_capacity(scan.reading.chars.len() * 3);
    for (place, character) in scan.reading.chars.iter().enumerate() {
        match fixes.iter().find(|(at, _)| at.contains(&(place as u32))) {
            Some((at, word)) if at.first() == Some(&(place as u32)) => text.push_str(word),
            Some(_) => {}
            None => text.push(*character),
        }
    }
    text
}

/// Whether a rival is still a spatial word of its class where it is put: 前 in 跳进山洞前 tells a time.
fn stands(scan: &Scan<'_>, choices: &Choices, rival: &str) -> bool {
    let reading = Reading::new(&with(scan, &[(choices.idxes.clone(), rival.to_owned())]));
    let begin = choices.idxes.first().map_or(0, |at| *at as usize);
    reading.token_at(begin).is_some_and(|token| token.begin == begin && token.text == rival && token.class == Some(choices.class))
}

/// What judges rivals, and how much it may still judge.
struct Desk<'s> {
    scan: &'s Scan<'s>,
    judge: &'s Source,
    left: usize,
}

impl Desk<'_> {
    /// Fills a place with its best rivals, other words replaced as told.
    fn fill(&mut self, choices: &mut Choices, others: &[Fix]) -> Result<(), PredictError> {
        let known = Lexicon::shipped().rivals(&choices.word, choices.class);
        let affordable = self.left / self.scan.reading.chars.len().max(1);
        let rivals: Vec<_> = known.into_iter().take(MOST_WEIGHED.min(affordable)).collect();
        self.left = self.left.saturating_sub((rivals.len() + 1) * self.scan.reading.chars.len());
        let score = |word: &str| {
            let fixes: Vec<Fix> = others.iter().cloned().chain([(choices.idxes.clone(), word.to_owned())]).collect();
            self.judge.normal(&with(self.scan, &fixes))
        };
        let weighed = |rival: &lexicon::Rival<'_>| {
            if stands(self.scan, choices, rival.word) { score(rival.word).map(Some) } else { Ok(None) }
        };
        let scores: Vec<Option<f64>> = rivals.par_iter().map(weighed).collect::<Result<_, _>>()?;
        let own = score(&choices.word)?;
        let noun = self.noun(choices);
        let told = |(rival, score): (lexicon::Rival<'_>, Option<f64>)| {
            Some(Rival {
                word: rival.word.to_string(),
                score: score?,
                typical: noun.and_then(|noun| oddity(noun, rival.word)).map(|oddity| share(1.0 - oddity)),
                group: rival.group.name.to_string(),
            })
        };
        let mut told: Vec<Rival> = rivals.into_iter().zip(scores).filter_map(told).collect();
        // Of equals the more typical stands first; an unknown noun tells nothing.
        let typical = |rival: &Rival| rival.typical.unwrap_or(0.5);
        told.sort_by(|a, b| b.score.total_cmp(&a.score).then(typical(b).total_cmp(&typical(a))));
        told.truncate(MOST_TOLD);
        (choices.score, choices.rivals) = (own, told);
        Ok(())
    }

    /// The noun that a locative stands after.
    fn noun(&self, choices: &Choices) -> Option<&str> {
        let number = choices.idxes.first().and_then(|at| self.scan.reading.token_of.get(*at as usize)).copied()?;
        let place = self.scan.places.iter().find(|place| place.last == number)?;
        (choices.class == Class::Locative).then_some(self.scan.text(place.noun?))
    }
}
