//! Failures by script: `429=2@first:20` answers the first twenty requests with 429 and asks to wait for two seconds.

use std::time::Duration;

/// How a request fails.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// 429, with the time after which to come again, if any.
    Busy {
        /// `Retry-After`
        after: Option<Duration>,
    },
    /// Another status: 400, 401, 503, ….
    Status(u16),
    /// The connection is closed without an answer; of a stream, in the middle.
    Drop,
    /// Half of the JSON.
    Half,
    /// No answer for so long.
    Silence(Duration),
    /// An answer in pieces with so long between them.
    Slow(Duration),
}

/// When.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum When {
    /// Always.
    All,
    /// The first so many requests.
    First(u64),
    /// Every so many-th request.
    Every(u64),
    /// By chance, with this share.
    Share(f64),
}

/// A failure and when it happens.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fault {
    /// How.
    pub kind: Kind,
    /// When.
    pub when: When,
}

/// A script that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "fault: expected 429[=SECONDS] | STATUS | drop | half | silence=SECONDS | slow=SECONDS, then @all | @first:N | @every:N | @N%, found {0}"
)]
pub struct BadFault(String);

impl std::str::FromStr for Fault {
    type Err = BadFault;

    fn from_str(text: &str) -> Result<Fault, BadFault> {
        let bad = || BadFault(text.to_owned());
        let (kind, when) = text.split_once('@').unwrap_or((text, "all"));
        let (name, seconds) = match kind.split_once('=') {
            Some((name, seconds)) => {
                let seconds: f64 = seconds.parse().map_err(|_| bad())?;
                (name, Some(Duration::try_from_secs_f64(seconds).map_err(|_| bad())?))
            }
            None => (kind, None),
        };
        let kind = match (name, seconds) {
            ("429", after) => Kind::Busy { after },
            ("drop", None) => Kind::Drop,
            ("half", None) => Kind::Half,
            ("silence", Some(time)) => Kind::Silence(time),
            ("slow", Some(time)) => Kind::Slow(time),
            (status, None) => Kind::Status(status.parse().ok().filter(|status| (400..600).contains(status)).ok_or_else(bad)?),
            _ => return Err(bad()),
        };
        let count = |text: &str| text.parse::<u64>().ok().filter(|count| *count > 0).ok_or_else(bad);
        let when = match (when, when.split_once(':'), when.strip_suffix('%')) {
            ("all", ..) => When::All,
            (_, Some(("first", text)), _) => When::First(count(text)?),
            (_, Some(("every", text)), _) => When::Every(count(text)?),
            (_, _, Some(share)) => When::Share(share.parse::<f64>().map_err(|_| bad())? / 100.0),
            _ => return Err(bad()),
        };
        Ok(Fault { kind, when })
    }
}

impl Fault {
    /// Whether request number `number`, from 0, fails.
    pub fn applies(&self, number: u64, seed: u64) -> bool {
        match self.when {
            When::All => true,
            When::First(count) => number < count,
            When::Every(count) => number % count == count - 1,
            When::Share(share) => by_chance(number ^ seed.rotate_left(32)) < share,
        }
    }
}

/// A number from 0 to 1 that depends on `number` and looks like chance (the finaliser of splitmix64).
pub fn by_chance(number: u64) -> f64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts() {
        let read = |text: &str| text.parse::<Fault>();
        let busy = Kind::Busy { after: Some(Duration::from_millis(1500)) };
        assert_eq!(read("429=1.5@first:20"), Ok(Fault { kind: busy, when: When::First(20) }));
        assert_eq!(read("503@5%"), Ok(Fault { kind: Kind::Status(503), when: When::Share(0.05) }));
        assert_eq!(read("drop"), Ok(Fault { kind: Kind::Drop, when: When::All }));
        for bad in ["", "200", "drop=1", "silence", "429@never", "429@every:0", "429=-1"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn when_they_happen() {
        let count = |when| (0..1000).filter(|number| Fault { kind: Kind::Drop, when }.applies(*number, 7)).count();
        assert_eq!((count(When::First(20)), count(When::Every(10)), count(When::All)), (20, 100, 1000));
        let some = count(When::Share(0.1));
        assert!((60..140).contains(&some), "a tenth of a thousand within four deviations, found {some}");
    }
}
