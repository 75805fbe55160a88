//! `fangwei score` in every format and on every task.

use crate::{Scratch, TASKS, fangwei, json, sample};

#[test]
fn text_of_every_task() {
    let mut text = String::new();
    for task in TASKS {
        let (gold, pred) = sample(task);
        for (mode, lang) in [("official", "zh"), ("spec", "en")] {
            let run = fangwei(&["score", task, "--gold", &gold, "--pred", &pred, "--mode", mode, "--lang", lang]);
            assert_eq!(run.code, 0, "{}", run.err);
            text.push_str(&format!("{}{}\n", run.out, run.err));
        }
    }
    insta::assert_snapshot!("score-text", text);
}

#[test]
fn json_has_the_promised_shape() {
    let (gold, pred) = sample("2023/anomaly");
    let value = json(&["score", "2023/anomaly", "--gold", &gold, "--pred", &pred, "--format", "json"]);
    assert_eq!((value["task"].as_str(), value["mode"].as_str()), (Some("2023/anomaly"), Some("official")));
    assert_eq!((value["items"].as_u64(), value["answered"].as_u64()), (Some(12), Some(11)));
    let keys =
        |value: &serde_json::Value| value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    assert_eq!(keys(&value["measures"]), ["loose", "strict"]);
    assert_eq!(keys(&value["measures"]["strict"]), ["micro_f1", "macro_f1", "avg_precision", "avg_recall"]);
    let (gold, pred) = sample("2022/roles");
    let value = json(&["score", "2022/task3", "--gold", &gold, "--pred", &pred, "--format", "json"]);
    assert_eq!(keys(&value["measures"]), ["micro_f1", "macro_f1", "avg_precision", "avg_recall"]);
}

#[test]
fn other_formats_and_intervals() {
    let (gold, pred) = sample("2022/attribute");
    let base = ["score", "2022/attribute", "--gold", &gold, "--pred", &pred, "--lang", "en"];
    let with = |extra: &[&str]| fangwei(&[&base[..], extra].concat()).out;
    insta::assert_snapshot!("score-csv", with(&["--format", "csv"]));
    insta::assert_snapshot!("score-markdown-ci", with(&["--format", "markdown", "--ci", "--resamples", "500"]));
    insta::assert_snapshot!("score-by-type", with(&["--by", "type"]));
    insta::assert_snapshot!("score-by-genre-csv", with(&["--by", "genre", "--format", "csv"]));
    insta::assert_snapshot!("score-by-role", with(&["--by", "role"]));
    insta::assert_snapshot!("score-by-origin-size", with(&["--by", "origin-size", "--format", "markdown"]));
    insta::assert_snapshot!("score-by-length", with(&["--by", "length", "--format", "json"]));
    let run = fangwei(&[&base[..], &["--by", "colour"]].concat());
    assert_eq!(run.code, 2);
    assert!(run.err.contains("known facets: type fragments"), "{}", run.err);
}

