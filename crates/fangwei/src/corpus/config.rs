//! What a user may choose, with defaults that suit most corpora.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::lang::{Lang, expected_found};

/// How passages are cut and which are kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The fewest characters of a passage: 16.
    pub min: usize,
    /// The most characters of a passage: 256. A longer sentence is dropped.
    pub max: usize,
    /// Sentences are added to a passage up to this many characters: 120.
    pub target: usize,
    /// Whether a paragraph is wrapped over lines and ends at a blank one; by default each line is a paragraph.
    pub wrapped: bool,
    /// From which similarity on a passage is a near duplicate of an earlier one: 0.7, or `"off"`.
    pub near: Near,
    /// The fields of a JSON record that may hold its text, the first that is there counts: `text`, `content`, `context`.
    pub text_fields: Vec<String>,
    /// The field of a JSON record that holds its genre: `genre`.
    pub genre_field: String,
    /// The field of a JSON record that holds its id; by default passages are numbered through the file.
    pub id_field: Option<String>,
    /// Genres by the beginning of a path: `"news/" = "press"`. Without a rule that fits, the first folder is the genre.
    pub genre: BTreeMap<String, String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            min: 16,
            max: 256,
            target: 120,
            wrapped: false,
            near: Near::default(),
            text_fields: ["text", "content", "context"].map(String::from).to_vec(),
            genre_field: "genre".to_owned(),
            id_field: None,
            genre: BTreeMap::new(),
        }
    }
}

/// A value that makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.say(Lang::En))]
pub enum ConfigError {
    /// Lengths out of order.
    Lengths {
        /// As given.
        min: usize,
        /// As given.
        target: usize,
        /// As given.
        max: usize,
    },
    /// A similarity that the sketches cannot tell.
    Near(f64),
    /// No field to read a text from.
    TextFields,
}

impl ConfigError {
    /// The error in a language.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            ConfigError::Lengths { min, target, max } => {
                let found = format!("min {min}, target {target}, max {max}");
                expected_found(lang, "min, target, max", "1 <= min <= target <= max <= 65536", &found)
            }
            ConfigError::Near(found) => expected_found(
                lang,
                "near",
                lang.say("0.5 到 1 之间的数，或 off", "a similarity from 0.5 to 1, or off"),
                &found.to_string(),
            ),
            ConfigError::TextFields => {
                expected_found(lang, "text_fields", lang.say("至少一个字段", "at least one field"), lang.say("没有", "none"))
            }
        }
    }
}

impl Config {
    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Config { min, target, max, .. } = *self;
        if !(1 <= min && min <= target && target <= max && max <= 1 << 16) {
            return Err(ConfigError::Lengths { min, target, max });
        }
        if self.text_fields.is_empty() {
            return Err(ConfigError::TextFields);
        }
        match self.near {
            Near::From(similarity) if !(0.5..=1.0).contains(&similarity) => Err(ConfigError::Near(similarity)),
            _ => Ok(()),
        }
    }
}

/// The similarity of near duplicates: a number, or `"off"`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Near {
    /// Passages are dropped whose shingles are shared with an earlier passage to this degree (Jaccard).
    From(f64),
    /// Only exact duplicates are dropped.
    Off,
}

impl Default for Near {
    fn default() -> Near {
        Near::From(0.7)
    }
}

impl std::str::FromStr for Near {
    type Err = String;

    fn from_str(text: &str) -> Result<Near, String> {
        match text {
            "off" => Ok(Near::Off),
            text => text.parse().map(Near::From).map_err(|_| format!("expected a number or off, found {text}")),
        }
    }
}

impl Serialize for Near {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Near::From(similarity) => serializer.serialize_f64(*similarity),
            Near::Off => serializer.serialize_str("off"),
        }
    }
}

impl<'de> Deserialize<'de> for Near {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Near, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Word(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(similarity) => Ok(Near::From(similarity)),
            Written::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Config, String> {
        let config: Config = serde_json::from_str(json).map_err(|error| error.to_string())?;
        config.check().map_err(|error| error.to_string())?;
        Ok(config)
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        assert_eq!(read("{}"), Ok(Config::default()));
        let config = read(r#"{"near":"off","genre":{"a/":"b"},"max":300}"#).expect("valid");
        assert_eq!((config.near, config.max, config.genre["a/"].as_str()), (Near::Off, 300, "b"));
        assert_eq!(read(&serde_json::to_string(&config).expect("serializable")), Ok(config));
    }

    #[test]
    fn nonsense_is_refused() {
        for (json, says) in [
            (r#"{"maximum":3}"#, "unknown field `maximum`"),
            (r#"{"min":300}"#, "found min 300, target 120, max 256"),
            (r#"{"min":0}"#, "1 <= min"),
            (r#"{"near":0.2}"#, "found 0.2"),
            (r#"{"near":"none"}"#, "found none"),
            (r#"{"text_fields":[]}"#, "at least one field"),
        ] {
            let error = read(json).expect_err(json);
            assert!(error.contains(says), "{error}");
        }
    }
}
