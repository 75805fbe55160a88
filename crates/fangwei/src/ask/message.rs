//! The messages of one request: what the model is told, the shots as turns of a conversation, and the question.

use super::prompt::Prompt;
use super::shots::Shot;
use crate::task::Item;

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// What holds for the whole conversation.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

/// A message of a conversation, as chat endpoints take it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Speaker,
    /// What is said.
    pub content: String,
}

/// The messages that ask about `item`: the system text, each shot as a question and its reply, then the question itself.
pub fn messages(prompt: &Prompt, item: &Item, shots: &[Shot]) -> Vec<Message> {
    let say = |role: Speaker, content: String| Message { role, content };
    let mut messages = Vec::with_capacity(shots.len() * 2 + 2);
    if !prompt.system.is_empty() {
        messages.push(say(Speaker::System, prompt.system.clone()));
    }
    for shot in shots {
        messages.push(say(Speaker::User, prompt.question(&shot.texts)));
        messages.push(say(Speaker::Assistant, shot.reply.clone()));
    }
    messages.push(say(Speaker::User, prompt.question(&item.texts)));
    messages
}
