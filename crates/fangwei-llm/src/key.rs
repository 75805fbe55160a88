//! The content key of a request: what was asked, of which model, for which item. The same key is never paid for twice.

use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::provider::Request;

/// The hash of a request's content. Where the server is does not belong to it: a model that moved to another port is the same model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a request to a model about an item, the `repeat`th time.
    pub fn of(model: &str, request: &Request, qid: &str, repeat: u32) -> Key {
        let content = json!({
            "model": model,
            "messages": request.messages,
            "shape": request.shape,
            "schema": request.schema.as_deref(),
            "sampling": request.sampling,
            "qid": qid,
            "repeat": repeat,
        });
        Key(Sha256::digest(content.to_string()).into())
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Key> {
        let mut key = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (byte, at) in key.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Key(key))
    }

    /// A number that differs between keys, for choices that must be the same in every run.
    pub fn number(self) -> u64 {
        self.0.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Key::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("expected 64 hexadecimal digits, found {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Sampling;

    #[test]
    fn keys_differ_by_content_and_are_read_again() {
        let request = Request::default();
        let other = Request { sampling: Sampling { temperature: Some(0.5), ..Sampling::default() }, ..Request::default() };
        let key = Key::of("m", &request, "1", 0);
        assert_eq!(key, Key::of("m", &request, "1", 0));
        for different in [
            Key::of("n", &request, "1", 0),
            Key::of("m", &request, "2", 0),
            Key::of("m", &request, "1", 1),
            Key::of("m", &other, "1", 0),
        ] {
            assert_ne!(key, different);
        }
        assert_eq!(Key::parse(&key.to_string()), Some(key));
        assert_eq!(Key::parse("方"), None);
    }
}
