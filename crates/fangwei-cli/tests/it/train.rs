//! `fangwei train`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Scratch, fangwei, json, root};

/// The answered train file of a task in the sample pack.
pub fn train_file(task: &str) -> String {
    let ending = if task.starts_with("2021/") { "json" } else { "jsonl" };
    format!("data/sample/pack/answers/{task}/train.{ending}")
}

/// A hundred judged items, enough to learn something in a second.
pub fn some_items(scratch: &Scratch) -> String {
    let text = std::fs::read_to_string(root().join(train_file("2022/judge"))).expect("the sample");
    scratch.file("some.jsonl", text.lines().take(100).map(|line| format!("{line}\n")).collect::<String>())
}

/// Trains the word prior, which takes no time.
fn quick(out: &str, extra: &[&str]) -> crate::Run {
    let file = train_file("2022/judge");
    let base = ["train", "2022/judge", "--predictor", "prior", "-O", "by=word-prior", "--data", &file, "--out", out];
    fangwei(&[&base[..], extra].concat())
}

fn bytes(folder: &str, file: &str) -> Vec<u8> {
    std::fs::read(Path::new(folder).join(file)).unwrap_or_else(|error| panic!("{folder}/{file}: {error}"))
}

#[test]
fn a_model_folder_says_how_it_was_made() {
    let scratch = Scratch::new("train-record");
    let out = scratch.path("model");
    let run = quick(&out, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("cross-validated by origin group"), "{}", run.out);
    let record = json(&["predictors", "--model", &out, "--json"]);
    assert_eq!((record["task"].as_str(), record["predictor"].as_str()), (Some("2022/judge"), Some("prior")));
    assert_eq!(record["options"]["by"], "word-prior");
    assert_eq!(record["data"][0]["sha256"].as_str().map(str::len), Some(64));
    let validation = &record["validation"];
    let (low, value, high) = (validation["low"].as_f64(), validation["value"].as_f64(), validation["high"].as_f64());
    assert!(low <= value && value <= high && low > Some(0.0), "{validation}");
    assert!(!Path::new(&out).join(".training").exists(), "finished stages are cleared away");
}

#[test]
fn the_same_training_gives_the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("train-same");
    let file = some_items(&scratch);
    let train = |name: &str, threads: &str, seed: &str| {
        let out = scratch.path(name);
        let run = fangwei(&[
            "train",
            "2022/judge",
            "--data",
            &file,
            "--out",
            &out,
            "--threads",
            threads,
            "--seed",
            seed,
            "--folds",
            "2",
        ]);
        assert_eq!(run.code, 0, "{}", run.err);
        (bytes(&out, "weights.fw"), bytes(&out, "model.json"))
    };
    let one = train("one", "1", "7");
    assert!(one == train("three", "3", "7"), "threads changed the model");
    assert!(one.0 != train("other", "2", "8").0, "the seed changes nothing");
}

#[test]
fn a_killed_training_goes_on_and_ends_the_same() {
    let scratch = Scratch::new("train-killed");
    let file = some_items(&scratch);
    let args = |out: &str| ["train", "2022/judge", "--data", &file, "--folds", "3", "--out", out].map(str::to_owned);
    let whole = scratch.path("whole");
    let run = fangwei(&args(&whole).each_ref().map(String::as_str));
    assert_eq!(run.code, 0, "{}", run.err);
    let out = scratch.path("killed");
    let mut kept = 0;
    for wait in [150, 400, 900] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
        command.args(args(&out)).current_dir(root()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(wait));
        let _ = child.kill();
        let _ = child.wait();
        let stages = walk(&Path::new(&out).join(".training"));
        assert!(stages >= kept || Path::new(&out).join("model.json").exists(), "a killed training lost what was finished");
        kept = stages;
    }
    let run = fangwei(&[&args(&out).each_ref().map(String::as_str)[..], &["--force"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    for file in ["weights.fw", "model.json"] {
        assert!(bytes(&whole, file) == bytes(&out, file), "{file} differs after kills");
    }
}

/// How many files there are below a folder.
fn walk(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { 1 }).sum()
}

#[test]
fn files_of_several_years_are_merged_without_duplicates() {
    let scratch = Scratch::new("train-merged");
    let out = scratch.path("model");
    let (new, old) = (train_file("2023/roles"), train_file("2022/roles"));
    let run = fangwei(&[
        "train",
        "2023/roles",
        "--predictor",
        "prior",
        "--data",
        &new,
        &format!("2022/roles={old}"),
        "--out",
        &out,
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("a record");
    // Both years' files of the sample hold the same passages.
    let lines = std::fs::read_to_string(root().join(&new)).expect("the sample").lines().count() as u64;
    assert_eq!(record["validation"]["items"].as_u64(), Some(lines));
    assert_eq!(record["data"][1]["task"], "2022/roles");
}

#[test]
fn contradictory_and_missing_labels_are_told_and_left_out() {
    let scratch = Scratch::new("train-labels");
    let mut text = std::fs::read_to_string(root().join(train_file("2022/judge"))).expect("the sample");
    for (number, judge) in [(1, 0), (2, 1)] {
        text += &format!("{{\"qid\":\"x{number}\",\"context\":\"老周把伞挂在门后面，转身走进厨房里。\",\"judge\":{judge}}}\n");
    }
    text += "{\"qid\":\"x3\",\"context\":\"灯在桌上\"}\nnonsense\n";
    let (file, out) = (scratch.file("train.jsonl", text), scratch.path("model"));
    let run = fangwei(&["train", "2022/judge", "--predictor", "prior", "--data", &file, "--out", &out]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("1 items differ from an earlier answer"), "{}", run.err);
    assert!(run.err.contains("1 items lack a readable answer"), "{}", run.err);
    assert!(Path::new(&out).join("model.json").exists(), "the rest was learnt from");
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let scratch = Scratch::new("train-mistakes");
    let (file, out) = (train_file("2022/judge"), scratch.path("model"));
    for (args, code, said) in [
        (vec!["train", "2022/judge", "--predictor", "liner", "--data", &file, "--out", &out], 2, "did you mean linear?"),
        (vec!["train", "2022/judge", "--data", &file, "--out", &out, "-O", "by=word-prior"], 2, "unknown option by"),
        (vec!["train", "2022/judge", "--data", &file, "--out", &out, "--folds", "1"], 2, "--folds 1"),
        (vec!["train", "2023/roles", "--data", &file, "--out", &out], 1, "expected answered items of 2023/roles"),
        (vec!["train", "2022/judge", "--data", "nowhere.jsonl", "--out", &out], 1, "nowhere.jsonl"),
    ] {
        let run = fangwei(&args);
        assert_eq!(run.code, code, "{args:?}: {}", run.err);
        assert!(run.err.contains(said), "{args:?}: {}", run.err);
    }
    assert_eq!(quick(&out, &[]).code, 0);
    let again = quick(&out, &[]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
    assert_eq!(quick(&out, &["--force"]).code, 0);
}
