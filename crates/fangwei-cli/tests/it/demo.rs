//! The first command of the README: the whole life of an evaluation in one folder.

use crate::{Scratch, fangwei};

#[test]
fn the_demo_walks_from_raw_text_to_a_report() {
    let scratch = Scratch::new("demo");
    let out = scratch.path("demo");
    let run = fangwei(&["demo", "--no-serve", "--out", &out, "--lang", "zh"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    for words in ["8/8", "官方得分", "2022/judge", "2023/scene", "模拟被试", "队伍 1 (2022)", "人类平均水平", "试试看"]
    {
        assert!(run.out.contains(words), "{words}\n{}", run.out);
    }
    let read = |path: &str| std::fs::read_to_string(format!("{out}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"));
    // The pack is the one that travels with the sample, byte for byte.
    let pack = std::fs::read(crate::root().join("data/sample/pack/manifest.json")).expect("the sample");
    assert_eq!(read("build/release/pack/manifest.json").as_bytes(), pack);
    let report: serde_json::Value = serde_json::from_str(&read("report/report.json")).expect("JSON");
    let tasks: Vec<&str> = report["tasks"].as_array().into_iter().flatten().filter_map(|task| task["task"].as_str()).collect();
    assert_eq!(tasks.len(), 9, "{tasks:?}");
    let people = &report["tasks"][3]["people"];
    assert_eq!(people["excluded"][0][0], "模拟被试6", "who answers by a pattern is found: {people}");
    assert_eq!(people["subjects"].as_array().map(Vec::len), Some(5));
    // Every command that was run can be run again.
    let commands = read("commands.sh");
    assert!(commands.contains("fangwei train 2023/roles --predictor linear"), "{commands}");
    // A folder with something in it is left alone.
    let again = fangwei(&["demo", "--no-serve", "--out", &out]);
    assert_eq!(again.code, 2, "{}", again.err);
}
