//! A provider without a model, for tests, for trying things out and for measuring the runner: it echoes, or answers with gold and as much noise as wanted, and
//! fails by script. [`Server`] puts it behind HTTP, where failures are real ones: connections that drop, streams that crawl, JSON that ends in the middle.

mod book;
mod fault;
mod http;
mod noise;
mod server;

pub use book::Book;
pub use fault::{BadFault, Fault, Kind, When};
pub use noise::Noise;
pub use server::Server;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fangwei::ask::{Message, Speaker};
use rustc_hash::FxBuildHasher;
use serde_json::Value;
use std::hash::BuildHasher;

use crate::provider::{Provider, ProviderError, Request, Response, Trouble, Usage, about_tokens};

/// What it says.
#[derive(Debug)]
pub enum Saying {
    /// The question itself.
    Echo,
    /// Always the same.
    Fixed(String),
    /// Gold, as far as the noise lets it through.
    Gold(Book),
}

/// A provider without a model.
#[derive(Debug)]
pub struct Mock {
    /// What it says.
    pub saying: Saying,
    /// Which share of its replies is spoiled, from 0 to 1.
    pub noise: f64,
    /// How it fails; the first that applies.
    pub faults: Vec<Fault>,
    /// Parameters that it refuses with 400, as servers do that do not know them.
    pub refuses: Vec<String>,
    /// How long it thinks.
    pub delay: Duration,
    /// The seed of noise and of failures by chance.
    pub seed: u64,
    /// Requests so far.
    requests: AtomicU64,
    /// How often each conversation was answered.
    answered: Mutex<HashMap<u64, u32, FxBuildHasher>>,
}

/// A reply and why it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// `stop`, `length` or `content_filter`.
    pub finish: &'static str,
}

impl Mock {
    /// Says something, without noise and failures.
    pub fn new(saying: Saying) -> Mock {
        Mock {
            saying,
            noise: 0.0,
            faults: Vec::new(),
            refuses: Vec::new(),
            delay: Duration::ZERO,
            seed: 1,
            requests: AtomicU64::new(0),
            answered: Mutex::default(),
        }
    }

    /// How many requests came, failed ones included.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// How many conversations were answered, and how often the one that was answered most.
    pub fn answered(&self) -> (usize, u32) {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        (answered.len(), answered.values().copied().max().unwrap_or(0))
    }

    /// The failure of the next request, if it is to fail.
    fn fault(&self) -> Option<Fault> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        // Each failure has a seed of its own, else the same requests would be chosen for all.
        let mut seeded = self.faults.iter().zip(self.seed..);
        seeded.find(|(fault, seed)| fault.applies(number, *seed)).map(|(fault, _)| *fault)
    }

    /// The reply to a conversation; noted as answered.
    fn reply(&self, messages: &[Message]) -> Reply {
        let hash = FxBuildHasher.hash_one(messages);
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner).entry(hash).or_default() += 1;
        let question = messages.iter().rev().find(|message| message.role == Speaker::User).map_or("", |message| &message.content);
        let say = |text: &str| Reply { text: text.to_owned(), finish: "stop" };
        match &self.saying {
            Saying::Echo => say(question),
            Saying::Fixed(text) => say(text),
            Saying::Gold(book) => match book.find(question) {
                Some(found) => noise::spoil(book, found, self.noise, self.seed),
                None => say("我没有见过这道题。"),
            },
        }
    }
}

impl Provider for Mock {
    fn ask(&self, request: &Request) -> Result<Response, ProviderError> {
        let words = "by script";
        std::thread::sleep(self.delay);
        match self.fault().map(|fault| fault.kind) {
            Some(Kind::Busy { after }) => return Err(ProviderError::Busy { after, words: words.to_owned() }),
            Some(Kind::Status(status)) => return Err(crate::chat::of_status(status, words)),
            Some(Kind::Drop) => return Err(ProviderError::passing(Trouble::Connection, words)),
            Some(Kind::Half) => return Err(ProviderError::passing(Trouble::Garbled, words)),
            Some(Kind::Silence(time)) => {
                std::thread::sleep(time);
                return Err(ProviderError::passing(Trouble::Timeout, words));
            }
            Some(Kind::Slow(time)) => std::thread::sleep(time),
            None => {}
        }
        let Reply { text, finish } = self.reply(&request.messages);
        let usage = Usage { prompt: request.about_tokens(), completion: about_tokens(&text), estimated: false };
        let model = Some("mock".to_owned());
        Ok(Response { text, thought: None, finish: Some(finish.to_owned()), usage, model, body: Value::Null })
    }

    fn place(&self) -> String {
        "mock".to_owned()
    }
}
