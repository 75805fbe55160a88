//! `fangwei agree`: how far annotators agree, who stands apart, what becomes gold.

mod choices;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use fangwei::agree::{
    AgreeError, AnswerSet, Decision, GradeRule, InquireError, Inquiry, Marks, Options, OutlierRule, Policy, Report, Triaged,
    differing_texts, grade, marks_of, read_answers, read_checks, read_marks, read_reviews,
};
use fangwei::record::{Defect, Json, Source, read_all};
use fangwei::stats::Resampling;
use fangwei::task::{Item, Mode, Task};
use smol_str::SmolStr;

use self::choices::{KappaName, KeepName, RestName};
use super::{ModeName, parse_task};
use crate::lang::{lang, t};
use crate::output::{FileSink, Output, PageFormat, Status, Usage, check_files, tell};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei agree 判断.tsv\n  fangwei agree 标注.jsonl --exclude 被试4 --exclude 被试7 --format markdown\n  fangwei agree 甲.jsonl 乙.jsonl 丙.jsonl --task 2023/roles\n  fangwei agree 判断.tsv --items 候选.jsonl --triage extremes --out 答案.jsonl\n\n标注文件：JSON 行 {\"item\",\"annotator\",\"label\"}，或第一列为题、其余每个标注者一列的表。有 --task 时，每个文件是一个标注者的作答，片段和元组用该任务的官方评分互为答案计分。\n标签为四级判断（fine someFine someBad bad 或中文名）或数时，自动按顺序处理；unfit（不适合）没有级别。\n没有人会被悄悄去掉：离群者只列出，--exclude 才排除，两种结果都给出。\n退出码：0 正常，1 有记录不能用（其余照常计算），2 用法不对。",
    "Examples:\n  fangwei agree judgements.tsv\n  fangwei agree marks.jsonl --exclude s4 --exclude s7 --format markdown\n  fangwei agree a.jsonl b.jsonl c.jsonl --task 2023/roles\n  fangwei agree judgements.tsv --items candidates.jsonl --triage extremes --out gold.jsonl\n\nFiles of marks: JSON lines of {\"item\",\"annotator\",\"label\"}, or a table with the item in the first column and a column an annotator. With --task each file holds the answers of one annotator; spans and tuples are scored against each other by the official scorer of the task.\nThe four levels (fine someFine someBad bad, or their Chinese names) and numbers are taken as ordered; unfit has no level.\nNobody is left out silently: those who stand apart are only listed, --exclude leaves out, and both results are given.\nExit codes: 0 done, 1 some records cannot be used (the rest counts), 2 usage."
))]
pub struct Agree {
    #[arg(value_name = "FILE", required = true, help = t("标注文件；有 --task 时为作答文件，每人一个", "files of marks; with --task, files of answers, one an annotator"))]
    files: Vec<PathBuf>,
    #[arg(long, value_parser = parse_task, value_name = "TASK", help = t("文件是这个任务的作答", "the files are answers of this task"))]
    task: Option<&'static dyn Task>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, value_name = "ANNOTATOR", help = t("排除一个标注者；可以重复", "leave an annotator out; may be repeated"))]
    exclude: Vec<SmolStr>,
    #[arg(long, value_delimiter = ',', value_name = "LIST", help = t("标签的顺序，从低到高，用逗号分隔", "the order of labels, the lowest first, separated by commas"))]
    order: Vec<SmolStr>,
    #[arg(long, value_enum, default_value_t, help = t("两两矩阵用哪种 kappa", "which kappa compares pairs"))]
    kappa: KappaName,
    #[arg(long, value_name = "N", default_value_t = 5, help = t("共同标注的题少于此数的两人不计", "pairs with fewer items in common do not count"))]
    least_shared: usize,
    #[arg(long, value_name = "X", default_value_t = 0.1, help = t("离群：比中位数低多少以上", "standing apart: more than so far below the median"))]
    outlier_gap: f64,
    #[arg(long, value_name = "X", default_value_t = 2.0, help = t("离群：低 1.4826×MAD 的多少倍以上", "standing apart: more than so many times 1.4826 MAD below"))]
    outlier_spread: f64,
    #[arg(long, value_name = "FILE", help = t("题目文件，提供文本和 origin", "the items, for texts and origins"))]
    items: Option<PathBuf>,
    #[arg(long, value_enum, value_name = "POLICY", help = t("分流：什么成为答案", "triage: what becomes gold"))]
    triage: Option<KeepName>,
    #[arg(long, value_enum, default_value_t, help = t("其余的题怎么办", "what becomes of the rest"))]
    rest: RestName,
    #[arg(long, value_name = "N", default_value_t = 2, help = t("少于此数的标注，题目等待", "items with fewer marks wait"))]
    least_marks: usize,
    #[arg(long, value_name = "FILE", requires = "triage", help = t("答案写到文件，附标注者、判断和规则", "write gold to a file, with annotators, marks and rule"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "triage", help = t("其余的题写到文件，附去向和原因", "write the other items to a file, with decision and reason"))]
    rest_out: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("审核记录，用于等级：{\"item\",\"annotator\",\"round\",\"accept\"}", "reviews, for grades: {\"item\",\"annotator\",\"round\",\"accept\"}"))]
    reviews: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("质检题的答案，用于等级：{\"item\",\"label\"}", "check questions, for grades: {\"item\",\"label\"}"))]
    checks: Option<PathBuf>,
    #[arg(long, default_value_t = 10_000, help = t("重抽样次数；0 不给区间", "number of resamples; 0 gives no intervals"))]
    resamples: usize,
    #[arg(long, default_value_t = 2023, help = t("随机种子", "seed"))]
    seed: u64,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: PageFormat,
}

