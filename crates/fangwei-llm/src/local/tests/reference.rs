//! Qwen2 once more, number by number and position by position, as slowly and plainly as it can be written.

use super::Tiny;

fn times(matrix: &[f32], vector: &[f32]) -> Vec<f32> {
    matrix.chunks(vector.len()).map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

fn plus(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn norm(vector: &[f32], weight: &[f32]) -> Vec<f32> {
    let mean = vector.iter().map(|x| x * x).sum::<f32>() / vector.len() as f32;
    vector.iter().zip(weight).map(|(x, weight)| x / (mean + 1e-6).sqrt() * weight).collect()
}

fn turn(head: &mut [f32], position: usize) {
    let half = head.len() / 2;
    for pair in 0..half {
        let angle = position as f32 * 10_000_f32.powf(-2.0 * pair as f32 / head.len() as f32);
        let (a, b) = (head[pair], head[pair + half]);
        head[pair] = a * angle.cos() - b * angle.sin();
        head[pair + half] = a * angle.sin() + b * angle.cos();
    }
}

/// The logits of every position.
pub(super) fn logits(tiny: &Tiny, tokens: &[u32]) -> Vec<Vec<f32>> {
    let (width, head, group) = (tiny.width, tiny.width / tiny.heads, tiny.heads / tiny.key_heads);
    let embedding = tiny.numbers("token_embd.weight");
    let mut rows: Vec<Vec<f32>> = tokens.iter().map(|token| embedding[*token as usize * width..][..width].to_vec()).collect();
    for layer in 0..tiny.layers {
        let of = |name: &str| tiny.numbers(&format!("blk.{layer}.{name}"));
        let part =
            |row: &[f32], name: &str| plus(&times(of(&format!("attn_{name}.weight")), row), of(&format!("attn_{name}.bias")));
        let (mut keys, mut values): (Vec<Vec<f32>>, Vec<Vec<f32>>) = (Vec::new(), Vec::new());
        for (position, row) in rows.iter_mut().enumerate() {
            let normed = norm(row, of("attn_norm.weight"));
            let (mut query, mut key) = (part(&normed, "q"), part(&normed, "k"));
            query.chunks_mut(head).for_each(|head| turn(head, position));
            key.chunks_mut(head).for_each(|head| turn(head, position));
            keys.push(key);
            values.push(part(&normed, "v"));
            let mut taken = Vec::new();
            for (number, query) in query.chunks(head).enumerate() {
                let from = number / group * head;
                let score = |key: &Vec<f32>| {
                    let product: f32 = query.iter().zip(&key[from..]).map(|(a, b)| a * b).sum();
                    (product / (head as f32).sqrt()).exp()
                };
                let scores: Vec<f32> = keys.iter().map(score).collect();
                let all: f32 = scores.iter().sum();
                let value = |at: usize| scores.iter().zip(&values).map(|(score, value)| score / all * value[from + at]).sum();
                taken.extend((0..head).map(value).collect::<Vec<f32>>());
            }
            *row = plus(row, &times(of("attn_output.weight"), &taken));
        }
        for row in &mut rows {
            let normed = norm(row, of("ffn_norm.weight"));
            let (gate, up) = (times(of("ffn_gate.weight"), &normed), times(of("ffn_up.weight"), &normed));
            let inner: Vec<f32> = gate.iter().zip(&up).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
            *row = plus(row, &times(of("ffn_down.weight"), &inner));
        }
    }
    let output = tiny.weights.get("output.weight").map_or(embedding, |(_, numbers)| numbers);
    rows.iter().map(|row| times(output, &norm(row, tiny.numbers("output_norm.weight")))).collect()
}
