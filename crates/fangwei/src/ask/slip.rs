//! Slips: the failures that the paper of 2023 saw in a model's answers, found by rule, so that they can be counted without gold.
//!
//! The rules speak of what the model wrote, before its texts are placed. They are not sure: [`SlipKind::NoLocative`] and [`SlipKind::NoConflict`] also
//! speak up for some gold answers, so their counts are to be held against those of gold, not against zero.

use smol_str::SmolStr;

use super::draft::{Draft, Given, Group};
use crate::answer::Kind;
use crate::lexicon::{Class, Lexicon};
use crate::task::Task;
use crate::tasks::{ROLES, SLOTS, TRIPLE_ROLES, reason_roles};

/// A kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlipKind {
    /// A P without any word of place or direction.
    NoLocative,
    /// Four to six fragments whose two triples have nothing in common that could be contradicted, or do not differ.
    NoConflict,
    /// A role twice in one tuple.
    RepeatedRole,
    /// A role that the task does not have.
    InventedRole,
    /// A tuple that says nothing about place.
    NotSpatial,
}

impl SlipKind {
    /// Every one.
    pub const ALL: [SlipKind; 5] =
        [SlipKind::NoLocative, SlipKind::NoConflict, SlipKind::RepeatedRole, SlipKind::InventedRole, SlipKind::NotSpatial];

    /// `no-locative`, …
    pub const fn as_str(self) -> &'static str {
        match self {
            SlipKind::NoLocative => "no-locative",
            SlipKind::NoConflict => "no-conflict",
            SlipKind::RepeatedRole => "repeated-role",
            SlipKind::InventedRole => "invented-role",
            SlipKind::NotSpatial => "not-spatial",
        }
    }
}

/// A failure and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Slip {
    /// The kind.
    pub kind: SlipKind,
    /// The tuple, candidate or reason, from 0 in the order of the reply.
    pub tuple: usize,
    /// The role or the text that shows it.
    pub what: SmolStr,
}

/// The slips of an answer.
pub(super) fn slips(task: &dyn Task, draft: &Draft) -> Vec<Slip> {
    let Draft::Groups(groups) = draft else { return Vec::new() };
    let mut slips = Vec::new();
    for (tuple, group) in groups.iter().enumerate() {
        let mut add = |kind: SlipKind, what: SmolStr| slips.push(Slip { kind, tuple, what });
        let known = roles(task.kind(), group);
        for (number, part) in group.parts.iter().enumerate() {
            if !known.contains(&part.role.as_str()) {
                add(SlipKind::InventedRole, part.role.clone());
            } else if group.parts[..number].iter().any(|before| before.role == part.role) {
                add(SlipKind::RepeatedRole, part.role.clone());
            }
            let place = matches!(part.role.as_str(), "P" | "P1" | "P2");
            if let (true, Some(text)) = (place, &part.text)
                && !is_of_place(text)
            {
                add(SlipKind::NoLocative, text.clone());
            }
        }
        match task.kind() {
            Kind::Tuples | Kind::Slots if !group.parts.iter().any(tells_place) => {
                let entity = group.parts.iter().find(|part| part.role == ROLES[0]);
                add(SlipKind::NotSpatial, entity.and_then(|part| part.text.clone()).unwrap_or_default());
            }
            Kind::Candidates | Kind::Reasons if group.parts.len() > 3 && !may_conflict(group) => {
                add(SlipKind::NoConflict, group.parts.len().to_string().into());
            }
            _ => {}
        }
    }
    slips
}

/// The roles that a group may have.
fn roles(kind: Kind, group: &Group) -> Vec<&'static str> {
    match kind {
        Kind::Candidates => TRIPLE_ROLES.to_vec(),
        Kind::Reasons => group.kind.map_or(&[] as &[&str], reason_roles).to_vec(),
        Kind::Slots => ROLES.iter().chain(&SLOTS).copied().collect(),
        _ => ROLES.to_vec(),
    }
}

/// Whether a role tells where its entity is: 处所 to 距离.
fn tells_place(part: &Given) -> bool {
    ROLES[5..].contains(&part.role.as_str())
}

/// Whether a text has a word of place or direction. A place may also be told by its name alone, which ends like one.
fn is_of_place(text: &str) -> bool {
    const ENDS: &str = "市县区村镇乡省国州路街道巷桥河江湖海山岛港站场厅院馆楼室房屋门窗墙地田园林家店厂校";
    const SPATIAL: [Class; 5] = [Class::Locative, Class::Place, Class::Directional, Class::Preposition, Class::Demonstrative];
    let lexicon = Lexicon::shipped();
    let characters: Vec<char> = text.chars().collect();
    let has_word = (0..characters.len()).any(|start| {
        (start + 1..=characters.len().min(start + 4)).any(|end| {
            let word: String = characters[start..end].iter().collect();
            lexicon.look_up(&word).any(|entry| SPATIAL.contains(&entry.class))
        })
    });
    has_word || characters.last().is_some_and(|last| ENDS.contains(*last))
}

/// Whether two triples could contradict each other: both tell something, they speak of something in common, and they are not the same.
fn may_conflict(group: &Group) -> bool {
    let text = |role: &str| group.parts.iter().find(|part| part.role == role).and_then(|part| part.text.as_deref());
    let triple = |number: &str| ["S", "P", "E"].map(|role| text(&format!("{role}{number}")).unwrap_or_default());
    let (one, other) = (triple("1"), triple("2"));
    if other == ["", "", ""] || one == other {
        return false;
    }
    // A shared entity may be named in two ways, so a shared character anywhere is enough.
    let characters = |triple: &[&str; 3]| triple.concat();
    let (one, other) = (characters(&one), characters(&other));
    one.chars().any(|character| other.contains(character))
}
