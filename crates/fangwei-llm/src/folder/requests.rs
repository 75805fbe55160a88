//! `requests.jsonl`: every message that was sent. Thousands of requests share their instructions and shots, so a text stands there once and is referred to by
//! its number.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use fangwei::ask::{Message, Speaker};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::{FolderError, read_lines};
use crate::key::Key;
use crate::runner::Job;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Text { text: String },
    Asked { key: Key, qid: SmolStr, repeat: u32, messages: Vec<(Speaker, usize)> },
}

/// Writes the file, beside its place until it is whole.
#[derive(Debug)]
pub struct RequestsSink {
    path: PathBuf,
    beside: PathBuf,
    file: BufWriter<std::fs::File>,
    /// Texts by their hash: the texts themselves would be all of the file.
    known: FxHashMap<[u8; 32], usize>,
}

impl RequestsSink {
    /// Begins to write.
    pub fn create(path: &Path) -> Result<RequestsSink, FolderError> {
        let beside = path.with_extension(format!("{}.part", std::process::id()));
        let file = std::fs::File::create(&beside).map_err(FolderError::io(&beside))?;
        Ok(RequestsSink {
            path: path.to_owned(),
            beside,
            file: BufWriter::with_capacity(1 << 18, file),
            known: FxHashMap::default(),
        })
    }

    /// Adds a request.
    pub fn add(&mut self, job: &Job, messages: &[Message]) -> Result<(), FolderError> {
        let mut places = Vec::with_capacity(messages.len());
        for message in messages {
            let next = self.known.len();
            let number = *self.known.entry(Sha256::digest(&message.content).into()).or_insert(next);
            if number == next {
                self.line(&Entry::Text { text: message.content.clone() })?;
            }
            places.push((message.role, number));
        }
        self.line(&Entry::Asked { key: job.key, qid: job.qid.clone(), repeat: job.repeat, messages: places })
    }

    fn line(&mut self, entry: &Entry) -> Result<(), FolderError> {
        let failed = FolderError::io(&self.beside);
        serde_json::to_writer(&mut self.file, entry).map_err(|error| failed(error.into()))?;
        self.file.write_all(b"\n").map_err(failed)
    }

    /// Ends the file and moves it to its place.
    pub fn finish(mut self) -> Result<(), FolderError> {
        let failed = FolderError::io(&self.path);
        self.file.flush().map_err(&failed)?;
        std::fs::rename(&self.beside, &self.path).map_err(failed)
    }
}

impl Drop for RequestsSink {
    fn drop(&mut self) {
        // Nothing is there once it was moved.
        let _ = std::fs::remove_file(&self.beside);
    }
}

/// An entry without its messages: scoring needs none, and they are most of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Brief {
    Text {
        #[allow(dead_code, reason = "tells the entries apart")]
        text: serde::de::IgnoredAny,
    },
    Asked {
        key: Key,
        qid: SmolStr,
        repeat: u32,
    },
}

/// Hands every request to `take`: key, item, repeat.
pub fn each_key(path: &Path, mut take: impl FnMut(Key, SmolStr, u32)) -> Result<u64, FolderError> {
    read_lines(path, |entry| match entry {
        Brief::Text { .. } => {}
        Brief::Asked { key, qid, repeat } => take(key, qid, repeat),
    })
}

/// A request.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its key.
    pub key: Key,
    /// The item.
    pub qid: SmolStr,
    /// The how manieth time it is asked.
    pub repeat: u32,
    /// Who says which text.
    pub messages: Vec<(Speaker, usize)>,
}

/// The requests of a run.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Every text once.
    pub texts: Vec<String>,
    /// What was asked, in order.
    pub asked: Vec<Question>,
}

impl Requests {
    /// Reads the file of a folder.
    pub fn read(path: &Path) -> Result<Requests, FolderError> {
        let mut requests = Requests::default();
        let unread = read_lines(path, |entry| match entry {
            Entry::Text { text } => requests.texts.push(text),
            Entry::Asked { key, qid, repeat, messages } => requests.asked.push(Question { key, qid, repeat, messages }),
        })?;
        let texts = requests.texts.len();
        let dangling = requests.asked.iter().any(|asked| asked.messages.iter().any(|(_, number)| *number >= texts));
        if unread > 0 || dangling {
            let found = format!("{unread} lines that are none");
            return Err(FolderError::File { path: path.to_owned(), expected: "texts and requests", found });
        }
        Ok(requests)
    }
}
