//! `fangwei report`: tables and figures about data, machines and people, in one page and in files of their own.

mod plan;
mod read;
#[cfg(feature = "web")]
mod site;

use std::path::PathBuf;

use clap::Args;
use fangwei::convert::OutFile;
use fangwei::origin::Grouping;
use fangwei::rank::Kind;
use fangwei::stats::Resampling;

use self::plan::{Board, Given, Plan, Task, parse_board, parse_gold, parse_taker};
use self::read::{How, read};
use super::ModeName;
use crate::folder::write_folder;
use crate::lang::{lang, t};
use crate::output::{Output, PageFormat, Status, Usage};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei report data/sample/pack --candidates data/sample/candidates.jsonl --marks data/sample/gold/levels.tsv --out 报告\n  fangwei report --gold 2022/judge=答案.jsonl --run 甲=甲.jsonl --run 乙=乙.jsonl --baseline 基线=基线.jsonl --person 被试1=s1.jsonl --out 报告\n  fangwei report --gold 2022/judge=a.jsonl --gold 2023/roles=b.jsonl --run 2022/judge:甲=a1.jsonl --run 2023/roles:甲=b1.jsonl --out 报告\n  fangwei report --plan report.toml --out 报告\n  fangwei report --contest space2022 --site fangwei-site --out 报告     平台上的比赛\n\n有数据就有：各集合、体裁、长度、标签分布、词对偏斜；有系统就有：成绩与区间、一致的题、各类得分、与答案的差别、角色混淆、都答错的题；有被试就有：成绩的均值、标准差、最大值，kappa 或互评矩阵，看法不同的题；三者以上作答就有：难度、区分度、Rasch。\n--out 写出 report.html、report.md、report.json、tables/*.csv、tables/*.tex、figures/*.svg；不给 --out 则按 --format 写到标准输出。",
    "Examples:\n  fangwei report data/sample/pack --candidates data/sample/candidates.jsonl --marks data/sample/gold/levels.tsv --out report\n  fangwei report --gold 2022/judge=gold.jsonl --run a=a.jsonl --run b=b.jsonl --baseline base=base.jsonl --person s1=s1.jsonl --out report\n  fangwei report --gold 2022/judge=a.jsonl --gold 2023/roles=b.jsonl --run 2022/judge:x=a1.jsonl --run 2023/roles:x=b1.jsonl --out report\n  fangwei report --plan report.toml --out report\n  fangwei report --contest space2022 --site fangwei-site --out report   a competition on the platform\n\nOf data it shows splits, genres, lengths, labels and how they lean on words; of systems, scores with intervals, items on which they agree, scores by class, how answers differ from gold, confused roles, items that all get wrong; of people, scores with mean, deviation and maximum, kappa or scores against each other, items that they see differently; with three takers or more, difficulty, discrimination and a Rasch fit.\n--out writes report.html, report.md, report.json, tables/*.csv, tables/*.tex and figures/*.svg; without it the report goes to standard output as --format says."
))]
pub struct Report {
    #[arg(value_name = "[TASK=]FILE|PACK", help = t("数据：文件（任务由记录看出，或写明 2022/judge=文件）或发布的数据集文件夹", "data: files (records tell their task, or name it: 2022/judge=FILE) or folders of released packs"))]
    data: Vec<String>,
    #[arg(long, value_name = "FILE", help = t("一个文件说明全部内容（TOML），与其他选项相加", "a file that tells everything (TOML); other options add to it"))]
    plan: Option<PathBuf>,
    #[arg(long, value_name = "TEXT", default_value = "", help = t("标题", "the title"))]
    title: String,
    #[arg(long, value_name = "FILE", help = t("替换句（fangwei substitute 的结果），用于替换统计", "candidates, as fangwei substitute writes them, for statistics of substitution"))]
    candidates: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("题目的体裁和原句（trace.jsonl）；给出数据集文件夹时自动使用其中的", "genre and origin of items (trace.jsonl); that of a pack is found by itself"))]
    trace: Vec<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("标注文件，用于一致性；可以重复", "files of marks, for agreement; may be repeated"))]
    marks: Vec<PathBuf>,
    #[arg(long, value_name = "TASK=FILE", value_parser = parse_gold, help = t("任务的答案；可以重复，每个任务一个", "the gold of a task; may be repeated, once a task"))]
    gold: Vec<Task>,
    #[arg(long, value_name = "[TASK:]NAME=FILE", value_parser = parse_taker, help = t("一个系统的预测，或 fangwei llm run 的文件夹；可以重复", "predictions of a system, or a folder of fangwei llm run; may be repeated"))]
    run: Vec<Given>,
    #[arg(long, value_name = "[TASK:]NAME=FILE", value_parser = parse_taker, help = t("基线系统的预测", "predictions of a baseline"))]
    baseline: Vec<Given>,
    #[arg(long, value_name = "[TASK:]NAME=FILE", value_parser = parse_taker, help = t("大语言模型的预测", "predictions of a language model"))]
    llm: Vec<Given>,
    #[arg(long, value_name = "[TASK:]NAME=FILE", value_parser = parse_taker, help = t("一名被试的作答", "answers of a person"))]
    person: Vec<Given>,
    #[arg(long, value_name = "DIR", help = t("人类测试的文件夹（fangwei human），不计被排除的被试；可以重复", "a study of fangwei human, without those who are excluded; may be repeated"))]
    study: Vec<PathBuf>,
    #[arg(long, value_name = "FILE=POLICY", value_parser = parse_board, help = t("排行榜文件及其办法，如 data/boards/2021.csv=2021；可以重复", "a board and its policy, such as data/boards/2021.csv=2021; may be repeated"))]
    board: Vec<Board>,
    #[cfg(feature = "web")]
    #[command(flatten)]
    site: site::Site,
    #[arg(long, value_name = "DIR", help = t("写到这个文件夹；应为空，或还没有", "write into this folder; empty, or not there yet"))]
    out: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t, help = t("不给 --out 时的格式", "the format without --out"))]
    format: PageFormat,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, default_value = "auto", value_name = "auto|none|context|FIELD", help = t("抽样的单位", "what is resampled"))]
    group: Grouping,
    #[arg(long, default_value_t = 10_000, help = t("重抽样次数", "number of resamples"))]
    resamples: usize,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, help = t("不统计标签对词的偏斜和捷径（大数据较慢）", "without how labels lean on words and shortcuts, which takes long on large data"))]
    no_audit: bool,
}

impl Report {
    pub fn run(self) -> anyhow::Result<Status> {
        if let Some(folder) = &self.out
            && folder.is_dir()
            && std::fs::read_dir(folder)?.next().is_some()
        {
            // Said before hours of work rather than after.
            return Err(Usage(format!(
                "{}: {}",
                folder.display(),
                t("文件夹应不存在或为空", "expected no folder or an empty one")
            ))
            .into());
        }
        if self.resamples == 0 {
            return Err(Usage("--resamples: 1 …".to_owned()).into());
        }
        let plan = self.whole_plan()?;
        let how = How {
            mode: self.mode.into(),
            group: self.group.clone(),
            resampling: Resampling { seed: self.seed, resamples: self.resamples, ..Resampling::default() },
            audited: !self.no_audit,
        };
        #[cfg_attr(not(feature = "web"), expect(unused_mut, reason = "only a platform adds to it"))]
        let (mut report, mut defective) = read(&plan, &how)?;
        #[cfg(feature = "web")]
        {
            defective |= self.site.add(&mut report, &how)?;
        }
        match &self.out {
            Some(folder) => {
                let mut files = report.page(lang()).files("report");
                let json = serde_json::to_string_pretty(&report.to_json())? + "\n";
                files.push(OutFile { path: "report.json".to_owned(), bytes: json.into_bytes() });
                write_folder(folder, &files)?;
                let (tables, figures) = (count(&files, "tables/", ".csv"), count(&files, "figures/", ".svg"));
                let line = format!(
                    "{}: report.html report.md report.json, {tables} {}, {figures} {}",
                    folder.display(),
                    t("张表", "tables"),
                    t("幅图", "figures")
                );
                Output::stdout().line(&line);
            }
            None => {
                let mut output = Output::stdout();
                match self.format.page() {
                    None => output.json(&report.to_json())?,
                    Some(format) => output.text(&report.page(lang()).render(format)),
                }
            }
        }
        Ok(if defective { Status::Defects } else { Status::Clean })
    }

    /// The plan of the file with what the command line adds.
    fn whole_plan(&self) -> anyhow::Result<Plan> {
        let mut plan = self.plan.as_deref().map(Plan::read).transpose()?.unwrap_or_default();
        if !self.title.is_empty() {
            plan.title.clone_from(&self.title);
        }
        plan.data.extend(self.data.iter().cloned());
        plan.candidates = self.candidates.clone().or(plan.candidates);
        plan.traces.extend(self.trace.iter().cloned());
        plan.marks.extend(self.marks.iter().cloned());
        plan.studies.extend(self.study.iter().cloned());
        plan.tasks.extend(self.gold.iter().cloned());
        plan.boards.extend(self.board.iter().cloned());
        #[cfg(feature = "web")]
        let elsewhere = self.site.is_given();
        #[cfg(not(feature = "web"))]
        let elsewhere = false;
        plan.check(elsewhere)?;
        let takers =
            [(Kind::Team, &self.run), (Kind::Baseline, &self.baseline), (Kind::Llm, &self.llm), (Kind::Human, &self.person)];
        for (kind, given) in takers {
            for one in given {
                plan.add(kind, one)?;
            }
        }
        plan.check(elsewhere)?;
        Ok(plan)
    }
}

fn count(files: &[OutFile], folder: &str, end: &str) -> usize {
    files.iter().filter(|file| file.path.starts_with(folder) && file.path.ends_with(end)).count()
}
