//! `fangwei llm prompts`: which prompts there are, and their text.

use clap::Args;
use fangwei::ask::{Prompt, ways};
use fangwei::table::Table;
use fangwei::task::Task;
use serde_json::json;

use super::super::parse_task;
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm prompts\n  fangwei llm prompts 2023/scene fudan > mine.md\n\n改好的文件用 fangwei llm run --prompt mine.md 使用。",
    "Examples:\n  fangwei llm prompts\n  fangwei llm prompts 2023/scene fudan > mine.md\n\nfangwei llm run --prompt mine.md uses a file that you have changed."
))]
pub struct Prompts {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务；不写则列出全部", "the task; without it, all are listed"))]
    task: Option<&'static dyn Task>,
    #[arg(value_name = "NAME", requires = "task", help = t("显示这一种的全文", "show the text of this one"))]
    name: Option<String>,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Prompts {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        if let (Some(task), Some(name)) = (self.task, &self.name) {
            // An unknown name is answered with the nearest one.
            Prompt::shipped(task, name).map_err(|unknown| Usage(unknown.say(lang())))?;
            let text = task.about().prompts.iter().find(|(way, _)| way == name).map_or("", |(_, text)| text);
            output.text(text);
            return Ok(Status::Clean);
        }
        let tasks: Vec<&'static dyn Task> = self.task.map_or_else(|| fangwei::tasks::all().collect(), |task| vec![task]);
        let mut table =
            Table::new([t("任务", "task"), t("提示词", "prompt"), t("示例", "shots"), t("选例", "chosen"), t("版本", "version")]);
        let mut rows = Vec::new();
        for task in tasks {
            for way in ways(task) {
                let Ok(prompt) = Prompt::shipped(task, way) else { continue };
                let choice = prompt.plan.choice.to_string();
                let version = prompt.version.get(..12).unwrap_or(&prompt.version);
                rows.push(json!({ "task": task.id(), "name": way, "shots": prompt.plan.count, "choose": choice, "version": prompt.version }));
                table.row([task.id().into(), way.into(), (prompt.plan.count as u64).into(), choice.into(), version.into()]);
            }
        }
        match self.format {
            Format::Json => output.json(&rows)?,
            format => output.text(&table.render(format.table())),
        }
        Ok(Status::Clean)
    }
}
