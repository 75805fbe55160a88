//! When, and whether it is so.

use super::super::{Fix, Hit, Record, Role, Rule, Severity, Subject, Token, Value, example};
use super::TUPLES;
use crate::lang::words;
use crate::text::CharIdx;

/// Labels that need an event, and 之间, which needs two.
const RELATIVE: [&str; 4] = ["之前", "之后", "之时", "之间"];

fn label<'r>(record: &'r Record<'_>) -> Option<&'r str> {
    record.get(Role::TimeLabel).and_then(|value| value.label)
}

fn is_relative(record: &Record<'_>) -> bool {
    label(record).is_some_and(|label| RELATIVE.contains(&label))
}

/// A hit at a value of each tuple that `wrong` gives one for.
fn each_time<'s, 'a>(subject: &'s Subject<'a>, wrong: impl Fn(&'s Record<'a>) -> Option<&'s Value<'a>>) -> Vec<Hit> {
    subject.records.iter().filter_map(wrong).map(|value| Hit::at(value.spot)).collect()
}

pub(super) const SR05: Rule = Rule {
    id: "SR05",
    on: TUPLES,
    severity: Severity::Error,
    title: words("参照时间没有参照事件", "a relative time without an event"),
    message: words("之前、之后、之时、之间要指明是哪个事件", "之前, 之后, 之时 and 之间 need the event that they refer to"),
    check: |subject| {
        each_time(subject, |record| record.get(Role::TimeLabel).filter(|_| is_relative(record) && !record.has(Role::TimeEvent)))
    },
    passes: &[
        example("后来关门了，先前票在桌上。", "空间实体=票 事件=在 处所=桌上 参照事件=关门 时间(标签)=之前"),
        example("票会在桌上。", "空间实体=票 事件=在 处所=桌上 时间(标签)=将来"),
    ],
    fails: example("票在桌上。", "空间实体=票 事件=在 处所=桌上 时间(标签)=之后"),
};

pub(super) const SR06: Rule = Rule {
    id: "SR06",
    on: TUPLES,
    severity: Severity::Error,
    title: words("参照事件没有相应的时间标签", "an event without its relation"),
    message: words("参照事件要配之前、之后、之时或之间", "参照事件 goes with 之前, 之后, 之时 or 之间"),
    check: |subject| each_time(subject, |record| record.get(Role::TimeEvent).filter(|_| !is_relative(record))),
    passes: &[example("关了门，票留在桌上。", "空间实体=票 事件=留 处所=在桌上 参照事件=关 时间(标签)=之后")],
    fails: example("关了门，票留在桌上。", "空间实体=票 事件=留 处所=在桌上 参照事件=关 时间(标签)=过去"),
};

pub(super) const SR07: Rule = Rule {
    id: "SR07",
    on: TUPLES,
    severity: Severity::Error,
    title: words("“之间”只有一个事件", "“between” with one event"),
    message: words("之间要有两个参照事件，作为两段拼接在一起", "之间 needs two events, as two pieces of the fragment"),
    check: |subject| {
        each_time(subject, |record| {
            let event = record.get(Role::TimeEvent)?;
            (label(record) == Some("之间") && event.span().pieces().len() < 2).then_some(event)
        })
    },
    passes: &[example("开门和关门的间隙，票在桌上。", "空间实体=票 事件=在 处所=桌上 参照事件=开门+关门 时间(标签)=之间")],
    fails: example("开门和关门的间隙，票在桌上。", "空间实体=票 事件=在 处所=桌上 参照事件=关门 时间(标签)=之间"),
};

pub(super) const SR08: Rule = Rule {
    id: "SR08",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("原文时间与参照时间并用", "a literal time beside a reference"),
    message: words("有原文时间就不用参照事件和时间标签", "with a literal time neither event nor label is needed"),
    check: |subject| {
        let both =
            |record: &&Record<'_>| record.has(Role::TimeText) && (record.has(Role::TimeEvent) || record.has(Role::TimeLabel));
        let hit = |record: &Record<'_>| {
            let extra = record.get(Role::TimeLabel).or_else(|| record.get(Role::TimeEvent))?;
            Some(Hit::at(extra.spot).mended(Fix::Remove(extra.spot)))
        };
        subject.records.iter().filter(both).filter_map(hit).collect()
    },
    passes: &[example("傍晚票在桌上。", "空间实体=票 事件=在 处所=桌上 时间(文本)=傍晚")],
    fails: example("傍晚票在桌上。", "空间实体=票 事件=在 处所=桌上 时间(文本)=傍晚 时间(标签)=将来"),
};

