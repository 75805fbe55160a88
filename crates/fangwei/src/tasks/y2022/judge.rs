//! `2022/judge`: is the spatial meaning of a text normal (1) or not (0)? Accuracy.

use super::super::common::{ACCURACY, accuracy_measures, align_words, gold_verdict, plain_verdict, put_right, verdict_word};
use crate::answer::{Answer, Kind, Verdict};
use crate::lang::words;
use crate::record::{Check, Code, Fields, Json};
use crate::score::{Alignment, Measures, Total};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Judge;

fn judged(pred: Option<&Answer>) -> Option<Verdict> {
    if let Some(Answer::Verdict(verdict)) = pred { Some(*verdict) } else { None }
}

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2022/judge",
    alias: "2022/task1",
    title: words("中文空间语义正误判断", "Is the spatial meaning of the text normal?"),
    guide: words(include_str!("guide/judge.zh.md"), include_str!("guide/judge.en.md")),
    prompts: &[("ours", include_str!("prompt/judge.ours.md"))],
    qid_names: &["qid"],
    fields: &["qid", "context", "judge"],
    answer: "judge",
};

impl Task for Judge {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &ACCURACY
    }

    fn kind(&self) -> Kind {
        Kind::Verdict
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let value = Fields(given).need("judge", check)?;
        // The script compares with `==`: true and 1.0 are 1, "1" is simply wrong.
        let verdict = plain_verdict(value).map_or(Verdict::Neither, Verdict::Plain);
        if verdict == Verdict::Neither {
            check.at("judge", |check| check.add(Code::BadVerdict, "1 / 0", value.brief()));
        }
        Some(Answer::Verdict(verdict))
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let value = judged(Some(answer)).and_then(Verdict::value);
        vec![("judge", value.map_or(Json::Null, |value| Json::Int(i64::from(value))))]
    }

    fn check_answer(&self, _: &Answer, _: Option<&Texts>, _: &mut Check) {}

    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    fn score(&self, _: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        put_right(row, item, judged(pred));
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        accuracy_measures(total)
    }

    fn align(&self, _: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let (gold, verdict) = (gold_verdict(item), judged(pred));
        align_words(&[("judge", gold.to_string(), verdict.map(verdict_word))], verdict == Some(Verdict::Plain(gold)))
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        (name == "gold").then(|| vec![u8::from(gold_verdict(item)).to_string()])
    }

    fn facets(&self) -> &'static [&'static str] {
        &["gold"]
    }
}
