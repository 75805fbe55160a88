//! From a plan to a report: reads every file, tells what is wrong with it, and puts the parts together.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fangwei::agree::{self, Marks, read_marks};
use fangwei::audit::{Dataset, Options as AuditOptions, audit};
use fangwei::human::{Held, Subject};
use fangwei::origin::Grouping;
use fangwei::rank::{Board, Policy, rank};
use fangwei::record::{Defect, Severity, Source};
use fangwei::report::data::{Data, DataFile, Substitution, split_of};
use fangwei::report::{Report, Sheet, Taker, TaskReport, Traces};
use fangwei::score::{read_items, read_preds};
use fangwei::stats::Resampling;
use fangwei::substitute::Candidate;
use fangwei::task::{Mode, Task};

use super::plan::{self, Plan};
use crate::commands::human::folder::read_held;
use crate::lang::{lang, t};
use crate::lines::read_lines;
use crate::output::{Status, Usage, tell};
use crate::progress::Bar;

/// How a report is computed.
pub struct How {
    pub mode: Mode,
    pub group: Grouping,
    pub resampling: Resampling,
    /// Whether data is audited for how labels lean on words.
    pub audited: bool,
}

/// The report, and whether some records could not be used.
pub fn read(plan: &Plan, how: &How) -> anyhow::Result<(Report, bool)> {
    let bar = Bar::items(t("报告", "report"));
    bar.begin((plan.data.len() + plan.tasks.len() + plan.boards.len() + usize::from(!plan.marks.is_empty())) as u64);
    let mut defects = Vec::new();
    let traces = traces(plan, &mut defects)?;
    let mut report = Report { title: plan.title.clone(), ..Report::default() };
    report.data = data(plan, how, &traces, &bar, &mut defects)?;
    if !plan.marks.is_empty() {
        report.agreement = Some(agreement(&plan.marks, how, &mut defects)?);
        bar.step();
    }
    for board in &plan.boards {
        report.boards.push(ranked(board, &mut defects)?);
        bar.step();
    }
    let mut studies = Vec::new();
    let mut defective = false;
    for folder in &plan.studies {
        let (held, status) = read_held(folder, how.mode)?;
        defective |= status == Status::Defects;
        studies.push(held);
    }
    for given in &plan.tasks {
        report.tasks.push(taken(given, how, &traces, &studies, &mut defects)?);
        bar.step();
    }
    for held in studies.iter().filter(|held| plan.tasks.iter().all(|given| given.task != held.study.task.id())) {
        let mut items = held.items.clone();
        traces.tell(held.study.task, &mut items);
        report.tasks.push(sheet(held.study.task, items, Vec::new(), &[held], how)?);
    }
    bar.end();
    tell(&defects);
    defective |= defects.iter().any(|defect| defect.severity() == Severity::Error);
    Ok((report, defective))
}

/// What the plan and its packs tell of where items came from.
fn traces(plan: &Plan, defects: &mut Vec<Defect>) -> anyhow::Result<Traces> {
    let mut traces = Traces::default();
    let packed = plan.data.iter().map(|folder| Path::new(folder).join("trace.jsonl")).filter(|path| path.is_file());
    for path in packed.chain(plan.traces.iter().cloned()) {
        defects.extend(traces.read(Source::open(&path)?)?);
    }
    Ok(traces)
}

fn data(plan: &Plan, how: &How, traces: &Traces, bar: &Bar, defects: &mut Vec<Defect>) -> anyhow::Result<Option<Data>> {
    let mut files = Vec::new();
    for given in &plan.data {
        let (task, path) = fangwei::tasks::split_given(given).map_err(|unknown| Usage(unknown.say(lang())))?;
        for (task, path) in in_pack(task, Path::new(path))? {
            let mut set = Dataset::read(Source::open(&path)?, task)?;
            if let Some(task) = set.task {
                traces.tell(task, &mut set.items);
            }
            defects.extend(set.defects.iter().filter(|defect| defect.severity() == Severity::Error).cloned());
            files.push(DataFile { split: split_of(&path.to_string_lossy(), &set.items), set });
        }
        bar.step();
    }
    let candidates: Option<Vec<Candidate>> = plan.candidates.as_deref().map(read_lines).transpose()?;
    if files.is_empty() && candidates.is_none() {
        return Ok(None);
    }
    let substitution = candidates.map(|candidates| Substitution::of(&candidates));
    if !how.audited {
        return Ok(Some(Data::of(&files, None, substitution)));
    }
    // An audit wants sets by themselves.
    let (splits, sets): (Vec<String>, Vec<Dataset>) = files.into_iter().map(|file| (file.split, file.set)).unzip();
    let found = audit(&sets, &AuditOptions { seed: how.resampling.seed, ..AuditOptions::default() });
    let files: Vec<DataFile> = splits.into_iter().zip(sets).map(|(split, set)| DataFile { split, set }).collect();
    Ok(Some(Data::of(&files, Some(&found), substitution)))
}

