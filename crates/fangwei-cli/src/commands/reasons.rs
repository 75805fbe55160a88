//! `fangwei reasons`: sets of 2021 with true reasons and wrong ones that rules made.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use fangwei::reasons::{Made, Options, RULES, Sentence, abnormal, find_phrases, make, normal};
use fangwei::record::{Source, read_all};
use fangwei::score::read_items;
use fangwei::table::{Cell, Table};
use fangwei::task::{Item, Task, write_item};
use serde_json::json;

use super::parse_task;
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, check_files, errors, tell, write_file};

#[derive(Args)]
#[command(after_help = t(
    "写出 OUT（一个 JSON 数组）和 OUT 旁的 .rules.jsonl：每条生成的错误归因的规则，\"checked\": false 表示还没有人核对。\n例：\n  fangwei reasons --gold attribute.jsonl --to 2021/reason --per-item 1 --seed 1 -o reason.json\n  fangwei reasons --gold attribute.jsonl --normal judge.jsonl --to 2021/joint -o joint.json",
    "Writes OUT (one JSON array) and beside it .rules.jsonl: the rule of each wrong reason that was made; \"checked\": false means that nobody has looked at it.\nExamples:\n  fangwei reasons --gold attribute.jsonl --to 2021/reason --per-item 1 --seed 1 -o reason.json\n  fangwei reasons --gold attribute.jsonl --normal judge.jsonl --to 2021/joint -o joint.json"
))]
pub struct Reasons {
    #[arg(long, required = true, value_name = "FILE", help = t("真归因：2022/attribute 或 2021/reason，可多次", "true reasons: 2022/attribute or 2021/reason, any number of times"))]
    gold: Vec<PathBuf>,
    #[arg(long, value_parser = parse_task, default_value = "2021/reason", value_name = "TASK", help = t("2021/reason 或 2021/joint", "2021/reason or 2021/joint"))]
    to: &'static dyn Task,
    #[arg(long, value_name = "FILE", help = t("正误判断的答案；其中正常的句子进入 2021/joint，可多次", "gold of a judge task, whose normal sentences go into 2021/joint; any number of times"))]
    normal: Vec<PathBuf>,
    #[arg(long, default_value_t = 1, value_name = "N", help = t("每句生成几条错误归因", "wrong reasons a sentence"))]
    per_item: usize,
    #[arg(long, default_value_t = 0, value_name = "N", help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(short, long, value_name = "OUT", help = t("写出的文件", "file to write"))]
    out: PathBuf,
    #[arg(long, value_enum, default_value_t, help = t("报告的格式", "format of the report"))]
    format: Format,
}

impl Reasons {
    pub fn run(self) -> anyhow::Result<Status> {
        if !["2021/reason", "2021/joint"].contains(&self.to.id()) {
            bail!(Usage(format!("--to {}: 2021/reason / 2021/joint", self.to.id())));
        }
        if !is_joint(self.to) && !self.normal.is_empty() {
            bail!(Usage(t("--normal 用于 --to 2021/joint", "--normal goes with --to 2021/joint").to_owned()));
        }
        if self.out.as_os_str() == "-" {
            bail!(Usage(t("-o 需要一个文件：旁边还要写规则", "-o needs a file: the rules are written beside it").to_owned()));
        }
        check_files(self.gold.iter().chain(&self.normal).map(PathBuf::as_path), &[&self.out, &beside(&self.out)])?;
        let (made, failed) = make_file(&self.gold, &self.normal, self.to, self.per_item, self.seed, &self.out)?;
        report(&made, self.format)?;
        Ok(if failed { Status::Defects } else { Status::Clean })
    }
}

fn is_joint(task: &dyn Task) -> bool {
    task.id() == "2021/joint"
}

