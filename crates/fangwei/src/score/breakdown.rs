//! A score broken down by a facet: every class of items with its own measures, or every role with its own hits.

use serde_json::{Value, json};

use super::align::{RoleTotals, by_role};
use super::asked::Asked;
use super::facet::Facet;
use super::measures::{Measure, Measures};
use super::run::Scored;
use crate::lang::{Lang, Unknown};
use crate::origin::{Grouping, Key, MissingGroup};
use crate::stats::Groups;
use crate::table::{Cell, Table};

/// Why a score cannot be broken down.
#[derive(Debug, thiserror::Error)]
pub enum BreakdownError {
    /// No item has the facet.
    #[error(transparent)]
    UnknownFacet(Unknown),
    /// Origins are told by a field that some items lack.
    #[error(transparent)]
    MissingGroup(#[from] MissingGroup),
}

/// The items of one class.
#[derive(Clone, Debug)]
pub struct ClassScore {
    /// The class.
    pub class: String,
    /// How many items it has.
    pub items: u64,
    /// How many of them are answered.
    pub answered: u64,
    /// Their measures.
    pub measures: Measures,
}

/// A score by classes of items, or by roles.
#[derive(Clone, Debug)]
pub enum Breakdown {
    /// By classes, numbers by size and words by their letters.
    Classes(Vec<ClassScore>),
    /// By roles.
    Roles(Vec<RoleTotals>),
}

/// The groups of items that were asked for their origin.
pub fn groups_of(grouping: &Grouping, asked: &[Asked]) -> Result<Groups, MissingGroup> {
    grouping.groups(asked.iter().filter_map(|asked| asked.key.as_deref()).collect::<Vec<&Key>>())
}

impl Breakdown {
    /// Sorts items into the classes of a facet, or adds up roles. The items must have been asked for the facet, and for their origin where that is the facet.
    pub fn new(scored: &Scored<Asked>, facet: &Facet, grouping: &Grouping) -> Result<Breakdown, BreakdownError> {
        if *facet == Facet::Role {
            return Ok(Breakdown::Roles(by_role(scored.extra.iter().filter_map(|asked| asked.alignment.as_deref()))));
        }
        let sizes = if *facet == Facet::OriginSize { origin_sizes(grouping, &scored.extra)? } else { Vec::new() };
        let mut classes: Vec<(String, Vec<usize>)> = Vec::new();
        for (number, asked) in scored.extra.iter().enumerate() {
            for class in asked.classes.iter().chain(sizes.get(number)) {
                match classes.iter_mut().find(|(known, _)| known == class) {
                    Some((_, items)) => items.push(number),
                    None => classes.push((class.clone(), vec![number])),
                }
            }
        }
        if classes.is_empty() {
            return Err(BreakdownError::UnknownFacet(facet.unknown(scored.task)));
        }
        classes.sort_by(|(a, _), (b, _)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.total_cmp(&b),
            _ => a.cmp(b),
        });
        let class = |(class, items): (String, Vec<usize>)| {
            let total = scored.total_of(items);
            let measures = scored.task.measures(scored.mode, &total);
            ClassScore { class, items: total.items, answered: total.answered, measures }
        };
        Ok(Breakdown::Classes(classes.into_iter().map(class).collect()))
    }

    /// As a table.
    pub fn table(&self, lang: Lang) -> Table {
        match self {
            Breakdown::Roles(roles) => {
                let head =
                    [lang.say("角色", "role"), lang.say("参考", "gold"), lang.say("预测", "pred"), lang.say("命中", "hits")];
                let mut table = Table::new(head.into_iter().chain(["P", "R", "F1"]));
                for role in roles {
                    let sizes = [role.gold, role.pred].map(|size| Cell::Count(size as u64));
                    let numbers = [role.hits, role.precision, role.recall, role.f1].map(Cell::from);
                    table.row([Cell::from(role.role.as_str())].into_iter().chain(sizes).chain(numbers));
                }
                table
            }
            Breakdown::Classes(classes) => {
                let paths = classes.first().map(|class| class.measures.flat()).unwrap_or_default();
                let head =
                    [lang.say("类别", "class"), lang.say("题数", "items"), lang.say("作答", "answered")].map(ToOwned::to_owned);
                let mut table = Table::new(head.into_iter().chain(paths.into_iter().map(|(path, _)| path)));
                for class in classes {
                    let values = class.measures.flat().into_iter().map(|(_, measure)| match measure {
                        Measure::Count(count) => Cell::Count(count),
                        Measure::Number(number) => Cell::Number(number),
                        Measure::Level(_) => Cell::Empty,
                    });
                    let first = [Cell::from(class.class.as_str()), Cell::Count(class.items), Cell::Count(class.answered)];
                    table.row(first.into_iter().chain(values));
                }
                table
            }
        }
    }

    /// As JSON.
    pub fn to_json(&self, facet: &str) -> Value {
        match self {
            Breakdown::Roles(roles) => json!({ "facet": facet, "roles": roles }),
            Breakdown::Classes(classes) => {
                let class = |one: &ClassScore| json!({ "class": one.class, "items": one.items, "answered": one.answered, "measures": one.measures });
                json!({ "facet": facet, "classes": classes.iter().map(class).collect::<Vec<_>>() })
            }
        }
    }
}

/// For each item the number of items of its origin.
fn origin_sizes(grouping: &Grouping, asked: &[Asked]) -> Result<Vec<String>, MissingGroup> {
    let groups = groups_of(grouping, asked)?;
    let mut sizes = vec![0_usize; groups.count()];
    for group in groups.of() {
        sizes[*group as usize] += 1;
    }
    Ok(groups.of().iter().map(|group| sizes[*group as usize].to_string()).collect())
}
