//! `fangwei predict`.

use crate::train::{some_items, train_file};
use crate::{Scratch, TASKS, fangwei, json};

/// The items of a task without answers, from the sample pack or, where it has none, from the small sample.
fn input_file(task: &str) -> String {
    match task {
        "2021/reason" | "2021/joint" => format!("data/sample/{task}/gold.json"),
        "2022-draft/attribute" | "2022-draft/relations" => format!("data/sample/{task}/gold.jsonl"),
        "2021/judge" => "data/sample/pack/inputs/2021/judge/test.json".to_owned(),
        _ => format!("data/sample/pack/inputs/{task}/test.jsonl"),
    }
}

fn served(predictor: &str) -> Vec<String> {
    let told = json(&["predictors", predictor, "--json"]);
    told[0]["tasks"].as_array().expect("tasks").iter().filter_map(|task| task.as_str().map(str::to_owned)).collect()
}

#[test]
fn rules_answer_every_task_that_they_serve_soundly() {
    let scratch = Scratch::new("predict-rule");
    let tasks = served("rule");
    assert!(tasks.len() >= 9, "{tasks:?}");
    for task in TASKS.iter().filter(|task| tasks.iter().any(|served| served == *task)) {
        let (input, out) = (input_file(task), scratch.path("preds.jsonl"));
        let run = fangwei(&["predict", task, "--predictor", "rule", "--input", &input, "--out", &out]);
        assert_eq!(run.code, 0, "{task}: {}", run.err);
        let checked = fangwei(&["validate", task, &out, "--input", &input]);
        assert_eq!(checked.code, 0, "{task}: {}{}", checked.out, checked.err);
    }
}

#[test]
fn the_default_learns_answers_and_explains_every_task() {
    let scratch = Scratch::new("predict-linear");
    let tasks = served("linear");
    for task in TASKS.iter().filter(|task| tasks.iter().any(|served| served == *task)) {
        let (model, out) = (scratch.path("model"), scratch.path("preds.jsonl"));
        let mut args = vec!["train", task, "--out", &model, "--folds", "0", "--force", "--data"];
        let files: Vec<String> = match *task {
            "2021/reason" | "2021/joint" => {
                vec![format!("2021/reason={}", "data/sample/2021/reason/gold.json"), train_file("2021/judge")]
            }
            task => vec![train_file(task)],
        };
        args.extend(files.iter().map(String::as_str));
        let run = fangwei(&args);
        assert_eq!(run.code, 0, "{task}: {}", run.err);
        let input = input_file(task);
        let run = fangwei(&["predict", task, "--model", &model, "--input", &input, "--out", &out, "--explain", "--json"]);
        assert_eq!(run.code, 0, "{task}: {}", run.err);
        let checked = fangwei(&["validate", task, &out, "--input", &input]);
        assert_eq!(checked.code, 0, "{task}: {}{}", checked.out, checked.err);
        for line in run.out.lines() {
            let told: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            assert!(told["because"].as_array().is_some_and(|points| !points.is_empty()), "{task}: {line}");
        }
    }
}

#[test]
fn a_typed_text_is_answered_and_explained_in_both_languages() {
    for (lang, said) in [("zh", "“外”"), ("en", "“外”")] {
        let run =
            fangwei(&["predict", "2022/judge", "--predictor", "rule", "--text", "他跳进山洞外。", "--explain", "--lang", lang]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("\"judge\":0") && run.out.contains(said), "{}", run.out);
    }
    let sound = fangwei(&["predict", "2022/judge", "--predictor", "rule", "--text", "他跳进山洞里。"]);
    assert_eq!(sound.out, "{\"qid\":\"1\",\"judge\":1}\n");
}

#[test]
fn a_bad_item_does_not_stop_the_others() {
    let scratch = Scratch::new("predict-bad");
    let long = "他走进屋里，".repeat(17_000);
    let items = format!(
        "{{\"qid\":\"1\",\"context\":\"他走进屋里。\"}}\nnonsense\n{{\"qid\":\"2\"}}\n{{\"qid\":\"3\",\"context\":\"\"}}\n\
         {{\"qid\":\"4\",\"context\":\"only Latin here\"}}\n{{\"qid\":\"5\",\"context\":\"😀𠮷😀\"}}\n{{\"qid\":\"6\",\"context\":\"{long}\"}}\n"
    );
    let (input, model) = (scratch.file("items.jsonl", items), scratch.path("model"));
    let file = some_items(&scratch);
    let run = fangwei(&["train", "2022/judge", "--data", &file, "--out", &model, "--folds", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = fangwei(&["predict", "2022/judge", "--model", &model, "--input", &input]);
    assert_eq!(run.code, 1, "{}", run.err);
    let qids: Vec<String> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["qid"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(qids, ["1", "3", "4", "5", "6"]);
    assert!(run.err.contains("items.jsonl:2: error") && run.err.contains("items.jsonl:3 2: error"), "{}", run.err);
}

#[test]
fn broken_and_wrong_models_are_refused() {
    let scratch = Scratch::new("predict-broken");
    let model = scratch.path("model");
    let file = train_file("2022/judge");
    let run = fangwei(&["train", "2022/judge", "--predictor", "prior", "--data", &file, "--out", &model, "--folds", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let ask = |task: &str| fangwei(&["predict", task, "--model", &model, "--text", "他走进屋里。"]);
    assert_eq!(ask("2022/judge").code, 0);
    let wrong = ask("2023/anomaly");
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("expected a model for 2023/anomaly, found one for 2022/judge"), "{}", wrong.err);
    let weights = std::path::Path::new(&model).join("weights.fw");
    let sound = std::fs::read(&weights).expect("weights");
    let mut flipped = sound.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    for (bytes, said) in [(&sound[..sound.len() / 2], "weights.fw"), (&flipped[..], "weights.fw"), (&b"PK"[..], "weights.fw")] {
        std::fs::write(&weights, bytes).expect("writes");
        let run = ask("2022/judge");
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(run.err.contains(said), "{}", run.err);
    }
    std::fs::write(std::path::Path::new(&model).join("model.json"), "{\"format\":9}").expect("writes");
    let run = ask("2022/judge");
    assert!(run.code == 1 && run.err.contains("expected format 1, found format 9"), "{}", run.err);
    let run = fangwei(&["predict", "2022/judge", "--predictor", "linear", "--text", "他"]);
    assert!(run.code == 2 && run.err.contains("has to learn first"), "{}", run.err);
}

#[test]
fn candidates_are_as_many_as_asked() {
    let scratch = Scratch::new("predict-candidates");
    let (model, input) = (scratch.path("model"), input_file("2023/anomaly"));
    let file = train_file("2023/anomaly");
    let run = fangwei(&["train", "2023/anomaly", "--data", &file, "--out", &model, "--folds", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let most = |count: &str| {
        let run = fangwei(&["predict", "2023/anomaly", "--model", &model, "--input", &input, "--candidates", count]);
        assert_eq!(run.code, 0, "{}", run.err);
        let lines = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        lines.map(|line| line["results"].as_array().map_or(0, Vec::len)).max().unwrap_or(0)
    };
    assert_eq!((most("1"), most("3")), (1, 3));
    let run = fangwei(&["predict", "2023/anomaly", "--model", &model, "--input", &input, "--candidates", "4"]);
    assert!(run.code == 2 && run.err.contains("candidates: expected 1..=3, found 4"), "{}", run.err);
}
