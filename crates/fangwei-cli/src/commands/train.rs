//! `fangwei train`: learns from answered files and writes a model folder.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::Args;
use fangwei::audit::Dataset;
use fangwei::record::Source;
use fangwei::table::{Format, Table};
use fangwei::task::Task;
use fangwei_predict::ensemble::join;
use fangwei_predict::folder::{RECORD, Record};
use fangwei_predict::job::{Report, Watch};
use fangwei_predict::material::Material;
use fangwei_predict::options::Options;
use fangwei_predict::predictor::{PredictError, Predictor, check_task};
use fangwei_predict::training::Plan;

use super::predictors::{parse_option, parse_predictor};
use super::{Given, parse_given, parse_task};
use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage, check_files, same_place};
use crate::progress::Bar;

/// Reads a folder and its weight.
fn parse_member(given: &str) -> Result<(PathBuf, f64), String> {
    let weighed = given.rsplit_once(':').and_then(|(folder, weight)| Some((folder, weight.parse().ok()?)));
    let (folder, weight) = weighed.unwrap_or((given, 1.0));
    let fits = weight > 0.0 && f64::is_finite(weight);
    if fits { Ok((folder.into(), weight)) } else { Err(t("权重应大于 0", "expected a weight above 0").to_owned()) }
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei train 2023/anomaly --data task1_train.jsonl --data 2022/judge=task1_2022.jsonl --out models/anomaly\n  fangwei train 2022/judge --predictor prior -O by=word-prior --data train.jsonl --out models/prior\n  fangwei train 2023/anomaly --member models/anomaly:2 models/encoder --out models/both\n\n几个文件可以来自不同年份和任务，任务由记录的样子看出；同一任务的重复题目只用一次。\n分数是按原句分组交叉验证的：同源的题目绝不分到两边。同样的种子得到同样的模型，与线程数无关。\n中断（Ctrl-C，或被杀）后再运行同一条命令，会从断处继续。",
    "Examples:\n  fangwei train 2023/anomaly --data task1_train.jsonl --data 2022/judge=task1_2022.jsonl --out models/anomaly\n  fangwei train 2022/judge --predictor prior -O by=word-prior --data train.jsonl --out models/prior\n  fangwei train 2023/anomaly --member models/anomaly:2 models/encoder --out models/both\n\nFiles may be of different years and tasks; the records tell their task, and a repeated question is used once.\nThe score is cross-validated by origin group: siblings never lie on both sides. The same seed gives the same model on any number of threads.\nInterrupted (Ctrl-C, or killed), the same command goes on where it stood."
))]
pub struct Train {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务，如 2023/anomaly", "task, such as 2023/anomaly"))]
    task: &'static dyn Task,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", required_unless_present = "members", num_args = 1.., help = t("带答案的文件，可以多个", "answered files, one or more"))]
    data: Vec<Given>,
    #[arg(long, value_name = "DIR", help = t("模型文件夹", "the model folder"))]
    out: PathBuf,
    #[arg(long = "member", value_parser = parse_member, value_name = "DIR[:WEIGHT]", conflicts_with_all = ["data", "predictor", "options"], num_args = 1.., help = t("不训练，把已有的模型合成一个 ensemble", "train nothing: join models that are there into an ensemble"))]
    members: Vec<(PathBuf, f64)>,
    #[arg(long, value_parser = parse_predictor, value_name = "NAME", default_value = "linear", help = t("预测器；fangwei predictors 列出全部", "predictor; fangwei predictors lists them"))]
    predictor: &'static dyn Predictor,
    #[arg(short = 'O', long = "option", value_parser = parse_option, value_name = "NAME=VALUE", help = t("预测器的选项，可以多次", "an option of the predictor, repeatable"))]
    options: Vec<(String, String)>,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, default_value_t = 5, value_name = "N", help = t("交叉验证的折数；0 不做", "folds of the cross-validation; 0 for none"))]
    folds: usize,
    #[arg(long, default_value_t = 1.0, value_name = "SHARE", help = t("只从这么多的原句组学习（0 到 1），用来画学习曲线", "learn from this share of the origin groups (0 to 1), for a learning curve"))]
    share: f64,
    #[arg(long, help = t("覆盖已有的模型", "replace a model that is there"))]
    force: bool,
    #[arg(long, help = t("输出模型记录（JSON）", "print the record of the model as JSON"))]
    json: bool,
}