/// Makes a set of 2021 and writes it with its side file; also tells whether the input had errors.
pub fn make_file(
    gold: &[PathBuf],
    judged: &[PathBuf],
    to: &dyn Task,
    per_item: usize,
    seed: u64,
    out: &Path,
) -> anyhow::Result<(Made, bool)> {
    let mut failed = false;
    let mut sentences = abnormal(&read(gold, &["2022/attribute", "2021/reason"], &mut failed)?);
    let more: Vec<Sentence> = normal(&read(judged, &["2022/judge", "2021/judge"], &mut failed)?);
    sentences.extend(more);
    let made = make(&sentences, &Options { joint: is_joint(to), per_item, seed }, &find_phrases);
    let records: Vec<String> = made.items.iter().map(|item| write_item(to, item).to_line()).collect();
    write_file(out, format!("[\n{}\n]\n", records.join(",\n")).as_bytes())?;
    // A device has nothing beside it.
    if out.metadata().is_ok_and(|there| !there.is_file()) {
        return Ok((made, failed));
    }
    let lines = made.choices.iter().map(|choice| Ok(serde_json::to_string(choice)? + "\n"));
    write_file(&beside(out), lines.collect::<anyhow::Result<String>>()?.as_bytes())?;
    Ok((made, failed))
}

/// The side file of an output: `reason.json` has `reason.rules.jsonl`.
fn beside(out: &Path) -> PathBuf {
    out.with_extension("rules.jsonl")
}

/// The items of files of one of these tasks.
fn read(files: &[PathBuf], tasks: &[&str], failed: &mut bool) -> anyhow::Result<Vec<Item>> {
    let mut items = Vec::new();
    for file in files {
        let head: Vec<_> = read_all(Source::open(file)?)?.0.into_iter().take(200).map(|(_, record)| record).collect();
        let task = fangwei::tasks::recognise(&head).filter(|task| tasks.contains(&task.id()));
        let Some(task) = task else {
            bail!(Usage(format!("{}: {} {}", file.display(), t("应为", "expected"), tasks.join(" / "))));
        };
        let (read, defects) = read_items(task, Source::open(file)?, true)?;
        *failed |= errors(&defects) > 0;
        tell(&defects);
        items.extend(read);
    }
    Ok(items)
}

fn report(made: &Made, format: Format) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    let counts = &made.counts;
    if format == Format::Json {
        let rules: serde_json::Map<String, serde_json::Value> =
            made.funnels.iter().map(|(name, funnel)| ((*name).to_owned(), json!(funnel))).collect();
        return output.json(&json!({ "counts": counts, "rules": rules }));
    }
    let zh = ["规则", "提出", "即真归因", "含真归因", "也成立", "重复", "不可引用", "可用", "选用"];
    let en = ["rule", "made", "true", "holds a true one", "true too", "repeated", "unquotable", "left", "chosen"];
    let mut table = Table::new(if lang() == fangwei::lang::Lang::Zh { zh } else { en });
    for (name, funnel) in &made.funnels {
        let numbers = [
            funnel.made,
            funnel.equal,
            funnel.contains,
            funnel.true_too,
            funnel.repeated,
            funnel.unquotable,
            funnel.left,
            funnel.chosen,
        ];
        table.row([Cell::from(*name)].into_iter().chain(numbers.map(Cell::Count)));
    }
    output.text(&table.render(format.table()));
    if format == Format::Csv {
        return Ok(());
    }
    let facts = [
        (counts.abnormal, t("异常句", "abnormal sentences")),
        (counts.normal, t("正常句", "normal sentences")),
        (counts.true_reasons, t("真归因", "true reasons")),
        (counts.given_wrong, t("已有的错误归因", "wrong reasons at hand")),
        (counts.made_wrong, t("生成的错误归因", "wrong reasons made")),
        (counts.frameless, t("没有句式的归因", "reasons without a frame")),
        (counts.without_truth, t("没有真归因的异常句", "abnormal sentences without a true reason")),
        (counts.short, t("错误归因不足的句子", "sentences with fewer wrong reasons than asked for")),
    ];
    let facts: Vec<String> =
        facts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    output.line(&format!("\n{}", facts.join(t("，", ", "))));
    if format == Format::Text {
        for rule in RULES {
            output.line(&format!("  {}  {}", rule.name, rule.title.get(lang())));
        }
    }
    Ok(())
}
