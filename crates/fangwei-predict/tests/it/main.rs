//! What predictors promise, tested from outside, for every predictor and every task: sound answers to any text, models that are kept and loaded the same.

// Tests have no manual.
#![allow(missing_docs, clippy::missing_panics_doc)]

mod ensemble;
mod hostile;
mod kept;
mod shared;
mod shortcuts;
