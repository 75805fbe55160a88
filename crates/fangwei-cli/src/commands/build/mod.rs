//! `fangwei build`: from raw text to a released, audited pack, told by one file.
//!
//! Every step writes its folder beside its place and moves it there when it is whole ([`stage`]); a step whose settings and inputs have not changed is kept. So a
//! run that was killed anywhere goes on with the first step that is not there.

mod plan;
mod stage;
mod steps;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::lang::t;
use crate::output::{Output, Status, Usage, write_file};
use plan::Plan;
use stage::{Record, Stage, lock};
use steps::{Outcome, STEPS, Step};

#[derive(Args)]
#[command(after_help = t(
    "build.toml 的表就是各步骤：[corpus] [select] [substitute] [reasons] [release] [audit]，键与各命令的选项同名，路径相对于该文件。\n每一步写在 OUT/步骤/ 里，OUT/run.json 是运行记录。设置和输入都没有变的步骤不重做；中途被杀掉，再运行一次就从没有做完的步骤继续。\n答案文件还没有时，停在发布之前，并说明缺哪个文件。有输入被跳过时退出码为 1。\n例：\n  fangwei build build.toml\n  fangwei build build.toml --until substitute\n  fangwei build build.toml --status",
    "The tables of build.toml are the steps: [corpus] [select] [substitute] [reasons] [release] [audit]; their keys are the options of the commands, and paths are relative to the file.\nEach step is written into OUT/STEP/; OUT/run.json is the run's record. Steps whose settings and inputs have not changed are kept; killed anywhere, the next run goes on with what is not done.\nWhere gold is still missing, it stops before the release and names the file. If inputs were skipped, the exit code is 1.\nExamples:\n  fangwei build build.toml\n  fangwei build build.toml --until substitute\n  fangwei build build.toml --status"
))]
pub struct Build {
    #[arg(value_name = "build.toml", help = t("写有各步骤的文件", "the file with the steps"))]
    file: PathBuf,
    #[arg(long, value_name = "DIR", help = t("写到这个文件夹，而不是文件里写的", "write into this folder instead of the one in the file"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "STEP", help = t("做到这一步为止", "the last step to do"))]
    until: Option<String>,
    #[arg(long, value_name = "STEP", help = t("从这一步起重做", "do this step and those after it again"))]
    again: Option<String>,
    #[arg(long, help = t("只看各步骤的状态", "only show the state of the steps"))]
    status: bool,
}

impl Build {
    pub fn run(self) -> anyhow::Result<Status> {
        let plan = Plan::read(&self.file, self.out.as_deref())?;
        let until = self.until.as_deref().map(named).transpose()?.unwrap_or(STEPS.len() - 1);
        let again = self.again.as_deref().map(named).transpose()?.unwrap_or(STEPS.len());
        if self.status {
            return show(&plan);
        }
        std::fs::create_dir_all(&plan.out).with_context(|| plan.out.display().to_string())?;
        let _lock = lock(&plan.out)?;
        stage::tidy(&plan.out)?;
        let mut run = Run { plan: &plan, above: Vec::new(), steps: Vec::new(), status: Status::Clean };
        // Until the end, the record of an earlier run would say too much.
        run.write(false)?;
        let mut waits = false;
        for (number, step) in STEPS.iter().enumerate().take(until + 1) {
            if !run.step(step, number >= again)? {
                waits = true;
                break;
            }
        }
        run.write(!waits)?;
        Ok(run.status)
    }
}

fn named(step: &str) -> anyhow::Result<usize> {
    let known = STEPS.iter().position(|known| known.name == step);
    let unknown = || {
        let names = STEPS.iter().map(|step| step.name);
        Usage(
            fangwei::lang::Unknown::new(fangwei::lang::words("没有这个步骤", "unknown step"), step, names)
                .say(crate::lang::lang()),
        )
    };
    Ok(known.ok_or_else(unknown)?)
}

