//! The grade in a judge's reply.

use serde_json::Value;

/// Reads a grade from 0 to 5: the field `grade` of the last JSON object, else a number that follows the word for it.
pub fn read_grade(reply: &str) -> Option<u8> {
    let reply = reply.rsplit("</think>").next().unwrap_or(reply);
    let whole = |value: f64| (value.fract() == 0.0 && (0.0..=5.0).contains(&value)).then_some(value as u8);
    for (at, _) in reply.match_indices('{').rev() {
        let value = serde_json::Deserializer::from_str(&reply[at..]).into_iter::<Value>().next().and_then(Result::ok);
        let grade = value.as_ref().and_then(|value| ["grade", "分数", "score"].iter().find_map(|name| value.get(name)));
        if let Some(grade) = grade {
            return grade.as_f64().or_else(|| grade.as_str()?.trim().trim_end_matches('分').parse().ok()).and_then(whole);
        }
    }
    ["grade", "评分", "分数", "得分"].iter().find_map(|word| {
        let after = reply.rsplit_once(word)?.1.trim_start_matches(|c: char| "\"'：:为是 ”“*".contains(c));
        let digits: String = after.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        digits.parse().ok().and_then(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_in_replies() {
        assert_eq!(read_grade(r#"{"why": "改写了", "grade": 4}"#), Some(4));
        assert_eq!(read_grade("```json\n{\"why\": \"……\", \"grade\": \"5\"}\n```"), Some(5));
        assert_eq!(read_grade("<think>{\"grade\": 1}</think>评分：3分"), Some(3));
        assert_eq!(read_grade("{\"why\": \"断在这里\", \"grade\": 2"), Some(2));
        for none in ["", "很好", r#"{"grade": 9}"#, r#"{"grade": 2.5}"#, r#"{"why": "x"}"#] {
            assert_eq!(read_grade(none), None, "{none}");
        }
    }
}
