//! The shape of an encoder, as `config.json` of the Hugging Face folders tells it.
//!
//! Four families share one network and differ in few places: ELECTRA may have a smaller embedding and project it; ERNIE may add a task-type embedding;
//! RoFormer turns queries and keys by their position instead of adding a position vector.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::EncoderError;

/// The families of encoders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// BERT, and RoBERTa and MacBERT in Chinese, which are BERT with other training.
    Bert,
    /// ELECTRA's discriminator.
    Electra,
    /// ERNIE 1 to 3.
    Ernie,
    /// RoFormer.
    Roformer,
}

impl Family {
    /// What names of tensors begin with in folders of this family.
    pub fn prefix(self) -> &'static str {
        match self {
            Family::Bert => "bert.",
            Family::Electra => "electra.",
            Family::Ernie => "ernie.",
            Family::Roformer => "roformer.",
        }
    }
}

fn dropout() -> f64 {
    0.1
}

fn epsilon() -> f64 {
    1e-12
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn two() -> usize {
    2
}

/// The shape of an encoder. Fields are named as in `config.json`; those that it has beside these are not needed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The family.
    pub model_type: Family,
    /// Pieces in the vocabulary.
    pub vocab_size: usize,
    /// Width.
    pub hidden_size: usize,
    /// Width of the embeddings, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_size: Option<usize>,
    /// Layers.
    pub num_hidden_layers: usize,
    /// Heads of attention in each.
    pub num_attention_heads: usize,
    /// Width inside a layer.
    pub intermediate_size: usize,
    /// Longest sequence.
    pub max_position_embeddings: usize,
    /// Segments.
    #[serde(default = "two")]
    pub type_vocab_size: usize,
    /// Kinds of tasks, where ERNIE tells them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_type_vocab_size: Option<usize>,
    /// Whether ERNIE tells them apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub use_task_id: bool,
    /// Whether RoFormer turns values too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rotary_value: bool,
    /// The function inside a layer.
    #[serde(default = "gelu")]
    pub hidden_act: String,
    /// Keeps norms away from zero.
    #[serde(default = "epsilon")]
    pub layer_norm_eps: f64,
    /// Share of values that are left out in training.
    #[serde(default = "dropout")]
    pub hidden_dropout_prob: f64,
    /// Share of attention that is left out in training.
    #[serde(default = "dropout")]
    pub attention_probs_dropout_prob: f64,
    /// Positions other than absolute ones are another network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_embedding_type: Option<String>,
}

/// Longest width, depth and vocabulary that a file may ask for: far above any encoder, far below what would exhaust memory by a typing error.
const LARGEST: usize = 1 << 20;

impl Config {
    /// Reads the text of a `config.json`.
    pub fn parse(text: &str, file: &str) -> Result<Config, EncoderError> {
        let config: Config = serde_json::from_str(text)
            .map_err(|error| EncoderError::file(file, "the config.json of a bert, electra, ernie or roformer encoder", error))?;
        config.check(file)?;
        Ok(config)
    }

    /// Reads a file.
    pub fn read(file: &Path) -> Result<Config, EncoderError> {
        let text = std::fs::read_to_string(file).map_err(EncoderError::io(file))?;
        Config::parse(&text, &file.display().to_string())
    }

