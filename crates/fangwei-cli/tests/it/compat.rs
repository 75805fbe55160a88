//! `fangwei compat`: flags and output of the old scripts.

use crate::{Scratch, fangwei, sample};

#[test]
fn every_script() {
    let mut text = String::new();
    for (script, task, level) in [
        ("2022/task1_examine", "2022/judge", None),
        ("2022/task2_examine", "2022/attribute", Some("strict")),
        ("2022/task2_examine", "2022/attribute", Some("loose")),
        ("2022/task3_examine", "2022/roles", None),
        ("2023/task1_eval", "2023/anomaly", None),
        ("2023/task2_eval", "2023/roles", None),
    ] {
        let (gold, pred) = sample(task);
        let mut args = vec!["compat", script, "--answer_path", &gold, "--prediction_path", &pred];
        args.extend(level.iter().flat_map(|level| ["--prediction_level", level]));
        let run = fangwei(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.starts_with("Accepted\n{\n  \""), "{}", run.out);
        text.push_str(&format!("$ {script} {}\n{}", level.unwrap_or_default(), run.out));
    }
    let golds = ["2021/judge", "2021/reason", "2021/joint"].map(|task| sample(task).0);
    let mut args = vec!["compat", "2021/evaluate", "--prediction_path", "data/sample/2021/sheet.json"];
    args.extend(golds.iter().flat_map(|gold| ["--answer_path", gold]));
    text.push_str(&format!("$ 2021/evaluate\n{}", fangwei(&args).out));
    insta::assert_snapshot!("compat", text);
}

#[test]
fn an_error_is_told_and_exits_with_one() {
    let scratch = Scratch::new("compat");
    let gold = scratch.file("gold.jsonl", "{\"qid\":\"1\",\"context\":\"他走进屋里\",\"judge\":1}\n");
    let pred = scratch.file("pred.jsonl", "{\"qid\":\"1\"}\n");
    let run = fangwei(&["compat", "2022/task1_examine", "--answer_path", &gold, "--prediction_path", &pred]);
    assert_eq!((run.code, run.out.as_str()), (1, "Error in execution\n"));
    assert!(run.err.contains("[missing-field]"), "{}", run.err);
    let run = fangwei(&[
        "compat",
        "2022/task2_examine",
        "--answer_path",
        &gold,
        "--prediction_path",
        &pred,
        "--prediction_level",
        "medium",
    ]);
    assert_eq!(run.code, 2);
}
