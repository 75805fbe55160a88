//! Does a reason explain what is wrong with a text? Guessed from the frame of the reason and from single characters.

use super::judge::{majority, regress};
use super::{Questions, Setting, Shortcut};
use crate::prior::{Rates, grams, verdict};
use crate::task::Texts;

/// Every shortcut of a task that asks about reasons.
pub(super) fn shortcuts(setting: &Setting<'_, '_>, questions: &Questions) -> Vec<Shortcut> {
    let pool = setting.pool;
    let gold: Vec<usize> = questions.items(pool).map(verdict).collect();
    let mut found = majority(setting, questions);

    let kinds: Vec<Vec<String>> =
        questions.items(pool).map(|item| questions.task.facet("type", item).unwrap_or_default()).collect();
    let preds = setting.held_out(questions, |train, test| {
        let mut rates = Rates::new();
        for number in train {
            rates.add(&kinds[*number], gold[*number] == 1);
        }
        test.iter().map(|number| usize::from(rates.rate(&&kinds[*number], 0.5) > 0.5)).collect()
    });
    found.extend(setting.classified(questions, "type-prior", &gold, &preds));

    let features: Vec<Vec<u32>> = questions
        .items(pool)
        .map(|item| {
            let field = |number: u8, text: &str| grams(number, &text.chars().collect::<Vec<_>>());
            let mut features = field(0, item.texts.context());
            if let Texts::Reason { reason, .. } = &item.texts {
                features.extend(field(1, reason));
            }
            features
        })
        .collect();
    let preds = setting.held_out(questions, |train, test| regress(&gold, &features, train, test, setting.options.seed));
    found.extend(setting.classified(questions, "n-gram", &gold, &preds));
    found
}
