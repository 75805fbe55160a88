//! A model on this machine: a GGUF file of the Qwen2 kind on the processor, without any network.
//!
//! | room | idea |
//! | --- | --- |
//! | `head`, `weights` | what a file says and holds, checked before it is believed |
//! | `model`, `attention`, `cache` | Qwen2; all positions of several texts in one pass |
//! | `vocabulary` | texts into tokens; conversations as Qwen writes them |
//! | `chat`, `draw` | [`Local`] as a [`Provider`](crate::provider::Provider) |
//! | `surprisal`, `rivals` | how many bits a text, and each of its spatial words against its rivals, comes as a surprise |

mod attention;
mod cache;
mod chat;
mod draw;
mod error;
mod head;
mod model;
mod rivals;
mod surprisal;
mod vocabulary;
mod weights;

#[cfg(test)]
mod tests;

pub use error::LocalError;
pub use model::Dimensions;
pub use rivals::{RivalSurprise, Weighed, WordSurprise};
pub use surprisal::Surprise;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use chat::Memory;
use model::Qwen2;
use vocabulary::Vocabulary;

/// A model on this machine.
#[derive(Debug)]
pub struct Local {
    model: Qwen2,
    vocabulary: Vocabulary,
    place: String,
    /// One request at a time: a second would only take the processor away from the first.
    memory: Mutex<Memory>,
    asked: AtomicU64,
}

impl Local {
    /// The model of a GGUF file, with its `tokenizer.json`.
    pub fn load(gguf: &Path, tokenizer: &Path) -> Result<Local, LocalError> {
        let (model, tokens) = Qwen2::load(gguf)?;
        let vocabulary = Vocabulary::load(tokenizer, model.dimensions.vocabulary, tokens.as_deref())?;
        let place = gguf.canonicalize().unwrap_or_else(|_| gguf.to_owned()).display().to_string();
        Ok(Local { model, vocabulary, place, memory: Mutex::default(), asked: AtomicU64::new(0) })
    }

    /// The sizes of the model.
    pub fn dimensions(&self) -> &Dimensions {
        &self.model.dimensions
    }
}
