//! `fangwei human compare`: people and machines on the same items.

use std::path::PathBuf;

use clap::Args;
use fangwei::human::{versus, versus_page};
use fangwei::record::Source;
use fangwei::score::read_preds;

use super::Look;
use super::folder::{explained, read_held};
use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "只比较测试里的题；预测文件可以是整个测试集的。人类平均逐题取各人得分的平均，与系统用同一次抽样相比：自助法给出差的区间，置换检验给出 p，抽取和对调都以同源组为单位。系统与每名被试的比较按总数作 Holm 校正。判断题还与多数票作精确 McNemar 检验。\n例：fangwei human compare 测试 --run 基线=基线.jsonl --run 甲队=甲队.jsonl",
    "Only the items of the study count; predictions may be those of the whole test set. The mean of people is taken item by item and compared with a machine by the same draws: a bootstrap interval of the difference, a permutation p, both over whole origins. Machines beside each subject are corrected by Holm. For verdicts there is an exact McNemar test against the majority vote too.\nExample: fangwei human compare study --run baseline=baseline.jsonl --run team=team.jsonl"
))]
pub struct Compare {
    #[arg(value_name = "STUDY", help = t("测试的文件夹", "the folder of the study"))]
    study: PathBuf,
    #[arg(long = "run", value_name = "NAME=FILE", value_parser = parse_run, required = true, help = t("系统的名称和预测文件；可以重复", "name and predictions of a machine; may be repeated"))]
    runs: Vec<(String, PathBuf)>,
    #[command(flatten)]
    look: Look,
}

/// `NAME=FILE`; a file alone is called by its name up to the first dot.
fn parse_run(given: &str) -> Result<(String, PathBuf), String> {
    match given.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), file.into())),
        Some(_) => Err(t("应为 名称=文件", "expected NAME=FILE").to_owned()),
        None => Ok((crate::commands::rank::stem(given.as_ref()), given.into())),
    }
}

impl Compare {
    pub fn run(self) -> anyhow::Result<Status> {
        let (held, mut status) = read_held(&self.study, self.look.mode.into())?;
        let mut runs = Vec::new();
        for (name, path) in &self.runs {
            if runs.iter().any(|(known, _)| known == name) {
                return Err(Usage(format!("--run {name}: {}", t("名称重复", "the name is given twice"))).into());
            }
            let preds = read_preds(held.study.task, Source::open(path)?)?;
            tell(&preds.unusable);
            if !preds.unusable.is_empty() {
                status = Status::Defects;
            }
            runs.push((name.clone(), preds));
        }
        let comparison = versus(&held, &runs, &self.look.resampling(&held.study)).map_err(|error| explained(&error))?;
        let mut output = Output::stdout();
        match self.look.format.page() {
            None => output.json(&comparison)?,
            Some(format) => output.text(&versus_page(&comparison, lang()).render(format)),
        }
        Ok(status)
    }
}
