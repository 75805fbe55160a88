//! `fangwei agree`.

use crate::{Scratch, fangwei, json};

const LEVELS: &str = "data/sample/gold/levels.tsv";
const CANDIDATES: &str = "data/sample/candidates.jsonl";

/// Three who agree on most, and one who answers at random.
fn marks() -> String {
    let label = |item: u32, person: u32| match person {
        3 => item.is_multiple_of(3),
        _ => item.is_multiple_of(2) ^ (item % 7 == person),
    };
    let line = |item: u32, person: u32| {
        let label = if label(item, person) { "完全正常" } else { "bad" };
        format!("{{\"item\":\"{item}\",\"annotator\":\"p{person}\",\"label\":\"{label}\"}}\n")
    };
    (0..30).flat_map(|item| (0..4).map(move |person| line(item, person))).collect()
}

#[test]
fn the_sample_in_both_languages() {
    let base = ["agree", LEVELS, "--items", CANDIDATES, "--triage", "extremes", "--resamples", "200"];
    insta::assert_snapshot!("agree-text", fangwei(&base).out);
    insta::assert_snapshot!("agree-markdown-zh", fangwei(&[&base[..], &["--format", "markdown", "--lang", "zh"]].concat()).out);
    let value = json(&[&base[..], &["--format", "json"]].concat());
    assert_eq!(value["agreement"]["measures"]["cohen"]["band"], "almost-perfect");
    assert!(value["agreement"]["groups"].as_u64() < Some(300), "origins of the candidates group the items: {value}");
    assert!(value["agreement"]["measures"]["alpha_ordinal"]["interval"]["low"].is_number(), "{value}");
}

#[test]
fn threads_do_not_change_a_digit() {
    let run = |threads: &str| fangwei(&["agree", LEVELS, "--resamples", "100", "--format", "json", "--threads", threads]).out;
    assert_eq!(run("1"), run("4"));
}

