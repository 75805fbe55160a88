//! `fangwei demo`: the whole life of an evaluation on the sample that travels with the program, with nothing to install or download.

mod people;
mod sample;
#[cfg(feature = "web")]
mod site;
mod walk;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use fangwei::answer::Answer;
use fangwei::rank::Board;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::table::{Cell, Format, Table};
use serde_json::Value;

use self::walk::Walk;
use super::parse_task;
use crate::lang::t;
use crate::output::{Output, Status, Usage, write_file};

/// The nine tasks, with the folders of their answers; reasons are made for the demo.
const TASKS: [(&str, &str); 9] = [
    ("2021/judge", "build/release/pack/answers/2021/judge/{}.json"),
    ("2021/reason", "reasons/reason-{}.json"),
    ("2021/joint", "reasons/joint-{}.json"),
    ("2022/judge", "build/release/pack/answers/2022/judge/{}.jsonl"),
    ("2022/attribute", "build/release/pack/answers/2022/attribute/{}.jsonl"),
    ("2022/roles", "build/release/pack/answers/2022/roles/{}.jsonl"),
    ("2023/anomaly", "build/release/pack/answers/2023/anomaly/{}.jsonl"),
    ("2023/roles", "build/release/pack/answers/2023/roles/{}.jsonl"),
    ("2023/scene", "build/release/pack/answers/2023/scene/{}.jsonl"),
];
/// The default predictor, the shortcuts that it has to beat, and rules, which need no training.
const LEARNERS: [&str; 2] = ["linear", "prior"];
const PREDICTORS: [&str; 3] = ["linear", "prior", "rule"];
/// The columns of the board, as the published rows have them.
const RANKED: [(&str, &str); 3] = [("judge", "2022/judge"), ("attribute", "2022/attribute"), ("roles", "2022/roles")];
const PACK: &str = "build/release/pack";

#[derive(Args)]
#[command(after_help = t(
    "两分钟走完全程：由样例文本做出数据集，审查，训练，回答九个任务并评分，模拟一次人类测试，与已发表的成绩排在一起，写出报告，最后在本机启动平台。每一步都是普通的命令，记在 commands.sh 里，可以照着再做。\n平台只在本机可见（127.0.0.1），帐户的密码随机，只打印一次；Ctrl-C 停止。\n例：\n  fangwei demo\n  fangwei demo --no-serve --out 演示",
    "Two minutes from end to end: makes a dataset from the sample's text, audits it, trains, answers the nine tasks and scores them, simulates a study of people, ranks everybody beside the published rows, writes the report, and starts the platform on this machine. Every step is an ordinary command, kept in commands.sh for repeating it.\nThe platform is seen from this machine only (127.0.0.1); the accounts have random passwords, printed once; Ctrl-C stops it.\nExamples:\n  fangwei demo\n  fangwei demo --no-serve --out demo"
))]
pub struct Demo {
    #[arg(long, value_name = "DIR", help = t("写到这个文件夹；默认 fangwei-demo，已有则加编号", "write into this folder; by default fangwei-demo, numbered where it is there"))]
    out: Option<PathBuf>,
    #[cfg(feature = "web")]
    #[arg(long, help = t("不启动平台，给脚本用", "do not start the platform; for scripts"))]
    no_serve: bool,
    #[cfg(feature = "web")]
    #[arg(long, value_name = "PORT", default_value_t = 0, help = t("平台的端口；0 为任意空闲的", "the platform's port; 0 for any that is free"))]
    port: u16,
}

impl Demo {
    pub fn run(self) -> anyhow::Result<Status> {
        let begun = std::time::Instant::now();
        let folder = self.folder()?;
        Output::stdout().line(&format!("{} {}\n", t("一切都写在", "everything is written into"), folder.display()));
        let mut walk = Walk::new(folder.canonicalize()?, if cfg!(feature = "web") { 8 } else { 7 })?;
        build(&mut walk)?;
        audit(&mut walk)?;
        train(&mut walk)?;
        let scores = answer(&mut walk)?;
        let study = study(&mut walk)?;
        let board = rank(&mut walk, &scores)?;
        report(&mut walk)?;
        #[cfg(feature = "web")]
        let ready = site::prepare(&mut walk)?;
        walk.keep()?;
        let mut output = Output::stdout();
        output.line(&format!(
            "\n{}\n{}",
            t("官方得分（测试集；排名指标）", "Official scores (test split; the measure that ranks)"),
            scores.table().render(Format::Text)
        ));
        output.line(&format!("{}\n{study}\n", t("人与机器（人是模拟的）", "People and machines (the people are simulated)")));
        output.line(t(
            "排行榜：与 2022 年已发表的成绩排在一起。题目不同，只为示范排行榜，不能比较高下。",
            "The board, beside the published rows of 2022. The items differ: it shows what a board looks like, not who is better.",
        ));
        output.line(&format!("{board}\n\n{} {:.0} s", t("用时", "took"), begun.elapsed().as_secs_f64()));
        drop(output);
        #[cfg(feature = "web")]
        if !self.no_serve {
            return site::serve(&ready, &folder, self.port);
        }
        try_offline(&folder);
        Ok(Status::Clean)
    }

