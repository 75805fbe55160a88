//! `fangwei llm view`: pages of runs that open from disk.

use std::path::PathBuf;

use clap::Args;
use fangwei::task::Task;
use fangwei_llm::folder::Folder;
use fangwei_llm::view::{System, write};

use super::super::{Given, ModeName, parse_given};
use super::loaded;
use crate::lang::{lang, t};
use crate::output::{Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm view runs/qwen\n  fangwei llm view runs/qwen runs/glm --out compare\n\n写出一个静态文件夹，用浏览器打开其中的 index.html 即可，不需要服务器和网络。",
    "Examples:\n  fangwei llm view runs/qwen\n  fangwei llm view runs/qwen runs/glm --out compare\n\nWrites one static folder; open its index.html in a browser, without a server or a network."
))]
pub struct View {
    #[arg(value_name = "DIR", required = true, help = t("运行的文件夹；两个以上时可以逐题比较", "folders of runs; two or more can be compared item by item"))]
    folders: Vec<PathBuf>,
    #[arg(short, long, value_name = "DIR", help = t("写到哪里；默认是第一个运行的 view/", "where to write; by default view/ in the first run"))]
    out: Option<PathBuf>,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", help = t("答案文件；默认用运行时的", "gold; by default that of the runs"))]
    gold: Vec<Given>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本评分", "score as the script does, or as the text says"))]
    mode: ModeName,
}

impl View {
    pub fn run(self) -> anyhow::Result<Status> {
        let gold = |task: &'static dyn Task| {
            let named = self.gold.iter().find(|given| given.task.is_none_or(|named| named.id() == task.id()));
            named.map(|given| given.path.clone())
        };
        let mut systems = Vec::new();
        for path in &self.folders {
            systems.extend(loaded(System::open(&Folder::within(path)?, &gold))?);
        }
        let place = self.out.clone().unwrap_or_else(|| self.folders[0].join("view"));
        loaded(write(systems, self.mode.into(), &place, lang()))?;
        Output::stdout().line(&place.join("index.html").display().to_string());
        Ok(Status::Clean)
    }
}
