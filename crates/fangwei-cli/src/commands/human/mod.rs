//! `fangwei human`: how people do on a task. A study is a folder: planned, brought to people, taken back, checked, scored, set beside machines.

mod check;
mod compare;
pub mod folder;
mod plan;
mod row;
mod score;
#[cfg(feature = "web")]
mod site;

use clap::{Args, Subcommand};
use fangwei::stats::Resampling;

use crate::commands::ModeName;
use crate::lang::t;
use crate::output::{PageFormat, Status};

#[derive(Args)]
#[command(after_help = t(
    "一次测试是一个文件夹：study.toml（任务、题数的由来、排除规则）、items.jsonl（给被试的题，没有答案）、gold.jsonl（答案，不给被试）、answers/姓名.jsonl（每人的作答，带 seconds 和 late）、excluded.jsonl（谁的作答不算，为什么）。\n例：\n  fangwei human plan 2022/judge --gold 测试集.jsonl --out 测试 --width 0.05 --equal label\n  fangwei human open 测试 fangwei-site --subjects 7      每名被试一个链接\n  fangwei human take 测试 fangwei-site                   取回作答\n  fangwei human check 测试                               谁违反了规则\n  fangwei human check 测试 --exclude                     排除他们，记入 excluded.jsonl\n  fangwei human score 测试\n  fangwei human compare 测试 --run 甲=甲.jsonl --run 乙=乙.jsonl\n  fangwei human row 测试 -o 人类.csv                     排行榜上的两行\n\n不用平台也可以：把 items.jsonl 交给被试，把作答放进 answers/。",
    "A study is a folder: study.toml (task, how the number of items came about, rules of exclusion), items.jsonl (what subjects see, without answers), gold.jsonl (the answers, not for subjects), answers/NAME.jsonl (what each said, with seconds and late), excluded.jsonl (whose answers do not count, and why).\nExamples:\n  fangwei human plan 2022/judge --gold test.jsonl --out study --width 0.05 --equal label\n  fangwei human open study fangwei-site --subjects 7     a link for each subject\n  fangwei human take study fangwei-site                  brings the answers back\n  fangwei human check study                              who breaks a rule\n  fangwei human check study --exclude                    excludes them, logged in excluded.jsonl\n  fangwei human score study\n  fangwei human compare study --run a=a.jsonl --run b=b.jsonl\n  fangwei human row study -o human.csv                   the two rows of a board\n\nThe platform is not needed: give items.jsonl to subjects and put their answers into answers/."
))]
pub struct Human {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(about = t("算出题数，分层抽题，建立文件夹", "reckon the number of items, draw them by strata, make the folder"))]
    Plan(Box<plan::Plan>),
    #[cfg(feature = "web")]
    #[command(about = t("放上平台，分给每名被试", "bring it to the platform and give it to each subject"))]
    Open(site::Open),
    #[cfg(feature = "web")]
    #[command(about = t("从平台取回作答", "bring the answers back from the platform"))]
    Take(site::Take),
    #[command(about = t("按规则检查被试；排除和恢复", "check subjects by the rules; exclude and readmit"))]
    Check(check::Check),
    #[command(about = t("被试的得分、一致性、主观性强的题", "scores of subjects, their agreement, subjective items"))]
    Score(score::Score),
    #[command(about = t("同样的题上，人与系统相比", "people and machines on the same items"))]
    Compare(compare::Compare),
    #[command(about = t("排行榜上的两行：人类平均水平、人类最高水平", "the two rows of a board: mean and best of people"))]
    Row(row::Row),
}

impl Human {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.command {
            Command::Plan(plan) => plan.run(),
            #[cfg(feature = "web")]
            Command::Open(open) => open.run(),
            #[cfg(feature = "web")]
            Command::Take(take) => take.run(),
            Command::Check(check) => check.run(),
            Command::Score(score) => score.run(),
            Command::Compare(compare) => compare.run(),
            Command::Row(row) => row.run(),
        }
    }
}

/// How a study is looked at.
#[derive(Args)]
struct Look {
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help = t("重抽样次数", "number of resamples"))]
    resamples: u32,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: PageFormat,
}

impl Look {
    /// The draws of a study: its own seed and confidence.
    fn resampling(&self, study: &fangwei::human::Study) -> Resampling {
        Resampling { seed: study.seed, resamples: self.resamples as usize, confidence: study.plan.confidence }
    }
}
