//! A provider answers messages. Everything that differs between a server, a model on this machine and a mock is behind [`Provider`]; the runner knows only
//! which failures are worth another try.

use std::time::Duration;

use fangwei::ask::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The form in which the reply is asked for. What the server does not offer falls back to the form before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Free text: the only form in which a model can think aloud first.
    #[default]
    Text,
    /// Any JSON object (`response_format`).
    Json,
    /// JSON by the task's schema (`response_format`).
    Schema,
    /// A call of a function whose arguments are the answer.
    Tools,
}

/// How the reply is drawn.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sampling {
    /// `None` leaves it to the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// A seed, for servers that take one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The most tokens of a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

/// What is asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Request {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The form of the reply.
    pub shape: Shape,
    /// The schema of the reply, for the forms that take one.
    pub schema: Option<std::sync::Arc<Value>>,
    /// How it is drawn.
    pub sampling: Sampling,
}

impl Request {
    /// About how many tokens the messages are, where nobody counts them: a Chinese character is about one.
    pub fn about_tokens(&self) -> u64 {
        self.messages.iter().map(|message| about_tokens(&message.content) + 4).sum()
    }
}

/// About how many tokens a text is: a Chinese character one, four letters one.
pub fn about_tokens(text: &str) -> u64 {
    let wide = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    wide + (text.chars().count() as u64 - wide).div_ceil(4)
}

/// How many tokens a request took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Of the messages.
    pub prompt: u64,
    /// Of the reply, thinking included.
    pub completion: u64,
    /// Whether they were estimated, because the server did not say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What came back.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Response {
    /// The reply, or the arguments of the called function.
    pub text: String,
    /// What the model thought before, where the server tells it apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// Why the reply ends: `stop`, `length`, `content_filter`, ….
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The tokens.
    pub usage: Usage,
    /// The model, as the server calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// All that the server said, as it said it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub body: Value,
}

/// Why there is no response.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProviderError {
    /// The server will not have this request; asking again would not help.
    #[error("the server refused ({status}): {words}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's own words.
        words: String,
    },
    /// The server will not have a parameter that was asked for by name.
    #[error("the server does not take `{parameter}` ({status}): {words}")]
    Parameter {
        /// The parameter.
        parameter: &'static str,
        /// The HTTP status.
        status: u16,
        /// The server's own words.
        words: String,
    },
    /// Too many requests.
    #[error("too many requests (429): {words}")]
    Busy {
        /// How long the server wants to be left alone.
        after: Option<Duration>,
        /// The server's own words.
        words: String,
    },
    /// Something that may pass: a time-out, a lost connection, a server that is not well, half an answer.
    #[error("{kind}: {words}")]
    Passing {
        /// What kind of thing.
        kind: Trouble,
        /// How long the server wants to be left alone.
        after: Option<Duration>,
        /// What was said or seen.
        words: String,
    },
}

/// What may pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// No answer in time.
    Timeout,
    /// No connection, or a lost one.
    Connection,
    /// 408, 409 or 5xx.
    Server,
    /// An answer that is not what the protocol says.
    Garbled,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Trouble::Timeout => "timed out",
            Trouble::Connection => "connection lost",
            Trouble::Server => "server error",
            Trouble::Garbled => "unreadable answer",
        })
    }
}

impl ProviderError {
    /// Something that may pass.
    pub fn passing(kind: Trouble, words: impl Into<String>) -> ProviderError {
        ProviderError::Passing { kind, after: None, words: words.into() }
    }

    /// Whether this is about the key, the address or the model, so that no other request would fare better.
    pub fn concerns_all(&self) -> bool {
        match self {
            ProviderError::Refused { status, .. } => matches!(status, 401..=405 | 407),
            ProviderError::Parameter { .. } => true,
            _ => false,
        }
    }
}

/// Answers messages.
pub trait Provider: Sync + Send {
    /// Asks once. Trying again is the runner's business.
    fn ask(&self, request: &Request) -> Result<Response, ProviderError>;

    /// Where it is, for the record: the address of a server, the file of a model.
    fn place(&self) -> String;

    /// What it has learned about itself, for the record; see [`crate::chat::Capabilities`].
    fn learned(&self) -> Option<Value> {
        None
    }
}
