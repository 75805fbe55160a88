//! `fangwei competition`: a competition as a folder (made, checked, taken from a bundle), and on the platform (opened, changed, closed).

mod files;
#[cfg(all(feature = "web", feature = "llm"))]
mod prompts;
#[cfg(feature = "web")]
mod rescore;
#[cfg(feature = "web")]
pub mod site;

use clap::{Args, Subcommand};

use crate::lang::t;
use crate::output::Status;

#[derive(Args)]
#[command(after_help = t(
    "比赛是一个文件夹：competition.toml 和它提到的页面、题目、答案。\n例：\n  fangwei competition init 比赛 --template 2022       按 2022 年的办法建立，带样例数据\n  fangwei competition check 比赛                      列出全部缺陷，或各阶段的概况\n  fangwei competition import bundle.zip 比赛          从 Codabench 的比赛包建立，列出不能对应的部分\n  fangwei competition open 比赛 fangwei-site          放上平台并开放；再放一次就是修订\n  fangwei competition move space2022 dev end 2026-08-20T00:00:00+08:00 --reason 停电\n  fangwei competition release space2022 roles-dev-answers\n  fangwei competition rescore space2022 --gold dev/judge=改正.jsonl --reason 答案有误\n  fangwei competition export space2022 --out 网站       公开的网站存成文件夹，放进 U 盘也能打开\n\n在平台上做的每一步都写进日志，开放之后也写在消息页上。",
    "A competition is a folder: competition.toml and the pages, items and gold that it names.\nExamples:\n  fangwei competition init contest --template 2022    in the manner of 2022, with the sample data\n  fangwei competition check contest                   every defect, or its phases at a glance\n  fangwei competition import bundle.zip contest       of a bundle of Codabench, with a list of what does not map\n  fangwei competition open contest fangwei-site       brings it to the platform and opens it; once more is a revision\n  fangwei competition move space2022 dev end 2026-08-20T00:00:00+08:00 --reason \"power cut\"\n  fangwei competition release space2022 roles-dev-answers\n  fangwei competition rescore space2022 --gold dev/judge=corrected.jsonl --reason \"wrong answers\"\n  fangwei competition export space2022 --out site     the public site as a folder, which opens from a USB stick\n\nEvery step on the platform is in its log and, once the competition is open, on its news page."
))]
pub struct Competition {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(about = t("按往年的办法建立文件夹，带样例数据", "make a folder in the manner of a past year, with the sample data"))]
    Init(files::Init),
    #[command(about = t("检查文件夹，列出全部缺陷", "check a folder and list every defect"))]
    Check(files::Check),
    #[command(about = t("从 Codabench 的比赛包建立文件夹", "make a folder of a bundle of Codabench"))]
    Import(files::Import),
    #[cfg(feature = "web")]
    #[command(flatten)]
    Site(site::Command),
    #[cfg(all(feature = "web", feature = "llm"))]
    #[command(about = t("在不公开的题目上运行各队提交的提示词；中断后再次运行即可继续", "run the prompts of the teams on the hidden items; an interrupted run goes on when it is run again"))]
    Prompts(Box<prompts::Prompts>),
    #[cfg(all(feature = "web", feature = "llm"))]
    #[command(about = t("把提示词赛道的理由交给评分员，不署名", "give the reasons of the track of prompts to raters, without names"))]
    Grade(prompts::Grade),
}

impl Competition {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.command {
            Command::Init(init) => init.run(),
            Command::Check(check) => check.run(),
            Command::Import(import) => import.run(),
            #[cfg(feature = "web")]
            Command::Site(command) => super::serve::place::block_on(command.run()),
            #[cfg(all(feature = "web", feature = "llm"))]
            Command::Prompts(prompts) => prompts.run(),
            #[cfg(all(feature = "web", feature = "llm"))]
            Command::Grade(grade) => super::serve::place::block_on(grade.run()),
        }
    }
}
