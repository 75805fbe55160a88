//! A tiny model that the tests write themselves: real files, real tokens, random numbers.

mod chat;
mod files;
mod forward;
mod reference;
mod surprisal;

use std::collections::BTreeMap;
use std::path::PathBuf;

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use serde_json::json;

use super::Local;

/// Characters that are one token; all others are as many as their bytes.
const WHOLE: [&str; 4] = ["上", "下", "里", "外"];
const SPECIAL: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
/// More rows than tokens, as in real files.
const ROWS: usize = 272;

/// The weights of a model and what its file says about it.
#[derive(Clone)]
struct Tiny {
    values: Vec<(&'static str, Value)>,
    weights: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    layers: usize,
    width: usize,
    heads: usize,
    key_heads: usize,
}

impl Tiny {
    /// Two layers of random numbers.
    fn random() -> Tiny {
        Tiny::new(2, 32, 64, 7)
    }

    fn new(layers: usize, width: usize, inner: usize, seed: u64) -> Tiny {
        let (heads, key_heads) = (4, 2);
        let whole = |number: usize| Value::U32(number as u32);
        let values = vec![
            ("general.architecture", Value::String("qwen2".into())),
            ("qwen2.block_count", whole(layers)),
            ("qwen2.embedding_length", whole(width)),
            ("qwen2.attention.head_count", whole(heads)),
            ("qwen2.attention.head_count_kv", whole(key_heads)),
            ("qwen2.feed_forward_length", whole(inner)),
            ("qwen2.context_length", whole(256)),
            ("qwen2.rope.freq_base", Value::F32(10_000.0)),
            ("qwen2.attention.layer_norm_rms_epsilon", Value::F32(1e-6)),
            ("tokenizer.ggml.scores", Value::Array(vec![Value::F32(0.0); 3])),
            ("tokenizer.ggml.merges", Value::Array(vec![Value::String("a b".into()); 3])),
            ("tokenizer.chat_template", Value::String("{%".repeat(5000))),
            ("tokenizer.ggml.tokens", Value::Array(tokens().into_iter().map(Value::String).collect())),
        ];
        let mut tiny = Tiny { values, weights: BTreeMap::new(), layers, width, heads, key_heads };
        let mut chance = Chance(seed);
        let few = width / heads * key_heads;
        tiny.put("token_embd.weight", &[ROWS, width], &mut chance, 0.0);
        tiny.put("output_norm.weight", &[width], &mut chance, 1.0);
        for layer in 0..layers {
            for (name, shape, middle) in [
                ("attn_norm.weight", &[width][..], 1.0),
                ("attn_q.weight", &[width, width], 0.0),
                ("attn_q.bias", &[width], 0.0),
                ("attn_k.weight", &[few, width], 0.0),
                ("attn_k.bias", &[few], 0.0),
                ("attn_v.weight", &[few, width], 0.0),
                ("attn_v.bias", &[few], 0.0),
                ("attn_output.weight", &[width, width], 0.0),
                ("ffn_norm.weight", &[width], 1.0),
                ("ffn_gate.weight", &[inner, width], 0.0),
                ("ffn_up.weight", &[inner, width], 0.0),
                ("ffn_down.weight", &[width, inner], 0.0),
            ] {
                tiny.put(&format!("blk.{layer}.{name}"), shape, &mut chance, middle);
            }
        }
        tiny
    }

    /// A model whose layers add nothing: token `t` is a one at place `t` modulo the width, so that everything can be told by hand.
    fn plain() -> Tiny {
        let mut tiny = Tiny::random();
        for (name, (shape, numbers)) in &mut tiny.weights {
            if name.ends_with("attn_output.weight") || name.ends_with("ffn_down.weight") {
                numbers.fill(0.0);
            } else if name == "output_norm.weight" {
                numbers.fill(1.0);
            } else if name == "token_embd.weight" {
                let width = shape[1];
                numbers.iter_mut().enumerate().for_each(|(at, number)| {
                    *number = f32::from(u8::from(at % width == at / width % width));
                });
            }
        }
        tiny
    }

    /// A plain model that always says the same token.
    fn saying(token: &str) -> Tiny {
        let mut tiny = Tiny::plain();
        let row = tokens().iter().position(|known| known == token).expect("a token");
        let mut output = vec![0.0; ROWS * tiny.width];
        output[row * tiny.width..(row + 1) * tiny.width].fill(1.0);
        tiny.weights.insert("output.weight".into(), (vec![ROWS, tiny.width], output));
        tiny
    }

