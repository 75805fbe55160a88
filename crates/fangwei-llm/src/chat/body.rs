//! A request as the JSON that servers take, without what this server is known to refuse.

use serde_json::{Value, json};

use super::Capabilities;
use crate::provider::{Request, Shape};

/// The name of the function that the model calls with its answer.
pub const FUNCTION: &str = "answer";

/// The body of a request.
pub fn of(model: &str, stream: bool, request: &Request, known: &Capabilities) -> Value {
    let mut body = json!({ "model": model, "messages": request.messages });
    let sampling = &request.sampling;
    if let Some(temperature) = sampling.temperature.filter(|_| known.temperature) {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = sampling.seed.filter(|_| known.seed) {
        body["seed"] = json!(seed);
    }
    if let Some(most) = sampling.max_tokens {
        body[if known.max_tokens { "max_tokens" } else { "max_completion_tokens" }] = json!(most);
    }
    if stream {
        body["stream"] = json!(true);
        if known.stream_options {
            body["stream_options"] = json!({ "include_usage": true });
        }
    }
    match shape(request, known) {
        Shape::Text => {}
        Shape::Json => body["response_format"] = json!({ "type": "json_object" }),
        Shape::Schema => {
            let schema = request.schema.as_deref();
            body["response_format"] = json!({ "type": "json_schema", "json_schema": { "name": FUNCTION, "schema": schema } });
        }
        Shape::Tools => {
            let function = json!({ "name": FUNCTION, "parameters": request.schema.as_deref() });
            body["tools"] = json!([{ "type": "function", "function": function }]);
            body["tool_choice"] = json!({ "type": "function", "function": { "name": FUNCTION } });
        }
    }
    body
}

/// The form that is asked for: the wanted one, or the next that the server offers.
pub fn shape(request: &Request, known: &Capabilities) -> Shape {
    let has_schema = request.schema.is_some();
    match request.shape {
        Shape::Tools if known.tools && has_schema => Shape::Tools,
        Shape::Tools | Shape::Schema if known.json_schema && has_schema => Shape::Schema,
        Shape::Tools | Shape::Schema | Shape::Json if known.json_object => Shape::Json,
        _ => Shape::Text,
    }
}
