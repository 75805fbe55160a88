//! Which characters are wrong, and of which type? Where siblings differ, an answer can be marked without reading either of them.

use super::{Questions, Setting, Shortcut};
use crate::audit::original::Replacement;
use crate::compare::measure_at;
use crate::prior::{Habit, answers};
use crate::task::{Item, Mode};
use crate::text::IdxSet;

/// Every shortcut of a task that asks for what is wrong.
pub(super) fn shortcuts(setting: &Setting<'_, '_>, questions: &Questions) -> Vec<Shortcut> {
    let pool = setting.pool;
    let items: Vec<&Item> = questions.items(pool).collect();
    let replaced: Vec<&[Replacement]> = questions
        .places
        .iter()
        .map(|place| {
            let text = pool.of[place.file][place.item].first();
            text.and_then(|text| setting.replaced[*text as usize].as_deref()).unwrap_or_default()
        })
        .collect();
    let gold: Vec<IdxSet> = items
        .iter()
        .map(|item| answers(item).iter().flat_map(|(_, parts)| parts.iter().flat_map(|part| part.fragment.span.iter())).collect())
        .collect();

    let mean = |sums: &[f64], items: f64| crate::score::ratio(sums[0], items);
    let coverage: Vec<Vec<f64>> = items
        .iter()
        .zip(&gold)
        .map(|(item, gold)| vec![crate::score::ratio(gold.len() as f64, item.texts.context().chars().count() as f64).min(1.0)])
        .collect();
    let inside = |(words, gold): (&&[Replacement], &IdxSet)| {
        let hit = words.iter().any(|word| !word.at.is_empty() && word.places().is_subset(gold));
        vec![f64::from(u8::from(hit))]
    };
    let located: Vec<Vec<f64>> = replaced.iter().zip(&gold).map(inside).collect();
    let mut found = Vec::new();
    found.extend(setting.measured(questions, "chance", "inside_gold", &coverage, &mean));
    found.extend(setting.measured(questions, "sibling-difference", "inside_gold", &located, &mean));
    found.extend(marked(setting, questions, &items, &replaced));
    if questions.task.facets().contains(&"type") {
        found.extend(majority_type(setting, questions, &items));
    }
    found
}

/// The set of types that most items have.
fn majority_type(setting: &Setting<'_, '_>, questions: &Questions, items: &[&Item]) -> Vec<Shortcut> {
    let kinds: Vec<Vec<String>> = items.iter().map(|item| questions.task.facet("type", item).unwrap_or_default()).collect();
    let mut names = kinds.clone();
    names.sort_unstable();
    names.dedup();
    let gold: Vec<usize> = kinds.iter().map(|kind| names.binary_search(kind).unwrap_or(0)).collect();
    let mut counts = vec![0_usize; names.len()];
    for kind in &gold {
        counts[*kind] += 1;
    }
    // The first of equal ones: `max_by_key` takes the last.
    let most = (0..counts.len()).rev().max_by_key(|kind| counts[*kind]).unwrap_or(0);
    setting.classified(questions, "majority-type", &gold, &vec![most; gold.len()])
}

/// The task's own score of marking the replaced words in the usual way.
fn marked(setting: &Setting<'_, '_>, questions: &Questions, items: &[&Item], replaced: &[&[Replacement]]) -> Option<Shortcut> {
    let (task, ranking) = (questions.task, questions.task.scale().ranking);
    let rows = setting.held_out(questions, |train, test| {
        let habit = Habit::learn(train.iter().map(|number| (items[*number], replaced[*number])));
        test.iter()
            .map(|number| {
                let pred = habit.as_ref().and_then(|habit| habit.mark(items[*number], replaced[*number]));
                let mut row = vec![0.0; task.scale().columns.len()];
                task.score(Mode::Official.rules(), items[*number], pred.as_ref(), &mut row);
                row
            })
            .collect()
    });
    setting.measured(questions, "sibling-difference", ranking, &rows, &measure_at(task, Mode::Official, ranking))
}
