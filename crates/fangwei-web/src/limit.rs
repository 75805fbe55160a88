//! How often somebody may ask: a bucket of tokens for each, filled steadily, kept in memory. Signing in has its own, stricter limit in the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// So many requests at once.
const BURST: f64 = 120.0;
/// So many requests a second in the long run: an editor saves and checks several times a second at most.
const PER_SECOND: f64 = 30.0;
/// So many askers are remembered; beyond, those who have been quiet are forgotten.
const MOST_ASKERS: usize = 20_000;

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    at_ms: i64,
}

/// Who asked how often of late.
#[derive(Debug, Default)]
pub struct Limits {
    buckets: Mutex<HashMap<String, Bucket>>,
}

impl Limits {
    /// Takes a token of the asker; the seconds to wait where none is left.
    pub fn take(&self, asker: &str, now_ms: i64) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ASKERS && !buckets.contains_key(asker) {
            buckets.retain(|_, bucket| (now_ms - bucket.at_ms) as f64 / 1000.0 * PER_SECOND < BURST);
        }
        let bucket = buckets.entry(asker.to_owned()).or_insert(Bucket { tokens: BURST, at_ms: now_ms });
        let seconds = (now_ms - bucket.at_ms).max(0) as f64 / 1000.0;
        bucket.tokens = (bucket.tokens + seconds * PER_SECOND).min(BURST);
        bucket.at_ms = now_ms;
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) / PER_SECOND).ceil() as u64);
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limits = Limits::default();
        for _ in 0..120 {
            assert_eq!(limits.take("ann", 0), Ok(()));
        }
        assert_eq!(limits.take("ann", 0), Err(1));
        assert_eq!(limits.take("bob", 0), Ok(()), "others are not held up");
        assert_eq!(limits.take("ann", 100), Ok(()), "a tenth of a second gives three");
    }
}
