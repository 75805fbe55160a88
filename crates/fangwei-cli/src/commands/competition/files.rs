//! A competition as a folder: made of a template, checked, made of a bundle.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::contest::{self, Contest, Folder, Imported, Moment, TEMPLATES, Template};
use fangwei::convert::OutFile;
use fangwei::table::{Format, Table};
use serde_json::json;

use crate::folder::{read_folder, write_folder};
use crate::lang::{lang, t};
use crate::output::{Output, Status, tell};

#[derive(Args)]
pub struct Init {
    #[arg(value_name = "DIR", help = t("要建立的文件夹，应不存在或为空", "the folder to make; must be absent or empty"))]
    folder: PathBuf,
    #[arg(long, default_value = "2022", value_parser = parse_template, help = t("哪一年的办法：2021、2022、2023", "in the manner of which year: 2021, 2022, 2023"))]
    template: &'static Template,
    #[arg(long, value_name = "TIME", value_parser = parse_time, help = t("日程从这一天开始（RFC 3339）；默认今天", "the schedule begins on this day (RFC 3339); today by default"))]
    start: Option<Moment>,
}

fn parse_template(name: &str) -> Result<&'static Template, String> {
    Template::find(name).map_err(|unknown| unknown.say(lang()))
}

pub fn parse_time(text: &str) -> Result<Moment, String> {
    text.parse().map_err(|error: contest::TimeError| error.to_string())
}

impl Init {
    pub fn run(self) -> anyhow::Result<Status> {
        let now = self.start.map_or_else(now, |start| start.ms);
        write(&self.folder, &self.template.files(now))?;
        let mut output = Output::stdout();
        output.line(&format!("{} {}", t("已建立", "made"), self.folder.display()));
        output.line(&format!(
            "{}\n  fangwei competition check {}",
            t("改好以后检查：", "edit it, then check it:"),
            self.folder.display()
        ));
        Ok(Status::Clean)
    }
}

/// The system's clock, in milliseconds since 1970.
fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

fn write(folder: &Path, files: &Folder) -> anyhow::Result<()> {
    let files: Vec<OutFile> = files.iter().map(|(path, bytes)| OutFile { path: path.clone(), bytes: bytes.clone() }).collect();
    write_folder(folder, &files)
}

/// The files of a folder by their paths.
pub fn read(folder: &Path) -> anyhow::Result<Folder> {
    if !folder.is_dir() {
        let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let hint = t(
            "没有这个文件夹；用 fangwei competition init 建立，模板有",
            "no such folder; fangwei competition init makes one, of the templates",
        );
        bail!("{}: {hint} {}", folder.display(), names.join(" "));
    }
    Ok(read_folder(folder)?.into_iter().map(|file| (file.path, file.bytes)).collect())
}

