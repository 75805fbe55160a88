//! The parts of forms in which people do not answer: they clean, write or grade.

use super::build::answer;
use super::look;
use super::make::{CONTEXT, Digits, MOST, choice, field, note, record, records, span, text};
use super::parts::{Choice, FieldKind, Part, TextPart, When};
use crate::annotate::{Deciding, Flaw, MOST_GRADE};
use crate::answer::Kind;
use crate::lang::{Lang, Words, words};

/// Raw passages: six buttons, of which four ask where.
pub(super) fn clean(kind: Kind, digits: &mut Digits) -> Vec<Part> {
    let flaw = |flaw: Flaw| (flaw.as_str(), words(flaw.title(Lang::Zh), flaw.title(Lang::En)));
    let some = ("some", words("有问题", "something is wrong"));
    let outcome = digits.options(&[flaw(Flaw::Nothing), some, flaw(Flaw::Drop)]);
    let context = if kind == Kind::Scene { None } else { CONTEXT };
    let problem = |(at, flaw): (usize, &Flaw)| {
        let mut fields = vec![span("place", look::PROBLEMS[at], context)];
        if *flaw == Flaw::Typo {
            fields.push(field("correction", look::CORRECTION, FieldKind::Text));
        }
        let least = fields.len();
        record(flaw.as_str(), words(flaw.title(Lang::Zh), flaw.title(Lang::En)), fields, least, None)
    };
    let types = MARKED_FLAWS.iter().enumerate().map(problem).collect();
    let when = When { name: "outcome", values: vec!["some"] };
    vec![
        choice("outcome", words("这段话能用吗", "can the passage be used"), true, outcome),
        records("problems", words("问题", "problems"), types, MOST, Some(when)),
        note(),
    ]
}

/// The flaws that have a place in the text.
pub(super) const MARKED_FLAWS: [Flaw; 4] = [Flaw::Typo, Flaw::Locative, Flaw::Directional, Flaw::Segmentation];

/// Two texts around a given pair of words.
pub(super) fn author(digits: &mut Digits) -> Vec<Part> {
    let scene = answer(Kind::Scene, false, digits);
    let deciding = |one: &Deciding| (one.as_str(), words(one.title(Lang::Zh), one.title(Lang::En)));
    let values: Vec<_> = Deciding::ALL.iter().map(deciding).collect();
    let mut parts = vec![
        Part::Text(text("context1", words("文本一（含第一个词）", "text 1, with the first word"), 4, true)),
        Part::Text(text("context2", words("文本二（含第二个词）", "text 2, with the second word"), 4, true)),
    ];
    let (judge, reason): (Vec<Part>, Vec<Part>) = scene.into_iter().partition(|part| matches!(part, Part::Choice(_)));
    parts.extend(judge);
    parts.push(Part::Text(text("entities", words("空间实体，每行一个", "spatial entities, one a line"), 3, true)));
    parts.push(choice("deciding", words("由什么决定异同", "what decides it"), true, digits.options(&values)));
    // A reason can come from whoever checks the pair.
    parts.extend(reason.into_iter().map(|part| match part {
        Part::Text(part) => Part::Text(TextPart { required: false, ..part }),
        other => other,
    }));
    parts.push(note());
    parts
}

pub(super) fn grade() -> Part {
    const GRADES: [(&str, Words); MOST_GRADE as usize + 1] = [
        ("0", words("0 没有道理", "0 makes no sense")),
        ("1", words("1", "1")),
        ("2", words("2", "2")),
        ("3", words("3", "3")),
        ("4", words("4", "4")),
        ("5", words("5 完全说清楚", "5 explains it fully")),
    ];
    let options = GRADES.iter().map(|(value, label)| Choice { value, label: *label, key: value }).collect();
    choice("grade", words("这条理由值几分", "what is the reason worth"), true, options)
}
