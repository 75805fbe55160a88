//! Breaks a score down: by what the task knows of an item (type, fragment count, roles), by length, or by any field of the record.

use crate::lang::{Unknown, words};
use crate::record::Json;
use crate::task::{Item, Task};

/// A way of sorting items into classes. An item may belong to several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Facet {
    /// What the task knows: `type`, `fragments`, `roles`, `gold`, ….
    Task(String),
    /// The length of the text, in steps of 50 characters.
    Length,
    /// The number of items made from the same original.
    OriginSize,
    /// Each role by itself, over the parts of answers rather than over items.
    Role,
    /// A field of the record.
    Field(String),
}

impl Facet {
    /// Reads the name of a facet. Anything that is no facet is taken for a field.
    pub fn parse(name: &str, task: &dyn Task) -> Facet {
        match name {
            "length" => Facet::Length,
            "origin-size" => Facet::OriginSize,
            "role" => Facet::Role,
            _ if task.facets().contains(&name) => Facet::Task(name.to_owned()),
            _ => Facet::Field(name.to_owned()),
        }
    }

    /// The names that [`Facet::parse`] knows for a task, besides fields.
    pub fn names(task: &dyn Task) -> Vec<String> {
        task.facets().iter().copied().chain(["role", "length", "origin-size"]).map(ToOwned::to_owned).collect()
    }

    /// The classes of an item; none where it has no such field, or where they are not told item by item.
    pub fn classes(&self, task: &dyn Task, item: &Item) -> Vec<String> {
        match self {
            Facet::Task(name) => task.facet(name, item).unwrap_or_default(),
            Facet::Length => {
                let from = item.texts.context().chars().count() / 50 * 50;
                vec![format!("{from:03}-{:03}", from + 49)]
            }
            Facet::Field(name) => item.extra.iter().filter(|(key, _)| key == name).map(|(_, value)| word(value)).collect(),
            Facet::OriginSize | Facet::Role => Vec::new(),
        }
    }

    /// The error to give where no item has a class.
    pub fn unknown(&self, task: &dyn Task) -> Unknown {
        let asked = match self {
            Facet::Task(name) | Facet::Field(name) => name,
            Facet::Length => "length",
            Facet::OriginSize => "origin-size",
            Facet::Role => "role",
        };
        let what = words("没有题目有这个类别或字段", "no item has the facet or field");
        Unknown { list: words("可选类别", "known facets"), ..Unknown::new(what, asked, Facet::names(task)) }
    }
}

fn word(value: &Json<'_>) -> String {
    value.as_str().map_or_else(|| value.brief(), ToOwned::to_owned)
}
