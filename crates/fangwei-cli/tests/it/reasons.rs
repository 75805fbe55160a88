//! `fangwei reasons`: true reasons in, true and wrong ones out, and on into a release.

use crate::{Scratch, fangwei, json, sample};

#[test]
fn wrong_reasons_are_made_listed_and_released() {
    let scratch = Scratch::new("reasons");
    let (gold, _) = sample("2022/attribute");
    let out = scratch.path("reason.json");
    let run = fangwei(&["reasons", "--gold", &gold, "--seed", "1", "-o", &out]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    insta::assert_snapshot!("reasons", run.out);
    let records: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(&out).expect("written")).expect("JSON");
    let wrong = records.iter().filter(|record| record["judge2"] == false).count();
    // Twelve sentences with twenty reasons, and one wrong reason for each sentence.
    assert_eq!((records.len() - wrong, wrong), (20, 12));
    let rules = std::fs::read_to_string(scratch.path("reason.rules.jsonl")).expect("beside");
    assert!(rules.lines().count() == 12 && rules.lines().all(|line| line.ends_with("\"checked\":false}")), "{rules}");
    assert_eq!(fangwei(&["validate", "2021/reason", &out]).code, 0);
    let pack = scratch.path("pack");
    let args =
        ["release", "--gold", &out, "--shares", "3:1", "--name", "甲", "--version", "1", "--licence", "MIT", "--out", &pack];
    let run = fangwei(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fangwei(&["release", "verify", &pack]).code, 0);
}

#[test]
fn joint_sets_take_normal_sentences() {
    let scratch = Scratch::new("joint");
    let ((gold, _), (judge, _)) = (sample("2022/attribute"), sample("2022/judge"));
    let out = scratch.path("joint.json");
    let args =
        ["reasons", "--gold", &gold, "--normal", &judge, "--to", "2021/task3", "--per-item", "2", "-o", &out, "--format", "json"];
    let value = json(&args);
    // Seven of the twelve judged sentences are normal, and each gets two reasons, as each of the twelve abnormal ones does.
    assert_eq!((value["counts"]["normal"].as_u64(), value["counts"]["made_wrong"].as_u64()), (Some(7), Some(38)));
    let text = std::fs::read_to_string(&out).expect("written");
    assert_eq!(text.matches("\"judge1\":true,\"judge2\":false").count(), 14);
    assert_eq!(text.matches("\"judge1\":true,\"judge2\":true").count(), 0);
    assert_eq!(fangwei(&["validate", "2021/joint", &out]).code, 0);
}

#[test]
fn other_tasks_are_refused() {
    let scratch = Scratch::new("bad-reasons");
    let (gold, _) = sample("2022/judge");
    let out = scratch.path("x.json");
    assert_eq!(fangwei(&["reasons", "--gold", &gold, "-o", &out]).code, 2);
    let (attribute, _) = sample("2022/attribute");
    assert_eq!(fangwei(&["reasons", "--gold", &attribute, "--to", "2022/judge", "-o", &out]).code, 2);
    assert_eq!(fangwei(&["reasons", "--gold", &attribute, "--normal", &gold, "-o", &out]).code, 2);
}
