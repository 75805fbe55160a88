//! `fangwei report`.

use serde_json::Value;

use crate::{Scratch, fangwei, json};

const GOLD: &str = "data/sample/pack/answers/2022/judge/test.jsonl";

/// Predictions on the sample's test split: rules, and gold with every n-th answer turned.
fn takers(scratch: &Scratch) -> [String; 3] {
    let rule = scratch.path("rule.jsonl");
    let run = fangwei(&["predict", "2022/judge", "--predictor", "rule", "--input", GOLD, "--out", &rule]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = std::fs::read_to_string(crate::root().join(GOLD)).expect("the sample");
    let turned = |step: usize, from: usize| {
        let line = |(number, line): (usize, &str)| {
            let item: Value = serde_json::from_str(line).expect("JSON");
            let (gold, turn) = (item["judge"] == 1, number % step == from);
            serde_json::json!({ "qid": item["qid"], "judge": u8::from(gold != turn) }).to_string() + "\n"
        };
        text.lines().enumerate().map(line).collect::<String>()
    };
    [rule, scratch.file("fifth.jsonl", turned(5, 0)), scratch.file("third.jsonl", turned(3, 1))]
}

#[test]
fn data_machines_people_and_items_in_one_folder() {
    let scratch = Scratch::new("report");
    let [rule, fifth, third] = takers(&scratch);
    let out = scratch.path("out");
    let (gold, a, b) = (format!("2022/judge={GOLD}"), format!("甲={fifth}"), format!("乙={third}"));
    let (base, person) = (format!("rules={rule}"), format!("2022/judge:被试={fifth}"));
    let args = [
        "report",
        "data/sample/pack",
        "--candidates",
        "data/sample/candidates.jsonl",
        "--marks",
        "data/sample/gold/levels.tsv",
        "--gold",
        &gold,
        "--run",
        &a,
        "--run",
        &b,
        "--baseline",
        &base,
        "--person",
        &person,
        "--board",
        "data/boards/2021.csv=2021",
        "--resamples",
        "200",
    ];
    let run = fangwei(&[&args[..], &["--out", &out]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let read = |path: &str| std::fs::read_to_string(format!("{out}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"));
    let report: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    // The same number as the scorer's own.
    let scored = json(&["score", "2022/judge", "--gold", GOLD, "--pred", &fifth, "--format", "json"]);
    let systems = &report["tasks"][0]["machines"]["comparison"]["systems"];
    assert_eq!(systems[0]["score"], scored["measures"]["accuracy"]);
    assert_eq!(report["tasks"][0]["people"]["subjects"][0]["score"], scored["measures"]["accuracy"]);
    assert_eq!(report["tasks"][0]["statistics"]["takers"], 4);
    // Genres come from the pack's trace.
    let genres = &report["data"]["tasks"][1]["splits"][2]["genres"];
    assert!(genres["news"].as_u64().is_some_and(|count| count > 0), "{genres}");
    let split = read("tables/splits.csv");
    assert!(split.contains("2022/judge,488,71,138,697,697"), "{split}");
    let html = read("report.html");
    assert!(
        html.contains("<svg") && html.contains("prefers-color-scheme:dark") && !html.contains("http://www.w3.org/1999/xlink")
    );
    assert!(!html.contains("src=\"") && !html.contains("<link"), "one file, nothing from elsewhere");
    for figure in ["splits", "genres", "scores-2022-judge", "kappa-2022-judge", "items-2022-judge"] {
        let there = std::path::Path::new(&format!("{out}/figures/{figure}.svg")).is_file();
        // One person has nobody to agree with.
        assert_eq!(there, figure != "kappa-2022-judge", "{figure}");
    }
    assert!(read("tables/scores-2022-judge.tex").contains("\\begin{tabular}"));
    assert!(read("report.md").contains("](figures/splits.svg)"));
    // Again: the same bytes.
    let again = scratch.path("again");
    assert_eq!(fangwei(&[&args[..], &["--out", &again]].concat()).code, 0);
    assert_eq!(std::fs::read(format!("{again}/report.html")).expect("a page"), html.as_bytes());
}

#[test]
fn a_plan_tells_the_same_as_options() {
    let scratch = Scratch::new("report-plan");
    let [rule, fifth, _] = takers(&scratch);
    let root = crate::root().canonicalize().expect("the root");
    let plan = format!(
        "title = \"标题\"\n[[task]]\ntask = \"2022/task1\"\ngold = \"{}\"\n[[task.taker]]\nname = \"r\"\nkind = \"baseline\"\nfile = \"{rule}\"\n[[task.taker]]\nname = \"f\"\nfile = \"fifth.jsonl\"\n",
        root.join(GOLD).display()
    );
    let plan = scratch.file("plan.toml", plan);
    let told = json(&["report", "--plan", &plan, "--resamples", "100", "--format", "json"]);
    let (gold, r, f) = (format!("2022/judge={GOLD}"), format!("r={rule}"), format!("f={fifth}"));
    let given = json(&["report", "--gold", &gold, "--baseline", &r, "--run", &f, "--resamples", "100", "--format", "json"]);
    assert_eq!(told["title"], "标题");
    let scores = |report: &Value| {
        let systems = report["tasks"][0]["machines"]["comparison"]["systems"].as_array().cloned().unwrap_or_default();
        let mut scores: Vec<String> = systems.iter().map(|one| format!("{} {}", one["name"], one["score"])).collect();
        scores.sort();
        scores
    };
    assert_eq!(scores(&told), scores(&given));
    assert_eq!(scores(&told).len(), 2);
}

#[test]
fn a_study_brings_its_people() {
    let scratch = Scratch::new("report-study");
    let study = scratch.path("study");
    let plan = ["human", "plan", "2022/judge", "--gold", GOLD, "--items", "20", "--siblings", "--out", &study];
    assert_eq!(fangwei(&plan).code, 0);
    let items = std::fs::read_to_string(format!("{study}/items.jsonl")).expect("items");
    std::fs::create_dir_all(format!("{study}/answers")).expect("a folder");
    for (name, of) in [("甲", 0_usize), ("乙", 1), ("丙", 2)] {
        let line = |(number, line): (usize, &str)| {
            let item: Value = serde_json::from_str(line).expect("JSON");
            // The third says one thing throughout.
            let judge = if of == 2 { 1 } else { u8::from(number % 7 == of) };
            serde_json::json!({ "qid": item["qid"], "judge": judge, "seconds": 9 }).to_string() + "\n"
        };
        let answers: String = items.lines().enumerate().map(line).collect();
        std::fs::write(format!("{study}/answers/{name}.jsonl"), answers).expect("a file");
    }
    let excluded = fangwei(&["human", "check", &study, "--exclude", "丙", "--why", "one answer"]);
    assert_eq!(excluded.code, 0, "{}", excluded.err);
    let report = json(&["report", "--study", &study, "--resamples", "100", "--format", "json"]);
    let people = &report["tasks"][0]["people"];
    let names: Vec<&str> = people["subjects"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!((names.len(), people["items"].as_u64()), (2, Some(20)), "{people}");
    assert_eq!(people["excluded"][0][0], "丙");
    let page = fangwei(&["report", "--study", &study, "--resamples", "100", "--lang", "zh"]);
    assert!(page.out.contains("按测试的规则排除，以下不计：丙 (hand)。"), "{}", page.out);
}

#[test]
fn what_cannot_be_reported_on_is_told() {
    let scratch = Scratch::new("report-bad");
    let gold = format!("2022/judge={GOLD}");
    let full = scratch.file("full", "x");
    let folder = full.trim_end_matches("full").trim_end_matches('/').to_owned();
    for (args, code, words) in [
        (vec![], 2, "nothing to report on"),
        (vec!["--run", "a=b.jsonl"], 2, "nothing to report on"),
        (vec!["--gold", "2022/juge=x"], 2, "did you mean 2022/judge?"),
        (vec!["--gold", &gold, "--run", "nameless"], 2, "[TASK:]NAME=FILE"),
        (vec!["--gold", &gold, "--run", "2023/roles:a=b.jsonl"], 2, "there is no --gold TASK=FILE for its task"),
        (vec!["--gold", &gold, "--run", "a=missing.jsonl"], 1, "missing.jsonl"),
        (vec!["--gold", &gold, "--run", "a=x", "--run", "a=y"], 2, "the name is given twice"),
        (vec!["--gold", &gold, "--gold", &gold], 2, "the task is given twice"),
        (vec!["--board", "data/boards/2021.csv=1999"], 2, "expected a policy"),
        (vec!["data/sample"], 2, "a released pack with answers/ or inputs/"),
        (vec!["data/sample/pack", "--out", &folder], 2, "expected no folder or an empty one"),
        (vec!["data/sample/pack", "--resamples", "0"], 2, "--resamples"),
        (vec!["--plan", &full], 1, "full"),
    ] {
        let run = fangwei(&[&["report"][..], &args].concat());
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}
