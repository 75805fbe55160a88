//! Is a text normal? Guessed from the words that were exchanged, from single characters, and from the files that hold the same text.

use super::learn::{Rates, Regression, feature, grams};
use super::{Questions, Setting, Shortcut};
use crate::answer::Answer;
use crate::audit::original::Replacement;
use crate::audit::pool::{Place, Pool};
use crate::task::Item;

/// The verdict of an item's gold; 1 is yes.
pub(super) fn verdict(item: &Item) -> usize {
    let verdict = match &item.gold {
        Some(Answer::Verdict(verdict) | Answer::Joint(verdict, _)) => verdict.value(),
        Some(Answer::Scene(scene)) => scene.judge.value(),
        _ => None,
    };
    usize::from(verdict.unwrap_or(false))
}

/// The verdict that most items have: one bit, read off all of them. Held out, a small even set would always get the other one.
pub(super) fn majority(setting: &Setting<'_, '_>, questions: &Questions) -> Vec<Shortcut> {
    let gold: Vec<usize> = questions.items(setting.pool).map(verdict).collect();
    let yes: usize = gold.iter().sum();
    let preds = vec![usize::from(yes * 2 > gold.len()); gold.len()];
    setting.classified(questions, "majority", &gold, &preds)
}

/// Every shortcut of a task that asks whether texts are normal.
pub(super) fn shortcuts(setting: &Setting<'_, '_>, questions: &Questions) -> Vec<Shortcut> {
    let pool = setting.pool;
    let gold: Vec<usize> = questions.items(pool).map(verdict).collect();
    let texts: Vec<u32> = questions.places.iter().filter_map(|place| pool.of[place.file][place.item].first().copied()).collect();
    let replaced: Vec<Option<&[Replacement]>> = texts.iter().map(|text| setting.replaced[*text as usize].as_deref()).collect();
    let elsewhere: Vec<Vec<usize>> =
        questions.places.iter().zip(&texts).map(|(place, text)| elsewhere(pool, *place, *text)).collect();
    let (is_replaced, is_elsewhere) =
        (replaced.iter().flatten().any(|words| !words.is_empty()), elsewhere.iter().any(|files| !files.is_empty()));
    let regressed = |name: &'static str, features: &[Vec<u32>]| {
        let preds = setting.held_out(questions, |train, test| regress(&gold, features, train, test, setting.options.seed));
        setting.classified(questions, name, &gold, &preds)
    };
    let mut found = majority(setting, questions);

    let mut differences: Vec<Vec<u32>> =
        texts.iter().zip(&replaced).map(|(text, words)| difference(&pool.texts[*text as usize], *words)).collect();
    if is_replaced {
        let preds = setting.held_out(questions, |train, test| pair_prior(&gold, &replaced, train, test));
        found.extend(setting.classified(questions, "pair-prior", &gold, &preds));
        found.extend(regressed("sibling-difference", &differences));
    }
    let features: Vec<Vec<u32>> = texts.iter().map(|text| grams(0, &pool.texts[*text as usize])).collect();
    found.extend(regressed("n-gram", &features));
    if is_elsewhere {
        let preds = setting.held_out(questions, |train, test| {
            let prior = rate(&gold, train);
            let mut rates = Rates::new();
            for number in train {
                rates.add(&elsewhere[*number], gold[*number] == 1);
            }
            test.iter().map(|number| usize::from(rates.rate(&&elsewhere[*number], prior) > 0.5)).collect()
        });
        found.extend(setting.classified(questions, "membership", &gold, &preds));
    }
    if is_replaced && is_elsewhere {
        for (features, files) in differences.iter_mut().zip(&elsewhere) {
            features.push(feature(("elsewhere", files)));
        }
        found.extend(regressed("combined", &differences));
    }
    found
}

/// The other files that hold the text, character for character.
fn elsewhere(pool: &Pool<'_>, place: Place, text: u32) -> Vec<usize> {
    let mut files: Vec<usize> =
        pool.places[text as usize].iter().map(|other| other.file).filter(|file| *file != place.file).collect();
    files.dedup();
    files
}

fn rate(gold: &[usize], train: &[usize]) -> f64 {
    crate::score::ratio(train.iter().map(|number| gold[*number]).sum::<usize>() as f64, train.len() as f64)
}

/// How often a pair of words is harmless; of an unseen pair, how often its new word is; else the rate of all. Two replacements are both harmless, or the text
/// is abnormal. An original is normal.
fn pair_prior(gold: &[usize], replaced: &[Option<&[Replacement]>], train: &[usize], test: &[usize]) -> Vec<usize> {
    let prior = rate(gold, train);
    let (mut pairs, mut words) = (Rates::new(), Rates::new());
    for number in train {
        // Of two replacements it is not known which one did harm.
        if let Some([word]) = replaced[*number] {
            pairs.add((word.from.as_str(), word.to.as_str()), gold[*number] == 1);
            words.add(word.to.as_str(), gold[*number] == 1);
        }
    }
    let harmless = |word: &Replacement| pairs.rate(&(word.from.as_str(), word.to.as_str()), words.rate(&word.to.as_str(), prior));
    let normal = |number: &usize| match replaced[*number] {
        None => prior,
        Some(words) => words.iter().map(harmless).product(),
    };
    test.iter().map(|number| usize::from(normal(number) > 0.5)).collect()
}

/// What unlabelled siblings tell of a text: which words were exchanged, how many, where, and between which characters.
fn difference(text: &[char], words: Option<&[Replacement]>) -> Vec<u32> {
    let Some(words) = words else { return vec![feature("unresolved")] };
    let mut features = vec![feature(("replaced", words.len()))];
    for word in words {
        let third = 3 * word.at.start / text.len().max(1);
        let left = word.at.start.checked_sub(1).and_then(|at| text.get(at));
        let right = text.get(word.at.end);
        features.extend([
            feature(("pair", &word.from, &word.to)),
            feature(("from", &word.from)),
            feature(("to", &word.to)),
            feature(("third", third)),
            feature(("left", left, &word.to)),
            feature(("right", right, &word.to)),
            feature(("left pair", left, &word.from, &word.to)),
        ]);
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// Guesses verdicts by regression over features.
pub(super) fn regress(gold: &[usize], features: &[Vec<u32>], train: &[usize], test: &[usize], seed: u64) -> Vec<usize> {
    let examples: Vec<(&[u32], bool)> = train.iter().map(|number| (features[*number].as_slice(), gold[*number] == 1)).collect();
    let model = Regression::train(&examples, seed);
    test.iter().map(|number| usize::from(model.probability(&features[*number]) > 0.5)).collect()
}
