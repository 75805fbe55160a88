//! One passage, looked at from all sides: its spatial words, who is where, what is wrong and what would be right in its place.
//!
//! [`explore`] gathers what lexicon, rules and models say into an [`Explored`], plain data that programs take as JSON. People see it on a terminal ([`text`]), as a
//! page ([`html`]) and as a picture ([`scene`]). Places are code-point indexes, as everywhere.
//!
//! ```
//! use fangwei_predict::explore::{Ask, Sources, explore};
//!
//! let explored = explore("他跳进山洞外。", &Sources::rules(), Ask::default())?;
//! let wrong = &explored.anomalies[0];
//! assert_eq!((wrong.word.as_str(), &wrong.idxes[..]), ("外", &[5][..]));
//! assert_eq!(wrong.choices[0].rivals[0].word, "里");
//! # Ok::<(), fangwei_predict::explore::ExploreError>(())
//! ```

mod anomaly;
mod clean;
mod explored;
pub mod html;
mod lanes;
mod look;
mod rivals;
pub mod scene;
mod sources;
#[cfg(test)]
mod tests;
pub mod text;
mod tuples;

pub use explored::{Anomaly, By, Choices, Explored, Opinion, Reason, Rival, Role, Tuple, Word};
pub use sources::{Part, Sources};

use fangwei::lang::Lang;
use fangwei::lexicon::Lexicon;

use crate::predictor::PredictError;
use crate::reading::{Reading, Token};
use crate::rule::scan::Scan;

/// A passage has at most so many characters.
pub const MOST_CHARACTERS: usize = 2_000;

/// What is wanted beside the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Rivals of every spatial word, not only of wrong ones.
    pub all_rivals: bool,
}

/// Why a passage is not explored.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// There is nothing to look at.
    #[error("expected a passage, found none")]
    Empty,
    /// It is longer than what is looked at.
    #[error("expected a passage of at most {MOST_CHARACTERS} characters, found {0}; cut it into several")]
    TooLong(usize),
    /// A model failed.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

impl ExploreError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        match (lang, self) {
            (Lang::Zh, ExploreError::Empty) => "没有文本".to_owned(),
            (Lang::Zh, ExploreError::TooLong(found)) => {
                format!("每段至多 {MOST_CHARACTERS} 字，实有 {found} 字；请分成几段")
            }
            (lang, ExploreError::Predict(error)) => error.say(lang),
            (Lang::En, error) => error.to_string(),
        }
    }
}

/// Looks at a passage.
pub fn explore(text: &str, sources: &Sources, ask: Ask) -> Result<Explored, ExploreError> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(ExploreError::Empty);
    }
    if length > MOST_CHARACTERS {
        return Err(ExploreError::TooLong(length));
    }
    let reading = Reading::new(text);
    let scan = Scan::new(&reading);
    let opinions = sources.opinions(text)?;
    let normal = opinions.first().map_or(1.0, |opinion| opinion.normal);
    let mut explored = Explored {
        text: text.to_owned(),
        words: reading.tokens.iter().filter_map(word).collect(),
        tuples: tuples::tuples(text, sources)?,
        normal,
        opinions,
        anomalies: anomaly::anomalies(text, &scan, sources, normal < 0.5)?,
        mended: None,
        choices: Vec::new(),
        unweighed: 0,
        by: sources.by(),
    };
    rivals::weigh(&mut explored, &scan, sources, ask)?;
    Ok(explored)
}

/// The spatial word that a token is.
fn word(token: &Token) -> Option<Word> {
    let class = token.class?;
    let model = Lexicon::shipped().entry(&token.text, class).and_then(|entry| entry.model);
    Some(Word { text: token.text.to_string(), class, model, idxes: places(token) })
}

fn places(token: &Token) -> Vec<u32> {
    token.range().map(|place| place as u32).collect()
}
