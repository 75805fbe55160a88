//! Why an encoder cannot be fetched, loaded or used.

use std::path::{Path, PathBuf};

use fangwei::lang::Lang;

/// Why an encoder cannot be fetched, loaded or used.
#[derive(Debug, thiserror::Error)]
pub enum EncoderError {
    /// The system.
    #[error("{}: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{file}: expected {expected}, found {found}")]
    File {
        /// The file, or the part of it.
        file: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Tensors that do not make up the network that the configuration describes.
    #[error("{file}: {}", misfits(missing, extra, misshapen))]
    Tensors {
        /// The file.
        file: String,
        /// Names that should be there.
        missing: Vec<String>,
        /// Names that nobody knows.
        extra: Vec<String>,
        /// Names with the expected and the found shape.
        misshapen: Vec<String>,
    },
    /// The registry.
    #[error("{url}: {problem}")]
    Fetch {
        /// Where it was asked.
        url: String,
        /// What went wrong.
        problem: String,
    },
    /// A licence that is not permissive, and nobody accepted it.
    #[error("{name}: its licence was not accepted: {licence}")]
    Licence {
        /// The encoder.
        name: String,
        /// Its licence.
        licence: String,
    },
    /// Someone asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl EncoderError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        if lang == Lang::En {
            return self.to_string();
        }
        match self {
            EncoderError::Io { file, error } => format!("{}：{error}", file.display()),
            EncoderError::File { file, expected, found } => format!("{file}：应为 {expected}，实为 {found}"),
            EncoderError::Tensors { file, missing, extra, misshapen } => {
                let list = |what: &str, names: &[String]| {
                    (!names.is_empty()).then(|| format!("{what} {} 个：{}", names.len(), names.join("、")))
                };
                let lists = [list("缺少", missing), list("不认识", extra), list("形状不符", misshapen)];
                format!("{file}：{}", lists.into_iter().flatten().collect::<Vec<_>>().join("；"))
            }
            EncoderError::Fetch { url, problem } => format!("{url}：{problem}"),
            EncoderError::Licence { name, licence } => format!("{name}：没有接受许可证：{licence}"),
            EncoderError::Interrupted => "已中断".to_owned(),
        }
    }

    /// An error of the system about a file.
    pub fn io(file: &Path) -> impl FnOnce(std::io::Error) -> EncoderError + '_ {
        move |error| EncoderError::Io { file: file.to_owned(), error }
    }

    /// A file that is not what it should be.
    #[expect(clippy::needless_pass_by_value, reason = "callers give numbers and made texts")]
    pub fn file(file: impl ToString, expected: impl ToString, found: impl ToString) -> EncoderError {
        EncoderError::File { file: file.to_string(), expected: expected.to_string(), found: found.to_string() }
    }
}

fn misfits(missing: &[String], extra: &[String], misshapen: &[String]) -> String {
    let list =
        |what: &str, names: &[String]| (!names.is_empty()).then(|| format!("{} {what}: {}", names.len(), names.join(", ")));
    let lists = [list("missing", missing), list("not known", extra), list("of another shape", misshapen)];
    lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
