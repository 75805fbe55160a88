//! Where `official` and `spec` part, item by item, and which quirk is to blame.

use smallvec::SmallVec;

use crate::answer::Answer;
use crate::task::{Item, Mode, Task};

/// An item that the two modes score differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The item's own value of the ranking measure under the script.
    pub official: f64,
    /// The same under the text.
    pub spec: f64,
    /// The numbers of the quirks that matter: switching one of them alone changes the official or the spec score.
    pub quirks: Vec<usize>,
}

/// Compares the modes on one item; `None` where they agree on all its own numbers.
pub fn explain_modes(task: &dyn Task, item: &Item, pred: Option<&Answer>) -> Option<Difference> {
    let columns = task.scale().columns.len();
    let own = task.scale().own;
    let score = |rules| {
        let mut row: SmallVec<[f64; 8]> = SmallVec::from_elem(0.0, columns);
        task.score(rules, item, pred, &mut row);
        row
    };
    let differ = |a: &[f64], b: &[f64]| a[..own].iter().zip(&b[..own]).any(|(a, b)| (a - b).abs() > 1e-12);
    let (official, spec) = (score(Mode::Official.rules()), score(Mode::Spec.rules()));
    if !differ(&official, &spec) {
        return None;
    }
    let matters = |i: &usize| {
        differ(&official, &score(Mode::Official.rules().flip(*i))) || differ(&spec, &score(Mode::Spec.rules().flip(*i)))
    };
    let quirks = (0..task.quirks().len()).filter(matters).collect();
    Some(Difference { official: official[task.scale().item], spec: spec[task.scale().item], quirks })
}
