//! `2021/judge`: is the spatial meaning of a text normal? `2021/reason`: does a reason explain what is wrong with a text? Both are yes or no, and accuracy is the measure.

use super::super::common::{align_words, gold_verdict, plain_verdict, python_int, verdict_word};
use super::sheet;
use crate::answer::{Answer, Kind, Verdict};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json};
use crate::score::{Alignment, Measures, Total, ratio};
use crate::task::{About, Form, Item, Mode, Numbering, Quirk, Rules, Scale, Task, Texts};

/// One of the two tasks; they differ in their field and in whether a reason is asked about.
#[derive(Debug)]
pub struct VerdictTask {
    about: About,
    number: u8,
}

/// `2021/judge`
pub const JUDGE: VerdictTask = VerdictTask {
    about: About {
        id: "2021/judge",
        alias: "2021/task1",
        title: words("中文空间语义正误判断", "Is the spatial meaning of the text normal?"),
        guide: words(include_str!("guide/judge.zh.md"), include_str!("guide/judge.en.md")),
        prompts: &[("ours", include_str!("prompt/judge.ours.md"))],
        qid_names: &["qID", "qid"],
        fields: &["qID", "qid", "context", "judge1"],
        answer: "judge1",
    },
    number: 1,
};

/// `2021/reason`
pub const REASON: VerdictTask = VerdictTask {
    about: About {
        id: "2021/reason",
        alias: "2021/task2",
        title: words("中文空间语义异常归因合理性判断", "Does the reason explain the anomaly?"),
        guide: words(include_str!("guide/reason.zh.md"), include_str!("guide/reason.en.md")),
        prompts: &[("ours", include_str!("prompt/reason.ours.md"))],
        qid_names: &["qID", "qid"],
        fields: &["qID", "qid", "context", "reason", "judge2"],
        answer: "judge2",
    },
    number: 2,
};

/// How the files of 2021 look.
pub const FORM: Form = Form { array: true, numbering: Numbering::PerFile };

/// What 2021 does with a missing or irregular verdict; the joint task does the same.
pub const QUIRKS: &[Quirk] = &[
    Quirk {
        name: "missing-is-false",
        official: words(
            "没有作答按 0（异常）计，因此题目为异常时算对",
            "a missing answer counts as 0, so it is right where gold is 0",
        ),
        spec: words("没有作答不得分", "a missing answer earns nothing"),
    },
    Quirk {
        name: "int-cast",
        official: words("用 int() 读判断值：\"1\" 为 1，0.9 为 0", "verdicts pass through int(): \"1\" is 1, 0.9 is 0"),
        spec: words("判断值只能是真、假、1、0，其他按未作答计", "a verdict is true, false, 1 or 0; anything else is no answer"),
    },
];

/// The verdict that counts under the rules.
pub fn counted(rules: Rules, verdict: Option<Verdict>) -> Option<bool> {
    match verdict {
        None => rules.has(0).then_some(false),
        Some(Verdict::Plain(value)) => Some(value),
        Some(Verdict::Cast(value)) if rules.has(1) => Some(value),
        Some(Verdict::Cast(_) | Verdict::Neither) => None,
    }
}

/// Reads a verdict of 2021.
pub fn read_verdict(given: &Json<'_>, check: &mut Check) -> Option<Verdict> {
    let expected = || Say::same("true / false / 1 / 0");
    if let Some(value) = plain_verdict(given) {
        return Some(Verdict::Plain(value));
    }
    let value = python_int(given);
    let code = if value.is_some() { Code::LooseVerdict } else { Code::BadVerdict };
    check.add(code, expected(), given.brief());
    value.map(Verdict::Cast)
}

/// A verdict as 2021 wrote it.
pub fn write_verdict(verdict: Verdict) -> Json<'static> {
    verdict.value().map_or(Json::Null, Json::Bool)
}

/// Column of a pair of stage-one verdicts: TP, TN, FN, FP, positive meaning normal. An answer that does not count is the opposite of gold.
pub fn cell(gold: bool, pred: Option<bool>) -> usize {
    match (gold, pred) {
        (true, Some(true)) => 0,
        (false, Some(false)) => 1,
        (true, _) => 2,
        (false, _) => 3,
    }
}

impl Task for VerdictTask {
    fn about(&self) -> &About {
        &self.about
    }

    fn scale(&self) -> &Scale {
        &Scale { columns: &["TP", "TN", "FN", "FP", "right"], own: 5, item: 4, ranking: "Accuracy", accuracy: true }
    }

    fn form(&self) -> Form {
        FORM
    }

    fn unpack(&self, given: &Json<'_>) -> Option<Vec<Json<'static>>> {
        sheet::unpack(given, self.number, &[self.about.answer])
    }

    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        let context = Fields(given).text("context", check);
        if self.number == 1 {
            return Some(Texts::One { context: context? });
        }
        let reason = Fields(given).text("reason", check);
        Some(Texts::Reason { context: context?, reason: reason? })
    }

    fn kind(&self) -> Kind {
        Kind::Verdict
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let value = Fields(given).need(self.about.answer, check)?;
        check.at(self.about.answer, |check| read_verdict(value, check)).map(Answer::Verdict)
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let Answer::Verdict(verdict) = answer else { return Vec::new() };
        vec![(self.about.answer, write_verdict(*verdict))]
    }

    fn check_answer(&self, _: &Answer, _: Option<&Texts>, _: &mut Check) {}

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        let verdict = pred.and_then(|pred| if let Answer::Verdict(verdict) = pred { Some(*verdict) } else { None });
        let cell = cell(gold_verdict(item), counted(rules, verdict));
        row[cell] = 1.0;
        row[4] = f64::from(u8::from(cell < 2));
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        let names = ["TP", "TN", "FN", "FP"].into_iter().zip(&total.sums);
        let measures = names.fold(Measures::default(), |measures, (name, sum)| measures.count(name, *sum));
        measures.number("Accuracy", ratio(total.sums[4], total.items as f64))
    }

    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let verdict = pred.and_then(|pred| if let Answer::Verdict(verdict) = pred { Some(*verdict) } else { None });
        let gold = gold_verdict(item);
        let right = counted(rules, verdict) == Some(gold);
        align_words(&[(self.about.answer, gold.to_string(), verdict.map(verdict_word))], right)
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        facet(name, item)
    }

    fn facets(&self) -> &'static [&'static str] {
        if self.number == 1 { &["gold"] } else { &["type", "gold"] }
    }
}

/// The kind of a reason by its sentence frame, and the gold verdict.
pub fn facet(name: &str, item: &Item) -> Option<Vec<String>> {
    match (name, &item.texts) {
        ("gold", _) => Some(vec![gold_verdict(item).to_string()]),
        ("type", Texts::Reason { reason, .. }) => {
            let frames = ["不宜搭配", "语义冲突", "信息冲突", "不符合常识"];
            let kind = frames.into_iter().filter_map(|frame| Some((reason.rfind(frame)?, frame))).max();
            Some(vec![kind.map_or("其他", |(_, frame)| frame).to_owned()])
        }
        _ => None,
    }
}
