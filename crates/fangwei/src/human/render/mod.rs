//! What there is to say of a study, as pages for people.

mod check;
mod plan;
mod score;
mod versus;

pub use check::check_page;
pub use plan::Planned;
pub use score::score_page;
pub use versus::versus_page;

use super::subject::Head;
use super::summary::Summary;
use crate::lang::Lang;
use crate::page::{Page, percent};
use crate::stats::Interval;
use crate::table::{Cell, Table};

/// A page that begins with what it is about.
fn page(head: &Head, lang: Lang) -> Page {
    let Head { title, task, mode, measure, items, groups, resampling } = head;
    let mut page = Page::new(lang, format!("{title}  {task} {} {measure}", mode.as_str()));
    let (level, resamples, seed) = (percent(resampling.confidence), resampling.resamples, resampling.seed);
    page.paragraph(match lang {
        Lang::Zh => format!("{items} 题，{groups} 个原句；区间：{level}，{resamples} 次重抽样，种子 {seed}。"),
        Lang::En => format!("{items} items of {groups} origins; intervals: {level}, {resamples} resamples, seed {seed}."),
    });
    page
}

fn range(interval: Option<&Interval>) -> Cell {
    interval.map(|interval| format!("[{:.4}, {:.4}]", interval.low, interval.high)).into()
}

/// Who, in how many people, mean, deviation, best and worst.
fn summaries<'s>(lang: Lang, rows: impl IntoIterator<Item = (&'s str, Option<&'s Summary>)>) -> Table {
    let mut table = Table::new([
        "",
        lang.say("人数", "people"),
        lang.say("均值", "mean"),
        lang.say("标准差", "deviation"),
        lang.say("最高", "maximum"),
        lang.say("最低", "minimum"),
    ]);
    for (name, summary) in rows {
        let Some(summary) = summary else { continue };
        let numbers = [summary.mean, summary.deviation, summary.maximum, summary.minimum];
        table.row([Cell::from(name), Cell::from(summary.people as u64)].into_iter().chain(numbers.map(Cell::from)));
    }
    table
}
