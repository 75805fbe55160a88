//! `responses.jsonl`: every response is appended and brought to the disk before anything else happens with it.
//!
//! Many threads append at once; one of them syncs for all that stand in the file by then, so that a slow disk does not slow the run down.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::FolderError;
use crate::key::Key;
use crate::provider::Response;

/// A response with what it answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The key of the request.
    pub key: Key,
    /// The item.
    pub qid: SmolStr,
    /// Which of the repeats, from 0.
    #[serde(default)]
    pub repeat: u32,
    /// How often was asked until it came.
    pub attempts: u32,
    /// When it came, in milliseconds since 1970.
    pub at: u64,
    /// How long it took.
    pub seconds: f64,
    /// Who gave it.
    pub from: String,
    /// The response.
    #[serde(flatten)]
    pub response: Response,
}

/// A file of responses that is being appended to; nobody else can append to it meanwhile.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Mutex<(File, u64)>,
    handle: File,
    synced: Mutex<u64>,
}

impl Log {
    /// Opens the file, or makes it. A last line that was not written to its end (the machine went down) is cut off.
    pub fn open(path: &Path) -> Result<Log, FolderError> {
        let failed = FolderError::io(path);
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(&failed)?;
        // Any other error is of a file system without locks.
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(FolderError::InUse(path.to_owned()));
        }
        let whole = whole_lines(&mut file).map_err(&failed)?;
        if whole < file.metadata().map_err(&failed)?.len() {
            file.set_len(whole).map_err(&failed)?;
        }
        let handle = file.try_clone().map_err(&failed)?;
        Ok(Log { path: path.to_owned(), file: Mutex::new((file, 0)), handle, synced: Mutex::new(0) })
    }

    /// Appends a line; it is on the disk when this returns.
    pub fn append(&self, line: &impl Serialize) -> Result<(), FolderError> {
        let failed = FolderError::io(&self.path);
        let mut bytes = serde_json::to_vec(line).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        let mine = {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.0.write_all(&bytes).map_err(&failed)?;
            file.1 += 1;
            file.1
        };
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if *synced < mine {
            let written = self.file.lock().unwrap_or_else(PoisonError::into_inner).1;
            self.handle.sync_data().map_err(&failed)?;
            *synced = written;
        }
        Ok(())
    }
}

/// Where the last whole line ends.
fn whole_lines(file: &mut File) -> std::io::Result<u64> {
    const STEP: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    let mut buffer = Vec::new();
    while end > 0 {
        let from = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(from))?;
        buffer.clear();
        (&mut *file).take(end - from).read_to_end(&mut buffer)?;
        if let Some(at) = buffer.iter().rposition(|byte| *byte == b'\n') {
            return Ok(from + at as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

/// Hands every line of a file to `take`, and tells how many could not be read. No file is no lines.
pub fn read<T: for<'de> Deserialize<'de>>(path: &Path, mut take: impl FnMut(T)) -> Result<u64, FolderError> {
    read_placed(path, |_, line| take(line))
}

/// The same with the place where the line begins.
pub fn read_placed<T: for<'de> Deserialize<'de>>(path: &Path, mut take: impl FnMut(u64, T)) -> Result<u64, FolderError> {
    let failed = FolderError::io(path);
    let mut file = match File::open(path) {
        Ok(file) => BufReader::with_capacity(1 << 18, file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(failed(error)),
    };
    let (mut unread, mut place, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        let length = file.read_until(b'\n', &mut line).map_err(&failed)? as u64;
        if length == 0 {
            return Ok(unread);
        }
        if !line.trim_ascii().is_empty() {
            match serde_json::from_slice(&line) {
                Ok(line) => take(place, line),
                Err(_) => unread += 1,
            }
        }
        place += length;
    }
}

/// The line that begins at a place.
pub fn line_at<T: for<'de> Deserialize<'de>>(file: &mut BufReader<File>, place: u64) -> std::io::Result<T> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.read_until(b'\n', &mut bytes)?;
    serde_json::from_slice(&bytes).map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_last_line_is_cut_off() {
        let path = std::env::temp_dir().join(format!("fangwei-llm-log-{}.jsonl", std::process::id()));
        std::fs::write(&path, format!("{{\"a\":1}}\n{{\"a\":2,\"text\":\"{}", "方".repeat(70_000))).expect("a file");
        let log = Log::open(&path).expect("a log");
        log.append(&serde_json::json!({ "a": 3 })).expect("written");
        assert!(matches!(Log::open(&path), Err(FolderError::InUse(_))), "two processes would ask everything twice");
        drop(log);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "{\"a\":1}\n{\"a\":3}\n");
        std::fs::remove_file(&path).expect("removed");
    }
}
