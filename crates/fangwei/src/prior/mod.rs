//! Priors: what can be answered without understanding, from how labels lean on words. [`crate::audit`] tries them on a dataset to say how much it gives away; the
//! predictor `prior` answers with them, so that a board can show them beside real systems.
//!
//! | | leans on |
//! | --- | --- |
//! | [`PairPrior`] | which word took the place of which |
//! | [`difference`] with [`Regression`] | that, and where and between which characters |
//! | [`grams`] with [`Regression`] | single characters |
//! | [`Habit`] | how fragments lie around a replaced word |

mod judge;
mod learn;
mod locate;

pub use judge::{PairPrior, difference, verdict};
pub use learn::{Rates, Regression, feature, grams, mix};
pub use locate::{Habit, answers};
