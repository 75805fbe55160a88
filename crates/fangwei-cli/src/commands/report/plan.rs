//! What a report is made of: files of data, takers of tasks, marks, boards. Told by the command line, or by a file that can be kept beside the data.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fangwei::rank::Kind;
use serde::Deserialize;

use crate::lang::{lang, t};
use crate::output::Usage;

/// A taker: who, and where the answers are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taker {
    pub name: String,
    #[serde(default = "team")]
    pub kind: Kind,
    pub file: PathBuf,
}

fn team() -> Kind {
    Kind::Team
}

/// A task with its gold and its takers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub task: String,
    pub gold: PathBuf,
    #[serde(default, rename = "taker")]
    pub takers: Vec<Taker>,
}

/// A board and the policy that ranks it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    pub file: PathBuf,
    pub policy: String,
    #[serde(default)]
    pub name: String,
}

/// Everything that goes into a report.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    pub title: String,
    /// `[TASK=]FILE` or a pack.
    pub data: Vec<String>,
    pub candidates: Option<PathBuf>,
    /// What tells the genre and origin of items; that of a pack is found by itself.
    pub traces: Vec<PathBuf>,
    pub marks: Vec<PathBuf>,
    /// Folders of `fangwei human`: their people take the task of the same name, or one of their own.
    pub studies: Vec<PathBuf>,
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
    #[serde(rename = "board")]
    pub boards: Vec<Board>,
}

impl Plan {
    /// Reads a plan; its paths count from its folder.
    pub fn read(path: &Path) -> anyhow::Result<Plan> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut plan: Plan = toml::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let move_in = |file: &mut PathBuf| *file = folder.join(&*file);
        plan.candidates.iter_mut().chain(&mut plan.marks).chain(&mut plan.traces).chain(&mut plan.studies).for_each(move_in);
        plan.tasks.iter_mut().for_each(|task| {
            move_in(&mut task.gold);
            task.takers.iter_mut().for_each(|taker| move_in(&mut taker.file));
        });
        plan.boards.iter_mut().for_each(|board| move_in(&mut board.file));
        for given in &mut plan.data {
            *given = match fangwei::tasks::split_given(given).map_err(|unknown| Usage(unknown.say(lang())))? {
                (Some(task), file) => format!("{}={}", task.id(), folder.join(file).display()),
                (None, file) => folder.join(file).display().to_string(),
            };
        }
        Ok(plan)
    }

    /// Adds a taker to its task; without a task, to the only one.
    pub fn add(&mut self, kind: Kind, given: &Given) -> Result<(), Usage> {
        let taker = Taker { name: given.name.clone(), kind, file: given.file.clone() };
        let tasks: Vec<&mut Task> = self
            .tasks
            .iter_mut()
            .filter(|task| {
                given.task.as_ref().is_none_or(|wanted| fangwei::tasks::find(wanted).is_ok_and(|wanted| wanted.id() == task.task))
            })
            .collect();
        match <[&mut Task; 1]>::try_from(tasks) {
            Ok([task]) => task.takers.push(taker),
            Err(tasks) => {
                let why = match (tasks.len(), &given.task) {
                    (0, _) => t("没有这个任务的 --gold TASK=FILE", "there is no --gold TASK=FILE for its task"),
                    (_, None) => t("有几个任务，请写明 TASK:NAME=FILE", "there are several tasks; say TASK:NAME=FILE"),
                    (_, Some(_)) => t("这个任务给了两次 --gold", "--gold is given twice for this task"),
                };
                return Err(Usage(format!("{}: {why}", given.name)));
            }
        }
        Ok(())
    }

    /// Refuses nothing to report on (unless something comes from elsewhere), two takers of one name, or a task, a policy that nobody knows.
    pub fn check(&mut self, elsewhere: bool) -> anyhow::Result<()> {
        if !elsewhere
            && self.data.is_empty()
            && self.marks.is_empty()
            && self.tasks.is_empty()
            && self.boards.is_empty()
            && self.studies.is_empty()
            && self.candidates.is_none()
        {
            bail!(Usage(
                t(
                    "没有可报告的内容：给出数据文件、--gold 和 --run、--marks 或 --board",
                    "there is nothing to report on: give files of data, --gold and --run, --marks or --board"
                )
                .to_owned()
            ));
        }
        for task in &mut self.tasks {
            task.task = fangwei::tasks::find(&task.task).map_err(|unknown| Usage(unknown.say(lang())))?.id().to_owned();
            for (number, taker) in task.takers.iter().enumerate() {
                if task.takers[..number].iter().any(|other| other.name == taker.name) {
                    bail!(Usage(format!("{} {}: {}", task.task, taker.name, t("名称重复", "the name is given twice"))));
                }
            }
        }
        for (number, task) in self.tasks.iter().enumerate() {
            if self.tasks[..number].iter().any(|other| other.task == task.task) {
                bail!(Usage(format!("{}: {}", task.task, t("任务重复", "the task is given twice"))));
            }
        }
        for board in &self.boards {
            fangwei::rank::Policy::named(&board.policy).map_err(|error| Usage(error.to_string()))?;
        }
        Ok(())
    }
}

/// `[TASK:]NAME=FILE`
#[derive(Clone, Debug)]
pub struct Given {
    pub task: Option<String>,
    pub name: String,
    pub file: PathBuf,
}

pub fn parse_taker(given: &str) -> Result<Given, String> {
    let expected = || format!("{given}: [TASK:]NAME=FILE");
    let (who, file) = given.split_once('=').ok_or_else(expected)?;
    let (task, name) = match who.split_once(':') {
        Some((task, name)) => (Some(fangwei::tasks::find(task).map_err(|unknown| unknown.say(lang()))?.id().to_owned()), name),
        None => (None, who),
    };
    if name.is_empty() || file.is_empty() {
        return Err(expected());
    }
    Ok(Given { task, name: name.to_owned(), file: file.into() })
}

pub fn parse_gold(given: &str) -> Result<Task, String> {
    match fangwei::tasks::split_given(given).map_err(|unknown| unknown.say(lang()))? {
        (Some(task), file) => Ok(Task { task: task.id().to_owned(), gold: file.into(), takers: Vec::new() }),
        (None, _) => Err(format!("{given}: TASK=FILE")),
    }
}

pub fn parse_board(given: &str) -> Result<Board, String> {
    let (file, policy) = given.rsplit_once('=').ok_or_else(|| format!("{given}: FILE=POLICY"))?;
    Ok(Board { file: file.into(), policy: policy.to_owned(), name: String::new() })
}
