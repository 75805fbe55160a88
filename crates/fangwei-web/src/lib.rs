//! The platform: people annotate, review, agree; teams take part in competitions.
//!
//! [`app`] is a router over an [`App`]; tests call it without a socket, [`serve`] binds it to one. Every address is a row of [`routes::ROUTES`], which says whom it
//! serves; [`guard`] keeps that promise before a handler runs. What people do is appended to the database, never overwritten. Marks are checked by
//! `fangwei::annotate` and compared by `fangwei::agree`: the platform stores and shows, it computes nothing in a way of its own.

pub mod accounts;
pub mod agree;
mod app;
pub mod archive;
pub mod asked;
mod assets;
mod assignments;
pub mod audit;
pub mod awards;
pub mod batches;
pub mod board;
pub mod chance;
mod clock;
pub mod contests;
pub mod copy;
pub mod database;
mod download;
pub mod explore;
pub mod failure;
pub mod guard;
mod health;
mod home;
pub mod human;
pub mod id;
mod limit;
pub mod markdown;
mod marks;
mod messages;
pub mod openapi;
pub mod page;
pub mod policy;
pub mod prompts;
pub mod ready;
pub mod report;
pub mod rescore;
pub mod review;
pub mod route;
pub mod routes;
pub mod sent;
pub mod serve;
pub mod shown;
pub mod store;
pub mod stored;
pub mod submit;
pub mod teams;
pub mod thread;
pub mod who;
pub mod work;

pub use app::{App, Clock, MOST_BYTES, Settings, app, now};
