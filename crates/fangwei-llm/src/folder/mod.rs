//! The folder of a run: everything that was asked and everything that came back, so that scoring and viewing never ask again.
//!
//! | file | what |
//! | --- | --- |
//! | `run.toml` | what was asked of whom, and how |
//! | `prompt.md` | the prompt, as it was |
//! | `items.jsonl` | the items that were asked about, without gold |
//! | `requests.jsonl` | every message that was sent; texts that requests share stand there once |
//! | `responses.jsonl` | every response, appended and synced as it came |
//! | `failures.jsonl` | requests that got none |
//! | `capabilities.json` | what the server was found not to take |
//! | `predictions.jsonl` | the answers in the task's official format |
//! | `summary.json` | the score and what became of every reply |
//! | `view/` | the pages |

mod log;
mod record;
mod requests;

pub use log::{Line, Log, line_at, read as read_lines, read_placed};
pub use record::{Asked, Difference, File, Record};
pub use requests::{Question, Requests, RequestsSink, Stored, each_key};

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::chat::Capabilities;
use crate::key::Key;
use crate::runner::Spent;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Another process appends to it.
    #[error("{}: in use by another run", .0.display())]
    InUse(PathBuf),
    /// A file is not what it should be.
    #[error("{}: expected {expected}, found {found}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The folder holds a run of something else.
    #[error("{}: holds another run: {}", path.display(), .differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    AnotherRun {
        /// The folder.
        path: PathBuf,
        /// In what they differ.
        differences: Vec<Difference>,
    },
    /// There is no run.
    #[error("{}: no run.toml in it or in the folders of it", .0.display())]
    NoRun(PathBuf),
}

impl FolderError {
    /// Makes errors about a file.
    pub fn io(path: &Path) -> impl Fn(std::io::Error) -> FolderError + use<> {
        let path = path.to_owned();
        move |error| FolderError::Io { path: path.clone(), error }
    }
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
}

impl Folder {
    /// The folder of this run: made, or gone on with where it holds the same run.
    pub fn of(path: &Path, record: &mut Record) -> Result<Folder, FolderError> {
        let folder = Folder { path: path.to_owned() };
        std::fs::create_dir_all(path).map_err(FolderError::io(path))?;
        if folder.file("run.toml").exists() {
            let known = folder.record()?;
            let differences = record.differences(&known);
            if !differences.is_empty() {
                return Err(FolderError::AnotherRun { path: path.to_owned(), differences });
            }
            record.begun = known.begun;
        }
        folder.write("run.toml", record.to_toml().as_bytes())?;
        Ok(folder)
    }

    /// The run folders in `path`: itself, or those of the tasks within it, in their order.
    pub fn within(path: &Path) -> Result<Vec<Folder>, FolderError> {
        let mut found = Vec::new();
        collect(path, 0, &mut found);
        if found.is_empty() { Err(FolderError::NoRun(path.to_owned())) } else { Ok(found) }
    }

    /// A file of it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Its `run.toml`.
    pub fn record(&self) -> Result<Record, FolderError> {
        let path = self.file("run.toml");
        let text = std::fs::read_to_string(&path).map_err(FolderError::io(&path))?;
        toml::from_str(&text).map_err(|error| FolderError::File {
            path,
            expected: "the record of a run",
            found: error.message().to_owned(),
        })
    }

    /// Writes a file whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.file(name);
        write_whole(&path, bytes).map_err(FolderError::io(&path))
    }

    /// The same for a file that is written piece by piece.
    pub fn write_by<T>(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<std::fs::File>) -> Result<T, FolderError>,
    ) -> Result<T, FolderError> {
        write_by(&self.file(name), write)
    }

    /// The keys that have a response, and what they took.
    pub fn answered(&self) -> Result<(FxHashSet<Key>, Spent), FolderError> {
        let (mut keys, mut spent) = (FxHashSet::default(), Spent::default());
        read_lines(&self.file("responses.jsonl"), |line: Line| {
            spent.add(line.response.usage);
            keys.insert(line.key);
        })?;
        Ok((keys, spent))
    }

    /// What the server was found not to take, in an earlier run.
    pub fn capabilities(&self) -> Option<Capabilities> {
        serde_json::from_slice(&std::fs::read(self.file("capabilities.json")).ok()?).ok()
    }
}

/// Tasks are `year/task`, so folders of runs are at most two below; what lies within a run is none.
fn collect(path: &Path, depth: usize, found: &mut Vec<Folder>) {
    if path.join("run.toml").is_file() {
        found.push(Folder { path: path.to_owned() });
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    if depth < 2 {
        for folder in &folders {
            collect(folder, depth + 1, found);
        }
    }
}

/// Writes a file beside its place and moves it there.
pub(crate) fn write_by<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<std::fs::File>) -> Result<T, FolderError>,
) -> Result<T, FolderError> {
    let failed = FolderError::io(path);
    let beside = beside(path);
    let written = std::fs::File::create(&beside).map_err(&failed).and_then(|file| {
        let mut file = BufWriter::new(file);
        let value = write(&mut file)?;
        file.flush().and_then(|()| std::fs::rename(&beside, path)).map_err(&failed)?;
        Ok(value)
    });
    written.inspect_err(|_| drop(std::fs::remove_file(&beside)))
}

/// The same, all of it at once.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = beside(path);
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.inspect_err(|_| drop(std::fs::remove_file(&beside)))
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
