//! Files that are not what they should be: an error that names the place, never a panic, never more memory than the file could need.

use candle_core::quantized::GgmlDType;
use candle_core::quantized::gguf_file::Value;

use super::{ROWS, Scratch, Tiny, tokenizer, tokens};
use crate::local::Local;

/// What is told about a file of these bytes; `None` where it loads.
fn told(bytes: &[u8]) -> Option<String> {
    let scratch = Scratch::new();
    let gguf = scratch.file("model.gguf", bytes);
    let error = Local::load(&gguf, &scratch.tokenizer()).err()?.to_string();
    let name = format!("{}: ", gguf.display());
    Some(error.strip_prefix(&name).unwrap_or_else(|| panic!("names the file: {error}")).to_owned())
}

fn with(change: impl Fn(&mut Tiny)) -> String {
    let mut tiny = Tiny::random();
    change(&mut tiny);
    told(&tiny.bytes(GgmlDType::F32)).expect("an error")
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(told(&Tiny::random().bytes(GgmlDType::F32)), None);
    let cases = [
        (
            with(|tiny| tiny.set("general.architecture", Value::String("llama".into()))),
            "general.architecture: expected qwen2, found llama",
        ),
        (
            with(|tiny| tiny.values.retain(|(key, _)| *key != "qwen2.rope.freq_base")),
            "qwen2.rope.freq_base: expected a positive number, found nothing",
        ),
        (
            with(|tiny| tiny.set("qwen2.block_count", Value::U32(0))),
            "qwen2.block_count: expected a whole number from 1 to 16777216, found 0",
        ),
        (
            with(|tiny| tiny.set("qwen2.block_count", Value::U32(3))),
            "blk.2.attn_norm.weight: expected a matrix of [32], found nothing",
        ),
        (
            with(|tiny| tiny.set("qwen2.context_length", Value::I32(-5))),
            "qwen2.context_length: expected a whole number from 1 to 16777216, found -5",
        ),
        (
            with(|tiny| tiny.set("qwen2.attention.head_count", Value::U32(5))),
            "qwen2.attention.head_count: expected heads of an even part of 32, found 5",
        ),
        (
            with(|tiny| tiny.set("qwen2.attention.head_count_kv", Value::U32(3))),
            "qwen2.attention.head_count_kv: expected a divisor of 4, found 3",
        ),
        (
            with(|tiny| tiny.set("qwen2.feed_forward_length", Value::U32(60))),
            "blk.0.ffn_gate.weight: expected [60, 32], found [64, 32]",
        ),
        (
            with(|tiny| tiny.set("qwen2.rope.scaling.type", Value::String("yarn".into()))),
            "qwen2.rope.scaling.type: expected none, found \"yarn\"",
        ),
        (with(|tiny| tiny.set("general.alignment", Value::U32(0))), "general.alignment: expected a power of two, found 0"),
        (
            with(|tiny| drop(tiny.weights.remove("blk.1.attn_k.bias"))),
            "blk.1.attn_k.bias: expected a matrix of [16], found nothing",
        ),
        (told(b"GGML, no doubt").expect("an error"), "the first bytes: expected GGUF, found GGML"),
        (told(b"").expect("an error"), "the first bytes: expected 4 bytes at 0, found 0, the file ends early"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_file_that_ends_early_is_told_wherever_it_ends() {
    let bytes = Tiny::random().bytes(GgmlDType::Q8_0);
    for length in (0..bytes.len() - 64).step_by(911).chain([24, 25, bytes.len() - 64]) {
        let found = told(&bytes[..length]).unwrap_or_else(|| panic!("{length} of {} bytes", bytes.len()));
        assert!(found.contains("the file ends early") || found.contains("by the file's size"), "{length}: {found}");
    }
}

#[test]
fn counts_from_a_stranger_are_not_believed() {
    let good = Tiny::random().bytes(GgmlDType::F32);
    // Bytes 8 and 16 count matrices and values; at 24 is the length of the first key.
    for at in [8, 16, 24] {
        for count in [u64::MAX, 1 << 40, 1 << 63] {
            let mut bytes = good.clone();
            bytes[at..at + 8].copy_from_slice(&count.to_le_bytes());
            let found = told(&bytes).expect("an error");
            assert!(found.contains("at most") && found.ends_with(&format!("found {count}")), "{found}");
        }
    }
}

#[test]
fn damage_anywhere_in_the_head_is_survived() {
    let good = Tiny::random().bytes(GgmlDType::Q4_0);
    let mut chance = super::Chance(17);
    let mut refused = 0;
    for _ in 0..200 {
        let mut bytes = good.clone();
        for _ in 0..3 {
            // The vocabulary is most of the head; matrices are described after it.
            let at = (chance.next() * 22_000.0) as usize;
            bytes[at.min(good.len() - 1)] = (chance.next() * 256.0) as u8;
        }
        refused += usize::from(told(&bytes).is_some());
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn numbers_that_are_none_are_told_and_not_drawn() {
    let mut tiny = Tiny::random();
    tiny.weights.get_mut("output_norm.weight").expect("a norm").1[3] = f32::NAN;
    let local = tiny.load();
    assert_eq!(
        local.surprisal("上").expect_err("no number").to_string(),
        "the model's values are not finite: its file may be damaged"
    );
}

#[test]
fn another_vocabulary_is_refused() {
    let scratch = Scratch::new();
    let gguf = scratch.file("model.gguf", &Tiny::random().bytes(GgmlDType::F32));
    let told = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = tokenizer();
        change(&mut json);
        let file = scratch.file("other.json", json.to_string().as_bytes());
        let error = Local::load(&gguf, &file).expect_err("another").to_string();
        error.strip_prefix(&format!("{}: ", file.display())).unwrap_or_else(|| panic!("names the file: {error}")).to_owned()
    };
    let renamed = told(&|json| json["added_tokens"][1]["content"] = "<|begin|>".into());
    assert_eq!(renamed, "its tokens: expected <|im_start|>, found nothing of that name");
    let beyond = told(&|json| json["model"]["vocab"]["zz"] = ROWS.into());
    assert_eq!(beyond, format!("its tokens: expected numbers below {ROWS}, as the model has, found a token of number {ROWS}"));
    let shuffled = told(&|json| {
        let vocabulary = json["model"]["vocab"].as_object_mut().expect("a map");
        for (token, id) in [("a", 40), ("b", 41), ("c", 42)] {
            let there = tokens()[id].clone();
            let here = vocabulary[token].clone();
            vocabulary.insert(there, here);
            vocabulary.insert(token.to_owned(), id.into());
        }
    });
    assert_eq!(shuffled, "token 40: expected (, found a");
    assert!(told(&|json| *json = 5.into()).starts_with("the file: expected a tokenizer.json, found "));
}
