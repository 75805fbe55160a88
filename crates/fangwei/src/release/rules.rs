//! What the rules of annotation say to gold before it goes out: the rules that the editor checks by, over everything that is to be released.

use super::{Placed, Plan, ReleaseError};
use crate::annotate::{Finding, Mark, RULES, Survey, check, survey};
use crate::lang::{Lang, Say};
use crate::page::{Page, percent};
use crate::table::{Cell, Table};
use crate::task::{Item, Task};

/// What the rules found in the gold of a task.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// The task.
    pub task: &'static dyn Task,
    /// What they found.
    pub survey: Survey,
}

/// Runs the rules over every task of a release. Where it is to be strict, an item with an error is in the way.
pub(crate) fn look(plan: &Plan<'_>) -> Result<Vec<Surveyed>, ReleaseError> {
    let of = |task: &&'static dyn Task| {
        let items: Vec<Item> = plan.of(task.id()).map(|placed| placed.entry.item.clone()).collect();
        Surveyed { task: *task, survey: survey(*task, &items, RULES) }
    };
    let surveyed: Vec<Surveyed> = plan.tasks.iter().map(of).collect();
    if plan.config.strict && surveyed.iter().any(|one| !one.survey.is_clean()) {
        return Err(ReleaseError::Rules(plan.items.iter().filter_map(objection).collect()));
    }
    Ok(surveyed)
}

/// The first error of an item, with its place.
fn objection(placed: &Placed) -> Option<(super::Place, Say)> {
    let entry = &placed.entry;
    let findings = check(entry.task, &entry.item, &Mark::of_gold(&entry.item), RULES);
    let first = findings.into_iter().find(Finding::blocks)?;
    let zh = format!("{} {}", first.rule, first.message.get(Lang::Zh));
    let en = format!("{} {}", first.rule, first.message.get(Lang::En));
    Some((entry.place.clone(), Say::new(zh, en)))
}

/// One line about each task with errors.
pub(crate) fn notes(surveyed: &[Surveyed]) -> Vec<Say> {
    let broken = surveyed.iter().filter(|one| !one.survey.is_clean());
    let note = |one: &Surveyed| {
        let (task, blocked, items) = (one.task.id(), one.survey.blocked, one.survey.items);
        Say::new(
            format!(
                "{task}：{items} 题中有 {blocked} 题的答案违反标注规则，照原样发布；逐条见 fangwei validate {task} FILE --rules，要拒绝则加 --strict"
            ),
            format!(
                "{task}: the gold of {blocked} of {items} items breaks rules of annotation and is released as it is; fangwei validate {task} FILE --rules lists them, --strict refuses them"
            ),
        )
    };
    broken.map(note).collect()
}

/// The part of the data sheet. It counts and gives no example: the sheet is public, and examples would tell hidden answers.
pub(crate) fn tell(surveyed: &[Surveyed], lang: Lang, page: &mut Page) {
    page.heading(lang.say("标注规则", "Rules of annotation"));
    let zh = ["任务", "规则", "程度", "内容", "题数", "占比"];
    let en = ["task", "rule", "severity", "what", "items", "share"];
    let mut table = Table::new(if lang == Lang::Zh { zh } else { en });
    let mut found = 0;
    for Surveyed { task, survey } in surveyed {
        for row in survey.rows.iter().filter(|row| row.items > 0) {
            found += 1;
            table.row([
                Cell::from(task.id()),
                Cell::from(row.rule.id),
                Cell::from(row.rule.severity.title(lang)),
                Cell::from(row.rule.title.get(lang)),
                Cell::from(row.items),
                Cell::from(percent(row.items as f64 / survey.items.max(1) as f64)),
            ]);
        }
    }
    if found == 0 {
        page.paragraph(lang.say("没有发现违反规则的答案。", "No answer breaks a rule."));
        return;
    }
    page.paragraph(lang.say(
        "答案照原样发布；下面是违反规则或值得再看的题数。",
        "Answers are released as they are; so many break a rule or deserve a second look.",
    ));
    page.table(table);
}
