//! The first bytes of the file: what is in it, where, and how to know that it is whole.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::WeightsError;

pub(super) const MAGIC: [u8; 8] = *b"FANGWEI\0";
pub(super) const VERSION: u32 = 1;
/// Magic, version, length of the header, checksum of the header, four zero bytes.
pub(super) const PREFIX: usize = 24;
/// Sections begin at multiples of this: enough for every element and a cache line.
pub(super) const ALIGN: usize = 64;

/// The type of a section's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the types")]
pub enum Kind {
    U8,
    U16,
    U32,
    U64,
    I32,
    F32,
    F16,
}

impl Kind {
    fn size(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 => 8,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::F16 => "f16",
        })
    }
}

/// One section: `len` counts bytes, `offset` from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub name: String,
    pub kind: Kind,
    pub offset: u64,
    pub len: u64,
    pub crc32: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub sections: Vec<Entry>,
}

/// The next multiple of [`ALIGN`].
pub(super) fn aligned(offset: usize) -> usize {
    offset.next_multiple_of(ALIGN)
}

/// Reads and checks everything, so that later reads need no checks.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Entry>, WeightsError> {
    let file = || path.to_path_buf();
    let broken = |expected: String, found: String| WeightsError::Header { file: path.to_path_buf(), expected, found };
    let Some((prefix, rest)) = bytes.split_first_chunk::<PREFIX>() else {
        return Err(WeightsError::Short { file: file(), expected: PREFIX as u64, found: bytes.len() as u64 });
    };
    if prefix[..8] != MAGIC {
        let show = |bytes: &[u8]| bytes.escape_ascii().to_string();
        return Err(WeightsError::Magic { file: file(), expected: show(&MAGIC), found: show(&prefix[..8]) });
    }
    let word = |at: usize| u32::from_le_bytes([prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]]);
    if word(8) != VERSION {
        return Err(WeightsError::Version { file: file(), expected: VERSION, found: word(8) });
    }
    let length = word(12) as usize;
    let Some(json) = rest.get(..length) else {
        let expected = PREFIX as u64 + length as u64;
        return Err(WeightsError::Short { file: file(), expected, found: bytes.len() as u64 });
    };
    let found = crc32fast::hash(json);
    if found != word(16) {
        return Err(broken(format!("checksum {:08x}", word(16)), format!("{found:08x}")));
    }
    let header: Header = serde_json::from_slice(json).map_err(|error| broken("a list of sections".into(), error.to_string()))?;

    let mut free = (PREFIX + length) as u64;
    let mut names = rustc_hash::FxHashSet::default();
    for entry in &header.sections {
        let name = &entry.name;
        if !names.insert(name) {
            return Err(WeightsError::Duplicate { file: file(), name: name.clone() });
        }
        if entry.offset % ALIGN as u64 != 0 || entry.len % entry.kind.size() != 0 {
            let expected = format!("section `{name}` at a multiple of {ALIGN}, of whole elements of {}", entry.kind);
            return Err(broken(expected, format!("offset {}, length {}", entry.offset, entry.len)));
        }
        if entry.offset < free {
            return Err(broken(format!("section `{name}` at {free} or later"), format!("an overlap at {}", entry.offset)));
        }
        free = entry.offset.checked_add(entry.len).ok_or_else(|| broken("lengths of a file".into(), "an overflow".into()))?;
        let part = usize::try_from(entry.offset).ok().zip(usize::try_from(free).ok()).and_then(|(from, to)| bytes.get(from..to));
        let Some(part) = part else {
            return Err(WeightsError::Short { file: file(), expected: free, found: bytes.len() as u64 });
        };
        let found = crc32fast::hash(part);
        if found != entry.crc32 {
            return Err(WeightsError::Checksum { file: file(), name: name.clone(), expected: entry.crc32, found });
        }
    }
    if free != bytes.len() as u64 {
        return Err(broken(format!("a file of {free} bytes"), bytes.len().to_string()));
    }
    Ok(header.sections)
}