/// What is known of an item besides its marks.
#[derive(Default)]
struct Known {
    context: Option<String>,
    origin: Option<SmolStr>,
}

impl Agree {
    pub fn run(self) -> anyhow::Result<Status> {
        let read = self.files.iter().chain(&self.items).chain(&self.reviews).chain(&self.checks).map(PathBuf::as_path);
        let written: Vec<&Path> = self.out.iter().chain(&self.rest_out).map(PathBuf::as_path).collect();
        check_files(read, &written)?;
        if !(self.outlier_gap.is_finite() && self.outlier_spread.is_finite()) {
            return Err(Usage("--outlier-gap, --outlier-spread: 0 …".to_owned()).into());
        }
        let mut told = Vec::new();
        let known = self.items.as_deref().map(|path| read_known(path, &mut told)).transpose()?.unwrap_or_default();
        let mut report = self.inquiry().report();
        let marks = match self.task {
            Some(task) => self.read_task(task, &known, &mut report, &mut told)?,
            None => Some(self.read_files(&mut told)?),
        };
        if let Some(mut all) = marks {
            all.add_origins(|item| known.get(item).and_then(|known| known.origin.clone()));
            self.fill(&mut report, &all, &known, &mut told)?;
        } else if self.triage.is_some() || self.reviews.is_some() || self.checks.is_some() {
            let why = t("这个任务的作答不是标签，不能分流或评级", "answers of this task are no labels: no triage, no grades");
            return Err(Usage(why.to_owned()).into());
        }
        tell(&told);
        self.print(&report)?;
        Ok(Status::of(&told))
    }

    fn options(&self) -> Options {
        let weights = self.kappa.into();
        let outliers = OutlierRule { gap: self.outlier_gap, spread: self.outlier_spread, ..OutlierRule::default() };
        Options { resampling: self.resampling(), weights, least_shared: self.least_shared, outliers }
    }

    fn inquiry(&self) -> Inquiry {
        let policy = |keep: KeepName| Policy { keep: keep.into(), rest: self.rest.into(), least_marks: self.least_marks };
        Inquiry { exclude: self.exclude.clone(), options: self.options(), triage: self.triage.map(policy) }
    }

    fn resampling(&self) -> Option<Resampling> {
        let resampling = Resampling { seed: self.seed, resamples: self.resamples, ..Resampling::default() };
        (self.resamples > 0).then_some(resampling)
    }

    /// The marks of all files.
    fn read_files(&self, told: &mut Vec<Defect>) -> anyhow::Result<Marks> {
        let mut marks = Vec::new();
        for path in &self.files {
            let (read, defects) = read_marks(Source::open(path)?)?;
            marks.extend(read);
            told.extend(defects);
        }
        if marks.is_empty() {
            tell(told);
            let what = t(
                "没有可用的标注；若是作答文件，请用 --task 说明任务",
                "no usable mark; for files of answers, name the task with --task",
            );
            anyhow::bail!("{what}");
        }
        Ok(Marks::new(marks, &self.order)?)
    }

