//! Is a text normal? Guessed from the words that were exchanged, from single characters, and from the files that hold the same text.

use super::{Questions, Setting, Shortcut};
use crate::audit::original::Replacement;
use crate::audit::pool::{Place, Pool};
use crate::prior::{PairPrior, Rates, Regression, difference, feature, grams, verdict};

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

/// Guesses verdicts by the pair of words that was exchanged.
fn pair_prior(gold: &[usize], replaced: &[Option<&[Replacement]>], train: &[usize], test: &[usize]) -> Vec<usize> {
    let prior = PairPrior::learn(train.iter().map(|number| (replaced[*number], gold[*number] == 1)));
    test.iter().map(|number| usize::from(prior.normal(replaced[*number]) > 0.5)).collect()
}

/// Guesses verdicts by regression over features.
pub(super) fn regress(gold: &[usize], features: &[Vec<u32>], train: &[usize], test: &[usize], seed: u64) -> Vec<usize> {
    let examples: Vec<(&[u32], bool)> = train.iter().map(|number| (features[*number].as_slice(), gold[*number] == 1)).collect();
    let model = Regression::train(&examples, seed);
    test.iter().map(|number| usize::from(model.probability(&features[*number]) > 0.5)).collect()
}
