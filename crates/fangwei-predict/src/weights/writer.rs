use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::header::{self, ALIGN, Entry, Header, Kind, MAGIC, PREFIX, VERSION};
use super::{Element, WeightsError};

/// Collects the sections of a weights file.
///
/// ```
/// use fangwei_predict::weights::Writer;
///
/// let path = std::env::temp_dir().join(format!("fangwei-doc-writer-{}.fw", std::process::id()));
/// let mut writer = Writer::new();
/// writer.put("bias", &[0.25f32, -1.0]);
/// writer.scope("crf").put("labels", &[7u32]);
/// writer.write(&path)?;
/// # std::fs::remove_file(&path).ok();
/// # Ok::<(), fangwei_predict::weights::WeightsError>(())
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    sections: Vec<(String, Kind, Vec<u8>)>,
}

impl Writer {
    /// A file without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section. A name that is used twice is an error of [`Writer::write`].
    pub fn put<T: Element>(&mut self, name: &str, elements: &[T]) {
        self.sections.push((name.to_owned(), T::KIND, bytemuck::cast_slice(elements).to_vec()));
    }

    /// Adds a value as JSON, in a section of bytes.
    pub fn put_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), WeightsError> {
        let json = serde_json::to_vec(value).map_err(|source| WeightsError::Json {
            file: PathBuf::new(),
            name: name.to_owned(),
            source,
        })?;
        self.sections.push((name.to_owned(), Kind::U8, json));
        Ok(())
    }

    /// Adds sections under `prefix.`.
    pub fn scope(&mut self, prefix: &str) -> WriteScope<'_> {
        WriteScope { writer: self, prefix: prefix.to_owned() }
    }

    /// Writes a temporary file beside `path`, syncs it and renames it: readers see the old file or the whole of this one.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WeightsError> {
        let path = path.as_ref();
        if cfg!(target_endian = "big") {
            return Err(WeightsError::BigEndian { file: path.to_path_buf() });
        }
        let mut names = rustc_hash::FxHashSet::default();
        if let Some((name, ..)) = self.sections.iter().find(|(name, ..)| !names.insert(name.as_str())) {
            return Err(WeightsError::Duplicate { file: path.to_path_buf(), name: name.clone() });
        }
        let fail = |source| WeightsError::Write { file: path.to_path_buf(), source };
        let mut beside = path.file_name().unwrap_or_default().to_owned();
        beside.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(beside);
        let written = self.write_to(&temporary, path).and_then(|()| fs::rename(&temporary, path).map_err(fail));
        if written.is_err() {
            // The first error is the one to tell; a leftover that cannot be removed is harmless.
            fs::remove_file(&temporary).ok();
        }
        written
    }

    fn write_to(&self, temporary: &Path, path: &Path) -> Result<(), WeightsError> {
        let fail = |source| WeightsError::Write { file: path.to_path_buf(), source };
        let (json, offsets) = self.header(path)?;
        let mut out = BufWriter::new(File::create(temporary).map_err(fail)?);
        let mut at = PREFIX + json.len();
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(fail);
        write(&MAGIC)?;
        for word in [VERSION, json.len() as u32, crc32fast::hash(&json), 0] {
            write(&word.to_le_bytes())?;
        }
        write(&json)?;
        for ((.., bytes), offset) in self.sections.iter().zip(offsets) {
            write(&[0; ALIGN][..offset - at])?;
            write(bytes)?;
            at = offset + bytes.len();
        }
        out.into_inner().map_err(|error| fail(error.into_error()))?.sync_all().map_err(fail)
    }

    /// The header holds offsets that depend on its own length, so it is laid out until the length stands still.
    fn header(&self, path: &Path) -> Result<(Vec<u8>, Vec<usize>), WeightsError> {
        let checks: Vec<u32> = self.sections.iter().map(|(.., bytes)| crc32fast::hash(bytes)).collect();
        let mut room = 0;
        loop {
            let mut at = PREFIX + room;
            let mut sections = Vec::with_capacity(self.sections.len());
            let mut offsets = Vec::with_capacity(self.sections.len());
            for ((name, kind, bytes), &crc32) in self.sections.iter().zip(&checks) {
                let offset = header::aligned(at);
                at = offset + bytes.len();
                offsets.push(offset);
                sections.push(Entry { name: name.clone(), kind: *kind, offset: offset as u64, len: bytes.len() as u64, crc32 });
            }
            let mut json = serde_json::to_vec(&Header { sections }).map_err(|source| WeightsError::Json {
                file: path.to_path_buf(),
                name: "header".into(),
                source,
            })?;
            if json.len() <= room {
                // JSON may end in spaces; this keeps the offsets that were just written true.
                json.resize(room, b' ');
                return Ok((json, offsets));
            }
            room = json.len();
        }
    }
}

/// Adds sections under a prefix, so that the parts of a model need not know where they are kept.
///
/// ```
/// use fangwei_predict::weights::Writer;
///
/// let mut writer = Writer::new();
/// let mut part = writer.scope("anomaly");
/// part.scope("cloze").put("keys", &[1u32]); // `anomaly.cloze.keys`
/// ```
#[derive(Debug)]
pub struct WriteScope<'a> {
    writer: &'a mut Writer,
    prefix: String,
}

impl WriteScope<'_> {
    /// A scope inside this one.
    pub fn scope(&mut self, name: &str) -> WriteScope<'_> {
        let prefix = self.full(name);
        WriteScope { writer: self.writer, prefix }
    }

    /// Adds the section `prefix.name`.
    pub fn put<T: Element>(&mut self, name: &str, elements: &[T]) {
        let name = self.full(name);
        self.writer.put(&name, elements);
    }

    /// Adds the JSON section `prefix.name`.
    pub fn put_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), WeightsError> {
        let name = self.full(name);
        self.writer.put_json(&name, value)
    }

    fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.prefix)
    }
}
