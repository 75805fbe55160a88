//! `fangwei validate`: every defect, with its place.

use crate::{Scratch, TASKS, fangwei, json, sample};

#[test]
fn the_sample_gold_is_clean() {
    for task in TASKS {
        let (gold, _) = sample(task);
        let run = fangwei(&["validate", task, &gold, "--gold", &gold]);
        assert_eq!(run.code, 0, "{task}\n{}", run.out);
        assert!(run.out.contains(" 0 errors"), "{}", run.out);
    }
}

const ITEMS: &str =
    "{\"qid\":\"1\",\"context\":\"猫从箱子里跳出来，趴在窗台上。\"}\n{\"qid\":\"2\",\"context\":\"书在桌上。\"}\n";

#[test]
fn a_submission_with_every_kind_of_defect() {
    let scratch = Scratch::new("validate");
    let items = scratch.file("items.jsonl", ITEMS);
    let pred = scratch.file(
        "pred.jsonl",
        concat!(
            "\u{feff}{\"qid\":\"1\",\"context\":\"狗\",\"results\":[[{\"role\":\"空间实体\",\"fragment\":{\"text\":\"猫\",\"idxes\":[0]}},{\"role\":\"空间实体\",\"fragment\":{\"text\":\"窗\",\"idxes\":[12]}},{\"role\":\"数量\",\"label\":\"一\"},{\"role\":\"事实性\",\"label\":\"真\"},{\"role\":\"距离\",\"label\":\"近\"},{\"role\":\"处所\",\"fragment\":{\"text\":\"在\",\"idxes\":[99,-1,\"3\"]}}],[{\"role\":\"处所\"}]]}\n",
            "\n",
            "{\"qid\":\"1\",\"results\":{}}\n",
            "{\"qid\":\"9\",\"results\":[]}\n",
            "{\"qid\":7,\"results\":[]}\n",
            "[1,2]\n",
            "{\"qid\":\"2\",\"results\":[NaN]}\n",
        ),
    );
    let run = fangwei(&["validate", "2023/roles", &pred, "--input", &items, "--lang", "en"]);
    assert_eq!(run.code, 1);
    let folder = scratch.path("");
    insta::assert_snapshot!("validate-en", run.out.replace(&folder, ""));
    insta::assert_snapshot!(
        "validate-zh",
        fangwei(&["validate", "2023/roles", &pred, "--input", &items, "--lang", "zh"]).out.replace(&folder, "")
    );
    let value = json(&["validate", "2023/roles", &pred, "--input", &items, "--format", "json"]);
    assert_eq!(value["ok"], false);
    let first = &value["errors"][0];
    for field in ["severity", "code", "file", "line", "qid", "pointer", "message", "expected", "found"] {
        assert!(first.get(field).is_some(), "{field} is not in {first}");
    }
    assert!(
        value["warnings"].as_array().is_some_and(|warnings| warnings.iter().any(|warning| warning["code"] == "byte-order-mark"))
    );
}

#[test]
fn warnings_alone_are_no_failure() {
    let scratch = Scratch::new("warn");
    let items = scratch.file("items.jsonl", "{\"qid\":\"1\",\"context\":\"他走进屋里\"}\n");
    let pred = scratch.file("pred.jsonl", "\n{\"qid\":\"1\",\"judge\":1}\n\n");
    let run = fangwei(&["validate", "2022/judge", &pred, "--input", &items]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("[blank-line]"), "{}", run.out);
}

#[test]
fn a_sheet_is_checked_task_by_task() {
    let scratch = Scratch::new("sheet");
    let sheet = scratch.file("sheet.json", r#"{"meta":{},"subtask1-dev":{"1":true,"2":"yes"},"subtask3-dev":{"1":[0]}}"#);
    let gold = scratch.file("gold.json", r#"[{"qID":"1-dev-1","context":"他走进屋里","judge1":true}]"#);
    let value = json(&["validate", "2021/judge", &sheet, "--gold", &gold, "--format", "json"]);
    let codes: Vec<_> =
        value["errors"].as_array().expect("errors").iter().map(|error| error["code"].as_str().unwrap_or_default()).collect();
    assert_eq!(codes, ["unknown-qid", "bad-verdict"]);
    let value = json(&["validate", "2021/joint", &sheet, "--format", "json"]);
    assert_eq!(value["errors"][0]["code"], "missing-field");
}

#[test]
fn gold_is_checked_by_the_rules_of_annotation() {
    let (gold, _) = sample("2023/roles");
    let run = fangwei(&["validate", "2023/roles", &gold, "--rules", "--lang", "en"]);
    assert_eq!(run.code, 0, "the sample keeps to the rules\n{}", run.out);
    assert!(run.out.trim_end().ends_with(" 0 items with errors"), "{}", run.out);
    let scratch = Scratch::new("rules");
    let record = r#"{"qid":"1","context":"猫趴在窗台上。","results":[[{"role":"空间实体","fragment":{"text":"猫","idxes":[0]}}]],"corefs":[]}"#;
    let bad = scratch.file("bad.jsonl", format!("{record}\n"));
    let value = json(&["validate", "2023/roles", &bad, "--rules", "--format", "json"]);
    assert_eq!(value["blocked"], 1, "a tuple without spatial information: {value}");
}
