//! Tests on the research data and the reference scorers' cases, which are not part of the project. Where they are absent, the tests say so and pass.
//!
//! `FANGWEI_SHARED` names their folder; by default it is looked for beside the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use fangwei::record::{Json, Source, read_all};
use fangwei::task::{Mode, read_item, write_item};
use fangwei::tasks::find;
use serde_json::Value;

use crate::golden::{differ, folders, measures};

/// The folder, or a message that it is absent.
pub(crate) fn shared(part: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("FANGWEI_SHARED").map_or_else(beside, PathBuf::from).join(part);
    if !folder.is_dir() {
        eprintln!("skipped: {} is not here", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn official_scores_equal_the_reference_scorers() {
    let Some(goldens) = shared("goldens") else { return };
    let (mut wrong, mut cases) = (Vec::new(), 0);
    for (folder, task) in [
        ("2022-task1", "2022/judge"),
        ("2022-task2", "2022/attribute"),
        ("2022-task3", "2022/roles"),
        ("2023-task1", "2023/anomaly"),
        ("2023-task2", "2023/roles"),
    ] {
        for case in folders(&goldens.join(folder)) {
            cases += 1;
            let expected: Value =
                serde_json::from_slice(&fs::read(case.join("expected.json")).expect("expected.json")).expect("JSON");
            let expected = expected.get("score").unwrap_or(&expected);
            let found = measures(
                find(task).expect("a task"),
                Mode::Official,
                &case.join("answers.jsonl"),
                &case.join("predictions.jsonl"),
            );
            wrong.extend(differ(expected, &found, "").map(|difference| format!("{}: {difference}", case.display())));
        }
    }
    for case in folders(&goldens.join("2021")) {
        cases += 1;
        let expected: Value =
            serde_json::from_slice(&fs::read(case.join("expected.json")).expect("expected.json")).expect("JSON");
        for (number, task) in [(1, "2021/judge"), (2, "2021/reason"), (3, "2021/joint")] {
            let gold = case.join(format!("task{number}-dev-with-answer.json"));
            let found = measures(find(task).expect("a task"), Mode::Official, &gold, &case.join("sheet.json"));
            wrong.extend(
                differ(&expected[format!("subtask{number}")], &found, "")
                    .map(|difference| format!("{}: {difference}", case.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(cases, 60);
}

/// The same fields with the same values, in any order.
pub(crate) fn same(a: &Json<'_>, b: &Json<'_>) -> bool {
    match (a, b) {
        (Json::Map(x), Json::Map(y)) => {
            x.len() == y.len() && x.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (Json::List(x), Json::List(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        _ => a == b,
    }
}

#[test]
fn records_that_are_read_and_written_are_equal() {
    let Some(data) = shared("data") else { return };
    let mut records = 0;
    for (file, task) in [
        ("2021/task1-train-with-answer.json", "2021/judge"),
        ("2021/task1-dev.json", "2021/judge"),
        ("2021/task2-train-with-answer.json", "2021/reason"),
        ("2021/task2-dev.json", "2021/reason"),
        ("2021/task3-dev.json", "2021/joint"),
        ("2022/task1_train.jsonl", "2022/judge"),
        ("2022/task2_train.jsonl", "2022/attribute"),
        ("2022/task3_train.jsonl", "2022/roles"),
        ("2023/task1_train.jsonl", "2023/anomaly"),
        ("2023/task2_train.jsonl", "2023/roles"),
        ("2023/task3_examples.jsonl", "2023/scene"),
    ] {
        let task = find(task).expect("a task");
        let (given, defects) = read_all(Source::open(data.join(file)).expect("a file")).expect("a file");
        assert!(defects.is_empty(), "{file}: {defects:?}");
        for (line, given) in given {
            let mut check = fangwei::record::Check::new(file.into(), line);
            let item = read_item(task, &given, false, &mut check).unwrap_or_else(|| panic!("{:?}", check.defects));
            assert!(check.defects.is_empty(), "{:?}", check.defects);
            let written = write_item(task, &item);
            assert!(same(&given, &written), "{file}:{line}\n{given}\n{written}");
            records += 1;
        }
    }
    assert!(records > 20_000, "{records}");
}

#[test]
fn gold_scores_one_against_itself() {
    let Some(data) = shared("data") else { return };
    for (file, task, key) in [
        ("2021/task1-train-with-answer.json", "2021/judge", "Accuracy"),
        ("2021/task2-train-with-answer.json", "2021/reason", "Accuracy"),
        ("2022/task1_train.jsonl", "2022/judge", "accuracy"),
        ("2022/task2_train.jsonl", "2022/attribute", "strict.macro_f1"),
        ("2022/task3_train.jsonl", "2022/roles", "macro_f1"),
        ("2023/task1_train.jsonl", "2023/anomaly", "strict.macro_f1"),
        ("2023/task2_train.jsonl", "2023/roles", "micro_f1"),
        ("2023/task3_examples.jsonl", "2023/scene", "accuracy"),
    ] {
        let file = data.join(file);
        for mode in [Mode::Official, Mode::Spec] {
            let found = measures(find(task).expect("a task"), mode, &file, &file);
            let value = key.split('.').fold(&found, |value, key| &value[key]).as_f64().expect("a number");
            assert!((value - 1.0).abs() < 1e-9, "{task} {} {value}", mode.as_str());
        }
    }
}