#[test]
fn intervals_do_not_depend_on_threads() {
    let (gold, pred) = sample("2023/roles");
    let run = |threads: &str| {
        fangwei(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--ci", "--threads", threads, "--format", "json"]).out
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn items_are_written() {
    let (gold, pred) = sample("2023/roles");
    let scratch = Scratch::new("items");
    for name in ["items.csv", "items.jsonl"] {
        let path = scratch.path(name);
        assert_eq!(fangwei(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--items", &path]).code, 0);
        insta::assert_snapshot!(name.replace('.', "-"), std::fs::read_to_string(&path).expect("items"));
    }
}

#[test]
fn the_modes_are_explained() {
    let (gold, pred) = sample("2023/roles");
    let base = ["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--explain-modes"];
    insta::assert_snapshot!("explain-modes-zh", fangwei(&[&base[..], &["--lang", "zh"]].concat()).out);
    let value = json(&[&base[..], &["--format", "json"]].concat());
    assert!(value["differences"][0]["quirks"].as_array().is_some_and(|quirks| !quirks.is_empty()), "{value}");
    let all = fangwei(&["score", "--explain-modes", "--lang", "en"]).out;
    assert!(all.contains("strict-recall-ignores-missing-roles") && all.contains("missing-is-false"), "{all}");
}

#[test]
fn an_item_is_explained() {
    let mut text = String::new();
    for task in TASKS {
        let (gold, pred) = sample(task);
        let first = if task.starts_with("2021") {
            format!("{}-dev-2", ["2021/judge", "2021/reason", "2021/joint"].iter().position(|id| *id == task).unwrap() + 1)
        } else {
            first_qid(&gold)
        };
        for lang in ["zh", "en"] {
            let run = fangwei(&["score", task, "--gold", &gold, "--pred", &pred, "--alignment", &first, "--lang", lang]);
            assert_eq!(run.code, 0, "{task} {}", run.err);
            text.push_str(&run.out);
        }
    }
    insta::assert_snapshot!("alignment", text);
    let (gold, pred) = sample("2023/roles");
    let value =
        json(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--alignment", &first_qid(&gold), "--format", "json"]);
    assert!(value[0]["pairs"][0]["rows"][0]["role"].is_string(), "{value}");
    let colored =
        fangwei(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--alignment", "2-dev-1", "--color", "always"]);
    assert!(colored.out.contains("\u{1b}[32m") && !text.contains('\u{1b}'), "{}", colored.out);
    let run = fangwei(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--alignment", "2-dev-99"]);
    assert_eq!(run.code, 2);
}

fn first_qid(gold: &str) -> String {
    let text = std::fs::read_to_string(crate::root().join(gold)).expect("the sample");
    let record: serde_json::Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    record["qid"].as_str().expect("a qid").to_owned()
}

#[test]
fn grades_under_both_rubrics() {
    let (gold, pred) = sample("2023/scene");
    let base = ["score", "2023/scene", "--gold", &gold, "--pred", &pred, "--grades", "data/sample/2023/scene/grades.csv"];
    insta::assert_snapshot!("grades", fangwei(&base).out);
    let scratch = Scratch::new("grades");
    let bad = scratch.file("bad.csv", "qid,rater1,rater2\n3-1,7,1\n");
    let run = fangwei(&["score", "2023/scene", "--gold", &gold, "--pred", &pred, "--grades", &bad]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("[bad-grade]"), "{}", run.err);
    assert_eq!(fangwei(&["score", "2023/roles", "--gold", &gold, "--pred", &pred, "--grades", &bad]).code, 2);
}

#[test]
fn bad_records_cost_only_themselves() {
    let scratch = Scratch::new("bad");
    let gold = scratch.file(
        "gold.jsonl",
        "{\"qid\":\"1\",\"context\":\"他走进屋里\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"他走进屋外\",\"judge\":0}\n",
    );
    let pred = scratch.file("pred.jsonl", "{\"qid\":\"1\",\"judge\":1}\nnot json\n{\"judge\":0}\n{\"qid\":\"2\"}\n");
    let run = fangwei(&["score", "2022/judge", "--gold", &gold, "--pred", &pred, "--format", "json"]);
    assert_eq!(run.code, 1);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(value["measures"]["accuracy"].as_f64(), Some(0.5));
    let codes: Vec<&str> =
        value["defects"].as_array().expect("defects").iter().filter_map(|defect| defect["code"].as_str()).collect();
    assert_eq!(codes, ["no-qid", "missing-field", "bad-json"]);
    for place in ["pred.jsonl:2", "pred.jsonl:3", "pred.jsonl:4 2"] {
        assert!(run.err.contains(place), "{}", run.err);
    }
}

#[test]
fn bad_gold_is_refused() {
    let scratch = Scratch::new("gold");
    let gold = scratch.file("gold.jsonl", "{\"qid\":\"1\",\"context\":\"他\",\"judge\":1}\n{\"qid\":\"1\",\"context\":\"他\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"他\"}\n");
    let run = fangwei(&["score", "2022/judge", "--gold", &gold, "--pred", &gold]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("[duplicate-qid]") && run.err.contains("[missing-field]"), "{}", run.err);
    let run = fangwei(&["score", "2022/judge", "--gold", "no-such-file", "--pred", &gold]);
    assert!(run.code == 1 && run.err.contains("no-such-file"), "{}", run.err);
}
