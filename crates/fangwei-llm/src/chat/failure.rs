//! What a failure means: whether it may pass, how long to wait, and what the server said in its own words.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use ureq::http::HeaderMap;

use crate::provider::{ProviderError, Response, Trouble};

/// So much of what a server says is shown.
const SHOWN: usize = 600;

/// A failure of the call itself.
pub fn of_call(error: &ureq::Error) -> ProviderError {
    match error {
        ureq::Error::Timeout(what) => ProviderError::passing(Trouble::Timeout, what.to_string()),
        ureq::Error::Io(error) => of_read(error),
        ureq::Error::BadUri(_) | ureq::Error::InvalidProxyUrl | ureq::Error::Http(_) | ureq::Error::RedirectFailed => {
            ProviderError::Refused { status: 404, words: error.to_string() }
        }
        other => ProviderError::passing(Trouble::Connection, other.to_string()),
    }
}

/// A failure in the middle of an answer.
pub fn of_read(error: &std::io::Error) -> ProviderError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    let timed_out = matches!(inner, Some(ureq::Error::Timeout(_))) || error.kind() == std::io::ErrorKind::TimedOut;
    ProviderError::passing(if timed_out { Trouble::Timeout } else { Trouble::Connection }, error.to_string())
}

/// A status that is not 200, with the body that came with it.
pub fn of_status(status: u16, after: Option<Duration>, body: &str) -> ProviderError {
    let words = words(body);
    match status {
        429 => ProviderError::Busy { after, words },
        408 | 409 | 500..=599 => ProviderError::Passing { kind: Trouble::Server, after, words: format!("{status} {words}") },
        _ => ProviderError::Refused { status, words },
    }
}

/// The server's words: the message of its error object with type, code and parameter where the message does not name them, or the body as it is.
pub fn words(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let error = parsed.as_ref().map(|body| body.get("error").unwrap_or(body));
    let message = error.and_then(|error| match error {
        Value::String(text) => Some(text.clone()),
        error => ["message", "detail", "msg"].iter().find_map(|name| error.get(name)).map(|text| match text {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }),
    });
    let Some(mut message) = message else { return brief(body) };
    for name in ["code", "param"] {
        if let Some(text) = error.and_then(|error| error.get(name)).and_then(Value::as_str).filter(|text| !message.contains(text))
        {
            message.push_str(&format!(" [{name}: {text}]"));
        }
    }
    brief(&message)
}

/// The beginning of a text.
pub fn brief(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A refusal of the content, not of the request: some servers answer with 400 what others answer with `content_filter`.
pub fn filtered(status: u16, words: &str) -> Option<Response> {
    let said = words.to_lowercase();
    let filters = [
        "content_filter",
        "content management policy",
        "data_inspection_failed",
        "datainspectionfailed",
        "sensitive content",
        "敏感",
    ];
    (status == 400 && filters.iter().any(|word| said.contains(word))).then(|| Response {
        finish: Some("content_filter".to_owned()),
        body: Value::String(words.to_owned()),
        ..Response::default()
    })
}

/// How long the server wants to be left alone: `retry-after-ms`, or `Retry-After` as seconds or as a date.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |text: &str| text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if let Some(wait) = text("retry-after-ms").and_then(seconds) {
        return Some(wait / 1000);
    }
    let given = text("retry-after")?;
    seconds(given).or_else(|| {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs());
        // The server's own clock, should the two differ.
        let now = text("date").and_then(date).or_else(clock)?;
        Some(Duration::from_secs(date(given)?.saturating_sub(now)))
    })
}

/// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let name = words.next()?;
    let month = MONTHS.iter().position(|known| *known == name)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..=9999).contains(year))?;
    let mut clock = words.next()?.split(':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    // Days of the civil calendar, with years that begin in March, so that the leap day is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_own_words() {
        assert_eq!(
            words(r#"{"error":{"message":"no such model","code":"model_not_found"}}"#),
            "no such model [code: model_not_found]"
        );
        assert_eq!(words(r#"{"error":"bad"}"#), "bad");
        assert_eq!(words(r#"{"detail":[{"loc":["body","seed"]}]}"#), r#"[{"loc":["body","seed"]}]"#);
        assert_eq!(words("<html>504</html>"), "<html>504</html>");
    }

    #[test]
    fn which_statuses_may_pass() {
        for status in [408, 409, 500, 502, 503, 529] {
            assert!(matches!(of_status(status, None, ""), ProviderError::Passing { .. }), "{status}");
        }
        assert!(matches!(of_status(429, None, ""), ProviderError::Busy { .. }));
        for status in [400, 401, 403, 404, 413, 422] {
            assert!(matches!(of_status(status, None, ""), ProviderError::Refused { .. }), "{status}");
        }
    }

    #[test]
    fn waits() {
        let wait = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().expect("a header"));
            }
            retry_after(&headers)
        };
        assert_eq!(wait(&[("retry-after", "7")]), Some(Duration::from_secs(7)));
        assert_eq!(wait(&[("retry-after", "1"), ("retry-after-ms", "250")]), Some(Duration::from_millis(250)));
        let dates = [("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:30 GMT")];
        assert_eq!(wait(&dates), Some(Duration::from_secs(7)));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "-3")]), None);
        // 1994-11-06 is day 9075 since 1970: 24 years of 365 days, 6 leap days, and 309 days of 1994.
        assert_eq!(date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(9075 * 86_400 + 8 * 3600 + 49 * 60 + 37));
    }

    #[test]
    fn a_filter_is_an_answer() {
        let refused =
            filtered(400, "Output data may contain inappropriate content [code: data_inspection_failed]").expect("refused");
        assert_eq!(refused.finish.as_deref(), Some("content_filter"));
        assert!(filtered(400, "unknown model").is_none());
    }
}
