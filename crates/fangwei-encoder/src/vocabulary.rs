//! A vocabulary: the pieces of text that an encoder has a vector for, one a line, as `vocab.txt` keeps them.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::error::EncoderError;

/// The pieces of text that an encoder knows, by number.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pieces: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// Whether letters are made small before they are looked up.
    pub lower: bool,
    /// Stands before a text.
    pub begin: u32,
    /// Stands after a text, and between two.
    pub end: u32,
    /// Stands for what is not in the list.
    pub unknown: u32,
    /// Fills up a batch.
    pub padding: u32,
}

impl Vocabulary {
    /// Reads the lines of `vocab.txt`. The number of a piece is that of its line, so nothing is skipped: not even an empty line.
    pub fn parse(text: &str, lower: bool, file: &str) -> Result<Vocabulary, EncoderError> {
        // Only line feeds end lines: some vocabularies hold other line separators as pieces.
        let body = text.strip_suffix('\n').unwrap_or(text);
        let pieces: Vec<String> = body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect();
        let mut numbers = FxHashMap::default();
        for (number, piece) in pieces.iter().enumerate() {
            numbers.entry(piece.clone()).or_insert(number as u32);
        }
        let special = |name: &str| numbers.get(name).copied();
        let need = |name: &str| special(name).ok_or_else(|| EncoderError::file(file, format!("a line {name}"), "none"));
        let (begin, end, unknown) = (need("[CLS]")?, need("[SEP]")?, need("[UNK]")?);
        let padding = special("[PAD]").unwrap_or(0);
        Ok(Vocabulary { pieces, numbers, lower, begin, end, unknown, padding })
    }

    /// Reads a file.
    pub fn read(file: &Path, lower: bool) -> Result<Vocabulary, EncoderError> {
        let text = std::fs::read_to_string(file).map_err(EncoderError::io(file))?;
        Vocabulary::parse(&text, lower, &file.display().to_string())
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        self.pieces.join("\n") + "\n"
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The number of a piece.
    pub fn number(&self, piece: &str) -> Option<u32> {
        self.numbers.get(piece).copied()
    }

    /// The piece of a number.
    pub fn piece(&self, number: u32) -> Option<&str> {
        self.pieces.get(number as usize).map(String::as_str)
    }
}
