//! What forms are made of: choices, records of fields, texts.

use serde::Serialize;

use crate::lang::Words;

/// Something to fill in.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Part {
    /// One of some values, or several.
    Choice(ChoicePart),
    /// Any number of records.
    Records(RecordsPart),
    /// Free text.
    Text(TextPart),
}

/// The part is shown where another part has one of these values.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct When {
    /// The other part.
    pub name: &'static str,
    /// Its values.
    #[serde(rename = "in")]
    pub values: Vec<&'static str>,
}

/// One of some values, or several.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChoicePart {
    /// Its name in a sheet.
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// Whether it must be filled in.
    pub required: bool,
    /// The values.
    pub options: Vec<Choice>,
    /// Whether several may be chosen.
    pub many: bool,
    /// When it is shown; always, where there is nothing.
    pub when: Option<When>,
}

/// A value to choose.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// The value in a sheet.
    pub value: &'static str,
    /// The value for people.
    pub label: Words,
    /// The key that chooses it; empty where there is none.
    pub key: &'static str,
}

/// Any number of records.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordsPart {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// The types of records.
    pub types: Vec<RecordType>,
    /// So many records of these types together.
    pub most: usize,
    /// When it is shown.
    pub when: Option<When>,
}

/// A type of records.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordType {
    /// Its name in a sheet.
    #[serde(rename = "type")]
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// The fields, in their order.
    pub fields: Vec<Field>,
    /// So many fields must be filled.
    pub least_fields: usize,
    /// A sentence with the fields' names in braces.
    pub frame: Option<Words>,
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// Places in a text.
    Span,
    /// One of some labels.
    Label,
    /// Free text.
    Text,
}

/// How what a field marks is underlined, so that colour is not all that tells fields apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names of CSS.
pub enum Shape {
    Solid,
    Dashed,
    Dotted,
    Double,
    Wavy,
}

/// A field of a record.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Field {
    /// Its name in a sheet.
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// The key that fills it.
    pub key: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// The text that its places count in; any, where there is nothing.
    pub text: Option<&'static str>,
    /// Whether it may hold several values side by side. Of a tuple, each makes a tuple of its own.
    pub many: bool,
    /// Whether a value may have several pieces, in any order.
    pub pieces: bool,
    /// The labels.
    pub options: Vec<Choice>,
    /// What it is in a picture of the scene: `entity`, `event`, `fact`, `time`, `place`, `start`, `end`, `direction`, `orientation`, `part`, `shape`, `path`,
    /// `distance`; other names where it has no place in one.
    pub group: &'static str,
    /// Whether it is shown at once.
    pub primary: bool,
    /// The number of its colour, 0 to 7.
    pub colour: u8,
    /// Its underline.
    pub shape: Shape,
}

/// Free text.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextPart {
    /// Its name in a sheet.
    pub name: &'static str,
    /// Its name for people.
    pub label: Words,
    /// How many lines are shown.
    pub lines: u8,
    /// Whether it must be filled in.
    pub required: bool,
    /// When it is shown.
    pub when: Option<When>,
    /// A text to begin with, in which what stands in braces is to be replaced.
    pub frame: Option<Words>,
}
