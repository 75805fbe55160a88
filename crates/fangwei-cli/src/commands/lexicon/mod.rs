//! `fangwei lexicon`: looks up, lists, checks, compares and hands out the spatial lexicon.

mod check;
mod coverage;
mod diff;
mod export;
mod list;
mod show;

use clap::{Args, Subcommand};

use crate::lang::t;
use crate::output::Status;

#[derive(Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = t(
        "例：\n  fangwei lexicon show 上 桌子\n  fangwei lexicon list --class locative --model ring\n  fangwei lexicon export 我的词表\n  fangwei lexicon check 我的词表\n  fangwei lexicon diff 我的词表\n\n其他命令用 --lexicon 我的词表 来使用它。",
        "Examples:\n  fangwei lexicon show 上 桌子\n  fangwei lexicon list --class locative --model ring\n  fangwei lexicon export mine\n  fangwei lexicon check mine\n  fangwei lexicon diff mine\n\nOther commands use it with --lexicon mine."
    )
)]
pub struct Lexicon {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    #[command(about = t("一个词的全部信息", "everything about a word"))]
    Show(show::Show),
    #[command(about = t("列出词、词对、替换组或名词", "list words, pairs, groups or nouns"))]
    List(list::List),
    #[command(about = t("检查词表，列出全部缺陷", "check a lexicon and list every defect"))]
    Check(check::Check),
    #[command(about = t("比较两个词表", "compare two lexicons"))]
    Diff(diff::Diff),
    #[command(about = t("词表与语料的相互覆盖", "how lexicon and corpus cover each other"))]
    Coverage(coverage::Coverage),
    #[command(about = t("写出自带的词表，供修改", "write the shipped tables, to be edited"))]
    Export(export::Export),
}

impl Lexicon {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.what {
            What::Show(show) => show.run(),
            What::List(list) => list.run(),
            What::Check(check) => check.run(),
            What::Diff(diff) => diff.run(),
            What::Coverage(coverage) => coverage.run(),
            What::Export(export) => export.run(),
        }
    }
}
