//! Fragments of reasons and candidates in their clause: does P hold a place and E an event, is what stands together kept together?

use super::super::{Fix, Hit, Record, Role, Rule, Severity, Spot, Subject, Token, Value, example};
use super::{ANOMALIES, each_value, joined, run};
use crate::answer::{Kind, ReasonType};
use crate::lang::{Say, words};
use crate::lexicon::Class;
use crate::text::{CharIdx, Span};

/// A noun phrase that stands right before a place, as one word: 箱子 before 里面.
pub(super) fn ground_before(subject: &Subject<'_>, value: &Value<'_>) -> Option<Span> {
    let CharIdx(start) = value.span().iter().next()?;
    let word = subject.reading.before(start)?;
    let word = if word.is_de() { subject.reading.before(word.start)? } else { word };
    word.is_nominal().then(|| run(word.start, start))
}

pub(super) const AT08: Rule = Rule {
    id: "AT08",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("处所只有方位词", "a place of locatives only"),
    message: words("把方位词所依附的名词也标上", "mark the noun that the locative belongs to as well"),
    check: |subject| {
        each_value(subject, |value| {
            let bare = value.role.is_p() && value.tokens.iter().all(|token| token.is(Class::Locative));
            // One character is AT14's matter.
            if !bare || value.tokens.is_empty() || value.span().len() < 2 {
                return None;
            }
            let CharIdx(start) = value.span().iter().next()?;
            let clause = subject.reading.clause(start)?;
            let names = subject.reading.words_of(clause).any(|word| word.end <= start && word.is_nominal());
            let ground = ground_before(subject, value).map(|ground| Fix::Cover(value.spot, joined(&ground, &value.span())));
            names.then(|| Hit::at(value.spot).mended(ground))
        })
    },
    passes: &[example("票塞在衬衫里面。", "C: S=票 P=在衬衫里面 E=塞"), example("门开了，里面很暗。", "C: P=里面 E=暗")],
    fails: example("票塞在衬衫里面。", "C: S=票 P=里面 E=塞"),
};

pub(super) const AT09: Rule = Rule {
    id: "AT09",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("处所里有动词", "a place that holds a verb"),
    message: words("动词归 E，P 只留处所", "the verb belongs to E; P is the place only"),
    check: |subject| {
        each_value(subject, |value| {
            // 去 and 转弯 may stand in P; 衣架上挂着的大衣里 has a verb in its attribute.
            let verb = |at: usize| {
                let token = &value.tokens[at];
                let attribute = value.tokens[at..].iter().any(Token::is_de);
                // 站 is a building, unless it leads to a place: 站在.
                let leads = value.tokens.get(at + 1).is_some_and(|next| next.is(Class::Preposition) || next.is_aspect());
                (token.is_verb() || token.whole && token.is(Class::Verb) && leads)
                    && !attribute
                    && !token.says(&["到", "转弯", "左转", "右转", "拐", "对着", "通过", "经过", "穿过"])
            };
            let at = (0..value.tokens.len()).find(|at| value.role.is_p() && verb(*at))?;
            let rest = (at == 0).then(|| super::without_first(value)).flatten();
            Some(Hit::at(value.spot).saying(value.tokens[at].text.to_string()).mended(rest))
        })
    },
    passes: &[
        example("老周站在门后。", "C: S=老周 P=在门后 E=站"),
        example("她走到挂着的大衣旁边。", "C: S=她 P=到挂着的大衣旁边 E=走"),
    ],
    fails: example("老周站在门后。", "C: S=老周 P=站在门后"),
};

pub(super) const AT10: Rule = Rule {
    id: "AT10",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("事件里有方位词", "an event that holds a locative"),
    message: words("处所归 P，E 只留动词", "the place belongs to P; E is the verb only"),
    check: |subject| {
        each_value(subject, |value| {
            let locative = value.tokens.iter().find(|token| token.whole && token.is(Class::Locative))?;
            (value.role.is_event()).then(|| Hit::at(value.spot).saying(locative.text.to_string()))
        })
    },
    passes: &[example("老周在门后站岗。", "C: S=老周 P=在门后 E=站岗"), example("她爬上楼。", "C: S=她 P=上楼 E=爬")],
    fails: example("老周在门后站岗。", "C: S=老周 E=门后站岗"),
};

pub(super) const AT14: Rule = Rule {
    id: "AT14",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("处所只有一个字", "a place of one character"),
    message: words("处所要完整", "a place must be whole"),
    check: |subject| {
        each_value(subject, |value| {
            let [token] = value.tokens.as_slice() else { return None };
            let short = value.role.is_p() && value.span().len() == 1;
            // A direction after a verb is whole: 跑|出. So is a noun that the text uses as a place: 去|家.
            let whole = token.is_directional() || token.is(Class::Verb) || token.is_nominal();
            let ground = ground_before(subject, value).map(|ground| Fix::Cover(value.spot, joined(&ground, &value.span())));
            (short && !whole).then(|| Hit::at(value.spot).mended(ground))
        })
    },
    passes: &[example("票塞在衬衫里。", "C: S=票 P=在衬衫里 E=塞"), example("他跑出去了。", "C: S=他 P=出去 E=跑")],
    fails: example("票塞在衬衫里。", "C: S=票 P=里 E=塞"),
};

