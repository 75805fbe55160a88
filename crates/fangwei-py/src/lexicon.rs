//! The spatial lexicon.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use fangwei::lexicon::{Class, Entry, Lexicon as Words};
use fangwei::record::Severity;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::Made;
use crate::errors::{Raised, lang, tell};

/// The shipped lexicon, or that of a folder.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Lexicon {
    words: Arc<Cow<'static, Words>>,
    defects: String,
}

impl Lexicon {
    /// The words, for other steps.
    pub fn words(&self) -> Arc<Cow<'static, Words>> {
        Arc::clone(&self.words)
    }

    fn entry(&self, entry: &Entry) -> Value {
        let groups: Vec<&str> = entry.groups.iter().map(|number| self.words.groups()[*number as usize].name.as_str()).collect();
        let note = Some(entry.note.as_str()).filter(|note| *note != "-");
        json!({ "word": entry.word, "class_": entry.class, "model": entry.model, "note": note, "groups": groups })
    }
}

#[pymethods]
impl Lexicon {
    #[new]
    #[allow(clippy::needless_pass_by_value)] // Python hands over a path of its own
    fn new(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<Lexicon> {
        let read = || -> Made<Lexicon> {
            let Some(folder) = &folder else {
                return Ok(Lexicon { words: Arc::new(Cow::Borrowed(Words::shipped())), defects: "[]".to_owned() });
            };
            let (words, defects) = Words::read(folder)?;
            if defects.iter().any(|defect| defect.severity() == Severity::Error) {
                let what = lang().say("词表有错误，不能使用", "the lexicon has errors and cannot be used");
                return Err(Raised::defects("LexiconError", what, &defects));
            }
            Ok(Lexicon { words: Arc::new(Cow::Owned(words)), defects: Value::from(tell(&defects)).to_string() })
        };
        Ok(py.detach(read)?)
    }

    /// Warnings.
    #[getter]
    fn defects(&self) -> &str {
        &self.defects
    }

    /// Every entry.
    fn entries(&self) -> String {
        Value::from(self.words.entries().iter().map(|entry| self.entry(entry)).collect::<Vec<_>>()).to_string()
    }

    /// The entries of a word.
    fn look_up(&self, word: &str) -> String {
        Value::from(self.words.look_up(word).map(|entry| self.entry(entry)).collect::<Vec<_>>()).to_string()
    }

    /// Words that may take a word's place in a class.
    fn rivals(&self, word: &str, class: &str) -> PyResult<String> {
        let class: Class = class.parse().map_err(Raised::from)?;
        let one = |rival: &fangwei::lexicon::Rival<'_>| json!({ "word": rival.word, "group": rival.group.name });
        Ok(Value::from(self.words.rivals(word, class).iter().map(one).collect::<Vec<_>>()).to_string())
    }

    /// Every group.
    fn groups(&self) -> String {
        let one = |group: &fangwei::lexicon::Group| json!({ "name": group.name, "class_": group.class, "words": group.words, "note": group.note });
        Value::from(self.words.groups().iter().map(one).collect::<Vec<_>>()).to_string()
    }

    /// What is known of a noun: its kind and the locatives that it takes.
    fn noun(&self, word: &str) -> Option<String> {
        let noun = self.words.noun(word)?;
        Some(json!({ "word": noun.word, "kind": self.words.kind(noun).name, "takes": noun.takes }).to_string())
    }

    /// The words that look most like this one.
    fn nearest(&self, word: &str, most: usize) -> Vec<String> {
        self.words.nearest(word, most).into_iter().map(ToOwned::to_owned).collect()
    }
}
