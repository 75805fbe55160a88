//! What a user may choose: the table `[select]` of a build, with defaults that keep most rich passages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lang::{Lang, expected_found, words};
use crate::lexicon::{Class, Model};

/// Limits, weights and shares.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The fewest spatial words: 3.
    pub min_spatial: usize,
    /// The least weighted number of spatial words per hundred characters: 5.
    pub min_density: f64,
    /// What a spatial word of a class weighs. A class that is not named keeps its default: 1 for locatives, place words and directional verbs, which
    /// substitution lives on, and a half for the others.
    pub weights: BTreeMap<Class, f64>,
    /// By what the weight of a word of a cognitive model is multiplied; 1 for models that are not named.
    pub model_weights: BTreeMap<Model, f64>,
    /// The fewest different words for things, persons and places: 3.
    pub min_entities: usize,
    /// Whether personal pronouns are words for persons: yes.
    pub pronouns: bool,
    /// The most characters that do not belong into plain Chinese text: 0.
    pub max_strange: usize,
    /// The most quotation marks and brackets without their other half: 0.
    pub max_unpaired: usize,
    /// The most places where a stop or a particle is written twice: 0.
    pub max_doubled: usize,
    /// The largest share of characters that are Latin letters or digits: 0.2.
    pub max_foreign: f64,
    /// Whether a passage must end as a sentence does: yes.
    pub ended: bool,
    /// The largest share of words that are a single character, spatial words aside: 0.6. Text full of wrong characters falls into such crumbs, and so does
    /// classical Chinese. One wrong character makes no difference: that is for people to find.
    pub max_crumbs: f64,
    /// The largest share of words whose tagging is doubtful: 0.1.
    pub max_doubts: f64,
    /// The largest share of spatial words that are guessed right among their rivals: 0.8.
    pub max_guessed: f64,
    /// The fewest spatial words that are not guessed: 1.
    pub min_hard: usize,
    /// The model has two to this power cells of four bytes: 24, which is 64 megabytes.
    pub model_bits: u32,
    /// The seed of the choice among passages that pass: 2023.
    pub seed: u64,
    /// The most passages that are kept; without it, as many as there are.
    pub total: Option<u64>,
    /// Parts that genres have in what is kept: `{ news = 3, literature = 3, sport = 1 }`. Genres that are not named have no share to keep: they stay as
    /// they are, or fill up what the others leave of `total`.
    pub shares: BTreeMap<String, f64>,
    /// The most passages of one source file; without it, any number.
    pub per_source: Option<u64>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            min_spatial: 3,
            min_density: 5.0,
            weights: Class::ALL.iter().map(|class| (*class, usual_weight(*class))).collect(),
            model_weights: BTreeMap::new(),
            min_entities: 3,
            pronouns: true,
            max_strange: 0,
            max_unpaired: 0,
            max_doubled: 0,
            max_foreign: 0.2,
            ended: true,
            max_crumbs: 0.6,
            max_doubts: 0.1,
            max_guessed: 0.8,
            min_hard: 1,
            model_bits: 24,
            seed: 2023,
            total: None,
            shares: BTreeMap::new(),
            per_source: None,
        }
    }
}

const fn usual_weight(class: Class) -> f64 {
    match class {
        Class::Locative | Class::Place | Class::Directional => 1.0,
        Class::Verb | Class::Preposition | Class::Adverb | Class::Demonstrative => 0.5,
    }
}

/// A value that makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.say(Lang::En))]
pub enum ConfigError {
    /// A number below 0, or none.
    Negative {
        /// The field, with its key.
        field: String,
        /// The value.
        found: f64,
    },
    /// A share outside of 0 to 1.
    Share {
        /// The field.
        field: &'static str,
        /// The value.
        found: f64,
    },
    /// Shares that sum to nothing.
    NoShare,
    /// A model too small or too large.
    ModelBits(u32),
}

