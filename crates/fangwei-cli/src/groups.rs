//! Which items belong together when scores are resampled: by a field, by near-identical text, or each by itself.

use anyhow::bail;
use fangwei::origin;
use fangwei::stats::Groups;
use fangwei::task::{Item, Texts};

use crate::lang::t;
use crate::output::Usage;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// The field `origin` where every item has it, else near-identical text.
    Auto,
    /// Each item by itself.
    None,
    /// Near-identical text.
    Context,
    /// A field of the record.
    Field(String),
}

impl std::str::FromStr for Grouping {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Grouping, Self::Err> {
        Ok(match text {
            "auto" => Grouping::Auto,
            "none" => Grouping::None,
            "context" => Grouping::Context,
            field => Grouping::Field(field.to_owned()),
        })
    }
}

/// What an item's group is told by.
pub struct Key {
    field: Option<String>,
    text: String,
}

impl Grouping {
    /// The key of an item.
    pub fn key(&self, item: &Item) -> Key {
        let name = if let Grouping::Field(name) = self { name } else { "origin" };
        let field = item.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_line());
        let text = match &item.texts {
            Texts::Pair { context1, context2 } => format!("{context1}{context2}"),
            one => one.context().to_owned(),
        };
        Key { field, text }
    }

    /// The groups of items with these keys.
    pub fn groups<'k>(&self, keys: impl IntoIterator<Item = &'k Key>) -> anyhow::Result<Groups> {
        let keys: Vec<&Key> = keys.into_iter().collect();
        let by_field = keys.iter().all(|key| key.field.is_some());
        let by_text = || Groups::from_keys(origin::groups(&keys.iter().map(|key| key.text.as_str()).collect::<Vec<_>>()));
        match self {
            Grouping::None => Ok(Groups::singletons(keys.len())),
            Grouping::Context => Ok(by_text()),
            Grouping::Field(name) if !by_field => {
                let without = keys.iter().filter(|key| key.field.is_none()).count();
                bail!(Usage(format!(
                    "{}: {name} ({without}/{})",
                    t("有记录没有这个字段", "records lack this field"),
                    keys.len()
                )));
            }
            Grouping::Auto if !by_field => Ok(by_text()),
            Grouping::Field(_) | Grouping::Auto => Ok(Groups::from_keys(keys.iter().map(|key| key.field.as_deref()))),
        }
    }
}
