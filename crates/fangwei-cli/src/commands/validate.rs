//! `fangwei validate`: every defect of a submission.

use std::path::PathBuf;

use clap::Args;
use fangwei::annotate::{RULES, survey};
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::table;
use fangwei::task::Task;
use fangwei::validate::validate;

use super::parse_task;
use crate::lang::{lang, t};
use crate::output::{Output, Status, errors, tell};

#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum ReportFormat {
    #[default]
    #[value(help = t("每行一个缺陷", "one defect a line"))]
    Text,
    #[value(help = t("一个对象，errors 与 warnings 分开", "an object with errors and warnings apart"))]
    Json,
}

#[derive(Args)]
#[command(after_help = t(
    "没有 --gold 或 --input 时只检查格式和记录自带的 context；有则还检查 qid 是否齐全、字序是否在文本之内。\n退出码：0 没有错误（可以有警告），1 有错误，2 用法不对。",
    "Without --gold or --input only the shape is checked, and the text that a record brings along; with one, also whether qids are complete and indexes lie within the text.\nExit codes: 0 no errors (there may be warnings), 1 errors, 2 usage."
))]
pub struct Validate {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务，如 2023/roles", "the task, such as 2023/roles"))]
    task: &'static dyn Task,
    #[arg(value_name = "PRED", help = t("预测文件", "file of predictions"))]
    pred: PathBuf,
    #[arg(long, conflicts_with = "input", help = t("答案文件", "gold file"))]
    gold: Option<PathBuf>,
    #[arg(long, help = t("题目文件（没有答案）", "file of items (without answers)"))]
    input: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["gold", "input"], help = t("把文件当作答案，按标注规则检查，逐条规则汇报", "take the file as gold, check it by the rules of annotation and report by rule"))]
    rules: bool,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: ReportFormat,
}

impl Validate {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.rules {
            return self.by_rules();
        }
        let items = match self.gold.as_ref().or(self.input.as_ref()) {
            None => None,
            Some(path) => {
                let (items, defects) = read_items(self.task, Source::open(path)?, false)?;
                tell(&defects);
                if errors(&defects) > 0 {
                    anyhow::bail!(
                        "{}: {}",
                        path.display(),
                        t("题目文件有错误，不能据此检查", "the items have errors; nothing can be checked against them")
                    );
                }
                Some(items)
            }
        };
        let report = validate(self.task, Source::open(&self.pred)?, items.as_deref())?;
        let mut output = Output::stdout();
        match self.format {
            ReportFormat::Json => output.json(&report.to_json(self.task, lang()))?,
            ReportFormat::Text => {
                for defect in &report.defects {
                    output.line(&defect.render(lang()));
                }
                output.line(&format!(
                    "{}: {} {}, {} {}, {} {}",
                    self.pred.display(),
                    report.records,
                    t("条记录", "records"),
                    report.errors(),
                    t("个错误", "errors"),
                    report.warnings(),
                    t("个警告", "warnings")
                ));
            }
        }
        Ok(if report.errors() == 0 { Status::Clean } else { Status::Defects })
    }

    /// What the rules of annotation find in gold, and what a filter by each would take away.
    fn by_rules(&self) -> anyhow::Result<Status> {
        let (items, defects) = read_items(self.task, Source::open(&self.pred)?, true)?;
        tell(&defects);
        let survey = survey(self.task, &items, RULES);
        let mut output = Output::stdout();
        match self.format {
            ReportFormat::Json => output.json(&survey.to_json(self.task, lang()))?,
            ReportFormat::Text => {
                output.line(survey.table(lang()).render(table::Format::Text).trim_end());
                let (of, blocked) = (t("题", "items"), t("题有错误", "items with errors"));
                output.line(&format!("{}: {} {of}, {} {blocked}", self.pred.display(), survey.items, survey.blocked));
            }
        }
        Ok(if survey.is_clean() && errors(&defects) == 0 { Status::Clean } else { Status::Defects })
    }
}
