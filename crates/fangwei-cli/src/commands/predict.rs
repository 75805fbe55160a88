//! `fangwei predict`: answers items with a model or with rules, and says why.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fangwei::answer::Answer;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Task, Texts, write_pred};
use fangwei_predict::explain::Explanation;
use fangwei_predict::folder::{load, options_of};
use fangwei_predict::options::Options;
use fangwei_predict::predictor::{Model, PredictError, Predictor, check_task};
use rayon::prelude::*;
use serde_json::json;

use super::parse_task;
use super::predictors::{parse_option, parse_predictor};
use crate::lang::{lang, t};
use crate::lines::LineSink;
use crate::output::{Output, Status, Usage, check_files, tell};
use crate::progress::Bar;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei predict 2023/anomaly --model models/anomaly --input items.jsonl --out preds.jsonl\n  fangwei predict 2022/judge --predictor rule --text 他跳进山洞外 --explain\n  fangwei predict 2023/anomaly --model models/anomaly --input items.jsonl --out preds.jsonl --candidates 1\n\n题目里的答案不会被读到。读不了的题目逐条报告，其余照常回答（退出码 1）。",
    "Examples:\n  fangwei predict 2023/anomaly --model models/anomaly --input items.jsonl --out preds.jsonl\n  fangwei predict 2022/judge --predictor rule --text 他跳进山洞外 --explain\n  fangwei predict 2023/anomaly --model models/anomaly --input items.jsonl --out preds.jsonl --candidates 1\n\nAnswers in the input are never looked at. Items that cannot be read are told one by one, the others are answered (exit code 1)."
))]
pub struct Predict {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("任务，如 2023/anomaly", "task, such as 2023/anomaly"))]
    task: &'static dyn Task,
    #[arg(long, value_name = "DIR", help = t("模型文件夹（fangwei train 的结果）", "a model folder, made by fangwei train"))]
    model: Option<PathBuf>,
    #[arg(long, value_parser = parse_predictor, value_name = "NAME", conflicts_with = "model", help = t("不用训练的预测器，如 rule", "a predictor that needs no training, such as rule"))]
    predictor: Option<&'static dyn Predictor>,
    #[arg(long, value_name = "FILE", help = t("题目", "the items"))]
    input: Option<PathBuf>,
    #[arg(long, value_name = "TEXT", conflicts_with = "input", num_args = 1.., help = t("直接给文本；2021/reason 等再给理由，2023/scene 给两段", "a text instead of a file; a reason after it for 2021/reason, two texts for 2023/scene"))]
    text: Vec<String>,
    #[arg(short, long, value_name = "FILE", help = t("预测文件；默认写到标准输出", "the predictions; by default standard output"))]
    out: Option<PathBuf>,
    #[arg(long, help = t("解释每个答案：写到标准输出（给了 --out 或 --text 时）", "explain every answer, on standard output"))]
    explain: bool,
    #[arg(long, requires = "explain", help = t("解释写成 JSON，一题一行", "explanations as JSON, an item a line"))]
    json: bool,
    #[arg(short = 'O', long = "option", value_parser = parse_option, value_name = "NAME=VALUE", help = t("预测器的选项，可以多次", "an option of the predictor, repeatable"))]
    options: Vec<(String, String)>,
    #[arg(long, value_name = "N", help = t("候选答案的个数（即 -O candidates=N）", "number of candidates (short for -O candidates=N)"))]
    candidates: Option<u32>,
    #[arg(long, help = t("2022/attribute：三种类型各答一个（即 -O all-types=true）", "2022/attribute: an answer of each type (short for -O all-types=true)"))]
    all_types: bool,
}

/// What an item got.
struct Answered {
    answer: Result<Answer, PredictError>,
    explanation: Option<Result<Explanation, PredictError>>,
}