#[test]
fn gold_is_a_file_of_the_task_with_provenance() {
    let scratch = Scratch::new("agree-gold");
    let (gold, rest) = (scratch.path("gold.jsonl"), scratch.path("rest.jsonl"));
    let run = fangwei(&[
        "agree",
        LEVELS,
        "--items",
        CANDIDATES,
        "--resamples",
        "0",
        "--triage",
        "extremes",
        "--rest",
        "adjudicate",
        "--out",
        &gold,
        "--rest-out",
        &rest,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    // What was triaged is what the sample calls gold, and it can be scored as such.
    let scored = json(&["score", "2022/judge", "--gold", &gold, "--pred", "data/sample/gold/judge.jsonl", "--format", "json"]);
    assert!(scored.to_string().contains("\"accuracy\":1.0") && scored.to_string().contains("697"), "{scored}");
    let rest = std::fs::read_to_string(rest).expect("a file");
    assert_eq!(rest.lines().count(), 1307 - 697);
    assert!(rest.contains("\"decision\":\"adjudicate\",\"rule\":\"middle\""), "{}", &rest[..200]);
}

#[test]
fn who_stands_apart_is_listed_and_only_excluded_when_asked() {
    let scratch = Scratch::new("agree-apart");
    let file = scratch.file("marks.jsonl", marks());
    let base = ["agree", &file, "--resamples", "0", "--format", "json"];
    let value = json(&base);
    assert_eq!(value["agreement"]["outliers"][0]["name"], "p3", "{value}");
    assert_eq!(value["agreement"]["annotators"].as_array().map(Vec::len), Some(4));
    let kappa = |report: &serde_json::Value| report["measures"]["cohen"]["value"].as_f64();
    assert!(kappa(&value["without_outliers"]) > kappa(&value["agreement"]), "{value}");
    let excluded = json(&[&base[..], &["--exclude", "p3"]].concat());
    assert_eq!(kappa(&excluded["agreement"]), kappa(&value["without_outliers"]));
    assert_eq!(kappa(&excluded["with_all"]), kappa(&value["agreement"]));
    let run = fangwei(&[&base[..], &["--exclude", "p33"]].concat());
    assert!(run.code == 2 && run.err.contains("did you mean p3?"), "{}", run.err);
}

#[test]
fn answers_of_a_task_are_scored_against_each_other() {
    let (gold, pred) = crate::sample("2023/roles");
    let base = ["agree", &gold, &pred, "--task", "2023/roles", "--resamples", "100"];
    insta::assert_snapshot!("agree-roles", fangwei(&base).out);
    let value = json(&[&base[..], &["--format", "json"]].concat());
    assert_eq!(value["scores"]["pairs"].as_array().map(Vec::len), Some(2));
    assert!(value["agreement"].is_null());
    assert_eq!(fangwei(&[&base[..], &["--triage", "agreed"]].concat()).code, 2);
    // A third who agrees with the first in everything: with the second left out, the mean is 1.
    let scratch = Scratch::new("agree-roles");
    let third = scratch.file("third.jsonl", std::fs::read(crate::root().join(&gold)).expect("the sample"));
    let three =
        ["agree", &gold, &pred, &third, "--task", "2023/roles", "--resamples", "0", "--format", "json", "--exclude", "pred"];
    let value = json(&three);
    assert_eq!(
        (value["scores"]["mean"]["value"].as_f64(), value["scores"]["identical"].as_f64()),
        (Some(1.0), Some(1.0)),
        "{value}"
    );
    assert!(value["scores_with_all"]["mean"]["value"].as_f64() < Some(1.0), "{value}");
    let (gold, pred) = crate::sample("2022/attribute");
    let types = json(&["agree", &gold, &pred, "--task", "2022/attribute", "--resamples", "0", "--format", "json"]);
    assert!(
        types["agreement"]["measures"]["cohen"]["value"].is_number() && types["scores"]["mean"]["value"].is_number(),
        "{types}"
    );
}

#[test]
fn grades_from_reviews_and_check_questions() {
    let scratch = Scratch::new("agree-grades");
    let file = scratch.file("marks.jsonl", marks());
    let reviews: String =
        (0..6).map(|item| format!("{{\"item\":\"{item}\",\"annotator\":\"p0\",\"accept\":{}}}\n", item > 0)).collect();
    let checks: String = (0..6)
        .map(|item| format!("{{\"item\":\"{item}\",\"label\":\"{}\"}}\n", if item % 2 == 0 { "fine" } else { "bad" }))
        .collect();
    let (reviews, checks) = (scratch.file("reviews.jsonl", reviews), scratch.file("checks.jsonl", checks));
    let run = fangwei(&["agree", &file, "--reviews", &reviews, "--checks", &checks, "--resamples", "0"]);
    assert!(run.code == 0 && run.out.contains("0.8333 (5/6)"), "{}{}", run.out, run.err);
}

#[test]
fn bad_input_is_told() {
    let scratch = Scratch::new("agree-bad");
    let file = scratch.file("marks.jsonl", marks() + "{\"item\":\"1\"}\n");
    let run = fangwei(&["agree", &file, "--resamples", "0"]);
    assert!(run.code == 1 && run.err.contains("marks.jsonl:121 1") && run.out.contains("Cohen"), "{}", run.err);
    let (gold, pred) = crate::sample("2023/roles");
    let run = fangwei(&["agree", &gold, &pred]);
    assert!(run.code == 1 && run.err.contains("--task"), "{}", run.err);
    assert_eq!(fangwei(&["agree", &file, "--out", "x"]).code, 2);
    let names = scratch.file("names.csv", "item,a,b\n1,x,x\n2,y,x\n");
    let run = fangwei(&["agree", &names, "--triage", "extremes"]);
    assert!(run.code == 2 && run.err.contains("--order"), "{}", run.err);
    assert_eq!(fangwei(&["agree", &names, "--triage", "extremes", "--order", "x,y", "--resamples", "0"]).code, 0);
    assert_eq!(fangwei(&["agree", "no-such-file"]).code, 1);
}
