//! The folder of a step: written beside its place, moved there when it is whole, and known by a fingerprint of everything that it was made of.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plan::Plan;
use super::steps::Step;
use crate::lang::t;
use crate::output::write_file;

/// What a step leaves of itself: `step.json` in its folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Of settings, inputs, the steps before and the program's version.
    pub fingerprint: String,
    /// The program's version.
    pub version: String,
    /// One line for people.
    pub summary: String,
    /// Counts and funnels.
    pub numbers: Value,
    /// How many inputs or records were skipped.
    pub defects: usize,
    /// How long it took.
    pub seconds: f64,
}

/// The place of a step's folder.
pub struct Stage {
    place: PathBuf,
    beside: PathBuf,
    old: PathBuf,
}

impl Stage {
    pub fn new(out: &Path, step: &str) -> Stage {
        let hidden = |end: &str| out.join(format!(".{step}.{end}"));
        Stage { place: out.join(step), beside: hidden("part"), old: hidden("old") }
    }

    /// The record of the finished step, if there is one.
    pub fn record(&self) -> Option<Record> {
        // Killed between the two moves of `finish`: what was there before is still whole.
        if !self.place.exists() && self.old.exists() {
            let _ = fs::rename(&self.old, &self.place);
        }
        serde_json::from_slice(&fs::read(self.place.join("step.json")).ok()?).ok()
    }

    /// An empty folder to write into.
    pub fn begin(&self) -> anyhow::Result<PathBuf> {
        remove(&self.beside)?;
        fs::create_dir_all(&self.beside).with_context(|| self.beside.display().to_string())?;
        Ok(self.beside.clone())
    }

    /// Writes the record and moves the folder to its place.
    pub fn finish(&self, record: &Record) -> anyhow::Result<()> {
        write_file(&self.beside.join("step.json"), format!("{}\n", serde_json::to_string_pretty(record)?).as_bytes())?;
        let moved = || -> std::io::Result<()> {
            if self.place.exists() {
                fs::rename(&self.place, &self.old)?;
            }
            fs::rename(&self.beside, &self.place)?;
            // The moves themselves reach the disk before anything builds on them.
            File::open(self.place.parent().unwrap_or(Path::new(".")))?.sync_all()
        };
        remove(&self.old)?;
        moved().with_context(|| self.place.display().to_string())?;
        remove(&self.old)
    }
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).with_context(|| folder.display().to_string()),
        _ => Ok(()),
    }
}

/// Two runs must not write one folder. The lock goes with the process, however that ends.
pub fn lock(out: &Path) -> anyhow::Result<File> {
    let path = out.join(".lock");
    let file = File::create(&path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("{}: {}", out.display(), t("另一个 fangwei build 正在写", "another fangwei build is writing here"))
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// The fingerprint of a step: the program's version, its settings, the steps before, and what it reads.
pub fn fingerprint(step: &Step, plan: &Plan, above: &[String]) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(env!("CARGO_PKG_VERSION").as_bytes());
    add(step.name.as_bytes());
    add((step.settings)(plan)?.as_bytes());
    for above in above {
        add(above.as_bytes());
    }
    for file in (step.reads)(plan) {
        add(file.display().to_string().as_bytes());
        stamps(&file, step.large, &mut add)?;
    }
    Ok(format!("{:x}", hash.finalize()))
}

/// What tells that a file changed: its bytes; of raw text, which may be many gigabytes, size and time.
fn stamps(path: &Path, large: bool, add: &mut impl FnMut(&[u8])) -> anyhow::Result<()> {
    let Ok(about) = path.metadata() else { return Ok(()) };
    if about.is_dir() {
        let mut entries: Vec<PathBuf> = match fs::read_dir(path) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            // A folder without permission is told by the step itself.
            Err(_) => return Ok(()),
        };
        entries.sort();
        for entry in entries {
            add(entry.file_name().unwrap_or_default().as_encoded_bytes());
            stamps(&entry, large, add)?;
        }
    } else if large {
        add(&about.len().to_le_bytes());
        let changed = about.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        add(&changed.unwrap_or_default().as_nanos().to_le_bytes());
    } else {
        add(&fs::read(path).with_context(|| path.display().to_string())?);
    }
    Ok(())
}
