//! The data sheet: what somebody who is handed the set needs to know before using it.
//!
//! It is public, so it holds counts of every split, but which replaced words make a text abnormal is told from public answers only: that table is a shortcut.

use std::collections::BTreeMap;

use super::{Inputs, Placed, Plan, ReleaseError, classes, pack, rules};
use crate::answer::Answer;
use crate::lang::{Lang, Say};
use crate::page::{Page, percent};
use crate::record::{Check, Code, Json};
use crate::stats::Moments;
use crate::table::{Cell, Table};
use crate::task::{Item, Texts};

/// So many pairs of words are shown.
const PAIRS: usize = 30;
/// Classes smaller than this are left out of the largest deviation: one item more or less is all there is to say.
const LARGE_ENOUGH: u64 = 20;

/// The data sheet as a page.
pub(crate) fn page(plan: &Plan<'_>, inputs: &Inputs, lang: Lang) -> Result<Page, ReleaseError> {
    let config = plan.config;
    let mut page = Page::new(lang, format!("{} {}", config.name, config.version));
    what(plan, lang, &mut page);
    counts(plan, lang, &mut page);
    lengths(plan, lang, &mut page);
    genres(plan, lang, &mut page);
    labels(plan, lang, &mut page);
    replaced(plan, lang, &mut page);
    deviation(plan, lang, &mut page);
    groups(plan, lang, &mut page);
    agreement(inputs, lang, &mut page)?;
    rules::tell(&plan.surveyed, lang, &mut page);
    page.heading(lang.say("许可", "Licence"));
    page.paragraph(inputs.licence.trim().lines().next().unwrap_or_default().trim_start_matches(['#', ' ']));
    page.paragraph(lang.say("全文见 LICENSE.md。", "In full in LICENSE.md."));
    page.heading(lang.say("如何核对", "How to check"));
    page.paragraph(lang.say(
        "manifest.json 列出每个文件的大小和 SHA-256。在这个文件夹上运行 fangwei release verify DIR：核对散列值，确认没有多余的文件、输入里没有答案、同源题目不跨集合。",
        "manifest.json lists the size and SHA-256 of every file. Run fangwei release verify DIR on this folder: it checks the hashes, and that nothing else lies there, inputs hold no answers and no sibling crosses splits.",
    ));
    Ok(page)
}

fn head(first: &[&str], plan: &Plan<'_>, last: &[&str]) -> Table {
    let splits = plan.splits.iter().map(String::as_str);
    Table::new(first.iter().copied().chain(splits).chain(last.iter().copied()))
}

fn what(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    let config = plan.config;
    if let Some(date) = &config.date {
        page.paragraph(format!("{}: {date}", lang.say("日期", "Date")));
    }
    page.heading(lang.say("内容", "What it is"));
    page.paragraph(lang.say(
        "inputs/ 是题目，answers/ 是带答案的同一批题目；trace.jsonl 说明每题的来源，与答案一样不公开。",
        "inputs/ holds the items, answers/ the same items with their answers; trace.jsonl tells where each came from and is kept with the answers.",
    ));
    let mut table = Table::new([lang.say("任务", "task"), lang.say("名称", "title")]);
    for task in &plan.tasks {
        table.row([Cell::from(task.id()), Cell::from(task.about().title.get(lang))]);
    }
    page.table(table);
}

fn counts(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("题数", "Items"));
    let mut table = head(&[lang.say("任务", "task")], plan, &[lang.say("合计", "all")]);
    for task in &plan.tasks {
        let counts = plan.counts(task.id());
        let all = counts.iter().sum();
        table.row([Cell::from(task.id())].into_iter().chain(counts.into_iter().map(Cell::Count)).chain([Cell::Count(all)]));
    }
    page.table(table);
}

fn lengths(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("长度（字）", "Lengths in characters"));
    let words = ["任务", "集合", "文本", "平均", "标准差", "最短", "最长"];
    let en = ["task", "split", "text", "mean", "sd", "shortest", "longest"];
    let mut table = Table::new(if lang == Lang::Zh { words } else { en });
    for task in &plan.tasks {
        for (number, split) in plan.splits.iter().enumerate() {
            let of = |length: fn(&Item) -> Option<usize>| -> Vec<usize> {
                plan.of(task.id())
                    .filter(|placed| placed.split == number)
                    .filter_map(|placed| length(&placed.entry.item))
                    .collect()
            };
            let context = of(|item| Some(item.texts.joined().chars().count()));
            let reason =
                of(|item| if let Texts::Reason { reason, .. } = &item.texts { Some(reason.chars().count()) } else { None });
            for (name, lengths) in [(lang.say("文本", "context"), context), (lang.say("归因", "reason"), reason)] {
                if let Some(moments) = Moments::of(lengths.iter().map(|length| *length as f64)) {
                    let round = |number: f64| Cell::Text(format!("{number:.2}"));
                    table.row([
                        Cell::from(task.id()),
                        Cell::from(split.as_str()),
                        Cell::from(name),
                        round(moments.mean),
                        round(moments.deviation),
                        Cell::Count(moments.least as u64),
                        Cell::Count(moments.most as u64),
                    ]);
                }
            }
        }
    }
    page.table(table);
}

