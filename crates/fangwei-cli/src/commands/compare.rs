//! `fangwei compare`: are two systems different, or is it chance?

use std::path::PathBuf;

use clap::Args;
use fangwei::compare::{CompareError, Comparison, compare};
use fangwei::origin::Grouping;
use fangwei::record::Source;
use fangwei::score::{ScoreError, read_preds, score};
use fangwei::stats::Resampling;
use fangwei::table::{Cell, Table};
use fangwei::task::{Mode, Task};

use super::{ModeName, parse_task};
use crate::groups::groups;
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "同源的题（由同一原句改写）不是独立的证据，默认整组抽取；--group none 改为逐题抽取。同样的种子得到同样的结果，与线程数无关。",
    "Items made from one original are no independent evidence, so whole groups are drawn; --group none draws single items. The same seed gives the same result for any number of threads."
))]
pub struct Compare {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务", "the task"))]
    task: &'static dyn Task,
    #[arg(long, help = t("答案文件", "gold file"))]
    gold: PathBuf,
    #[arg(value_name = "PRED", num_args = 2.., required = true, help = t("两个或更多预测文件", "two or more files of predictions"))]
    preds: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, help = t("比较的指标；默认为排名指标", "the measure to compare; by default the one that ranks"))]
    measure: Option<String>,
    #[arg(long, default_value = "auto", value_name = "auto|none|context|FIELD", help = t("抽样的单位", "what is resampled"))]
    group: Grouping,
    #[arg(long, default_value_t = 10_000, help = t("重抽样次数", "number of resamples"))]
    resamples: usize,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Compare {
    pub fn run(self) -> anyhow::Result<Status> {
        let mode = Mode::from(self.mode);
        let (mut systems, mut status) = (Vec::new(), Status::Clean);
        for path in &self.preds {
            let preds = read_preds(self.task, Source::open(path)?)?;
            tell(&preds.unusable);
            if !preds.unusable.is_empty() {
                status = Status::Defects;
            }
            let scored = match score(self.task, mode, Source::open(&self.gold)?, &preds, |item, _| self.group.key(item)) {
                Ok(scored) => scored,
                Err(ScoreError::Gold(defects)) => {
                    tell(&defects);
                    anyhow::bail!("{}: {}", self.gold.display(), t("答案文件有错误", "the gold file has errors"))
                }
                Err(error) => return Err(error.into()),
            };
            systems.push((path.display().to_string(), scored));
        }
        let groups = groups(&self.group, &systems[0].1.extra)?;
        let resampling = Resampling { seed: self.seed, resamples: self.resamples, ..Resampling::default() };
        let scored: Vec<_> = systems.iter().map(|(name, scored)| (name.clone(), scored)).collect();
        let comparison = match compare(&scored, self.measure.as_deref(), &groups, &resampling) {
            Err(CompareError::UnknownMeasure(error)) => anyhow::bail!(Usage(error.say(lang()))),
            other => other?,
        };
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&comparison)?,
            Format::Csv => output.text(&pairs(&comparison).render(self.format.table())),
            Format::Text | Format::Markdown => {
                output.line(&format!(
                    "{} {} {}  {} {}, {} {}, {} {}, {} {}\n",
                    comparison.task,
                    comparison.mode.as_str(),
                    comparison.measure,
                    comparison.items,
                    t("题", "items"),
                    comparison.groups,
                    t("组", "groups"),
                    comparison.resamples,
                    t("次重抽样", "resamples"),
                    t("种子", "seed"),
                    comparison.seed
                ));
                output.line(&table(&comparison).render(self.format.table()));
                output.text(&pairs(&comparison).render(self.format.table()));
            }
        }
        Ok(status)
    }
}

fn range(interval: &fangwei::stats::Interval) -> Cell {
    format!("[{:.4}, {:.4}]", interval.low, interval.high).into()
}

fn table(comparison: &Comparison) -> Table {
    let mut table = Table::new([
        t("系统", "system"),
        t("作答", "answered"),
        t("得分", "score"),
        t("95% 区间", "95% interval"),
        "Wilson",
        t("第一的概率", "P(first)"),
    ]);
    for system in &comparison.systems {
        table.row([
            Cell::from(system.name.as_str()),
            Cell::Count(system.answered),
            Cell::Number(system.score),
            range(&system.interval),
            system.wilson.as_ref().map_or(Cell::Empty, range),
            Cell::Number(system.first),
        ]);
    }
    table
}

fn pairs(comparison: &Comparison) -> Table {
    let mut table = Table::new([
        "A",
        "B",
        "A − B",
        t("95% 下限", "95% low"),
        t("95% 上限", "95% high"),
        t("p 置换", "p permutation"),
        t("p Holm 校正", "p Holm"),
        t("p 自助", "p bootstrap"),
        "p McNemar",
    ]);
    for pair in &comparison.pairs {
        let numbers = [pair.difference, pair.interval.low, pair.interval.high, pair.p_permutation, pair.p_holm, pair.p_bootstrap];
        let mcnemar = Cell::from(pair.mcnemar.as_ref().map(|mcnemar| mcnemar.p));
        table.row(
            [Cell::from(pair.a.as_str()), Cell::from(pair.b.as_str())]
                .into_iter()
                .chain(numbers.map(Cell::from))
                .chain([mcnemar]),
        );
    }
    table
}
