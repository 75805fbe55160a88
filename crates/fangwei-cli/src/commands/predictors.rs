//! `fangwei predictors`: which there are, what they serve, their options; and the record of a model folder.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fangwei::table::{Cell, Format, Table};
use fangwei_predict::folder::read_record;
use fangwei_predict::options::When;
use fangwei_predict::predictor::{PREDICTORS, Predictor, find, serves};
use serde_json::{Value, json};

use crate::lang::{lang, t};
use crate::output::{Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei predictors\n  fangwei predictors linear\n  fangwei predictors --model models/anomaly",
    "Examples:\n  fangwei predictors\n  fangwei predictors linear\n  fangwei predictors --model models/anomaly"
))]
pub struct Predictors {
    #[arg(value_parser = parse_predictor, value_name = "NAME", help = t("只看这一个，连同选项", "this one only, with its options"))]
    name: Option<&'static dyn Predictor>,
    #[arg(long, value_name = "DIR", conflicts_with = "name", help = t("显示一个模型文件夹的记录", "show the record of a model folder"))]
    model: Option<PathBuf>,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Predictors {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        if let Some(folder) = &self.model {
            let record = match read_record(folder) {
                Ok(record) => record,
                Err(error) => bail!("{}", error.say(lang())),
            };
            if self.json {
                output.json(&record)?;
            } else {
                output.text(&super::train::summary(&record, folder));
            }
            return Ok(Status::Clean);
        }
        let shown: Vec<&dyn Predictor> = self.name.map_or_else(|| PREDICTORS.to_vec(), |one| vec![one]);
        if self.json {
            output.json(&shown.iter().map(|one| told(*one)).collect::<Vec<_>>())?;
        } else if let Some(one) = self.name {
            output.text(&page(one));
        } else {
            let mut table = Table::new([t("名称", "name"), t("做什么", "what it does"), t("任务", "tasks")]);
            for one in shown {
                table.row([one.about().name.into(), one.about().title.get(lang()).into(), serves(one).join(" ").into()]);
            }
            output.text(&table.render(Format::Text));
        }
        Ok(Status::Clean)
    }
}

fn told(one: &dyn Predictor) -> Value {
    let option = |spec: &fangwei_predict::options::Spec| {
        let when = if spec.when == When::Train { "train" } else { "predict" };
        json!({ "name": spec.name, "default": spec.default, "when": when, "takes": spec.kind.expected(), "help": spec.help.get(lang()) })
    };
    json!({
        "name": one.about().name,
        "title": one.about().title.get(lang()),
        "how": one.about().how.get(lang()),
        "learns": one.learns(),
        "tasks": serves(one),
        "options": one.options().iter().map(option).collect::<Vec<_>>(),
    })
}

fn page(one: &dyn Predictor) -> String {
    let about = one.about();
    let mut text = format!("{}: {}\n\n{}\n\n", about.name, about.title.get(lang()), about.how.get(lang()));
    text += &format!("{}: {}\n", t("任务", "tasks"), serves(one).join(" "));
    if !one.options().is_empty() {
        let mut table =
            Table::new([t("选项", "option"), t("默认", "default"), t("取值", "takes"), t("何时", "when"), t("说明", "help")]);
        for spec in one.options() {
            let when = if spec.when == When::Train { t("训练", "train") } else { t("预测", "predict") };
            let takes = Cell::from(spec.kind.expected());
            table.row([spec.name.into(), spec.default.into(), takes, when.into(), spec.help.get(lang()).into()]);
        }
        text += &format!("\n{}", table.render(Format::Text));
    }
    text
}

/// Reads the name of a predictor.
pub fn parse_predictor(name: &str) -> Result<&'static dyn Predictor, String> {
    find(name).map_err(|unknown| unknown.say(lang()))
}

/// Reads `name=value`.
pub fn parse_option(given: &str) -> Result<(String, String), String> {
    let (name, value) = given.split_once('=').ok_or_else(|| t("应为 名称=值", "expected NAME=VALUE").to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}