#[derive(Args)]
pub struct Check {
    #[arg(value_name = "DIR", help = t("比赛的文件夹", "the folder of the competition"))]
    folder: PathBuf,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Check {
    pub fn run(self) -> anyhow::Result<Status> {
        let reading = contest::check(&read(&self.folder)?);
        let status = if reading.errors() > 0 { Status::Defects } else { Status::Clean };
        let mut output = Output::stdout();
        if self.json {
            let defects: Vec<_> = reading.defects.iter().map(|defect| json!(defect.in_lang(lang()))).collect();
            output.json(&json!({ "ok": reading.errors() == 0, "defects": defects }))?;
            return Ok(status);
        }
        tell(&reading.defects);
        match reading.contest.filter(|_| status == Status::Clean) {
            Some(contest) => output.text(&overview(&contest)),
            None => {
                let word = t("处错误", "errors");
                drop(output);
                Output::stderr().line(&format!("{} {word}", reading.defects.len()));
            }
        }
        Ok(status)
    }
}

/// Phases, files and boards at a glance.
fn overview(contest: &Contest) -> String {
    let bound = |most: Option<u32>| most.map_or_else(|| "–".to_owned(), |most| most.to_string());
    let mut phases = Table::new([
        t("阶段", "phase"),
        t("开始", "start"),
        t("结束（不含）", "end (excluded)"),
        t("任务", "tasks"),
        t("每天", "a day"),
        t("总共", "in all"),
        t("计分", "counts"),
    ]);
    for phase in &contest.phases {
        let tasks: Vec<&str> = phase.tasks.iter().map(|entry| entry.task.id()).collect();
        phases.row([
            phase.id.as_str().into(),
            phase.start.to_string().into(),
            phase.end.to_string().into(),
            tasks.join(" ").into(),
            bound(phase.quota.per_day).into(),
            bound(phase.quota.total).into(),
            phase.rule.as_str().into(),
        ]);
    }
    let mut files = Table::new([t("下载", "download"), t("文件", "file"), t("何时发布", "gate")]);
    for file in &contest.data {
        files.row([file.id.as_str().into(), file.file.as_str().into(), file.gate.to_string().into()]);
    }
    let mut boards = Table::new([t("排行榜", "board"), t("阶段", "phase"), t("策略", "policy")]);
    for board in &contest.boards {
        boards.row([board.id.as_str().into(), board.phase.as_str().into(), board.policy.name.into()]);
    }
    let tables: Vec<String> = [phases, files, boards].iter().map(|table| table.render(Format::Text)).collect();
    format!("{}  {}\n\n{}", contest.id, contest.name.get(lang()), tables.join("\n"))
}

#[derive(Args)]
pub struct Import {
    #[arg(value_name = "BUNDLE", help = t("Codabench 的比赛包：zip 文件或解开的文件夹", "a bundle of Codabench: a zip file, or the folder of one"))]
    bundle: PathBuf,
    #[arg(value_name = "DIR", help = t("要建立的文件夹，应不存在或为空", "the folder to make; must be absent or empty"))]
    folder: PathBuf,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Import {
    pub fn run(self) -> anyhow::Result<Status> {
        let bundle = bundle(&self.bundle)?;
        let imported =
            contest::import(&bundle).map_err(|why| anyhow::anyhow!("{}: {}", self.bundle.display(), why.get(lang())))?;
        write(&self.folder, &imported.files)?;
        let reading = contest::check(&imported.files);
        let mut output = Output::stdout();
        if self.json {
            let row = |one: &contest::Unmapped| json!({ "key": one.key, "found": one.found, "why": one.why.get(lang()) });
            let unmapped: Vec<_> = imported.unmapped.iter().map(row).collect();
            let defects: Vec<_> = reading.defects.iter().map(|defect| json!(defect.in_lang(lang()))).collect();
            output
                .json(&json!({ "files": imported.files.keys().collect::<Vec<_>>(), "unmapped": unmapped, "defects": defects }))?;
        } else {
            output.text(&told(&imported));
            drop(output);
            tell(&reading.defects);
        }
        Ok(if reading.errors() > 0 { Status::Defects } else { Status::Clean })
    }
}

/// The files of a bundle: a folder, or an archive.
fn bundle(path: &Path) -> anyhow::Result<Folder> {
    let unpacked = if path.is_dir() {
        contest::unpack_within(read(path)?)
    } else {
        contest::unpack(std::fs::File::open(path).with_context(|| path.display().to_string())?)
    };
    unpacked.map_err(|error| anyhow::anyhow!("{}: {}", path.display(), error.get(lang())))
}

fn told(imported: &Imported) -> String {
    let mut table = Table::new([t("不能对应", "does not map"), t("原文", "found"), t("怎么办", "why, and what to do")]);
    for one in &imported.unmapped {
        table.row([one.key.as_str().into(), one.found.as_str().into(), one.why.get(lang()).into()]);
    }
    let files = t("个文件", "files");
    format!("{} {files}\n\n{}", imported.files.len(), table.render(Format::Text))
}