/// The files of a released pack, with answers where it has them; any other path is itself.
fn in_pack(task: Option<&'static dyn Task>, path: &Path) -> anyhow::Result<Vec<(Option<&'static dyn Task>, PathBuf)>> {
    if !path.is_dir() {
        return Ok(vec![(task, path.to_owned())]);
    }
    let mut found: Vec<(&'static dyn Task, PathBuf)> = Vec::new();
    for one in fangwei::tasks::all() {
        for side in ["answers", "inputs"] {
            let folder = path.join(side).join(one.id());
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let mut files: Vec<PathBuf> =
                entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
            // Splits in the order in which people name them.
            files.sort_by_key(|file| ["train", "dev", "test"].iter().position(|split| stem(file) == **split).unwrap_or(3));
            // Inputs only where there are no answers.
            files.retain(|file| found.iter().all(|(task, known)| task.id() != one.id() || stem(known) != stem(file)));
            found.extend(files.into_iter().map(|file| (one, file)));
        }
    }
    if found.is_empty() {
        let expected =
            t("一个文件，或发布的数据集（含 answers/ 或 inputs/）", "a file, or a released pack with answers/ or inputs/");
        bail!(Usage(format!("{}: {expected}", path.display())));
    }
    Ok(found.into_iter().map(|(task, file)| (Some(task), file)).collect())
}

fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

fn agreement(files: &[PathBuf], how: &How, defects: &mut Vec<Defect>) -> anyhow::Result<agree::Report> {
    let mut marks = Vec::new();
    for path in files {
        let (read, found) = read_marks(Source::open(path)?)?;
        marks.extend(read);
        defects.extend(found);
    }
    if marks.is_empty() {
        bail!("{}: {}", files[0].display(), t("没有可用的标注", "no usable mark"));
    }
    let options = agree::Options { resampling: Some(how.resampling), ..agree::Options::default() };
    let agreement = agree::agree(&Marks::new(marks, &[])?, &options)?;
    Ok(agree::Report { agreement: Some(agreement), ..agree::Report::default() })
}

fn ranked(given: &plan::Board, defects: &mut Vec<Defect>) -> anyhow::Result<(String, fangwei::rank::Ranking)> {
    let text = std::fs::read_to_string(&given.file).with_context(|| given.file.display().to_string())?;
    let reading = Board::read(&text);
    defects.extend(reading.defects.into_iter().map(|defect| Defect { file: given.file.to_string_lossy().into(), ..defect }));
    let policy = Policy::named(&given.policy)?;
    let name = if given.name.is_empty() { stem(&given.file) } else { given.name.clone() };
    Ok((name, rank(&reading.board, &policy)))
}

fn taken(
    given: &plan::Task,
    how: &How,
    traces: &Traces,
    studies: &[Held],
    defects: &mut Vec<Defect>,
) -> anyhow::Result<TaskReport> {
    let task = fangwei::tasks::find(&given.task).map_err(|unknown| Usage(unknown.say(lang())))?;
    let (mut items, found) = read_items(task, Source::open(&given.gold)?, true)?;
    traces.tell(task, &mut items);
    if found.iter().any(|defect| defect.severity() == Severity::Error) {
        tell(&found);
        bail!("{}: {}", given.gold.display(), t("答案文件有错误", "the gold file has errors"));
    }
    let mut takers = Vec::new();
    for taker in &given.takers {
        let file = if taker.file.is_dir() { taker.file.join("predictions.jsonl") } else { taker.file.clone() };
        let preds = read_preds(task, Source::open(&file)?)?;
        defects.extend(preds.unusable.iter().cloned());
        takers.push(Taker { name: taker.name.clone(), kind: taker.kind, preds });
    }
    let studies: Vec<&Held> = studies.iter().filter(|held| held.study.task.id() == task.id()).collect();
    sheet(task, items, takers, &studies, how)
}

/// Everybody on the items of a task, with the people of its studies.
pub fn sheet(
    task: &'static dyn Task,
    items: Vec<fangwei::task::Item>,
    mut takers: Vec<Taker>,
    studies: &[&Held],
    how: &How,
) -> anyhow::Result<TaskReport> {
    let mut excluded = Vec::new();
    for held in studies {
        takers.extend(Taker::of_study(held));
        let rule = |subject: &Subject| Some((subject.name.to_string(), held.excluded(&subject.name)?.rule.to_string()));
        excluded.extend(held.subjects.iter().filter_map(rule));
    }
    let mut sheet = Sheet::new(task, how.mode, items, takers, &how.group).map_err(|missing| Usage(missing.to_string()))?;
    sheet.excluded = excluded;
    Ok(TaskReport::of(sheet, &how.resampling)?)
}
