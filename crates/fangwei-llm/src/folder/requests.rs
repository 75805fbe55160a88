//! `requests.jsonl`: every message that was sent. Thousands of requests share their instructions and shots, so a text stands there once and is referred to by
//! its number.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use fangwei::ask::{Message, Speaker};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::log::line_at;
use super::{FolderError, read_lines, read_placed};
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
    file: BufWriter<File>,
    /// Texts by their hash: the texts themselves would be all of the file.
    known: FxHashMap<[u8; 32], usize>,
}

impl RequestsSink {
    /// Begins to write.
    pub fn create(path: &Path) -> Result<RequestsSink, FolderError> {
        let beside = path.with_extension(format!("{}.part", std::process::id()));
        let file = File::create(&beside).map_err(FolderError::io(&beside))?;
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

/// A text of the file.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    place: u64,
    /// The beginning of its hash: equal texts of several runs are known by it.
    pub hash: [u8; 16],
    /// How many messages say it.
    pub uses: u32,
}

/// The requests of a run. They stay on the disk, and memory holds where they are.
#[derive(Debug)]
pub struct Requests {
    path: PathBuf,
    file: Option<BufReader<File>>,
    texts: Vec<Stored>,
    asked: Vec<u64>,
}

impl Requests {
    /// Opens the file of a folder; no file is no requests.
    pub fn open(path: &Path) -> Result<Requests, FolderError> {
        let (mut texts, mut asked, mut dangling): (Vec<Stored>, _, u64) = (Vec::new(), Vec::new(), 0);
        let unread = read_placed(path, |place, entry| match entry {
            Entry::Text { text } => texts.push(Stored { place, hash: brief_hash(&text), uses: 0 }),
            Entry::Asked { messages, .. } => {
                asked.push(place);
                for (_, number) in messages {
                    match texts.get_mut(number) {
                        Some(text) => text.uses += 1,
                        None => dangling += 1,
                    }
                }
            }
        })?;
        if unread + dangling > 0 {
            let found = format!("{} lines that are none", unread + dangling);
            return Err(FolderError::File { path: path.to_owned(), expected: "texts and requests", found });
        }
        Ok(Requests { path: path.to_owned(), file: File::open(path).ok().map(BufReader::new), texts, asked })
    }

    /// How many requests there are.
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Every text once, by the number that messages refer to it with.
    pub fn texts(&self) -> &[Stored] {
        &self.texts
    }

    /// A request by its number, in the order in which they were asked; `None` beyond the last.
    pub fn get(&mut self, number: usize) -> Result<Option<Question>, FolderError> {
        let Some(place) = self.asked.get(number).copied() else { return Ok(None) };
        Ok(match self.entry(place)? {
            Entry::Asked { key, qid, repeat, messages } => Some(Question { key, qid, repeat, messages }),
            Entry::Text { .. } => None,
        })
    }

    /// A text by its number.
    pub fn text(&mut self, number: usize) -> Result<String, FolderError> {
        let place = self.texts.get(number).map(|text| text.place);
        match place.map(|place| self.entry(place)).transpose()? {
            Some(Entry::Text { text }) => Ok(text),
            _ => Ok(String::new()),
        }
    }

    fn entry(&mut self, place: u64) -> Result<Entry, FolderError> {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let read = self.file.as_mut().ok_or_else(missing).and_then(|file| line_at(file, place));
        read.map_err(FolderError::io(&self.path))
    }
}

fn brief_hash(text: &str) -> [u8; 16] {
    let mut brief = [0; 16];
    brief.copy_from_slice(&Sha256::digest(text)[..16]);
    brief
}
