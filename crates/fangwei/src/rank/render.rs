//! A ranking for people, in Chinese or English: a table, and remarks that explain its numbers.

use std::fmt::Write;

use super::policy::POLICIES;
use super::stability::LeftOut;
use super::{Kind, Note, Ranking, Row, RowFlag, TaskFlag};
use crate::lang::Lang;
use crate::table::{Cell, Table};

/// The rows of a ranking; the award has a column only where there is one.
pub fn table(ranking: &Ranking, lang: Lang) -> Table {
    let awards = ranking.rows.iter().any(|row| row.award.is_some());
    let mut head: Vec<String> =
        [("名次", "rank"), ("名称", "name"), ("类别", "kind")].map(|(zh, en)| lang.say(zh, en).to_owned()).into();
    head.extend(ranking.tasks.iter().map(|task| format!("Z({})", task.task)));
    let rest = [("平均标准分", "mean Z"), ("平均名次", "mean rank"), ("平均分", "mean score"), ("名次范围", "rank range")];
    head.extend(rest.map(|(zh, en)| lang.say(zh, en).to_owned()));
    head.extend(awards.then(|| lang.say("奖项分", "award").to_owned()));
    head.push(lang.say("说明", "flags").to_owned());
    let mut table = Table::new(head);
    for row in &ranking.rows {
        let mut cells = vec![row.rank.map(u64::from).into(), row.name.as_str().into(), row.kind.word(lang).into()];
        cells.extend(row.z.0.iter().map(|(_, z)| Cell::from(*z)));
        cells.extend([row.z_mean, row.mean_rank, row.mean_score].map(Cell::from));
        cells.push(row.rank_range.map(|[best, worst]| format!("{best}–{worst}")).into());
        cells.extend(awards.then(|| row.award.into()));
        cells.push(flags(row, lang).into());
        table.row(cells);
    }
    table
}

impl Kind {
    /// What people call it.
    pub fn word(self, lang: Lang) -> &'static str {
        match self {
            Kind::Team => lang.say("队伍", "team"),
            Kind::Baseline => lang.say("基线", "baseline"),
            Kind::Human => lang.say("人类", "human"),
            Kind::Llm => lang.say("大模型", "llm"),
        }
    }
}

fn flags(row: &Row, lang: Lang) -> String {
    let words: Vec<&str> = row
        .flags
        .iter()
        .map(|flag| match flag {
            RowFlag::Tied => lang.say("并列", "tied"),
            RowFlag::Incomplete => lang.say("缺任务", "incomplete"),
            RowFlag::Filled => lang.say("有补分", "filled"),
            RowFlag::Outside => lang.say("不排名", "outside"),
            RowFlag::NoScore => lang.say("无成绩", "no score"),
        })
        .collect();
    words.join(lang.say("、", ", "))
}

/// What explains the numbers: the policy, each task, what the first place hangs on, and notes.
pub fn remarks(ranking: &Ranking, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    let named = POLICIES.iter().find(|named| named.policy == ranking.policy);
    lines.push(match named {
        Some(named) => {
            format!("{}{}{}", named.title.get(lang), lang.say("。", ". "), named.explanation.get(lang))
        }
        None => choices(ranking, lang),
    });
    for task in &ranking.tasks {
        let mut line = task.task.clone();
        line.push_str(lang.say("：", ": "));
        match task.mean {
            Some(mean) => {
                let (mean_word, deviation_word) = (lang.say("均值", "mean"), lang.say("标准差", "deviation"));
                let comma = lang.say("，", ", ");
                // Writing to a string cannot fail.
                let _ = write!(
                    line,
                    "{mean_word} {mean:.4}{comma}{deviation_word} {:.4}{comma}N = {}",
                    task.deviation, task.population
                );
            }
            None => line.push_str(lang.say("没有参与计算的成绩", "no score to compute with")),
        }
        if task.flags.contains(&TaskFlag::ZeroDeviation) {
            line.push_str(lang.say("（标准差为零，标准分都记 0）", " (no deviation: every Z is 0)"));
        }
        lines.push(line);
    }
    for change in &ranking.first_changes {
        let (what, name) = match &change.left_out {
            LeftOut::Task(name) => (lang.say("任务", "task"), name),
            LeftOut::Row(name) => (lang.say("对手", "rival"), name),
        };
        let first = change.first.join(lang.say("、", ", "));
        lines.push(match lang {
            Lang::Zh => format!("若去掉{what}“{name}”，第一名为：{first}"),
            Lang::En => format!("without the {what} {name:?}, first is: {first}"),
        });
    }
    lines.extend(ranking.notes.iter().map(|note| note_words(*note, lang).to_owned()));
    lines
}

/// The choices of a policy that has no name.
fn choices(ranking: &Ranking, lang: Lang) -> String {
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.map_or_else(|_| String::new(), |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let policy = &ranking.policy;
    let list = [
        ("population", word(serde_json::to_value(policy.population))),
        ("ddof", word(serde_json::to_value(policy.ddof))),
        ("missing", word(serde_json::to_value(policy.missing))),
        ("by", word(serde_json::to_value(policy.by))),
    ]
    .map(|(name, value)| format!("{name} = {value}"));
    format!("{}{}", lang.say("自定规则：", "custom policy: "), list.join(", "))
}

fn note_words(note: Note, lang: Lang) -> &'static str {
    match note {
        Note::ZeroDeviation => lang.say("有任务的成绩没有差异，不影响名次", "a task without deviation does not decide any place"),
        Note::IncompleteLast => lang.say("缺任务者排在成绩完整者之后", "rows without some task come after all complete rows"),
        Note::Filled => lang.say("缺失的成绩已按规则补上", "missing scores are filled in by the policy"),
        Note::AwardFlatZ => {
            lang.say("候选者的平均标准分相同，奖项分不计此项", "all candidates have one mean Z, which adds nothing to the award")
        }
        Note::AwardFlatJury => {
            lang.say("评委给分相同，奖项分不计此项", "the jury gave all candidates the same, which adds nothing to the award")
        }
    }
}
