//! `fangwei score`: scores predictions, explains them, breaks them down.

mod report;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use fangwei::origin::Grouping;
use fangwei::record::Source;
use fangwei::score::{
    Asked, Asking, Breakdown, BreakdownError, Difference, Facet, Predictions, ScoreError, Scored, alignment_json, alignment_text,
    differences_text, read_preds, score, score_json, score_table,
};
use fangwei::table::{Cell, Table};
use fangwei::task::{Mode, Task};
use serde_json::{Value, json};

use super::{ModeName, parse_task, tasks::quirks};
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, tell, write_file};
use report::Report;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei score 2023/anomaly --gold dev.jsonl --pred pred.jsonl --ci\n  fangwei score 2023/roles --gold dev.jsonl --pred pred.jsonl --alignment 2-dev-1530\n  fangwei score 2022/attribute --gold dev.jsonl --pred pred.jsonl --by type --format markdown\n  fangwei score --explain-modes                列出 official 与 spec 的全部差别\n  fangwei score 2023/scene --gold g.jsonl --pred p.jsonl --grades grades.csv\n\n读不了的记录按未作答计，逐条列出，退出码为 1。",
    "Examples:\n  fangwei score 2023/anomaly --gold dev.jsonl --pred pred.jsonl --ci\n  fangwei score 2023/roles --gold dev.jsonl --pred pred.jsonl --alignment 2-dev-1530\n  fangwei score 2022/attribute --gold dev.jsonl --pred pred.jsonl --by type --format markdown\n  fangwei score --explain-modes                where official and spec part, for every task\n  fangwei score 2023/scene --gold g.jsonl --pred p.jsonl --grades grades.csv\n\nRecords that cannot be read count as not answered; each is told, and the exit code is 1."
))]
pub struct Score {
    #[arg(value_parser = parse_task, value_name = "TASK", required_unless_present = "explain_modes", help = t("任务，如 2023/anomaly", "the task, such as 2023/anomaly"))]
    task: Option<&'static dyn Task>,
    #[arg(long, help = t("答案文件", "gold file"))]
    gold: Option<PathBuf>,
    #[arg(long, help = t("预测文件", "file of predictions"))]
    pred: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
    #[arg(long, value_name = "FILE", help = t("逐题得分写入文件（.csv 或 JSONL）", "write the items' scores (.csv, else JSONL)"))]
    items: Option<PathBuf>,
    #[arg(long, help = t("给出 95% 区间", "give 95% intervals"))]
    ci: bool,
    #[arg(long, value_name = "FACET", help = t("细分：role、length、origin-size、任意字段，以及任务自己的 type、gold、fragments、answers、roles、tuples", "break down by role, length, origin-size, any field, or the task's own type, gold, fragments, answers, roles, tuples"))]
    by: Option<String>,
    #[arg(long, help = t("逐题说明 official 与 spec 为何不同", "tell item by item why official and spec differ"))]
    explain_modes: bool,
    #[arg(long, value_name = "QID", help = t("显示一题如何匹配、各部分得分多少（可重复）", "show how an item was matched and what each part earned (repeatable)"))]
    alignment: Vec<String>,
    #[arg(long, value_name = "CSV", help = t("2023/scene 的评分表：qid,rater1,rater2，或每行一个评分 qid,rater,grade", "grades for 2023/scene: qid,rater1,rater2, or a grade a line: qid,rater,grade"))]
    grades: Option<PathBuf>,
    #[arg(long, default_value = "auto", value_name = "auto|none|context|FIELD", help = t("抽样的单位：同源的题一起抽取", "what is resampled: items of one origin together"))]
    group: Grouping,
    #[arg(long, default_value_t = 10_000, help = t("重抽样次数", "number of resamples"))]
    resamples: usize,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, help = t("写进 JSON 的系统名，供 rank 使用", "name of the system, written into the JSON for rank"))]
    name: Option<String>,
    #[arg(long, value_parser = ["team", "baseline", "human", "llm"], help = t("系统的种类，供 rank 使用", "kind of the system, for rank"))]
    kind: Option<String>,
}

