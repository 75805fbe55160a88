//! Small words that belong to no value, or to none at that end: prepositions alone, negation, 的, 把, aspect.

use super::super::{Hit, Role, Rule, Severity, Token, Value, example};
use super::{ANOMALIES, TUPLES, each_value, without_first, without_last};
use crate::lang::words;
use crate::lexicon::Class;

pub(super) const SF01: Rule = Rule {
    id: "SF01",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("只有一个介词", "a preposition alone"),
    message: words("介词后面的处所也要标", "mark the place after the preposition as well"),
    check: |subject| {
        each_value(subject, |value| {
            let [token] = value.tokens.as_slice() else { return None };
            // 在 and 到 may be the event.
            (token.is(Class::Preposition) && value.role != Role::Event).then(|| Hit::at(value.spot))
        })
    },
    passes: &[example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上"), example("票在桌上。", "空间实体=票 事件=在 处所=桌上")],
    fails: example("票放在桌上。", "空间实体=票 事件=放 处所=在"),
};

pub(super) const SF02: Rule = Rule {
    id: "SF02",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("否定词标进了片段", "a negation in a fragment"),
    message: words("否定归事实性，不标进任何片段", "negation belongs to 事实性 and into no fragment"),
    check: |subject| {
        each_value(subject, |value| {
            let negation = value.tokens.iter().find(|token| token.is_negation())?;
            // A time or a distance may be said in the negative: 不久, 没多远.
            let counts = value.role.is_place() || value.role.is_entity() || value.role.is_event();
            let first = value.first() == Some(negation);
            counts.then(|| {
                Hit::at(value.spot).saying(negation.text.to_string()).mended(if first { without_first(value) } else { None })
            })
        })
    },
    passes: &[
        example("伞没放在门后。", "空间实体=伞 事件=放 处所=在门后 事实性=假"),
        example("票放在不锈钢柜里。", "空间实体=票 事件=放 处所=在不锈钢柜里"),
        example("船停在无锡港内。", "空间实体=船 事件=停 处所=在无锡港内"),
    ],
    fails: example("伞没放在门后。", "空间实体=伞 事件=没放 处所=在门后 事实性=假"),
};

pub(super) const SF03: Rule = Rule {
    id: "SF03",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以“的”结尾", "的 at the end"),
    message: words("去掉结尾的“的”", "leave out 的 at the end"),
    check: |subject| {
        each_value(subject, |value| {
            let counts = value.role.is_place() || value.role.is_event();
            let last = value.last().filter(|last| counts && last.is_de() && value.tokens.len() > 1)?;
            Some(Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)))
        })
    },
    passes: &[example("桌上的票丢了。", "空间实体=票 处所=桌上"), example("箭射向靶的。", "空间实体=箭 事件=射 方向=向靶")],
    fails: example("桌上的票丢了。", "空间实体=票 处所=桌上的"),
};

pub(super) const SF06: Rule = Rule {
    id: "SF06",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以助词开头", "a particle at the beginning"),
    message: words("去掉开头的助词", "leave out the particle at the beginning"),
    check: |subject| {
        each_value(subject, |value| {
            // 地 may be the ground, 的 is SF12's, and a time may begin with 过: 过了一会儿.
            let counts = value.role.is_place() || value.role.is_event() || value.role.is_entity();
            let first = value
                .first()
                .filter(|first| counts && (first.is_aspect() || first.whole && first.says(&["吗", "呢", "吧", "啊"])))?;
            Some(Hit::at(value.spot).saying(first.text.to_string()).mended(without_first(value)))
        })
    },
    passes: &[
        example("他扶着墙边走。", "空间实体=他 事件=走 路径=墙边"),
        example("地上有一枚硬币。", "空间实体=硬币 处所=地上"),
        example("他沿着墙边走。", "空间实体=他 事件=走 路径=沿着墙边"),
    ],
    fails: example("他扶着墙边走。", "空间实体=他 事件=走 路径=着墙边"),
};

