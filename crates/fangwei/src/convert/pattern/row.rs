//! One row of the pattern table: two classes, what stands between them, and who gets which characters.

use super::class::{Class, Part};
use super::reading::Reading;

/// A role of the 2023 form that a conversion can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The entity.
    S1,
    /// The place.
    P1,
    /// The event.
    E1,
}

impl Role {
    /// The role of this name.
    pub fn named(name: &str) -> Option<Role> {
        match name {
            "S1" => Some(Role::S1),
            "P1" => Some(Role::P1),
            "E1" => Some(Role::E1),
            _ => None,
        }
    }

    /// The name in the released files.
    pub fn name(self) -> &'static str {
        match self {
            Role::S1 => "S1",
            Role::P1 => "P1",
            Role::E1 => "E1",
        }
    }
}

/// What has to stand between the two fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// Anything.
    Any,
    /// Nothing but punctuation.
    Adjacent,
    /// At least one character that is not punctuation.
    Apart,
    /// 的, at the end of `text1` or right before `text2`.
    De,
    /// Anything, and both fragments have the same text.
    Same,
}

impl Between {
    /// The condition of this name in the table.
    pub fn named(name: &str) -> Option<Between> {
        match name {
            "any" => Some(Between::Any),
            "adjacent" => Some(Between::Adjacent),
            "apart" => Some(Between::Apart),
            "de" => Some(Between::De),
            "same" => Some(Between::Same),
            _ => None,
        }
    }
}

/// Some characters of one fragment: its number (1 or 2) and a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// 1 or 2.
    pub fragment: u8,
    /// Which of its characters.
    pub part: Part,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Its name, in kebab case.
    pub name: String,
    /// The classes that `text1` may have.
    pub text1: Vec<Class>,
    /// The classes that `text2` may have.
    pub text2: Vec<Class>,
    /// What has to stand between them.
    pub between: Between,
    /// What each role gets, in order.
    pub result: Vec<(Role, Vec<Share>)>,
    /// A sentence with `text1` in `[]` and `text2` in `{}`.
    pub example: String,
    /// The roles and texts that the example gives, as `P1=…`.
    pub expected: Vec<(Role, String)>,
}

impl Pattern {
    /// The first pair of readings that this row fits, if what stands between the fragments allows it.
    pub(crate) fn fit<'r>(
        &self,
        text1: &'r [Reading],
        text2: &'r [Reading],
        between: &[Between],
    ) -> Option<(&'r Reading, &'r Reading)> {
        if self.between != Between::Any && !between.contains(&self.between) {
            return None;
        }
        let one = text1.iter().find(|r| fits(&self.text1, r.class))?;
        let two = text2.iter().find(|r| fits(&self.text2, r.class))?;
        Some((one, two))
    }
}

fn fits(classes: &[Class], class: Class) -> bool {
    classes.contains(&class) || classes.contains(&Class::Any)
}