impl Score {
    pub fn run(self) -> anyhow::Result<Status> {
        let Some(task) = self.task else {
            quirks(fangwei::tasks::all(), self.format, &mut Output::stdout())?;
            return Ok(Status::Clean);
        };
        let (Some(gold), Some(pred)) = (&self.gold, &self.pred) else {
            if self.explain_modes {
                quirks([task], self.format, &mut Output::stdout())?;
                return Ok(Status::Clean);
            }
            bail!(Usage(t("需要 --gold 和 --pred", "--gold and --pred are needed").to_owned()));
        };
        if self.grades.is_some() && task.id() != "2023/scene" {
            bail!(Usage(t("--grades 只用于 2023/scene", "--grades is for 2023/scene only").to_owned()));
        }
        if self.items.as_deref() == Some(Path::new("-")) {
            bail!(Usage(t("--items 需要文件名", "--items needs a file name").to_owned()));
        }
        let preds = read_preds(task, Source::open(pred)?)?;
        let facet = self.by.as_deref().map(|name| Facet::parse(name, task));
        let scored = self.score(task, gold, &preds, facet.as_ref())?;
        let mut report = Report::new(&scored);
        if self.ci {
            report.add_intervals(&self, &scored)?;
        }
        let graded = self.grades.as_deref().map(|path| report.add_grades(path, &scored)).transpose()?.unwrap_or(Status::Clean);
        if let Some(path) = &self.items {
            write_file(path, items_file(path, &scored).as_bytes())?;
        }
        let mut output = Output::stdout();
        if self.alignment.is_empty() && !self.explain_modes {
            self.print(&scored, &report, facet.as_ref(), &preds, &mut output)?;
        }
        if self.explain_modes {
            self.print_modes(&scored, &mut output)?;
        }
        if !self.alignment.is_empty() {
            self.print_alignments(&scored, &mut output)?;
        }
        drop(output);
        notice(&scored, &preds);
        Ok(if preds.unusable.is_empty() { graded } else { Status::Defects })
    }

