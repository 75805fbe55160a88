//! A model on this machine, from its files to a score: `fangwei llm run --provider local` and `fangwei llm surprisal`.

#[cfg(feature = "local")]
mod tiny;

#[cfg(feature = "local")]
use serde_json::Value;

use crate::{Scratch, fangwei};

/// Two texts that differ in a locative.
#[cfg(feature = "local")]
const ITEMS: &str =
    "{\"qid\":\"1\",\"context\":\"猫在箱子里。\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"猫在箱子外。\",\"judge\":0}\n";

#[cfg(feature = "local")]
#[test]
fn a_model_answers_is_scored_and_is_not_asked_again() {
    let scratch = Scratch::new("local-run");
    let (gguf, tokenizer) = (scratch.file("model.gguf", tiny::gguf()), scratch.file("tokenizer.json", tiny::tokenizer()));
    let (input, out) = (scratch.file("items.jsonl", ITEMS), scratch.path("run"));
    let prompt = scratch.file("prompt.md", "# shots\n- count: 0\n\n# user\n{{context}}\n");
    let args = ["llm", "run", "--task", "2022/judge", "--provider", "local", "--gguf", &gguf, "--tokenizer", &tokenizer];
    let more = ["--model", "tiny", "--input", &input, "--out", &out, "--max-tokens", "4", "--prompt", &prompt];
    let args = [&args[..], &more].concat();
    let run = fangwei(&args);
    // Random numbers answer nothing; that they were asked, read and counted is what is to be seen.
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(format!("{out}/summary.json")).expect("a summary")).expect("JSON");
    assert_eq!((&summary["items"], &summary["scored"]), (&2.into(), &0.into()), "{}{}", run.out, run.err);
    assert_eq!(summary["provider"], "local");
    assert!(
        summary["model"].as_str().is_some_and(|name| name.starts_with("tiny") && name.len() > 8),
        "with the file's hash: {summary}"
    );
    let replies = std::fs::read_to_string(format!("{out}/responses.jsonl")).expect("replies");
    assert_eq!(replies.lines().count(), 2);
    assert!(std::path::Path::new(&format!("{out}/view/index.html")).exists());
    let again = fangwei(&args);
    assert!(again.err.contains("2/2 are answered already"), "{}", again.err);
    assert_eq!(std::fs::read_to_string(format!("{out}/responses.jsonl")).expect("replies"), replies, "nothing is asked twice");
}

#[cfg(feature = "local")]
#[test]
fn surprisal_weighs_words_and_answers_by_a_threshold() {
    let scratch = Scratch::new("local-surprisal");
    let (gguf, tokenizer) = (scratch.file("model.gguf", tiny::gguf()), scratch.file("tokenizer.json", tiny::tokenizer()));
    let files = ["llm", "surprisal", "--gguf", &gguf, "--tokenizer", &tokenizer];
    let told = fangwei(&[&files[..], &["--text", "猫在箱子里。", "--format", "json"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let weighed: Value = serde_json::from_str(&told.out).expect("JSON");
    let inside = weighed["words"].as_array().and_then(|words| words.iter().find(|word| word["word"] == "里")).expect("the word");
    assert_eq!(inside["at"], 4, "{inside}");
    assert!(inside["rivals"].as_array().is_some_and(|rivals| rivals.iter().any(|rival| rival["word"] == "外")), "{inside}");
    assert!(weighed["bits"].as_f64().is_some_and(|bits| bits > 0.0), "{weighed}");

    // A margin that nothing passes, and one that everything does.
    let input = scratch.file("items.jsonl", ITEMS);
    let judge = |margin: &str, out: &str| {
        let more = ["--task", "2022/judge", "--input", &input, "--margin", margin, "--out", out];
        fangwei(&[&files[..], &more].concat())
    };
    for (margin, verdict) in [("100000", 1), ("-100000", 0)] {
        let told = judge(margin, "-");
        let expected = format!("{{\"qid\":\"1\",\"judge\":{verdict}}}\n{{\"qid\":\"2\",\"judge\":{verdict}}}\n");
        assert_eq!((told.code, told.out), (0, expected), "only predictions on standard output: {}", told.err);
        assert!(told.err.contains("fitted on nothing"), "{}", told.err);
    }
    let refused = fangwei(&[&files[..], &["--task", "2021/reason", "--input", &input, "--out", "-"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("expected 2021/judge / 2022/judge, found 2021/reason"), "{}", refused.err);
    assert_eq!(judge("nan", "-").code, 2);

    // Half of a file, and another file.
    let half = scratch.file("half.gguf", &tiny::gguf()[..2000]);
    let told = fangwei(&["llm", "surprisal", "--gguf", &half, "--tokenizer", &tokenizer, "--text", "猫"]);
    assert!(told.code == 1 && told.err.contains("half.gguf"), "{}", told.err);
    let told = fangwei(&["llm", "surprisal", "--gguf", &tokenizer, "--tokenizer", &tokenizer, "--text", "猫"]);
    assert!(told.code == 1 && told.err.contains("expected GGUF"), "{}", told.err);
}

#[cfg(not(feature = "local"))]
#[test]
fn a_build_without_models_says_how_to_make_one() {
    let scratch = Scratch::new("llm-no-local");
    let (file, out) = ("data/sample/2022/judge/gold.jsonl".to_owned(), scratch.path("run"));
    let run = ["llm", "run", "--task", "2022/judge", "--model", "m", "--provider", "local", "--input", &file, "--out", &out];
    let files = ["--gguf", &file, "--tokenizer", &file];
    let surprisal = ["llm", "surprisal", "--text", "猫在箱子里。"];
    for args in [[&run[..], &files].concat(), [&surprisal[..], &files].concat()] {
        let told = fangwei(&args);
        assert_eq!(told.code, 2, "{}", told.err);
        assert!(told.err.contains("--features local"), "{}", told.err);
    }
    let told = fangwei(&[&run[..8], &["--input", &file, "--out", &out]].concat());
    assert!(told.code == 2 && told.err.contains("--gguf"), "{}", told.err);
}
