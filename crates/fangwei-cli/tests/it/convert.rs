//! `fangwei convert`: there and back again, through files, folders and pipes.

use crate::{Scratch, fangwei, fangwei_with, json, root, sample};

/// Records of a JSON lines file, in its order.
fn records(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn roles_of_one_year_become_the_others() {
    let scratch = Scratch::new("roles");
    let (old, _) = sample("2022/roles");
    let new = scratch.path("2023.jsonl");
    let run = fangwei(&["convert", "2022/roles", "2023/roles", &old, "-o", &new]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        "2022/roles → 2023/roles: 8 read, 8 written, 0 kept out\n  lost order-of-tuples × 5: the order of tuples\n"
    );
    assert_eq!(fangwei(&["validate", "2023/roles", &new, "--gold", &new]).code, 0);
    let back = scratch.path("2022.jsonl");
    assert_eq!(fangwei(&["convert", "2023/task2", "2022/task3", &new, "-o", &back]).code, 0);
    // The order of tuples is not kept; the score of the one against the other says that nothing else changed.
    let value = json(&["score", "2022/roles", "--gold", &old, "--pred", &back, "--format", "json"]);
    assert_eq!(value["measures"]["macro_f1"].as_f64(), Some(1.0));
}

#[test]
fn predictions_convert_too_and_qids_may_be_renumbered() {
    let (_, old) = sample("2022/roles");
    let run = fangwei(&["convert", "2022/roles", "2023/roles", &old, "--renumber"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let scratch = Scratch::new("preds");
    let pred = scratch.file("pred.jsonl", &run.out);
    let (gold, _) = sample("2023/roles");
    let score = |pred: &str| json(&["score", "2023/roles", "--gold", &gold, "--pred", pred, "--format", "json"]);
    assert_eq!(score(&pred)["answered"].as_u64(), Some(7));
    assert!(records(&run.out).iter().all(|record| record.get("context").is_none()));
}

#[test]
fn verdicts_of_one_year_become_the_others() {
    let scratch = Scratch::new("verdicts");
    let (old, _) = sample("2022/judge");
    let (there, back) = (scratch.path("2021.json"), scratch.path("2022.jsonl"));
    assert_eq!(fangwei(&["convert", "2022/judge", "2021/judge", &old, "-o", &there]).code, 0);
    // One array, and verdicts as true and false: seven of the twelve are normal.
    let text = read(&there);
    assert!(text.starts_with("[\n{\"qID\":\"1-dev-1\""), "{text}");
    assert_eq!(text.matches("\"judge1\":true").count(), 7);
    assert_eq!(fangwei(&["convert", "2021/judge", "2022/judge", &there, "-o", &back]).code, 0);
    assert_eq!(records(&read(&back)), records(&read(&old)));
}

#[test]
fn every_tool_and_back() {
    for task in ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles"] {
        let (gold, _) = sample(task);
        for tool in ["brat", "label-studio", "flat"] {
            let scratch = Scratch::new(&format!("{}-{tool}", task.replace('/', "-")));
            let (there, back) = (scratch.path("there"), scratch.path("back.jsonl"));
            let run = fangwei(&["convert", task, tool, &gold, "-o", &there]);
            assert_eq!(run.code, 0, "{task} {tool}: {}", run.err);
            let run = fangwei(&["convert", tool, task, &there, "-o", &back]);
            assert_eq!(run.code, 0, "{tool} {task}: {}", run.err);
            let mut found = records(&read(&back));
            let mut expected = records(&read(&gold));
            for records in [&mut found, &mut expected] {
                records.sort_by_key(|record| record["qid"].as_str().unwrap_or_default().to_owned());
            }
            assert_eq!(found, expected, "{task} {tool}");
        }
    }
}

#[test]
fn characters_with_tags_go_to_standard_output() {
    let (gold, _) = sample("2023/anomaly");
    let run = fangwei_with(read(&gold).as_bytes(), &["convert", "2023/anomaly", "conll", "--lang", "zh"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("conll", run.out.lines().take(30).collect::<Vec<_>>().join("\n"));
    assert!(run.err.contains("12 条读入"), "{}", run.err);
}

#[test]
fn attributions_become_anomalies() {
    let (old, _) = sample("2022/attribute");
    let run = fangwei(&["convert", "2022/attribute", "2023/anomaly", &old]);
    assert_eq!(run.code, 0, "{}", run.err);
    let scratch = Scratch::new("attribute");
    let new = scratch.file("2023.jsonl", &run.out);
    assert_eq!(fangwei(&["validate", "2023/anomaly", &new, "--gold", &new]).code, 0);
    let (gold, _) = sample("2023/anomaly");
    let out = scratch.path("out.jsonl");
    let value = json(&["convert", "2022/attribute", "2023/anomaly", &old, "-o", &out, "--against", &gold, "--format", "json"]);
    assert!(value["agreement"]["unambiguous"].as_u64() > Some(0), "{value}");
}

#[test]
fn sheets_are_split_and_joined() {
    let scratch = Scratch::new("sheets");
    let parts = ["2021/judge", "2021/reason", "2021/joint"].map(|task| {
        let part = scratch.path(&format!("{}.json", task.replace('/', "-")));
        assert_eq!(fangwei(&["convert", "2021/sheet", task, "data/sample/2021/sheet.json", "-o", &part]).code, 0);
        part
    });
    let sheet = scratch.path("sheet.json");
    let [a, b, c] = &parts;
    assert_eq!(fangwei(&["convert", "2021/judge", "2021/sheet", a, b, c, "-o", &sheet, "--team-name", "甲队"]).code, 0);
    let mut expected: serde_json::Value = serde_json::from_str(&read("data/sample/2021/sheet.json")).expect("JSON");
    let mut found: serde_json::Value = serde_json::from_str(&read(&sheet)).expect("JSON");
    assert_eq!(found["meta"]["team_name"], "甲队");
    expected["meta"].take();
    found["meta"].take();
    assert_eq!(found, expected);
}

#[test]
fn what_is_possible_is_listed_and_the_rest_refused() {
    insta::assert_snapshot!("convert-list", fangwei(&["convert", "--list", "--lang", "en"]).out);
    let run = fangwei(&["convert", "2022/roles", "2023/rolls", "x"]);
    assert!(run.code == 2 && run.err.contains("did you mean 2022/roles 2023/roles?"), "{}", run.err);
    let (gold, _) = sample("2023/anomaly");
    assert_eq!(fangwei(&["convert", "2023/anomaly", "brat", &gold]).code, 2);
    let scratch = Scratch::new("defects");
    let bad = scratch.file("bad.jsonl", "{\"qid\":\"1\",\"context\":\"猫\",\"corefs\":[],\"outputs\":[[null]]}\n");
    let run = fangwei(&["convert", "2022/roles", "2023/roles", &bad]);
    assert!(run.code == 1 && run.err.contains("[bad-length]"), "{}", run.err);
}

/// Output is moved into its place, which must not take the place of a device, a pipe or the target of a link.
#[cfg(unix)]
#[test]
fn devices_and_links_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let (old, _) = sample("2022/roles");
    let convert = |out: &str| fangwei(&["convert", "2022/roles", "2023/roles", &old, "-o", out]);
    let scratch = Scratch::new("devices");

    let real = scratch.file("real.jsonl", "before");
    let link = scratch.path("link.jsonl");
    symlink(&real, &link).expect("a link");
    assert_eq!(convert(&link).code, 0);
    assert!(std::fs::symlink_metadata(&link).expect("still there").is_symlink());
    assert_eq!(records(&read(&real)).len(), 8);

    // A pipe stands for every device here: a mistake would only cost the pipe.
    let pipe = scratch.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: mkfifo is not here");
        return;
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).expect("readable")
    });
    assert_eq!(convert(&pipe).code, 0);
    assert!(std::fs::metadata(&pipe).expect("still there").file_type().is_fifo());
    assert_eq!(records(&reader.join().expect("a reader")).len(), 8);
}
