//! Files in every wrapping: standard input, gzip, line ends, arrays.

use std::io::Write;

use crate::{Scratch, fangwei, fangwei_with, root, sample};

fn scores(gold: &str, pred: &str) -> String {
    let run = fangwei(&["score", "2023/anomaly", "--gold", gold, "--pred", pred, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn wrappings_do_not_change_a_score() {
    let (gold, pred) = sample("2023/anomaly");
    let plain = scores(&gold, &pred);
    let text = std::fs::read_to_string(root().join(&pred)).expect("the sample");
    let scratch = Scratch::new("stream");
    let crlf = scratch.file("crlf.jsonl", text.trim_end().replace('\n', "\r\n"));
    let array = scratch.file("array.json", format!("[\n{}\n]", text.trim_end().replace('\n', ",\n")));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory");
    let gzip = scratch.file("pred.jsonl.gz", gzip.finish().expect("memory"));
    for file in [&crlf, &array, &gzip] {
        assert_eq!(scores(&gold, file), plain, "{file}");
    }
    let piped = fangwei_with(text.as_bytes(), &["score", "2023/anomaly", "--gold", &gold, "--pred", "-", "--format", "json"]);
    assert_eq!(piped.out, plain);
}

#[test]
fn broken_compression_is_told() {
    let scratch = Scratch::new("broken");
    let broken = scratch.file("pred.jsonl.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]);
    let run = fangwei(&["validate", "2022/judge", &broken]);
    assert!(run.code == 1 && run.err.contains("pred.jsonl.gz"), "{} {}", run.code, run.err);
}
