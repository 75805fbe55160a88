//! `fangwei llm judge`: a model grades the reasons of 2023/scene; what its grades are worth is told beside them.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use fangwei::lang::Lang;
use fangwei::score::{Grades, Rubric, read_grades};
use fangwei_llm::folder::{Folder, Log, RequestsSink};
use fangwei_llm::judge::{Against, Judging, Verdict, rubric_name};
use fangwei_llm::runner::{Job, Sinks, run};
use fangwei_llm::score::Run;

use super::loaded;
use super::server::{Server, Watch, remember, stopper, unfinished};
use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm judge runs/qwen --model M --base-url URL --grades people.csv\n\n判断错误的题为 0 分，不问评判模型。评分写在 DIR/judge/ 里，不会并入 summary.json。\n--grades 是人的评分（qid,rater1,rater2），给出评判模型与人、人与人的二次加权 kappa。",
    "Examples:\n  fangwei llm judge runs/qwen --model M --base-url URL --grades people.csv\n\nItems that are judged wrong have 0 and are not asked about. Grades go to DIR/judge/ and never into summary.json.\n--grades are people's grades (qid,rater1,rater2): the quadratic kappa of judge and people, and of people among themselves, is told beside the points."
))]
pub struct Judge {
    #[arg(value_name = "DIR", help = t("2023/scene 运行的文件夹", "the folder of a run of 2023/scene"))]
    folder: PathBuf,
    #[arg(long, value_enum, default_value = "paper", help = t("评分标准", "rubric"))]
    rubric: RubricName,
    #[arg(long, value_name = "FILE", help = t("答案文件；默认用运行时的", "gold; by default that of the run"))]
    gold: Option<PathBuf>,
    #[arg(long, value_name = "CSV", help = t("人的评分：qid,rater1,rater2，或 qid,rater,grade", "people's grades: qid,rater1,rater2, or qid,rater,grade"))]
    grades: Option<PathBuf>,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
    #[command(flatten)]
    server: Server,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RubricName {
    #[value(help = t("论文的标准", "that of the paper"))]
    Paper,
    #[value(help = t("网页的标准", "that of the page"))]
    Page,
}

impl Judge {
    pub fn run(self) -> anyhow::Result<Status> {
        self.server.check()?;
        let rubric = if self.rubric == RubricName::Page { Rubric::Page } else { Rubric::Paper };
        let (people, mut status) = self.people()?;
        let folders = Folder::within(&self.folder)?;
        let mut scenes = Vec::new();
        for folder in folders {
            if folder.record()?.task == "2023/scene" {
                scenes.push(folder);
            }
        }
        let [folder] = scenes.as_slice() else {
            let what = t("应有一个 2023/scene 的运行，实有", "expected one run of 2023/scene, found");
            bail!(Usage(format!("{}: {what} {}", self.folder.display(), scenes.len())));
        };
        let read = loaded(Run::load(folder, self.gold.as_deref()))?;
        let judging = Judging::new(&read, rubric, &self.server.model, self.server.sampling())?;
        if self.ask(&judging)? == Status::Defects {
            status = Status::Defects;
        }
        let verdict = judging.verdict(people.as_deref())?;
        let place = Folder { path: judging.folder() };
        place.write("grades.csv", verdict.to_csv().as_bytes())?;
        place.write("judge.json", (serde_json::to_string_pretty(&verdict.to_json())? + "\n").as_bytes())?;
        if self.json {
            Output::stdout().json(&verdict.to_json())?;
        } else {
            tell_verdict(&verdict);
        }
        if verdict.graded < verdict.right {
            status = Status::Defects;
        }
        Ok(status)
    }

    fn people(&self) -> anyhow::Result<(Option<Vec<Grades>>, Status)> {
        let Some(path) = &self.grades else { return Ok((None, Status::Clean)) };
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let (grades, defects) = read_grades(&path.display().to_string(), &text);
        tell(&defects);
        Ok((Some(grades), Status::of(&defects)))
    }

    fn ask(&self, judging: &Judging<'_>) -> anyhow::Result<Status> {
        let folder = Folder { path: judging.folder() };
        std::fs::create_dir_all(&folder.path).with_context(|| folder.path.display().to_string())?;
        let provider = self.server.chat(folder.capabilities())?;
        let responses = Log::open(&folder.file("responses.jsonl"))?;
        let failures = Log::open(&folder.file("failures.jsonl"))?;
        let (answered, before) = folder.answered()?;
        let mut sink = RequestsSink::create(&folder.file("requests.jsonl"))?;
        let mut jobs = judging.jobs();
        for job in &jobs {
            sink.add(job, &judging.request(job.index).messages)?;
        }
        sink.finish()?;
        jobs.retain(|job| !answered.contains(&job.key));
        let sinks = Sinks { responses: &responses, failures: &failures, before };
        let watch = Watch::new(jobs.len(), self.server.price());
        let request = |job: &Job| Ok(judging.request(job.index));
        let stop = stopper();
        let (end, progress) =
            run(&provider, &jobs, &request, sinks, &self.server.options(), &stop, &|progress| watch.see(progress));
        watch.end(&progress);
        remember(&folder, &provider)?;
        Ok(match unfinished(&end, &progress) {
            None => Status::Clean,
            Some(why) => {
                Output::stderr().line(&format!("{}: {why}", folder.path.display()));
                Status::Defects
            }
        })
    }
}

fn tell_verdict(verdict: &Verdict) {
    let mut output = Output::stdout();
    let rubric = rubric_name(verdict.rubric);
    output.line(&format!("{} {} ({} {rubric})", t("评判模型", "judge"), verdict.judge, t("标准", "rubric")));
    output.line(&format!(
        "{}: {:.2}  {}",
        t("评判模型的评分（百分制）", "points by the judge, out of 100"),
        verdict.points.points,
        match lang() {
            Lang::Zh => format!("{} 题，判断正确且有理由 {} 题，评出 {} 题", verdict.items, verdict.right, verdict.graded),
            Lang::En =>
                format!("{} items, {} judged right with a reason, {} graded", verdict.items, verdict.right, verdict.graded),
        }
    ));
    if verdict.graded < verdict.right {
        let what = t("题没有评出分数，以上按 0 计", "items got no grade and count as 0 above");
        output.line(&format!("{}: {} {what}", t("注意", "note"), verdict.right - verdict.graded));
    }
    let Some(agreement) = &verdict.agreement else {
        output.line(t(
            "与人的一致性未知：用 --grades 给出人的评分",
            "agreement with people is unknown: --grades gives people's grades",
        ));
        return;
    };
    if agreement.mean.items == 0 {
        output.line(t("没有模型和人都评过的题", "no item was graded by both the judge and people"));
        return;
    }
    let mut line = |name: &str, against: &Against| {
        let kappa = against.kappa.map_or_else(|| "–".to_owned(), |kappa| format!("{kappa:.3}"));
        let band = against.band.map(|band| band.words().get(lang())).unwrap_or_default();
        output.line(&format!(
            "  {name}: kappa {kappa} {band}  {} {:.0}%  ±1 {:.0}%  {} {:+.2}  ({} {})",
            t("相同", "equal"),
            against.exact * 100.0,
            against.within_one * 100.0,
            t("偏差", "bias"),
            against.bias,
            against.items,
            t("题", "items")
        ));
    };
    line(t("模型与人的平均", "judge and mean of people"), &agreement.mean);
    line(t("模型与第一人", "judge and first rater"), &agreement.raters[0]);
    line(t("模型与第二人", "judge and second rater"), &agreement.raters[1]);
    line(t("人与人", "people among themselves"), &agreement.people);
}
