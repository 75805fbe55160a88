//! Qwen2 by hand, so that one pass gives every position and not the last one only: a text is scored as a whole.
//!
//! Rows are tokens. Layers treat each row by itself except in attention, so several texts are read in one pass without padding: their rows simply stand one
//! below the other ([`Run`]).

use std::path::Path;

use candle_core::quantized::QMatMul;
use candle_core::{D, Device, Module as _, Result, Tensor};

use super::LocalError;
use super::attention::{Attention, Turns};
use super::cache::Cache;
use super::head::Value;
use super::weights::Weights;

/// What can be read.
const ARCHITECTURE: &str = "qwen2";

/// The sizes of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Dimensions {
    /// Layers.
    pub layers: usize,
    /// Numbers to a token.
    pub width: usize,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values.
    pub key_heads: usize,
    /// Numbers to a head.
    pub head: usize,
    /// Numbers between the two halves of a layer's network.
    pub inner: usize,
    /// Tokens that there are.
    pub vocabulary: usize,
    /// Tokens that the model can look back.
    pub context: usize,
    /// The base of the angles by which positions are told.
    pub base: f64,
    /// What keeps norms from dividing by zero.
    pub epsilon: f64,
}

impl Dimensions {
    fn read(weights: &Weights) -> std::result::Result<Dimensions, LocalError> {
        let architecture = weights.text("general.architecture")?;
        if architecture != ARCHITECTURE {
            return Err(weights.wrong("general.architecture", ARCHITECTURE, architecture));
        }
        let key = |name: &str| format!("{ARCHITECTURE}.{name}");
        let scaling = key("rope.scaling.type");
        match weights.head.values.get(&scaling) {
            None => {}
            Some(Value::Text(kind)) if kind == "none" => {}
            Some(other) => return Err(weights.wrong(&scaling, "none", other)),
        }
        let width = weights.size(&key("embedding_length"))?;
        let heads = weights.size(&key("attention.head_count"))?;
        let key_heads = weights.size(&key("attention.head_count_kv"))?;
        if !width.is_multiple_of(2 * heads) {
            let expected = format!("heads of an even part of {width}");
            return Err(weights.wrong(&key("attention.head_count"), expected, heads));
        }
        if !heads.is_multiple_of(key_heads) {
            return Err(weights.wrong(&key("attention.head_count_kv"), format!("a divisor of {heads}"), key_heads));
        }
        let rows = weights.rows("token_embd.weight").unwrap_or(0);
        if rows == 0 || rows > 1 << 24 {
            return Err(weights.wrong("token_embd.weight", "1 to 16777216 rows", rows));
        }
        Ok(Dimensions {
            layers: weights.size(&key("block_count"))?,
            width,
            heads,
            key_heads,
            head: width / heads,
            inner: weights.size(&key("feed_forward_length"))?,
            vocabulary: rows as usize,
            context: weights.size(&key("context_length"))?,
            base: weights.positive(&key("rope.freq_base"))?,
            epsilon: weights.positive(&key("attention.layer_norm_rms_epsilon"))?,
        })
    }
}

/// Tokens to read, after those that the cache holds.
#[derive(Debug)]
pub(super) struct Run<'r> {
    pub tokens: &'r [u32],
    pub cache: &'r mut Cache,
}

/// A model of the Qwen2 kind.
#[derive(Debug)]
pub(super) struct Qwen2 {
    pub dimensions: Dimensions,
    embedding: QMatMul,
    layers: Vec<Layer>,
    norm: Norm,
    /// The embedding once more, where the file has no matrix of its own for it.
    output: QMatMul,
}

