//! `fangwei release`: from files to a folder, and the folder checked.

use std::path::Path;

use crate::{Scratch, fangwei, json, sample};

/// The files of a folder and its folders, sorted.
pub fn files(folder: &str) -> Vec<String> {
    fn walk(folder: &Path, prefix: &str, files: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() { walk(&entry.path(), &format!("{name}/"), files) } else { files.push(name) }
        }
    }
    let mut files_found = Vec::new();
    walk(Path::new(folder), "", &mut files_found);
    files_found.sort();
    files_found
}

pub fn read(folder: &str, path: &str) -> Vec<u8> {
    std::fs::read(Path::new(folder).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_sample_is_released_the_same_way_twice() {
    let scratch = Scratch::new("release");
    let (one, two) = (scratch.path("one"), scratch.path("two"));
    let run = fangwei(&["release", "data/sample/release.toml", "--out", &one]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    insta::assert_snapshot!("release", run.out.replace(&one, "OUT"));
    insta::assert_snapshot!("release-files", files(&one).join("\n"));
    insta::assert_snapshot!("release-datasheet", String::from_utf8_lossy(&read(&one, "README.md")));
    assert_eq!(fangwei(&["release", "data/sample/release.toml", "--out", &two]).code, 0);
    for path in files(&one) {
        assert_eq!(read(&one, &path), read(&two, &path), "{path}");
    }
    let html = String::from_utf8(read(&one, "datasheet.html")).expect("UTF-8");
    assert!(html.starts_with("<!doctype html>") && html.contains("<h1>fangwei-sample 1.0</h1>"));
    // What was released is valid in its format, and answers fit inputs.
    for (task, path) in [("2023/anomaly", "answers/2023/anomaly/test.jsonl"), ("2021/judge", "answers/2021/judge/test.json")] {
        let answers = Path::new(&one).join(path).display().to_string();
        let input = answers.replace("answers", "inputs");
        let run = fangwei(&["validate", task, &answers, "--input", &input]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
}

#[test]
fn a_folder_is_verified() {
    let scratch = Scratch::new("verify");
    let out = scratch.path("pack");
    let manifest = json(&["release", "data/sample/release.toml", "--out", &out, "--format", "json"]);
    assert_eq!(manifest["seed"].as_u64(), Some(1));
    assert_eq!(fangwei(&["release", "verify", &out]).code, 0);
    let run = fangwei(&["release", "verify", &out, "--public"]);
    assert!(run.code == 1 && run.out.contains("trace.jsonl: a file that is not public lies here"), "{}", run.out);
    std::fs::write(Path::new(&out).join(".hidden"), "x").expect("a file");
    let run = fangwei(&["release", "verify", &out]);
    assert_eq!((run.code, run.out.as_str()), (1, ".hidden: the manifest does not know this file\n"));
    // A folder that holds something is not written to.
    assert_eq!(fangwei(&["release", "data/sample/release.toml", "--out", &out]).code, 2);
}

#[test]
fn options_win_over_the_file_and_a_revision_follows() {
    let scratch = Scratch::new("revision");
    let (first, second) = (scratch.path("first"), scratch.path("second"));
    let (gold, _) = sample("2022/judge");
    let common = [
        "release",
        "--gold",
        &gold,
        "--name",
        "甲",
        "--licence",
        "CC-BY-4.0",
        "--shares",
        "1:1",
        "--splits",
        "a,b",
        "--public",
        "a",
    ];
    let run = fangwei(&[&common[..], &["--version", "1.0", "--out", &first]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    // One record fewer: its split is stale, the other holds.
    let text = std::fs::read_to_string(crate::root().join(&gold)).expect("the sample");
    let shorter = scratch.file("shorter.jsonl", text.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>());
    let mut args = common.to_vec();
    args[2] = &shorter;
    let run = fangwei(&[&args[..], &["--version", "1.1", "--previous", &first, "--out", &second]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("old scores are stale").count(), 1, "{}", run.out);
    let changes: serde_json::Value = serde_json::from_slice(&read(&second, "changes.json")).expect("JSON");
    assert_eq!((changes["from"].as_str(), changes["to"].as_str()), (Some("甲 1.0"), Some("甲 1.1")));
    assert_eq!(fangwei(&["release", "verify", &second]).code, 0);
}

#[test]
fn what_is_wrong_with_the_request_is_said() {
    let scratch = Scratch::new("bad-release");
    let out = scratch.path("out");
    let typo = scratch.file("typo.toml", "nmae = \"x\"\n");
    let run = fangwei(&["release", &typo, "--out", &out]);
    assert!(run.code == 2 && run.err.contains("unknown key nmae (did you mean name?)"), "{}", run.err);
    let run = fangwei(&["release", "data/sample/release.toml"]);
    assert!(run.code == 2 && run.err.contains("out is missing"), "{}", run.err);
    let run = fangwei(&["release", "data/sample/release.toml", "--shares", "7:x", "--out", &out]);
    assert!(run.code == 2 && run.err.contains("7:x"), "{}", run.err);
    let run = fangwei(&["release", "data/sample/release.toml", "--gold", "no/such.jsonl", "--out", &out]);
    assert!(run.code == 1 && run.err.contains("cannot read no/such.jsonl"), "{}", run.err);
    let bad = scratch.file("bad.jsonl", "{\"qid\":\"1\",\"context\":\"猫\",\"judge\":1}\n{\"qid\":\"2\",\"judge\":1}\n");
    let run = fangwei(&["release", "data/sample/release.toml", "--gold", &bad, "--to", "2022/judge", "--out", &out]);
    assert!(
        run.code == 1 && run.err.contains("bad.jsonl:2 2: error [missing-field]") && run.err.contains("nothing is written"),
        "{}",
        run.err
    );
    assert!(!Path::new(&out).exists());
}
