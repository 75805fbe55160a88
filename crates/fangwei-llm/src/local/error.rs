//! Why a model on this machine cannot be used, or cannot answer.

use std::path::{Path, PathBuf};

/// Why a model on this machine cannot be used, or cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {key}: expected {expected}, found {found}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Which value, matrix or token of it.
        key: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The text is longer than the model can look back.
    #[error("expected at most {most} tokens (the context of the model), found {found}")]
    TooLong {
        /// The context.
        most: usize,
        /// The tokens.
        found: usize,
    },
    /// The text cannot be cut into tokens, or tokens not joined into a text.
    #[error("tokenizer: {0}")]
    Tokens(String),
    /// The model gives infinities or no numbers.
    #[error("the model's values are not finite: its file may be damaged")]
    NotFinite,
    /// An operation on matrices failed.
    #[error(transparent)]
    Matrix(#[from] candle_core::Error),
}

impl LocalError {
    /// Makes errors about a file that the system does not give.
    pub(super) fn io(path: &Path) -> impl Fn(std::io::Error) -> LocalError + use<> {
        let path = path.to_owned();
        move |error| LocalError::Io { path: path.clone(), error }
    }

    /// An error about a value in a file.
    #[allow(clippy::needless_pass_by_value, reason = "texts and numbers that were made for it")]
    pub(super) fn file(path: &Path, key: impl Into<String>, expected: impl ToString, found: impl ToString) -> LocalError {
        LocalError::File { path: path.to_owned(), key: key.into(), expected: expected.to_string(), found: found.to_string() }
    }
}
