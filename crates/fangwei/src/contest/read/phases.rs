//! Phases: their edges, tasks, quotas, and who sees what.

use super::super::keys::{At, Table};
use super::super::{Phase, PhaseTask, Private, Quota, Rule, Shows, Sight, TaskEntry};
use super::{count, gate, once, task_of};
use crate::lang::Say;
use crate::record::Code;

pub(super) fn phases(root: &Table<'_, '_>, tasks: &[TaskEntry]) -> Vec<Phase> {
    let (mut phases, mut seen, mut gates) = (Vec::<Phase>::new(), Vec::new(), Vec::new());
    if let Some(at) = root.need("phases", "至少一个阶段", "at least one phase") {
        for table in at.list().iter().filter_map(At::table) {
            let reveal = table.get("reveal");
            if let Some(phase) = phase(&table, tasks)
                && once(&table, Code::DuplicateName, &phase.id, &mut seen)
            {
                gates.push(reveal);
                phases.push(phase);
            }
            table.end();
        }
    }
    // A gate may name a later phase, so gates are read when all phases are known.
    for (number, at) in gates.iter().enumerate() {
        phases[number].reveal = at.as_ref().and_then(|at| gate(at, &phases));
    }
    phases
}

fn phase(table: &Table<'_, '_>, tasks: &[TaskEntry]) -> Option<Phase> {
    let id = table.need("id", "阶段的名字，如 dev", "a name, as dev").and_then(|at| at.id());
    let name = table.get("name").and_then(|at| at.say());
    let times = "带时差的时间，如 2022-08-12T00:00:00+08:00";
    let start = table.need("start", times, "a time with its offset").and_then(|at| at.moment());
    let end = table.need("end", times, "a time with its offset").and_then(|at| at.moment());
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        table.wrong(Code::BadTime, "end", Say::new(format!("晚于 {start}"), format!("after {start}")), end.to_string());
    }
    let quota =
        Quota { total: count(table, "max_submissions", 1_000_000), per_day: count(table, "max_submissions_per_day", 1_000_000) };
    let rule = table.get("submission_rule").and_then(|at| at.word(Rule::ALL, Rule::as_str)).unwrap_or(Rule::Last);
    let choose = count(table, "choose", 100).unwrap_or(1);
    let shows = table.get("shows").and_then(|at| shows(&at)).unwrap_or_default();
    let tasks = table.need("tasks", "任务及其题目和答案", "tasks with their items and gold").map(|at| phase_tasks(&at, tasks));
    let name = name.or_else(|| id.clone().map(Say::same));
    Some(Phase { id: id?, name: name?, start: start?, end: end?, tasks: tasks?, quota, rule, choose, shows, reveal: None })
}

fn shows(at: &At<'_, '_>) -> Option<Shows> {
    let (table, usual) = (at.table()?, Shows::default());
    let sight = |key| table.get(key).and_then(|at| at.word(Sight::ALL, Sight::as_str));
    let shows = Shows {
        scores: sight("scores").unwrap_or(usual.scores),
        items: sight("items").unwrap_or(usual.items),
        board: sight("board").unwrap_or(usual.board),
        private: false,
    };
    table.end();
    Some(shows)
}

fn phase_tasks(at: &At<'_, '_>, tasks: &[TaskEntry]) -> Vec<PhaseTask> {
    let (mut entries, mut seen) = (Vec::new(), Vec::new());
    for table in at.list().iter().filter_map(At::table) {
        let known = tasks.iter().map(|entry| &entry.task);
        let found = table.need("task", "任务，如 2022/judge", "a task, as 2022/judge").and_then(|at| task_of(&at, known));
        let items = table.need("items", "题目文件", "the file with the items").and_then(|at| at.path());
        let gold = table.need("gold", "答案文件", "the file with the gold").and_then(|at| at.path());
        let share = table.get("private").and_then(|at| at.share());
        let seed = table.get("private_seed").and_then(|at| at.whole()).unwrap_or(0);
        if let (Some(task), Some(items), Some(gold)) = (found, items, gold)
            && once(&table, Code::DuplicateTask, task.id(), &mut seen)
        {
            let private = share.filter(|share| *share > 0.0).map(|share| Private { share, seed });
            entries.push(PhaseTask { task, items, gold, private });
        }
        table.end();
    }
    if entries.is_empty() {
        at.bad("至少一个任务", "at least one task");
    }
    entries
}
