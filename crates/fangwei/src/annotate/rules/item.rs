//! The item as a whole: what is left over, and what excludes all the rest.

use super::super::{Hit, Rule, Severity, Special, Spot, Subject, example};
use super::{TUPLES, run};
use crate::lang::{Say, words};
use crate::lexicon::Class;
use crate::text::IdxSet;

pub(super) const IT01: Rule = Rule {
    id: "IT01",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("有空间词没有用到", "spatial words that no tuple uses"),
    message: words("看看是否漏了一组", "see whether a tuple is missing"),
    check: unused,
    passes: &[example("伞靠在墙旁。", "空间实体=伞 事件=靠 处所=在墙旁"), example("思想上要重视，他走了。", "特殊: no-space")],
    fails: example("伞靠在墙旁，桌上有票。", "空间实体=伞 事件=靠 处所=在墙旁"),
};

fn unused(subject: &Subject<'_>) -> Vec<Hit> {
    if subject.mark.sets_aside() || subject.records.is_empty() {
        return Vec::new();
    }
    let used: IdxSet = subject.values().flat_map(|(_, value)| value.set().iter().collect::<Vec<_>>()).collect();
    let spatial = |class: Option<Class>| matches!(class, Some(Class::Locative | Class::Place | Class::Directional));
    let words = subject.reading.words().filter(|word| spatial(word.class));
    let left: Vec<_> = words.filter(|word| run(word.start, word.end).to_set().overlap(&used) == 0).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let list: Vec<String> = left.iter().map(|word| format!("{}({})", word.text, word.start)).collect();
    vec![Hit::at(Spot::Field("answer")).on(left.iter().map(|word| run(word.start, word.end))).saying(list.join(" "))]
}

pub(super) const IT02: Rule = Rule {
    id: "IT02",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("特殊情况", "a special case"),
    message: words("标了特殊情况", "a special case was marked"),
    check: |subject| {
        let says = |special: &Special| {
            use crate::lang::Lang::{En, Zh};
            Say::new(special.title(Zh), special.title(En))
        };
        subject.mark.special.iter().map(|special| Hit::at(Spot::Field("special")).saying(says(special))).collect()
    },
    passes: &[example("伞靠在墙旁。", "空间实体=伞 事件=靠 处所=在墙旁")],
    fails: example("他想了很久。", "特殊: no-space"),
};

pub(super) const IT03: Rule = Rule {
    id: "IT03",
    on: TUPLES,
    severity: Severity::Error,
    title: words("“没有空间意义”与元组并存", "“no spatial meaning” beside tuples"),
    message: words("两者只能有一个", "it can only be one of the two"),
    check: |subject| {
        let both = subject.mark.special.contains(&Special::NoSpace) && !subject.records.is_empty();
        if both { vec![Hit::at(Spot::Field("special"))] } else { Vec::new() }
    },
    passes: &[
        example("他想了很久。", "特殊: no-space"),
        example("伞靠在墙旁。", "空间实体=伞 事件=靠 处所=在墙旁 | 特殊: text-error"),
    ],
    fails: example("伞靠在墙旁。", "空间实体=伞 事件=靠 处所=在墙旁 | 特殊: no-space"),
};
