//! `fangwei corpus`: raw text into a file of passages.

use std::io::Read;

use crate::{Scratch, fangwei, fangwei_with, json};

const SAMPLE: &str = "data/sample/corpus";

fn ids(lines: &str) -> Vec<String> {
    let id = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["id"].as_str().map(ToOwned::to_owned);
    lines.lines().filter_map(id).collect()
}

#[test]
fn the_sample_in_both_languages() {
    let run = fangwei(&["corpus", SAMPLE, "--no-tag", "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("corpus-passages", run.out);
    insta::assert_snapshot!("corpus-en", run.err);
    insta::assert_snapshot!("corpus-zh", fangwei(&["corpus", SAMPLE, "--no-tag", "-o", "/dev/null", "--lang", "zh"]).out);
}

#[test]
fn plain_packed_and_piped_are_the_same() {
    let scratch = Scratch::new("corpus");
    let expected = fangwei(&["corpus", SAMPLE, "--no-tag"]).out;
    let (plain, packed) = (scratch.path("p.jsonl"), scratch.path("p.jsonl.gz"));
    for (out, threads) in [(&plain, "1"), (&packed, "2")] {
        let run = fangwei(&["corpus", SAMPLE, "--no-tag", "-o", out, "--threads", threads]);
        assert!(run.code == 0 && run.err.is_empty() && run.out.contains("passages written"), "{}{}", run.out, run.err);
    }
    assert_eq!(std::fs::read_to_string(&plain).expect("written"), expected);
    let mut unpacked = String::new();
    let file = std::fs::File::open(&packed).expect("written");
    flate2::read::GzDecoder::new(file).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, expected);
    // Nothing is left beside them.
    assert_eq!(std::fs::read_dir(scratch.path("")).expect("a folder").count(), 2);
}

#[test]
fn standard_input_is_text_or_records() {
    let text = "灯挂在门的左边，门后面放着一把很旧的椅子。\n";
    let run = fangwei_with(text.as_bytes(), &["corpus", "-", "--no-tag"]);
    assert_eq!((run.code, ids(&run.out)), (0, vec!["-#1".to_owned()]), "{}", run.err);
    let record = format!("{{\"body\":{text:?},\"key\":\"k\"}}\n");
    let args = ["corpus", "-", "--no-tag", "--text-field", "body", "--id-field", "key", "--genre=-=stream"];
    let run = fangwei_with(record.as_bytes(), &args);
    assert_eq!((run.code, ids(&run.out)), (0, vec!["-#k".to_owned()]), "{}", run.err);
    assert!(run.out.contains("\"genre\":\"stream\""), "{}", run.out);
}

#[test]
fn what_is_skipped_is_named_and_makes_the_exit_code_one() {
    let scratch = Scratch::new("skipped");
    let good = scratch.file("a.txt", "灯挂在门的左边，门后面放着一把很旧的椅子。\n");
    let (binary, out) = (scratch.file("b.txt", b"a\0b"), scratch.path("out.jsonl"));
    let run = fangwei(&["corpus", &good, &binary, "--no-tag", "-o", &out]);
    assert_eq!(run.code, 1);
    assert_eq!(run.err, "b.txt: error [binary-file] not text; expected text; found a zero byte from byte 2\n");
    assert_eq!(ids(&std::fs::read_to_string(&out).expect("written")), ["a.txt#1"]);
    let value = json(&["corpus", &good, &binary, "--no-tag", "-o", &out, "--format", "json"]);
    assert_eq!((&value["counts"]["skipped_files"], &value["errors"][0]["code"]), (&1.into(), &"binary-file".into()));
}

#[test]
fn converted_files_are_told_without_failure() {
    let scratch = Scratch::new("converted");
    let text = "灯挂在门的左边，门后面放着一把很旧的椅子。\n";
    let file = scratch.file("gb.txt", encoding_rs::GB18030.encode(text).0);
    let run = fangwei(&["corpus", &file, "--no-tag"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains(text.trim_end()) && run.err.contains("[converted-encoding]"), "{}{}", run.out, run.err);
}

#[test]
fn lengths_and_near_duplicates_can_be_chosen() {
    let count = |args: &[&str]| {
        let run = fangwei(&[&["corpus", SAMPLE, "--no-tag"], args].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.lines().count()
    };
    // Of the ten passages without exact duplicates one is a near duplicate.
    assert_eq!((count(&[]), count(&["--near", "off"])), (9, 10));
    // Who lowers the limit lowers the target with it, and gets more passages.
    assert!(count(&["--max", "60"]) > 9);
}

#[test]
fn usage() {
    let scratch = Scratch::new("corpus-usage");
    let file = scratch.file("a.txt", "灯挂在门的左边。");
    let (folder, inside, zst) = (scratch.path(""), scratch.path("out.jsonl"), std::env::temp_dir().join("out.jsonl.zst"));
    for args in [
        vec!["corpus"],
        vec!["corpus", &file, "--no-tag", "--min", "300"],
        vec!["corpus", &file, "--no-tag", "--near", "0.1"],
        vec!["corpus", &file, "--no-tag", "--near", "never"],
        vec!["corpus", &file, "--no-tag", "--genre", "news"],
        vec!["corpus", &file, "--no-tag", "-o", &zst.display().to_string()],
        vec!["corpus", &folder, "--no-tag", "-o", &inside],
        vec!["corpus", &file, "--no-tag", "-o", &file],
    ] {
        let run = fangwei(&args);
        assert_eq!(run.code, 2, "{args:?}\n{}{}", run.out, run.err);
    }
    assert_eq!(std::fs::read_to_string(&file).expect("untouched"), "灯挂在门的左边。");
}
