//! Passages that are worth a question: rich in spatial words, full of things, clean, and hard to guess.
//!
//! Each criterion is one number of a passage and the limit that it must keep ([`CRITERIA`]); a passage falls at the first that it misses, and the [`Funnel`]
//! counts where. Those that pass are cut to the shares of genres that were asked for. Passages stream by three times (to train the model of
//! neighbours, to be judged, to be copied), so a corpus may be of any size; what is kept of it are the counts of the model, of fixed size, and some sixty
//! bytes for each passage that passes.
//!
//! Every part can run on many machines: models of parts of a corpus add up ([`NGram::add`]), passages are judged apart from each other ([`Judge::verdict`]),
//! funnels of what fell add up, and only what passes comes together in one place ([`Draw`]). [`run`] is made of these parts.

mod balance;
mod config;
mod criterion;
mod draw;
mod evidence;
mod funnel;
mod guess;
pub mod ngram;
mod run;
mod surface;

pub(crate) use balance::apportion;
pub use balance::{Balance, Passing, balance};
pub use config::{Config, ConfigError};
pub use criterion::{CRITERIA, Criterion, Limit};
pub use draw::{Draw, Drawn, Verdict};
pub use evidence::{Evidence, Judge};
pub use funnel::{Funnel, Tally};
pub use guess::{Guess, Rank, Rivals, Slot};
pub use ngram::{NGram, NoSuchCell};
pub use run::{Explained, Outcome, SelectError, explain, run, train};
pub use surface::Surface;
