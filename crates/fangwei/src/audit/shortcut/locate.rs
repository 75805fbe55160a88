//! Which characters are wrong, and of which type? Where siblings differ, an answer can be marked without reading either of them.

use std::collections::BTreeMap;

use super::{Questions, Setting, Shortcut};
use crate::answer::{Answer, Fragment, Reason, ReasonType, RoleFragment};
use crate::audit::original::Replacement;
use crate::compare::measure_at;
use crate::task::{Item, Mode};
use crate::text::{IdxSet, Span};

/// The limit of candidates for submissions.
const CANDIDATES: usize = 3;

/// One answer of gold: its type, where it has one, and its fragments.
type GoldAnswer<'g> = (Option<ReasonType>, &'g [RoleFragment]);

fn answers(item: &Item) -> Vec<GoldAnswer<'_>> {
    match &item.gold {
        Some(Answer::Reasons(reasons)) => reasons.iter().map(|reason| (Some(reason.kind), reason.fragments.as_slice())).collect(),
        Some(Answer::Candidates(candidates)) => candidates.iter().map(|parts| (None, parts.as_slice())).collect(),
        _ => Vec::new(),
    }
}

fn places(word: &Replacement) -> IdxSet {
    word.at.clone().map(|at| crate::text::CharIdx(at as u32)).collect()
}

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
        let hit = words.iter().any(|word| !word.at.is_empty() && places(word).is_subset(gold));
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

/// Characters to the left and to the right.
type Reach = (usize, usize);

/// How gold marks replaced words: under which type and role, and how far the fragment reaches to either side. Counted on other origins.
struct Habit {
    kind: Option<ReasonType>,
    role: smol_str::SmolStr,
    left: usize,
    right: usize,
}

/// The task's own score of marking the replaced words in the usual way.
fn marked(setting: &Setting<'_, '_>, questions: &Questions, items: &[&Item], replaced: &[&[Replacement]]) -> Option<Shortcut> {
    let (task, ranking) = (questions.task, questions.task.scale().ranking);
    let rows = setting.held_out(questions, |train, test| {
        let habit = habit(items, replaced, train);
        test.iter()
            .map(|number| {
                let pred = habit.as_ref().and_then(|habit| mark(habit, items[*number], replaced[*number]));
                let mut row = vec![0.0; task.scale().columns.len()];
                task.score(Mode::Official.rules(), items[*number], pred.as_ref(), &mut row);
                row
            })
            .collect()
    });
    setting.measured(questions, "sibling-difference", ranking, &rows, &measure_at(task, Mode::Official, ranking))
}

fn habit(items: &[&Item], replaced: &[&[Replacement]], train: &[usize]) -> Option<Habit> {
    let mut counts: BTreeMap<(Option<ReasonType>, &str), Vec<Reach>> = BTreeMap::new();
    for number in train {
        for (kind, parts) in answers(items[*number]) {
            for part in parts {
                let marked = part.fragment.span.to_set();
                let Some(word) = replaced[*number].iter().find(|word| !word.at.is_empty() && places(word).is_subset(&marked))
                else {
                    continue;
                };
                // As far as the marked characters go on without a gap.
                let has = |at: usize| marked.iter().any(|idx| idx.0 as usize == at);
                let left = (0..word.at.start).rev().take_while(|at| has(*at)).count();
                let right = (word.at.end..word.at.end + marked.len()).take_while(|at| has(*at)).count();
                counts.entry((kind, &part.role)).or_default().push((left, right));
            }
        }
    }
    // The first of equal ones: `max_by_key` takes the last.
    let ((kind, role), reaches) = counts.into_iter().rev().max_by_key(|(_, reaches)| reaches.len())?;
    let median = |side: &dyn Fn(&Reach) -> usize| {
        let mut values: Vec<usize> = reaches.iter().map(side).collect();
        values.sort_unstable();
        values[values.len() / 2]
    };
    Some(Habit { kind, role: role.into(), left: median(&|reach| reach.0), right: median(&|reach| reach.1) })
}

fn mark(habit: &Habit, item: &Item, words: &[Replacement]) -> Option<Answer> {
    let characters: Vec<char> = item.texts.context().chars().collect();
    let part = |word: &Replacement| {
        let places = word.at.start.saturating_sub(habit.left)..(word.at.end + habit.right).min(characters.len());
        let text: String = characters[places.clone()].iter().collect();
        let span: Span = places.map(|at| at as u32).collect();
        vec![RoleFragment { role: habit.role.clone(), fragment: Fragment { text: text.into(), span } }]
    };
    let mut parts: Vec<Vec<RoleFragment>> = words.iter().filter(|word| !word.at.is_empty()).take(CANDIDATES).map(part).collect();
    if parts.is_empty() {
        return None;
    }
    Some(match habit.kind {
        None => Answer::Candidates(parts),
        // Of a type only the first reason counts.
        Some(kind) => Answer::Reasons(vec![Reason { kind, fragments: parts.swap_remove(0) }]),
    })
}
