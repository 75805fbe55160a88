//! The folder of a step: written beside its place, moved there when it is whole, and known by a fingerprint of everything that it was made of.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fangwei::lang::Lang;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plan::Plan;
use super::steps::{STEPS, Step};
use crate::lang::{lang, t};
use crate::output::write_file;

/// What a step leaves of itself: `step.json` in its folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Of settings, inputs, the steps before and the program's version.
    pub fingerprint: String,
    /// The program's version.
    pub version: String,
    /// One line for people.
    pub summary: Summary,
    /// Counts and funnels.
    pub numbers: Value,
    /// How many inputs or records were skipped.
    pub defects: usize,
    /// How long it took.
    pub seconds: f64,
}

/// A line in both languages: who reads a record may not be who made it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub zh: String,
    pub en: String,
}

impl Summary {
    pub fn say(&self) -> &str {
        match lang() {
            Lang::Zh => &self.zh,
            Lang::En => &self.en,
        }
    }
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

    /// The record of the finished step, if there is one. Between the two moves of `finish`, what was there before still counts.
    pub fn record(&self) -> Option<Record> {
        let bytes = [&self.place, &self.old].into_iter().find_map(|folder| fs::read(folder.join("step.json")).ok())?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Puts back what a run moved aside that was killed before its next move, and removes what is half written.
    fn tidy(&self) -> anyhow::Result<()> {
        if !self.place.exists() && self.old.exists() {
            fs::rename(&self.old, &self.place).with_context(|| self.place.display().to_string())?;
        }
        remove(&self.beside)?;
        remove(&self.old)
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

/// Clears away what killed runs left. Only under the lock: a run that goes on has such files, too.
pub fn tidy(out: &Path) -> anyhow::Result<()> {
    STEPS.iter().try_for_each(|step| Stage::new(out, step.name).tidy())?;
    for entry in fs::read_dir(out).with_context(|| out.display().to_string())?.flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with("run.json.") && path.extension().is_some_and(|end| end == "part") {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
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
        // As the file names it: where one stands when calling does not matter.
        add(file.strip_prefix(&plan.base).unwrap_or(&file).display().to_string().as_bytes());
        stamps(&file, step.large, &mut HashSet::new(), &mut add)?;
    }
    Ok(format!("{:x}", hash.finalize()))
}

/// What tells that a file changed: its bytes; of raw text, which may be many gigabytes, size and time. Hidden files are no raw text.
///
/// `seen` are the folders so far: links may lead around in circles.
fn stamps(path: &Path, large: bool, seen: &mut HashSet<PathBuf>, add: &mut impl FnMut(&[u8])) -> anyhow::Result<()> {
    let Ok(about) = path.metadata() else { return Ok(()) };
    if about.is_dir() {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned())) {
            return Ok(());
        }
        let mut entries: Vec<PathBuf> = match fs::read_dir(path) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            // A folder without permission is told by the step itself.
            Err(_) => return Ok(()),
        };
        entries.sort();
        for entry in entries {
            let name = entry.file_name().unwrap_or_default().as_encoded_bytes();
            if large && name.starts_with(b".") {
                continue;
            }
            add(name);
            stamps(&entry, large, seen, add)?;
        }
    } else if large {
        add(&about.len().to_le_bytes());
        let changed = about.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        add(&changed.unwrap_or_default().as_nanos().to_le_bytes());
        // A file that was closed to us and is open: neither size nor time tell. A pipe would wait for its writer.
        add(&[u8::from(about.is_file() && File::open(path).is_ok())]);
    } else {
        add(&fs::read(path).with_context(|| path.display().to_string())?);
    }
    Ok(())
}
