//! The platform as its users meet it: whole requests against a fresh database, on SQLite and, where one is at hand, on PostgreSQL.

// Tests have no manual, and say on standard error what they skip.
#![allow(missing_docs, clippy::missing_panics_doc, clippy::print_stderr)]

mod accounts;
mod agree;
mod archive;
mod awards;
mod batches;
mod board;
mod contests;
mod explore;
mod hostile;
mod leak;
mod nodes;
mod prompts;
mod rescore;
mod review;
mod routes;
mod scenes;
mod seed;
mod settings;
mod site;
mod submit;
mod teams;
mod work;
