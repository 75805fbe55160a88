//! The commands, one file each, named by their step.

// Every command has `run(self) -> Result<Status>`, even where it can neither fail nor be told anything.
#![allow(clippy::unnecessary_wraps, clippy::unused_self, clippy::struct_field_names)]

mod agree;
mod audit;
mod build;
mod compare;
mod compat;
mod competition;
mod convert;
mod corpus;
mod demo;
#[cfg(feature = "encoder")]
mod encoder;
mod explore;
mod human;
mod lexicon;
#[cfg(feature = "llm")]
mod llm;
mod manual;
mod predict;
mod predictors;
mod rank;
mod reasons;
mod release;
mod report;
mod score;
mod select;
#[cfg(feature = "web")]
mod serve;
#[cfg(feature = "web")]
mod submit;
mod substitute;
mod tasks;
mod train;
mod validate;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use fangwei::task::{Mode, Task};

use crate::lang::{lang, t};
use crate::output::{Color, Status, Usage};

/// The command line.
#[derive(Parser)]
#[command(
    name = "fangwei",
    version,
    disable_version_flag = true,
    about = t("方位：中文空间语义理解评测，从数据到排行榜", "fangwei 方位: Chinese spatial-understanding evaluation, from data to board"),
    long_about = t(
        "方位：一个程序完成中文空间语义理解评测的全过程。\n读取、检查、转换、评分、比较、排名 SpaCE 2021-2023 的九个任务，以及 2022 年早期网页的两个。",
        "fangwei 方位: one program for the whole life of a Chinese spatial-understanding evaluation.\nReads, checks, converts, scores, compares and ranks the nine SpaCE tasks of 2021 to 2023 and the two of the early 2022 page."
    ),
    after_help = t(
        "从这里开始：\n  fangwei demo                       在自带的样例上走一遍\n  fangwei explore 他跳进山洞外。     探查一段文本\n  fangwei tasks                      有哪些任务\n  fangwei validate 2023/roles 预测.jsonl --input 题目.jsonl\n  fangwei score 2023/roles --gold 答案.jsonl --pred 预测.jsonl\n\n退出码：0 正常，1 输入有缺陷或读不了，2 用法不对。文件名 - 表示标准输入；.gz 和 .zst 可直接读取。",
        "Begin here:\n  fangwei demo                       a walk over the bundled sample\n  fangwei explore 他跳进山洞外。     look at a passage\n  fangwei tasks                      which tasks there are\n  fangwei validate 2023/roles preds.jsonl --input items.jsonl\n  fangwei score 2023/roles --gold gold.jsonl --pred preds.jsonl\n\nExit codes: 0 done, 1 the input has defects or cannot be read, 2 usage. The file name - is standard input; .gz and .zst are read as they are."
    ),
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Step,

    #[arg(long, global = true, value_name = "zh|en", help = t("语言；默认看 LANG", "language; by default that of LANG"))]
    lang: Option<String>,

    #[arg(long, global = true, value_enum, default_value_t, help = t("是否用颜色", "whether to use colours"))]
    color: Color,

    #[arg(short = 'V', long, action = clap::ArgAction::Version, help = t("显示版本", "print the version"))]
    version: Option<bool>,

    #[arg(long, global = true, value_name = "N", help = t("线程数；结果与线程数无关", "number of threads; results do not depend on it"))]
    threads: Option<usize>,
}

