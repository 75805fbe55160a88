//! A passage: a stretch of whole sentences with its words, and where it came from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::lexicon::Class;

/// A word of a passage. Written as `["里","f","locative"]`; without a class as `["山洞","n"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The characters.
    pub text: SmolStr,
    /// The part of speech, in the letters of the Peking University tag set (`n`, `v`, `f`, …).
    pub pos: SmolStr,
    /// The class of a word in spatial use; none for other words, and for 上 in 思想上.
    pub class: Option<Class>,
}

impl Word {
    /// How many characters it has.
    pub fn len(&self) -> usize {
        self.text.chars().count()
    }

    /// Whether it has no character.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl Serialize for Word {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.class {
            Some(class) => (&*self.text, &*self.pos, class).serialize(serializer),
            None => (&*self.text, &*self.pos).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Spatial(SmolStr, SmolStr, Class),
            Other(SmolStr, SmolStr),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Spatial(text, pos, class) => Word { text, pos, class: Some(class) },
            Written::Other(text, pos) => Word { text, pos, class: None },
        })
    }
}

/// A stretch of whole sentences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Passage {
    /// Its name: the source and the passage's number in it, `news/01.txt#3`.
    pub id: SmolStr,
    /// What kind of text it is from.
    pub genre: SmolStr,
    /// The file that it was cut from.
    pub source: Arc<str>,
    /// The line of that file on which it begins, from 1.
    pub line: u64,
    /// The text, of 16 to 256 characters by default.
    pub text: String,
    /// Its words; joined they are the text.
    pub words: Vec<Word>,
    /// Numbers of words whose tagging is doubtful.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<u32>,
}

impl Passage {
    /// The words with the number of the character at which each begins.
    pub fn placed(&self) -> impl Iterator<Item = (usize, &Word)> {
        self.words.iter().scan(0, |at, word| {
            let begins = *at;
            *at += word.len();
            Some((begins, word))
        })
    }
}
