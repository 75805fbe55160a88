//! `fangwei human check`: who breaks which rule; excluding and readmitting, always with a line in the log.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::human::{Action, EXCLUDED, Entry, Finding, Held, Standing, check, check_page, standing};
use fangwei::lang::{Unknown, words};
use serde_json::json;

use super::Look;
use super::folder::{explained, read_held};
use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage};

#[derive(Args)]
#[command(after_help = t(
    "规则和界限写在 study.toml 的 [rules]；每条规则量出一个数，列在表里，✗ 表示违反，/ 表示量不出。\n  --exclude            排除所有违反规则的人（由人恢复过的除外）\n  --exclude 甲 --why …  由人排除\n  --readmit 甲 --why …  恢复\nexcluded.jsonl 只增不改：谁、哪条规则、量得的值、当时的界限、由谁、何时。此后的每个数都给出包括和不包括所排除的人两种。",
    "Rules and thresholds stand in [rules] of study.toml; each measures a number, shown in the table: ✗ for broken, / for what cannot be measured.\n  --exclude             excludes everybody who breaks a rule (but those whom somebody readmitted)\n  --exclude ann --why …  by hand\n  --readmit ann --why …  takes it back\nexcluded.jsonl only grows: who, which rule, what was measured, the threshold then, by whom, when. Every later number is given with and without the excluded."
))]
pub struct Check {
    #[arg(value_name = "STUDY", help = t("测试的文件夹", "the folder of the study"))]
    study: PathBuf,
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", help = t("排除违反规则的人，或指定的人", "exclude those who break a rule, or the one named"))]
    exclude: Option<String>,
    #[arg(long, value_name = "NAME", conflicts_with = "exclude", help = t("恢复一个人", "readmit somebody"))]
    readmit: Option<String>,
    #[arg(long, default_value = "", help = t("原因；由人排除或恢复时必须说明", "why; needed where somebody is named"))]
    why: String,
    #[arg(long, value_name = "NAME", default_value = "hand", help = t("由谁决定", "who decides"))]
    by: String,
    #[command(flatten)]
    look: Look,
}

impl Check {
    pub fn run(self) -> anyhow::Result<Status> {
        let (mut held, status) = read_held(&self.study, self.look.mode.into())?;
        let findings = check(&held, &self.look.resampling(&held.study)).map_err(|error| explained(&error))?;
        let entries = self.entries(&held, &findings)?;
        append(&self.study, &entries)?;
        held.log.extend(entries.iter().cloned());
        let mut output = Output::stdout();
        match self.look.format.page() {
            None => {
                output
                    .json(&json!({ "task": held.study.task.id(), "findings": findings, "logged": entries, "log": held.log }))?;
            }
            Some(format) => output.text(&check_page(&held, &findings, lang()).render(format)),
        }
        Ok(status)
    }

    /// The lines that are to be logged.
    fn entries(&self, held: &Held, findings: &[Finding]) -> anyhow::Result<Vec<Entry>> {
        let (name, action) = match (&self.exclude, &self.readmit) {
            (Some(name), _) if name.is_empty() => return Ok(self.by_rules(held, findings)),
            (Some(name), _) => (name, Action::Exclude),
            (_, Some(name)) => (name, Action::Readmit),
            _ => return Ok(Vec::new()),
        };
        if !held.subjects.iter().any(|subject| subject.name == *name) {
            let known = held.subjects.iter().map(|subject| subject.name.to_string());
            bail!(Usage(Unknown::new(words("没有这名被试", "unknown subject"), name, known).say(lang())));
        }
        if self.why.trim().is_empty() {
            bail!(Usage(t("请用 --why 说明原因", "say why with --why").to_owned()));
        }
        let is_excluded = held.excluded(name).is_some();
        // What holds already is not said again.
        if is_excluded == (action == Action::Exclude) {
            return Ok(Vec::new());
        }
        Ok(vec![self.entry(name, action, "hand", None, self.why.clone(), &self.by)])
    }

    /// Everybody who breaks a rule, by the first that they break.
    fn by_rules(&self, held: &Held, findings: &[Finding]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for subject in &held.subjects {
            let broken = findings.iter().find(|finding| finding.subject == subject.name && finding.breaks);
            if let (Some(finding), Standing::Admitted) = (broken, standing(&held.log, &subject.name)) {
                let all = findings.iter().filter(|other| other.subject == subject.name && other.breaks);
                let why = all.map(|finding| finding.rule).collect::<Vec<_>>().join(" ");
                entries.push(self.entry(&subject.name, Action::Exclude, finding.rule, Some(finding), why, "rule"));
            }
        }
        entries
    }

    fn entry(&self, name: &str, action: Action, rule: &str, finding: Option<&Finding>, why: String, by: &str) -> Entry {
        Entry {
            subject: name.into(),
            action,
            rule: rule.into(),
            value: finding.and_then(|finding| finding.value),
            threshold: finding.map(|finding| finding.threshold),
            why,
            by: by.to_owned(),
            at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64),
        }
    }
}

/// Appends lines to the log in one write, which begins on a line of its own whatever ended the last.
fn append(folder: &Path, entries: &[Entry]) -> anyhow::Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let path = folder.join(EXCLUDED);
    let before = if path.exists() { std::fs::read(&path).with_context(|| path.display().to_string())? } else { Vec::new() };
    let mut lines = if before.is_empty() || before.ends_with(b"\n") { String::new() } else { "\n".to_owned() };
    for entry in entries {
        lines.push_str(&serde_json::to_string(entry)?);
        lines.push('\n');
    }
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(lines.as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| path.display().to_string())
}
