//! `fangwei audit`.

use crate::{Scratch, fangwei, json, sample};

const CAT: &str = "{\"qid\":\"1\",\"context\":\"清早的院子静悄悄的，小猫从纸箱外探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。\",\"judge\":0}\n\
{\"qid\":\"2\",\"context\":\"清早的院子静悄悄的，小猫从纸箱中探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。\",\"judge\":1}\n\
{\"qid\":\"3\",\"context\":\"清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台下的花盆，打了一个哈欠。\",\"judge\":0}\n\
{\"qid\":\"4\",\"context\":\"清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台<b>的花盆，打了一个哈欠。\",\"judge\":0}\n";

fn samples() -> Vec<String> {
    ["2022/judge", "2022/attribute", "2022/roles", "2023/anomaly", "2023/roles", "2023/scene"].map(|task| sample(task).0).to_vec()
}

#[test]
fn the_sample_in_every_format() {
    let samples = samples();
    let mut args: Vec<&str> = vec!["audit"];
    args.extend(samples.iter().map(String::as_str));
    let value = json(&[&args[..], &["--format", "json"]].concat());
    for key in ["files", "groups", "crossing", "pairs", "skew", "shortcuts", "statements", "defects"] {
        assert!(value.get(key).is_some(), "{key}");
    }
    let tasks: Vec<&str> = value["files"].as_array().expect("files").iter().filter_map(|file| file["task"].as_str()).collect();
    assert_eq!(tasks, ["2022/judge", "2022/attribute", "2022/roles", "2023/anomaly", "2023/roles", "2023/scene"]);
    for (list, keys) in [
        ("crossing", ["a", "b", "verbatim", "siblings"]),
        ("pairs", ["from", "to", "n", "abnormal"]),
        ("shortcuts", ["name", "measure", "value", "interval"]),
    ] {
        for key in keys {
            assert!(value[list][0].get(key).is_some(), "{list} {key}");
        }
    }
    assert!(value["shortcuts"][0]["interval"]["low"].is_number());
    let text = fangwei(&[&args[..], &["--lang", "zh"]].concat()).out;
    assert!(text.contains("不需要理解") && text.contains("== 捷径"), "{text}");
    let markdown = fangwei(&[&args[..], &["--format", "markdown"]].concat()).out;
    assert!(markdown.starts_with("# Audit of a dataset\n") && markdown.contains("| task | from | to |"), "{markdown}");
}

#[test]
fn threads_do_not_matter_and_seeds_do() {
    let samples = samples();
    let run = |extra: &[&str]| {
        let base: Vec<&str> =
            ["audit", "--format", "json", "--folds", "4"].into_iter().chain(samples.iter().map(String::as_str)).collect();
        fangwei(&[&base[..], extra].concat()).out
    };
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "4"]));
    assert_ne!(run(&["--seed", "1"]), run(&["--seed", "2"]));
}

#[test]
fn html_is_a_file_that_escapes() {
    let scratch = Scratch::new("audit-html");
    let (file, page) = (scratch.file("judge.jsonl", CAT), scratch.path("audit.html"));
    let run = fangwei(&["audit", &file, "--format", "html", "-o", &page]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let html = std::fs::read_to_string(&page).expect("a page");
    // At the second place 上 has two votes, 下 and <b> one each.
    assert!(html.contains("<td>上</td><td>&lt;b&gt;</td>") && !html.contains("<b>"), "{html}");
    assert!(html.contains("<td>里</td><td>外</td>"), "{html}");
}

#[test]
fn the_exit_code_is_chosen() {
    let scratch = Scratch::new("audit-exit");
    let clean = scratch.file("clean.jsonl", CAT);
    let other = scratch.file("other.jsonl", CAT.replace("\"judge\":0", "\"judge\":1"));
    let input = scratch.file("input.jsonl", "{\"qid\":\"9\",\"context\":\"清早的院子静悄悄的，小猫从纸箱外探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。\"}\n");
    let broken = scratch.file("broken.jsonl", format!("{CAT}nonsense\n"));
    for (args, code) in [
        (vec![clean.as_str()], 0),
        (vec![&clean, &input], 0),
        (vec![&clean, &input, "--fail-on", "crossing"], 1),
        (vec![&clean, &other], 1),
        (vec![&clean, &other, "--fail-on", "duplicate"], 0),
        (vec![&clean, &other, "--fail-on", "none"], 0),
        (vec![broken.as_str()], 1),
        (vec![&broken, "--fail-on", "contradictory,crossing"], 0),
        (vec![&clean, "--fail-on", "weather"], 2),
        (vec![&clean, "--folds", "1"], 2),
        (vec![], 2),
    ] {
        let run = fangwei(&[&["audit"], &args[..]].concat());
        assert_eq!(run.code, code, "{args:?}\n{}{}", run.out, run.err);
    }
}

#[test]
fn an_unreadable_file_is_named_and_the_rest_audited() {
    let scratch = Scratch::new("audit-unreadable");
    let file = scratch.file("judge.jsonl", CAT);
    let run = fangwei(&["audit", "no/such.jsonl", &file, "--format", "json"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("no/such.jsonl"), "{}", run.err);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(value["groups"]["count"], 1);
}

#[test]
fn a_task_can_be_named() {
    let scratch = Scratch::new("audit-task");
    let input = scratch.file("a=b.jsonl", "{\"qid\":\"9\",\"context\":\"小猫从纸箱外探出头来。\"}\n");
    let task = |args: &[&str]| json(&[&["audit", "--format", "json"], args].concat())["files"][0]["task"].clone();
    assert_eq!(task(&[&input]), serde_json::Value::Null);
    assert_eq!(task(&[&format!("2022/judge={input}")]), "2022/judge");
    assert_eq!(task(&[&format!("2022/task1={input}")]), "2022/judge");
    let run = fangwei(&["audit", &format!("2022/juge={input}")]);
    assert!(run.code == 2 && run.err.contains("did you mean 2022/judge?"), "{}", run.err);
}
