//! `2023/scene`: can two texts that differ in a few characters show the same scene, and why? The judgement is scored here; the reason is graded by people
//! (see `crate::score::grade_scenes`).

use super::super::common::{ACCURACY, accuracy_measures, align_words, gold_verdict, put_right, verdict_word};
use crate::answer::{Answer, Kind, Scene, Verdict};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json};
use crate::score::{Alignment, Measures, Total};
use crate::task::{About, Form, Item, Mode, Numbering, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct SceneTask;

fn judged(answer: Option<&Answer>) -> Option<Verdict> {
    if let Some(Answer::Scene(scene)) = answer { Some(scene.judge) } else { None }
}

fn read_scene(given: &Json<'_>, check: &mut Check) -> Option<Scene> {
    let value = Fields::of(given, check)?.need("judge", check)?;
    let judge = match value.as_str() {
        Some("true") => Verdict::Plain(true),
        Some("false") => Verdict::Plain(false),
        _ => {
            check.at("judge", |check| check.add(Code::BadVerdict, "\"true\" / \"false\"", value.brief()));
            Verdict::Neither
        }
    };
    let reason = match given.get("reason") {
        Some(Json::Text(reason)) => Some(reason.as_ref().into()),
        Some(other) => {
            check.at("reason", |check| check.add(Code::BadType, Say::new("字符串", "a string"), other.brief()));
            None
        }
        None => None,
    };
    Some(Scene { judge, reason })
}

/// The first two quotations of a reason: the strings in which the texts are said to differ.
pub fn quoted_difference(reason: &str) -> Option<(&str, &str)> {
    let mut quotes = reason.split('“').skip(1).filter_map(|rest| rest.split_once('”').map(|(quote, _)| quote));
    Some((quotes.next()?, quotes.next()?))
}

/// Whether two strings are a difference of two texts: each stands in its text, and what is left of the texts without them is the same.
pub fn is_difference(texts: (&str, &str), quoted: (&str, &str)) -> bool {
    if quoted.0.is_empty() || quoted.1.is_empty() {
        return false;
    }
    let before = texts.0.bytes().zip(texts.1.bytes()).take_while(|(a, b)| a == b).count();
    let after = texts.0.bytes().rev().zip(texts.1.bytes().rev()).take_while(|(a, b)| a == b).count();
    // Where a string may stand so that what precedes and what follows it is common to both texts.
    let starts = |text: &str, part: &str| -> Vec<usize> {
        let fits = |start: usize| start <= before && text.len() - start - part.len() <= after;
        text.match_indices(part).map(|(start, _)| start).filter(|start| fits(*start)).collect()
    };
    // Equal beginnings and equal ends have equal lengths.
    let rest = |text: &str, part: &str| text.len().checked_sub(part.len());
    if rest(texts.0, quoted.0) != rest(texts.1, quoted.1) {
        return false;
    }
    let others = starts(texts.1, quoted.1);
    starts(texts.0, quoted.0).iter().any(|start| others.binary_search(start).is_ok())
}

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2023/scene",
    alias: "2023/task3",
    title: words("空间场景异同判断", "Can two texts show the same scene, and why?"),
    guide: words(include_str!("guide/scene.zh.md"), include_str!("guide/scene.en.md")),
    prompts: &[
        ("ours", include_str!("prompt/scene.ours.md")),
        ("organisers", include_str!("prompt/scene.organisers.md")),
        ("fudan", include_str!("prompt/scene.fudan.md")),
    ],
    qid_names: &["qid"],
    fields: &["qid", "context1", "context2", "results"],
    answer: "results",
};

impl Task for SceneTask {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &ACCURACY
    }

    fn form(&self) -> Form {
        Form { numbering: Numbering::WithoutSplit, ..Form::default() }
    }

    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        let (context1, context2) = (Fields(given).text("context1", check), Fields(given).text("context2", check));
        Some(Texts::Pair { context1: context1?, context2: context2? })
    }

    fn kind(&self) -> Kind {
        Kind::Scene
    }

    /// `results` is a list of one object in the released file, and a bare object in the paper's example; both are read.
    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let value = Fields(given).need("results", check)?;
        let scene = check.at("results", |check| match value {
            Json::Map(_) => read_scene(value, check),
            Json::List(list) => match list.as_slice() {
                [one] => check.at(0, |check| read_scene(one, check)),
                _ => {
                    check.add(Code::BadLength, Say::new("一个判断", "one judgement"), list.len().to_string());
                    list.first().and_then(|first| check.at(0, |check| read_scene(first, check)))
                }
            },
            other => {
                check.add(Code::BadType, Say::new("数组", "an array"), other.brief());
                None
            }
        });
        scene.map(Answer::Scene)
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let Answer::Scene(scene) = answer else { return Vec::new() };
        let judge = scene.judge.value().map_or(Json::Null, |value| Json::text(value.to_string()));
        let reason = scene.reason.as_ref().map(|reason| ("reason", Json::text(reason.to_string())));
        vec![("results", Json::List(vec![Json::map([("judge", judge)].into_iter().chain(reason))]))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let Answer::Scene(scene) = answer else { return };
        check.at("results", |check| {
            check.at(0, |check| {
                let Some(reason) = &scene.reason else {
                    check.add(Code::MissingField, Say::new("字段 reason", "field reason"), "judge");
                    return;
                };
                if let Some(Texts::Pair { context1, context2 }) = texts {
                    let quoted = quoted_difference(reason);
                    if !quoted.is_some_and(|quoted| is_difference((context1, context2), quoted)) {
                        let expected =
                            Say::new("先引用两段文本的差异字符串：“…”和“…”", "the differing strings quoted first: “…” and “…”");
                        let found =
                            quoted.map_or(Say::new("没有引用", "no quotation"), |(a, b)| Say::same(format!("“{a}” “{b}”")));
                        check.at("reason", |check| check.add(Code::BadDifference, expected, found));
                    }
                }
            });
        });
    }

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
        let mut alignment =
            align_words(&[("judge", gold.to_string(), verdict.map(verdict_word))], verdict == Some(Verdict::Plain(gold)));
        if let Some(Answer::Scene(Scene { reason: Some(reason), .. })) = pred {
            alignment.notes.push(Say::new(format!("理由：{reason}"), format!("reason: {reason}")));
        }
        alignment
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        (name == "gold").then(|| vec![gold_verdict(item).to_string()])
    }

    fn facets(&self) -> &'static [&'static str] {
        &["gold"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_leaves_the_same_rest() {
        let texts = ("猫睡在沙发上。", "猫睡在沙发里。");
        assert!(is_difference(texts, ("上", "里")));
        assert!(is_difference(texts, ("沙发上", "沙发里")));
        assert!(!is_difference(texts, ("沙发上", "里")));
        assert!(!is_difference(texts, ("", "里")));
        assert_eq!(quoted_difference("差异在于“沙发上”和“沙发里”。“猫”…"), Some(("沙发上", "沙发里")));
        assert_eq!(quoted_difference("没有引号"), None);
    }
}
