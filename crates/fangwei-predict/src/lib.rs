//! Predictors: systems that answer the items of every task, behind one trait and in one list.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`predictor`] | what a predictor and its model are, and the list of all ([`PREDICTORS`]) |
//! | [`material`], [`folds`] | what is learnt from: files of several tasks and years, without duplicates, cut by origin group |
//! | [`job`] | a training under way: seed, options, checkpoints, progress, interruption |
//! | [`folder`] | a model on disk: record and weights |
//! | [`belief`] | what a model thinks of an item, and the answer that follows |
//! | [`reading`] | a text as predictors see it: characters, words, clauses, spatial words |
//! | [`learn`], [`weights`] | sparse regression, conditional random fields, boosted trees; the file that keeps them |
//! | [`rule`], [`prior`], [`ensemble`] | predictors; [`draft`] turns what they think into answers of the early 2022 page |
//! | [`explore`] | all that predictors and lexicon say of one passage, for a person to look at |

pub mod belief;
pub mod draft;
#[cfg(feature = "encoder")]
pub mod encoder;
pub mod ensemble;
pub mod explain;
pub mod explore;
pub mod folder;
pub mod folds;
pub mod job;
pub mod learn;
pub mod linear;
pub mod material;
pub mod options;
pub mod predictor;
pub mod prior;
pub mod reading;
pub mod rule;
pub mod training;
pub mod validation;
pub mod weights;

pub use predictor::{Model, PREDICTORS, Predictor, find};
