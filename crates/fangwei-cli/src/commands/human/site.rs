//! `fangwei human open` and `take`: the way to the platform and back, from the machine itself, as `fangwei account` is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::record::{Json, Source, read_all};
use fangwei::table::{Format, Table};
use fangwei_web::database::Database;
use fangwei_web::human::{Opened, Sitting, Taken, open, take};
use fangwei_web::{App, Settings};
use serde_json::json;

use super::folder::{ANSWERS, ITEMS, answer_files, read_study};
use crate::commands::competition::site::told;
use crate::commands::serve::place::{Place, block_on};
use crate::lang::t;
use crate::output::{Output, Status, Usage, write_file};

#[derive(Args)]
#[command(after_help = t(
    "建立一个“人类测试”批次（不提示、限时、答案不能改），整个分给每名被试。只放题目，不放答案。\n--subjects 7 建立帐户 被试1 … 被试7 并打印各人的链接，用它设置密码后登录；--subject 用已有的帐户。再运行一次没有坏处：有的不变，新的补上，还没有设置密码的得到新链接（旧的失效）。",
    "Makes a batch of mode human (no hints, timed, answers final) and gives it to each subject whole. Items only; gold stays in the folder.\n--subjects 7 makes accounts 被试1 … 被试7 and prints a link for each, by which a password is set; --subject takes accounts that are there. Running it again does no harm: what is there stays, what is new is added, and who has no password yet gets a new link (the old one ends)."
))]
pub struct Open {
    #[arg(value_name = "STUDY", help = t("测试的文件夹", "the folder of the study"))]
    study: PathBuf,
    #[command(flatten)]
    place: Place,
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000), help = t("建立这么多名被试的帐户", "make accounts for so many subjects"))]
    subjects: u32,
    #[arg(long, value_name = "WORD", default_value = "被试", help = t("这些帐户名的开头", "how the names of these accounts begin"))]
    prefix: String,
    #[arg(long = "subject", value_name = "LOGIN", help = t("已有的帐户；可以重复", "an account that is there; may be repeated"))]
    people: Vec<String>,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8000", help = t("用户看到的网址", "the address that users see"))]
    public_url: String,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Open {
    pub fn run(self) -> anyhow::Result<Status> {
        let study = read_study(&self.study)?;
        let items = self.study.join(ITEMS);
        let sitting = Sitting {
            name: study.title.clone(),
            task: study.task,
            time_limit_s: study.time_limit,
            items: std::fs::read(&items).with_context(|| items.display().to_string())?,
            people: self.people.clone(),
            invited: (1..=self.subjects).map(|number| format!("{}{number}", self.prefix)).collect(),
        };
        let opened = block_on(async {
            let address = self.place.address()?;
            self.place.make()?;
            let app = App::new(Database::open(&address).await?, Settings::new(&self.public_url));
            let opened = open(&app, sitting).await.map_err(|failure| told(&failure))?;
            app.database.close().await;
            Ok(opened)
        })?;
        let mut output = Output::stdout();
        if self.json {
            output.json(&opened)?;
        } else {
            show(&mut output, &opened);
        }
        Ok(Status::Clean)
    }
}

fn show(output: &mut Output, opened: &Opened) {
    let made = if opened.made { t("已建立", "made") } else { t("已有", "there already") };
    output.line(&format!("{}  {} {}  ({made}, {})", opened.name, opened.items, t("题", "items"), opened.batch));
    let mut table = Table::new([t("被试", "subject"), t("新分到", "given now"), t("设置密码的链接", "link for a password")]);
    for seat in &opened.subjects {
        table.row([seat.name.as_str().into(), (seat.given as u64).into(), seat.link.as_deref().into()]);
    }
    if !opened.subjects.is_empty() {
        output.text(&table.render(Format::Text));
    }
}

