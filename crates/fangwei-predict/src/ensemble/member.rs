//! A member of an ensemble: a model with its predictor, its options and its weight.

use std::collections::BTreeMap;
use std::path::Path;

use fangwei::task::Task;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::folder::{Loaded, RECORD, hex};
use crate::material::Origin;
use crate::options::{OptionError, Options, When};
use crate::predictor::{Model, PredictError, Predictor, find};
use crate::weights::ReadScope;

/// A member.
pub(super) struct Member {
    pub predictor: &'static dyn Predictor,
    pub options: Options,
    pub weight: f64,
    pub model: Box<dyn Model>,
    /// The folder that it was joined from, and the hash of its record; nothing where it was trained here.
    pub folder: String,
    pub sha256: String,
}

/// A member in a file, without its weights.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    predictor: String,
    options: BTreeMap<String, String>,
    weight: f64,
    folder: String,
    sha256: String,
}

impl Kept {
    /// The member, with its weights under `own`.
    pub fn load(self, task: &'static dyn Task, own: &ReadScope, from: &ReadScope) -> Result<Member, PredictError> {
        let predictor = find(&self.predictor).map_err(|unknown| from.unfit("members", "a known predictor", unknown))?;
        let given = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let options = Options::new(predictor.options(), given)?;
        let model = predictor.load(task, &options, own)?;
        Ok(Member { predictor, options, weight: self.weight, model, folder: self.folder, sha256: self.sha256 })
    }
}

impl Member {
    /// A model that was loaded from a folder. The record holds the hash of the weights, so its own hash stands for the whole folder.
    pub fn of(folder: &Path, loaded: Loaded, weight: f64) -> Result<(Member, Origin), PredictError> {
        let file = folder.join(RECORD);
        let bytes = std::fs::read(&file).map_err(|error| PredictError::Io { file: file.display().to_string(), error })?;
        let sha256 = hex(&Sha256::digest(&bytes));
        let options = crate::folder::options_of(loaded.predictor, &loaded.record)?;
        let sum = |count: fn(&Origin) -> u64| loaded.record.data.iter().map(count).sum();
        let origin = Origin {
            file: folder.display().to_string(),
            task: Some(loaded.task.id().to_owned()),
            answered: sum(|origin| origin.answered),
            unanswered: sum(|origin| origin.unanswered),
            sha256: sha256.clone(),
        };
        let folder = folder.display().to_string();
        Ok((Member { predictor: loaded.predictor, options, weight, model: loaded.model, folder, sha256 }, origin))
    }

    /// What is kept of it beside its weights.
    pub fn kept(&self) -> Kept {
        Kept {
            predictor: self.predictor.about().name.to_owned(),
            options: self.options.of(When::Train),
            weight: self.weight,
            folder: self.folder.clone(),
            sha256: self.sha256.clone(),
        }
    }

    /// Its options, with those of the ensemble that count in answering and that it has too.
    pub fn options_for(&self, ensemble: &Options) -> Options {
        let given = ensemble.of(When::Predict);
        let known = given.iter().filter(|(name, _)| {
            self.predictor.options().iter().any(|spec| spec.name == name.as_str() && spec.when == When::Predict)
        });
        let known = known.map(|(name, value)| (name.as_str(), value.as_str()));
        self.options.clone().with(known).unwrap_or_else(|_| self.options.clone())
    }
}

/// Predictors, options and weights by the options of the ensemble.
pub(super) fn parse(options: &Options) -> Result<Vec<(&'static dyn Predictor, Options, f64)>, OptionError> {
    let value = |name: &str, expected: &str, found: &str| OptionError::Value {
        name: name.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    };
    let names: Vec<&str> = options.text("of").split_whitespace().collect();
    let weights: Vec<&str> = options.text("weights").split_whitespace().collect();
    if names.is_empty() {
        return Err(value("of", "rule prior …", options.text("of")));
    }
    if !weights.is_empty() && weights.len() != names.len() {
        return Err(value("weights", &names.len().to_string(), &weights.len().to_string()));
    }
    let mut members = Vec::with_capacity(names.len());
    for (number, name) in names.iter().enumerate() {
        let mut parts = name.split(':');
        let predictor = find(parts.next().unwrap_or_default()).map_err(OptionError::Unknown)?;
        // One inside another would have members without end.
        if predictor.about().name == super::NAME {
            return Err(value("of", "rule prior …", name));
        }
        let given: Vec<(&str, &str)> = parts.map(|part| part.split_once('=').unwrap_or((part, "true"))).collect();
        let own = Options::new(predictor.options(), given)?;
        let weight = weights
            .get(number)
            .map_or(Some(1.0), |weight| weight.parse().ok())
            .filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
        let weight = weight.ok_or_else(|| value("weights", "> 0", weights.get(number).copied().unwrap_or_default()))?;
        members.push((predictor, own, weight));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::super::{OPTIONS, Options};
    use super::*;

    #[test]
    fn members_are_read_with_options_and_weights() {
        let options = |of: &str, weights: &str| Options::new(OPTIONS, [("of", of), ("weights", weights)]).expect("any text");
        let members = parse(&options("rule prior:by=word-prior", "3 1")).expect("fits");
        let shown: Vec<(&str, &str, f64)> =
            members.iter().map(|(one, own, weight)| (one.about().name, own.text("by"), *weight)).collect();
        assert_eq!(shown, [("rule", "", 3.0), ("prior", "word-prior", 1.0)]);
        for (of, weights) in [
            ("", ""),
            ("rules", ""),
            ("rule prior", "1"),
            ("rule", "-1"),
            ("rule", "x"),
            ("ensemble", ""),
            ("prior:by=guess", ""),
        ] {
            assert!(parse(&options(of, weights)).is_err(), "{of} {weights}");
        }
    }
}
