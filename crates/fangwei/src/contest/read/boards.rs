//! Boards and the policies that they rank by.

use super::super::keys::{At, Table};
use super::super::{BoardPlan, Names, Phase};
use super::{named, once, task_of};
use crate::lang::{Say, Unknown, words};
use crate::rank::{By, Ddof, Missing, POLICIES, Policy, Population};
use crate::record::Code;
use crate::tasks::Year;

pub(super) fn boards(root: &Table<'_, '_>, year: Option<&'static Year>, phases: &[Phase]) -> Vec<BoardPlan> {
    let usual = year.and_then(|year| Policy::named(year.policy).ok());
    let usual = usual.unwrap_or_else(|| Policy::custom(Population::Teams, Ddof::One, Missing::Skip, By::MeanScore));
    let of_phase = |phase: &Phase| phase.tasks.iter().map(|entry| entry.task).collect::<Vec<_>>();
    let plan = |phase: &Phase| BoardPlan {
        id: phase.id.clone(),
        title: Say::new(format!("{}排行榜", phase.name.zh), format!("Board of {}", phase.name.en)),
        phase: phase.id.clone(),
        tasks: of_phase(phase),
        policy: usual,
        names: Names::Full,
        rows: String::new(),
        precision: 4,
        frozen_at: None,
    };
    let Some(given) = root.get("boards").or_else(|| root.get("leaderboards")) else {
        return phases.iter().map(plan).collect();
    };
    let (mut boards, mut seen) = (Vec::new(), Vec::new());
    for table in given.list().iter().filter_map(At::table) {
        let id = table.need("id", "排行榜的名字，如 dev", "a name, as dev").and_then(|at| at.id());
        let title = table.get("title").and_then(|at| at.say());
        let names = phases.iter().map(|phase| phase.id.as_str());
        let phase =
            table.need("phase", "一个阶段", "a phase").and_then(|at| named(&at, ("没有这个阶段", "unknown phase"), names));
        let phase = phases.iter().find(|known| Some(&known.id) == phase.as_ref());
        let of_phase = phase.map(of_phase).unwrap_or_default();
        let some = table.get("tasks").map(|at| at.list().iter().filter_map(|at| task_of(at, of_phase.iter())).collect());
        let policy = table.get("policy").and_then(|at| policy(&at)).unwrap_or(usual);
        let names = table.get("names").and_then(|at| at.word(Names::ALL, Names::as_str)).unwrap_or(Names::Full);
        let rows = table.get("rows").and_then(|at| at.path()).unwrap_or_default();
        let precision = table.get("precision").and_then(|at| precision(&at)).unwrap_or(4);
        if let (Some(id), Some(phase)) = (id, phase)
            && once(&table, Code::DuplicateName, &id, &mut seen)
        {
            let plan = plan(phase);
            let tasks = some.unwrap_or_else(|| plan.tasks.clone());
            boards.push(BoardPlan {
                id,
                title: title.unwrap_or(plan.title),
                tasks,
                policy,
                names,
                rows,
                precision,
                phase: plan.phase,
                frozen_at: None,
            });
        }
        table.end();
    }
    boards
}

fn precision(at: &At<'_, '_>) -> Option<u8> {
    let digits = at.whole()?;
    if digits > 8 {
        at.bad("0 到 8", "from 0 to 8");
        return None;
    }
    Some(digits as u8)
}

/// A name of a policy, or its four choices.
fn policy(at: &At<'_, '_>) -> Option<Policy> {
    if at.is_table() {
        let table = at.table()?;
        let population = choice(&table, "population", &["teams", "teams+baseline", "all"]);
        let missing = choice(&table, "missing", &["skip", "zero", "worst"]);
        let by = choice(&table, "by", &["z-mean", "mean-rank", "mean-score"]);
        let ddof = table.need("ddof", "0 或 1", "0 or 1").and_then(|at| match at.whole()? {
            0 => Some(Ddof::Zero),
            1 => Some(Ddof::One),
            _ => {
                at.bad("0 或 1", "0 or 1");
                None
            }
        });
        table.end();
        return Some(Policy::custom(population?, ddof?, missing?, by?));
    }
    let text = at.text()?;
    let known = || POLICIES.iter().flat_map(|known| std::iter::once(known.policy.name).chain(known.aliases.iter().copied()));
    let found = Policy::named(&text).ok();
    if found.is_none() {
        at.unknown(&Unknown::new(words("没有这个策略", "unknown policy"), &text, known()));
    }
    found
}

/// One of the words of a policy.
fn choice<T: std::str::FromStr>(table: &Table<'_, '_>, key: &'static str, known: &[&'static str]) -> Option<T> {
    let at = table.need(key, &known.join(" "), &known.join(" "))?;
    let text = at.text()?;
    let found = text.parse().ok();
    if found.is_none() {
        at.unknown(&Unknown::new(words("没有", "no"), &text, known.iter().copied()));
    }
    found
}
