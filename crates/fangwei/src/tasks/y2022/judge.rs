//! `2022/judge`: is the spatial meaning of a text normal (1) or not (0)? Accuracy.

use super::super::common::{align_words, gold_verdict, plain_verdict, read_context, verdict_word, write_texts};
use crate::answer::{Answer, Verdict};
use crate::lang::{Lang, Words, words};
use crate::record::{Check, Code, Fields, Json};
use crate::score::{Alignment, Measures, Total};
use crate::task::{Item, Mode, Quirk, Rules, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Judge;

fn judged(pred: Option<&Answer>) -> Option<Verdict> {
    if let Some(Answer::Verdict(verdict)) = pred { Some(*verdict) } else { None }
}

impl Task for Judge {
    fn id(&self) -> &'static str {
        "2022/judge"
    }

    fn alias(&self) -> &'static str {
        "2022/task1"
    }

    fn title(&self) -> Words {
        words("中文空间语义正误判断", "Is the spatial meaning of the text normal?")
    }

    fn guide(&self, lang: Lang) -> &'static str {
        words(include_str!("guide/judge.zh.md"), include_str!("guide/judge.en.md")).get(lang)
    }

    fn known_fields(&self) -> &'static [&'static str] {
        &["qid", "context", "judge"]
    }

    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        read_context(given, check)
    }

    fn has_answer(&self, given: &Json<'_>) -> bool {
        given.get("judge").is_some()
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

    fn write_texts(&self, texts: &Texts) -> Vec<(&'static str, Json<'static>)> {
        write_texts(texts)
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let value = judged(Some(answer)).and_then(Verdict::value);
        vec![("judge", value.map_or(Json::Null, |value| Json::Int(i64::from(value))))]
    }

    fn check_answer(&self, _: &Answer, _: Option<&Texts>, _: &mut Check) {}

    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    fn columns(&self) -> &'static [&'static str] {
        &["correct"]
    }

    fn score(&self, _: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        let right = judged(pred) == Some(Verdict::Plain(gold_verdict(item)));
        row[0] = f64::from(u8::from(right));
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        Measures::default().count("correct", total.sums[0]).count("total", total.items as f64).number("accuracy", total.mean(0))
    }

    fn ranking(&self) -> &'static str {
        "accuracy"
    }

    fn item_column(&self) -> usize {
        0
    }

    fn is_accuracy(&self) -> bool {
        true
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
