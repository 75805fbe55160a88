//! The head of a GGUF file: what it says about the model, and where its matrices stand.
//!
//! Files come from strangers. Every count is held against the bytes that are left before anything is read, and only what a model needs is kept: the reader
//! that comes with candle divides by an alignment of zero, and keeps each byte of an array as a value of 32.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use super::LocalError;

/// No model has more matrices, or more values about itself.
const MOST: u64 = 1 << 16;
/// No vocabulary is larger.
const MOST_TOKENS: u64 = 1 << 20;
/// No name is longer, in bytes; longer texts (templates of chats) are passed over.
const LONGEST: u64 = 1 << 12;
/// Where the vocabulary stands.
const TOKENS: &str = "tokenizer.ggml.tokens";

/// A value about the model.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// A whole number, not negative.
    Whole(u64),
    /// Any other number.
    Real(f64),
    /// A text.
    Text(String),
    /// Something that no model needs.
    Other(&'static str),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Whole(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Other(what) => f.write_str(what),
        }
    }
}

/// Where a matrix stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Rows and columns, or the length of a vector.
    pub shape: Vec<u64>,
    /// The number of its type.
    pub kind: u32,
    /// Its first byte, counted from the file's.
    pub at: u64,
}

/// The head of a file.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Values by name.
    pub values: BTreeMap<String, Value>,
    /// The vocabulary, where the file brings it along.
    pub tokens: Option<Vec<String>>,
    /// Matrices by name.
    pub places: BTreeMap<String, Place>,
    /// How long the file is.
    pub size: u64,
}

impl Head {
    /// Reads the head of a file.
    pub(super) fn read(path: &Path) -> Result<Head, LocalError> {
        let failed = LocalError::io(path);
        let file = File::open(path).map_err(&failed)?;
        let about = file.metadata().map_err(&failed)?;
        if !about.is_file() {
            return Err(LocalError::file(path, "the file", "a GGUF file", "no regular file"));
        }
        let mut bytes = Bytes { source: BufReader::new(file), path, at: 0, size: about.len() };
        let magic: [u8; 4] = bytes.take("the first bytes")?;
        if &magic != b"GGUF" {
            return Err(bytes.wrong("the first bytes", "GGUF", String::from_utf8_lossy(&magic).escape_debug()));
        }
        let version = bytes.u32("version")?;
        if !(2..=3).contains(&version) {
            return Err(bytes.wrong("version", "2 or 3", version));
        }
        // A matrix takes at least 24 bytes here, a value at least 13.
        let tensors = bytes.count("tensor_count", 24, MOST)?;
        let values = bytes.count("metadata_kv_count", 13, MOST)?;
        let mut head = Head { size: bytes.size, ..Head::default() };
        for _ in 0..values {
            head.read_value(&mut bytes)?;
        }
        for _ in 0..tensors {
            head.read_place(&mut bytes)?;
        }
        let alignment = match head.values.get("general.alignment") {
            None => 32,
            Some(Value::Whole(alignment)) if alignment.is_power_of_two() && *alignment <= MOST => *alignment,
            Some(found) => return Err(bytes.wrong("general.alignment", "a power of two", found)),
        };
        let begin = bytes.at.next_multiple_of(alignment);
        for place in head.places.values_mut() {
            place.at = place.at.saturating_add(begin);
        }
        Ok(head)
    }

    fn read_value(&mut self, bytes: &mut Bytes<'_>) -> Result<(), LocalError> {
        let key = bytes.text("a key", LONGEST)?;
        let kind = bytes.u32(&key)?;
        let value = match kind {
            8 => bytes.brief(&key)?.map_or(Value::Other("a long text"), Value::Text),
            9 if key == TOKENS => {
                self.tokens = Some(read_tokens(bytes)?);
                Value::Other("a list")
            }
            9 => {
                skip_list(bytes, &key)?;
                Value::Other("a list")
            }
            _ => bytes.number(&key, kind)?,
        };
        match self.values.insert(key.clone(), value) {
            None => Ok(()),
            Some(_) => Err(bytes.wrong(&key, "one value", "two")),
        }
    }

    fn read_place(&mut self, bytes: &mut Bytes<'_>) -> Result<(), LocalError> {
        let name = bytes.text("the name of a matrix", LONGEST)?;
        let dimensions = bytes.u32(&name)?;
        if !(1..=4).contains(&dimensions) {
            return Err(bytes.wrong(&name, "1 to 4 dimensions", dimensions));
        }
        let mut shape = (0..dimensions).map(|_| bytes.u64(&name)).collect::<Result<Vec<_>, _>>()?;
        // The fastest dimension stands first in the file.
        shape.reverse();
        let place = Place { shape, kind: bytes.u32(&name)?, at: bytes.u64(&name)? };
        match self.places.insert(name.clone(), place) {
            None => Ok(()),
            Some(_) => Err(bytes.wrong(&name, "one matrix", "two")),
        }
    }
}

