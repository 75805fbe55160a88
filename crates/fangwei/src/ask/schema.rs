//! The JSON schema of replies, for servers that can hold a model to one.
//!
//! Strict modes take a subset only: every object is closed and every field required, so a role that may be absent is a text or `null`.

use serde_json::{Map, Value, json};

use super::prompt::{Prompt, Reply};
use super::write::{CONFLICT, ENTITIES, LABEL_KEYS};
use crate::answer::{Kind, ReasonType};
use crate::task::Task;
use crate::tasks::{LABEL_SLOTS, ROLES, SLOTS, TRIPLE_ROLES, reason_roles};

/// The schema of what a prompt asks for; `None` where replies are free, or are objects of names that cannot be foreseen.
pub fn reply_schema(task: &dyn Task, prompt: &Prompt) -> Option<Value> {
    let answer = task.about().answer;
    let first = |name: &str| text_field(name);
    match (prompt.reply, task.kind()) {
        (Reply::Free, _) | (_, Kind::Graph) | (Reply::Official, Kind::Reasons | Kind::Slots) => None,
        (_, Kind::Verdict) => {
            let whole = task.id().starts_with("2022");
            let verdict = if whole { json!({ "type": "integer", "enum": [0, 1] }) } else { json!({ "type": "boolean" }) };
            Some(object([first("分析"), (answer.to_owned(), verdict)]))
        }
        (_, Kind::Joint) => {
            let verdict = |name: &str| (name.to_owned(), json!({ "type": "boolean" }));
            Some(object([first("分析"), verdict("judge1"), verdict("judge2")]))
        }
        (_, Kind::DraftReason) => Some(object([(answer.to_owned(), list(text()))])),
        (Reply::Texts, Kind::Scene) => {
            let slots = ["对象", "要素", "场景1", "场景2"].map(text_field);
            let fields = [("差异".to_owned(), list(text())), (ENTITIES.to_owned(), list(text()))];
            Some(object(fields.into_iter().chain(slots).chain([judge(), text_field("reason")])))
        }
        (Reply::Official, Kind::Scene) => Some(object([(answer.to_owned(), list(object([judge(), text_field("reason")])))])),
        (Reply::Texts, Kind::Candidates) => {
            let candidate = object(TRIPLE_ROLES.into_iter().map(optional));
            Some(object([(CONFLICT.to_owned(), json!({ "type": "boolean" })), (answer.to_owned(), list(candidate))]))
        }
        (Reply::Texts, Kind::Reasons) => {
            let kinds: Vec<&str> = ReasonType::ALL.iter().map(|kind| kind.as_str()).collect();
            let roles = ReasonType::ALL.into_iter().flat_map(reason_roles).copied().map(optional);
            let kind = ("type".to_owned(), json!({ "type": "string", "enum": kinds }));
            Some(object([(answer.to_owned(), list(object([kind].into_iter().chain(roles))))]))
        }
        (Reply::Texts, kind @ (Kind::Tuples | Kind::Slots)) => {
            let fields = [(ENTITIES.to_owned(), list(text())), (answer.to_owned(), list(tuple(kind)))];
            Some(object(fields))
        }
        (Reply::Official, Kind::Candidates) => {
            let role = ("role".to_owned(), json!({ "type": "string", "enum": TRIPLE_ROLES }));
            Some(object([(answer.to_owned(), list(list(object([role].into_iter().chain(fragment())))))]))
        }
        (Reply::Official, Kind::Tuples) => {
            let role = ("role".to_owned(), json!({ "type": "string", "enum": ROLES }));
            let fragment = ("fragment".to_owned(), json!({ "anyOf": [object(fragment()), { "type": "null" }] }));
            Some(object([(answer.to_owned(), list(list(object([role, fragment, optional("label")]))))]))
        }
    }
}

fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    let fields: Map<String, Value> = fields.into_iter().collect();
    let required: Vec<&String> = fields.keys().collect();
    json!({ "type": "object", "required": required, "properties": fields, "additionalProperties": false })
}

fn list(of: impl Into<Value>) -> Value {
    json!({ "type": "array", "items": of.into() })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn text_field(name: &str) -> (String, Value) {
    (name.to_owned(), text())
}

fn optional(name: &str) -> (String, Value) {
    (name.to_owned(), json!({ "type": ["string", "null"] }))
}

fn judge() -> (String, Value) {
    ("judge".to_owned(), json!({ "type": "string", "enum": ["true", "false"] }))
}

fn fragment() -> [(String, Value); 2] {
    [text_field("text"), ("idxes".to_owned(), list(json!({ "type": "integer" })))]
}

/// A tuple of the role tasks: texts, and labels from their lists.
fn tuple(kind: Kind) -> Value {
    let label = |slot: usize, key: &str| {
        let labels = LABEL_SLOTS.iter().find(|(number, _)| *number == slot).map_or(&[] as &[&str], |(_, labels)| labels);
        let choices: Vec<Value> = labels.iter().map(|label| json!(label)).chain([Value::Null]).collect();
        (key.to_owned(), json!({ "type": ["string", "null"], "enum": choices }))
    };
    let [(_, time), (_, distance)] = LABEL_KEYS;
    let mut fields = Vec::new();
    for role in ROLES {
        match role {
            "事实性" => fields.push(label(3, role)),
            "时间" => {
                fields.push(optional(role));
                // In 2022 an event that tells the time has a role of its own.
                if kind == Kind::Slots {
                    fields.push(optional(SLOTS[5]));
                }
                fields.push(label(6, time));
            }
            "距离" => fields.extend([optional(role), label(17, distance)]),
            _ => fields.push(optional(role)),
        }
    }
    object(fields)
}