/// Counts by key and split, in the order of keys.
fn by_key<K: Ord>(plan: &Plan<'_>, key: impl Fn(&Placed) -> K) -> BTreeMap<K, Vec<u64>> {
    let mut counts: BTreeMap<K, Vec<u64>> = BTreeMap::new();
    for placed in &plan.items {
        counts.entry(key(placed)).or_insert_with(|| vec![0; plan.splits.len()])[placed.split] += 1;
    }
    counts
}

fn genres(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("体裁", "Genres"));
    let counts = by_key(plan, |placed| placed.entry.genre.clone());
    if counts.keys().all(Option::is_none) {
        page.paragraph(lang.say("没有给出。", "Not given."));
        return;
    }
    let totals: Vec<u64> = (0..plan.splits.len()).map(|split| counts.values().map(|row| row[split]).sum()).collect();
    let mut table = head(&[lang.say("体裁", "genre")], plan, &[]);
    for (genre, row) in &counts {
        let name = genre.as_deref().unwrap_or(lang.say("（无）", "(none)"));
        let shares = row.iter().zip(&totals).map(|(count, total)| {
            Cell::Text(format!("{count} ({})", percent(crate::score::ratio(*count as f64, *total as f64))))
        });
        table.row([Cell::from(name)].into_iter().chain(shares));
    }
    page.table(table);
}

fn labels(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("标签", "Labels"));
    page.paragraph(lang.say(
        "判断题为判断值，归因题为类型，2023/anomaly 为片段数，角色题为元组数。",
        "Verdicts; types of reasons; for 2023/anomaly the number of fragments; for roles the number of tuples.",
    ));
    let mut table = head(&[lang.say("任务", "task"), lang.say("标签", "label")], plan, &[lang.say("合计", "all")]);
    let rank = |placed: &Placed| plan.tasks.iter().position(|task| task.id() == placed.entry.task.id()).unwrap_or(0);
    for ((task, label), row) in by_key(plan, |placed| (rank(placed), pack::label(&placed.entry))) {
        let all = row.iter().sum();
        let words = [Cell::from(plan.tasks[task].id()), Cell::Text(label)];
        table.row(words.into_iter().chain(row.into_iter().map(Cell::Count)).chain([Cell::Count(all)]));
    }
    page.table(table);
}

/// Whether people found the text abnormal, as far as the task tells.
fn is_abnormal(item: &Item) -> Option<bool> {
    match (&item.gold, &item.texts) {
        // Reasons are asked for abnormal texts only.
        (Some(Answer::Verdict(_)), Texts::Reason { .. })
        | (Some(Answer::Reasons(_) | Answer::Candidates(_) | Answer::DraftReason(_)), _) => Some(true),
        (Some(Answer::Verdict(verdict) | Answer::Joint(verdict, _)), _) => verdict.value().map(|normal| !normal),
        (Some(Answer::Slots(_) | Answer::Tuples(_)), _) => Some(false),
        (Some(Answer::Scene(_) | Answer::Graph(_)) | None, _) => None,
    }
}

fn replaced(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("替换的词", "Replaced words"));
    if plan.items.iter().all(|placed| placed.entry.replaced.is_empty()) {
        page.paragraph(lang.say("没有给出。", "Not given."));
        return;
    }
    let mut table = head(&[lang.say("每题替换词数", "replaced words an item")], plan, &[]);
    for (number, row) in by_key(plan, |placed| placed.entry.replaced.len()) {
        table.row([Cell::Text(number.to_string())].into_iter().chain(row.into_iter().map(Cell::Count)));
    }
    page.table(table);
    // A sentence in several tasks is one sentence; it is abnormal if any task says so.
    let mut texts: BTreeMap<&str, (&Placed, bool)> = BTreeMap::new();
    for placed in plan.items.iter().filter(|placed| plan.is_public(placed.split)) {
        if let Some(abnormal) = is_abnormal(&placed.entry.item) {
            texts.entry(placed.entry.item.texts.context()).or_insert((placed, abnormal)).1 |= abnormal;
        }
    }
    let mut pairs: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for (placed, abnormal) in texts.values() {
        for word in &placed.entry.replaced {
            let pair = pairs.entry((&word.from, &word.to)).or_default();
            pair.0 += 1;
            pair.1 += u64::from(*abnormal);
        }
    }
    if pairs.is_empty() {
        return;
    }
    let mut rows: Vec<_> = pairs.into_iter().collect();
    rows.sort_by_key(|(pair, (count, _))| (std::cmp::Reverse(*count), *pair));
    page.paragraph(match lang {
        Lang::Zh => format!("最常见的词对（共 {} 对），只统计答案公开的集合：", rows.len()),
        Lang::En => format!("The most frequent pairs of {}, in splits with public answers only:", rows.len()),
    });
    let head = ["词对", "句数", "异常", "异常率"];
    let en = ["pair", "texts", "abnormal", "share"];
    let mut table = Table::new(if lang == Lang::Zh { head } else { en });
    for ((from, to), (count, abnormal)) in rows.into_iter().take(PAIRS) {
        let share = percent(abnormal as f64 / count as f64);
        table.row([Cell::Text(format!("{from}→{to}")), Cell::Count(count), Cell::Count(abnormal), Cell::Text(share)]);
    }
    page.table(table);
}

