//! From items and a prompt to requests. A request is made when its turn comes; only its key is known before, so that memory does not grow with the items.

use std::sync::Arc;

use fangwei::ask::{self, Prompt, Shots};
use fangwei::task::{Item, Task};
use rustc_hash::FxHashSet;
use serde_json::Value;

use crate::folder::{Asked, File, FolderError, Record, RequestsSink};
use crate::key::Key;
use crate::provider::{Request, Sampling, Shape};
use crate::runner::{Job, now};
use crate::shelf::Shelf;

/// What is asked about a task's items.
#[derive(Debug)]
pub struct Asking {
    /// The task.
    pub task: &'static dyn Task,
    /// The items, without gold.
    pub items: Shelf,
    /// The prompt.
    pub prompt: Prompt,
    /// Its shots.
    pub shots: Shots,
    /// The model, whose name is part of every key.
    pub model: String,
    /// The form of replies.
    pub shape: Shape,
    /// The schema of replies, where they have one.
    pub schema: Option<Arc<Value>>,
    /// How they are drawn.
    pub sampling: Sampling,
    /// How often each item is asked.
    pub repeats: u32,
}

impl Asking {
    /// The request about item number `index`, the `repeat`th time. Repeats differ in their seed, else a server might give the same reply each time.
    pub fn request(&self, index: usize, repeat: u32) -> Result<Request, FolderError> {
        Ok(self.about(&self.items.get(index)?, repeat))
    }

    fn about(&self, item: &Item, repeat: u32) -> Request {
        let messages = ask::messages(&self.prompt, item, &self.shots.of(item));
        let schema = self.schema.clone().filter(|_| self.shape != Shape::Text);
        let seed = self.sampling.seed.map(|seed| seed.wrapping_add(u64::from(repeat)));
        Request { messages, shape: self.shape, schema, sampling: Sampling { seed, ..self.sampling } }
    }

    /// The record of a run that asks this of a provider from now on. `seed` is that of the choice of shots; of pool and gold the caller knows.
    pub fn record(&self, provider: &str, seed: u64, input: File) -> Record {
        Record {
            format: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            begun: now(),
            task: self.task.id().to_owned(),
            model: self.model.clone(),
            provider: provider.to_owned(),
            place: String::new(),
            shape: self.shape,
            stream: false,
            repeats: self.repeats,
            limit: None,
            sampling: self.sampling,
            prompt: Asked {
                name: self.prompt.name.clone(),
                version: self.prompt.version.clone(),
                shots: self.prompt.plan.count,
                choice: self.prompt.plan.choice.to_string(),
                seed,
                pool: None,
            },
            input,
            gold: None,
        }
    }

    /// Every request in order, written to `sink`; given back are those without a response.
    pub fn jobs(&self, answered: &FxHashSet<Key>, sink: &mut RequestsSink) -> Result<Vec<Job>, FolderError> {
        let mut pending = Vec::new();
        // All items once before any of them twice: a run that is stopped has all of the first repeat or nothing of the second.
        for repeat in 0..self.repeats {
            for (index, item) in self.items.iter().enumerate() {
                let item = item?;
                let request = self.about(&item, repeat);
                let key = Key::of(&self.model, &request, &item.qid, repeat);
                let job = Job { key, qid: item.qid, repeat, index };
                sink.add(&job, &request.messages)?;
                if !answered.contains(&key) {
                    pending.push(job);
                }
            }
        }
        Ok(pending)
    }
}
