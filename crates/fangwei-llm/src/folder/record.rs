//! `run.toml`: from it and the files beside it a run can be repeated.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::FolderError;
use crate::provider::{Sampling, Shape};

/// A file that was read, and its hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Where it was.
    pub file: PathBuf,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl File {
    /// The file at a path.
    pub fn at(path: &Path) -> Result<File, FolderError> {
        let failed = FolderError::io(path);
        let mut reader = std::fs::File::open(path).map_err(&failed)?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match std::io::Read::read(&mut reader, &mut buffer).map_err(&failed)? {
                0 => break,
                count => hash.update(&buffer[..count]),
            }
        }
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(File { file, sha256: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect() })
    }
}

/// The prompt and its shots.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// `ours`, `organisers`, `fudan`, or a file's name.
    pub name: String,
    /// SHA-256 of its text.
    pub version: String,
    /// How many shots.
    pub shots: usize,
    /// How they were chosen.
    pub choice: String,
    /// The seed of that choice.
    pub seed: u64,
    /// From which file; otherwise from the sample that comes with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<File>,
}

/// What was asked of whom, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The version of this file.
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// When it began, in milliseconds since 1970.
    pub begun: u64,
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// `openai`, `mock`, ….
    pub provider: String,
    /// Where it is.
    pub place: String,
    /// The form of replies.
    pub shape: Shape,
    /// Whether they came piece by piece.
    pub stream: bool,
    /// How often each item was asked.
    pub repeats: u32,
    /// How many of the items were asked; all, where it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// How replies are drawn.
    pub sampling: Sampling,
    /// The prompt.
    pub prompt: Asked,
    /// The items.
    pub input: File,
    /// The file with their gold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<File>,
}

/// A setting in which two runs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its name in `run.toml`.
    pub name: &'static str,
    /// Its value there.
    pub there: String,
    /// Its value here.
    pub here: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: there {}, here {}", self.name, self.there, self.here)
    }
}

impl Record {
    /// As a file.
    ///
    /// # Panics
    ///
    /// Never: only maps with keys that are no strings cannot be written, and there is none.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a record is a table of plain values")
    }

    /// Where another record is of another run. What only says how patiently, how often or how many does not count: the same content has the same key.
    pub fn differences(&self, there: &Record) -> Vec<Difference> {
        let sampling = |record: &Record| {
            let Sampling { temperature, seed, max_tokens } = record.sampling;
            format!("temperature {temperature:?}, seed {seed:?}, max_tokens {max_tokens:?}")
        };
        let prompt = |record: &Record| {
            let Asked { name, version, shots, choice, seed, pool } = &record.prompt;
            let pool = pool.as_ref().map_or("sample", |pool| brief(&pool.sha256));
            format!("{name} {} ({shots} shots, {choice}, seed {seed}, {pool})", brief(version))
        };
        let all = [
            ("task", there.task.clone(), self.task.clone()),
            ("model", there.model.clone(), self.model.clone()),
            ("shape", format!("{:?}", there.shape), format!("{:?}", self.shape)),
            ("sampling", sampling(there), sampling(self)),
            ("prompt", prompt(there), prompt(self)),
            ("input", brief(&there.input.sha256).to_owned(), brief(&self.input.sha256).to_owned()),
        ];
        let differ = all.into_iter().filter(|(_, there, here)| there != here);
        differ.map(|(name, there, here)| Difference { name, there, here }).collect()
    }
}

/// The beginning of a hash.
pub(crate) fn brief(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
