//! The model answers messages. A prompt is read in blocks of the same size, and whole blocks that it shares with the one before are not read again: prompts
//! of a run begin alike. A block is computed alike whether it is remembered or not, so that a reply depends on nothing but its request.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use fangwei::chance::Dice;
use serde_json::Value;

use super::cache::Cache;
use super::draw::draw;
use super::model::Run;
use super::{Local, LocalError};
use crate::provider::{Provider, ProviderError, Request, Response, Usage};

/// So many tokens of a prompt are read at a time.
const BLOCK: usize = 64;
/// The most tokens of a reply, where the request does not say.
const MOST: u32 = 2048;

/// The last prompt and what the model keeps of it.
#[derive(Debug, Default)]
pub(super) struct Memory {
    prompt: Vec<u32>,
    cache: Cache,
}

impl Memory {
    /// What may be kept for another prompt: whole blocks, and never the whole prompt, for its last token has to be read.
    pub(super) fn shared(&self, prompt: &[u32]) -> usize {
        let same = self.prompt.iter().zip(prompt).take_while(|(before, now)| before == now).count();
        same.min(prompt.len().saturating_sub(1)) / BLOCK * BLOCK
    }
}

impl Local {
    /// Replies to a request.
    pub(super) fn reply(&self, request: &Request) -> Result<Response, LocalError> {
        let prompt = self.vocabulary.conversation(&request.messages)?;
        let context = self.model.dimensions.context;
        if prompt.len() >= context {
            return Err(LocalError::TooLong { most: context - 1, found: prompt.len() });
        }
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken: what fails leaves nothing half read behind.
        let before = std::mem::take(&mut *memory);
        let shared = before.shared(&prompt);
        let mut cache = before.cache.first(shared)?;
        drop(before);
        let mut logits = Vec::new();
        let mut blocks = prompt[shared..].chunks(BLOCK).peekable();
        while let Some(block) = blocks.next() {
            let rows = self.model.read(&mut [Run { tokens: block, cache: &mut cache }])?;
            if blocks.peek().is_none() {
                logits = self.last(&rows)?;
            }
        }
        *memory = Memory { prompt: prompt.clone(), cache: cache.clone() };

        let sampling = &request.sampling;
        let seed = sampling.seed.unwrap_or_else(|| self.asked.fetch_add(1, Ordering::Relaxed));
        let temperature = sampling.temperature.unwrap_or(0.0);
        let mut dice = Dice::new(seed, 0);
        let most = (sampling.max_tokens.unwrap_or(MOST) as usize).min(context - prompt.len());
        let (mut said, mut drawn, mut finish) = (Vec::new(), 0, "length");
        while drawn < most {
            let token = draw(&logits, temperature, &mut dice).ok_or(LocalError::NotFinite)?;
            drawn += 1;
            if self.vocabulary.ends(token) {
                finish = "stop";
                break;
            }
            said.push(token);
            if drawn < most {
                logits = self.last(&self.model.read(&mut [Run { tokens: &[token], cache: &mut cache }])?)?;
            }
        }
        Ok(Response {
            text: self.vocabulary.text(&said)?,
            thought: None,
            finish: Some(finish.to_owned()),
            usage: Usage { prompt: prompt.len() as u64, completion: drawn as u64, estimated: false },
            model: None,
            body: Value::Null,
        })
    }

    /// The logits after the last row.
    fn last(&self, rows: &candle_core::Tensor) -> Result<Vec<f32>, LocalError> {
        let count = rows.dim(0)?;
        let logits = self.model.logits(&rows.narrow(0, count.saturating_sub(1), 1)?)?;
        Ok(logits.into_iter().next().unwrap_or_default())
    }
}

impl Provider for Local {
    /// Replies in free text, whatever the form that is asked for. Temperature is 0 where the request does not say; without a seed each request has another.
    fn ask(&self, request: &Request) -> Result<Response, ProviderError> {
        // 400, as servers say it: it is about this request, and asking again would not help.
        self.reply(request).map_err(|error| ProviderError::Refused { status: 400, words: error.to_string() })
    }

    fn place(&self) -> String {
        self.place.clone()
    }
}
