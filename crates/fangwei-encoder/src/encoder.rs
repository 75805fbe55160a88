//! The encoder: tokens to one vector each.
//!
//! Embeddings, then layers of attention and a two-step map, each added to its input and normed. Families differ in three lines: see [`crate::config`].

use burn_tensor::{Bool, Int, Tensor, TensorData, activation, module};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::{Config, Family};
use crate::parameters::{Parameters, device};
use crate::vocabulary::Vocabulary;

/// The table of words: by far the largest parameter, of which a batch touches few rows.
pub const WORDS: &str = "embeddings.word_embeddings.weight";

/// What marks add to the vectors of the tokens that they stand at, where a head has such. A mark takes no place in the text, and asks for no spare piece in the
/// vocabulary, which not every encoder has.
pub const MARKS: &str = "head.mark.weight";

/// Texts of a batch, filled up to the longest.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Pieces: text by place.
    pub ids: Tensor<2, Int>,
    /// Segments: 0 for the first text of a pair, 1 for the second.
    pub segments: Tensor<2, Int>,
    /// Where there is a token.
    pub mask: Tensor<2>,
    /// How tokens are marked; 0 is not.
    pub marks: Tensor<2, Int>,
}

/// One sequence as the encoder reads it, marks included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Pieces.
    pub ids: Vec<u32>,
    /// Where the second segment begins; the length where there is none.
    pub second: usize,
    /// How tokens are marked: what a head that asks about some of them points at. Empty where none is.
    pub marks: Vec<u8>,
}

impl Sequence {
    /// `[CLS] first [SEP]`, or `[CLS] first [SEP] second [SEP]`.
    pub fn new(vocabulary: &Vocabulary, first: &[u32], second: Option<&[u32]>) -> Sequence {
        let mut ids = vec![vocabulary.begin];
        ids.extend_from_slice(first);
        ids.push(vocabulary.end);
        let begin = ids.len();
        if let Some(second) = second {
            ids.extend_from_slice(second);
            ids.push(vocabulary.end);
        }
        Sequence { ids, second: begin, marks: Vec::new() }
    }

    /// Marks the tokens at some places.
    pub fn mark(&mut self, places: std::ops::Range<usize>, mark: u8) {
        self.marks.resize(self.ids.len(), 0);
        if let Some(marks) = self.marks.get_mut(places) {
            marks.fill(mark);
        }
    }
}

impl Batch {
    /// Fills up with padding. Pieces and segments that the encoder does not have become the first.
    pub fn new<'s>(config: &Config, padding: u32, sequences: impl Iterator<Item = &'s Sequence> + Clone) -> Batch {
        let rows = sequences.clone().count();
        let longest =
            sequences.clone().map(|sequence| sequence.ids.len()).max().unwrap_or(0).clamp(1, config.max_position_embeddings);
        let (mut ids, mut segments, mut mask, mut marks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let piece = |id: u32| if (id as usize) < config.vocab_size { i64::from(id) } else { 0 };
        for sequence in sequences {
            for place in 0..longest {
                let id = sequence.ids.get(place);
                ids.push(piece(id.copied().unwrap_or(padding)));
                segments.push(i64::from(id.is_some() && place >= sequence.second && config.type_vocab_size > 1));
                mask.push(if id.is_some() { 1.0_f32 } else { 0.0 });
                marks.push(sequence.marks.get(place).copied().map_or(0, i64::from));
            }
        }
        let ints = |numbers: Vec<i64>| Tensor::from_data(TensorData::new(numbers, [rows, longest]), &device());
        let mask = Tensor::from_data(TensorData::new(mask, [rows, longest]), &device());
        Batch { ids: ints(ids), segments: ints(segments), mask, marks: ints(marks) }
    }

    /// Texts and places.
    pub fn dims(&self) -> [usize; 2] {
        self.ids.dims()
    }

    /// Where there is no token.
    pub fn blank(&self) -> Tensor<2, Bool> {
        self.mask.clone().equal_scalar(0.0)
    }
}

/// Leaves out values in training, and scales the others up. What is left out follows from the seed alone, on every device.
#[derive(Debug)]
pub struct Dropout(Option<ChaCha8Rng>);

impl Dropout {
    /// Leaves out nothing.
    pub fn off() -> Dropout {
        Dropout(None)
    }

    /// Leaves out what the seed says for this step of the training.
    pub fn at(seed: u64, step: u64) -> Dropout {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(step);
        Dropout(Some(rng))
    }

    /// Leaves out a share of the values.
    pub fn apply<const D: usize>(&mut self, tensor: Tensor<D>, share: f64) -> Tensor<D> {
        let Some(rng) = &mut self.0 else { return tensor };
        // A byte a value is enough to tell 0.1 from 0; the scale fits the share that bytes can tell.
        let out = (share * 256.0).round() as u8;
        if out == 0 {
            return tensor;
        }
        let shape = tensor.dims();
        let mut bytes = vec![0; shape.iter().product()];
        rng.fill_bytes(&mut bytes);
        let kept = 256.0 / (256.0 - f32::from(out));
        let mask: Vec<f32> = bytes.into_iter().map(|byte| if byte < out { 0.0 } else { kept }).collect();
        tensor * Tensor::from_data(TensorData::new(mask, shape), &device())
    }
}

/// Added to the attention to places without a token.
const NOWHERE: f32 = -1e9;

