//! Explanations: why a model answers as it does, as a tree of points that people read and programs take apart.

use fangwei::lang::{Lang, Say};
use fangwei::text::Span;
use serde_json::{Map, Value, json};

/// A piece of evidence, with what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it is, for programs: `anchor`, `rival`, `noun`, `entity`, `rule`, …
    pub kind: &'static str,
    /// What it says.
    pub say: Say,
    /// The word or words that it is about.
    pub word: String,
    /// Where they stand.
    pub at: Span,
    /// How likely, from 0 to 1, where there is a number.
    pub odds: Option<f64>,
    /// What it rests on.
    pub parts: Vec<Point>,
}

impl Point {
    /// A point about a word.
    pub fn new(kind: &'static str, word: impl Into<String>, say: Say) -> Point {
        Point { kind, say, word: word.into(), at: Span::default(), odds: None, parts: Vec::new() }
    }

    /// The same with its place.
    #[must_use]
    pub fn at(self, at: impl IntoIterator<Item = u32>) -> Point {
        Point { at: at.into_iter().collect(), ..self }
    }

    /// The same with its odds.
    #[must_use]
    pub fn odds(self, odds: f64) -> Point {
        Point { odds: Some(odds), ..self }
    }

    /// The same with what it rests on.
    #[must_use]
    pub fn with(self, parts: Vec<Point>) -> Point {
        Point { parts, ..self }
    }

    fn to_json(&self, lang: Lang) -> Value {
        let mut fields = Map::new();
        fields.insert("kind".into(), self.kind.into());
        fields.insert("says".into(), self.say.get(lang).into());
        if !self.word.is_empty() {
            fields.insert("text".into(), self.word.as_str().into());
        }
        if !self.at.is_empty() {
            fields.insert("idxes".into(), self.at.iter().map(|idx| idx.0).collect::<Vec<_>>().into());
        }
        if let Some(odds) = self.odds {
            fields.insert("odds".into(), json!((odds * 1e4).round() / 1e4));
        }
        if !self.parts.is_empty() {
            fields.insert("parts".into(), self.parts.iter().map(|part| part.to_json(lang)).collect());
        }
        Value::Object(fields)
    }

    fn write(&self, lang: Lang, depth: usize, out: &mut String) {
        let odds = self.odds.map(|odds| format!("{:.1} %", odds * 100.0)).unwrap_or_default();
        let word = if self.word.is_empty() { String::new() } else { format!("“{}”", self.word) };
        let pieces = [word, self.at.to_string(), odds, self.say.get(lang).to_owned()];
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).filter(|piece| !piece.is_empty()).collect();
        out.push_str(&format!("{}{}\n", "  ".repeat(depth), pieces.join(" ")));
        for part in &self.parts {
            part.write(lang, depth + 1, out);
        }
    }
}

/// Why an item got its answer.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Explanation {
    /// The points, the weightiest first.
    pub points: Vec<Point>,
}

impl Explanation {
    /// For programs.
    pub fn to_json(&self, lang: Lang) -> Value {
        self.points.iter().map(|point| point.to_json(lang)).collect()
    }

    /// For people, a point a line.
    pub fn to_text(&self, lang: Lang) -> String {
        let mut out = String::new();
        for point in &self.points {
            point.write(lang, 1, &mut out);
        }
        out
    }
}
