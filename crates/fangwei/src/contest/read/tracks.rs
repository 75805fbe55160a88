//! What only some competitions have: the track of prompts, awards.

use super::super::keys::At;
use super::super::{AwardPlan, BoardPlan, Criterion, Document, Gate, Phase, PromptTrack};
use super::{count, gate, named, once, task_of};
use crate::lang::Say;
use crate::record::Code;
use crate::score::Rubric;
use crate::task::Task;

pub(super) fn prompts(at: &At<'_, '_>, phases: &[Phase]) -> Option<PromptTrack> {
    let table = at.table()?;
    let names = phases.iter().map(|phase| phase.id.as_str());
    let phase = table.need("phase", "一个阶段", "a phase").and_then(|at| named(&at, ("没有这个阶段", "unknown phase"), names));
    let of_phase = phases.iter().find(|known| Some(&known.id) == phase.as_ref());
    let of_phase: Vec<&'static dyn Task> = of_phase.iter().flat_map(|phase| &phase.tasks).map(|entry| entry.task).collect();
    let task = table.need("task", "任务，如 2023/scene", "a task, as 2023/scene").and_then(|at| task_of(&at, of_phase.iter()));
    let track = PromptTrack {
        phase: phase.clone().unwrap_or_default(),
        task: task.map(|task| task.id().to_owned()).unwrap_or_default(),
        model: table.get("model").and_then(|at| at.text()).unwrap_or_default(),
        budget_tokens: table.get("budget_tokens").and_then(|at| at.whole()).unwrap_or(1_000_000),
        budget_money: table.get("budget_money").and_then(|at| at.number()).unwrap_or(0.0),
        most_characters: count(&table, "most_characters", 1_000_000).unwrap_or(20_000),
        raters: count(&table, "raters", 10).unwrap_or(2),
        rubric: table.get("rubric").and_then(|at| rubric(&at)).unwrap_or(Rubric::Paper),
        transcripts: table.get("transcripts").and_then(|at| gate(&at, phases)).unwrap_or(Gate::Hand),
    };
    table.end();
    (!track.phase.is_empty() && !track.task.is_empty()).then_some(track)
}

fn rubric(at: &At<'_, '_>) -> Option<Rubric> {
    let word = at.text()?;
    let found = [("paper", Rubric::Paper), ("page", Rubric::Page)].into_iter().find(|(name, _)| *name == word);
    if found.is_none() {
        at.bad("paper / page", "paper / page");
    }
    found.map(|(_, rubric)| rubric)
}

pub(super) fn awards(at: &At<'_, '_>, boards: &[BoardPlan]) -> Option<AwardPlan> {
    let table = at.table()?;
    let names = boards.iter().map(|board| board.id.as_str());
    let board =
        table.need("board", "一个排行榜", "a board").and_then(|at| named(&at, ("没有这个排行榜", "unknown board"), names));
    let (mut documents, mut criteria, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    for one in table.tables("documents") {
        let id = one.need("id", "文件的名字，如 report", "a name, as report").and_then(|at| at.id());
        let title = one.get("title").and_then(|at| at.say());
        let deadline = one.need("deadline", "带时差的时间", "a time with its offset").and_then(|at| at.moment());
        let required = one.get("required").and_then(|at| at.flag()).unwrap_or(true);
        let link = one.get("link").and_then(|at| at.flag()).unwrap_or(false);
        if let (Some(id), Some(deadline)) = (id, deadline)
            && once(&one, Code::DuplicateName, &id, &mut seen)
        {
            documents.push(Document { title: title.unwrap_or_else(|| Say::same(id.clone())), id, deadline, required, link });
        }
        one.end();
    }
    seen.clear();
    for one in table.tables("criteria") {
        let id = one.need("id", "评审项目的名字", "a name").and_then(|at| at.id());
        let title = one.get("title").and_then(|at| at.say());
        let most = one.get("most").and_then(|at| at.number()).unwrap_or(100.0);
        if let Some(id) = id
            && once(&one, Code::DuplicateName, &id, &mut seen)
        {
            criteria.push(Criterion { title: title.unwrap_or_else(|| Say::same(id.clone())), id, most });
        }
        one.end();
    }
    let board_share = table.get("board_share").and_then(|at| at.share()).unwrap_or(crate::rank::Z_WEIGHT);
    table.end();
    Some(AwardPlan { board: board?, documents, criteria, board_share })
}
