//! `fangwei llm` against the mock over loopback HTTP: one command from items to a score, and nothing that was paid for is ever lost or paid for twice.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei_llm::mock::{Book, Mock, Saying, Server};
use serde_json::Value;

use crate::{Scratch, fangwei, root};

/// A mock that knows the gold of a task's sample.
fn mock(task: &str) -> Mock {
    let task = fangwei::tasks::find(task).expect("a task");
    let (items, _) = read_items(task, Source::open(root().join(sample(task.id()))).expect("the sample"), true).expect("readable");
    Mock::new(Saying::Gold(Book::new(task, items)))
}

fn sample(task: &str) -> String {
    let name = if task.starts_with("2021") { "gold.json" } else { "gold.jsonl" };
    format!("data/sample/{task}/{name}")
}

fn serve(mock: Mock) -> (Arc<Mock>, Server) {
    let mock = Arc::new(mock);
    let server = Server::start(mock.clone(), 0).expect("a port");
    (mock, server)
}

fn args<'a>(task: &'a str, url: &'a str, input: &'a str, out: &'a str) -> Vec<&'a str> {
    vec!["llm", "run", "--task", task, "--model", "mock", "--base-url", url, "--input", input, "--out", out]
}

fn value(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn lines(path: &str) -> Vec<Value> {
    std::fs::read_to_string(path).expect("a file").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_perfect_model_has_a_perfect_score_in_every_task() {
    let scratch = Scratch::new("llm-perfect");
    for task in fangwei::tasks::all() {
        let input = sample(task.id());
        let (_, server) = serve(mock(task.id()));
        let (url, out) = (server.base_url(), scratch.path(&task.id().replace('/', "-")));
        let run = fangwei(&args(task.id(), &url, &input, &out));
        assert_eq!(run.code, 0, "{}: {}{}", task.id(), run.out, run.err);
        let summary = value(&format!("{out}/summary.json"));
        assert_eq!(summary["scored"], summary["items"], "{}: {summary}", task.id());
        let ranking = summary["ranking"].as_str().expect("a path").split('.').fold(&summary["measures"], |at, name| &at[name]);
        assert_eq!(ranking, &1.0, "{}: {summary}", task.id());
        let check = fangwei(&["validate", task.id(), &format!("{out}/predictions.jsonl"), "--input", &input]);
        assert_eq!(check.code, 0, "predictions are in the official format: {}{}", check.out, check.err);
    }
}

#[test]
fn killed_at_any_point_nothing_is_lost_and_nothing_is_asked_twice() {
    let scratch = Scratch::new("llm-kill");
    let input = scratch.path("items.jsonl");
    let text: String =
        (0..400).map(|i| format!("{{\"qid\":\"{i}\",\"context\":\"第{i}只猫跳进第{i}个箱子外面去了\",\"judge\":0}}\n")).collect();
    std::fs::write(&input, text).expect("a file");
    let mut slow = Mock::new(Saying::Fixed("{\"judge\": 0}".into()));
    slow.delay = Duration::from_millis(8);
    let (mock, server) = serve(slow);
    let (url, out) = (server.base_url(), scratch.path("run"));
    let args = args("2022/judge", &url, &input, &out);
    let responses = format!("{out}/responses.jsonl");
    let there = || std::fs::read_to_string(&responses).map_or(0, |text| text.matches('\n').count());
    let (mut kept, mut under_way) = (0, 0);
    for more in [1, 40, 90] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fangwei"))
            .args(&args)
            .args(["--connections", "8"])
            .current_dir(root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let began = Instant::now();
        while there() < kept + more && began.elapsed() < Duration::from_mins(2) {
            std::thread::sleep(Duration::from_millis(3));
        }
        // SIGKILL: the program cannot do anything about it.
        child.kill().expect("killed");
        child.wait().expect("ended");
        under_way += 8;
        let now = there();
        assert!(now >= kept + more, "what was kept stays: {kept}, then {now}");
        kept = now;
    }
    assert!(kept > 0 && kept < 400, "killed in the middle, found {kept}");
    let run = fangwei(&args);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("are answered already and not asked again"), "{}", run.err);
    let mut by_key: BTreeMap<String, u32> = BTreeMap::new();
    for line in lines(&responses) {
        *by_key.entry(line["key"].as_str().expect("a key").to_owned()).or_default() += 1;
    }
    assert_eq!((by_key.len(), by_key.values().max()), (400, Some(&1)), "every item has one response");
    // Only what was under way when the program was killed, and so never arrived, was asked again.
    assert!(mock.requests() <= 400 + under_way, "{} requests", mock.requests());
    assert_eq!(value(&format!("{out}/summary.json"))["measures"]["accuracy"], 1.0);
    let before = mock.requests();
    assert_eq!(fangwei(&args).code, 0);
    assert_eq!(fangwei(&["llm", "score", &out]).code, 0);
    assert_eq!(fangwei(&["llm", "view", &out]).code, 0);
    assert_eq!(mock.requests(), before, "a finished run asks nothing, and neither do scoring and viewing");
}

#[test]
fn noise_is_counted_and_scored_under_both_policies() {
    let scratch = Scratch::new("llm-noise");
    let mut noisy = mock("2023/anomaly");
    noisy.noise = 1.0;
    let (_, server) = serve(noisy);
    let (url, out) = (server.base_url(), scratch.path("run"));
    let run = fangwei(&args("2023/anomaly", &url, &sample("2023/anomaly"), &out));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let summary = value(&format!("{out}/summary.json"));
    let count = |name: &str| summary[name].as_u64().unwrap_or_else(|| panic!("{name} in {summary}"));
    let states = ["parsed", "repaired", "unparsed", "refused", "truncated", "empty", "missing"].map(count);
    assert_eq!(states.iter().sum::<u64>(), count("items"), "every item is in exactly one state: {states:?}");
    assert!(count("scored") < count("items"), "{summary}");
    let f1 = |at: &Value| at["f1"].as_f64().or_else(|| at["micro_f1"].as_f64()).or_else(|| at["strict"]["macro_f1"].as_f64());
    let (all, scored) = (f1(&summary["measures"]), f1(&summary["measures_of_scored"]));
    assert!(all.is_some() && all <= scored, "leaving out what was not answered cannot lower the score: {all:?} {scored:?}");
    assert!(run.out.contains(&format!("scored {} of {}", count("scored"), count("items"))), "{}", run.out);
}

#[test]
fn what_the_server_refuses_is_told_in_its_own_words() {
    let scratch = Scratch::new("llm-refused");
    let mut refusing = mock("2022/judge");
    refusing.faults = vec!["401".parse().expect("a fault")];
    let (mock, server) = serve(refusing);
    let (url, out) = (server.base_url(), scratch.path("run"));
    let run = fangwei(&args("2022/judge", &url, &sample("2022/judge"), &out));
    assert_eq!(run.code, 1);
    assert!(run.err.contains("the server refused (401): The script says 401"), "{}", run.err);
    assert!(run.err.contains("the same command goes on from here"), "{}", run.err);
    assert_eq!(mock.requests(), 1);
}

#[test]
fn a_folder_holds_one_run() {
    let scratch = Scratch::new("llm-other");
    let (_, server) = serve(mock("2022/judge"));
    let (url, out) = (server.base_url(), scratch.path("run"));
    let input = sample("2022/judge");
    let mut first = args("2022/judge", &url, &input, &out);
    assert_eq!(fangwei(&first).code, 0);
    first[5] = "another";
    let run = fangwei(&first);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("holds another run: model: there mock, here another"), "{}", run.err);
}

