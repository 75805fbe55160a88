//! A second opinion: what another model thinks of the characters of a passage, for a feature model to weigh with its own.

use crate::reading::Reading;

/// A model that labels the characters of a passage, given what is asked about.
pub trait Opinion<Question>: Send + Sync {
    /// For each question and each character of the passage, the logarithm of how likely each label is, character by character.
    fn labels(&self, reading: &Reading, questions: &[Question]) -> Vec<Vec<f32>>;
}
