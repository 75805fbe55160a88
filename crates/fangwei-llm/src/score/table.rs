//! A summary for people.

use fangwei::ask::State;
use fangwei::lang::{Lang, words};
use fangwei::page::percent;
use fangwei::score::Measure;
use fangwei::table::{Cell, Format, Table};
use serde_json::Value;

use super::Summary;

/// Truncated replies beyond this share are not the model's fault but the limit's.
const TRUNCATED: f64 = 0.01;

/// What became of a run, in words and tables.
pub fn summary_text(summary: &Summary, format: Format, lang: Lang) -> String {
    let say = |zh, en| lang.say(zh, en);
    let text = |pointer: &str| summary.head.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut out = format!(
        "{}  {}  {} {}  {}\n",
        text("/task"),
        text("/model"),
        say("提示词", "prompt"),
        text("/prompt/name"),
        summary.mode.as_str()
    );
    let counts = [State::Parsed, State::Repaired, State::Unparsed, State::Refused, State::Truncated, State::Empty];
    let counts: Vec<String> =
        counts.iter().map(|state| format!("{} {}", title(*state).get(lang), summary.state(*state))).collect();
    out.push_str(&match lang {
        Lang::Zh => {
            format!("{} 题中 {} 题可评分：{}，无回复 {}\n", summary.items, summary.scored, counts.join("，"), summary.missing)
        }
        Lang::En => {
            format!("scored {} of {}: {}, no reply {}\n", summary.scored, summary.items, counts.join(", "), summary.missing)
        }
    });
    if summary.missing == summary.items {
        // Zeros would look like a score.
        out.push_str(say("没有任何回复，没有成绩\n", "no reply at all, so no score\n"));
        return out;
    }
    let gap = if format == Format::Markdown { "\n" } else { "" };
    if let (Some(placed), Some(unplaced)) = (&summary.placed, &summary.unplaced) {
        let mut table = Table::new([
            say("指标", "measure"),
            say("未能解析算错", "unparsed wrong"),
            say("未能解析不计", "unparsed left out"),
            say("不补字序，算错", "own indexes, wrong"),
            say("不补字序，不计", "own indexes, left out"),
        ]);
        for (path, measure) in placed.all.flat() {
            let Measure::Number(value) = measure else { continue };
            let mark = if path == summary.ranking { " ←" } else { "" };
            let of = |measures: &fangwei::score::Measures| Cell::Number(measures.get(&path).unwrap_or(0.0));
            table.row([
                Cell::from(format!("{path}{mark}")),
                Cell::Number(value),
                of(&placed.scored),
                of(&unplaced.all),
                of(&unplaced.scored),
            ]);
        }
        out.push_str(&format!("{gap}{}", table.render(format)));
        if let Some(interval) = &summary.interval {
            out.push_str(&format!(
                "{gap}{}: {} [{:.4}, {:.4}]\n",
                say("95% 区间（同源的题一起抽取）", "95% interval (origins drawn together)"),
                summary.ranking,
                interval.low,
                interval.high
            ));
        }
    } else {
        out.push_str(say("没有答案文件，只统计解析情况\n", "no gold: only what became of the replies\n"));
    }
    out.push_str(&tables(summary, format, lang));
    out.push_str(&notes(summary, lang));
    out
}

/// What a state is called.
pub(crate) fn title(state: State) -> fangwei::lang::Words {
    match state {
        State::Parsed => words("直接解析", "parsed"),
        State::Repaired => words("修复后解析", "repaired"),
        State::Unparsed => words("未能解析", "unparsed"),
        State::Refused => words("拒答", "refused"),
        State::Truncated => words("截断", "truncated"),
        State::Empty => words("空", "empty"),
    }
}

/// Places, mends and slips, where there are any.
fn tables(summary: &Summary, format: Format, lang: Lang) -> String {
    let say = |zh, en| lang.say(zh, en);
    let mut out = String::new();
    let mut line = |head: &str, counts: Vec<String>| {
        if !counts.is_empty() {
            out.push_str(&format!(
                "{}{head}: {}\n",
                if format == Format::Markdown { "\n" } else { "" },
                counts.join(say("，", ", "))
            ));
        }
    };
    let some = |(name, count): (&str, u64)| (count > 0).then(|| format!("{name} {count}"));
    let step = format!("{} ({})", say("字序由程序补出", "indexes found by program"), fangwei::ask::PLACING);
    line(&step, summary.places.iter().filter_map(|(how, count)| some((how.as_str(), *count))).collect());
    line(say("修复", "mended"), summary.mends.iter().filter_map(|(mend, count)| some((mend.as_str(), *count))).collect());
    let slip = |(kind, answers, gold): &(fangwei::ask::SlipKind, u64, Option<u64>)| {
        let gold_part = gold.map(|gold| format!(" ({} {gold})", say("答案中", "in gold"))).unwrap_or_default();
        (*answers > 0 || gold.is_some_and(|gold| gold > 0)).then(|| format!("{} {answers}{gold_part}", kind.as_str()))
    };
    line(say("常见失误", "slips"), summary.slips.iter().filter_map(slip).collect());
    out
}

fn notes(summary: &Summary, lang: Lang) -> String {
    let mut out = String::new();
    let mut note = |zh: String, en: String| out.push_str(&format!("{}\n", if lang == Lang::Zh { zh } else { en }));
    if let Some(consistency) = &summary.consistency {
        let (repeats, agreement, stable) = (consistency.repeats, percent(consistency.agreement), percent(consistency.stable));
        note(
            format!("重复 {repeats} 次：两两一致 {agreement}，全部一致的题 {stable}"),
            format!("{repeats} repeats: {agreement} of pairs agree, {stable} of items are stable"),
        );
        if let (Some(mean), Some(deviation)) = (consistency.mean, consistency.deviation) {
            note(
                format!("{} 各次平均 {mean:.4}，标准差 {deviation:.4}", summary.ranking),
                format!("{} over repeats: mean {mean:.4}, deviation {deviation:.4}", summary.ranking),
            );
        }
    }
    if summary.missing > 0 {
        let missing = summary.missing;
        note(
            format!("注意：{missing} 题还没有回复，“算错”一栏把它们也算错；再次运行同一条命令可以补上"),
            format!(
                "note: {missing} items have no reply yet, and count as wrong where unparsed ones do; the same command asks for them again"
            ),
        );
    }
    let truncated = summary.state(State::Truncated) as f64 / summary.items.max(1) as f64;
    if truncated > TRUNCATED {
        let share = percent(truncated);
        note(
            format!("注意：{share} 的回复被截断，请加大 --max-tokens"),
            format!("note: {share} of the replies are truncated; raise --max-tokens"),
        );
    }
    if !summary.left_out.is_empty() {
        let names = summary.left_out.join(" ");
        note(
            format!("注意：服务器不接受这些参数，已略去：{names}"),
            format!("note: the server does not take these parameters, they were left out: {names}"),
        );
    }
    if summary.without_gold > 0 {
        note(
            format!("注意：{} 题没有答案，不计分", summary.without_gold),
            format!("note: {} items have no gold and are not scored", summary.without_gold),
        );
    }
    if summary.unread > 0 {
        note(format!("注意：{} 行读不了", summary.unread), format!("note: {} lines cannot be read", summary.unread));
    }
    out
}