#[test]
fn a_dry_run_shows_the_prompt_and_asks_nothing() {
    let scratch = Scratch::new("llm-dry");
    let out = scratch.path("run");
    let mut dry = args("2023/scene", "http://127.0.0.1:9/v1", "data/sample/2023/scene/gold.jsonl", &out);
    dry.extend(["--dry-run", "2", "--price", "1,2", "--prompt", "fudan"]);
    let run = fangwei(&dry);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(run.out.matches("=== 2023/scene 3-").count(), 2, "{}", run.out);
    assert!(run.out.contains("--- user") && run.out.contains("6 requests, about"), "{}", run.out);
    assert!(!Path::new(&out).exists());
}

#[test]
fn repeats_have_a_consistency() {
    let scratch = Scratch::new("llm-repeats");
    let (mock, server) = serve(mock("2022/judge"));
    let (url, out) = (server.base_url(), scratch.path("run"));
    let input = sample("2022/judge");
    let mut repeated = args("2022/judge", &url, &input, &out);
    repeated.extend(["--repeats", "3", "--limit", "4", "--temperature", "0.7"]);
    assert_eq!(fangwei(&repeated).code, 0);
    let summary = value(&format!("{out}/summary.json"));
    assert_eq!(
        (mock.requests(), &summary["repeats"]["agreement"], &summary["repeats"]["stable"]),
        (12, &1.0.into(), &1.0.into())
    );
    assert_eq!(summary["items"], 4);
}

