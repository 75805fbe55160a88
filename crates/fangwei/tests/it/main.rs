//! What the library promises, tested from outside: own golden cases, the reference scorers' cases where they are at hand, properties.

// Tests have no manual, and say on standard error what they skip.
#![allow(missing_docs, clippy::missing_panics_doc, clippy::needless_pass_by_value, clippy::print_stderr)]

mod agree;
mod annotate;
mod ask;
mod audit;
mod convert;
mod corpus;
mod forms;
mod golden;
mod guides;
mod hostile;
mod pieces;
mod properties;
mod reasons;
mod release;
mod report;
mod select;
mod shared;