    /// The folder to write into, made.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        let folder = match &self.out {
            Some(folder) => {
                if folder.is_dir() && std::fs::read_dir(folder)?.next().is_some() {
                    let what = t("文件夹应不存在或为空", "expected no folder or an empty one");
                    return Err(Usage(format!("{}: {what}", folder.display())).into());
                }
                folder.clone()
            }
            None => {
                let numbered = (2..).map(|number| PathBuf::from(format!("fangwei-demo-{number}")));
                let mut names = std::iter::once(PathBuf::from("fangwei-demo")).chain(numbered);
                names.find(|name| !name.exists()).context("every name is taken")?
            }
        };
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }
}

/// What to do with what is there, without a platform.
fn try_offline(folder: &Path) {
    let folder = folder.display();
    let mut output = Output::stdout();
    output.line(&format!("\n{}", t("试试看：", "Three things to try:")));
    output.line(&format!("  1. {} {folder}/report/report.html", t("在浏览器里打开", "open in a browser:")));
    output.line("  2. fangwei explore 他跳进山洞外。");
    output.line(&format!(
        "  3. fangwei predict 2022/judge --model {folder}/models/linear/2022-judge --text {} --explain",
        "她把书放在桌子里面。"
    ));
}

fn path_of(pattern: &str, split: &str) -> String {
    pattern.replace("{}", split)
}