#[derive(Args)]
#[command(after_help = t(
    "每名被试一个文件 answers/姓名.jsonl：任务的作答记录，另有 seconds（用时）和 late（是否超时，限时的测试才有）。可以随时运行，也可以多次：文件里已有而平台没有的保留；同一题与平台的答案不同则什么也不写。",
    "A file a subject, answers/NAME.jsonl: records of the task with seconds (time spent) and, in timed studies, late. It may be run at any time and again: answers that only the file has are kept; where file and platform differ on an item nothing is written."
))]
pub struct Take {
    #[arg(value_name = "STUDY", help = t("测试的文件夹", "the folder of the study"))]
    study: PathBuf,
    #[command(flatten)]
    place: Place,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Take {
    pub fn run(self) -> anyhow::Result<Status> {
        let study = read_study(&self.study)?;
        let taken = block_on(async {
            let app = App::new(Database::open(&self.place.existing()?).await?, Settings::new(""));
            let taken = take(&app, &study.title, study.task).await.map_err(|failure| told(&failure))?;
            app.database.close().await;
            Ok(taken)
        })?;
        let known: BTreeMap<String, PathBuf> = answer_files(&self.study)?.into_iter().collect();
        let mut files = Vec::new();
        for one in taken.iter().filter(|one| !one.answers.is_empty()) {
            files.push((one.subject.as_str(), joined(one, known.get(&one.subject).map(PathBuf::as_path), study.task)?));
        }
        // All were joined before the first is written: a conflict leaves everything as it was.
        let folder = self.study.join(ANSWERS);
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for (subject, text) in &files {
            write_file(&folder.join(format!("{subject}.jsonl")), text.as_bytes())?;
        }
        let mut output = Output::stdout();
        if self.json {
            let row = |one: &Taken| json!({ "subject": one.subject, "given": one.given, "answered": one.answers.len() });
            output.json(&taken.iter().map(row).collect::<Vec<_>>())?;
            return Ok(Status::Clean);
        }
        let mut table = Table::new([t("被试", "subject"), t("分到", "given"), t("作答", "answered")]);
        for one in &taken {
            table.row([one.subject.as_str().into(), (one.given as u64).into(), (one.answers.len() as u64).into()]);
        }
        output.text(&table.render(Format::Text));
        Ok(Status::Clean)
    }
}

/// What the platform has of a subject, and after it what only the file has.
fn joined(taken: &Taken, file: Option<&Path>, task: &dyn fangwei::task::Task) -> anyhow::Result<String> {
    let mut lines: Vec<String> = taken.answers.iter().map(|answer| answer.record.to_line()).collect();
    let Some(file) = file else { return Ok(lines.join("\n") + "\n") };
    let said: BTreeMap<&str, &Json<'static>> = taken.answers.iter().map(|answer| (answer.qid.as_str(), &answer.record)).collect();
    let (records, defects) = read_all(Source::open(file)?)?;
    if crate::output::errors(&defects) > 0 {
        crate::output::tell(&defects);
        bail!(
            "{}: {}",
            file.display(),
            t("有记录读不了；请改好或移走", "has records that cannot be read; mend it or move it away")
        );
    }
    let qid = |record: &Json<'_>| task.about().qid_names.iter().find_map(|name| Some(record.get(name)?.as_str()?.to_owned()));
    for (line, record) in &records {
        match qid(record).as_deref().and_then(|qid| said.get(qid)) {
            None => lines.push(record.to_line()),
            Some(kept) if answers(kept) == answers(record) => {}
            Some(_) => bail!(Usage(format!(
                "{}:{line}: {}",
                file.display(),
                t("与平台上的答案不同；请移走其中之一", "is not what the platform has; move one of them away")
            ))),
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// A record without what it took.
fn answers(record: &Json<'_>) -> Vec<(String, String)> {
    let kept = record.fields().iter().filter(|(name, _)| name != "seconds" && name != "late");
    kept.map(|(name, value)| (name.to_string(), value.to_line())).collect()
}