impl Train {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.folds == 1 || self.folds > 100 {
            return Err(Usage(format!("--folds {}: 0, 2..=100", self.folds)).into());
        }
        if !(self.share > 0.0 && self.share <= 1.0) {
            return Err(Usage(format!("--share {}: 0 < SHARE <= 1", self.share)).into());
        }
        check_files(self.data.iter().map(|given| given.path.as_path()), &[self.out.as_path()])?;
        let given = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let options = Options::new(self.predictor.options(), given).map_err(|error| Usage(error.say(lang())))?;
        check_task(self.predictor, self.task).map_err(|error| Usage(error.say(lang())))?;
        if self.out.join(RECORD).exists() && !self.force {
            let what = t("已有模型；要覆盖请加 --force", "there is a model already; --force replaces it");
            bail!(Usage(format!("{}: {what}", self.out.display())));
        }
        if !self.members.is_empty() {
            return self.join();
        }
        let (sets, status) = self.read()?;
        let material = Material::new(sets);
        let mut told = Output::stderr();
        for note in &material.notes {
            told.line(note.get(lang()));
        }
        let plan = Plan {
            task: self.task,
            predictor: self.predictor,
            options: &options,
            seed: self.seed,
            folds: self.folds,
            share: self.share,
        };
        let watch = Watched::new();
        let record = plan.run(&material, &self.out, &watch);
        watch.bar.end();
        match record {
            Ok(record) => {
                self.show(&record)?;
                Ok(status)
            }
            Err(PredictError::Interrupted) => {
                let what = t("已中断；再运行同一条命令即可继续", "interrupted; the same command goes on from here");
                bail!("{what}")
            }
            Err(error @ (PredictError::Task { .. } | PredictError::Options(_))) => bail!(Usage(error.say(lang()))),
            Err(error) => bail!("{}", error.say(lang())),
        }
    }

    /// Joins models into one.
    fn join(&self) -> anyhow::Result<Status> {
        let members: Vec<(&Path, f64)> = self.members.iter().map(|(folder, weight)| (folder.as_path(), *weight)).collect();
        if let Some((folder, _)) = members.iter().find(|(folder, _)| same_place(folder, &self.out)) {
            bail!(Usage(format!("{}: {}", folder.display(), t("既是成员又是输出", "is both a member and the output"))));
        }
        match join(self.task, &members, &self.out) {
            Ok(record) => {
                self.show(&record)?;
                Ok(Status::Clean)
            }
            Err(error) => bail!("{}", error.say(lang())),
        }
    }

    fn show(&self, record: &Record) -> anyhow::Result<()> {
        let text = if self.json { serde_json::to_string_pretty(record)? + "\n" } else { summary(record, &self.out) };
        Output::stdout().text(&text);
        Ok(())
    }

    fn read(&self) -> anyhow::Result<(Vec<Dataset>, Status)> {
        let (mut sets, mut status) = (Vec::new(), Status::Clean);
        for given in &self.data {
            let set = Dataset::read(Source::open(&given.path)?, given.task)?;
            // What is wrong with a record is told; the others are learnt from.
            crate::output::tell(&set.defects);
            if Status::of(&set.defects) == Status::Defects {
                status = Status::Defects;
            }
            sets.push(set);
        }
        Ok((sets, status))
    }
}

/// A bar over all stages under way, and an ear for Ctrl-C.
struct Watched {
    bar: Bar,
    stages: Mutex<BTreeMap<String, (usize, usize)>>,
}

static STOPPED: AtomicBool = AtomicBool::new(false);

impl Watched {
    fn new() -> Watched {
        // Where no handler can be set, Ctrl-C ends the program; finished stages are on disk all the same.
        let _ = ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed));
        Watched { bar: Bar::training(t("训练", "training")), stages: Mutex::default() }
    }
}

/// The bar counts in thousandths of stages.
const UNIT: usize = 1000;

impl Watch for Watched {
    fn report(&self, report: &Report<'_>) -> ControlFlow<()> {
        if STOPPED.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if let (true, Ok(mut stages)) = (report.steps > 0, self.stages.lock()) {
            stages.insert(report.stage.to_owned(), (report.step * UNIT / report.steps, UNIT));
            let done: usize = stages.values().map(|(done, _)| done).sum();
            let loss = report.loss.map(|loss| format!(" {loss:.4}")).unwrap_or_default();
            self.bar.at(done as u64, (stages.len() * UNIT) as u64);
            self.bar.say(&format!("{} {}{loss}", t("训练", "training"), report.stage));
        }
        ControlFlow::Continue(())
    }
}

/// What people want to know of a new model.
pub fn summary(record: &Record, folder: &Path) -> String {
    let mut text = format!("{}  {}  {}\n", record.task, record.predictor, folder.display());
    for data in &record.data {
        let task = data.task.as_deref().unwrap_or(t("只有文本", "texts only"));
        text += &format!("  {task}  {}  {} + {}\n", data.file, data.answered, data.unanswered);
    }
    let Some(validation) = &record.validation else {
        return text + t("没有交叉验证\n", "not cross-validated\n");
    };
    let mut table = Table::new([t("指标", "measure"), t("值", "value"), ""]);
    for (path, value) in &validation.measures {
        let interval = if *path == validation.ranking {
            format!("[{:.4}, {:.4}] {}", validation.low, validation.high, t("95 % 区间，排名用", "95 % interval, ranks"))
        } else {
            String::new()
        };
        table.row([path.as_str().into(), (*value).into(), interval.into()]);
    }
    let (folds, items, groups) = (validation.folds, validation.items, validation.groups);
    text += &match lang() {
        fangwei::lang::Lang::Zh => format!("按原句分组交叉验证：{folds} 折，{items} 题，{groups} 组\n"),
        fangwei::lang::Lang::En => format!("cross-validated by origin group: {folds} folds, {items} items, {groups} groups\n"),
    };
    text + &table.render(Format::Text)
}
