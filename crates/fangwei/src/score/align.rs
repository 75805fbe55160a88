//! Why an item got 0.43: which parts of gold and prediction were held against each other, and what each earned.

use serde::Serialize;

use crate::lang::Say;
use crate::text::Span;

use super::{f1, ratio};

/// How one item was scored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// The item's own numbers, by name: precision, recall, F1, ….
    pub numbers: Vec<(String, f64)>,
    /// What was matched, and what was left over on either side.
    pub pairs: Vec<Pair>,
    /// What else there is to know: limits applied, no prediction, ….
    pub notes: Vec<Say>,
}

/// A gold part and the predicted part that was held against it; one of them may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// Number of the gold answer or tuple, from 0.
    pub gold: Option<usize>,
    /// Number of the predicted one.
    pub pred: Option<usize>,
    /// What the pair earned.
    pub earned: f64,
    /// Role by role.
    pub rows: Vec<RoleRow>,
    /// Why, where it is not plain from the rows.
    pub note: Option<Say>,
}

/// What one role earned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleRow {
    /// The role.
    pub role: String,
    /// What gold has.
    pub gold: Option<Side>,
    /// What the prediction has.
    pub pred: Option<Side>,
    /// What was earned, out of either size.
    pub hits: f64,
    /// The size of the gold side: characters, or 1 for a role of a tuple.
    pub gold_size: f64,
    /// The size of the predicted side.
    pub pred_size: f64,
    /// Which coreference was used, and the like.
    pub note: Option<Say>,
}

/// One side of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// The text, or the label, or both.
    pub text: String,
    /// The places of the text.
    pub span: Span,
}

/// The sums of one role over many items.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RoleTotals {
    /// The role.
    pub role: String,
    /// What was earned.
    pub hits: f64,
    /// The size of all gold sides.
    pub gold: f64,
    /// The size of all predicted sides.
    pub pred: f64,
    /// hits / pred
    pub precision: f64,
    /// hits / gold
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
}

/// Adds up the rows of alignments role by role, roles in the order in which they first occur.
pub fn by_role<'a>(alignments: impl IntoIterator<Item = &'a Alignment>) -> Vec<RoleTotals> {
    let mut totals: Vec<RoleTotals> = Vec::new();
    for row in alignments.into_iter().flat_map(|alignment| &alignment.pairs).flat_map(|pair| &pair.rows) {
        let known = totals.iter().position(|total| total.role == row.role);
        let at = known.unwrap_or_else(|| {
            totals.push(RoleTotals { role: row.role.clone(), ..RoleTotals::default() });
            totals.len() - 1
        });
        let total = &mut totals[at];
        total.hits += row.hits;
        total.gold += row.gold_size;
        total.pred += row.pred_size;
    }
    for total in &mut totals {
        total.precision = ratio(total.hits, total.pred);
        total.recall = ratio(total.hits, total.gold);
        total.f1 = f1(total.precision, total.recall);
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_add_up() {
        let row = |role: &str, hits, gold_size, pred_size| RoleRow {
            role: role.into(),
            hits,
            gold_size,
            pred_size,
            ..RoleRow::default()
        };
        let alignment = Alignment {
            pairs: vec![Pair {
                rows: vec![row("P1", 2.0, 4.0, 2.0), row("E1", 0.0, 1.0, 0.0), row("P1", 1.0, 2.0, 4.0)],
                ..Pair::default()
            }],
            ..Alignment::default()
        };
        let totals = by_role([&alignment]);
        assert_eq!(totals.len(), 2);
        assert_eq!((totals[0].precision, totals[0].recall, totals[0].f1), (0.5, 0.5, 0.5));
        assert_eq!(totals[1].f1, 0.0);
    }
}