impl Qwen2 {
    /// The model of a file, and the vocabulary that the file brings along.
    pub(super) fn load(path: &Path) -> std::result::Result<(Qwen2, Option<Vec<String>>), LocalError> {
        let mut weights = Weights::open(path)?;
        let dimensions = Dimensions::read(&weights)?;
        let Dimensions { width, vocabulary, epsilon, .. } = dimensions;
        let embedding = weights.matrix("token_embd.weight", vocabulary, width)?;
        let output = match weights.rows("output.weight") {
            Some(_) => weights.matrix("output.weight", vocabulary, width)?,
            None => embedding.clone(),
        };
        let norm = Norm { weight: weights.vector("output_norm.weight", width)?, epsilon };
        // One after the other, for a count of layers that is not true fails at the first that is missing.
        let mut layers = Vec::new();
        for number in 0..dimensions.layers {
            layers.push(Layer::load(&mut weights, number, &dimensions)?);
        }
        let tokens = weights.head.tokens.take();
        Ok((Qwen2 { dimensions, embedding, layers, norm, output }, tokens))
    }

    /// Reads tokens, and gives what the model makes of each of them: a row a token, run after run. The caches hold them afterwards.
    pub(super) fn read(&self, runs: &mut [Run<'_>]) -> std::result::Result<Tensor, LocalError> {
        let most = self.dimensions.context;
        if let Some(long) = runs.iter().map(|run| run.cache.len() + run.tokens.len()).find(|found| *found > most) {
            return Err(LocalError::TooLong { most, found: long });
        }
        let tokens: Vec<u32> = runs.iter().flat_map(|run| run.tokens.iter().copied()).collect();
        let positions = runs.iter().flat_map(|run| run.cache.len()..run.cache.len() + run.tokens.len());
        let turns = Turns::new(positions, &self.dimensions)?;
        let mut rows = self.embedding.embedding(&Tensor::from_vec(tokens.clone(), tokens.len(), &Device::Cpu)?)?;
        for (number, layer) in self.layers.iter().enumerate() {
            rows = layer.of(&rows, number, &turns, runs)?;
        }
        for run in runs {
            run.cache.count(run.tokens.len());
        }
        Ok(self.norm.of(&rows)?)
    }

    /// How likely each token of the vocabulary is after each row, as logarithms of shares that do not sum to one yet.
    pub(super) fn logits(&self, rows: &Tensor) -> std::result::Result<Vec<Vec<f32>>, LocalError> {
        Ok(self.output.forward(&rows.contiguous()?)?.to_vec2()?)
    }
}

#[derive(Debug)]
struct Layer {
    before: Norm,
    attention: Attention,
    between: Norm,
    gate: QMatMul,
    up: QMatMul,
    down: QMatMul,
}

impl Layer {
    fn load(weights: &mut Weights, number: usize, of: &Dimensions) -> std::result::Result<Layer, LocalError> {
        let name = |part: &str| format!("blk.{number}.{part}.weight");
        let norm = |weight| Norm { weight, epsilon: of.epsilon };
        Ok(Layer {
            before: norm(weights.vector(&name("attn_norm"), of.width)?),
            attention: Attention::load(weights, number, of)?,
            between: norm(weights.vector(&name("ffn_norm"), of.width)?),
            gate: weights.matrix(&name("ffn_gate"), of.inner, of.width)?,
            up: weights.matrix(&name("ffn_up"), of.inner, of.width)?,
            down: weights.matrix(&name("ffn_down"), of.width, of.inner)?,
        })
    }

    fn of(&self, rows: &Tensor, number: usize, turns: &Turns, runs: &mut [Run<'_>]) -> Result<Tensor> {
        let rows = (rows + self.attention.of(&self.before.of(rows)?, number, turns, runs)?)?;
        let normed = self.between.of(&rows)?;
        let opened = (self.gate.forward(&normed)?.silu()? * self.up.forward(&normed)?)?;
        &rows + self.down.forward(&opened)?
    }
}

/// Rows divided by their root mean square.
#[derive(Debug)]
struct Norm {
    weight: Tensor,
    epsilon: f64,
}

impl Norm {
    fn of(&self, rows: &Tensor) -> Result<Tensor> {
        let square = rows.sqr()?.mean_keepdim(D::Minus1)?;
        rows.broadcast_div(&(square + self.epsilon)?.sqrt()?)?.broadcast_mul(&self.weight)
    }
}
