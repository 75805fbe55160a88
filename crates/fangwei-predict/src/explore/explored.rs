//! What is said of a passage: plain data, the same for programs and for whatever shows it to people.

use fangwei::lang::Say;
use fangwei::lexicon::{Class, Model};
use serde::{Deserialize, Serialize};

/// A share as it is told: from 0 to 1, in four digits, so that it is read back as it was written.
pub(super) fn share(value: f64) -> f64 {
    if value.is_finite() { (value.clamp(0.0, 1.0) * 1e4).round() / 1e4 } else { 0.0 }
}

/// A passage with all that is said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explored {
    /// The passage; `idxes` everywhere are code-point indexes into it, from 0.
    pub text: String,
    /// Its spatial words in their order.
    pub words: Vec<Word>,
    /// Who is where.
    pub tuples: Vec<Tuple>,
    /// How likely the passage is normal, from 0 to 1; below 0.5 it is taken to be abnormal.
    pub normal: f64,
    /// What each source thinks of that; the first is the one that counts.
    pub opinions: Vec<Opinion>,
    /// What is wrong, the surest first; where a model takes the passage to be normal, only what rules object to.
    pub anomalies: Vec<Anomaly>,
    /// The passage with the best rival in each wrong place, where it is then taken to be normal.
    pub mended: Option<String>,
    /// What could stand in place of each spatial word, where that was asked for.
    pub choices: Vec<Choices>,
    /// So many spatial words were not weighed, because the passage has too many.
    pub unweighed: usize,
    /// Who answered what.
    pub by: Vec<By>,
}

impl Explored {
    /// The spatial words of a class, each once with how often it is there.
    pub fn words_of(&self, class: Class) -> Vec<(&Word, usize)> {
        let mut found: Vec<(&Word, usize)> = Vec::new();
        for word in self.words.iter().filter(|word| word.class == class) {
            match found.iter_mut().find(|(known, _)| known.text == word.text) {
                Some((_, count)) => *count += 1,
                None => found.push((word, 1)),
            }
        }
        found
    }
}

/// A spatial word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Word {
    /// The word.
    pub text: String,
    /// Its class in this place.
    pub class: Class,
    /// How it pictures space, where one model fits.
    pub model: Option<Model>,
    /// Its places.
    pub idxes: Vec<u32>,
}

/// A tuple: one entity with where it is or goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tuple {
    /// Its roles in the official order.
    pub roles: Vec<Role>,
    /// How far its source trusts it, from 0 to 1.
    pub odds: f64,
}

impl Tuple {
    /// What fills a role of this name.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles.iter().find(|role| role.role == name)
    }
}

/// A role and what fills it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Role {
    /// 空间实体, 处所, …; of what is wrong `S1`, `P1`, `text1`, …
    pub role: String,
    /// The words.
    pub text: String,
    /// The label (假, 之后, 远, …), where there is one.
    pub label: Option<String>,
    /// Its places, in the order of the words.
    pub idxes: Vec<u32>,
}

/// What a source thinks of the passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opinion {
    /// The source.
    pub by: String,
    /// How likely the passage is normal.
    pub normal: f64,
}

/// A word that is wrong in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Anomaly {
    /// The word.
    pub word: String,
    /// Its places.
    pub idxes: Vec<u32>,
    /// How sure the first of the reasons is, from 0 to 1.
    pub odds: f64,
    /// The type of 2022: `A` does not go together, `B` contradiction, `C` against common sense.
    pub kind: Option<String>,
    /// Why, each with who says so.
    pub reasons: Vec<Reason>,
    /// The fragments that are at odds.
    pub fragments: Vec<Role>,
    /// What could stand there: for the word itself, then for spatial words that it is at odds with.
    pub choices: Vec<Choices>,
}

/// Why a word is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// Who says so.
    pub by: String,
    /// The reason.
    pub say: Say,
}

/// What could stand in a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choices {
    /// The word that stands there.
    pub word: String,
    /// Its class.
    pub class: Class,
    /// Its places.
    pub idxes: Vec<u32>,
    /// How likely the passage is normal with that word.
    pub score: f64,
    /// Words of its substitution groups, the best first.
    pub rivals: Vec<Rival>,
}

/// A word that could stand in place of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rival {
    /// The word.
    pub word: String,
    /// How likely the passage is normal with it, other wrong words put right; 0.5 and more is taken to be sound.
    pub score: f64,
    /// How typical it is after its noun, from 0 to 1, where the lexicon knows the noun.
    pub typical: Option<f64>,
    /// The substitution group that holds both.
    pub group: String,
}

/// Who answered what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct By {
    /// `judge`, `locate`, `type` or `roles`.
    pub part: String,
    /// The task that the source answers.
    pub task: String,
    /// The source: `rule`, or a predictor with the name of its model folder.
    pub source: String,
}