/// A vector for every token of a batch: text by place by width.
pub fn encode(config: &Config, parameters: &Parameters, batch: &Batch, dropout: &mut Dropout) -> Tensor<3> {
    let [texts, places] = batch.dims();
    let bias = ((batch.mask.clone() - 1.0) * -NOWHERE).reshape([texts, 1, 1, places]);
    let turn = (config.model_type == Family::Roformer).then(|| Turn::new(places, config.head()));
    let mut state = embed(config, parameters, batch, dropout);
    for layer in 0..config.num_hidden_layers {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let seen = attend(config, parameters, &name("attention.self"), state.clone(), &bias, turn.as_ref(), dropout);
        let seen = dropout.apply(linear(parameters, &name("attention.output.dense"), seen), config.hidden_dropout_prob);
        state = norm(config, parameters, &name("attention.output.LayerNorm"), state + seen);
        let inner = activate(&config.hidden_act, linear(parameters, &name("intermediate.dense"), state.clone()));
        let inner = dropout.apply(linear(parameters, &name("output.dense"), inner), config.hidden_dropout_prob);
        state = norm(config, parameters, &name("output.LayerNorm"), state + inner);
    }
    state
}

fn embed(config: &Config, parameters: &Parameters, batch: &Batch, dropout: &mut Dropout) -> Tensor<3> {
    let [texts, places] = batch.dims();
    let table = |name: &str| parameters.matrix(&format!("embeddings.{name}_embeddings.weight"));
    let mut sum =
        module::embedding(table("word"), batch.ids.clone()) + module::embedding(table("token_type"), batch.segments.clone());
    if config.has_positions() {
        sum = sum + table("position").narrow(0, 0, places).unsqueeze::<3>();
    }
    if config.task_types() > 0 {
        // The kind of task that ERNIE is asked here is always its first.
        sum = sum + module::embedding(table("task_type"), Tensor::zeros([texts, places], &device()));
    }
    if parameters.has(MARKS) {
        sum = sum + module::embedding(parameters.matrix(MARKS), batch.marks.clone());
    }
    let state = dropout.apply(norm(config, parameters, "embeddings.LayerNorm", sum), config.hidden_dropout_prob);
    if config.embedding() == config.hidden_size { state } else { linear(parameters, "embeddings_project", state) }
}

fn attend(
    config: &Config,
    parameters: &Parameters,
    name: &str,
    state: Tensor<3>,
    bias: &Tensor<4>,
    turn: Option<&Turn>,
    dropout: &mut Dropout,
) -> Tensor<3> {
    let [texts, places, width] = state.dims();
    let (heads, head) = (config.num_attention_heads, config.head());
    let split = |part: &str, state: Tensor<3>| {
        linear(parameters, &format!("{name}.{part}"), state).reshape([texts, places, heads, head]).swap_dims(1, 2)
    };
    let (mut query, mut key, mut value) = (split("query", state.clone()), split("key", state.clone()), split("value", state));
    if let Some(turn) = turn {
        query = turn.apply(query);
        key = turn.apply(key);
        if config.rotary_value {
            value = turn.apply(value);
        }
    }
    let scores = (query / (head as f64).sqrt()).matmul(key.swap_dims(2, 3)) + bias.clone();
    let weights = dropout.apply(activation::softmax(scores, 3), config.attention_probs_dropout_prob);
    weights.matmul(value).swap_dims(1, 2).reshape([texts, places, width])
}

/// RoFormer's positions: pairs of neighbouring numbers are turned by an angle that grows with the place, faster for the first pairs.
struct Turn {
    cos: Tensor<5>,
    sin: Tensor<5>,
}

impl Turn {
    fn new(places: usize, head: usize) -> Turn {
        let half = head / 2;
        let angle = |place: usize, pair: usize| place as f64 / 10_000_f64.powf(2.0 * pair as f64 / head as f64);
        let table = |wave: fn(f64) -> f64| {
            let numbers: Vec<f32> = (0..places * half).map(|number| wave(angle(number / half, number % half)) as f32).collect();
            Tensor::from_data(TensorData::new(numbers, [1, 1, places, half, 1]), &device())
        };
        Turn { cos: table(f64::cos), sin: table(f64::sin) }
    }

    fn apply(&self, state: Tensor<4>) -> Tensor<4> {
        let [texts, heads, places, head] = state.dims();
        let pairs: Tensor<5> = state.reshape([texts, heads, places, head / 2, 2]);
        let (first, second) = (pairs.clone().narrow(4, 0, 1), pairs.narrow(4, 1, 1));
        let turned = vec![
            first.clone() * self.cos.clone() - second.clone() * self.sin.clone(),
            second * self.cos.clone() + first * self.sin.clone(),
        ];
        Tensor::cat(turned, 4).reshape([texts, heads, places, head])
    }
}

/// A linear map of the last dimension: `name.weight` (input by output) and `name.bias`.
pub fn linear<const D: usize>(parameters: &Parameters, name: &str, input: Tensor<D>) -> Tensor<D> {
    let weight = parameters.matrix(&format!("{name}.weight"));
    module::linear(input, weight, Some(parameters.vector(&format!("{name}.bias"))))
}

fn norm(config: &Config, parameters: &Parameters, name: &str, input: Tensor<3>) -> Tensor<3> {
    let (gain, bias) = (parameters.vector(&format!("{name}.weight")), parameters.vector(&format!("{name}.bias")));
    module::layer_norm(input, gain, Some(bias), config.layer_norm_eps)
}

fn activate(name: &str, input: Tensor<3>) -> Tensor<3> {
    match name {
        "relu" => activation::relu(input),
        "gelu_new" | "gelu_pytorch_tanh" => activation::gelu_approximate(input),
        _ => activation::gelu(input),
    }
}

#[cfg(test)]
mod tests;
