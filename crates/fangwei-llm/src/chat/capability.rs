//! What a server takes. It is found out by asking: a parameter that the server refuses by name is left out from then on, and the run's folder remembers it.

use serde::{Deserialize, Serialize};

use super::body;
use crate::provider::{Request, Shape};

/// What a server takes; everything, until it refuses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    /// `temperature` other than its default.
    pub temperature: bool,
    /// `seed`
    pub seed: bool,
    /// `max_tokens`; otherwise `max_completion_tokens`.
    pub max_tokens: bool,
    /// `stream_options`, which make a stream tell its tokens.
    pub stream_options: bool,
    /// `response_format` of any object.
    pub json_object: bool,
    /// `response_format` by a schema.
    pub json_schema: bool,
    /// `tools`
    pub tools: bool,
    /// What the server said when it refused, by parameter.
    pub words: Vec<(String, String)>,
}

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities {
            temperature: true,
            seed: true,
            max_tokens: true,
            stream_options: true,
            json_object: true,
            json_schema: true,
            tools: true,
            words: Vec::new(),
        }
    }
}

/// A parameter that a server does not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// `temperature`
    Temperature,
    /// `seed`
    Seed,
    /// `max_tokens` goes by another name.
    MaxTokens,
    /// `stream_options`
    StreamOptions,
    /// `response_format` of any object.
    JsonObject,
    /// `response_format` by a schema.
    JsonSchema,
    /// `tools`
    Tools,
}

impl Lesson {
    /// The parameter, as the server knows it.
    pub const fn parameter(self) -> &'static str {
        match self {
            Lesson::Temperature => "temperature",
            Lesson::Seed => "seed",
            Lesson::MaxTokens => "max_tokens",
            Lesson::StreamOptions => "stream_options",
            Lesson::JsonObject | Lesson::JsonSchema => "response_format",
            Lesson::Tools => "tools",
        }
    }

    /// Whether leaving it out changes what is drawn, not only how it is sent.
    pub const fn changes_the_draw(self) -> bool {
        matches!(self, Lesson::Temperature | Lesson::Seed)
    }
}

impl Capabilities {
    /// Takes a lesson.
    pub fn learn(&mut self, lesson: Lesson, words: &str) {
        let flag = match lesson {
            Lesson::Temperature => &mut self.temperature,
            Lesson::Seed => &mut self.seed,
            Lesson::MaxTokens => &mut self.max_tokens,
            Lesson::StreamOptions => &mut self.stream_options,
            Lesson::JsonObject => &mut self.json_object,
            Lesson::JsonSchema => &mut self.json_schema,
            Lesson::Tools => &mut self.tools,
        };
        if std::mem::take(flag) {
            self.words.push((lesson.parameter().to_owned(), words.to_owned()));
        }
    }

    /// The parameters that are left out.
    pub fn left_out(&self) -> Vec<&str> {
        self.words.iter().map(|(parameter, _)| parameter.as_str()).collect()
    }
}

/// The lesson in a refusal: a parameter that was sent, is named there, and can be done without. `None` where the refusal is about something else.
pub fn lesson(status: u16, words: &str, request: &Request, stream: bool, known: &Capabilities) -> Option<Lesson> {
    if !matches!(status, 400 | 422 | 501) {
        return None;
    }
    let said = words.to_lowercase();
    let names = |name: &str| said.contains(name);
    // "maximum context length … reduce max_tokens" names the parameter, but takes it.
    let unknown = ["support", "unknown", "unrecognized", "unexpected", "extra", "not permitted", "instead", "不支持"];
    let refused = unknown.iter().any(|word| said.contains(word));
    let shape = body::shape(request, known);
    let sampling = &request.sampling;
    let formats = names("response_format") || names("json_schema") || names("json_object") || names("json mode");
    let lessons = [
        (Lesson::MaxTokens, sampling.max_tokens.is_some() && known.max_tokens && names("max_tokens") && refused),
        (Lesson::Temperature, sampling.temperature.is_some() && known.temperature && names("temperature")),
        (Lesson::StreamOptions, stream && known.stream_options && names("stream_options")),
        (Lesson::Seed, sampling.seed.is_some() && known.seed && names("seed")),
        (Lesson::Tools, shape == Shape::Tools && (names("tool") || names("function"))),
        (Lesson::JsonSchema, shape == Shape::Schema && formats),
        (Lesson::JsonObject, shape == Shape::Json && formats),
    ];
    lessons.into_iter().find(|(_, applies)| *applies).map(|(lesson, _)| lesson)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Sampling;

    #[test]
    fn a_refusal_that_names_a_parameter_is_a_lesson() {
        let sampling = Sampling { temperature: Some(0.0), seed: Some(1), max_tokens: Some(9) };
        let request = Request { shape: Shape::Schema, schema: Some(std::sync::Arc::default()), sampling, ..Request::default() };
        let known = Capabilities::default();
        let found = |words| lesson(400, words, &request, true, &known);
        assert_eq!(found("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), Some(Lesson::MaxTokens));
        assert_eq!(found("'temperature' does not support 0 with this model"), Some(Lesson::Temperature));
        assert_eq!(found("response_format.type json_schema is unavailable"), Some(Lesson::JsonSchema));
        assert_eq!(found("maximum context length is 4096 tokens, reduce the messages or max_tokens"), None);
        assert_eq!(found("the model does not exist"), None);
        assert_eq!(lesson(401, "temperature", &request, true, &known), None, "a wrong key is no lesson");
    }

    #[test]
    fn each_lesson_is_learned_once() {
        let mut known = Capabilities::default();
        known.learn(Lesson::Seed, "no seed");
        known.learn(Lesson::Seed, "no seed");
        assert_eq!((known.seed, known.left_out()), (false, vec!["seed"]));
    }
}
