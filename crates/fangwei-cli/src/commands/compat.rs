//! `fangwei compat`: the old scripts' flags and output, with an exit code that tells the truth.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use fangwei::record::{Code, Json, Source, read_all};
use fangwei::score::{ScoreError, read_preds, score};
use fangwei::task::{Mode, Task};
use serde_json::{Map, Value, json};

use crate::lang::t;
use crate::output::{Output, Status, Usage, tell};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Script {
    #[value(name = "2021/evaluate")]
    Evaluate2021,
    #[value(name = "2022/task1_examine")]
    Task1Examine2022,
    #[value(name = "2022/task2_examine")]
    Task2Examine2022,
    #[value(name = "2022/task3_examine")]
    Task3Examine2022,
    #[value(name = "2023/task1_eval")]
    Task1Eval2023,
    #[value(name = "2023/task2_eval")]
    Task2Eval2023,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    Loose,
    Strict,
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei compat 2022/task2_examine --answer_path dev.jsonl \\\n    --prediction_path pred.jsonl --prediction_level strict\n  fangwei compat 2021/evaluate --answer_path task1.json \\\n    --answer_path task2.json --answer_path task3.json --prediction_path sheet.json\n\n输出与旧脚本相同：Accepted 一行，然后是缩进的 JSON。出错时输出 Error in execution，原因写到标准错误，退出码为 1。",
    "Examples:\n  fangwei compat 2022/task2_examine --answer_path dev.jsonl \\\n    --prediction_path pred.jsonl --prediction_level strict\n  fangwei compat 2021/evaluate --answer_path task1.json \\\n    --answer_path task2.json --answer_path task3.json --prediction_path sheet.json\n\nPrints what the old scripts print: a line Accepted, then indented JSON. On an error it prints Error in execution, tells the reason on standard error and exits with 1."
))]
pub struct Compat {
    #[arg(value_enum, value_name = "SCRIPT", help = t("旧脚本的名字", "the old script's name"))]
    script: Script,
    #[arg(long = "answer_path", alias = "answer-path", required = true, num_args = 1.., help = t("答案文件；2021 为三个文件", "gold file; three files for 2021"))]
    answer_path: Vec<PathBuf>,
    #[arg(long = "prediction_path", alias = "prediction-path", help = t("预测文件", "file of predictions"))]
    prediction_path: PathBuf,
    #[arg(long = "prediction_level", alias = "prediction-level", value_enum, default_value = "strict", help = t("层级，只用于有层级的任务", "level, for tasks that have levels"))]
    prediction_level: Level,
    #[arg(long, hide = true)]
    debug: bool,
}

impl Compat {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        let result = match self.result() {
            Err(error) if !error.is::<Usage>() => {
                output.line("Error in execution");
                return Err(error);
            }
            other => other?,
        };
        match result {
            Some(value) => {
                output.line("Accepted");
                output.json(&value)?;
                Ok(Status::Clean)
            }
            None => {
                output.line("Error in execution");
                Ok(Status::Defects)
            }
        }
    }

    fn result(&self) -> anyhow::Result<Option<Value>> {
        match self.script {
            Script::Evaluate2021 => self.evaluate_2021(),
            Script::Task1Examine2022 => self.one("2022/judge", None),
            Script::Task2Examine2022 => self.one("2022/attribute", Some(self.prediction_level)),
            Script::Task3Examine2022 => self.one("2022/roles", None),
            Script::Task1Eval2023 => self.one("2023/anomaly", Some(self.prediction_level)),
            Script::Task2Eval2023 => self.one("2023/roles", None),
        }
    }

    /// The measures of one task; `None` where the script would have failed, with the reasons told.
    fn measures(&self, task: &'static dyn Task, gold: &PathBuf) -> anyhow::Result<Option<Value>> {
        let preds = read_preds(task, Source::open(&self.prediction_path)?)?;
        tell(&preds.unusable);
        // The scripts pass over a record without qid; anything else that cannot be read stops them.
        let stopped = preds.unusable.iter().any(|defect| defect.code != Code::NoQid);
        match score(task, Mode::Official, Source::open(gold)?, &preds, |_, _| ()) {
            Ok(_) if stopped => Ok(None),
            Ok(scored) => Ok(Some(serde_json::to_value(scored.measures())?)),
            Err(ScoreError::Gold(defects)) => {
                tell(&defects);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn one(&self, task: &str, level: Option<Level>) -> anyhow::Result<Option<Value>> {
        let [gold] = self.answer_path.as_slice() else {
            bail!(Usage(format!("--answer_path: 1 {}", t("个文件", "file"))));
        };
        let measures = self.measures(fangwei::tasks::find(task)?, gold)?;
        let level = level.map(|level| if level == Level::Loose { "loose" } else { "strict" });
        Ok(measures.map(|mut measures| level.map(|level| measures[level].take()).unwrap_or(measures)))
    }

    fn evaluate_2021(&self) -> anyhow::Result<Option<Value>> {
        let [task1, task2, task3] = self.answer_path.as_slice() else {
            bail!(Usage(format!("--answer_path: 3 {}", t("个文件（任务 1、2、3）", "files (tasks 1, 2, 3)"))));
        };
        let mut result = Map::new();
        let (sheets, _) = read_all(Source::open(&self.prediction_path)?)?;
        let meta = sheets.first().and_then(|(_, sheet)| sheet.get("meta")).map_or(json!({}), |meta: &Json<'_>| json!(meta));
        result.insert("meta".to_owned(), meta);
        for (name, task, gold) in
            [("subtask1", "2021/judge", task1), ("subtask2", "2021/reason", task2), ("subtask3", "2021/joint", task3)]
        {
            let Some(measures) = self.measures(fangwei::tasks::find(task)?, gold)? else { return Ok(None) };
            result.insert(name.to_owned(), measures);
        }
        Ok(Some(Value::Object(result)))
    }
}
