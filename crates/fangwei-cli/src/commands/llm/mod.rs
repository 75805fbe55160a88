//! `fangwei llm`: evaluates language models. `run` asks, and only `run` and `judge` do; `score` and `view` read what is in the folder.
//! `surprisal` asks nobody either: it reads the probabilities of a model on this machine.

mod judge;
mod local;
mod mock;
mod prompts;
pub mod run;
mod score;
pub mod server;
mod surprisal;
mod view;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use fangwei::task::Task;
use fangwei_llm::score::LoadError;

use super::Given;
use crate::lang::t;
use crate::output::{Status, Usage, tell};

#[derive(Args)]
pub struct Llm {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(about = t("向模型提问，评分；中断后再次运行即可继续", "ask a model and score it; an interrupted run goes on when it is run again"))]
    Run(Box<run::Run>),
    #[command(about = t("给已有的运行评分，不再提问", "score a run again, without asking"))]
    Score(score::Score),
    #[command(about = t("把运行做成网页，可直接从磁盘打开，可比较两个模型", "make pages of runs that open from disk; compare models"))]
    View(view::View),
    #[command(about = t("用模型评判 2023/scene 的理由，并与人的评分比较", "let a model grade the reasons of 2023/scene, held against people's grades"))]
    Judge(Box<judge::Judge>),
    #[command(about = t("列出或显示提示词", "list or show prompts"))]
    Prompts(prompts::Prompts),
    #[command(about = t("启动模拟服务器：回声、带噪声的答案、各种故障", "start a mock server: echo, gold with noise, failures by script"))]
    Mock(mock::Mock),
    #[command(about = t("本机模型：文本有多意外，每个空间词与可替换的词相比如何", "a model on this machine: how surprising texts are, and each spatial word against its rivals"))]
    Surprisal(surprisal::Surprisal),
}

impl Llm {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.command {
            Command::Run(run) => run.run(),
            Command::Score(score) => score.run(),
            Command::View(view) => view.run(),
            Command::Judge(judge) => judge.run(),
            Command::Prompts(prompts) => prompts.run(),
            Command::Mock(mock) => mock.run(),
            Command::Surprisal(surprisal) => surprisal.run(),
        }
    }
}

/// The file for a task: the one given for it by name, else the one given for no task in particular, where only one task is asked.
fn file_of(given: &[Given], task: &'static dyn Task, tasks: usize, option: &str) -> Result<Option<PathBuf>, Usage> {
    let named: Vec<&Given> = given.iter().filter(|given| given.task.is_some_and(|named| named.id() == task.id())).collect();
    let unnamed: Vec<&Given> = given.iter().filter(|given| given.task.is_none()).collect();
    match (named.as_slice(), unnamed.as_slice(), tasks) {
        ([one], [], _) | ([], [one], 1) => Ok(Some(one.path.clone())),
        ([], [], _) => Ok(None),
        _ => {
            let what = t("每个任务一个文件，写作", "one file a task, written as");
            Err(Usage(format!("{option}: {what} {option} {}=FILE", task.id())))
        }
    }
}

/// Tells defects of gold before the error that they make.
fn loaded<T>(loaded: Result<T, LoadError>) -> anyhow::Result<T> {
    loaded.map_err(|error| {
        if let LoadError::Gold(defects) = &error {
            tell(defects);
        }
        anyhow::Error::from(error)
    })
}