/// The two texts of a collocation.
fn texts<'r, 'a>(record: &'r Record<'a>) -> Option<(&'r Value<'a>, &'r Value<'a>)> {
    let (one, other) = (record.get(Role::Text1)?, record.get(Role::Text2)?);
    (record.reason == Some(ReasonType::A) && !one.tokens.is_empty() && !other.tokens.is_empty()).then_some((one, other))
}

pub(super) const AT15: Rule = Rule {
    id: "AT15",
    on: &[Kind::Reasons],
    severity: Severity::Error,
    title: words("两个片段不按原文顺序", "two fragments out of the text's order"),
    message: words("text1 在原文中应在 text2 之前", "text1 must stand before text2 in the text"),
    check: |subject| {
        let hit = |record: &Record<'_>| {
            let (one, other) = texts(record)?;
            let place = |value: &Value<'_>| match value.spot {
                Spot::Value(_, at, _) => at,
                _ => 0,
            };
            let swap = Fix::Swap(record.number, place(one), place(other));
            (one.span().first() > other.span().first()).then(|| Hit::at(one.spot).on([one.span(), other.span()]).mended(swap))
        };
        subject.records.iter().filter_map(hit).collect()
    },
    passes: &[example("他把书塞进书架旁。", "A: text1=塞进 text2=书架旁")],
    fails: example("他把书塞进书架旁。", "A: text1=书架旁 text2=塞进"),
};

pub(super) const AT16: Rule = Rule {
    id: "AT16",
    on: &[Kind::Reasons],
    severity: Severity::Warning,
    title: words("两个片段不在一个小句里", "two fragments that share no clause"),
    message: words(
        "搭配不当的两个片段通常相邻；相隔很远时多半是语义冲突",
        "what does not combine usually stands side by side; far apart it is rather a conflict",
    ),
    check: |subject| {
        let hit = |record: &Record<'_>| {
            let (one, other) = texts(record)?;
            let (clauses, others) = (subject.reading.clauses(&one.span()), subject.reading.clauses(&other.span()));
            let common = clauses.iter().any(|clause| others.contains(clause));
            (!common).then(|| Hit::at(one.spot).on([one.span(), other.span()]))
        };
        subject.records.iter().filter_map(hit).collect()
    },
    passes: &[example("他把书塞进书架旁。", "A: text1=塞进 text2=书架旁")],
    fails: example("他把书塞进书架。雨下了一夜，他站在窗旁。", "A: text1=塞进 text2=窗旁"),
};

/// Words that stand for a person or thing mentioned before.
const PRONOUNS: [&str; 9] = ["他", "她", "它", "他们", "她们", "它们", "我", "你", "我们"];

pub(super) const AT18: Rule = Rule {
    id: "AT18",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("实体有更近的说法", "the entity has a nearer mention"),
    message: words(
        "实体取处所所在小句里的那一个，不必还原成名字",
        "take the mention in the clause of the place; it need not be the name",
    ),
    check: |subject| {
        let mut hits = Vec::new();
        for record in &subject.records {
            for (s, p) in [(Role::S1, Role::P1), (Role::S2, Role::P2)] {
                let (Some(s), Some(p)) = (record.get(s), record.get(p)) else { continue };
                let (far, near) = (subject.reading.clauses(&s.span()), subject.reading.clauses(&p.span()));
                let ([clause], Some(start)) = (near.as_slice(), p.span().first()) else { continue };
                if far.iter().any(|far| far >= clause) || s.tokens.is_empty() {
                    continue;
                }
                let subject_of = |word: &Token| word.end <= start.0 && word.says(&PRONOUNS);
                if let Some(word) = subject.reading.words_of(*clause).rev().find(subject_of) {
                    let nearer = run(word.start, word.end);
                    let detail = Say::new(format!("“{}”", word.text), format!("“{}”", word.text));
                    hits.push(Hit::at(s.spot).saying(detail).mended(Fix::Cover(s.spot, nearer)));
                }
            }
        }
        hits
    },
    passes: &[
        example("小林走进院子，她站在井里洗衣服。", "C: S=她 P=在井里 E=站"),
        example("小林走进院子，站在井里洗衣服。", "C: S=小林 P=在井里 E=站"),
    ],
    fails: example("小林走进院子，她站在井里洗衣服。", "C: S=小林 P=在井里 E=站"),
};
