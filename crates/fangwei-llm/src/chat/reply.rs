//! The answer of a server, read leniently: what is missing is missing, what is no answer is told.

use serde_json::Value;

use super::failure;
use crate::provider::{ProviderError, Request, Response, Trouble, Usage, about_tokens};

/// Reads the body of a 200.
pub fn read(body: Value, request: &Request) -> Result<Response, ProviderError> {
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        // Some gateways wrap a refusal into a 200.
        let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        return Err(failure::of_status(code.unwrap_or(500), None, &body.to_string()));
    }
    let Some(choice) = body.pointer("/choices/0") else {
        return Err(ProviderError::passing(Trouble::Garbled, format!("no choices in {}", failure::brief(&body.to_string()))));
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let text = content(message);
    let thought = ["reasoning_content", "reasoning"].iter().find_map(|name| message.get(name)).and_then(Value::as_str);
    let thought = thought.filter(|thought| !thought.is_empty()).map(str::to_owned);
    let finish = choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned);
    let usage = usage(body.get("usage"), request, &text, thought.as_deref());
    let model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(Response { text, thought, finish, usage, model, body })
}

/// The arguments of the called function, else the content: a text, or a list of parts with texts.
fn content(message: &Value) -> String {
    if let Some(arguments) = message.pointer("/tool_calls/0/function/arguments") {
        return arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    }
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        // What a model says when it declines, in a field of its own.
        _ => message.get("refusal").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}

/// The tokens, as told or as estimated.
pub fn usage(told: Option<&Value>, request: &Request, text: &str, thought: Option<&str>) -> Usage {
    let count = |name: &str| told.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    match (count("prompt_tokens"), count("completion_tokens")) {
        (Some(prompt), Some(completion)) => Usage { prompt, completion, estimated: false },
        (prompt, completion) => Usage {
            prompt: prompt.unwrap_or_else(|| request.about_tokens()),
            completion: completion.unwrap_or_else(|| about_tokens(text) + thought.map_or(0, about_tokens)),
            estimated: true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shapes_of_answers() {
        let text =
            |message: Value| read(json!({ "choices": [{ "message": message }] }), &Request::default()).map(|read| read.text);
        assert_eq!(text(json!({ "content": "好" })), Ok("好".to_owned()));
        assert_eq!(text(json!({ "content": [{ "type": "text", "text": "好" }] })), Ok("好".to_owned()));
        assert_eq!(text(json!({ "content": null, "tool_calls": [{ "function": { "arguments": "{}" } }] })), Ok("{}".to_owned()));
        assert_eq!(text(json!({ "content": null })), Ok(String::new()));
        assert!(read(json!({ "choices": [] }), &Request::default()).is_err());
    }

    #[test]
    fn a_refusal_inside_of_a_200() {
        let busy = read(json!({ "error": { "message": "slow down", "code": 429 } }), &Request::default());
        assert!(matches!(busy, Err(ProviderError::Busy { .. })), "{busy:?}");
    }

    #[test]
    fn tokens_are_told_or_estimated() {
        let told = json!({ "prompt_tokens": 3, "completion_tokens": 5 });
        assert_eq!(usage(Some(&told), &Request::default(), "", None), Usage { prompt: 3, completion: 5, estimated: false });
        // two characters, and four letters for one
        assert_eq!(usage(None, &Request::default(), "方位abcd", None).completion, 3);
    }
}
