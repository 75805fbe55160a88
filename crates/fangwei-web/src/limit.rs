//! How often somebody may ask: a bucket of tokens for each, filled steadily, kept in memory. Signing in has its own, stricter limit in the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How often something may be done.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// So often at once.
    burst: f64,
    /// So often a second in the long run.
    per_second: f64,
}

/// Requests of any kind: an editor saves and checks several times a second at most.
const REQUESTS: Rate = Rate { burst: 120.0, per_second: 30.0 };
/// What costs the server or the organisers something: accounts of strangers, files that are checked and refused.
pub const RARE: Rate = Rate { burst: 60.0, per_second: 0.1 };
/// Passages that are explored: a person reads what comes of one before sending the next.
pub const EXPLORE: Rate = Rate { burst: 30.0, per_second: 0.5 };
/// So many askers are remembered; beyond, those who have been quiet are forgotten.
const MOST_ASKERS: usize = 20_000;
/// After so long every bucket is full again.
const FORGOTTEN_MS: i64 = 600_000;

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
        self.take_at(REQUESTS, asker, now_ms)
    }

    /// The same at another rate. The name of the asker says what for, so that one bucket has one rate.
    pub fn take_at(&self, rate: Rate, asker: &str, now_ms: i64) -> Result<(), u64> {
        let Rate { burst, per_second } = rate;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ASKERS && !buckets.contains_key(asker) {
            buckets.retain(|_, bucket| now_ms - bucket.at_ms < FORGOTTEN_MS);
        }
        let bucket = buckets.entry(asker.to_owned()).or_insert(Bucket { tokens: burst, at_ms: now_ms });
        let seconds = (now_ms - bucket.at_ms).max(0) as f64 / 1000.0;
        bucket.tokens = (bucket.tokens + seconds * per_second).min(burst);
        bucket.at_ms = now_ms;
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) / per_second).ceil() as u64);
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
        for _ in 0..60 {
            assert_eq!(limits.take_at(RARE, "upload ann", 0), Ok(()));
        }
        assert_eq!(limits.take_at(RARE, "upload ann", 0), Err(10), "one in ten seconds");
    }
}
