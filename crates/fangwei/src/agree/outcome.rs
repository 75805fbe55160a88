//! A value as it is reported: with its interval, or with the reason why there is none.

use serde::{Serialize, Serializer};

use super::{Undefined, Value};
use crate::stats::{Interval, Redrawn};

/// A value with its interval, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The value.
    pub value: Value,
    /// Its bootstrap interval.
    pub interval: Option<Interval>,
    /// How many draws leave it undefined; the interval is that of the others.
    pub undefined_draws: usize,
}

impl Outcome {
    /// A value that was not resampled.
    pub(super) fn bare(value: Value) -> Outcome {
        Outcome { value, interval: None, undefined_draws: 0 }
    }

    pub(super) fn new(value: Value, redrawn: Option<&Redrawn>) -> Outcome {
        let Some(redrawn) = redrawn.filter(|_| value.is_ok()) else { return Outcome::bare(value) };
        Outcome { value, interval: redrawn.interval, undefined_draws: redrawn.undefined }
    }

    /// The value, where there is one.
    pub fn get(&self) -> Option<f64> {
        self.value.ok()
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            value: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            undefined: Option<Undefined>,
            #[serde(skip_serializing_if = "Option::is_none")]
            interval: Option<Interval>,
            #[serde(skip_serializing_if = "is_zero")]
            undefined_draws: usize,
        }
        let Outcome { value, interval, undefined_draws } = *self;
        Shown { value: value.ok(), undefined: value.err(), interval, undefined_draws }.serialize(serializer)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_zero(number: &usize) -> bool {
    *number == 0
}