    fn put(&mut self, name: &str, shape: &[usize], chance: &mut Chance, middle: f32) {
        // Wide rows of small numbers: sums stay of the order of one whatever the width.
        let spread = if shape.len() == 2 { 2.0 / (shape[1] as f32).sqrt() } else { 0.4 };
        let numbers = (0..shape.iter().product()).map(|_| middle + spread * (chance.next() - 0.5)).collect();
        self.weights.insert(name.to_owned(), (shape.to_vec(), numbers));
    }

    fn numbers(&self, name: &str) -> &[f32] {
        &self.weights[name].1
    }

    fn set(&mut self, key: &'static str, value: Value) {
        self.values.retain(|(known, _)| *known != key);
        self.values.push((key, value));
    }

    /// The bytes of the file, its matrices in a type.
    fn bytes(&self, kind: GgmlDType) -> Vec<u8> {
        let tensors: Vec<(&str, QTensor)> = self
            .weights
            .iter()
            .map(|(name, (shape, numbers))| {
                let tensor = Tensor::from_slice(numbers, shape.as_slice(), &Device::Cpu).expect("a tensor");
                let kind = if shape.len() == 2 { kind } else { GgmlDType::F32 };
                (name.as_str(), QTensor::quantize(&tensor, kind).expect("quantised"))
            })
            .collect();
        let values: Vec<(&str, &Value)> = self.values.iter().map(|(key, value)| (*key, value)).collect();
        let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(name, tensor)| (*name, tensor)).collect();
        let mut file = std::io::Cursor::new(Vec::new());
        gguf_file::write(&mut file, &values, &tensors).expect("written");
        file.into_inner()
    }

    /// The model as the program loads it.
    fn load(&self) -> Local {
        self.load_as(GgmlDType::F32)
    }

    fn load_as(&self, kind: GgmlDType) -> Local {
        let scratch = Scratch::new();
        let (gguf, tokenizer) = (scratch.file("model.gguf", &self.bytes(kind)), scratch.tokenizer());
        Local::load(&gguf, &tokenizer).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Numbers from 0 to 1 that are the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}

/// A folder of a test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("fangwei-local-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn tokenizer(&self) -> PathBuf {
        self.file("tokenizer.json", tokenizer().to_string().as_bytes())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The characters that stand for bytes in vocabularies of this kind: printable ones for themselves, the others from 256 on.
fn alphabet() -> Vec<char> {
    let printable = |byte: &u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut others = 256_u32..;
    let stands = |byte: u32| if printable(&byte) { byte } else { others.next().expect("endless") };
    (0..256).map(stands).map(|code| char::from_u32(code).expect("a character")).collect()
}

/// The tokens: bytes, first halves and wholes of some characters, and the marks of a conversation.
fn tokens() -> Vec<String> {
    let alphabet = alphabet();
    let mut tokens: Vec<String> = alphabet.iter().map(ToString::to_string).collect();
    for character in WHOLE {
        let bytes: Vec<char> = character.bytes().map(|byte| alphabet[usize::from(byte)]).collect();
        tokens.extend([bytes[..2].iter().collect(), bytes.iter().collect()]);
    }
    let mut seen = std::collections::BTreeSet::new();
    tokens.retain(|token| seen.insert(token.clone()));
    tokens.extend(SPECIAL.map(str::to_owned));
    tokens
}

/// A tokenizer of the kind that Qwen2 has, with the same rule for cutting.
fn tokenizer() -> serde_json::Value {
    let all = tokens();
    let (plain, special) = all.split_at(all.len() - SPECIAL.len());
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        plain.iter().enumerate().map(|(id, token)| (token.clone(), json!(id))).collect();
    let merges: Vec<String> = plain[256..]
        .iter()
        .map(|token| {
            let last = token.char_indices().last().expect("a character").0;
            format!("{} {}", &token[..last], &token[last..])
        })
        .collect();
    let added: Vec<serde_json::Value> = special
        .iter()
        .enumerate()
        .map(|(number, content)| {
            json!({ "id": plain.len() + number, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
                    "normalized": false, "special": true })
        })
        .collect();
    let cut = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    let bytes = json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false });
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added,
        "normalizer": { "type": "NFC" },
        "pre_tokenizer": { "type": "Sequence", "pretokenizers": [
            { "type": "Split", "pattern": { "Regex": cut }, "behavior": "Isolated", "invert": false }, bytes ] },
        "post_processor": bytes, "decoder": bytes,
        "model": { "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                   "fuse_unk": false, "byte_fallback": false, "vocab": vocabulary, "merges": merges },
    })
}
