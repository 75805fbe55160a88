//! `fangwei build`: from raw text to an audited pack, kept where nothing changed, and the same however often it is killed.

mod bad;
mod killed;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde_json::Value;

use crate::release::{files, read};
use crate::select::TEXTS;
use crate::{Run, Scratch, fangwei, root};

/// A folder with a build file, raw text and, once it was judged, gold.
struct Project(Scratch);

/// Everything after the table `[corpus]`, for texts too few to be hard to guess.
const STEPS: &str = "[select]\nmax_guessed = 1.0\nmin_hard = 0\nmodel_bits = 12\n\n[substitute]\nsingle = 3\n\n[release]\nversion = \"1.0\"\n\
licence = \"Apache-2.0\"\ngold = [\"2022/judge=judge.jsonl\"]\nshares = \"3:1\"\n\n[audit]\nfolds = 2\n";

impl Project {
    /// The fifteen texts of `select`, twelve of them worth a question.
    fn new(name: &str) -> Project {
        let project = Project(Scratch::new(name));
        std::fs::create_dir_all(project.0.path("source")).expect("a folder");
        for genre in ["news", "literature", "sport"] {
            let texts = TEXTS.iter().filter(|(of, _)| *of == genre);
            project.0.file(&format!("source/{genre}.txt"), texts.map(|(_, text)| format!("{text}\n")).collect::<String>());
        }
        project.write(&["source"], STEPS);
        project
    }

    fn write(&self, inputs: &[&str], steps: &str) {
        self.0.file("build.toml", format!("[corpus]\ninputs = {inputs:?}\ntarget = 256\nnear = \"off\"\n\n{steps}"));
    }

    fn build(&self, args: &[&str]) -> Run {
        fangwei(&[&["build", &self.0.path("build.toml")], args].concat())
    }

    fn out(&self, path: &str) -> String {
        self.0.path(&format!("out/{path}"))
    }

    /// Judges candidates as an annotator might: every third is normal.
    fn judge(&self, out: &str) {
        let candidates = String::from_utf8(read(out, "substitute/candidates.jsonl")).expect("UTF-8");
        let judged = candidates.lines().enumerate().map(|(number, line)| {
            let candidate: Value = serde_json::from_str(line).expect("JSON");
            let judge = u8::from(number % 3 == 0);
            format!("{{\"qid\":{},\"context\":{},\"judge\":{judge}}}\n", candidate["id"], candidate["context"])
        });
        self.0.file("judge.jsonl", judged.collect::<String>());
    }

    /// The record of the last run.
    fn record(&self) -> Value {
        serde_json::from_slice(&read(&self.out(""), "run.json")).expect("whole JSON")
    }

    /// What the last run did with each step: `corpus kept`.
    fn states(&self) -> Vec<String> {
        let state = |step: &Value| format!("{} {}", step["step"].as_str().unwrap_or("?"), step["state"].as_str().unwrap_or("?"));
        self.record()["steps"].as_array().expect("steps").iter().map(state).collect()
    }