pub(super) const SR09: Rule = Rule {
    id: "SR09",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("参照事件后面就是时间词", "a word of time right after the event"),
    message: words("原文自己说出了时间，标成原文时间", "the text itself tells the time: mark it as a literal time"),
    check: |subject| {
        each_time(subject, |record| {
            let event = record.get(Role::TimeEvent)?;
            let end = event.last()?.end;
            let next = subject.reading.after(end)?;
            let second = subject.reading.after(next.end);
            let says = |word: &Token| word.says(&["前", "后", "时", "之前", "之后", "以前", "以后", "之时", "时候", "之际"]);
            // Of a second word only what follows 了 or 的 belongs to the event.
            let near = says(&next) || next.says(&["了", "的", "完", "好", "过"]) && second.as_ref().is_some_and(says);
            near.then_some(event)
        })
    },
    passes: &[
        example("关了门，票留在桌上。", "空间实体=票 事件=留 处所=在桌上 参照事件=关 时间(标签)=之后"),
        example("关门时间到了，票留在桌上。", "空间实体=票 事件=留 处所=在桌上 参照事件=关门 时间(标签)=之时"),
    ],
    fails: example("关门后票留在桌上。", "空间实体=票 事件=留 处所=在桌上 参照事件=关门 时间(标签)=之后"),
};

/// Words that deny, in the clauses of a tuple's event and places.
fn denials(subject: &Subject<'_>, record: &Record<'_>) -> Vec<Token> {
    let told = record.values.iter().filter(|value| value.role == Role::Event || value.role.is_place());
    let mut clauses: Vec<u32> = told.flat_map(|value| subject.reading.clauses(&value.span())).collect();
    clauses.sort_unstable();
    clauses.dedup();
    // 看不见, 进不去 and 毫不 deny within the word.
    let denies = |word: &Token| {
        let within = word.text.chars().any(|character| "不没未无非".contains(character))
            && word.class.is_none()
            && !word.pos.starts_with('n');
        word.is_negation() || within || word.says(&["别", "勿", "离开", "拒绝", "避免", "差点", "差点儿", "几乎", "险些"])
    };
    clauses.into_iter().flat_map(|clause| subject.reading.words_of(clause).filter(denies).collect::<Vec<_>>()).collect()
}

/// Words of likeness and fancy: what they say is not so either.
fn is_figurative(subject: &Subject<'_>, record: &Record<'_>) -> bool {
    let says = |word: Token| {
        word.says(&[
            "像", "好像", "仿佛", "似的", "一样", "如", "如同", "宛如", "犹如", "似", "好似", "般", "想象", "幻想", "梦见",
        ])
    };
    let clauses = record.values.iter().flat_map(|value| subject.reading.clauses(&value.span())).collect::<Vec<_>>();
    clauses.into_iter().any(|clause| subject.reading.words_of(clause).any(says))
}

pub(super) const SR17: Rule = Rule {
    id: "SR17",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("说“假”没有说何时", "false, but not when"),
    message: words(
        "小句里没有否定词，“假”要配上时间（如取走之后）",
        "the clause has no negation: with 假 say when it is false (as after 取走)",
    ),
    check: |subject| {
        each_time(subject, |record| {
            let value = record.get(Role::Factuality)?;
            let told = record.of(Role::is_time).next().is_some() || is_figurative(subject, record);
            (value.label == Some("假") && !told && denials(subject, record).is_empty()).then_some(value)
        })
    },
    passes: &[
        example("他取走桌上的票。", "空间实体=票 处所=桌上 事实性=假 参照事件=取走 时间(标签)=之后"),
        example("伞不在门后。", "空间实体=伞 事件=在 处所=门后 事实性=假"),
        example("月亮像挂在树上。", "空间实体=月亮 事件=挂 处所=在树上 事实性=假"),
    ],
    fails: example("他取走桌上的票。", "空间实体=票 处所=桌上 事实性=假"),
};

pub(super) const SR18: Rule = Rule {
    id: "SR18",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("旁边有否定词而没有“假”", "a negation nearby, but not false"),
    message: words("这一组说的是不是没有的事", "does the tuple tell what is not so"),
    check: |subject| {
        let hit = |record: &Record<'_>| {
            if record.has(Role::Factuality) {
                return None;
            }
            let told = record.values.iter().filter(|value| value.role == Role::Event || value.role.is_place());
            let beside = told.filter_map(|value| value.span().first()).find_map(|CharIdx(start)| {
                let before = subject.reading.before(start)?;
                let second = || subject.reading.before(before.start);
                // Not every negation before a place denies it: 不远处, 没人的屋里.
                if before.is_negation() {
                    Some(before)
                } else {
                    second().filter(|word| word.is_negation() && before.class.is_some())
                }
            })?;
            let negation = super::run(beside.start, beside.end);
            Some(Hit::at(record.spot()).on([negation]).saying(beside.text.to_string()).mended(Fix::Deny(record.number)))
        };
        subject.records.iter().filter_map(hit).collect()
    },
    passes: &[
        example("伞没放在门后。", "空间实体=伞 事件=放 处所=在门后 事实性=假"),
        example("他不说话，站在门后。", "空间实体=他 事件=站 处所=在门后"),
    ],
    fails: example("伞没放在门后。", "空间实体=伞 事件=放 处所=在门后"),
};
