//! The folder of a study, read with every defect told.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fangwei::agree::read_answers;
use fangwei::human::{EXCLUDED, Entry, FILE, Held, HumanError, Study, Subject};
use fangwei::record::{Defect, Source};
use fangwei::score::read_items;
use fangwei::task::{Mode, Task};

use crate::groups::groups;
use crate::lang::{lang, t};
use crate::lines::read_lines;
use crate::output::{Status, Usage, errors, tell};

/// The items as subjects see them.
pub const ITEMS: &str = "items.jsonl";
/// The items with gold.
pub const GOLD: &str = "gold.jsonl";
/// The folder of answers.
pub const ANSWERS: &str = "answers";

/// What `study.toml` says.
pub fn read_study(folder: &Path) -> anyhow::Result<Study> {
    let file = folder.join(FILE);
    let missing = || {
        format!(
            "{}: {}",
            file.display(),
            t("读不了（fangwei human plan 建立一次测试）", "cannot be read (fangwei human plan makes a study)")
        )
    };
    let text = std::fs::read_to_string(&file).with_context(missing)?;
    let study = Study::read(&text).map_err(|error| anyhow::anyhow!("{}: {}", file.display(), error.say(lang())))?;
    let plan = &study.plan;
    if !(plan.confidence > 0.0 && plan.confidence < 1.0) {
        bail!("{}: confidence: {}", file.display(), t("应在 0 和 1 之间", "expected a number between 0 and 1"));
    }
    Ok(study)
}

/// The answer files of a study and whose they are, by name.
pub fn answer_files(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let answers = folder.join(ANSWERS);
    if !answers.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&answers).with_context(|| answers.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(name) = name.strip_suffix(".jsonl").filter(|name| !name.is_empty()) {
            files.push((name.to_owned(), path));
        }
    }
    files.sort();
    Ok(files)
}

/// A whole study, and whether something in it could not be used. A defect of gold is fatal, one of an answer is told.
pub fn read_held(folder: &Path, mode: Mode) -> anyhow::Result<(Held, Status)> {
    let study = read_study(folder)?;
    let gold = folder.join(GOLD);
    let (items, defects) = read_items(study.task, Source::open(&gold)?, true)?;
    tell(&defects);
    if errors(&defects) > 0 || items.is_empty() {
        bail!("{}: {}", gold.display(), t("答案文件有错误", "the gold file has errors"));
    }
    let keys: Vec<_> = items.iter().map(|item| study.group.key(item)).collect();
    let groups = groups(&study.group, &keys)?;
    let (mut subjects, mut told) = (Vec::new(), Vec::new());
    for (name, path) in answer_files(folder)? {
        subjects.push(read_subject(study.task, &name, &path, &study, &items, &mut told)?);
    }
    tell(&told);
    let log = read_log(folder)?;
    Ok((Held { study, mode, items, groups, subjects, log }, Status::of(&told)))
}

fn read_subject(
    task: &dyn Task,
    name: &str,
    path: &Path,
    study: &Study,
    items: &[fangwei::task::Item],
    told: &mut Vec<Defect>,
) -> anyhow::Result<Subject> {
    let (set, defects) = read_answers(task, name, Source::open(path)?)?;
    told.extend(defects);
    let (subject, defects) = Subject::of(&set, items, study.late);
    told.extend(defects);
    Ok(subject)
}

/// The log of who was excluded; none where there is no file.
pub fn read_log(folder: &Path) -> anyhow::Result<Vec<Entry>> {
    let file = folder.join(EXCLUDED);
    if file.exists() { read_lines(&file) } else { Ok(Vec::new()) }
}

/// What a library error means here.
pub fn explained(error: &HumanError) -> anyhow::Error {
    match error {
        HumanError::NoSubjects => Usage(
            t(
                "没有有效的作答：answers/ 里每名被试一个 .jsonl 文件，且不是所有人都被排除",
                "no valid answers: answers/ needs a .jsonl file a subject, and not everybody may be excluded",
            )
            .to_owned(),
        )
        .into(),
        other => anyhow::anyhow!("{other}"),
    }
}
