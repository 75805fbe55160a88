//! Where a file goes: which phase and which task it is for, told by the sender or by the file's name as the years asked for it.

use fangwei::contest::{Contest, FileName, Phase, PhaseTask};
use fangwei::lang::{Lang, Say, Unknown, words};

use crate::contests::{Kept, State};
use crate::failure::Failure;
use crate::page::time;

/// Phase and task that a file is for.
#[derive(Clone, Debug)]
pub struct Place {
    /// The phase.
    pub phase: Phase,
    /// The task in it.
    pub task: PhaseTask,
}

impl Place {
    /// Whether prompts are submitted here.
    pub fn is_for_prompts(&self, contest: &Contest) -> bool {
        contest.prompts.as_ref().is_some_and(|track| track.phase == self.phase.id && track.task == self.task.task.id())
    }
}

/// What the sender said: empty where nothing was.
#[derive(Clone, Copy, Debug)]
pub struct Told<'t> {
    /// A phase.
    pub phase: &'t str,
    /// A task.
    pub task: &'t str,
    /// The name of the file.
    pub file: &'t str,
}

/// The place of a file at a moment. What was said counts before what the file's name says; where nothing says it, there must be one choice only.
pub fn find(kept: &Kept, told: Told<'_>, now: i64) -> Result<Place, Failure> {
    if kept.state != State::Open {
        return Err(Failure::forbidden("比赛没有开放", "the competition is not open"));
    }
    let contest = &kept.contest;
    let named = FileName::read(told.file);
    let (named_phase, named_task) = named.as_ref().map_or((None, None), |name| contest.meant_by(name));
    let task = match (told.task, named_task) {
        ("", Some(entry)) => Some(entry.task),
        ("", None) => None,
        (given, _) => Some(contest.task(given).ok_or_else(|| no_task(contest, given))?.task),
    };
    let phase = match (told.phase, named_phase) {
        ("", Some(phase)) => phase,
        ("", None) => open_phase(contest, task.map(fangwei::task::Task::id), now)?,
        (given, _) => contest.phase(given).ok_or_else(|| no_phase(contest, given))?,
    };
    check_open(phase, now)?;
    let task = match task {
        Some(task) => phase.task(task.id()).ok_or_else(|| not_in(phase, task.id()))?,
        None => match phase.tasks.as_slice() {
            [only] => only,
            _ => return Err(which_task(phase)),
        },
    };
    Ok(Place { phase: phase.clone(), task: task.clone() })
}

/// The one phase that takes the task at this moment.
fn open_phase<'c>(contest: &'c Contest, task: Option<&str>, now: i64) -> Result<&'c Phase, Failure> {
    let takes = |phase: &&Phase| task.is_none_or(|task| phase.task(task).is_some());
    let open: Vec<&Phase> = contest.phases_at(now).filter(takes).collect();
    match open.as_slice() {
        [only] => Ok(only),
        [] => Err(match contest.next_phase(now) {
            Some(next) => Failure::forbidden(
                format!("现在没有可以提交的阶段；下一阶段“{}”{} 开始", next.name.zh, next.start),
                format!("nothing can be submitted at this time; “{}” starts at {}", next.name.en, next.start),
            ),
            None => Failure::forbidden("现在没有可以提交的阶段", "nothing can be submitted at this time"),
        }),
        several => {
            let ids: Vec<&str> = several.iter().map(|phase| phase.id.as_str()).collect();
            Err(Failure::invalid(
                format!("请说明是哪个阶段：{}", ids.join(" / ")),
                format!("say which phase it is for: {}", ids.join(" / ")),
            ))
        }
    }
}

/// Refuses what comes too early or too late. A phase ends just before its end.
pub fn check_open(phase: &Phase, now: i64) -> Result<(), Failure> {
    if phase.is_open(now) {
        return Ok(());
    }
    let now = time(now);
    Err(Failure::forbidden(
        format!("“{}”从 {} 到 {}（不含），现在是 {now} UTC", phase.name.zh, phase.start, phase.end),
        format!("“{}” is open from {} until just before {}; it is {now} UTC", phase.name.en, phase.start, phase.end),
    ))
}

fn unknown(unknown: &Unknown) -> Failure {
    Failure::Invalid(Say::new(unknown.say(Lang::Zh), unknown.say(Lang::En)))
}

fn no_task(contest: &Contest, given: &str) -> Failure {
    let known = contest.tasks.iter().map(|entry| entry.task.id());
    unknown(&Unknown::new(words("没有这个任务", "unknown task"), given, known))
}

fn no_phase(contest: &Contest, given: &str) -> Failure {
    unknown(&Unknown::new(words("没有这个阶段", "unknown phase"), given, contest.phases.iter().map(|phase| phase.id.clone())))
}

fn not_in(phase: &Phase, task: &str) -> Failure {
    let known: Vec<&str> = phase.tasks.iter().map(|entry| entry.task.id()).collect();
    Failure::invalid(
        format!("“{}”不收 {task}，只收 {}", phase.name.zh, known.join("、")),
        format!("“{}” does not take {task}; it takes {}", phase.name.en, known.join(", ")),
    )
}

fn which_task(phase: &Phase) -> Failure {
    let known: Vec<&str> = phase.tasks.iter().map(|entry| entry.task.id()).collect();
    let known = known.join(" / ");
    Failure::invalid(
        format!("请说明是哪个任务（{known}），或者用“队名-taskN-阶段-序号-月日.jsonl”作文件名"),
        format!("say which task it is for ({known}), or name the file TEAM-taskN-PHASE-NUMBER-MMDD.jsonl"),
    )
}