fn deviation(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("与份额的偏差", "Deviation from the shares"));
    if plan.explicit {
        page.paragraph(lang.say("集合由记录自己给出。", "Records told their splits themselves."));
        return;
    }
    let parts = plan.config.shares.parts();
    let mut table = head(&[lang.say("任务", "task")], plan, &[]);
    for task in &plan.tasks {
        let counts = plan.counts(task.id());
        let all: u64 = counts.iter().sum();
        let cell = |(count, part): (&u64, &f64)| {
            let share = crate::score::ratio(*count as f64, all as f64);
            // A tiny negative number rounds to a zero that has no sign.
            let off = format!("{:+.1}", 100.0 * (share - part)).replace("-0.0", "+0.0");
            Cell::Text(format!("{} ({off})", percent(share)))
        };
        table.row([Cell::from(task.id())].into_iter().chain(counts.iter().zip(&parts).map(cell)));
    }
    page.paragraph(match lang {
        Lang::Zh => format!("份额 {}；括号里是偏差（百分点）。", plan.config.shares),
        Lang::En => format!("Shares {}; deviations in percentage points.", plan.config.shares),
    });
    page.table(table);
    if let Some((class, split, off)) = largest_deviation(plan, &parts) {
        let [task, genre, label] = class;
        let place = [task, genre, label].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" / ");
        page.paragraph(match lang {
            Lang::Zh => format!("不少于 {LARGE_ENOUGH} 题的类（任务、体裁、标签）中偏差最大的：{place}，{split} {off:+.1}。"),
            Lang::En => {
                format!("Largest among classes (task, genre, label) of {LARGE_ENOUGH} items or more: {place}, {split} {off:+.1}.")
            }
        });
    }
}

/// The class of task, genre and label that is farthest from its shares, in percentage points.
fn largest_deviation(plan: &Plan<'_>, parts: &[f64]) -> Option<([String; 3], String, f64)> {
    let mut worst: Option<([String; 3], String, f64)> = None;
    for (class, row) in by_key(plan, |placed| {
        let [.., finest] = classes(&placed.entry);
        finest
    }) {
        let all: u64 = row.iter().sum();
        if all < LARGE_ENOUGH {
            continue;
        }
        for ((count, part), split) in row.iter().zip(parts).zip(&plan.splits) {
            let off = 100.0 * (*count as f64 / all as f64 - part);
            if worst.as_ref().is_none_or(|(_, _, most)| off.abs() > most.abs()) {
                worst = Some((class.clone(), split.clone(), off));
            }
        }
    }
    worst
}

fn groups(plan: &Plan<'_>, lang: Lang, page: &mut Page) {
    page.heading(lang.say("同源组", "Origin groups"));
    let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
    for placed in &plan.items {
        *sizes.entry(placed.group).or_default() += 1;
    }
    let largest = sizes.values().max().copied().unwrap_or(0);
    let (groups, joined) = (plan.groups, plan.joined.len());
    page.paragraph(match lang {
        Lang::Zh => format!("{groups} 组，最大的一组 {largest} 题；同组的题目，不论任务，都在同一集合。按文本并组、来源名不同的有 {joined} 处。"),
        Lang::En => format!("{groups} groups, {largest} items in the largest; items of a group, whatever their task, are in one split. Texts joined differently named origins in {joined} groups."),
    });
}

/// Whatever the file says, as paths and values.
fn agreement(inputs: &Inputs, lang: Lang, page: &mut Page) -> Result<(), ReleaseError> {
    page.heading(lang.say("标注一致性", "Agreement"));
    let Some(input) = &inputs.agreement else {
        page.paragraph(lang.say("没有给出。", "Not given."));
        return Ok(());
    };
    let given = Json::parse(&input.bytes).map_err(|error| {
        let mut check = Check::new(input.name.as_str().into(), 0);
        check.add(Code::BadJson, Say::new("一个 JSON 值", "a JSON value"), error.to_string());
        ReleaseError::Records(check.defects)
    })?;
    let mut table = Table::new([lang.say("量", "measure"), lang.say("值", "value")]);
    flatten(&given, "", &mut table);
    page.table(table);
    Ok(())
}

fn flatten(value: &Json<'_>, path: &str, table: &mut Table) {
    let step = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Json::Map(fields) => fields.iter().for_each(|(name, value)| flatten(value, &step(name), table)),
        Json::List(list) => list.iter().enumerate().for_each(|(number, value)| flatten(value, &step(&number.to_string()), table)),
        Json::Text(text) => table.row([Cell::from(path), Cell::from(text.as_ref())]),
        Json::Float(number) => table.row([Cell::from(path), Cell::Text(format!("{number:.4}"))]),
        other => table.row([Cell::from(path), Cell::Text(other.to_line())]),
    }
}
