//! A walk through commands: each step runs the commands that its user would type, as processes of their own, in the demo's folder.
//!
//! So the demo shows nothing that the program cannot do by itself, and `commands.sh` repeats it.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail};

use crate::lang::{lang, t};
use crate::output::{Output, write_file};
use crate::progress::Bar;

/// A walk as it goes.
pub struct Walk {
    program: PathBuf,
    /// Where everything is written.
    pub folder: PathBuf,
    steps: usize,
    done: usize,
    commands: String,
}

/// One step of a walk.
pub struct Step<'w> {
    walk: &'w mut Walk,
    name: &'static str,
    bar: Bar,
    begun: Instant,
}

impl Walk {
    /// A walk of so many steps.
    pub fn new(folder: PathBuf, steps: usize) -> anyhow::Result<Walk> {
        let program = std::env::current_exe().context(t("找不到程序自己", "the program cannot find itself"))?;
        Ok(Walk { program, folder, steps, done: 0, commands: "#!/bin/sh\nset -e\n".to_owned() })
    }

    /// Begins a step of so many commands.
    pub fn step(&mut self, name: &'static str, commands: usize) -> Step<'_> {
        self.done += 1;
        let bar = Bar::items(&format!("{}/{} {name}", self.done, self.steps));
        bar.begin(commands as u64);
        Step { walk: self, name, bar, begun: Instant::now() }
    }

    /// Keeps what was run, for repeating it.
    pub fn keep(&self) -> anyhow::Result<()> {
        write_file(&self.folder.join("commands.sh"), self.commands.as_bytes())
    }
}

impl Step<'_> {
    /// Runs a command in the demo's folder; what it prints.
    pub fn run(&mut self, args: &[&str]) -> anyhow::Result<String> {
        let line = format!("fangwei {}", args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" "));
        self.walk.commands.push_str(&line);
        self.walk.commands.push('\n');
        let tag = match lang() {
            fangwei::lang::Lang::Zh => "zh",
            fangwei::lang::Lang::En => "en",
        };
        let child = Command::new(&self.walk.program)
            .args(args)
            .args(["--lang", tag])
            .current_dir(&self.walk.folder)
            .stdin(Stdio::null())
            .output()
            .with_context(|| line.clone())?;
        if !child.status.success() {
            self.bar.end();
            bail!("{line}\n{}{}", String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        }
        self.bar.step();
        Ok(String::from_utf8_lossy(&child.stdout).into_owned())
    }

    /// The folder of the demo.
    pub fn folder(&self) -> PathBuf {
        self.walk.folder.clone()
    }

    /// Counts work that is no command.
    pub fn advance(&self) {
        self.bar.step();
    }

    /// Ends the step with what came of it.
    pub fn end(self, outcome: &str) {
        self.bar.end();
        let seconds = self.begun.elapsed().as_secs_f64();
        let (done, steps, name) = (self.walk.done, self.walk.steps, fangwei::lang::pad(self.name, 10));
        Output::stdout().line(&format!("{done:>2}/{steps}  {name}  {seconds:>5.1} s  {outcome}"));
    }
}

/// An argument as a shell reads it.
fn quoted(arg: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=:,".contains(c);
    if !arg.is_empty() && arg.chars().all(is_plain) { arg.to_owned() } else { format!("'{}'", arg.replace('\'', "'\\''")) }
}
