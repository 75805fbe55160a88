//! One file for all numbers of a model: named sections, memory-mapped, checked when opened.
//!
//! A [`Writer`] collects sections and writes them whole; [`Weights`] maps the file and hands out [`Section`]s that read like slices.
//! What a model computes from a freshly trained section and from a mapped one is the same, because both are a [`Section`].
//! The bytes are described in `docs/design/weights.md`.

mod error;
mod header;
mod section;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use serde::de::DeserializeOwned;

pub use error::WeightsError;
pub use half::f16;
use header::Entry;
pub use header::Kind;
pub use section::{Element, Section};
pub use writer::{WriteScope, Writer};

/// An open weights file; every section has been checked against its checksum.
///
/// ```
/// use fangwei_predict::weights::{Weights, Writer};
///
/// let path = std::env::temp_dir().join(format!("fangwei-doc-weights-{}.fw", std::process::id()));
/// let mut writer = Writer::new();
/// writer.put("cloze.keys", &[3u32, 5, 8]);
/// writer.put_json("cloze.options", &("words", 2))?;
/// writer.write(&path)?;
///
/// let weights = Weights::open(&path)?;
/// assert_eq!(*weights.get::<u32>("cloze.keys")?, [3, 5, 8]);
/// let cloze = weights.scope("cloze");
/// assert_eq!(cloze.get_json::<(String, u8)>("options")?, ("words".into(), 2));
/// assert_eq!(weights.get::<f32>("cloze.keys").unwrap_err().to_string().rsplit(": ").next(), Some("section `cloze.keys` holds u32, expected f32"));
/// # std::fs::remove_file(&path).ok();
/// # Ok::<(), fangwei_predict::weights::WeightsError>(())
/// ```
#[derive(Debug)]
pub struct Weights {
    path: PathBuf,
    map: Mmap,
    entries: Vec<Entry>,
}

impl Weights {
    /// Maps the file and checks magic, version, lengths, alignment, overlap and the checksum of the header and of every section.
    pub fn open(path: impl AsRef<Path>) -> Result<Arc<Self>, WeightsError> {
        let path = path.as_ref().to_path_buf();
        if cfg!(target_endian = "big") {
            return Err(WeightsError::BigEndian { file: path });
        }
        let io = |source| WeightsError::Read { file: path.clone(), source };
        let file = File::open(&path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        // An empty file cannot be mapped everywhere, and is too short anyway.
        if length < header::PREFIX as u64 {
            return Err(WeightsError::Short { file: path, expected: header::PREFIX as u64, found: length });
        }
        // A mapping is sound while nobody shortens or rewrites the file in place. `Writer::write` never does: it writes another
        // file and renames it over this one, which leaves an existing mapping on the old bytes.
        #[expect(unsafe_code, reason = "mapping a file is unsafe by nature; see the comment above")]
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        let entries = header::read(&path, &map)?;
        Ok(Arc::new(Self { path, map, entries }))
    }

    /// The section of this name, if it holds elements of this type.
    pub fn get<T: Element>(self: &Arc<Self>, name: &str) -> Result<Section<T>, WeightsError> {
        let entry = self.entries.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| WeightsError::Missing { file: self.path.clone(), name: name.to_owned() })?;
        if entry.kind != T::KIND {
            let (file, name) = (self.path.clone(), name.to_owned());
            return Err(WeightsError::Kind { file, name, expected: T::KIND, found: entry.kind });
        }
        Ok(Section::mapped(Arc::clone(self), entry.offset as usize, entry.len as usize))
    }

    /// A value that was put with [`Writer::put_json`].
    pub fn get_json<D: DeserializeOwned>(self: &Arc<Self>, name: &str) -> Result<D, WeightsError> {
        let bytes = self.get::<u8>(name)?;
        serde_json::from_slice(&bytes).map_err(|source| WeightsError::Json {
            file: self.path.clone(),
            name: name.to_owned(),
            source,
        })
    }

    /// The names of all sections, as written.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// All sections whose names begin with `prefix.`, under the rest of their names.
    pub fn scope(self: &Arc<Self>, prefix: &str) -> ReadScope {
        ReadScope { weights: Arc::clone(self), prefix: prefix.to_owned() }
    }

    fn bytes(&self, offset: usize, len: usize) -> &[u8] {
        // Entries are checked against the length of the map when it is opened.
        self.map.get(offset..offset + len).unwrap_or_default()
    }
}

/// The sections of a part of a model: names are looked up under `prefix.`.
///
/// ```
/// # use fangwei_predict::weights::{Weights, Writer};
/// # let path = std::env::temp_dir().join(format!("fangwei-doc-scope-{}.fw", std::process::id()));
/// let mut writer = Writer::new();
/// writer.scope("anomaly").scope("crf").put("edges", &[0.5f32]);
/// writer.write(&path)?;
/// let weights = Weights::open(&path)?;
/// assert_eq!(*weights.scope("anomaly").scope("crf").get::<f32>("edges")?, [0.5]);
/// # std::fs::remove_file(&path).ok();
/// # Ok::<(), fangwei_predict::weights::WeightsError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReadScope {
    weights: Arc<Weights>,
    prefix: String,
}

impl ReadScope {
    /// A scope inside this one.
    #[must_use]
    pub fn scope(&self, name: &str) -> Self {
        Self { weights: Arc::clone(&self.weights), prefix: self.full(name) }
    }

    /// The section `prefix.name`.
    pub fn get<T: Element>(&self, name: &str) -> Result<Section<T>, WeightsError> {
        self.weights.get(&self.full(name))
    }

    /// The JSON section `prefix.name`.
    pub fn get_json<D: DeserializeOwned>(&self, name: &str) -> Result<D, WeightsError> {
        self.weights.get_json(&self.full(name))
    }

    /// The error for a section that is whole, but does not fit its model.
    #[expect(clippy::needless_pass_by_value, reason = "callers give numbers and made texts")]
    pub fn unfit(&self, name: &str, expected: impl ToString, found: impl ToString) -> WeightsError {
        WeightsError::Unfit {
            file: self.weights.path.clone(),
            name: self.full(name),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.prefix)
    }
}

#[cfg(test)]
mod tests;
