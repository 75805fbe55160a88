//! Scores by class of items: reason type, gold answer, both together, genre, number of fragments, length.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::sheet::Sheet;
use crate::score::Facet;
use crate::task::Item;
use crate::tasks::{ROLES, SLOTS};

/// A class of items with the score of every system.
#[derive(Clone, Debug, Serialize)]
pub struct ClassScores {
    /// The class.
    pub class: String,
    /// How many items it has.
    pub items: u64,
    /// The ranking measure of each system.
    pub scores: Vec<f64>,
    /// The mean over systems.
    pub mean: f64,
}

/// The classes of a facet.
#[derive(Clone, Debug, Serialize)]
pub struct FacetScores {
    /// The facet: `type`, `gold`, `type×gold`, `genre`, …
    pub facet: String,
    /// The systems.
    pub systems: Vec<String>,
    /// The classes by name.
    pub classes: Vec<ClassScores>,
}

/// Every facet that tells items apart.
pub(super) fn facets(sheet: &Sheet, machines: &[usize]) -> Vec<FacetScores> {
    let task = sheet.task;
    let mut facets: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    let classes = |facet: &Facet| -> Vec<Vec<String>> { sheet.items.iter().map(|item| facet.classes(task, item)).collect() };
    for name in task.facets() {
        facets.push(((*name).to_owned(), classes(&Facet::Task((*name).to_owned()))));
    }
    if task.facets().contains(&"type") && task.facets().contains(&"gold") {
        let both = |item: &Item| {
            let (kinds, golds) = (task.facet("type", item).unwrap_or_default(), task.facet("gold", item).unwrap_or_default());
            kinds.iter().flat_map(|kind| golds.iter().map(move |gold| format!("{kind} {gold}"))).collect()
        };
        facets.push(("type×gold".to_owned(), sheet.items.iter().map(both).collect()));
    }
    facets.push(("genre".to_owned(), classes(&Facet::Field("genre".to_owned()))));
    facets.push(("length".to_owned(), classes(&Facet::Length)));
    let scored = facets.into_iter().map(|(facet, classes)| scores(sheet, machines, facet, &classes));
    // One class is the whole once more.
    scored.filter(|facet| facet.classes.len() > 1).collect()
}

/// Numbers in their own order, not in that of their digits; roles in that of the task; the rest by name.
fn place(class: &str) -> usize {
    let role = || ROLES.iter().chain(&SLOTS).position(|role| *role == class);
    class.parse().ok().or_else(role).unwrap_or(usize::MAX)
}

fn scores(sheet: &Sheet, machines: &[usize], facet: String, classes: &[Vec<String>]) -> FacetScores {
    let mut members: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for (item, classes) in classes.iter().enumerate() {
        for class in classes {
            members.entry((place(class), class)).or_default().push(item);
        }
    }
    let class = |((_, class), items): ((usize, &str), Vec<usize>)| {
        let scores: Vec<f64> = machines.iter().map(|taker| sheet.score_on(*taker, items.iter().copied())).collect();
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        ClassScores { class: class.to_owned(), items: items.len() as u64, scores, mean }
    };
    FacetScores {
        facet,
        systems: machines.iter().map(|taker| sheet.takers[*taker].name.clone()).collect(),
        classes: members.into_iter().map(class).collect(),
    }
}
