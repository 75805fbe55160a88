//! `fangwei human plan`: how many items, which, and the folder of a study.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fangwei::convert::OutFile;
use fangwei::human::Drawn;
use fangwei::human::{By, Draw, FILE, Known, Late, Planned, Reckoning, Study, Wanted, design_effect, draw, spread, usual_rules};
use fangwei::lang::{Unknown, words};
use fangwei::origin::Grouping;
use fangwei::record::Source;
use fangwei::score::{read_items, read_preds, score_items};
use fangwei::stats::Groups;
use fangwei::task::{Item, Mode, Task, write_item};

use super::folder::{ANSWERS, GOLD, ITEMS};
use crate::commands::parse_task;
use crate::folder::write_folder;
use crate::groups::groups;
use crate::lang::{lang, t};
use crate::output::{Output, PageFormat, Status, Usage, errors, tell};

#[derive(Args)]
#[command(after_help = t(
    "题数：准确率按 Wilson 区间在 --expect 处的半宽；其他指标按各题得分的标准差（--run 给出一个系统在这份答案上的预测；没有就用上限）。再计入同源题的设计效应（默认每个原句至多一题）和有限总体。--items 直接指定题数。\n抽题：按 --by 的各类分层，比例取整用最大余数法；--equal label 使各标签题数相等，2022 年正常和异常各 50 题就是这样。同样的输入和种子，得到同样的文件。\n例：\n  fangwei human plan 2022/judge --gold 测试集.jsonl --out 测试 --items 100 --equal label\n  fangwei human plan 2022/roles --gold 测试集.jsonl --out 测试 --run 基线.jsonl --width 0.04",
    "How many: accuracies by the half width of Wilson's interval at --expect, other measures by the deviation of item scores (--run gives a system's predictions on this gold; without, by a bound); then the design effect of siblings (by default an origin gives one item at most) and the finite population. --items tells the number outright.\nWhich: strata by the classes of --by, shares in whole numbers by largest remainders; --equal label gives every label the same number, as the 50 normal and 50 abnormal items of 2022. The same input and seed give the same files.\nExamples:\n  fangwei human plan 2022/judge --gold test.jsonl --out study --items 100 --equal label\n  fangwei human plan 2022/roles --gold test.jsonl --out study --run baseline.jsonl --width 0.04"
))]
pub struct Plan {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务", "the task"))]
    task: &'static dyn Task,
    #[arg(long, value_name = "FILE", help = t("答案文件，从中抽题", "the gold file to draw from"))]
    gold: PathBuf,
    #[arg(long, value_name = "FOLDER", help = t("建立的文件夹", "the folder to make"))]
    out: PathBuf,
    #[arg(long, help = t("名称；默认为文件夹名", "its title; by default the name of the folder"))]
    title: Option<String>,
    #[arg(long, value_name = "H", default_value_t = 0.05, help = t("一名被试得分的区间半宽", "half width of the interval of one subject's score"))]
    width: f64,
    #[arg(long, value_name = "P", default_value_t = 0.95, help = t("置信水平", "confidence"))]
    confidence: f64,
    #[arg(long, value_name = "P", default_value_t = 0.8, help = t("预计的得分", "the score that is expected"))]
    expect: f64,
    #[arg(long, value_name = "FILE", help = t("一个系统的预测，由它得到各题得分的标准差和同源题的相关", "predictions of a system, for the deviation of item scores and the correlation of siblings"))]
    run: Option<PathBuf>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help = t("直接指定题数", "the number of items, outright"))]
    items: Option<u64>,
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000), help = t("被试人数，用来估计平均分的区间", "the number of subjects, for the interval of their mean"))]
    subjects: u64,
    #[arg(long, value_name = "R", default_value_t = 0.5, help = t("被试在同一题上得分的相关", "how far subjects' scores of an item correlate"))]
    agreement: f64,
    #[arg(long, value_delimiter = ',', value_name = "LIST", help = t("分层：label、任务的类别（见 score --by）或字段；默认 genre,label", "strata: label, a facet of the task (see score --by) or a field; by default genre,label"))]
    by: Option<Vec<String>>,
    #[arg(long, value_name = "NAME", help = t("这一类的各值题数相等", "equal numbers for the values of this class"))]
    equal: Option<String>,
    #[arg(long, help = t("一个原句可以取多题", "an origin may give several items"))]
    siblings: bool,
    #[arg(long, default_value = "auto", value_name = "auto|none|context|FIELD", help = t("哪些题同源", "which items belong together"))]
    group: Grouping,
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(5..=86_400), help = t("每题限时", "seconds for an item"))]
    time_limit: Option<u32>,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: PageFormat,
}

