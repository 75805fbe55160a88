//! Replies that come piece by piece (server-sent events), put together to what the server would have sent at once.

use std::io::{BufRead, BufReader, Read};

use serde_json::{Value, json};

use super::{failure, reply};
use crate::provider::{ProviderError, Request, Response, Trouble};

/// Reads a stream to its end. One that ends without saying so was cut off.
pub fn read(stream: impl Read, request: &Request) -> Result<Response, ProviderError> {
    let mut pieces = Pieces::default();
    for line in BufReader::new(stream).split(b'\n') {
        let line = line.map_err(|error| failure::of_read(&error))?;
        let line = String::from_utf8_lossy(&line);
        // Comments keep a connection alive; names of events say nothing that the data does not.
        let Some(data) = line.strip_prefix("data:").map(str::trim) else { continue };
        if data == "[DONE]" {
            return pieces.together(request);
        }
        let event: Value = serde_json::from_str(data)
            .map_err(|error| ProviderError::passing(Trouble::Garbled, format!("{error}: {}", failure::brief(data))))?;
        if event.get("error").is_some_and(|error| !error.is_null()) {
            return reply::read(event, request);
        }
        pieces.add(&event);
    }
    if pieces.finish.is_null() {
        return Err(ProviderError::passing(Trouble::Connection, "the stream ended before the reply did"));
    }
    pieces.together(request)
}

#[derive(Default)]
struct Pieces {
    text: String,
    thought: String,
    arguments: String,
    finish: Value,
    usage: Value,
    model: Value,
    id: Value,
}

impl Pieces {
    fn add(&mut self, event: &Value) {
        for (place, name) in [(&mut self.usage, "usage"), (&mut self.model, "model"), (&mut self.id, "id")] {
            if let Some(value) = event.get(name).filter(|value| !value.is_null()) {
                *place = value.clone();
            }
        }
        // The last event has tokens and no choices.
        let Some(choice) = event.pointer("/choices/0") else { return };
        let delta = |path: &str| choice.pointer(path).and_then(Value::as_str).unwrap_or_default();
        self.text.push_str(delta("/delta/content"));
        self.thought.push_str(delta("/delta/reasoning_content"));
        self.thought.push_str(delta("/delta/reasoning"));
        self.arguments.push_str(delta("/delta/tool_calls/0/function/arguments"));
        if let Some(finish) = choice.get("finish_reason").filter(|finish| !finish.is_null()) {
            self.finish = finish.clone();
        }
    }

    fn together(self, request: &Request) -> Result<Response, ProviderError> {
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !self.thought.is_empty() {
            message["reasoning_content"] = json!(self.thought);
        }
        if !self.arguments.is_empty() {
            message["tool_calls"] = json!([{ "function": { "arguments": self.arguments } }]);
        }
        let mut body = json!({ "choices": [{ "message": message, "finish_reason": self.finish }] });
        for (name, value) in [("id", self.id), ("model", self.model), ("usage", self.usage)] {
            if !value.is_null() {
                body[name] = value;
            }
        }
        reply::read(body, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(stream: &str) -> Result<(String, Option<String>), ProviderError> {
        read(stream.as_bytes(), &Request::default()).map(|read| (read.text, read.finish))
    }

    #[test]
    fn pieces_are_put_together() {
        let stream = ": hello\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"方\"}}]}\r\n\r\n\
                      data: {\"choices\":[{\"delta\":{\"content\":\"位\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        assert_eq!(said(stream), Ok(("方位".to_owned(), Some("stop".to_owned()))));
    }

    #[test]
    fn a_stream_that_is_cut_off_is_no_reply() {
        let cut = said("data: {\"choices\":[{\"delta\":{\"content\":\"方\"}}]}\n\n");
        assert!(matches!(cut, Err(ProviderError::Passing { kind: Trouble::Connection, .. })), "{cut:?}");
        let half = said("data: {\"choices\":[{\"de");
        assert!(matches!(half, Err(ProviderError::Passing { kind: Trouble::Garbled, .. })), "{half:?}");
        let error = said("data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n");
        assert!(matches!(error, Err(ProviderError::Passing { kind: Trouble::Server, .. })), "{error:?}");
    }
}
