//! Chat completions over HTTP, as every "OpenAI-compatible" server offers them, each a little differently.
//!
//! What a server does not take ([`Capabilities`]) is learned from its own refusal, once, and left out from then on.

mod agent;
mod body;
mod capability;
mod failure;
mod reply;
mod stream;

pub use agent::{Connection, KEY_VARIABLE, NoAgent, URL_VARIABLE};
pub use capability::{Capabilities, Lesson};

use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::provider::{Provider, ProviderError, Request, Response, Trouble};

/// No reply is longer; a server that sends more is not well.
const LONGEST: u64 = 64 << 20;

/// A server of chat completions.
#[derive(Debug)]
pub struct Chat {
    agent: ureq::Agent,
    address: String,
    key: Option<String>,
    model: String,
    stream: bool,
    firm: bool,
    capabilities: Mutex<Capabilities>,
}

/// Which model is asked, and how.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Whether replies come piece by piece.
    pub stream: bool,
    /// Whether temperature and seed were asked for by name: a server that refuses them ends the run, for the experiment would be another.
    pub firm: bool,
}

impl Chat {
    /// A model at an address (`https://host/v1`). `capabilities` are those of an earlier run, if there was one.
    pub fn new(connection: &Connection, model: Model, capabilities: Option<Capabilities>) -> Result<Chat, NoAgent> {
        let base = connection.base_url.trim_end_matches('/');
        let address = if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") };
        Ok(Chat {
            agent: connection.agent(model.stream)?,
            address,
            key: connection.key.clone(),
            model: model.name,
            stream: model.stream,
            firm: model.firm,
            capabilities: Mutex::new(capabilities.unwrap_or_default()),
        })
    }

    /// What the server is known to take.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, request: &Request, capabilities: &Capabilities) -> Result<Response, ProviderError> {
        let body = body::of(&self.model, self.stream, request, capabilities);
        let mut call = self.agent.post(&self.address).header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            call = call.header("Authorization", format!("Bearer {key}"));
        }
        let answer = call.send(body.to_string()).map_err(|error| failure::of_call(&error))?;
        let status = answer.status().as_u16();
        let after = failure::retry_after(answer.headers());
        let streamed = answer
            .headers()
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let mut reader = answer.into_body().into_reader().take(LONGEST);
        if status == 200 && streamed {
            return stream::read(reader, request);
        }
        let mut text = Vec::new();
        let read = reader.read_to_end(&mut text);
        if status != 200 {
            // A refusal is told even where its end is lost.
            return Err(self.without_key(failure::of_status(status, after, &String::from_utf8_lossy(&text))));
        }
        read.map_err(|error| failure::of_read(&error))?;
        let body: Value = serde_json::from_slice(&text).map_err(|error| {
            ProviderError::passing(Trouble::Garbled, format!("{error}: {}", failure::brief(&String::from_utf8_lossy(&text))))
        })?;
        reply::read(body, request).map_err(|error| self.without_key(error))
    }

    /// A refusal without the key, should the server repeat it.
    fn without_key(&self, error: ProviderError) -> ProviderError {
        let Some(key) = self.key.as_deref().filter(|key| !key.is_empty()) else { return error };
        match error {
            ProviderError::Refused { status, words } => ProviderError::Refused { status, words: words.replace(key, "…") },
            ProviderError::Busy { after, words } => ProviderError::Busy { after, words: words.replace(key, "…") },
            ProviderError::Passing { kind, after, words } => {
                ProviderError::Passing { kind, after, words: words.replace(key, "…") }
            }
            other @ ProviderError::Parameter { .. } => other,
        }
    }
}

impl Provider for Chat {
    fn ask(&self, request: &Request) -> Result<Response, ProviderError> {
        loop {
            let known = self.capabilities();
            let (status, words) = match self.send(request, &known) {
                Err(ProviderError::Refused { status, words }) => (status, words),
                other => return other,
            };
            if let Some(refused) = failure::filtered(status, &words) {
                return Ok(refused);
            }
            let Some(lesson) = capability::lesson(status, &words, request, self.stream, &known) else {
                return Err(ProviderError::Refused { status, words });
            };
            if self.firm && lesson.changes_the_draw() {
                return Err(ProviderError::Parameter { parameter: lesson.parameter(), status, words });
            }
            // Another thread may have learned the same meanwhile; each lesson is learned once, so that this ends.
            self.capabilities.lock().unwrap_or_else(PoisonError::into_inner).learn(lesson, &words);
        }
    }

    fn place(&self) -> String {
        self.address.clone()
    }

    fn learned(&self) -> Option<Value> {
        serde_json::to_value(self.capabilities()).ok()
    }
}

/// A failure with a status and the server's words, for providers that have no HTTP.
pub(crate) fn of_status(status: u16, words: &str) -> ProviderError {
    failure::of_status(status, None, words)
}

/// The default time in which an answer must come.
pub const TIMEOUT: Duration = Duration::from_mins(5);