impl Plan {
    pub fn run(self) -> anyhow::Result<Status> {
        let title = self.title()?;
        let (items, defects) = read_items(self.task, Source::open(&self.gold)?, true)?;
        tell(&defects);
        if errors(&defects) > 0 || items.is_empty() {
            bail!("{}: {}", self.gold.display(), t("答案文件有错误", "the gold file has errors"));
        }
        let keys: Vec<_> = items.iter().map(|item| self.group.key(item)).collect();
        let groups = groups(&self.group, &keys)?;
        let (by, equal) = self.strata(&items)?;
        let (wanted, status) = self.wanted(&items, &groups)?;
        wanted.check().map_err(|say| Usage(say.get(lang()).to_owned()))?;
        let size = wanted.size(self.items);
        let names: Vec<String> = by.iter().map(|by| by.name().to_owned()).collect();
        let plan = Draw { task: self.task, by, equal, siblings: self.siblings, items: size.items as usize, seed: self.seed };
        let drawn = draw(&plan, &items, &groups);
        let reckoning = Reckoning {
            width: self.width,
            confidence: self.confidence,
            expect: self.expect,
            deviation: wanted.deviation,
            known: known_word(wanted.known).to_owned(),
            population: items.len() as u64,
            origins: groups.count() as u64,
            design_effect: wanted.design_effect,
            items: drawn.items.len() as u64,
            subjects: self.subjects,
            agreement: self.agreement,
            by: names.clone(),
            equal: equal.map(|equal| names[equal].clone()).unwrap_or_default(),
            siblings: self.siblings,
        };
        let study = Study {
            task: self.task,
            title: title.clone(),
            seed: self.seed,
            group: self.group.clone(),
            time_limit: self.time_limit,
            late: Late::Count,
            plan: reckoning,
            rules: usual_rules(),
        };
        write_folder(&self.out, &self.files(&study, &items, &drawn))?;
        let planned = Planned {
            title,
            task: self.task.id(),
            size,
            reckoning: wanted.say(&size, self.items).iter().map(|say| say.get(lang()).to_owned()).collect(),
            by: names,
            remarks: remarks(&drawn),
            strata: drawn.strata,
        };
        let mut output = Output::stdout();
        match self.format.page() {
            None => output.json(&planned)?,
            Some(format) => output.text(&planned.page(lang()).render(format)),
        }
        Ok(status)
    }

    fn title(&self) -> anyhow::Result<String> {
        let folder = || self.out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let title = self.title.clone().unwrap_or_else(folder);
        if !(1..=100).contains(&title.chars().count()) || title.chars().any(char::is_control) || title.trim() != title {
            let why = t("应为 1 到 100 个可见的字", "expected 1 to 100 visible characters");
            bail!(Usage(format!("--title {title:?}: {why}")));
        }
        Ok(title)
    }

    /// The strata: those that were asked for, or those of genre and label that some item has.
    fn strata(&self, items: &[Item]) -> anyhow::Result<(Vec<By>, Option<usize>)> {
        let has = |by: &By| items.iter().any(|item| by.class(self.task, item).is_some());
        let mut by: Vec<By> = match &self.by {
            Some(names) => names.iter().filter(|name| !name.is_empty()).map(|name| By::parse(name, self.task)).collect(),
            None => ["genre", "label"].into_iter().map(|name| By::parse(name, self.task)).filter(|by| has(by)).collect(),
        };
        if let Some(equal) = self.equal.as_ref().filter(|equal| !by.iter().any(|by| by.name() == **equal)) {
            by.push(By::parse(equal, self.task));
        }
        if let Some(none) = by.iter().find(|by| !has(by)) {
            let known = ["label"].into_iter().chain(self.task.facets().iter().copied()).chain(["length"]);
            let what = words("没有题目有这个类别或字段", "no item has the class or field");
            bail!(Usage(Unknown::new(what, none.name(), known).say(lang())));
        }
        let equal = self.equal.as_ref().and_then(|equal| by.iter().position(|by| by.name() == equal));
        Ok((by, equal))
    }

