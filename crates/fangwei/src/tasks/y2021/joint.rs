//! `2021/joint`: is the text normal, and if not, does the reason explain it? F1 of both stages together.

use super::super::common::{align_words, verdict_word};
use super::sheet;
use super::verdict::{FORM, QUIRKS, cell, counted, facet, read_verdict, write_verdict};
use crate::answer::{Answer, Kind, Verdict};
use crate::lang::words;
use crate::record::{Check, Fields, Json};
use crate::score::{Alignment, Measures, Total, f1, ratio};
use crate::task::{About, Form, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Joint;

const COLUMNS: &[&str] = &["TP_1", "TN_1", "FN_1", "FP_1", "TP_2", "TN_2", "right"];

fn verdicts(answer: Option<&Answer>) -> Option<(Verdict, Verdict)> {
    if let Some(Answer::Joint(first, second)) = answer { Some((*first, *second)) } else { None }
}

/// The two verdicts of gold.
fn gold(item: &Item) -> (bool, bool) {
    let value = |verdict: Verdict| verdict.value().unwrap_or(false);
    verdicts(item.gold.as_ref()).map_or((false, false), |(first, second)| (value(first), value(second)))
}

/// The verdicts that count, of either stage: both or none.
fn judged(rules: Rules, pred: Option<&Answer>) -> (Option<bool>, Option<bool>) {
    let pred = verdicts(pred);
    let first = counted(rules, pred.map(|(first, _)| first));
    let second = counted(rules, pred.map(|(_, second)| second));
    if first.is_some() && second.is_some() { (first, second) } else { (None, None) }
}

/// Whether the whole answer is right.
fn right(gold: (bool, bool), judged: (Option<bool>, Option<bool>)) -> bool {
    judged.0 == Some(gold.0) && (gold.0 || judged.1 == Some(gold.1))
}

/// The numbers of an item.
const SCALE: Scale = Scale { columns: COLUMNS, own: 7, item: 6, ranking: "F1", accuracy: false };

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2021/joint",
    alias: "2021/task3",
    title: words("中文空间语义正误判断与异常归因联合任务", "Is the text normal, and does the reason explain it if not?"),
    guide: words(include_str!("guide/joint.zh.md"), include_str!("guide/joint.en.md")),
    prompts: &[("ours", include_str!("prompt/joint.ours.md"))],
    qid_names: &["qID", "qid"],
    fields: &["qID", "qid", "context", "reason", "judge1", "judge2"],
    answer: "judge1",
};

impl Task for Joint {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn form(&self) -> Form {
        FORM
    }

    fn unpack(&self, given: &Json<'_>) -> Option<Vec<Json<'static>>> {
        sheet::unpack(given, 3, &["judge1", "judge2"])
    }

    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        let (context, reason) = (Fields(given).text("context", check), Fields(given).text("reason", check));
        Some(Texts::Reason { context: context?, reason: reason? })
    }

    fn kind(&self) -> Kind {
        Kind::Joint
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let mut read = |field: &str| {
            let value = Fields(given).need(field, check)?;
            check.at(field, |check| read_verdict(value, check))
        };
        let first = read("judge1");
        // A text that is judged normal needs no judgement of the reason.
        if given.get("judge2").is_none() && first.and_then(Verdict::value) == Some(true) {
            return Some(Answer::Joint(first?, Verdict::Plain(false)));
        }
        let second = read("judge2");
        Some(Answer::Joint(first?, second?))
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let Some((first, second)) = verdicts(Some(answer)) else { return Vec::new() };
        vec![("judge1", write_verdict(first)), ("judge2", write_verdict(second))]
    }

    fn check_answer(&self, _: &Answer, _: Option<&Texts>, _: &mut Check) {}

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        let (gold, judged) = (gold(item), judged(rules, pred));
        // An answer that does not count is no answer "abnormal": it must not enter precision.
        if judged.0.is_some() || !gold.0 {
            row[cell(gold.0, judged.0)] = 1.0;
        }
        // The second stage counts only where the text is abnormal and was judged so.
        if !gold.0 && judged.0 == Some(false) && judged.1 == Some(gold.1) {
            row[if gold.1 { 4 } else { 5 }] = 1.0;
        }
        row[6] = f64::from(u8::from(right(gold, judged)));
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        let [_, tn_1, fn_1, fp_1, tp_2, tn_2, _] = total.sums[..] else { return Measures::default() };
        let (precision, recall) = (ratio(tp_2 + tn_2, tn_1 + fn_1), ratio(tp_2 + tn_2, tn_1 + fp_1));
        let counts = COLUMNS[..6].iter().zip(&total.sums);
        counts
            .fold(Measures::default(), |measures, (name, sum)| measures.count(name, *sum))
            .number("Precision", precision)
            .number("Recall", recall)
            .number("F1", f1(precision, recall))
    }

    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let (wanted, judged) = (gold(item), judged(rules, pred));
        let given = verdicts(pred);
        let mut rows = vec![("judge1", wanted.0.to_string(), given.map(|(first, _)| verdict_word(first)))];
        if !wanted.0 {
            rows.push(("judge2", wanted.1.to_string(), given.map(|(_, second)| verdict_word(second))));
        }
        align_words(&rows, right(wanted, judged))
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        facet(name, item)
    }

    fn facets(&self) -> &'static [&'static str] {
        &["type", "gold"]
    }
}
