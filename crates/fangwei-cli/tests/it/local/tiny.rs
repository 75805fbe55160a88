//! The files of a tiny model of the Qwen2 kind with random numbers, byte by byte as the format of GGUF says: nothing that reads them has written them.

use serde_json::json;

const WIDTH: usize = 32;
const INNER: usize = 64;
const HEADS: u32 = 4;
const KEY_HEADS: u32 = 2;
/// Every byte is a token, then the marks of a conversation.
const MARKS: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
const ROWS: usize = 256 + MARKS.len();
/// Matrices begin at a multiple of this.
const ALIGNMENT: usize = 32;

/// The GGUF file.
pub fn gguf() -> Vec<u8> {
    let few = WIDTH / HEADS as usize * KEY_HEADS as usize;
    let layer = [
        ("attn_norm.weight", vec![WIDTH]),
        ("attn_q.weight", vec![WIDTH, WIDTH]),
        ("attn_q.bias", vec![WIDTH]),
        ("attn_k.weight", vec![few, WIDTH]),
        ("attn_k.bias", vec![few]),
        ("attn_v.weight", vec![few, WIDTH]),
        ("attn_v.bias", vec![few]),
        ("attn_output.weight", vec![WIDTH, WIDTH]),
        ("ffn_norm.weight", vec![WIDTH]),
        ("ffn_gate.weight", vec![INNER, WIDTH]),
        ("ffn_up.weight", vec![INNER, WIDTH]),
        ("ffn_down.weight", vec![WIDTH, INNER]),
    ];
    let mut matrices = vec![("token_embd.weight".to_owned(), vec![ROWS, WIDTH]), ("output_norm.weight".to_owned(), vec![WIDTH])];
    matrices.extend(layer.into_iter().map(|(name, shape)| (format!("blk.0.{name}"), shape)));
    let whole = [
        ("block_count", 1),
        ("embedding_length", WIDTH as u32),
        ("attention.head_count", HEADS),
        ("attention.head_count_kv", KEY_HEADS),
        ("feed_forward_length", INNER as u32),
        ("context_length", 512),
    ];
    let real = [("rope.freq_base", 10_000.0_f32), ("attention.layer_norm_rms_epsilon", 1e-6)];

    let mut file = b"GGUF".to_vec();
    file.extend(3_u32.to_le_bytes());
    file.extend((matrices.len() as u64).to_le_bytes());
    file.extend((1 + whole.len() as u64 + real.len() as u64).to_le_bytes());
    text(&mut file, "general.architecture");
    file.extend(8_u32.to_le_bytes());
    text(&mut file, "qwen2");
    for (name, number) in whole {
        text(&mut file, &format!("qwen2.{name}"));
        file.extend(4_u32.to_le_bytes());
        file.extend(number.to_le_bytes());
    }
    for (name, number) in real {
        text(&mut file, &format!("qwen2.{name}"));
        file.extend(6_u32.to_le_bytes());
        file.extend(number.to_le_bytes());
    }
    let mut at = 0;
    for (name, shape) in &matrices {
        text(&mut file, name);
        file.extend((shape.len() as u32).to_le_bytes());
        // The length of a row comes first.
        shape.iter().rev().for_each(|length| file.extend((*length as u64).to_le_bytes()));
        file.extend(0_u32.to_le_bytes());
        file.extend((at as u64).to_le_bytes());
        at = (at + 4 * shape.iter().product::<usize>()).next_multiple_of(ALIGNMENT);
    }
    let mut chance = 7_u64;
    for (name, shape) in &matrices {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        let middle = if name.contains("norm") { 1.0 } else { 0.0 };
        for _ in 0..shape.iter().product::<usize>() {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (chance >> 40) as f32 / (1 << 24) as f32 - 0.5;
            file.extend((middle + 0.35 * number).to_le_bytes());
        }
    }
    file
}

fn text(file: &mut Vec<u8>, text: &str) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}

/// Its `tokenizer.json`: bytes, as characters that can be printed, and nothing joined.
pub fn tokenizer() -> String {
    let is_printable = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut others = 256_u32..;
    let mut stands = |byte: u32| if is_printable(byte) { byte } else { others.next().expect("endless") };
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        (0..256_u32).map(|byte| (char::from_u32(stands(byte)).expect("a character").to_string(), json!(byte))).collect();
    let marks = MARKS.iter().zip(256..).map(|(content, id)| {
        json!({ "id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true })
    });
    let bytes = json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false });
    let model = json!({ "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                        "fuse_unk": false, "byte_fallback": false, "vocab": vocabulary, "merges": [] });
    json!({ "version": "1.0", "truncation": null, "padding": null, "added_tokens": marks.collect::<Vec<_>>(), "normalizer": null,
            "pre_tokenizer": bytes, "post_processor": bytes, "decoder": bytes, "model": model })
    .to_string()
}
