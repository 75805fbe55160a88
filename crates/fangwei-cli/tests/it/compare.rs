//! `fangwei compare`.

use crate::{fangwei, json, sample};

#[test]
fn text_and_json() {
    let (gold, pred) = sample("2022/judge");
    let base = ["compare", "2022/judge", "--gold", &gold, &gold, &pred, "--resamples", "1000"];
    insta::assert_snapshot!("compare-text", fangwei(&base).out);
    insta::assert_snapshot!("compare-csv-zh", fangwei(&[&base[..], &["--format", "csv", "--lang", "zh"]].concat()).out);
    let value = json(&[&base[..], &["--format", "json"]].concat());
    assert_eq!(value["measure"], "accuracy");
    assert!(value["pairs"][0]["mcnemar"]["p"].is_number() && value["systems"][0]["wilson"]["low"].is_number(), "{value}");
}

#[test]
fn groups_change_the_interval_and_threads_do_not() {
    let (gold, pred) = sample("2023/anomaly");
    let run = |extra: &[&str]| {
        let base = ["compare", "2023/anomaly", "--gold", &gold, &gold, &pred, "--format", "json", "--resamples", "2000"];
        fangwei(&[&base[..], extra].concat()).out
    };
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "4"]));
    let groups = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON")["groups"].as_u64();
    assert_eq!(groups(&run(&["--group", "none"])), Some(12));
    assert!(groups(&run(&["--group", "origin"])) < Some(12));
    assert_eq!(run(&["--group", "origin"]), run(&["--group", "auto"]));
}

#[test]
fn unknown_fields_and_measures_are_refused() {
    let (gold, pred) = sample("2023/anomaly");
    let base = ["compare", "2023/anomaly", "--gold", &gold, &gold, &pred];
    assert_eq!(fangwei(&[&base[..], &["--group", "colour"]].concat()).code, 2);
    let run = fangwei(&[&base[..], &["--measure", "f2"]].concat());
    assert!(run.code == 2 && run.err.contains("strict.macro_f1"), "{}", run.err);
}