/// A run as it goes.
struct Run<'p> {
    plan: &'p Plan,
    /// The fingerprints of the steps so far: a step depends on those before it.
    above: Vec<String>,
    /// What the record says of them.
    steps: Vec<Value>,
    status: Status,
}

impl Run<'_> {
    /// Does or keeps a step. `false` where the run ends here because something is still missing.
    fn step(&mut self, step: &Step, again: bool) -> anyhow::Result<bool> {
        if !(step.wanted)(self.plan) {
            return Ok(true);
        }
        if let Some(missing) = (step.needs)(self.plan).into_iter().find(|file| !file.exists()) {
            let waits = t("等待", "waits for");
            Output::stderr().line(&format!("{}  {waits} {}", pad(step.name), missing.display()));
            self.steps.push(json!({ "step": step.name, "state": "waits", "for": missing }));
            return Ok(false);
        }
        let stage = Stage::new(&self.plan.out, step.name);
        let fingerprint = stage::fingerprint(step, self.plan, &self.above)?;
        let kept = stage.record().filter(|record| !again && record.fingerprint == fingerprint);
        let (record, state) = match kept {
            Some(record) => (record, "kept"),
            None => (self.make(step, &stage, &fingerprint)?, "made"),
        };
        if record.defects > 0 {
            self.status = Status::Defects;
        }
        let line = format!(
            "{}  {}  {}",
            pad(step.name),
            if state == "kept" { t("沿用", "kept") } else { t("完成", "made") },
            record.summary.say()
        );
        Output::stderr().line(&line);
        self.steps.push(json!({ "step": step.name, "state": state, "record": record }));
        self.above.push(fingerprint);
        self.write(false)?;
        Ok(true)
    }

    fn make(&self, step: &Step, stage: &Stage, fingerprint: &str) -> anyhow::Result<Record> {
        let begun = Instant::now();
        let folder = stage.begin()?;
        let Outcome { summary, numbers, defects } = (step.make)(self.plan, &folder)?;
        let seconds = (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let record = Record { fingerprint: fingerprint.to_owned(), version, summary, numbers, defects, seconds };
        stage.finish(&record)?;
        Ok(record)
    }

    /// Writes what is known so far, so that a killed run leaves a record, too.
    fn write(&self, finished: bool) -> anyhow::Result<()> {
        let record = json!({ "name": self.plan.name, "file": self.plan.file, "sha256": self.plan.sha256, "finished": finished, "steps": self.steps });
        write_file(&self.plan.out.join("run.json"), format!("{}\n", serde_json::to_string_pretty(&record)?).as_bytes())
    }
}

fn pad(name: &str) -> String {
    fangwei::lang::pad(name, STEPS.iter().map(|step| step.name.len()).max().unwrap_or(0))
}

fn show(plan: &Plan) -> anyhow::Result<Status> {
    let mut output = Output::stdout();
    let mut above = Vec::new();
    for step in STEPS {
        let state = match Stage::new(&plan.out, step.name).record() {
            _ if !(step.wanted)(plan) => t("不需要", "not asked for").to_owned(),
            Some(record) => {
                let fresh = stage::fingerprint(step, plan, &above)? == record.fingerprint;
                let said = record.summary.say().to_owned();
                above.push(record.fingerprint);
                if fresh { said } else { format!("{said}  ({})", t("已过时", "out of date")) }
            }
            None => match (step.needs)(plan).into_iter().find(|file| !file.exists()) {
                Some(missing) => format!("{} {}", t("等待", "waits for"), missing.display()),
                None => t("没有", "not there").to_owned(),
            },
        };
        output.line(&format!("{}  {state}", pad(step.name)));
    }
    Ok(Status::Clean)
}

/// A file that an earlier run made and that does not exist is a mistake; gold that does not exist yet is not.
fn must_exist(file: &Path) -> anyhow::Result<()> {
    if !file.exists() {
        bail!("{}: {}", file.display(), t("没有这个文件", "no such file"));
    }
    Ok(())
}