#[derive(Subcommand)]
enum Step {
    #[command(about = t("筛选富含空间语义的片段", "keep the passages that are worth a question"))]
    Select(select::Select),
    #[command(about = t("列出任务，或显示一个任务的说明", "list the tasks, or show one task's guide"))]
    Tasks(tasks::Tasks),
    #[command(about = t("检查提交文件，列出全部缺陷", "check a submission and list every defect"))]
    Validate(validate::Validate),
    #[command(about = t("评分", "score predictions"))]
    Score(score::Score),
    #[command(about = t("按旧脚本的参数和输出格式评分", "score with the old scripts' flags and output"))]
    Compat(compat::Compat),
    #[command(about = t("比较系统，给出差异的区间和显著性", "compare systems, with intervals and significance"))]
    Compare(compare::Compare),
    #[command(about = t("排名", "rank a board"))]
    Rank(rank::Rank),
    #[command(about = t("报告：数据、机器、人和题目的表和图", "report: tables and figures about data, machines, people and items"))]
    Report(report::Report),
    #[command(about = t("人类测试：抽题、上平台、检查被试、得分、与系统比较", "studies of people: draw items, ask on the platform, check subjects, score, set beside machines"))]
    Human(human::Human),
    #[command(about = t("标注一致性：kappa、alpha、互评得分，离群者，分流成答案", "agreement of annotators: kappa, alpha, scores; who stands apart; triage into gold"))]
    Agree(agree::Agree),
    #[command(about = t("审查数据集：同源、泄漏、标签偏斜、捷径", "audit datasets: siblings, leaks, label skew, shortcuts"))]
    Audit(audit::Audit),
    #[command(about = t("转换格式", "convert between formats"))]
    Convert(convert::Convert),
    #[command(about = t("由真归因生成错误归因，做成 2021/reason 或 2021/joint", "make wrong reasons from true ones, for 2021/reason or 2021/joint"))]
    Reasons(reasons::Reasons),
    #[command(about = t("发布数据集：按同源组划分，题目与答案分开，附清单和说明", "release a dataset: split by origin group, answers apart, manifest and data sheet"))]
    Release(release::Release),
    #[command(about = t("从原始文本到发布的数据集，由一个文件说明", "from raw text to a released pack, told by one file"))]
    Build(build::Build),
    #[command(about = t("替换空间词，生成候选句；给标注员的盲文件", "replace spatial words: candidates, and blind texts for annotators"))]
    Substitute(substitute::Substitute),
    #[command(about = t("空间词表：查询、检查、比较、导出", "the spatial lexicon: look up, check, compare, export"))]
    Lexicon(lexicon::Lexicon),
    #[command(about = t("从原始文本切出片段，去重，分词，标注词性", "cut raw text into passages, without duplicates, segmented and tagged"))]
    Corpus(corpus::Corpus),
    #[command(about = t("训练预测器，写成模型文件夹", "train a predictor and write a model folder"))]
    Train(train::Train),
    #[command(about = t("回答题目，并说明理由", "answer items, and say why"))]
    Predict(predict::Predict),
    #[command(about = t("探查一段文本：空间词、角色、异常、可换的词", "look at a passage: spatial words, roles, errors, rivals"))]
    Explore(explore::Explore),
    #[command(about = t("列出预测器及其选项，显示模型记录", "list predictors and their options, show a model's record"))]
    Predictors(predictors::Predictors),
    #[cfg(feature = "encoder")]
    #[command(about = t("获取预训练编码器，供 train --predictor encoder 使用", "get pretrained encoders, for train --predictor encoder"))]
    Encoder(encoder::Encoder),
    #[cfg(feature = "llm")]
    #[command(about = t("评测大语言模型：提问、评分、查看、评判理由", "evaluate language models: ask, score, view, judge reasons"))]
    Llm(llm::Llm),
    #[cfg(feature = "web")]
    #[command(about = t("启动网上平台：标注、审核、一致性", "start the web platform: annotate, review, agree"))]
    Serve(serve::Serve),
    #[cfg(feature = "web")]
    #[command(about = t("平台的帐户：列表、邀请、重设密码、令牌", "accounts of the platform: list, invite, reset, token"))]
    Account(serve::Account),
    #[command(about = t("比赛：建立、检查、导入文件夹；在平台上开放、改期、发布、冻结", "competitions: make, check and import a folder; open, move, release and freeze on the platform"))]
    Competition(competition::Competition),
    #[cfg(feature = "web")]
    #[command(about = t("向比赛提交文件，得到分数或全部缺陷", "submit a file to a competition; its score or every defect comes back"))]
    Submit(submit::Submit),
    #[cfg(feature = "web")]
    #[command(about = t("备份平台的数据库，可在运行时进行", "back up the platform's database, also while it runs"))]
    Backup(serve::Backup),
    #[cfg(feature = "web")]
    #[command(about = t("从备份恢复到空的数据库", "fill an empty database from a backup"))]
    Restore(serve::Restore),
    #[command(about = t("在自带的样例上走一遍", "walk over the bundled sample"))]
    Demo(demo::Demo),
    #[command(about = t("生成命令补全脚本", "print shell completions"))]
    Completions(manual::Completions),
    #[command(about = t("生成手册页", "write manual pages"))]
    Man(manual::Man),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<Status> {
        if let Some(tag) = &self.lang
            && fangwei::lang::Lang::parse(tag).is_none()
        {
            return Err(Usage(format!("--lang {tag}: zh / en")).into());
        }
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads.clamp(1, 1024)).build_global()?;
        }
        self.color.choose();
        match self.command {
            Step::Select(select) => select.run(),
            Step::Tasks(tasks) => tasks.run(),
            Step::Validate(validate) => validate.run(),
            Step::Score(score) => score.run(),
            Step::Compat(compat) => compat.run(),
            Step::Compare(compare) => compare.run(),
            Step::Rank(rank) => rank.run(),
            Step::Report(report) => report.run(),
            Step::Human(human) => human.run(),
            Step::Agree(agree) => agree.run(),
            Step::Audit(audit) => audit.run(),
            Step::Convert(convert) => convert.run(),
            Step::Reasons(reasons) => reasons.run(),
            Step::Release(release) => release.run(),
            Step::Build(build) => build.run(),
            Step::Substitute(substitute) => substitute.run(),
            Step::Lexicon(lexicon) => lexicon.run(),
            Step::Corpus(corpus) => corpus.run(),
            Step::Train(train) => train.run(),
            Step::Predict(predict) => predict.run(),
            Step::Explore(explore) => explore.run(),
            Step::Predictors(predictors) => predictors.run(),
            #[cfg(feature = "encoder")]
            Step::Encoder(encoder) => encoder.run(),
            #[cfg(feature = "llm")]
            Step::Llm(llm) => llm.run(),
            #[cfg(feature = "web")]
            Step::Serve(serve) => serve.run(),
            #[cfg(feature = "web")]
            Step::Account(account) => account.run(),
            Step::Competition(competition) => competition.run(),
            #[cfg(feature = "web")]
            Step::Submit(submit) => submit.run(),
            #[cfg(feature = "web")]
            Step::Backup(backup) => backup.run(),
            #[cfg(feature = "web")]
            Step::Restore(restore) => restore.run(),
            Step::Demo(demo) => demo.run(),
            Step::Completions(completions) => completions.run(),
            Step::Man(man) => man.run(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    #[value(help = t("与当年脚本一致", "as the year's script does"))]
    Official,
    #[value(help = t("与当年文本一致", "as the year's text says"))]
    Spec,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Mode {
        match name {
            ModeName::Official => Mode::Official,
            ModeName::Spec => Mode::Spec,
        }
    }
}

/// The whole command line in the language of this run, for parsing, help, completions and the manual.
pub fn command() -> clap::Command {
    let styles = Styles::styled().header(AnsiColor::Green.on_default().bold()).literal(AnsiColor::Cyan.on_default());
    localized(Cli::command().styles(styles))
}

/// Puts headings of help into the language of this run.
fn localized(command: clap::Command) -> clap::Command {
    let template = t(
        "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}",
        "{before-help}{about-with-newline}\nUsage: {usage}\n\n{all-args}{after-help}",
    );
    let help = clap::Arg::new("help").short('h').long("help").action(clap::ArgAction::Help).help(t("显示帮助", "print help"));
    let command = command.disable_help_flag(true).arg(help);
    let headed = command.help_template(template).subcommand_help_heading(t("命令", "Commands")).mut_args(|arg| {
        let heading = if arg.is_positional() { t("参数", "Arguments") } else { t("选项", "Options") };
        if arg.get_help_heading().is_some() { arg } else { arg.help_heading(heading) }
    });
    headed.mut_subcommands(localized)
}

/// Reads a task name; an unknown one is answered with the nearest and the list.
fn parse_task(name: &str) -> Result<&'static dyn Task, String> {
    fangwei::tasks::find(name).map_err(|error| error.say(lang()))
}

/// A file, with its task where one was named.
#[derive(Clone)]
struct Given {
    task: Option<&'static dyn Task>,
    path: PathBuf,
}

fn parse_given(given: &str) -> Result<Given, String> {
    let (task, path) = fangwei::tasks::split_given(given).map_err(|unknown| unknown.say(lang()))?;
    Ok(Given { task, path: path.into() })
}
