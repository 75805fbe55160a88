//! The program as its users run it: a module a step.

// Tests have no manual, and say on standard error what they skip.
#![allow(missing_docs, clippy::missing_panics_doc, clippy::print_stderr)]

mod agree;
mod audit;
mod build;
mod compare;
mod compat;
mod competition;
mod convert;
mod corpus;
mod demo;
mod explore;
mod help;
mod human;
mod lexicon;
#[cfg(feature = "llm")]
mod llm;
#[cfg(feature = "llm")]
mod local;
mod predict;
mod rank;
mod readme;
mod reasons;
mod release;
mod report;
mod score;
mod select;
#[cfg(feature = "web")]
mod serve;
mod stream;
mod substitute;
mod train;
mod validate;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program gave.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The project's root, where the program is run.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program at the root with something on standard input.
pub fn fangwei_with(input: &[u8], args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
    command.args(args).current_dir(root()).env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", "en_US.UTF-8");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // A program that does not read its input closes it, which is no error here.
    let _ = child.stdin.take().expect("piped").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code().expect("an exit code, not a signal"), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program at the root.
pub fn fangwei(args: &[&str]) -> Run {
    fangwei_with(b"", args)
}

/// Runs the program and reads its output as JSON.
pub fn json(args: &[&str]) -> serde_json::Value {
    let run = fangwei(args);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}{}", run.out, run.err))
}

/// A file in a folder of this test's own, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("fangwei-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).expect("a file");
        self.path(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The gold file and the predictions of a task's sample.
pub fn sample(task: &str) -> (String, String) {
    let year_2021 = task.starts_with("2021/");
    let gold = format!("data/sample/{task}/gold.{}", if year_2021 { "json" } else { "jsonl" });
    let pred = if year_2021 { "data/sample/2021/sheet.json".to_owned() } else { format!("data/sample/{task}/pred.jsonl") };
    (gold, pred)
}

pub const TASKS: [&str; 11] = [
    "2021/judge",
    "2021/reason",
    "2021/joint",
    "2022-draft/attribute",
    "2022-draft/relations",
    "2022/judge",
    "2022/attribute",
    "2022/roles",
    "2023/anomaly",
    "2023/roles",
    "2023/scene",
];