/// The vocabulary.
fn read_tokens(bytes: &mut Bytes<'_>) -> Result<Vec<String>, LocalError> {
    let kind = bytes.u32(TOKENS)?;
    if kind != 8 {
        return Err(bytes.wrong(TOKENS, "a list of texts (8)", kind));
    }
    let count = bytes.count(TOKENS, 8, MOST_TOKENS)?;
    (0..count).map(|_| bytes.text(TOKENS, LONGEST)).collect()
}

/// Passes over a list.
fn skip_list(bytes: &mut Bytes<'_>, key: &str) -> Result<(), LocalError> {
    let kind = bytes.u32(key)?;
    let width = match kind {
        8 => {
            let count = bytes.count(key, 8, u64::MAX)?;
            for _ in 0..count {
                let length = bytes.count(key, 1, u64::MAX)?;
                bytes.skip(key, length)?;
            }
            return Ok(());
        }
        _ => width(kind).ok_or_else(|| bytes.wrong(key, "a list of numbers or texts", format!("type {kind}")))?,
    };
    let count = bytes.count(key, width, u64::MAX)?;
    bytes.skip(key, count * width)
}

/// How many bytes a number of a type has.
fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

/// A file that is read from its beginning, and knows how much is left.
struct Bytes<'p> {
    source: BufReader<File>,
    path: &'p Path,
    at: u64,
    size: u64,
}

impl Bytes<'_> {
    fn wrong(&self, key: &str, expected: impl ToString, found: impl ToString) -> LocalError {
        LocalError::file(self.path, key, expected, found)
    }

    /// Makes sure that so many bytes are left, and counts them as read.
    fn advance(&mut self, key: &str, count: u64) -> Result<(), LocalError> {
        let left = self.size - self.at;
        if count > left {
            return Err(self.wrong(key, format!("{count} bytes at {}", self.at), format!("{left}, the file ends early")));
        }
        self.at += count;
        Ok(())
    }

    fn take<const N: usize>(&mut self, key: &str) -> Result<[u8; N], LocalError> {
        self.advance(key, N as u64)?;
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).map_err(LocalError::io(self.path))?;
        Ok(bytes)
    }

    fn skip(&mut self, key: &str, count: u64) -> Result<(), LocalError> {
        self.advance(key, count)?;
        // No file is longer than an i64 can say.
        self.source.seek_relative(count as i64).map_err(LocalError::io(self.path))
    }

    fn u32(&mut self, key: &str) -> Result<u32, LocalError> {
        self.take(key).map(u32::from_le_bytes)
    }

    fn u64(&mut self, key: &str) -> Result<u64, LocalError> {
        self.take(key).map(u64::from_le_bytes)
    }

    /// How many things follow, each of at least `width` bytes: no more than fit into the file, and no more than `most`.
    fn count(&mut self, key: &str, width: u64, most: u64) -> Result<u64, LocalError> {
        let count = self.u64(key)?;
        let room = most.min((self.size - self.at) / width);
        if count > room { Err(self.wrong(key, format!("at most {room} (by the file's size)"), count)) } else { Ok(count) }
    }

    fn text(&mut self, key: &str, most: u64) -> Result<String, LocalError> {
        let length = self.count(key, 1, most)?;
        self.characters(key, length)
    }

    fn characters(&mut self, key: &str, length: u64) -> Result<String, LocalError> {
        self.advance(key, length)?;
        let mut text = vec![0; length as usize];
        self.source.read_exact(&mut text).map_err(LocalError::io(self.path))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// A text, unless it is long.
    fn brief(&mut self, key: &str) -> Result<Option<String>, LocalError> {
        let length = self.count(key, 1, u64::MAX)?;
        if length > LONGEST { self.skip(key, length).map(|()| None) } else { self.characters(key, length).map(Some) }
    }

    fn number(&mut self, key: &str, kind: u32) -> Result<Value, LocalError> {
        let signed = |number: i64| u64::try_from(number).map_or(Value::Real(number as f64), Value::Whole);
        Ok(match kind {
            0 | 7 => Value::Whole(u64::from(u8::from_le_bytes(self.take(key)?))),
            1 => signed(i64::from(i8::from_le_bytes(self.take(key)?))),
            2 => Value::Whole(u64::from(u16::from_le_bytes(self.take(key)?))),
            3 => signed(i64::from(i16::from_le_bytes(self.take(key)?))),
            4 => Value::Whole(u64::from(self.u32(key)?)),
            5 => signed(i64::from(i32::from_le_bytes(self.take(key)?))),
            6 => Value::Real(f64::from(f32::from_le_bytes(self.take(key)?))),
            10 => Value::Whole(self.u64(key)?),
            11 => signed(i64::from_le_bytes(self.take(key)?)),
            12 => Value::Real(f64::from_le_bytes(self.take(key)?)),
            _ => return Err(self.wrong(key, "a type of 0 to 12", kind)),
        })
    }
}
