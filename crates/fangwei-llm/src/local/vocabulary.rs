//! Texts into tokens and back, and conversations as Qwen writes them.
//!
//! What marks the parts of a conversation is put there by number; inside of a text the same characters are characters. So no text can end its own message.

use std::ops::Range;
use std::path::Path;

use fangwei::ask::{Message, Speaker};
use tokenizers::Tokenizer;

use super::LocalError;

/// No `tokenizer.json` is larger.
const LARGEST: u64 = 256 << 20;
/// What begins a message.
const BEGIN: &str = "<|im_start|>";
/// What ends a message.
const END: &str = "<|im_end|>";
/// What stands between the texts that a model was trained on, so that it begins the first and ends the last.
const TEXT_END: &str = "<|endoftext|>";
/// More tokens than one in so many that are not the model's make it another vocabulary. Some converters write a few added tokens in another way.
const STRANGERS: usize = 100;

/// The tokens of a model.
#[derive(Debug)]
pub(super) struct Vocabulary {
    tokenizer: Tokenizer,
    begin: u32,
    end: u32,
    /// Begins a text of its own.
    pub text_end: u32,
}

/// A text in tokens, each with its first character and the one after its last. Tokens that are parts of one character share it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tokens {
    pub ids: Vec<u32>,
    pub spans: Vec<Range<usize>>,
}

impl Vocabulary {
    /// Reads a `tokenizer.json` for a model with so many tokens, which are `known` where its file brings them along.
    pub(super) fn load(path: &Path, count: usize, known: Option<&[String]>) -> Result<Vocabulary, LocalError> {
        let failed = LocalError::io(path);
        let size = std::fs::metadata(path).map_err(&failed)?.len();
        if size > LARGEST {
            return Err(LocalError::file(path, "the file", format!("at most {LARGEST} bytes"), size));
        }
        let bytes = std::fs::read(path).map_err(&failed)?;
        let mut tokenizer =
            Tokenizer::from_bytes(bytes).map_err(|error| LocalError::file(path, "the file", "a tokenizer.json", error))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| LocalError::Tokens(error.to_string()))?;
        // Inside of texts the marks of a conversation are plain characters.
        tokenizer.set_encode_special_tokens(true);
        let special = |name: &str| {
            let id = tokenizer.token_to_id(name);
            id.ok_or_else(|| LocalError::file(path, "its tokens", name, "nothing of that name"))
        };
        let [begin, end, text_end] = [special(BEGIN)?, special(END)?, special(TEXT_END)?];
        let last = tokenizer.get_vocab(true).into_values().max().unwrap_or(0) as usize;
        if last >= count {
            let found = format!("a token of number {last}");
            return Err(LocalError::file(path, "its tokens", format!("numbers below {count}, as the model has"), found));
        }
        if let Some(known) = known {
            check_same(path, &tokenizer, known, &[begin, end, text_end])?;
        }
        Ok(Vocabulary { tokenizer, begin, end, text_end })
    }

    /// A text in tokens.
    pub(super) fn tokens(&self, text: &str) -> Result<Tokens, LocalError> {
        let encoding = self.tokenizer.encode_char_offsets(text, false).map_err(|error| LocalError::Tokens(error.to_string()))?;
        let spans = encoding.get_offsets().iter().map(|(begin, end)| *begin..*end).collect();
        Ok(Tokens { ids: encoding.get_ids().to_vec(), spans })
    }

    /// A conversation, up to where the model speaks.
    pub(super) fn conversation(&self, messages: &[Message]) -> Result<Vec<u32>, LocalError> {
        let gap = self.tokens("\n")?.ids;
        let mut ids = Vec::new();
        for Message { role, content } in messages {
            ids.push(self.begin);
            ids.extend(self.tokens(&format!("{}\n{content}", name(*role)))?.ids);
            ids.push(self.end);
            ids.extend_from_slice(&gap);
        }
        ids.push(self.begin);
        ids.extend(self.tokens(&format!("{}\n", name(Speaker::Assistant)))?.ids);
        Ok(ids)
    }

    /// Whether a token ends what the model says.
    pub(super) fn ends(&self, id: u32) -> bool {
        id == self.end || id == self.text_end
    }

    /// The text of tokens.
    pub(super) fn text(&self, ids: &[u32]) -> Result<String, LocalError> {
        self.tokenizer.decode(ids, true).map_err(|error| LocalError::Tokens(error.to_string()))
    }
}

const fn name(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    }
}

/// Refuses a tokenizer whose tokens are not those of the model.
fn check_same(path: &Path, tokenizer: &Tokenizer, known: &[String], special: &[u32]) -> Result<(), LocalError> {
    let differs = |id: &u32| {
        let expected = known.get(*id as usize)?;
        let found = tokenizer.id_to_token(*id)?;
        (found != *expected).then(|| LocalError::file(path, format!("token {id}"), expected, found))
    };
    if let Some(error) = special.iter().find_map(differs) {
        return Err(error);
    }
    let all = 0..known.len() as u32;
    let strangers = all.clone().filter(|id| differs(id).is_some()).count();
    let first = if strangers * STRANGERS > known.len() { all.clone().find_map(|id| differs(&id)) } else { None };
    first.map_or(Ok(()), Err)
}
