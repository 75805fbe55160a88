//! `fangwei demo`: the main job on the bundled sample, with nothing to install or download.

mod data;

use clap::Args;
use fangwei::record::Source;
use fangwei::score::{Rubric, alignment_text, grade_scenes, read_grades, read_preds, score};
use fangwei::table::{Cell, Table};
use fangwei::task::{Mode, Task};
use fangwei::validate::validate;

use crate::lang::{lang, t};
use crate::output::{Output, Status};

/// The sample of a task: gold and the predictions of a made-up system.
struct Sample {
    task: &'static str,
    gold: &'static str,
    pred: &'static str,
}

macro_rules! sample {
    ($task:literal, $gold:literal, $pred:literal) => {
        Sample {
            task: $task,
            gold: include_str!(concat!("../../../../../data/sample/", $gold)),
            pred: include_str!(concat!("../../../../../data/sample/", $pred)),
        }
    };
}

const SAMPLES: &[Sample] = &[
    sample!("2021/judge", "2021/judge/gold.json", "2021/sheet.json"),
    sample!("2021/reason", "2021/reason/gold.json", "2021/sheet.json"),
    sample!("2021/joint", "2021/joint/gold.json", "2021/sheet.json"),
    sample!("2022-draft/attribute", "2022-draft/attribute/gold.jsonl", "2022-draft/attribute/pred.jsonl"),
    sample!("2022-draft/relations", "2022-draft/relations/gold.jsonl", "2022-draft/relations/pred.jsonl"),
    sample!("2022/judge", "2022/judge/gold.jsonl", "2022/judge/pred.jsonl"),
    sample!("2022/attribute", "2022/attribute/gold.jsonl", "2022/attribute/pred.jsonl"),
    sample!("2022/roles", "2022/roles/gold.jsonl", "2022/roles/pred.jsonl"),
    sample!("2023/anomaly", "2023/anomaly/gold.jsonl", "2023/anomaly/pred.jsonl"),
    sample!("2023/roles", "2023/roles/gold.jsonl", "2023/roles/pred.jsonl"),
    sample!("2023/scene", "2023/scene/gold.jsonl", "2023/scene/pred.jsonl"),
];

const GRADES: &str = include_str!("../../../../../data/sample/2023/scene/grades.csv");

#[derive(Args)]
pub struct Demo {}

impl Demo {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        output.line(t(
            "一、检查并评分：自带样例，每个任务一份答案和一个虚构系统的预测\n",
            "1. Check and score: the bundled sample, gold and a made-up system's predictions for every task\n",
        ));
        let mut table = Table::new([
            t("任务", "task"),
            t("题数", "items"),
            t("作答", "answered"),
            t("缺陷", "defects"),
            t("排名指标", "ranking measure"),
            "official",
            "spec",
        ]);
        for sample in SAMPLES {
            table.row(row(sample)?);
        }
        output.line(&table.render(fangwei::table::Format::Text));
        grades(&mut output)?;
        output.line(t("\n三、一题为什么得这个分\n", "\n3. Why an item got its score\n"));
        explain(&mut output)?;
        data::making(&mut output)?;
        data::audited(&mut output)?;
        output.line(t(
            "\n接下来：\n  fangwei build data/sample/build.toml --out out\n  fangwei tasks 2023/roles\n  fangwei score 2023/roles --gold data/sample/2023/roles/gold.jsonl --pred data/sample/2023/roles/pred.jsonl --by role --ci\n  fangwei score --help",
            "\nNext:\n  fangwei build data/sample/build.toml --out out\n  fangwei tasks 2023/roles\n  fangwei score 2023/roles --gold data/sample/2023/roles/gold.jsonl --pred data/sample/2023/roles/pred.jsonl --by role --ci\n  fangwei score --help",
        ));
        Ok(Status::Clean)
    }
}

fn row(sample: &Sample) -> anyhow::Result<Vec<Cell>> {
    let task = fangwei::tasks::find(sample.task)?;
    let preds = read_preds(task, Source::from_bytes("pred", sample.pred)?)?;
    let (items, _) = fangwei::score::read_items(task, Source::from_bytes("gold", sample.gold)?, true)?;
    let report = validate(task, Source::from_bytes("pred", sample.pred)?, Some(&items))?;
    let score =
        |mode| score(task, mode, Source::from_bytes("gold", sample.gold)?, &preds, |_, _| ()).map_err(anyhow::Error::from);
    let (official, spec) = (score(Mode::Official)?, score(Mode::Spec)?);
    let ranking = |scored: &fangwei::score::Scored<()>| Cell::from(scored.measures().get(task.scale().ranking));
    Ok(vec![
        Cell::from(task.id()),
        Cell::Count(official.total.items),
        Cell::Count(official.total.answered),
        Cell::Count(report.errors() as u64),
        Cell::from(task.scale().ranking),
        ranking(&official),
        ranking(&spec),
    ])
}

fn grades(output: &mut Output) -> anyhow::Result<()> {
    output.line(t(
        "二、2023/scene 的理由由两人评分（0-5），判断错的题为 0\n",
        "2. The reasons of 2023/scene, graded by two people (0-5); an item judged wrong has 0\n",
    ));
    let sample = SAMPLES.iter().find(|sample| sample.task == "2023/scene");
    let Some(sample) = sample else { return Ok(()) };
    let task = fangwei::tasks::find(sample.task)?;
    let preds = read_preds(task, Source::from_bytes("pred", sample.pred)?)?;
    let scored = score(task, Mode::Official, Source::from_bytes("gold", sample.gold)?, &preds, |item, pred| {
        (item.clone(), pred.cloned())
    })?;
    let (grades, _) = read_grades("grades.csv", GRADES);
    for (name, rubric) in [(t("网页标准", "page rubric"), Rubric::Page), (t("论文标准", "paper rubric"), Rubric::Paper)] {
        let (graded, _) = grade_scenes(rubric, &scored.extra, &grades);
        output.line(&format!("  {name}  {:.2} / 100", graded.points));
    }
    Ok(())
}

/// The first item of 2023/roles that is neither right nor wrong.
fn explain(output: &mut Output) -> anyhow::Result<()> {
    let Some(sample) = SAMPLES.iter().find(|sample| sample.task == "2023/roles") else { return Ok(()) };
    let task: &'static dyn Task = fangwei::tasks::find(sample.task)?;
    let preds = read_preds(task, Source::from_bytes("pred", sample.pred)?)?;
    let gold = Source::from_bytes("gold", sample.gold)?;
    let scored =
        score(task, Mode::Official, gold, &preds, |item, pred| (item.clone(), task.align(Mode::Official.rules(), item, pred)))?;
    let partly = (0..scored.qids.len()).find(|number| (0.05..0.95).contains(&scored.row(*number)[task.scale().item]));
    if let Some((item, alignment)) = partly.map(|number| &scored.extra[number]) {
        output.text(&alignment_text(task, Mode::Official, item, alignment, lang(), output.color));
    }
    Ok(())
}
