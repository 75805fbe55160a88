//! YAML as JSON values: what `competition.yaml` needs of it. Aliases are refused, so that a short file cannot become a long value.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

/// Deeper than anybody nests.
const DEEPEST: usize = 32;

/// A collection that is not closed yet.
enum Open {
    List(Vec<Value>),
    /// The fields so far, and the key that waits for its value.
    Map(Map<String, Value>, Option<String>),
}

/// The first document of a text.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let value = match event {
            Event::Scalar(text, style, ..) => scalar(&text, style),
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == DEEPEST => {
                return Err(format!("line {}: expected at most {DEEPEST} levels, found more", span.start.line()));
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(Map::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(list)) => Value::Array(list),
                Some(Open::Map(map, _)) => Value::Object(map),
                None => continue,
            },
            Event::Alias(_) => return Err(format!("line {}: expected no alias, found one", span.start.line())),
            Event::DocumentEnd | Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => continue,
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(Open::List(list)) => list.push(value),
            Some(Open::Map(map, waiting)) => match waiting.take() {
                Some(key) => drop(map.insert(key, value)),
                None => *waiting = Some(shown(&value)),
            },
        }
    }
    Ok(Value::Null)
}

/// A scalar by the core schema: plain ones may be numbers, truth or nothing; quoted ones are texts.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        text => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(number)) if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => number.into(),
            _ => Value::String(text.to_owned()),
        },
    }
}

/// A value in a line.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_bundles_hold() {
        let text = "version: 2\ntitle: '甲: 乙'\nopen: True\nempty:\nstart: 2022-05-01\nphases:\n  - index: 0\n    tasks: [0, 1]\n    note: |\n      one\n      two\n";
        let expected = json!({
            "version": 2, "title": "甲: 乙", "open": true, "empty": null, "start": "2022-05-01",
            "phases": [{ "index": 0, "tasks": [0, 1], "note": "one\ntwo\n" }],
        });
        assert_eq!(parse(text).expect("read"), expected);
    }

    #[test]
    fn what_would_grow_is_refused() {
        let error = parse("a: &a [1, 2]\nb: [*a, *a]\n").expect_err("an alias");
        assert!(error.contains("alias") && error.contains("line 2"), "{error}");
        assert!(parse(&"[".repeat(200)).is_err());
        assert!(parse("a: [1").is_err());
        assert_eq!(parse("").expect("nothing"), Value::Null);
    }
}
