//! `fangwei rank`: a board from scores, under a named policy.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::rank::{
    Board, By, Choices, Ddof, Kind, Missing, POLICIES, Policy, PolicyError, Population, Reading, Run, RunsError, rank, remarks,
    table,
};
use serde::Deserialize;

use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "排行榜是 CSV（表头 name,kind,任务,任务,…；kind 为 team、baseline、human、llm；可选一列 jury）或 JSON。也可以直接给出多个 `fangwei score --format json --name 队名` 的结果文件。\n规则：2021 队伍与基线一起计算均值和总体标准差；2022、2023 只用队伍和样本标准差，基线不排名；custom 由 --population、--ddof、--missing、--rank-by 决定。\n例：\n  fangwei rank board.csv --policy 2021\n  fangwei rank 甲-judge.json 甲-roles.json 乙-judge.json 乙-roles.json --policy 2022",
    "A board is a CSV (header name,kind,TASK,TASK,…; kind is team, baseline, human or llm; an optional column jury) or JSON. Result files of `fangwei score --format json --name TEAM` serve as well.\nPolicies: 2021 takes mean and population deviation over teams and baselines; 2022 and 2023 take sample deviation over teams only, baselines stand outside; custom is told by --population, --ddof, --missing and --rank-by.\nExamples:\n  fangwei rank board.csv --policy 2021\n  fangwei rank a-judge.json a-roles.json b-judge.json b-roles.json --policy 2022"
))]
pub struct Rank {
    #[arg(value_name = "BOARD|RUN", required = true, num_args = 1.., help = t("排行榜文件，或多个评分结果", "a board, or several results of score"))]
    files: Vec<PathBuf>,
    #[arg(long, default_value = "2022", value_name = "2021|2022|2023|custom", help = t("排名规则", "ranking policy"))]
    policy: String,
    #[arg(long, value_name = "teams|teams+baseline|all", help = t("均值和标准差取自谁（custom）", "whose scores make mean and deviation (custom)"))]
    population: Option<Population>,
    #[arg(long, value_name = "0|1", help = t("标准差除以 N−ddof（custom）", "deviation divides by N − ddof (custom)"))]
    ddof: Option<Ddof>,
    #[arg(long, value_name = "skip|zero|worst", help = t("缺任务如何处理", "what a missing task counts as"))]
    missing: Option<Missing>,
    #[arg(long, value_name = "z-mean|mean-rank|mean-score", help = t("按什么排名", "what decides"))]
    rank_by: Option<By>,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Rank {
    pub fn run(self) -> anyhow::Result<Status> {
        let policy = self.policy()?;
        let (mut reading, file) = self.read()?;
        for defect in &mut reading.defects {
            defect.file = file.as_str().into();
        }
        tell(&reading.defects);
        if reading.board.entries().is_empty() {
            bail!("{file}: {}", t("没有可以排名的行", "no row to rank"));
        }
        let ranking = rank(&reading.board, &policy);
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&ranking)?,
            format => {
                output.text(&table(&ranking, lang()).render(format.table()));
                if format != Format::Csv {
                    let bullet = if format == Format::Markdown { "- " } else { "" };
                    let remarks = remarks(&ranking, lang()).into_iter().map(|remark| format!("\n{bullet}{remark}"));
                    output.line(&remarks.collect::<String>());
                }
            }
        }
        Ok(if reading.defects.is_empty() { Status::Clean } else { Status::Defects })
    }

    fn policy(&self) -> anyhow::Result<Policy> {
        let choices = Choices { population: self.population, ddof: self.ddof, missing: self.missing, by: self.rank_by };
        Policy::chosen(&self.policy, choices).map_err(|error| {
            let known = POLICIES
                .iter()
                .map(|named| format!("\n  {}  {}", named.policy.name, named.title.get(lang())))
                .collect::<String>();
            Usage(match error {
                PolicyError::Chosen { .. } => {
                    t("--population 和 --ddof 只用于 --policy custom", "--population and --ddof go with --policy custom")
                        .to_owned()
                }
                error => format!("{error}{known}"),
            })
            .into()
        })
    }

    /// A board, or a board made of runs.
    fn read(&self) -> anyhow::Result<(Reading, String)> {
        let texts = self.files.iter().map(|path| read_text(path)).collect::<anyhow::Result<Vec<_>>>()?;
        let results: Vec<Option<Written>> = texts.iter().map(|text| serde_json::from_str(text).ok()).collect();
        match (self.files.as_slice(), texts.as_slice()) {
            ([file], [text]) if results[0].is_none() => Ok((Board::read(text), file.display().to_string())),
            _ => {
                let runs = self.files.iter().zip(results).map(|(path, result)| match result {
                    Some(result) => result.run(path),
                    None => bail!(Usage(format!(
                        "{}: {}",
                        path.display(),
                        t("不是 `fangwei score --format json` 的结果", "no result of `fangwei score --format json`")
                    ))),
                });
                let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
                Ok((Board::from_runs(&runs).map_err(|error| unfit(&error))?, "-".to_owned()))
            }
        }
    }
}

/// What `fangwei score --format json` writes, as far as a board needs it.
#[derive(Deserialize)]
struct Written {
    task: String,
    mode: String,
    name: Option<String>,
    kind: Option<Kind>,
    ranking: String,
    measures: serde_json::Value,
}

impl Written {
    /// The run; a file that names nobody is named by itself.
    fn run(self, path: &Path) -> anyhow::Result<Run> {
        let score =
            self.ranking.split('.').try_fold(&self.measures, |value, key| value.get(key)).and_then(serde_json::Value::as_f64);
        let score = score.context("the run has no ranking measure")?;
        Ok(Run { name: self.name.unwrap_or_else(|| stem(path)), kind: self.kind, task: self.task, mode: self.mode, score })
    }
}

fn unfit(error: &RunsError) -> Usage {
    Usage(match error {
        RunsError::Mode { name, task, expected, found } => {
            format!("{name} {task}: {} ({expected} / {found})", t("评分模式不一致", "scored in another mode"))
        }
        RunsError::Twice { name, task } => format!("{name} {task}: {}", t("有两个结果", "has two results")),
    })
}

/// The file name up to its first dot.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The text of a file, unpacked.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    fangwei::record::Source::open(path)?.read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
    String::from_utf8(bytes).with_context(|| format!("{}: UTF-8", path.display()))
}