    /// The answers of all files, as marks where they are labels, and scored against each other where there is more to them.
    fn read_task(
        &self,
        task: &'static dyn Task,
        known: &HashMap<SmolStr, Known>,
        report: &mut Report,
        told: &mut Vec<Defect>,
    ) -> anyhow::Result<Option<Marks>> {
        let mut sets: Vec<AnswerSet> = Vec::new();
        for (path, name) in self.files.iter().zip(names(&self.files)) {
            let (set, defects) = read_answers(task, &name, Source::open(path)?)?;
            sets.push(set);
            told.extend(defects);
        }
        told.extend(differing_texts(&sets));
        let inquiry = self.inquiry();
        inquiry.check_excluded(sets.iter().map(|set| set.annotator.as_str())).map_err(|error| self.refused(error))?;
        let marks = marks_of(&sets).map(|marks| Marks::new(marks, &self.order)).transpose()?;
        // Of a verdict the score is the share of equal labels, which is told anyway.
        if !task.scale().accuracy {
            let origin = |item: &Item| {
                let own = item.extra.iter().find(|(name, _)| name == "origin");
                let own = own.and_then(|(_, value)| value.as_str().map(SmolStr::new));
                own.or_else(|| known.get(&item.qid).and_then(|known| known.origin.clone()))
            };
            inquiry.scores(task, Mode::from(self.mode), sets, origin, report).map_err(|error| self.refused(error))?;
        }
        Ok(marks)
    }

    /// Everything that is read off a table of labels.
    fn fill(
        &self,
        report: &mut Report,
        all: &Marks,
        known: &HashMap<SmolStr, Known>,
        told: &mut Vec<Defect>,
    ) -> anyhow::Result<()> {
        let (marks, triaged) = self.inquiry().labels(all, report).map_err(|error| self.refused(error))?;
        if let Some(triaged) = triaged {
            self.write(&marks, &triaged, known)?;
        }
        if self.reviews.is_some() || self.checks.is_some() {
            let open = |path: &PathBuf| Source::open(path);
            let (reviews, defects) =
                self.reviews.as_ref().map(open).transpose()?.map(read_reviews).transpose()?.unwrap_or_default();
            told.extend(defects);
            let (checks, defects) = self.checks.as_ref().map(open).transpose()?.map(read_checks).transpose()?.unwrap_or_default();
            told.extend(defects);
            report.grades = grade(&marks, &reviews, &checks, &GradeRule::default());
        }
        Ok(())
    }

    fn refused(&self, error: InquireError) -> anyhow::Error {
        let why = t(
            "标签没有极端：请用四级判断，或用 --order 给出顺序，或 --triage agreed",
            "the labels have no extremes: use the four levels, or give --order, or --triage agreed",
        );
        match error {
            InquireError::Agree(AgreeError::NoExtremes) => Usage(format!("--triage extremes: {why}")).into(),
            InquireError::UnknownAnnotator(unknown) => Usage(unknown.say(lang())).into(),
            other => other.into(),
        }
    }

    /// Writes gold and the rest.
    fn write(&self, marks: &Marks, triaged: &Triaged, known: &HashMap<SmolStr, Known>) -> anyhow::Result<()> {
        for (path, gold) in self.out.iter().map(|path| (path, true)).chain(self.rest_out.iter().map(|path| (path, false))) {
            let mut sink = FileSink::create(path)?;
            for decided in triaged.items.iter().filter(|decided| (decided.decision == Decision::Gold) == gold) {
                let context = known.get(&marks.items()[decided.item]).and_then(|known| known.context.as_deref());
                writeln!(sink, "{}", decided.record(marks, context)).with_context(|| path.display().to_string())?;
            }
            sink.finish()?;
        }
        Ok(())
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        // Gold on standard output leaves no room for the report there.
        let to_stdout = |path: &PathBuf| path.as_os_str() == "-";
        let mut output = if self.out.iter().chain(&self.rest_out).any(to_stdout) { Output::stderr() } else { Output::stdout() };
        let Some(format) = self.format.page() else { return output.json(report) };
        output.text(&report.page(lang(), &self.options().outliers, &GradeRule::default()).render(format));
        Ok(())
    }
}

/// A name an annotator: that of the file without its endings, or the whole path where two would be equal.
fn names(files: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.split('.').next().filter(|stem| !stem.is_empty()).map_or_else(|| name.clone(), ToOwned::to_owned)
    };
    let stems: Vec<String> = files.iter().map(stem).collect();
    let alone = |stem: &String| stems.iter().filter(|other| *other == stem).count() == 1;
    stems.iter().zip(files).map(|(stem, path)| if alone(stem) { stem.clone() } else { path.display().to_string() }).collect()
}

/// Texts and origins of items, by name.
fn read_known(path: &Path, told: &mut Vec<Defect>) -> anyhow::Result<HashMap<SmolStr, Known>> {
    let (records, defects) = read_all(Source::open(path)?)?;
    told.extend(defects);
    let text = |record: &Json<'_>, name: &str| record.get(name).and_then(Json::as_str).map(ToOwned::to_owned);
    let one = |(_, record): &(u64, Json<'_>)| {
        let name = ["item", "qid", "id"].iter().find_map(|name| text(record, name))?;
        Some((name.into(), Known { context: text(record, "context"), origin: text(record, "origin").map(SmolStr::from) }))
    };
    Ok(records.iter().filter_map(one).collect())
}
