//! Evaluating language models on every task: asking, patiently and without paying twice; then reading, scoring, judging and showing what came.
//!
//! | room | idea |
//! | --- | --- |
//! | [`provider`] | who answers messages, and which failures may pass |
//! | [`chat`] | chat completions over HTTP; what a server does not take is learned from its refusal |
//! | `local` (feature `local`) | a model on this machine: chat, and the surprisal of texts |
//! | [`mock`] | a provider without a model: echo, gold with noise, failures by script; also as a server |
//! | [`runner`] | many requests at once, at a pace that the server can bear, within a budget |
//! | [`folder`] | everything that was asked and came back; responses are on the disk before anything else happens |
//! | [`shelf`] | items on the disk, to be had one at a time |
//! | [`asking`] | from items and a prompt to requests |
//! | [`score`] | what became of every reply, and the score under every policy |
//! | [`judge`] | a model grades reasons, held against people |
//! | [`view`] | pages that open from disk |
//!
//! What is asked and how replies are read is the library's matter ([`fangwei::ask`]); scores are [`fangwei::score`]'s.

pub mod asking;
pub mod chat;
pub mod folder;
pub mod judge;
pub mod key;
#[cfg(feature = "local")]
pub mod local;
pub mod mock;
pub mod provider;
pub mod runner;
pub mod score;
pub mod shelf;
pub mod view;
