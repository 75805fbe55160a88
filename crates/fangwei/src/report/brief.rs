//! An answer in a line, for reading lists.

use crate::answer::{Answer, Element, RoleFragment, Slot, Verdict};
use crate::lang::Lang;
use crate::task::Texts;
use crate::tasks::SLOTS;

/// The answer in words; of several parts, each after the other.
pub fn brief(answer: &Answer, texts: &Texts, lang: Lang) -> String {
    let say = |verdict: Verdict, yes: &'static str, no: &'static str| match verdict.value() {
        Some(true) => yes,
        Some(false) => no,
        None => "?",
    };
    let (normal, abnormal) = (lang.say("正常", "normal"), lang.say("异常", "abnormal"));
    let (holds, fails) = (lang.say("归因成立", "the reason holds"), lang.say("归因不成立", "the reason does not hold"));
    match answer {
        Answer::Verdict(verdict) if matches!(texts, Texts::Reason { .. }) => say(*verdict, holds, fails).to_owned(),
        Answer::Verdict(verdict) => say(*verdict, normal, abnormal).to_owned(),
        Answer::Joint(first, second) => match first.value() {
            Some(false) => format!("{abnormal}{}{}", lang.say("，", ", "), say(*second, holds, fails)),
            _ => say(*first, normal, abnormal).to_owned(),
        },
        Answer::Scene(scene) => say(scene.judge, lang.say("相同", "same"), lang.say("不同", "different")).to_owned(),
        Answer::Reasons(reasons) => {
            join(reasons.iter().map(|reason| format!("{} {}", reason.kind.as_str(), fragments(&reason.fragments))))
        }
        Answer::Candidates(candidates) => join(candidates.iter().map(|parts| fragments(parts))),
        Answer::Slots(tuples) => join(tuples.iter().map(|tuple| slots(tuple))),
        Answer::Tuples(tuples) => join(tuples.iter().map(|tuple| elements(tuple))),
        Answer::DraftReason(reason) => format!("{} {}", reason.kind, reason.texts.join(" ")),
        Answer::Graph(graph) => join(graph.events.iter().chain(&graph.relations).map(|(head, roles)| {
            format!(
                "{head} {}",
                roles.iter().map(|(role, texts)| format!("{role} {}", texts.join(" "))).collect::<Vec<_>>().join(" ")
            )
        })),
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" | ")
}

fn fragments(parts: &[RoleFragment]) -> String {
    parts.iter().map(|part| format!("{} {}", part.role, part.fragment.text)).collect::<Vec<_>>().join(" ")
}

fn slots(tuple: &[Slot]) -> String {
    let filled = tuple.iter().zip(SLOTS).filter_map(|(slot, name)| match slot {
        Slot::Fragment(fragment) => Some(format!("{name} {}", fragment.text)),
        Slot::Label(label) => Some(format!("{name} {label}")),
        Slot::Empty | Slot::Unusable => None,
    });
    filled.collect::<Vec<_>>().join(" ")
}

fn elements(tuple: &[Element]) -> String {
    let filled = tuple.iter().map(|element| {
        let text = element.fragment.value().map(|fragment| fragment.text.as_str()).unwrap_or_default();
        let label = element.label.value().map(|label| format!("[{label}]")).unwrap_or_default();
        format!("{} {text}{label}", element.role)
    });
    filled.collect::<Vec<_>>().join(" ")
}
