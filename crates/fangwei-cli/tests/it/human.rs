//! `fangwei human`: a study from its plan to a row on a board, on sentences made up here and on the sample of every task.

use std::collections::BTreeSet;
use std::path::Path;

use fangwei::chance::Dice;
use serde_json::{Value, json as value};

use crate::{Scratch, TASKS, fangwei, json, sample};

/// A gold file of 2022/judge: 240 origins, each with a normal and an abnormal sentence; a quarter are of another genre.
pub fn gold() -> String {
    let places = ["桌子", "书架", "箱子", "窗台", "柜子", "长凳", "炉子", "木床"];
    let line = |number: usize| {
        let (origin, normal) = (number / 2, number.is_multiple_of(2));
        let genre = if origin.is_multiple_of(4) { "小说" } else { "报刊" };
        let place = places[origin % places.len()];
        let context = format!(
            "第{origin}天，{}把信放在{place}{}。",
            ["老周", "小林", "阿婆"][origin % 3],
            if normal { "上面" } else { "内心" }
        );
        value!({ "qid": format!("1-test-{number}"), "context": context, "judge": u8::from(normal), "genre": genre, "origin": format!("o{origin}") }).to_string() + "\n"
    };
    (0..480).map(line).collect()
}

/// The records of a file.
pub fn records(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A study of 60 items in a folder of the scratch.
fn planned(scratch: &Scratch, name: &str, more: &[&str]) -> (String, Value) {
    let (file, out) = (scratch.file("gold.jsonl", gold()), scratch.path(name));
    let args = ["human", "plan", "2022/judge", "--gold", &file, "--out", &out, "--items", "60", "--format", "json"];
    (out.clone(), json(&[&args[..], more].concat()))
}

/// Answers of somebody who is right so often of ten, after so many seconds.
fn answer(study: &str, name: &str, says: impl Fn(usize, bool) -> bool, seconds: f64) {
    let line = |(at, item): (usize, Value)| {
        let gold = item["judge"] == 1;
        value!({ "qid": item["qid"], "judge": u8::from(says(at, gold)), "seconds": seconds }).to_string() + "\n"
    };
    let text: String = records(&format!("{study}/gold.jsonl")).into_iter().enumerate().map(line).collect();
    std::fs::create_dir_all(format!("{study}/answers")).expect("a folder");
    std::fs::write(format!("{study}/answers/{name}.jsonl"), text).expect("a file");
}

/// Five honest subjects, one who alternates and one who is too fast and always says yes.
fn answered(study: &str) {
    for person in 0..5_u64 {
        let mut dice = Dice::new(person, 7);
        let wrong: Vec<bool> = (0..60).map(|_| dice.below(100) < 12 + person as usize * 4).collect();
        answer(study, &format!("s{person}"), |at, gold| gold ^ wrong[at], 8.0);
    }
    answer(study, "turns", |at, _| at.is_multiple_of(2), 9.0);
    answer(study, "yes", |_, _| true, 1.0);
}

#[test]
fn a_plan_draws_by_strata_and_shows_nothing() {
    let scratch = Scratch::new("human-plan");
    let (study, plan) = planned(&scratch, "one", &["--equal", "label"]);
    let drawn = |class: &str| {
        let strata = plan["strata"].as_array().expect("strata").iter();
        strata
            .filter(|stratum| stratum["classes"][1] == class)
            .map(|stratum| stratum["drawn"].as_u64().expect("a number"))
            .sum::<u64>()
    };
    assert_eq!((drawn("true"), drawn("false")), (30, 30), "{plan}");
    let (items, gold) = (records(&format!("{study}/items.jsonl")), records(&format!("{study}/gold.jsonl")));
    for (item, gold) in items.iter().zip(&gold) {
        let keys: Vec<&String> = item.as_object().expect("an object").keys().collect();
        assert_eq!(keys.len(), 2, "only qid and context: {item}");
        assert_eq!((&item["qid"], &item["context"]), (&gold["qid"], &gold["context"]));
    }
    let origins: BTreeSet<&str> = gold.iter().map(|item| item["origin"].as_str().expect("an origin")).collect();
    assert_eq!((items.len(), origins.len()), (60, 60), "an origin gives one item");
    // The same input and seed give the same bytes; another seed gives others.
    let bytes = |study: &str| {
        ["study.toml", "items.jsonl", "gold.jsonl"].map(|file| std::fs::read(format!("{study}/{file}")).expect("a file"))
    };
    let (again, _) = planned(&scratch, "two/one", &["--equal", "label"]);
    assert_eq!(bytes(&study), bytes(&again));
    let (other, _) = planned(&scratch, "three/one", &["--equal", "label", "--seed", "1"]);
    assert_ne!(bytes(&study)[1], bytes(&other)[1]);
}

#[test]
fn the_size_is_reckoned_in_words_and_numbers() {
    let scratch = Scratch::new("human-size");
    let file = scratch.file("gold.jsonl", gold());
    let plan = |name: &str, more: &[&str]| {
        let out = scratch.path(name);
        json(&[&["human", "plan", "2022/judge", "--gold", &file, "--out", &out, "--format", "json"][..], more].concat())
    };
    // 245 independent items at 0.8 ± 0.05, of 480 in all: 245 / (1 + 244/480) = 162.4.
    let size = plan("a", &[])["size"].clone();
    assert_eq!((&size["simple"], &size["finite"], &size["items"]), (&value!(245), &value!(163), &value!(163)), "{size}");
    // Siblings that go together wholly: twice as many, of 480: 490 / (1 + 489/480) = 242.7.
    let size = plan("b", &["--siblings"])["size"].clone();
    assert_eq!((&size["with_design"], &size["items"]), (&value!(490), &value!(243)), "{size}");
    // Wider than wanted where origins run out, and told.
    let run = fangwei(&["human", "plan", "2022/judge", "--gold", &file, "--out", &scratch.path("c"), "--width", "0.01"]);
    assert!(run.code == 0 && run.out.contains("240 are drawn") && run.out.contains("not enough to draw from"), "{}", run.out);
    // A run tells the deviation of item scores where the measure is no accuracy.
    let (gold, pred) = sample("2023/roles");
    let out = scratch.path("d");
    let args = ["human", "plan", "2023/roles", "--gold", &gold, "--out", &out, "--run", &pred, "--format", "json"];
    let plan = json(&args);
    assert!(plan["reckoning"][0].as_str().expect("words").contains("deviate by"), "{plan}");
    assert!(std::fs::read_to_string(format!("{out}/study.toml")).expect("a file").contains("known = \"run\""));
}

#[test]
fn rules_name_and_the_log_keeps() {
    let scratch = Scratch::new("human-check");
    let (study, _) = planned(&scratch, "study", &[]);
    answered(&study);
    let check = |more: &[&str]| json(&[&["human", "check", &study, "--resamples", "500", "--format", "json"][..], more].concat());
    let broken = |checked: &Value| -> BTreeSet<(String, String)> {
        let findings = checked["findings"].as_array().expect("findings").iter().filter(|finding| finding["breaks"] == true);
        findings
            .map(|one| (one["subject"].as_str().expect("who").to_owned(), one["rule"].as_str().expect("a rule").to_owned()))
            .collect()
    };
    let found = broken(&check(&[]));
    for (who, rule) in [("turns", "pattern"), ("turns", "chance"), ("yes", "one-answer"), ("yes", "too-fast")] {
        assert!(found.contains(&(who.to_owned(), rule.to_owned())), "{found:?}");
    }
    assert!(found.iter().all(|(who, _)| who == "turns" || who == "yes"), "the honest are left alone: {found:?}");
    let log = format!("{study}/excluded.jsonl");
    assert!(!Path::new(&log).exists(), "looking excludes nobody");

    assert_eq!(check(&["--exclude"])["logged"].as_array().map(Vec::len), Some(2));
    assert_eq!(check(&["--exclude"])["logged"], value!([]), "twice is once");
    let lines = records(&log);
    assert_eq!(
        (&lines[0]["subject"], &lines[0]["rule"], &lines[0]["by"]),
        (&value!("turns"), &value!("pattern"), &value!("rule"))
    );
    assert!(lines[0]["value"].as_f64() >= lines[0]["threshold"].as_f64(), "{}", lines[0]);
    let before = std::fs::read(&log).expect("a log");

    let why = fangwei(&["human", "check", &study, "--readmit", "turns"]);
    assert!(why.code == 2 && why.err.contains("--why"), "{}", why.err);
    let nobody = fangwei(&["human", "check", &study, "--exclude", "turn", "--why", "x"]);
    assert!(nobody.code == 2 && nobody.err.contains("did you mean turns?"), "{}", nobody.err);
    check(&["--readmit", "turns", "--why", "确认是本人作答", "--by", "组长"]);
    assert_eq!(check(&["--exclude"])["logged"], value!([]), "no rule excludes again whom somebody readmitted");
    check(&["--exclude", "turns", "--why", "想过了"]);
    let after = std::fs::read(&log).expect("a log");
    assert!(after.starts_with(&before) && records(&log).len() == 4, "the log only grows");
    // A line that was cut short is told with its place, not skipped.
    std::fs::write(&log, [&after[..], b"{\"subj"].concat()).expect("written");
    let cut = fangwei(&["human", "check", &study]);
    assert!(cut.code == 1 && cut.err.contains("excluded.jsonl:5"), "{}", cut.err);
}

#[test]
fn scores_are_told_with_and_without() {
    let scratch = Scratch::new("human-score");
    let (study, _) = planned(&scratch, "study", &[]);
    answered(&study);
    let score = || json(&["human", "score", &study, "--resamples", "300", "--format", "json"]);
    let all = score();
    assert_eq!(all["valid"], all["all"]);
    assert_eq!(fangwei(&["human", "check", &study, "--exclude", "--resamples", "300"]).code, 0);
    let without = score();
    assert_eq!((&without["valid"]["people"], &without["all"]), (&value!(5), &all["all"]), "{without}");
    assert!(without["valid"]["mean"].as_f64() > without["all"]["mean"].as_f64());
    // Against the scorer itself.
    let (gold, pred) = (format!("{study}/gold.jsonl"), format!("{study}/answers/s0.jsonl"));
    let scored = json(&["score", "2022/judge", "--gold", &gold, "--pred", &pred, "--format", "json"]);
    let mine =
        without["subjects"].as_array().expect("subjects").iter().find(|subject| subject["name"] == "s0").expect("s0").clone();
    assert_eq!(mine["score"], scored["measures"]["accuracy"]);
    assert!(mine["wilson"]["low"].is_number() && mine["median_seconds"] == 8.0, "{mine}");
    assert!(
        without["agreement"]["agreement"]["annotators"].as_array().is_some_and(|people| people.len() == 5),
        "kappas of the valid"
    );
    assert!(without["agreement"]["with_all"]["annotators"].as_array().is_some_and(|people| people.len() == 7), "and of all");
    let disputed = without["subjective"].as_array().expect("items");
    for item in disputed {
        let labels: Vec<u64> = item["labels"].as_object().expect("labels").values().filter_map(Value::as_u64).collect();
        assert!(labels.iter().sum::<u64>() == 5 && labels.iter().max() <= Some(&3) && item["text"].is_string(), "{item}");
    }
    let page = fangwei(&["human", "score", &study, "--resamples", "300", "--lang", "zh"]).out;
    assert!(page.contains("包括所排除的") && page.contains("主观性强的题"), "{page}");
}

#[test]
fn machines_stand_beside_people() {
    let scratch = Scratch::new("human-compare");
    let (study, _) = planned(&scratch, "study", &[]);
    answered(&study);
    let gold = scratch.path("gold.jsonl");
    let always: String =
        records(&gold).iter().map(|item| value!({ "qid": item["qid"], "judge": 1 }).to_string() + "\n").collect();
    let always = scratch.file("always.jsonl", always);
    let runs = [format!("perfect={gold}"), format!("always={always}"), format!("like-s0={study}/answers/s0.jsonl")];
    let args = [
        "human",
        "compare",
        &study,
        "--resamples",
        "999",
        "--format",
        "json",
        "--run",
        &runs[0],
        "--run",
        &runs[1],
        "--run",
        &runs[2],
    ];
    let told = json(&args);
    let machines = &told["valid"]["machines"];
    let scores: Vec<f64> = json(&["human", "score", &study, "--resamples", "10", "--format", "json"])["subjects"]
        .as_array()
        .expect("subjects")
        .iter()
        .map(|subject| subject["score"].as_f64().expect("a score"))
        .collect();
    let mean = scores.iter().sum::<f64>() / 7.0;
    let near = |a: &Value, b: f64| (a.as_f64().expect("a number") - b).abs() < 1e-9;
    assert!(near(&told["valid"]["mean"], mean), "the mean of rows is the mean of scores");
    assert!(near(&machines[0]["score"], 1.0) && near(&machines[0]["mean"]["difference"], 1.0 - mean), "{}", machines[0]);
    assert_eq!(
        (&machines[0]["above"], &machines[1]["above"]),
        (&value!(7), &value!(scores.iter().filter(|score| **score < 0.5).count()))
    );
    assert!(machines[0]["mean"]["p_permutation"].as_f64() < Some(0.01), "{}", machines[0]);
    // A machine that answers as a subject does differs from that subject by nothing.
    let twin = machines[2]["subjects"].as_array().expect("subjects").iter().find(|one| one["subject"] == "s0").expect("s0");
    assert_eq!((&twin["difference"], &twin["p_holm"]), (&value!(0.0), &value!(1.0)));
    // McNemar by hand: the perfect machine has right what the vote has not.
    let vote = told["valid"]["vote"]["score"].as_f64().expect("a score");
    assert_eq!(machines[0]["vote"]["only_a"].as_f64(), Some((60.0 * (1.0 - vote)).round()));
    assert_eq!(machines[0]["vote"]["only_b"], 0);
    assert!(told["with_excluded"].is_null());
    assert_eq!(fangwei(&["human", "check", &study, "--exclude", "--resamples", "300"]).code, 0);
    let both = json(&args);
    assert_eq!((&both["valid"]["people"]["people"], &both["with_excluded"]["people"]["people"]), (&value!(5), &value!(7)));
    assert_eq!(both["with_excluded"]["machines"], told["valid"]["machines"]);
    let twice = fangwei(&["human", "compare", &study, "--run", &runs[0], "--run", &runs[0]]);
    assert!(twice.code == 2 && twice.err.contains("twice"), "{}", twice.err);
}

#[test]
fn the_rows_of_people_stand_on_a_board() {
    let scratch = Scratch::new("human-row");
    let (study, _) = planned(&scratch, "judge", &[]);
    answered(&study);
    assert_eq!(fangwei(&["human", "check", &study, "--exclude", "--resamples", "300"]).code, 0);
    let (gold, pred) = sample("2022/roles");
    let roles = scratch.path("roles");
    assert_eq!(
        fangwei(&["human", "plan", "2022/roles", "--gold", &gold, "--out", &roles, "--siblings", "--items", "999"]).code,
        0
    );
    std::fs::create_dir_all(format!("{roles}/answers")).expect("a folder");
    std::fs::copy(crate::root().join(&pred), format!("{roles}/answers/s0.jsonl")).expect("a copy");
    let rows = scratch.path("rows.csv");
    let run = fangwei(&["human", "row", &study, &roles, "-o", &rows]);
    assert_eq!(run.code, 0, "{}", run.err);
    let ranked = json(&["rank", &rows, "--policy", "2022", "--format", "json"]);
    let names: Vec<&Value> = ranked["rows"].as_array().expect("rows").iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["人类平均水平", "人类最高水平"]);
    let scores = json(&["human", "score", &study, "--resamples", "10", "--format", "json"]);
    assert_eq!(ranked["rows"][0]["scores"]["2022/judge"], scores["valid"]["mean"], "without the excluded");
    assert_eq!(ranked["rows"][1]["scores"]["2022/judge"], scores["valid"]["maximum"]);
    assert!(ranked["rows"][0]["scores"]["2022/roles"].is_number() && ranked["rows"][0]["rank"].is_null());
    // On the published board of 2022, whose columns have the short names of the tasks.
    let whole = scratch.path("whole.csv");
    let run = fangwei(&["human", "row", &study, &roles, "--board", "data/boards/2022.csv", "-o", &whole]);
    assert_eq!(run.code, 0, "{}", run.err);
    let ranked = json(&["rank", &whole, "--policy", "2022", "--format", "json"]);
    let rows = ranked["rows"].as_array().expect("rows");
    assert_eq!((rows[0]["name"].as_str(), rows[0]["rank"].as_u64()), (Some("队伍 1"), Some(1)));
    let human = rows.iter().find(|row| row["name"] == "人类平均水平").expect("a row");
    assert!(human["rank"].is_null() && human["scores"]["judge"].is_number() && human["scores"]["attribute"].is_null(), "{human}");
    // As the rows of a competition's board.
    let contest = scratch.path("contest");
    assert_eq!(fangwei(&["competition", "init", &contest, "--template", "2022"]).code, 0);
    std::fs::copy(scratch.path("rows.csv"), format!("{contest}/people.csv")).expect("a copy");
    let file = format!("{contest}/competition.toml");
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.contains("[[boards]]"), "{text}");
    std::fs::write(&file, text.replacen("[[boards]]", "[[boards]]\nrows = \"people.csv\"", 1)).expect("written");
    let checked = fangwei(&["competition", "check", &contest]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""));
}