impl ConfigError {
    /// The error in a language.
    pub fn say(&self, lang: Lang) -> String {
        let (field, expected, found) = match self {
            ConfigError::Negative { field, found } => {
                (field.as_str(), words("从 0 起的数", "a number from 0"), found.to_string())
            }
            ConfigError::Share { field, found } => (*field, words("0 到 1 之间的数", "a share from 0 to 1"), found.to_string()),
            ConfigError::NoShare => {
                ("shares", words("至少一个体裁的份数大于 0", "a genre with a share above 0"), lang.say("没有", "none").to_owned())
            }
            ConfigError::ModelBits(found) => ("model_bits", words("8 到 31", "8 to 31"), found.to_string()),
        };
        expected_found(lang, field, expected.get(lang), &found)
    }
}

impl Config {
    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), ConfigError> {
        let named = |what: &str, key: &dyn std::fmt::Display| format!("{what}.{key}");
        let mut numbers = vec![("min_density".to_owned(), self.min_density)];
        numbers.extend(self.weights.iter().map(|(class, weight)| (named("weights", class), *weight)));
        numbers.extend(self.model_weights.iter().map(|(model, weight)| (named("model_weights", model), *weight)));
        numbers.extend(self.shares.iter().map(|(genre, share)| (named("shares", genre), *share)));
        if let Some((field, found)) = numbers.into_iter().find(|(_, number)| !number.is_finite() || *number < 0.0) {
            return Err(ConfigError::Negative { field, found });
        }
        for (field, found) in [
            ("max_foreign", self.max_foreign),
            ("max_crumbs", self.max_crumbs),
            ("max_doubts", self.max_doubts),
            ("max_guessed", self.max_guessed),
        ] {
            if !(0.0..=1.0).contains(&found) {
                return Err(ConfigError::Share { field, found });
            }
        }
        if !self.shares.is_empty() && self.shares.values().all(|share| *share == 0.0) {
            return Err(ConfigError::NoShare);
        }
        if !(8..=31).contains(&self.model_bits) {
            return Err(ConfigError::ModelBits(self.model_bits));
        }
        Ok(())
    }

    /// What a spatial word counts.
    pub fn weight(&self, class: Class, model: Option<Model>) -> f64 {
        let weight = self.weights.get(&class).copied().unwrap_or(usual_weight(class));
        weight * model.and_then(|model| self.model_weights.get(&model)).copied().unwrap_or(1.0)
    }

    /// Whether a passage can fall because it is guessed.
    pub fn guesses(&self) -> bool {
        self.max_guessed < 1.0 || self.min_hard > 0
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
        let config = read(r#"{"weights":{"verb":2},"model_weights":{"left-right":3},"shares":{"news":1}}"#).expect("valid");
        assert_eq!(config.weight(Class::Verb, None), 2.0);
        assert_eq!(config.weight(Class::Locative, Some(Model::LeftRight)), 3.0);
        assert_eq!(config.weight(Class::Adverb, Some(Model::UpDown)), 0.5);
        assert_eq!(read(&serde_json::to_string(&config).expect("serializable")), Ok(config));
    }

    #[test]
    fn nonsense_is_refused() {
        for (json, says) in [
            (r#"{"min_densty":3}"#, "unknown field `min_densty`"),
            (r#"{"min_density":-1}"#, "min_density: expected a number from 0, found -1"),
            (r#"{"weights":{"verbs":1}}"#, "did you mean verb?"),
            (r#"{"weights":{"verb":-1}}"#, "weights.verb: expected a number from 0, found -1"),
            (r#"{"max_guessed":80}"#, "max_guessed: expected a share from 0 to 1, found 80"),
            (r#"{"shares":{"news":0}}"#, "found none"),
            (r#"{"model_bits":40}"#, "found 40"),
        ] {
            let error = read(json).expect_err(json);
            assert!(error.contains(says), "{error}");
        }
    }
}
