//! Who is where, without understanding: the commonest shape of a tuple, filled at every place with the nearest noun and the nearest verb.

use std::collections::BTreeMap;

use fangwei::answer::Answer;
use fangwei::task::Item;
use serde::{Deserialize, Serialize};

use crate::belief::Tuple;
use crate::reading::Reading;
use crate::rule::entity::is_entity;
use crate::rule::fragment::whole;
use crate::rule::roles::tuple;
use crate::rule::scan::Scan;

/// The roles of the commonest tuple.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    roles: Vec<String>,
}

/// Roles that can be filled by the nearest words.
const SIMPLE: &[&str] = &["空间实体", "事件", "处所", "方向"];
/// So many tuples are written.
const MOST: usize = 60;

impl Shape {
    /// Counts the shapes of tuples of 2023; without any, entity, event and place.
    pub fn learn<'i>(items: impl IntoIterator<Item = &'i Item>) -> Shape {
        let mut counts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for item in items {
            let Some(Answer::Tuples(tuples)) = &item.gold else { continue };
            for tuple in tuples {
                let roles: Vec<String> = tuple.iter().map(|element| element.role.to_string()).collect();
                let simple = roles.len() > 1 && roles.iter().all(|role| SIMPLE.contains(&role.as_str()));
                if simple && roles[0] == SIMPLE[0] {
                    *counts.entry(roles).or_default() += 1;
                }
            }
        }
        // The first of equal ones: `max_by_key` takes the last.
        let most = counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(roles, _)| roles);
        Shape { roles: most.unwrap_or_else(|| SIMPLE[..3].iter().map(|role| (*role).to_owned()).collect()) }
    }

    /// The roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// Fills the shape at every place of a text, or at every direction if it has one in place of a place.
    pub fn tuples(&self, item: &Item) -> Vec<(Tuple, f64)> {
        let reading = Reading::new(item.texts.context());
        let scan = Scan::new(&reading);
        let has = |role: &str| self.roles.iter().any(|own| own == role);
        let anchors: Vec<(&str, std::ops::Range<usize>)> = if has("处所") {
            scan.places.iter().map(|place| ("处所", whole(place))).collect()
        } else {
            scan.moves.iter().map(|one| ("方向", one.direction..one.direction + 1)).collect()
        };
        let mut all: Vec<(Tuple, f64)> = Vec::new();
        for (role, words) in anchors.into_iter().take(MOST) {
            let entity = nearest(&words, reading.tokens.len(), |number| is_entity(&scan, number));
            let event = nearest(&words, reading.tokens.len(), |number| scan.is_verb(number));
            let Some(entity) = entity else { continue };
            let mut roles = vec![("空间实体", entity..entity + 1), (role, words)];
            roles.extend(event.filter(|_| has("事件")).map(|event| ("事件", event..event + 1)));
            let made = tuple(&scan, roles).filter(|made| all.iter().all(|(known, _)| known != made));
            all.extend(made.map(|made| (made, 0.5)));
        }
        all
    }
}

/// So far is looked for a word.
const FAR: usize = 60;

/// The nearest word that is wanted, before or after; before, where both are as near.
fn nearest(words: &std::ops::Range<usize>, count: usize, wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let before = (0..words.start).rev().take(FAR).find(|number| wanted(*number));
    let after = (words.end..count).take(FAR).find(|number| wanted(*number));
    match (before, after) {
        (Some(before), Some(after)) => Some(if words.start - before <= after + 1 - words.end { before } else { after }),
        (before, after) => before.or(after),
    }
}
