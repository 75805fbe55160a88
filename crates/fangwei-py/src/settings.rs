//! Settings that several functions share, read from the JSON that Python sends.

use fangwei::origin::Grouping;
use fangwei::stats::Resampling;
use fangwei::task::{Mode, Task};
use fangwei::tasks;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Made;
use crate::errors::Raised;
use fangwei::lang::{Unknown, words};

/// Reads settings.
pub fn read<T: DeserializeOwned>(json: &str) -> Made<T> {
    serde_json::from_str(json).map_err(|error| Raised::settings(&error))
}

/// The task of a name.
pub fn task(name: &str) -> Made<&'static dyn Task> {
    Ok(tasks::find(name)?)
}

/// `official` or `spec`.
pub fn mode(name: &str) -> Made<Mode> {
    match name {
        "official" => Ok(Mode::Official),
        "spec" => Ok(Mode::Spec),
        _ => Err(Unknown::new(words("没有这种评分模式", "unknown mode"), name, ["official", "spec"]).into()),
    }
}

/// How intervals are drawn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    resamples: usize,
    seed: u64,
    group: String,
}

impl Drawing {
    /// As the library takes it.
    pub fn resampling(&self) -> Resampling {
        Resampling { seed: self.seed, resamples: self.resamples, ..Resampling::default() }
    }

    /// Which items belong together.
    pub fn grouping(&self) -> Grouping {
        self.group.parse().unwrap_or(Grouping::Auto)
    }
}
