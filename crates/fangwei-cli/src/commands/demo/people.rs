//! A small human study without people: answers drawn from the marks that two annotators gave to the same sentences, with lapses; one "subject" answers by a pattern,
//! so that the rules have something to find. Names say that nobody was asked.

use std::collections::HashMap;
use std::path::Path;

use fangwei::chance::Dice;
use fangwei::record::{Json, Source, read_all};
use serde_json::json;

use super::sample;
use crate::lang::t;
use crate::output::write_file;

/// How often each simulated subject slips, in percent.
const LAPSES: [usize; 5] = [4, 8, 14, 20, 26];

/// The subjects' names.
pub fn names() -> Vec<String> {
    (1..=LAPSES.len() + 1).map(|number| format!("{}{number}", t("模拟被试", "simulated-"))).collect()
}

/// Writes the answers of everybody to the items of a study.
pub fn answer(pack: &Path, study: &Path) -> anyhow::Result<()> {
    let marks = marks();
    let sentences = sentences(pack)?;
    let (items, _) = read_all(Source::open(study.join("items.jsonl"))?)?;
    let qids: Vec<&str> = items.iter().filter_map(|(_, item)| item.get("qid").and_then(Json::as_str)).collect();
    std::fs::create_dir_all(study.join("answers"))?;
    for (number, name) in names().iter().enumerate() {
        let mut dice = Dice::new(2022, number as u64);
        let lines: String = qids
            .iter()
            .enumerate()
            .map(|(place, qid)| {
                let marked = sentences.get(*qid).and_then(|id| marks.get(id.as_str()));
                let (judge, seconds) = match LAPSES.get(number) {
                    Some(lapses) => {
                        let seen = marked.is_none_or(|both| both[dice.below(2)]);
                        let slips = dice.below(100) < *lapses;
                        (seen != slips, 8 + dice.below(25))
                    }
                    // Does not read: normal, abnormal, normal, ….
                    None => (place % 2 == 0, 1),
                };
                format!("{}\n", json!({ "qid": qid, "judge": u8::from(judge), "seconds": seconds }))
            })
            .collect();
        write_file(&study.join("answers").join(format!("{name}.jsonl")), lines.as_bytes())?;
    }
    Ok(())
}

/// Whether each of the two annotators found a candidate normal.
fn marks() -> HashMap<String, [bool; 2]> {
    let text = sample::levels();
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let id = cells.next()?.to_owned();
        let normal = |level: &str| matches!(level, "fine" | "someFine");
        Some((id, [normal(cells.next()?), normal(cells.next()?)]))
    };
    text.lines().skip(1).filter_map(row).collect()
}

/// Which candidate an item of the pack was.
fn sentences(pack: &Path) -> anyhow::Result<HashMap<String, String>> {
    let (traces, _) = read_all(Source::open(pack.join("trace.jsonl"))?)?;
    let told = traces.iter().filter_map(|(_, trace)| {
        let text = |name: &str| trace.get(name).and_then(Json::as_str).map(str::to_owned);
        (text("task")? == "2022/judge").then_some((text("qid")?, text("id")?))
    });
    Ok(told.collect())
}