/// Whether 把 and 手 are a handle and not a hand: the segmenter cannot tell.
pub(super) fn is_handle(tokens: &[Token]) -> bool {
    matches!(tokens, [first, second, ..] if first.text == "把" && second.text == "手")
}

pub(super) const SF12: Rule = Rule {
    id: "SF12",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以把、被、将、的开头", "把, 被, 将 or 的 at the beginning"),
    message: words("去掉开头的虚词", "leave out the function word at the beginning"),
    check: |subject| {
        each_value(subject, |value| {
            // An entity with 把 is SR12's; a time may begin with 将; 把手 is a handle.
            let counts = (value.role.is_place() || value.role.is_event()) && !is_handle(&value.tokens);
            let first = value.first().filter(|first| counts && first.whole && first.says(&["把", "被", "将", "的"]))?;
            Some(Hit::at(value.spot).saying(first.text.to_string()).mended(without_first(value)))
        })
    },
    passes: &[
        example("票被放在桌上。", "空间实体=票 事件=放 处所=在桌上"),
        example("将军府前停着车。", "空间实体=车 事件=停 处所=将军府前"),
        example("被子上落了灰。", "空间实体=灰 事件=落 处所=被子上"),
        example("门把手上挂着伞。", "空间实体=伞 事件=挂 处所=把手上"),
    ],
    fails: example("票被放在桌上。", "空间实体=票 事件=被放 处所=在桌上"),
};

/// Whether a value ends in 着, 了 or 过 as a particle. 过 at the end of a path is the verb.
fn ends_in_aspect(value: &Value<'_>) -> bool {
    let path = value.role == Role::Path && value.last().is_some_and(|last| last.text == "过");
    value.tokens.len() > 1 && !path && value.last().is_some_and(Token::is_aspect)
}

pub(super) const SF13: Rule = Rule {
    id: "SF13",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以着、了、过结尾", "着, 了 or 过 at the end"),
    message: words("去掉结尾的助词", "leave out the particle at the end"),
    check: |subject| {
        each_value(subject, |value| {
            let counts = value.role.is_place() || value.role.is_event();
            (counts && ends_in_aspect(value)).then(|| Hit::at(value.spot).mended(without_last(value)))
        })
    },
    passes: &[
        example("墙上挂着画。", "空间实体=画 事件=挂 处所=墙上"),
        example("车从桥下驶过。", "空间实体=车 事件=驶 路径=从桥下+过"),
    ],
    fails: example("墙上挂着画。", "空间实体=画 事件=挂着 处所=墙上"),
};

pub(super) const AT22: Rule = Rule {
    id: "AT22",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("虚词", "small words"),
    message: words(
        "片段里不要否定词，E 不以着、了、过结尾，P 和 E 不以把、被开头，不以“的”结尾",
        "no negation; no 着, 了, 过 at the end of E; no 把, 被 before and no 的 after P and E",
    ),
    check: |subject| {
        each_value(subject, |value| {
            let (place, event) = (value.role.is_p(), value.role.is_event());
            if !(place || event || value.role.is_entity()) {
                return None;
            }
            let (first, last) = (value.first()?, value.last()?);
            if event && ends_in_aspect(value) || (place || event) && value.tokens.len() > 1 && last.is_de() {
                return Some(Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)));
            }
            if (place || event) && first.whole && first.says(&["把", "被"]) {
                return Some(Hit::at(value.spot).saying(first.text.to_string()).mended(without_first(value)));
            }
            let negation = value.tokens.iter().find(|token| token.is_negation())?;
            let rest = if value.first() == Some(negation) { without_first(value) } else { None };
            Some(Hit::at(value.spot).saying(negation.text.to_string()).mended(rest))
        })
    },
    passes: &[
        example("老周站着，背靠在井里。", "C: S=老周 P=在井里 E=靠"),
        example("车从河里驶过。", "C: S=车 P=从河里 E=驶过"),
        example("他在墙里看不见雨。", "C: S=他 P=在墙里 E=看不见"),
    ],
    fails: example("井里站着一头牛。", "C: S=一头牛 P=井里 E=站着"),
};
