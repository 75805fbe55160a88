//! Scores are sums: an item gives a row of numbers, rows are added up, and measures are read off the sums.
//!
//! So the whole, a facet, a bootstrap sample and a part on another core are the same code. What an item's row holds is the task's matter ([`crate::task::Task::score`]);
//! the two families that several tasks share stand here: [`fragments`] (characters in roles) and [`tuples`] (roles in matched tuples).

mod align;
mod asked;
mod assign;
mod breakdown;
mod explain;
mod facet;
pub mod fragments;
mod grades;
mod measures;
mod render;
mod run;
pub mod tuples;

pub use align::{Alignment, Pair, RoleRow, RoleTotals, Side, by_role};
pub use asked::{Asked, Asking};
pub use assign::assign;
pub use breakdown::{Breakdown, BreakdownError, ClassScore, groups_of};
pub use explain::{Difference, explain_modes};
pub use facet::Facet;
pub use grades::{Grades, Rubric, SceneGrades, grade_scenes, read_grades};
pub use measures::{Measure, Measures, title};
pub use render::{alignment_json, alignment_text, differences_text, score_json, score_table};
pub(crate) use run::each_record;
pub use run::{Predictions, ScoreError, Scored, each_item, read_items, read_preds, score, score_answers, score_items};

/// A ratio of sums; 0/0 is 0, as in every official script.
pub fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator == 0.0 { 0.0 } else { numerator / denominator }
}

/// The harmonic mean of precision and recall; of two zeros, 0.
pub fn f1(precision: f64, recall: f64) -> f64 {
    ratio(2.0 * precision * recall, precision + recall)
}

/// The sums over some items.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Total {
    /// How many items there are.
    pub items: u64,
    /// How many of them have a prediction that could be read.
    pub answered: u64,
    /// One sum a column of the task.
    pub sums: Vec<f64>,
}

impl Total {
    /// No items yet.
    pub fn new(columns: usize) -> Total {
        Total { items: 0, answered: 0, sums: vec![0.0; columns] }
    }

    /// Adds an item.
    pub fn add(&mut self, answered: bool, row: &[f64]) {
        self.items += 1;
        self.answered += u64::from(answered);
        for (sum, value) in self.sums.iter_mut().zip(row) {
            *sum += value;
        }
    }

    /// The mean of a column over all items.
    pub fn mean(&self, column: usize) -> f64 {
        ratio(self.sums[column], self.items as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_over_nothing_is_zero() {
        assert_eq!(ratio(0.0, 0.0), 0.0);
        assert_eq!(f1(0.0, 0.0), 0.0);
        assert_eq!(f1(0.5, 1.0), 2.0 / 3.0);
    }

    #[test]
    fn totals_are_sums() {
        let mut total = Total::new(2);
        total.add(true, &[1.0, 0.5]);
        total.add(false, &[0.0, 0.0]);
        assert_eq!((total.items, total.answered, total.mean(1)), (2, 1, 0.25));
    }
}