    fn score(
        &self,
        task: &'static dyn Task,
        gold: &Path,
        preds: &Predictions,
        facet: Option<&Facet>,
    ) -> anyhow::Result<Scored<Asked>> {
        let mode = Mode::from(self.mode);
        let asking = Asking {
            origin: (self.ci || facet == Some(&Facet::OriginSize)).then_some(&self.group),
            facet,
            shown: &self.alignment,
            modes: self.explain_modes,
            keep: self.grades.is_some(),
        };
        let asked = |item: &_, pred: Option<&_>| asking.of(task, mode, item, pred);
        match score(task, mode, Source::open(gold)?, preds, asked) {
            Ok(scored) => Ok(scored),
            Err(ScoreError::Gold(defects)) => {
                tell(&defects);
                bail!("{}: {}", gold.display(), t("答案文件有错误，不能评分", "the gold file has errors; nothing was scored"))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn print(
        &self,
        scored: &Scored<Asked>,
        report: &Report,
        facet: Option<&Facet>,
        preds: &Predictions,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let breakdown = facet.map(|facet| Breakdown::new(scored, facet, &self.group)).transpose().map_err(undivided)?;
        match self.format {
            Format::Json => {
                let mut value = score_json(scored, &report.measures);
                report.fill(&mut value);
                for (key, text) in [("name", &self.name), ("kind", &self.kind)] {
                    if let Some(text) = text {
                        value[key] = json!(text);
                    }
                }
                if let Some(breakdown) = &breakdown {
                    value["by"] = breakdown.to_json(self.by.as_deref().unwrap_or_default());
                }
                value["defects"] = preds.unusable.iter().map(|defect| json!(defect.in_lang(lang()))).collect();
                output.json(&value)?;
            }
            Format::Csv => {
                let table = match &breakdown {
                    Some(breakdown) => breakdown.table(lang()),
                    None => score_table(scored.task, &report.measures, &report.intervals, lang()),
                };
                output.text(&table.render(self.format.table()));
            }
            Format::Text | Format::Markdown => {
                let gap = if self.format == Format::Markdown { "\n" } else { "" };
                output.line(&format!(
                    "{} {}  {}  {} {}, {} {}\n{gap}{}",
                    scored.task.id(),
                    scored.task.about().title.get(lang()),
                    scored.mode.as_str(),
                    scored.total.items,
                    t("题", "items"),
                    scored.total.answered,
                    t("题有作答", "answered"),
                    score_table(scored.task, &report.measures, &report.intervals, lang()).render(self.format.table()).trim_end()
                ));
                for note in &report.notes {
                    output.line(&format!("{gap}{note}"));
                }
                if let Some(breakdown) = &breakdown {
                    output.text(&format!("\n{}", breakdown.table(lang()).render(self.format.table())));
                }
            }
        }
        Ok(())
    }

    fn print_modes(&self, scored: &Scored<Asked>, output: &mut Output) -> anyhow::Result<()> {
        let differences = scored
            .qids
            .iter()
            .zip(&scored.extra)
            .filter_map(|(qid, asked)| Some((qid.clone(), asked.difference.as_deref()?.clone())));
        let differences: Vec<_> = differences.collect();
        if self.format == Format::Json {
            let names = |difference: &Difference| -> Vec<&str> {
                difference.quirks.iter().map(|number| scored.task.quirks()[*number].name).collect()
            };
            let rows: Vec<Value> = differences
                .iter()
                .map(|(qid, difference)| json!({ "qid": qid.as_str(), "official": difference.official, "spec": difference.spec, "quirks": names(difference) }))
                .collect();
            return output.json(&json!({ "task": scored.task.id(), "items": scored.total.items, "differences": rows }));
        }
        output.text(&differences_text(scored.task, &differences, scored.total.items, lang()));
        Ok(())
    }

    fn print_alignments(&self, scored: &Scored<Asked>, output: &mut Output) -> anyhow::Result<()> {
        let mut shown = Vec::new();
        for qid in &self.alignment {
            let number = scored.qids.iter().position(|known| known == qid.as_str());
            let asked = number.map(|number| &scored.extra[number]);
            let Some((Some(alignment), Some((item, pred)))) =
                asked.map(|asked| (asked.alignment.as_deref(), asked.kept.as_deref()))
            else {
                let near = fangwei::lang::nearest(qid, scored.qids.iter().map(smol))
                    .map(|near| format!(" ({near}?)"))
                    .unwrap_or_default();
                bail!(Usage(format!("{}: {qid}{near}", t("答案文件中没有这个 qid", "the gold file has no such qid"))));
            };
            if self.format == Format::Json {
                shown.push(alignment_json(scored.task, scored.mode, item, alignment, lang()));
            } else {
                output.text(&alignment_text(scored.task, scored.mode, item, alignment, lang(), output.color));
                if pred.is_none() {
                    output.line(&format!("  {}", t("没有作答", "no prediction")));
                }
            }
        }
        if self.format == Format::Json { output.json(&shown) } else { Ok(()) }
    }
}

fn smol(text: &impl AsRef<str>) -> &str {
    text.as_ref()
}

/// Why there is no breakdown, as a user of the command line understands it.
fn undivided(error: BreakdownError) -> Usage {
    match error {
        BreakdownError::UnknownFacet(unknown) => Usage(unknown.say(lang())),
        BreakdownError::MissingGroup(missing) => crate::groups::lacking(&missing),
    }
}

/// The items' own numbers, one line an item.
fn items_file(path: &Path, scored: &Scored<Asked>) -> String {
    let columns = &scored.task.scale().columns[..scored.task.scale().own];
    let csv = path.extension().is_some_and(|extension| extension == "csv");
    let mut table = Table::new(["qid", "answered"].into_iter().chain(columns.iter().copied()));
    let mut lines = String::new();
    for (number, qid) in scored.qids.iter().enumerate() {
        let values = columns.iter().zip(scored.row(number));
        if csv {
            let own = values.map(|(_, value)| Cell::Number(*value));
            table.row([Cell::from(qid.as_str()), Cell::Count(u64::from(scored.answered[number]))].into_iter().chain(own));
        } else {
            let mut record = json!({ "qid": qid.as_str(), "answered": scored.answered[number] });
            for (column, value) in values {
                record[*column] = json!(value);
            }
            lines.push_str(&format!("{record}\n"));
        }
    }
    if csv { table.render(fangwei::table::Format::Csv) } else { lines }
}

/// Tells what a participant should know although the score stands.
fn notice(scored: &Scored<Asked>, preds: &Predictions) {
    tell(&preds.unusable);
    let mut output = Output::stderr();
    let mut note = |count: u64, zh: &'static str, en: &'static str| {
        if count > 0 {
            output.line(&format!("{}: {count} {}", t("注意", "note"), t(zh, en)));
        }
    };
    note(scored.total.items - scored.total.answered, "题没有作答", "items have no prediction");
    note(
        scored.unknown.len() as u64,
        "条预测的 qid 不在答案中，已忽略",
        "predictions have a qid that gold lacks; they were ignored",
    );
    note(preds.repeated, "条预测重复了 qid，以最后一条为准", "predictions repeat a qid; the last one counted");
    for defect in scored.gold_warnings.iter().chain(preds.noticed.iter().filter(|defect| defect.qid.is_none())) {
        output.line(&defect.render(lang()));
    }
}
