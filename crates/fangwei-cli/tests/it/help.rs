//! Help, completions and manual come from the same definitions, in both languages.

use crate::{Scratch, fangwei};

const COMMANDS: &[&str] = &[
    "tasks",
    "validate",
    "score",
    "compat",
    "compare",
    "rank",
    "report",
    "convert",
    "corpus",
    "select",
    "build",
    "substitute",
    "lexicon",
    "lexicon show",
    "lexicon list",
    "lexicon check",
    "lexicon diff",
    "lexicon coverage",
    "lexicon export",
    "reasons",
    "release",
    "competition init",
    "competition check",
    "competition import",
    "submit",
    "agree",
    "human",
    "human plan",
    "human open",
    "human take",
    "human check",
    "human score",
    "human compare",
    "human row",
    "audit",
    "train",
    "predict",
    "explore",
    "predictors",
    "llm",
    "llm run",
    "llm score",
    "llm view",
    "llm judge",
    "llm prompts",
    "llm mock",
    "llm surprisal",
    "demo",
    "completions",
    "man",
];

#[test]
fn help_of_every_command() {
    for lang in ["zh", "en"] {
        let mut text = fangwei(&["--lang", lang, "--help"]).out;
        for command in COMMANDS {
            let args: Vec<&str> = command.split(' ').chain(["--lang", lang, "--help"]).collect();
            let run = fangwei(&args);
            assert_eq!(run.code, 0, "{}", run.err);
            text.push_str(&format!("\n\n$ fangwei {command} --help\n{}", run.out));
        }
        insta::assert_snapshot!(format!("help-{lang}"), text);
    }
}

#[test]
fn the_language_follows_the_environment() {
    let run = |lang: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fangwei"));
        let output = command.arg("--help").env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", lang).output();
        String::from_utf8(output.expect("runs").stdout).expect("UTF-8")
    };
    assert!(run("zh_CN.UTF-8").contains("评分"));
    assert!(run("en_GB.UTF-8").contains("score predictions"));
    assert!(run("").contains("评分"));
}

#[test]
fn usage_errors_exit_with_two() {
    for args in [
        vec!["score"],
        vec!["score", "2023/anomoly"],
        vec!["nonsense"],
        vec!["tasks", "--lang", "xx"],
        vec!["validate", "2023/roles"],
    ] {
        assert_eq!(fangwei(&args).code, 2, "{args:?}");
    }
    let run = fangwei(&["score", "2023/anomoly", "--gold", "x", "--pred", "y"]);
    assert!(run.err.contains("did you mean 2023/anomaly?"), "{}", run.err);
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = fangwei(&["completions", shell]);
        assert!(run.code == 0 && run.out.contains("explain-modes"), "{shell}");
    }
    let scratch = Scratch::new("man");
    let folder = scratch.path("pages");
    assert_eq!(fangwei(&["man", "--out", &folder]).code, 0);
    let page = std::fs::read_to_string(std::path::Path::new(&folder).join("fangwei-score.1")).expect("a page");
    assert!(page.contains(".TH") && page.contains("alignment"), "{page}");
    for command in COMMANDS {
        let page = format!("fangwei-{}.1", command.replace(' ', "-"));
        assert!(std::path::Path::new(&folder).join(page).exists(), "{command}");
    }
}

#[test]
fn tasks_are_listed_and_explained() {
    insta::assert_snapshot!("tasks-zh", fangwei(&["tasks", "--lang", "zh"]).out);
    insta::assert_snapshot!("tasks-en-markdown", fangwei(&["tasks", "--lang", "en", "--format", "markdown"]).out);
    let guide = fangwei(&["tasks", "2022/task3", "--lang", "en"]).out;
    assert!(guide.contains("jaccard-not-f1") && guide.contains("```json"), "{guide}");
    assert_eq!(crate::json(&["tasks", "--format", "json"]).as_array().map(Vec::len), Some(11));
}
