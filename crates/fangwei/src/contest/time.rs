//! Moments as organisers write them: RFC 3339 with an offset, so that no deadline means two things. Days of quotas are counted in one stated zone.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;

/// A moment, to the millisecond, with the offset that it was written with. Two are equal and in order by the moment alone.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Milliseconds since 1970 in UTC.
    pub ms: i64,
    /// The offset from UTC.
    pub zone: Zone,
}

/// An offset from UTC in minutes; the default is that of China.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone(pub i16);

impl Default for Zone {
    fn default() -> Zone {
        Zone(8 * 60)
    }
}

/// Why a text is no moment.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeError {
    /// It has no offset, so that it means another moment in another place.
    #[error("expected a time with its offset, as 2022-08-12T00:00:00+08:00, found {0:?}")]
    NoOffset(String),
    /// It is not of the form.
    #[error("expected an RFC 3339 time, as 2022-08-12T00:00:00+08:00, found {0:?}")]
    Form(String),
    /// It is of the form, but there is no such day or hour.
    #[error("expected a time that exists, found {0:?}")]
    NoSuchTime(String),
}

impl PartialEq for Moment {
    fn eq(&self, other: &Moment) -> bool {
        self.ms == other.ms
    }
}

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Moment) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Moment) -> std::cmp::Ordering {
        self.ms.cmp(&other.ms)
    }
}

impl Moment {
    /// The moment so many milliseconds after 1970, to be written in a zone.
    pub fn at(ms: i64, zone: Zone) -> Moment {
        Moment { ms, zone }
    }
}

impl Zone {
    /// The date of a moment in this zone: `2022-08-12`.
    pub fn day(self, ms: i64) -> String {
        let (year, month, day) = date((ms + i64::from(self.0) * MINUTE).div_euclid(DAY));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The first millisecond of the day that a moment falls on in this zone.
    pub fn midnight(self, ms: i64) -> i64 {
        let ahead = i64::from(self.0) * MINUTE;
        (ms + ahead).div_euclid(DAY) * DAY - ahead
    }
}

/// Year, month and day of a number of days since 1970, by counting from March of year 0 in eras of 400 years.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The number of days since 1970 of a date; `None` where there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let from_march = if month > 2 { year } else { year - 1 };
    let (era, year_of_era) = (from_march.div_euclid(400), from_march.rem_euclid(400));
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    // The 31st of June would be the 1st of July.
    (date(days) == (year, month, day)).then_some(days)
}

impl FromStr for Zone {
    type Err = TimeError;

    /// `+08:00`, `-05:30` or `Z`.
    fn from_str(text: &str) -> Result<Zone, TimeError> {
        let form = || TimeError::Form(text.to_owned());
        if text == "Z" || text == "z" {
            return Ok(Zone(0));
        }
        let (sign, rest) = match text.split_at_checked(1) {
            Some(("+", rest)) => (1, rest),
            Some(("-", rest)) => (-1, rest),
            _ => return Err(form()),
        };
        let (hours, minutes) = rest.split_once(':').ok_or_else(form)?;
        let (hours, minutes) = (digits(hours, 2).ok_or_else(form)?, digits(minutes, 2).ok_or_else(form)?);
        if hours > 23 || minutes > 59 {
            return Err(TimeError::NoSuchTime(text.to_owned()));
        }
        Ok(Zone(sign * (hours * 60 + minutes) as i16))
    }
}

impl std::fmt::Display for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sign, minutes) = if self.0 < 0 { ('-', -i32::from(self.0)) } else { ('+', i32::from(self.0)) };
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// A number of so many digits and nothing else.
fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

