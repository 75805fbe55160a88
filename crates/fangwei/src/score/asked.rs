//! What may be asked of an item beside its score: its origin, its classes under a facet, how gold and prediction were matched, where the modes part.

use super::align::Alignment;
use super::explain::{Difference, explain_modes};
use super::facet::Facet;
use crate::answer::Answer;
use crate::origin::{Grouping, Key};
use crate::task::{Item, Mode, Task};

/// Questions that are put to every item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asking<'a> {
    /// What its origin is told by.
    pub origin: Option<&'a Grouping>,
    /// What classes it belongs to.
    pub facet: Option<&'a Facet>,
    /// Items whose alignment is wanted, by qid.
    pub shown: &'a [String],
    /// Where official and spec part.
    pub modes: bool,
    /// The item itself and its answer.
    pub keep: bool,
}

/// What an item said. Boxed, because most of a million items are asked for nothing.
#[derive(Debug, Default)]
pub struct Asked {
    /// What its origin is told by.
    pub key: Option<Box<Key>>,
    /// Its classes under the facet.
    pub classes: Vec<String>,
    /// How gold and prediction were matched.
    pub alignment: Option<Box<Alignment>>,
    /// Where official and spec part.
    pub difference: Option<Box<Difference>>,
    /// The item and its answer.
    pub kept: Option<Box<(Item, Option<Answer>)>>,
}

impl Asking<'_> {
    /// Asks an item.
    pub fn of(&self, task: &dyn Task, mode: Mode, item: &Item, pred: Option<&Answer>) -> Asked {
        let shown = self.shown.iter().any(|qid| *qid == item.qid);
        let aligned = shown || self.facet == Some(&Facet::Role);
        Asked {
            key: self.origin.map(|grouping| Box::new(grouping.key(item))),
            classes: self.facet.map(|facet| facet.classes(task, item)).unwrap_or_default(),
            alignment: aligned.then(|| Box::new(task.align(mode.rules(), item, pred))),
            difference: if self.modes { explain_modes(task, item, pred).map(Box::new) } else { None },
            kept: (shown || self.keep).then(|| Box::new((item.clone(), pred.cloned()))),
        }
    }
}
