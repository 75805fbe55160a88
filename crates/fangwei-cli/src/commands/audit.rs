//! `fangwei audit`: siblings across files, label skew, shortcuts, contradictions.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fangwei::audit::{Audit as Found, Dataset, Options, audit};
use fangwei::record::Source;

use super::{Given, parse_given};
use crate::lang::{lang, t};
use crate::output::{Output, PageFormat, Status, Usage, check_files, write_file};

/// What makes an audit fail.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Failure {
    #[value(help = t("有记录格式不对", "a record is malformed"))]
    Malformed,
    #[value(help = t("同一文本的答案互相矛盾", "answers to one text contradict each other"))]
    Contradictory,
    #[value(help = t("一个文件里同一道题出现两次", "an item occurs twice in a file"))]
    Duplicate,
    #[value(help = t("有文本或原句横跨两个文件", "a text or an origin lies in two files"))]
    Crossing,
    #[value(help = t("什么都不算失败", "nothing"))]
    None,
}

impl Failure {
    fn is_in(self, found: &Found) -> bool {
        match self {
            Failure::Malformed => found.malformed() > 0,
            Failure::Contradictory => found.contradictions() > 0,
            Failure::Duplicate => found.duplicates() > 0,
            Failure::Crossing => !found.crossing.is_empty(),
            Failure::None => false,
        }
    }
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei audit task1_train.jsonl task2_train.jsonl task3_train.jsonl\n  fangwei audit train.jsonl dev_input.jsonl --fail-on crossing\n  fangwei audit 2022/judge=train.jsonl --format html -o audit.html\n\n做法：按五字序列找同源组，逐字对齐组内文本，推断被替换的词；统计标签对词的偏斜；按原句分组交叉验证各种捷径，说明多少分数不需要理解。没有答案的文件也参与找同源组。同样的种子得到同样的结果，与线程数无关。\n退出码：0 没有 --fail-on 所列的问题，1 有，或有文件读不了（其余照常审查），2 用法不对。",
    "Examples:\n  fangwei audit task1_train.jsonl task2_train.jsonl task3_train.jsonl\n  fangwei audit train.jsonl dev_input.jsonl --fail-on crossing\n  fangwei audit 2022/judge=train.jsonl --format html -o audit.html\n\nHow: origins are found by shared five-character sequences, texts of one origin are aligned by characters, and so the replaced words are inferred; labels are counted by words; shortcuts are cross-validated by origin and tell how much of a score needs no understanding. Files without answers take part in the search for origins. The same seed gives the same result for any number of threads.\nExit codes: 0 nothing of what --fail-on lists, 1 something of it, or a file cannot be read (the rest is audited), 2 usage."
))]
pub struct Audit {
    #[arg(value_parser = parse_given, value_name = "[TASK=]FILE", required = true, help = t("文件；任务由记录的样子看出，也可以写明：2022/judge=文件", "files; the records tell their task, or name it: 2022/judge=FILE"))]
    files: Vec<Given>,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: PageFormat,
    #[arg(short, long, value_name = "FILE", help = t("写到文件", "write to a file"))]
    out: Option<PathBuf>,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, default_value_t = 10, help = t("交叉验证的折数", "folds of the cross-validation"))]
    folds: usize,
    #[arg(long, value_name = "N", default_value_t = 30, help = t("词表和缺陷各显示多少行；json 总是全部", "rows shown of words and of defects; json always has all"))]
    top: usize,
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST", default_value = "malformed,contradictory", help = t("有这些问题时退出码为 1，用逗号分隔", "exit with 1 on these, separated by commas"))]
    fail_on: Vec<Failure>,
}

impl Audit {
    pub fn run(self) -> anyhow::Result<Status> {
        if !(2..=1000).contains(&self.folds) {
            return Err(Usage(format!("--folds {}: 2..=1000", self.folds)).into());
        }
        let written: Vec<&Path> = self.out.iter().map(PathBuf::as_path).collect();
        check_files(self.files.iter().map(|given| given.path.as_path()), &written)?;
        let (mut sets, mut status) = (Vec::new(), Status::Clean);
        for given in &self.files {
            match read(given) {
                Ok(set) => sets.push(set),
                Err(error) => {
                    Output::stderr().line(&format!("{}: {}", t("错误", "error"), crate::words_of(&error)));
                    status = Status::Defects;
                }
            }
        }
        let found = audit(&sets, &Options { seed: self.seed, folds: self.folds, ..Options::default() });
        let text = match self.format.page() {
            None => serde_json::to_string_pretty(&found.to_json(lang()))? + "\n",
            Some(format) => found.page(lang(), self.top).render(format),
        };
        match &self.out {
            Some(path) => write_file(path, text.as_bytes())?,
            None => Output::stdout().text(&text),
        }
        let failed = self.fail_on.iter().any(|failure| failure.is_in(&found));
        Ok(if failed { Status::Defects } else { status })
    }
}

fn read(given: &Given) -> anyhow::Result<Dataset> {
    Ok(Dataset::read(Source::open(&given.path)?, given.task)?)
}