impl FromStr for Moment {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Moment, TimeError> {
        let form = || TimeError::Form(text.to_owned());
        let (day, rest) = text.split_at_checked(10).ok_or_else(form)?;
        let &[year, month, day] = day.split('-').collect::<Vec<_>>().as_slice() else { return Err(form()) };
        let day = (digits(year, 4), digits(month, 2), digits(day, 2));
        let (Some(year), Some(month), Some(day)) = day else { return Err(form()) };
        if rest.is_empty() {
            return Err(TimeError::NoOffset(text.to_owned()));
        }
        let clock = rest.strip_prefix(['T', 't', ' ']).ok_or_else(form)?;
        let end = clock.find(|letter: char| !letter.is_ascii_digit() && letter != ':' && letter != '.').unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(end);
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
        let clock: Vec<Option<i64>> = clock.split(':').map(|part| digits(part, 2)).collect();
        let &[Some(hour), Some(minute), Some(second)] = clock.as_slice() else { return Err(form()) };
        if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(form());
        }
        if zone.is_empty() {
            return Err(TimeError::NoOffset(text.to_owned()));
        }
        let zone: Zone = zone.parse().map_err(|_| form())?;
        let days = days(year, month, day).filter(|_| hour < 24 && minute < 60 && second < 60);
        let days = days.ok_or_else(|| TimeError::NoSuchTime(text.to_owned()))?;
        let thousandths: i64 = format!("{fraction:0<3}")[..3].parse().map_err(|_| form())?;
        let local = days * DAY + (hour * 60 + minute) * MINUTE + second * 1000 + thousandths;
        Ok(Moment { ms: local - i64::from(zone.0) * MINUTE, zone })
    }
}

impl std::fmt::Display for Moment {
    /// As RFC 3339, in its own zone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let local = self.ms + i64::from(self.zone.0) * MINUTE;
        let ((year, month, day), rest) = (date(local.div_euclid(DAY)), local.rem_euclid(DAY));
        let (hour, minute, second) = (rest / (60 * MINUTE), rest / MINUTE % 60, rest / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if rest % 1000 != 0 {
            write!(f, ".{:03}", rest % 1000)?;
        }
        write!(f, "{}", self.zone)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> i64 {
        text.parse::<Moment>().expect(text).ms
    }

    #[test]
    fn one_moment_in_three_zones() {
        let noon = ms("2022-08-12T12:00:00+08:00");
        assert_eq!(noon, 1_660_276_800_000, "as `date -d 2022-08-12T04:00:00Z +%s` says");
        assert_eq!(noon, ms("2022-08-12T04:00:00Z"));
        assert_eq!(noon, ms("2022-08-11T22:30:00-05:30"));
        assert_eq!(ms("2022-08-12T12:00:00.5+08:00") - noon, 500);
        assert_eq!(ms("1969-12-31T23:59:59Z"), -1000);
        assert_eq!(ms("2000-02-29 00:00:00Z"), 951_782_400_000, "a leap day");
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["2022-08-12T00:00:00+08:00", "1970-01-01T00:00:00+00:00", "2024-02-29T23:59:59.125-05:30"] {
            assert_eq!(text.parse::<Moment>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn a_time_without_offset_is_none() {
        let error = |text: &str| text.parse::<Moment>().expect_err(text);
        for text in ["2022-08-12", "2022-08-12T00:00:00", "2022-08-12 00:00:00.5"] {
            assert!(matches!(error(text), TimeError::NoOffset(_)), "{text}");
        }
        for text in [
            "2022-02-30T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2022-08-12T24:00:00Z",
            "2022-08-12T00:60:00Z",
            "2022-13-01T00:00:00Z",
        ] {
            assert!(matches!(error(text), TimeError::NoSuchTime(_)), "{text}: {:?}", error(text));
        }
        for text in [
            "",
            "soon",
            "12.08.2022",
            "2022-8-12T00:00:00Z",
            "2022-08-12T0:00:00Z",
            "2022-08-12T00:00Z",
            "2022-08-12T00:00:00+8",
            "2022年08月12日",
        ] {
            assert!(matches!(error(text), TimeError::Form(_)), "{text}: {:?}", error(text));
        }
    }

    #[test]
    fn days_begin_at_midnight_of_the_zone() {
        let zone = Zone::default();
        let (last, first) = (ms("2022-08-11T23:59:59.999+08:00"), ms("2022-08-12T00:00:00+08:00"));
        assert_eq!((zone.day(last).as_str(), zone.day(first).as_str()), ("2022-08-11", "2022-08-12"));
        assert_eq!(Zone(0).day(first), "2022-08-11", "the same moment is still the day before in London");
        assert_eq!(zone.midnight(first), first);
        assert_eq!(zone.midnight(first + DAY - 1), first);
    }
}
