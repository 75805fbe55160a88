//! A role of a tuple, of either year, ready to be compared.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::{ENTITY, REFERENCE, TupleRules};
use crate::answer::{Element, Fragment, Part, Slot};
use crate::text::{IdxSet, Span};

/// A role of a tuple, ready to be compared.
#[derive(Clone, Debug)]
pub struct Cell {
    pub(super) role: SmolStr,
    pub(super) label: Part<SmolStr>,
    pub(super) fragment: Part<Piece>,
    /// Whether no cell before it in its tuple has its role.
    pub(super) first: bool,
}

/// A fragment, ready to be compared.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: SmolStr,
    pub(super) span: Span,
    pub(super) places: IdxSet,
    /// Sorted characters.
    pub(super) characters: SmallVec<[char; 8]>,
}

impl Cell {
    pub(super) fn is_entity(&self) -> bool {
        self.role == ENTITY || self.role == REFERENCE
    }
}

impl Piece {
    fn new(fragment: &Fragment, rules: TupleRules) -> Piece {
        let mut characters: SmallVec<[char; 8]> = fragment.text.chars().collect();
        characters.sort_unstable();
        if rules.characters_once {
            characters.dedup();
        }
        Piece { text: fragment.text.clone(), span: fragment.span.clone(), places: fragment.span.to_set(), characters }
    }
}

/// Marks the first cell of each role.
fn mark_first(mut cells: Vec<Cell>) -> Vec<Cell> {
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    for number in 0..cells.len() {
        // A tuple has few roles, unless it is an attack.
        cells[number].first = if cells.len() <= 32 {
            cells[..number].iter().all(|before| before.role != cells[number].role)
        } else {
            seen.insert(cells[number].role.clone())
        };
    }
    cells
}

/// A tuple of 2023 as cells.
pub fn cells_of_elements(tuple: &[Element], rules: TupleRules) -> Vec<Cell> {
    let cell = |element: &Element| Cell {
        role: element.role.clone(),
        label: element.label.clone(),
        fragment: match &element.fragment {
            Part::Absent => Part::Absent,
            Part::Unusable => Part::Unusable,
            Part::Value(fragment) => Part::Value(Piece::new(fragment, rules)),
        },
        first: true,
    };
    mark_first(tuple.iter().map(cell).collect())
}

/// A tuple of 2022 as cells: each slot that is not empty is a role of its own. In a tuple of the wrong length no slot has a meaning, so none can match.
pub fn cells_of_slots(tuple: &[Slot], names: &[&'static str], rules: TupleRules) -> Vec<Cell> {
    let sound = tuple.len() == names.len();
    let cell = |(number, slot): (usize, &Slot)| {
        let (label, fragment) = match slot {
            Slot::Empty => return None,
            Slot::Label(label) => (Part::Value(label.clone()), Part::Absent),
            Slot::Fragment(fragment) => (Part::Absent, Part::Value(Piece::new(fragment, rules))),
            Slot::Unusable => (Part::Unusable, Part::Absent),
        };
        let role = names.get(number).filter(|_| sound).copied().unwrap_or("?");
        Some(Cell { role: SmolStr::new_static(role), label, fragment, first: true })
    };
    mark_first(tuple.iter().enumerate().filter_map(cell).collect())
}