fn build(walk: &mut Walk) -> anyhow::Result<()> {
    let mut step = walk.step(t("建数据集", "build"), 6);
    let files = sample::lay(&step.folder().join("sample"))?;
    step.advance();
    step.run(&["build", "sample/build.toml", "--out", "build"])?;
    std::fs::create_dir_all(step.folder().join("reasons"))?;
    for split in ["train", "test"] {
        let (gold, normal) =
            (format!("{PACK}/answers/2022/attribute/{split}.jsonl"), format!("{PACK}/answers/2022/judge/{split}.jsonl"));
        step.run(&["reasons", "--gold", &gold, "--out", &format!("reasons/reason-{split}.json")])?;
        let joint = format!("reasons/joint-{split}.json");
        step.run(&["reasons", "--gold", &gold, "--to", "2021/joint", "--normal", &normal, "--out", &joint])?;
    }
    let manifest: Value = serde_json::from_slice(&std::fs::read(step.folder().join(PACK).join("manifest.json"))?)?;
    let items: u64 = manifest["files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|file| file["path"].as_str().is_some_and(|path| path.starts_with("answers/")))
        .filter_map(|file| file["records"].as_u64())
        .sum();
    step.end(&format!(
        "{files} {}, {items} {}",
        t("个样例文件", "files of the sample"),
        t("题，七个任务，按原句划分", "items of seven tasks, split by origin")
    ));
    Ok(())
}

fn audit(walk: &mut Walk) -> anyhow::Result<()> {
    let mut step = walk.step(t("审查", "audit"), 1);
    let files: Vec<String> =
        ["train", "dev", "test"].iter().map(|split| format!("{PACK}/answers/2022/judge/{split}.jsonl")).collect();
    let mut args = vec!["audit", "--fail-on", "none", "--format", "json"];
    args.extend(files.iter().map(String::as_str));
    let found: Value = serde_json::from_str(&step.run(&args)?)?;
    let percent = |value: &Value| format!("{:.0} %", 100.0 * value.as_f64().unwrap_or(0.0));
    let statement = &found["statements"][0];
    let (floor, best, crossing) =
        (percent(&statement["floor_value"]), percent(&statement["best_value"]), &found["groups"]["crossing"]);
    step.end(&match crate::lang::lang() {
        fangwei::lang::Lang::Zh => format!("横跨集合的原句 {crossing} 个；2022/judge 不读题可得 {floor}，最好的捷径得 {best}"),
        fangwei::lang::Lang::En => {
            format!("{crossing} origins cross splits; on 2022/judge the majority earns {floor}, the best shortcut {best}")
        }
    });
    Ok(())
}

fn train(walk: &mut Walk) -> anyhow::Result<()> {
    let mut step = walk.step(t("训练", "train"), TASKS.len() * LEARNERS.len());
    for (task, files) in TASKS {
        for predictor in LEARNERS {
            let out = model_of(predictor, task);
            if let Some(parent) = step.folder().join(&out).parent() {
                std::fs::create_dir_all(parent)?;
            }
            let mut data = vec![path_of(files, "train")];
            if task == "2021/joint" {
                // The joint task learns its two questions where each is asked by itself.
                data.extend(TASKS[..2].iter().map(|(_, files)| path_of(files, "train")));
            }
            let mut args = vec!["train", task, "--predictor", predictor, "--folds", "0", "--out", &out, "--data"];
            args.extend(data.iter().map(String::as_str));
            step.run(&args)?;
        }
    }
    step.end(t("九个任务各一个模型，外加捷径", "a model for each of nine tasks, and the shortcuts"));
    Ok(())
}

/// What every predictor got on every task.
struct Scores {
    rows: Vec<(&'static str, String, Vec<f64>)>,
}

impl Scores {
    fn table(&self) -> Table {
        let mut table = Table::new([t("任务", "task"), t("指标", "measure")].into_iter().chain(PREDICTORS));
        for (task, measure, scores) in &self.rows {
            table.row(
                [Cell::from(*task), Cell::from(measure.as_str())]
                    .into_iter()
                    .chain(scores.iter().map(|score| Cell::Number(*score))),
            );
        }
        table
    }

    fn get(&self, task: &str, predictor: &str) -> Option<f64> {
        let row = self.rows.iter().find(|(name, ..)| *name == task)?;
        row.2.get(PREDICTORS.iter().position(|name| *name == predictor)?).copied()
    }
}

fn answer(walk: &mut Walk) -> anyhow::Result<Scores> {
    let mut step = walk.step(t("回答评分", "answer"), TASKS.len() * PREDICTORS.len() * 2);
    let mut rows = Vec::new();
    for (task, files) in TASKS {
        let gold = path_of(files, "test");
        let (mut measure, mut scores) = (String::new(), Vec::new());
        for predictor in PREDICTORS {
            let (preds, model) = (preds_of(predictor, task), model_of(predictor, task));
            if let Some(parent) = step.folder().join(&preds).parent() {
                std::fs::create_dir_all(parent)?;
            }
            let source = if LEARNERS.contains(&predictor) { ["--model", model.as_str()] } else { ["--predictor", predictor] };
            let mut args = vec!["predict", task, source[0], source[1], "--input", &gold, "--out", &preds];
            // By default linear favours neither verdict; the sample is not balanced, as its training split tells.
            let prior = abnormal(task, &step.folder().join(path_of(files, "train")))?.map(|share| format!("prior={share:.2}"));
            if let (Some(prior), "linear") = (&prior, predictor) {
                args.extend(["-O", prior]);
            }
            step.run(&args)?;
            let scored: Value =
                serde_json::from_str(&step.run(&["score", task, "--gold", &gold, "--pred", &preds, "--format", "json"])?)?;
            scored["ranking"].as_str().unwrap_or_default().clone_into(&mut measure);
            scores.push(ranking(&scored).unwrap_or(0.0));
        }
        rows.push((task, measure, scores));
    }
    step.end(t(
        "三个预测器回答九个任务的测试集，用官方脚本的算法评分",
        "three predictors on the test splits of nine tasks, scored as the official scripts do",
    ));
    Ok(Scores { rows })
}

/// A model's folder; all of a predictor lie side by side, as `explore` and the platform take them.
fn model_of(predictor: &str, task: &str) -> String {
    format!("models/{predictor}/{}", task.replace('/', "-"))
}

/// The share of abnormal texts in a file of a task that judges texts.
fn abnormal(task: &str, file: &Path) -> anyhow::Result<Option<f64>> {
    let Some(task) = ["2021/judge", "2022/judge"].iter().find(|name| **name == task) else { return Ok(None) };
    let (items, _) = read_items(parse_task(task).map_err(Usage)?, Source::open(file)?, true)?;
    let wrong =
        items.iter().filter(|item| matches!(&item.gold, Some(Answer::Verdict(verdict)) if verdict.value() == Some(false)));
    Ok(Some(wrong.count() as f64 / items.len().max(1) as f64))
}

fn preds_of(predictor: &str, task: &str) -> String {
    format!("predictions/{predictor}/{task}.jsonl")
}

/// The measure that ranks, out of `fangwei score --format json`.
fn ranking(scored: &Value) -> Option<f64> {
    let path = scored["ranking"].as_str()?;
    path.split('.').try_fold(&scored["measures"], |value, key| value.get(key))?.as_f64()
}

/// Plans a study, has it "answered", excludes by rule, compares; what the comparison says.
fn study(walk: &mut Walk) -> anyhow::Result<String> {
    let mut step = walk.step(t("人类测试", "people"), 6);
    let gold = path_of(TASKS[3].1, "test");
    let title = t("演示：人类测试（模拟）", "Demo: a study of people (simulated)");
    step.run(&[
        "human",
        "plan",
        "2022/judge",
        "--gold",
        &gold,
        "--items",
        "30",
        "--equal",
        "label",
        "--siblings",
        "--title",
        title,
        "--out",
        "study",
    ])?;
    people::answer(&step.folder().join(PACK), &step.folder().join("study"))?;
    step.advance();
    step.run(&["human", "check", "study", "--exclude"])?;
    step.run(&["human", "score", "study", "--resamples", "1000"])?;
    let (linear, prior) = (preds_of("linear", "2022/judge"), preds_of("prior", "2022/judge"));
    let (linear, prior) = (format!("linear={linear}"), format!("prior={prior}"));
    let compared = step.run(&["human", "compare", "study", "--run", &linear, "--run", &prior, "--resamples", "1000"])?;
    step.run(&["human", "row", "study", "--out", "study-rows.csv"])?;
    write_file(&step.folder().join("study").join("compare.txt"), compared.as_bytes())?;
    step.end(t("30 题，6 名模拟被试，1 名按规则排除", "30 items, 6 simulated subjects, 1 excluded by rule"));
    // Up to the table of systems; the rest is in the file.
    let blocks: Vec<&str> = compared.split("\n\n").collect();
    let systems = blocks.iter().position(|block| block.starts_with(t("系统", "machine"))).unwrap_or(0);
    Ok(blocks[..=systems].join("\n\n"))
}

/// Puts predictors and people beside the published rows.
fn rank(walk: &mut Walk, scores: &Scores) -> anyhow::Result<String> {
    let mut step = walk.step(t("排名", "rank"), 1);
    let published = Board::from_csv(sample::PUBLISHED).board;
    let mut board = format!("name,kind,{}\n", RANKED.map(|(column, _)| column).join(","));
    let cells = |cells: Vec<Option<f64>>| {
        cells.into_iter().map(|cell| cell.map_or_else(|| "/".to_owned(), |cell| cell.to_string())).collect::<Vec<_>>().join(",")
    };
    for entry in published.entries() {
        let kind = serde_json::to_value(entry.kind)?;
        board.push_str(&format!("{} (2022),{},{}\n", entry.name, kind.as_str().unwrap_or("team"), cells(entry.scores.clone())));
    }
    for predictor in PREDICTORS {
        board.push_str(&format!(
            "fangwei {predictor},baseline,{}\n",
            cells(RANKED.iter().map(|(_, task)| scores.get(task, predictor)).collect())
        ));
    }
    let rows = std::fs::read_to_string(step.folder().join("study-rows.csv"))?;
    for entry in Board::from_csv(&rows).board.entries() {
        let human = entry.scores.first().copied().flatten();
        board.push_str(&format!("{},human,{}\n", entry.name, cells(vec![human, None, None])));
    }
    write_file(&step.folder().join("board.csv"), board.as_bytes())?;
    let ranked = step.run(&["rank", "board.csv", "--policy", "2022"])?;
    // The table; what explains its numbers is in the report.
    let ranked = ranked.split("\n\n").next().unwrap_or_default().to_owned();
    step.end(t("三个预测器、模拟的人、2022 年的队伍和基线", "three predictors, simulated people, teams and baseline of 2022"));
    Ok(ranked)
}

fn report(walk: &mut Walk) -> anyhow::Result<()> {
    let mut step = walk.step(t("报告", "report"), 1);
    write_file(&step.folder().join("report.toml"), plan().as_bytes())?;
    let written = step.run(&["report", "--plan", "report.toml", "--out", "report", "--resamples", "1000"])?;
    step.end(written.trim());
    Ok(())
}

/// What goes into the report.
fn plan() -> String {
    let mut plan = format!(
        "title = {}\ndata = [\"{PACK}\"]\ncandidates = \"sample/candidates.jsonl\"\nmarks = [\"sample/gold/levels.tsv\"]\nstudies = [\"study\"]\n\n[[board]]\nfile = \"board.csv\"\npolicy = \"2022\"\nname = {}\n",
        Value::from(t("演示：样例数据集的评测报告", "Demo: report of the sample dataset")),
        Value::from(t("演示排行榜", "the demo's board")),
    );
    for (task, files) in TASKS {
        plan.push_str(&format!("\n[[task]]\ntask = \"{task}\"\ngold = \"{}\"\n", path_of(files, "test")));
        for predictor in PREDICTORS {
            plan.push_str(&format!(
                "[[task.taker]]\nname = \"{predictor}\"\nkind = \"baseline\"\nfile = \"{}\"\n",
                preds_of(predictor, task)
            ));
        }
    }
    plan
}