#[test]
fn every_task_can_be_studied() {
    let scratch = Scratch::new("human-tasks");
    for task in TASKS {
        let (gold, pred) = sample(task);
        let study = scratch.path(&task.replace('/', "-"));
        let run = fangwei(&["human", "plan", task, "--gold", &gold, "--out", &study, "--siblings", "--items", "999"]);
        assert_eq!(run.code, 0, "{task}: {}", run.err);
        let items = std::fs::read_to_string(format!("{study}/items.jsonl")).expect("items");
        for word in ["judge", "results", "reasons", "outputs", "corefs", "genre", "origin"] {
            assert!(!items.contains(&format!("\"{word}")), "{task} shows {word}");
        }
        std::fs::create_dir_all(format!("{study}/answers")).expect("a folder");
        for name in ["a", "b"] {
            std::fs::copy(crate::root().join(&pred), format!("{study}/answers/{name}.jsonl")).expect("a copy");
        }
        let expert = std::fs::read_to_string(format!("{study}/gold.jsonl")).expect("gold");
        std::fs::write(format!("{study}/answers/expert.jsonl"), expert).expect("written");
        let machine = format!("machine={pred}");
        for args in [
            vec!["human", "check", &study, "--resamples", "100"],
            vec!["human", "score", &study, "--resamples", "100"],
            vec!["human", "score", &study, "--resamples", "100", "--mode", "spec", "--format", "html"],
            vec!["human", "compare", &study, "--resamples", "100", "--run", &machine],
        ] {
            let run = fangwei(&args);
            assert!(run.code <= 1 && !run.out.is_empty(), "{args:?}: {}", run.err);
        }
        let scores = json(&["human", "score", &study, "--resamples", "100", "--format", "json"]);
        let of = |name: &str| {
            scores["subjects"].as_array().expect("subjects").iter().find(|one| one["name"] == name).expect("somebody")["score"]
                .as_f64()
        };
        assert!(
            (of("expert").expect("a score") - 1.0).abs() < 1e-9 && of("a") <= of("expert"),
            "{task}: {:?} {:?}",
            of("a"),
            of("expert")
        );
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let scratch = Scratch::new("human-errors");
    let (study, _) = planned(&scratch, "study", &[]);
    let gold = scratch.path("gold.jsonl");
    let plan = ["human", "plan", "2022/judge", "--gold", &gold, "--out"];
    let elsewhere = scratch.path("x");
    for (args, code, why) in [
        ([&plan[..], &[&study]].concat(), 2, "expected no folder or an empty one"),
        ([&plan[..], &[&elsewhere, "--width", "0.7"]].concat(), 2, "a half width between 0 and 0.5"),
        ([&plan[..], &[&elsewhere, "--expect", "1"]].concat(), 2, "an expected score between 0 and 1"),
        ([&plan[..], &[&elsewhere, "--by", "lable"]].concat(), 2, "did you mean label?"),
        ([&plan[..], &[&elsewhere, "--group", "colour"]].concat(), 2, "480/480"),
        ([&plan[..], &[&elsewhere, "--title", ""]].concat(), 2, "1 to 100 visible characters"),
        (vec!["human", "score", &study], 2, "no valid answers"),
        (vec!["human", "compare", &study, "--run", &gold], 2, "no valid answers"),
        (vec!["human", "score", &elsewhere], 1, "fangwei human plan makes a study"),
        (vec!["human", "compare", &study, "--run", "=x"], 2, "expected NAME=FILE"),
        (vec!["human", "row", &study, "--names", "a"], 2, "two different names"),
    ] {
        let run = fangwei(&args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(why), "{args:?}: {}", run.err);
    }
    assert!(!Path::new(&elsewhere).exists(), "nothing is half written");
    // Answers to other items and lines that are no JSON are told with their place; the rest counts.
    std::fs::create_dir_all(format!("{study}/answers")).expect("a folder");
    std::fs::write(format!("{study}/answers/a.jsonl"), "{\"qid\":\"nowhere\",\"judge\":1}\n{\n").expect("written");
    let run = fangwei(&["human", "score", &study, "--resamples", "10"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(
        run.err.contains("unknown-qid") && run.err.contains("a.jsonl:2") && run.out.contains("0.0000"),
        "{}{}",
        run.err,
        run.out
    );
    // A broken study.toml names what is wrong.
    let file = format!("{study}/study.toml");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, text.replace("too-fast = ", "to-fast = ")).expect("written");
    let run = fangwei(&["human", "check", &study]);
    assert!(run.code == 1 && run.err.contains("did you mean too-fast?"), "{}", run.err);
}