impl Predict {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.explain && self.out.is_none() && self.input.is_some() {
            let what = t(
                "--explain 写到标准输出，所以需要 --out FILE 放预测",
                "--explain goes to standard output, so --out FILE is needed for the predictions",
            );
            bail!(Usage(what.to_owned()));
        }
        check_files(self.input.iter().map(PathBuf::as_path), &self.out.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let (mut model, options) = self.load()?;
        let (items, mut status) = self.items()?;
        if let Err(error) = model.prepare(&items) {
            bail!("{}", error.say(lang()));
        }
        let bar = Bar::items(t("预测", "predicting"));
        bar.begin(items.len() as u64);
        let answered: Vec<Answered> = items
            .par_iter()
            .map(|item| {
                let answer = model.answer(self.task, item, &options);
                let explanation = self.explain.then(|| model.explain(item, &options));
                bar.step();
                Answered { answer, explanation }
            })
            .collect();
        bar.end();
        let mut sink = match (&self.out, self.explain) {
            (Some(path), _) => Some(LineSink::create(path)?),
            (None, false) => Some(LineSink::create("-".as_ref())?),
            (None, true) => None,
        };
        let mut told = Output::stderr();
        for (item, answered) in items.iter().zip(&answered) {
            match (&answered.answer, &mut sink) {
                (Ok(answer), Some(sink)) => sink.line(write_pred(self.task, &item.qid, answer).to_line().as_bytes())?,
                (Ok(_), None) => {}
                (Err(error), _) => {
                    told.line(&format!("{}: {}", item.qid, error.say(lang())));
                    status = Status::Defects;
                }
            }
        }
        if let Some(sink) = sink {
            sink.finish()?;
        }
        if self.explain {
            self.tell(&items, &answered)?;
        }
        Ok(status)
    }

    /// The model and the options of this run.
    fn load(&self) -> anyhow::Result<(Box<dyn Model>, Options)> {
        let refuse = |error: PredictError| match error {
            PredictError::Options(_) | PredictError::Task { .. } => anyhow::Error::from(Usage(error.say(lang()))),
            error => anyhow::anyhow!("{}", error.say(lang())),
        };
        let mut given: Vec<(String, String)> = self.options.clone();
        given.extend(self.candidates.map(|count| ("candidates".to_owned(), count.to_string())));
        given.extend(self.all_types.then(|| ("all-types".to_owned(), "true".to_owned())));
        let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        match (&self.model, self.predictor) {
            (Some(folder), _) => {
                let loaded = load(folder, Some(self.task)).map_err(refuse)?;
                let options = options_of(loaded.predictor, &loaded.record).map_err(refuse)?;
                let options = options.with(given).map_err(|error| refuse(error.into()))?;
                Ok((loaded.model, options))
            }
            (None, Some(predictor)) => {
                check_task(predictor, self.task).map_err(refuse)?;
                let options = Options::new(predictor.options(), given);
                let options = options.map_err(|error| refuse(error.into()))?;
                let Some(model) = predictor.ready(self.task, &options) else {
                    let what = t("需要先训练：fangwei train，再用 --model", "has to learn first: fangwei train, then --model");
                    bail!(Usage(format!("{}: {what}", predictor.about().name)));
                };
                Ok((model, options))
            }
            (None, None) => {
                bail!(Usage(t("需要 --model DIR，或 --predictor rule", "--model DIR or --predictor rule is needed").to_owned()))
            }
        }
    }

    fn items(&self) -> anyhow::Result<(Vec<Item>, Status)> {
        let Some(input) = &self.input else {
            return Ok((vec![self.typed()?], Status::Clean));
        };
        let (mut items, defects) = read_items(self.task, Source::open(input)?, false)?;
        tell(&defects);
        for item in &mut items {
            item.gold = None;
            item.corefs = None;
        }
        Ok((items, Status::of(&defects)))
    }

    /// The item that was typed.
    fn typed(&self) -> anyhow::Result<Item> {
        let about = self.task.about();
        // In the early page of 2022 the reason is the answer.
        let asks = |field: &&str| about.fields.contains(field) && about.answer != *field;
        let texts = match (&self.text[..], asks(&"context2"), asks(&"reason")) {
            ([one, two], true, _) => Texts::Pair { context1: one.into(), context2: two.into() },
            ([one, two], _, true) => Texts::Reason { context: one.into(), reason: two.into() },
            ([one], false, false) => Texts::One { context: one.into() },
            (given, pair, reason) => {
                let expected = 1 + usize::from(pair || reason);
                bail!(Usage(format!("--text: {} {expected}, {} {}", t("应有", "expected"), t("实有", "found"), given.len())));
            }
        };
        Ok(Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() })
    }

    fn tell(&self, items: &[Item], answered: &[Answered]) -> anyhow::Result<()> {
        let mut output = Output::stdout();
        for (item, answered) in items.iter().zip(answered) {
            let (Ok(answer), Some(Ok(explanation))) = (&answered.answer, &answered.explanation) else { continue };
            let pred = write_pred(self.task, &item.qid, answer).to_line();
            if self.json {
                let pred: serde_json::Value = serde_json::from_str(&pred)?;
                output.line(&json!({ "qid": item.qid, "answer": pred, "because": explanation.to_json(lang()) }).to_string());
            } else {
                output.line(&format!("{}  {}", item.qid, item.texts.each().join(" / ")));
                output.line(&format!("  {pred}"));
                output.text(&explanation.to_text(lang()));
            }
        }
        Ok(())
    }
}