/// The tasks and systems of an index of pages.
fn shown(index: &str) -> (usize, usize) {
    let json = index.trim_start_matches("fangwei.parts[\"index\"] = ").trim_end().trim_end_matches(';');
    let index: Value = serde_json::from_str(json).expect("JSON");
    let count = |name: &str| index[name].as_array().map_or(0, Vec::len);
    (count("tasks"), count("systems"))
}

#[test]
fn several_tasks_have_a_folder_each_and_one_view() {
    let scratch = Scratch::new("llm-tasks");
    let out = scratch.path("run");
    let run = fangwei(&[
        "llm",
        "run",
        "--task",
        "2022/judge",
        "2023/anomaly",
        "--model",
        "m",
        "--provider",
        "mock",
        "--noise",
        "0.5",
        "--out",
        &out,
        "--input",
        "2022/judge=data/sample/2022/judge/gold.jsonl",
        "--input",
        "2023/anomaly=data/sample/2023/anomaly/gold.jsonl",
    ]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for task in ["2022/judge", "2023/anomaly"] {
        assert_eq!(value(&format!("{out}/{task}/summary.json"))["task"], task);
    }
    let read = || std::fs::read_to_string(format!("{out}/view/data/index.js")).expect("an index");
    let index = read();
    let view = fangwei(&["llm", "view", &out]);
    assert_eq!(view.code, 0, "{}", view.err);
    assert_eq!(read(), index, "the run has written its pages already");
    assert_eq!(shown(&index), (2, 1), "two tasks of one model");
    let judge = ["--task", "2022/judge", "--provider", "mock", "--input", "data/sample/2022/judge/gold.jsonl"];
    let place = format!("{out}/again");
    let again = fangwei(&[&["llm", "run", "--model", "m", "--seed", "9", "--out", &place], &judge[..]].concat());
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(fangwei(&["llm", "view", &out]).code, 0);
    assert_eq!(shown(&read()), (2, 2), "a task that was asked twice is of two systems");
}

#[test]
fn a_judge_is_held_against_people() {
    let scratch = Scratch::new("llm-judge");
    let out = scratch.path("run");
    let gold = "data/sample/2023/scene/gold.jsonl";
    let run =
        fangwei(&["llm", "run", "--task", "2023/scene", "--model", "m", "--provider", "mock", "--input", gold, "--out", &out]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let (mock, server) = serve(Mock::new(Saying::Fixed("{\"why\": \"照搬\", \"grade\": 3}".into())));
    let url = server.base_url();
    let judge =
        ["llm", "judge", &out, "--model", "judge", "--base-url", &url, "--grades", "data/sample/2023/scene/grades.csv", "--json"];
    let run = fangwei(&judge);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let verdict: Value = serde_json::from_str(&run.out).expect("JSON");
    // Six items, all judged right, 3 of 5 each: 60 points.
    assert_eq!((&verdict["right"], &verdict["graded"], &verdict["points"]), (&6.into(), &6.into(), &60.0.into()));
    // The first rater gave 5 3 0 4 3 0. The judge always says 3, so its kappa is 0; it is equal twice in six, and at most one apart three times.
    let first = &verdict["agreement"]["raters"][0];
    assert_eq!((&first["items"], &first["exact"], &first["within_one"]), (&6.into(), &(2.0 / 6.0).into(), &0.5.into()));
    assert_eq!(verdict["agreement"]["raters"][0]["kappa"], 0.0);
    assert!(Path::new(&format!("{out}/judge/judge-paper/grades.csv")).exists());
    assert_eq!(mock.requests(), 6);
    assert_eq!(fangwei(&judge).code, 0);
    assert_eq!(mock.requests(), 6, "a judge is not asked twice either");
    assert!(value(&format!("{out}/summary.json")).get("points").is_none(), "grades of a judge are not mixed into the score");
}