    /// Everything in the output folder, hidden or not.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.out(""))
            .expect("a folder")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// What a finished run leaves; every other name is a left-over.
const WHOLE: [&str; 7] = [".lock", "audit", "corpus", "release", "run.json", "select", "substitute"];

/// When each file of the steps was written.
fn times(out: &str) -> BTreeMap<String, SystemTime> {
    let written = |path: &String| Path::new(out).join(path).metadata().and_then(|about| about.modified()).expect("a time");
    files(out).into_iter().filter(|path| path.contains('/')).map(|path| (path.clone(), written(&path))).collect()
}

#[test]
fn the_sample_is_built_again_byte_for_byte_and_then_kept() {
    let scratch = Scratch::new("build-sample");
    let out = scratch.path("out");
    let args = ["--lang", "zh", "build", "data/sample/build.toml", "--out", &out];
    let run = fangwei(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    let (made, shipped) = (format!("{out}/release/pack"), root().join("data/sample/pack").display().to_string());
    assert_eq!(files(&made), files(&shipped));
    for path in files(&shipped) {
        assert!(read(&made, &path) == read(&shipped, &path), "{path} is another");
    }

    let audit: Value = serde_json::from_slice(&read(&out, "audit/audit.json")).expect("JSON");
    assert_eq!(audit["defects"], Value::Array(vec![]), "malformed, contradictory or double");
    assert!(audit["files"].as_array().expect("files").iter().all(|file| file["errors"] == 0));
    // Tasks share texts within a split; across splits nothing is shared.
    let split = |file: &Value| file.as_str().and_then(|file| file.rsplit(['/', '.']).nth(1).map(str::to_owned)).expect("a path");
    let crossing = audit["crossing"].as_array().expect("crossing");
    assert!(!crossing.is_empty() && crossing.iter().all(|pair| split(&pair["a"]) == split(&pair["b"])), "{crossing:?}");

    let before = times(&out);
    assert_eq!(fangwei(&args).code, 0);
    assert_eq!(times(&out), before, "no file is touched");
    let record: Value = serde_json::from_slice(&read(&out, "run.json")).expect("JSON");
    assert!(record["steps"].as_array().is_some_and(|steps| steps.len() == 5 && steps.iter().all(|step| step["state"] == "kept")));
}

#[test]
fn it_waits_for_gold_and_goes_on() {
    let project = Project::new("build-gold");
    let run = project.build(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.lines().last().is_some_and(|line| line.starts_with("release") && line.ends_with("judge.jsonl")),
        "{}",
        run.err
    );
    assert_eq!(project.states(), ["corpus made", "select made", "substitute made", "release waits"]);
    assert_eq!(project.names(), [".lock", "corpus", "run.json", "select", "substitute"]);
    project.judge(&project.out(""));
    let run = project.build(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(project.states(), ["corpus kept", "select kept", "substitute kept", "release made", "audit made"]);
    assert_eq!(project.names(), WHOLE);
    assert_eq!(fangwei(&["release", "verify", &project.out("release/pack")]).code, 0);
}

#[test]
fn what_changed_and_what_follows_is_done_again() {
    let project = Project::new("build-changed");
    project.build(&["--until", "substitute"]);
    project.judge(&project.out(""));
    let run = |expected: [&str; 5]| {
        let run = project.build(&[]);
        let steps = ["corpus", "select", "substitute", "release", "audit"];
        let expected: Vec<String> = steps.iter().zip(expected).map(|(step, state)| format!("{step} {state}")).collect();
        assert_eq!((run.code, project.states()), (0, expected), "{}", run.err);
    };
    run(["kept", "kept", "kept", "made", "made"]);

    project.write(&["source"], &STEPS.replace("single = 3", "single = 4"));
    run(["kept", "kept", "made", "made", "made"]);

    // One judgement fewer.
    let gold = std::fs::read_to_string(project.0.path("judge.jsonl")).expect("gold");
    let fewer: String = gold.lines().skip(1).map(|line| format!("{line}\n")).collect();
    project.0.file("judge.jsonl", &fewer);
    run(["kept", "kept", "kept", "made", "made"]);

    // Gold that cannot be used: told, and the pack from before stays.
    let before = times(&project.out(""));
    project.0.file("judge.jsonl", format!("{fewer}{{\"qid\":\"x\"}}\n"));
    let broken = project.build(&[]);
    assert!(broken.code == 1 && broken.err.contains("judge.jsonl:") && broken.err.contains("[missing-field]"), "{}", broken.err);
    assert_eq!((project.record()["finished"].as_bool(), times(&project.out(""))), (Some(false), before.clone()));
    project.0.file("judge.jsonl", &fewer);
    run(["kept", "kept", "kept", "kept", "kept"]);
    assert_eq!((times(&project.out("")), project.names()), (before, WHOLE.map(str::to_owned).to_vec()));

    // A hidden file is no raw text.
    project.0.file("source/.hidden.txt", "x");
    run(["kept", "kept", "kept", "kept", "kept"]);
    project.0.file("source/other.txt", "鸽子从塔楼后面飞出来，在广场上空绕了两圈，落到喷泉旁边的石凳上。\n");
    run(["made", "made", "made", "made", "made"]);
}

#[test]
fn steps_can_be_chosen_and_seen() {
    let project = Project::new("build-steps");
    let status = || {
        let run = project.build(&["--status", "--lang", "en"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        run.out
    };
    // The gold that the release waits for is not there either.
    assert_eq!(status().matches("not there").count(), 4, "{}", status());
    assert!(!Path::new(&project.out("")).exists(), "looking makes nothing");
    assert_eq!(project.build(&["--until", "select"]).code, 0);
    assert_eq!(project.states(), ["corpus made", "select made"]);
    let shown = status();
    let lines: Vec<&str> = shown.lines().collect();
    // Of fifteen passages three are poor and one is in doubt.
    assert_eq!(lines[0], "corpus      3 files, 15 passages, 0 skipped");
    assert_eq!(lines[1], "select      15 passages, 11 originals");
    assert_eq!([lines[2], lines[3], lines[5]], ["substitute  not there", "reasons     not asked for", "audit       not there"]);
    assert!(lines[4].starts_with("release     waits for ") && lines[4].ends_with("judge.jsonl"), "{}", lines[4]);
    assert_eq!(project.build(&["--until", "substitute", "--again", "select"]).code, 0);
    assert_eq!(project.states(), ["corpus kept", "select made", "substitute made"]);
}

#[test]
fn reasons_are_made_on_the_way_and_released() {
    let project = Project::new("build-reasons");
    let file = |task: &str| root().join(crate::sample(task).0).canonicalize().expect("the sample").display().to_string();
    let (attribute, judge) = (file("2022/attribute"), file("2022/judge"));
    let steps = |gold: &[&str], normal: &[&str]| {
        let steps = STEPS.replace("2022/judge=judge.jsonl", &format!("2022/judge={judge}"));
        format!("{steps}\n[reasons]\ngold = {gold:?}\nnormal = {normal:?}\n")
    };
    project.write(&["source"], &steps(&[&attribute], &[&judge]));
    let run = project.build(&["--until", "release"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(project.states()[3..], ["reasons made", "release made"]);
    let released = files(&project.out("release/pack/answers"));
    for task in ["2021/joint", "2021/reason", "2022/judge"] {
        assert!(released.iter().any(|path| path.starts_with(task)), "{task} {released:?}");
    }
    // The same two files, but judgements are no reasons.
    project.write(&["source"], &steps(&[&attribute, &judge], &[]));
    let run = project.build(&["--until", "release"]);
    assert!(run.code == 2 && run.err.contains("2022/judge/gold.jsonl: expected 2022/attribute"), "{} {}", run.code, run.err);
    project.write(&["source"], &steps(&[&attribute], &[&judge]));
    assert_eq!(project.build(&["--until", "release", "--again", "reasons"]).code, 0);
    assert_eq!(project.states()[2..], ["substitute kept", "reasons made", "release made"]);
}
