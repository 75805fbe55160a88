//! `fangwei lexicon diff`: what one lexicon has and another has not.

use std::path::PathBuf;

use clap::Args;
use fangwei::lexicon::{Change, Lexicon};
use fangwei::table::{Cell, Table};

use crate::lang::t;
use crate::lexicon::read;
use crate::output::{Format, Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "一个文件夹与自带的词表比较，两个则互相比较。每行一处：+ 多出的，- 少了的，~ 改动的。替换组按词对比较，备注不比较。",
    "One folder is compared with the shipped lexicon, two with each other. A line a difference: + added, - removed, ~ changed. Groups are compared by their pairs; remarks do not count."
))]
pub struct Diff {
    #[arg(value_name = "DIR_A", help = t("前一个词表；只有一个时与自带的词表比较", "the first lexicon; if it is the only one, it is compared with the shipped one"))]
    first: PathBuf,
    #[arg(value_name = "DIR_B", help = t("后一个词表", "the second lexicon"))]
    second: Option<PathBuf>,
    #[arg(long, help = t("只给出每个表的数目", "only count the differences of each table"))]
    summary: bool,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Diff {
    pub fn run(self) -> anyhow::Result<Status> {
        let diff = match &self.second {
            Some(second) => fangwei::lexicon::Diff::of(&read(&self.first)?, &read(second)?),
            None => fangwei::lexicon::Diff::of(Lexicon::shipped(), &read(&self.first)?),
        };
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&diff)?,
            Format::Text if !self.summary => {
                for change in &diff.changes {
                    output.line(&in_words(change));
                }
                if diff.is_empty() {
                    output.line(t("没有差别", "no difference"));
                } else {
                    output.text(&format!("\n{}", summary(&diff).render(self.format.table())));
                }
            }
            format if self.summary => output.text(&summary(&diff).render(format.table())),
            format => {
                let head = [t("差别", "change"), t("表", "table"), t("行", "row"), t("之前", "before"), t("之后", "after")];
                let mut table = Table::new(head);
                for change in diff.changes {
                    let sign = Cell::from(sign(&change));
                    let Change { table: name, name: row, before, after } = change;
                    table.row([sign, Cell::from(name), Cell::from(row), Cell::from(before), Cell::from(after)]);
                }
                output.text(&table.render(format.table()));
            }
        }
        Ok(Status::Clean)
    }
}

fn sign(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "+",
        (_, None) => "-",
        _ => "~",
    }
}

fn in_words(change: &Change) -> String {
    let values: Vec<&str> = [&change.before, &change.after].into_iter().flatten().map(String::as_str).collect();
    format!("{} {} {} {}", sign(change), change.table, change.name, values.join(" → ")).trim_end().to_owned()
}

fn summary(diff: &fangwei::lexicon::Diff) -> Table {
    let mut table = Table::new([t("表", "table"), t("增加", "added"), t("减少", "removed"), t("改动", "changed")]);
    for name in fangwei::lexicon::Diff::TABLES {
        let (added, removed, changed) = diff.count(name);
        table.row([Cell::from(name), Cell::Count(added), Cell::Count(removed), Cell::Count(changed)]);
    }
    table
}
