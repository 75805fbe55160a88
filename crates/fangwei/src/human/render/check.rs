//! Who breaks which rule, what was measured, and what was decided.

use crate::human::log::Action;
use crate::human::rules::{Finding, RULES};
use crate::human::subject::Held;
use crate::lang::Lang;
use crate::page::Page;
use crate::table::{Cell, Table};

/// Who breaks which rule, and who is excluded.
pub fn check_page(held: &Held, findings: &[Finding], lang: Lang) -> Page {
    let mut page = Page::new(lang, format!("{}  {}", held.study.title, held.study.task.id()));
    let used: Vec<_> = RULES.iter().zip(&held.study.rules).filter_map(|(rule, threshold)| Some((rule, (*threshold)?))).collect();
    let mut rules = Table::new([lang.say("规则", "rule"), lang.say("界限", "threshold"), lang.say("含义", "when it is broken")]);
    for (rule, threshold) in &used {
        rules.row([
            format!("{} {}", rule.name, rule.title.get(lang)).into(),
            threshold.to_string().into(),
            rule.holds.get(lang).into(),
        ]);
    }
    page.heading(lang.say("规则", "Rules")).table(rules);
    let head = std::iter::once(lang.say("被试", "subject")).chain(used.iter().map(|(rule, _)| rule.name));
    let mut table = Table::new(head.chain([lang.say("状态", "state")]));
    for subject in &held.subjects {
        let value = |name: &str| {
            let found = findings.iter().find(|finding| finding.subject == subject.name && finding.rule == name);
            match found.and_then(|found| Some((found.value?, found.breaks))) {
                Some((value, breaks)) => format!("{value:.3}{}", if breaks { " ✗" } else { "" }),
                None => "/".to_owned(),
            }
        };
        let state = held
            .excluded(&subject.name)
            .map_or_else(String::new, |entry| format!("{} ({})", lang.say("已排除", "excluded"), entry.rule));
        let cells = used.iter().map(|(rule, _)| Cell::from(value(rule.name)));
        table.row(std::iter::once(Cell::from(subject.name.as_str())).chain(cells).chain([Cell::from(state)]));
    }
    page.heading(lang.say("被试", "Subjects")).table(table);
    let mut broken = Table::new([
        lang.say("被试", "subject"),
        lang.say("违反", "breaks"),
        lang.say("值", "value"),
        lang.say("界限", "threshold"),
        lang.say("情形", "what it looks like"),
    ]);
    for finding in findings.iter().filter(|finding| finding.breaks) {
        let title = RULES.iter().find(|rule| rule.name == finding.rule).map_or("", |rule| rule.title.get(lang));
        let note = finding.note.as_ref().map(|note| note.get(lang).to_owned());
        broken.row([finding.subject.as_str().into(), title.into(), finding.value.into(), finding.threshold.into(), note.into()]);
    }
    page.heading(lang.say("违反规则的", "Who breaks a rule"));
    if broken.rows.is_empty() {
        page.paragraph(lang.say("没有。", "Nobody."));
    } else {
        page.table(broken).paragraph(lang.say(
            "列出不等于排除；--exclude 才排除，并记入 excluded.jsonl。",
            "Being listed has no effect; --exclude excludes, and logs it in excluded.jsonl.",
        ));
    }
    if !held.log.is_empty() {
        let mut log = Table::new([
            lang.say("被试", "subject"),
            lang.say("动作", "action"),
            lang.say("规则", "rule"),
            lang.say("由谁", "by"),
            lang.say("原因", "why"),
        ]);
        for entry in &held.log {
            let action =
                if entry.action == Action::Exclude { lang.say("排除", "exclude") } else { lang.say("恢复", "readmit") };
            log.row([
                entry.subject.as_str().into(),
                action.into(),
                entry.rule.as_str().into(),
                entry.by.as_str().into(),
                entry.why.as_str().into(),
            ]);
        }
        page.heading(lang.say("记录", "Log")).table(log);
    }
    page
}
