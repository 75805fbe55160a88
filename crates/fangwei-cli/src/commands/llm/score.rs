//! `fangwei llm score`: what became of the replies of a run, and its score; nobody is asked.

use std::path::PathBuf;

use clap::Args;
use fangwei_llm::folder::Folder;
use fangwei_llm::score::{score, summary_text};

use super::super::{Given, ModeName, parse_given};
use super::{file_of, loaded};
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm score runs/qwen\n  fangwei llm score runs/qwen --gold gold.jsonl --format markdown\n\n写出 predictions.jsonl（任务的官方格式）和 summary.json。",
    "Examples:\n  fangwei llm score runs/qwen\n  fangwei llm score runs/qwen --gold gold.jsonl --format markdown\n\nWrites predictions.jsonl (the task's official format) and summary.json."
))]
pub struct Score {
    #[arg(value_name = "DIR", help = t("运行的文件夹", "the folder of a run"))]
    folder: PathBuf,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", help = t("答案文件；默认用运行时的", "gold; by default that of the run"))]
    gold: Vec<Given>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Score {
    pub fn run(self) -> anyhow::Result<Status> {
        let folders = Folder::within(&self.folder)?;
        let mut values = Vec::new();
        for folder in &folders {
            let task = fangwei::tasks::find(&folder.record()?.task)?;
            let gold = file_of(&self.gold, task, folders.len(), "--gold")?;
            let summary = loaded(score(folder, gold.as_deref(), self.mode.into()))?;
            if self.format == Format::Json {
                values.push(summary.to_json());
            } else {
                Output::stdout().text(&summary_text(&summary, self.format.table(), lang()));
            }
        }
        if self.format == Format::Json {
            let one = (values.len() == 1).then(|| values.remove(0));
            Output::stdout().json(&one.unwrap_or_else(|| values.into()))?;
        }
        Ok(Status::Clean)
    }
}