    fn check(&self, file: &str) -> Result<(), EncoderError> {
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("embedding_size", self.embedding()),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("type_vocab_size", self.type_vocab_size),
        ];
        for (name, size) in sizes {
            if size == 0 || size > LARGEST {
                return Err(EncoderError::file(file, format!("{name} of 1 to {LARGEST}"), size));
            }
        }
        if self.max_position_embeddings < 8 || self.max_position_embeddings > LARGEST {
            return Err(EncoderError::file(
                file,
                format!("max_position_embeddings of 8 to {LARGEST}"),
                self.max_position_embeddings,
            ));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            let expected = format!("a hidden_size that {} heads divide", self.num_attention_heads);
            return Err(EncoderError::file(file, expected, self.hidden_size));
        }
        if self.model_type == Family::Roformer && !(self.hidden_size / self.num_attention_heads).is_multiple_of(2) {
            return Err(EncoderError::file(file, "heads of an even width", self.hidden_size / self.num_attention_heads));
        }
        if !matches!(self.hidden_act.as_str(), "gelu" | "gelu_new" | "gelu_pytorch_tanh" | "relu") {
            return Err(EncoderError::file(file, "hidden_act gelu, gelu_new or relu", &self.hidden_act));
        }
        for (name, share) in [
            ("hidden_dropout_prob", self.hidden_dropout_prob),
            ("attention_probs_dropout_prob", self.attention_probs_dropout_prob),
        ] {
            if !(0.0..1.0).contains(&share) {
                return Err(EncoderError::file(file, format!("{name} of 0 to 1"), share));
            }
        }
        if !(self.layer_norm_eps > 0.0 && self.layer_norm_eps < 1.0) {
            return Err(EncoderError::file(file, "layer_norm_eps between 0 and 1", self.layer_norm_eps));
        }
        match self.position_embedding_type.as_deref() {
            None | Some("absolute") => Ok(()),
            Some(other) => Err(EncoderError::file(file, "position_embedding_type absolute", other)),
        }
    }

    /// Width of the embeddings.
    pub fn embedding(&self) -> usize {
        self.embedding_size.unwrap_or(self.hidden_size)
    }

    /// Width of a head.
    pub fn head(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }

    /// Kinds of tasks; 0 where they are not told apart.
    pub fn task_types(&self) -> usize {
        if self.use_task_id { self.task_type_vocab_size.unwrap_or(3) } else { 0 }
    }

    /// Whether there are vectors for absolute positions.
    pub fn has_positions(&self) -> bool {
        self.model_type != Family::Roformer
    }

    /// Names and shapes of all parameters, without the family's prefix. A linear map has its input first, other than in the files, where the output is.
    pub fn shapes(&self) -> Vec<(String, Vec<usize>)> {
        let (wide, narrow, inner) = (self.hidden_size, self.embedding(), self.intermediate_size);
        let mut shapes: Vec<(String, Vec<usize>)> = Vec::new();
        let mut add = |name: String, shape: &[usize]| shapes.push((name, shape.to_vec()));
        add("embeddings.word_embeddings.weight".into(), &[self.vocab_size, narrow]);
        if self.has_positions() {
            add("embeddings.position_embeddings.weight".into(), &[self.max_position_embeddings, narrow]);
        }
        add("embeddings.token_type_embeddings.weight".into(), &[self.type_vocab_size, narrow]);
        if self.task_types() > 0 {
            add("embeddings.task_type_embeddings.weight".into(), &[self.task_types(), narrow]);
        }
        add("embeddings.LayerNorm.weight".into(), &[narrow]);
        add("embeddings.LayerNorm.bias".into(), &[narrow]);
        if narrow != wide {
            add("embeddings_project.weight".into(), &[narrow, wide]);
            add("embeddings_project.bias".into(), &[wide]);
        }
        for layer in 0..self.num_hidden_layers {
            let maps = [
                ("attention.self.query", wide, wide),
                ("attention.self.key", wide, wide),
                ("attention.self.value", wide, wide),
                ("attention.output.dense", wide, wide),
                ("intermediate.dense", wide, inner),
                ("output.dense", inner, wide),
            ];
            for (name, from, to) in maps {
                add(format!("encoder.layer.{layer}.{name}.weight"), &[from, to]);
                add(format!("encoder.layer.{layer}.{name}.bias"), &[to]);
            }
            for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
                add(format!("encoder.layer.{layer}.{name}.weight"), &[wide]);
                add(format!("encoder.layer.{layer}.{name}.bias"), &[wide]);
            }
        }
        shapes
    }

    /// How many numbers make up the encoder.
    pub fn size(&self) -> usize {
        self.shapes().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"model_type":"electra","vocab_size":100,"hidden_size":8,"embedding_size":4,"num_hidden_layers":1,
        "num_attention_heads":2,"intermediate_size":16,"max_position_embeddings":32,"initializer_range":0.02}"#;

    #[test]
    fn counts_its_parameters() {
        let config = Config::parse(SMALL, "config.json").expect("is sound");
        // Embeddings (100 + 32 + 2) x 4 and a norm of 2 x 4; projection 4 x 8 + 8; four maps 8 x 8 + 8; 8 x 16 + 16; 16 x 8 + 8; two norms 2 x 8.
        assert_eq!(config.size(), 134 * 4 + 8 + 40 + 4 * 72 + 144 + 136 + 32);
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (from, to, told) in [
            ("\"hidden_size\":8", "\"hidden_size\":9", "heads divide"),
            ("\"hidden_size\":8", "\"hidden_size\":0", "hidden_size of 1 to"),
            ("\"electra\"", "\"gpt2\"", "bert, electra, ernie or roformer"),
            ("\"initializer_range\":0.02", "\"hidden_act\":\"swish\"", "found swish"),
            ("\"initializer_range\":0.02", "\"position_embedding_type\":\"relative_key\"", "absolute"),
        ] {
            let error = Config::parse(&SMALL.replace(from, to), "config.json").expect_err(told);
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