    /// What is wanted, with what a run tells of the items.
    fn wanted(&self, items: &[Item], groups: &Groups) -> anyhow::Result<(Wanted, Status)> {
        let bound = (self.expect * (1.0 - self.expect)).max(0.0).sqrt();
        let (mut deviation, mut known, mut correlation, mut status) = (bound, Known::Bound, 1.0, Status::Clean);
        if let Some(path) = &self.run {
            let preds = read_preds(self.task, Source::open(path)?)?;
            tell(&preds.unusable);
            if !preds.unusable.is_empty() {
                status = Status::Defects;
            }
            let answers: Vec<_> = items.iter().map(|item| preds.answers.get(&item.qid)).collect();
            let scored = score_items(self.task, Mode::Official, items, &answers);
            let column = self.task.scale().item;
            let scores: Vec<f64> = (0..items.len()).map(|item| scored.row(item)[column]).collect();
            if let Some((of_run, of_siblings)) = spread(&scores, groups) {
                (deviation, known, correlation) = (of_run, Known::Run, of_siblings);
            }
        }
        if self.task.scale().accuracy {
            (deviation, known) = (bound, Known::Share);
        }
        let population = items.len() as u64;
        let wanted = Wanted {
            half_width: self.width,
            confidence: self.confidence,
            expect: self.expect,
            deviation,
            known,
            population,
            drawable: if self.siblings { population } else { groups.count() as u64 },
            design_effect: if self.siblings { design_effect(groups, correlation) } else { 1.0 },
            subjects: self.subjects,
            agreement: self.agreement,
        };
        Ok((wanted, status))
    }

    /// The files of the folder: subjects see texts and identifiers, and nothing else.
    fn files(&self, study: &Study, items: &[Item], drawn: &Drawn) -> Vec<OutFile> {
        let lines = |write: &dyn Fn(&Item) -> Item| -> Vec<u8> {
            let line = |number: &usize| write_item(self.task, &write(&items[*number])).to_line() + "\n";
            drawn.items.iter().map(line).collect::<String>().into_bytes()
        };
        let blind = |item: &Item| Item { gold: None, corefs: None, extra: Vec::new(), ..item.clone() };
        vec![
            OutFile { path: FILE.to_owned(), bytes: study.write().into_bytes() },
            OutFile { path: ITEMS.to_owned(), bytes: lines(&blind) },
            OutFile { path: GOLD.to_owned(), bytes: lines(&Item::clone) },
            OutFile { path: format!("{ANSWERS}/README.md"), bytes: HOW_TO_ANSWER.into() },
        ]
    }
}

/// What stands in the folder of answers, for those who fill it by hand.
const HOW_TO_ANSWER: &str = "每名被试一个文件：姓名.jsonl，一行一题，格式同任务的作答，另可有 `seconds`（用时，秒）和 `late`（是否超时）。`fangwei human take` 从平台取来的也是这样。\n\n\
    A file a subject, NAME.jsonl, an item a line, as answers of the task are, and with `seconds` (time spent) and `late` where known. `fangwei human take` writes the same.\n";

const fn known_word(known: Known) -> &'static str {
    match known {
        Known::Share => "share",
        Known::Run => "run",
        Known::Bound => "bound",
    }
}

fn remarks(drawn: &Drawn) -> Vec<String> {
    let missing: u64 = drawn.strata.iter().map(|stratum| stratum.wanted.saturating_sub(stratum.by_quota)).sum();
    let mut remarks = Vec::new();
    if missing > 0 {
        let made_up = t(
            "道应抽的题所在的层不够，由别的层补足",
            "items that were wanted could not be had in their stratum and were made up from others",
        );
        remarks.push(format!("{missing} {made_up}"));
    }
    remarks
}
