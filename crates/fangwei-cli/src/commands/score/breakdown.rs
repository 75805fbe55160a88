//! A score broken down by a facet.

use anyhow::bail;
use fangwei::origin::Grouping;
use fangwei::score::{Facet, Measures, Scored, by_role};
use fangwei::table::{Cell, Table};
use serde_json::{Value, json};

use super::{Asked, groups};
use crate::lang::{lang, t};
use crate::output::Usage;

/// A score by classes of items, or by roles.
pub enum Breakdown {
    Classes(Vec<(String, u64, u64, Measures)>),
    Roles(Vec<fangwei::score::RoleTotals>),
}

impl Breakdown {
    /// Sorts items into the classes of a facet, or adds up roles.
    pub fn new(scored: &Scored<Asked>, facet: &Facet, grouping: &Grouping) -> anyhow::Result<Breakdown> {
        if *facet == Facet::Role {
            let alignments = scored.extra.iter().filter_map(|asked| asked.alignment.as_deref());
            return Ok(Breakdown::Roles(by_role(alignments)));
        }
        let sizes = if *facet == Facet::OriginSize { origin_sizes(grouping, scored)? } else { Vec::new() };
        let mut classes: Vec<(String, Vec<usize>)> = Vec::new();
        for (number, asked) in scored.extra.iter().enumerate() {
            let own = asked.classes.iter().chain(sizes.get(number));
            for class in own {
                match classes.iter_mut().find(|(known, _)| known == class) {
                    Some((_, items)) => items.push(number),
                    None => classes.push((class.clone(), vec![number])),
                }
            }
        }
        if classes.is_empty() {
            bail!(Usage(facet.unknown(scored.task).say(lang())));
        }
        // Numbers by size, words by their letters.
        classes.sort_by(|(a, _), (b, _)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.total_cmp(&b),
            _ => a.cmp(b),
        });
        let class = |(class, items): (String, Vec<usize>)| {
            let total = scored.total_of(items);
            let measures = scored.task.measures(scored.mode, &total);
            (class, total.items, total.answered, measures)
        };
        Ok(Breakdown::Classes(classes.into_iter().map(class).collect()))
    }

    /// As a table.
    pub fn table(&self) -> Table {
        match self {
            Breakdown::Roles(roles) => {
                let mut table =
                    Table::new([t("角色", "role"), t("参考", "gold"), t("预测", "pred"), t("命中", "hits"), "P", "R", "F1"]);
                for role in roles {
                    let sizes = [role.gold, role.pred].map(|size| Cell::Count(size as u64));
                    let numbers = [role.hits, role.precision, role.recall, role.f1].map(Cell::from);
                    table.row([Cell::from(role.role.as_str())].into_iter().chain(sizes).chain(numbers));
                }
                table
            }
            Breakdown::Classes(classes) => {
                let paths = classes.first().map(|(_, _, _, measures)| measures.flat()).unwrap_or_default();
                let head = [t("类别", "class"), t("题数", "items"), t("作答", "answered")].map(ToOwned::to_owned);
                let mut table = Table::new(head.into_iter().chain(paths.into_iter().map(|(path, _)| path)));
                for (class, items, answered, measures) in classes {
                    let values = measures.flat().into_iter().map(|(_, measure)| match measure {
                        fangwei::score::Measure::Count(count) => Cell::Count(count),
                        fangwei::score::Measure::Number(number) => Cell::Number(number),
                        fangwei::score::Measure::Level(_) => Cell::Empty,
                    });
                    table
                        .row([Cell::from(class.as_str()), Cell::Count(*items), Cell::Count(*answered)].into_iter().chain(values));
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
                let class = |(class, items, answered, measures): &(String, u64, u64, Measures)| json!({ "class": class, "items": items, "answered": answered, "measures": measures });
                json!({ "facet": facet, "classes": classes.iter().map(class).collect::<Vec<_>>() })
            }
        }
    }
}

/// For each item the number of items of its origin.
fn origin_sizes(grouping: &Grouping, scored: &Scored<Asked>) -> anyhow::Result<Vec<String>> {
    let groups = groups(grouping, scored)?;
    let mut sizes = vec![0_usize; groups.count()];
    for group in groups.of() {
        sizes[*group as usize] += 1;
    }
    Ok(groups.of().iter().map(|group| sizes[*group as usize].to_string()).collect())
}
