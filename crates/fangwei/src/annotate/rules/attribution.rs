//! Reasons and candidates as wholes: are there enough fragments, do they repeat, do they say anything?

use super::super::{Fix, Hit, Level, Record, Role, Rule, Severity, Spot, Subject, Value, example};
use super::ANOMALIES;
use crate::answer::{Kind, ReasonType};
use crate::lang::{Say, words};
use crate::lexicon::{Class, Lexicon};
use crate::text::{IdxSet, Span};

/// A hit at each record that `wrong` says so of.
fn each_record(subject: &Subject<'_>, wrong: impl Fn(&Record<'_>) -> bool) -> Vec<Hit> {
    subject.records.iter().filter(|record| wrong(record)).map(|record| Hit::at(record.spot())).collect()
}

/// Whether a record holds two triples by its kind.
fn is_conflict(record: &Record<'_>) -> bool {
    record.reason == Some(ReasonType::B) || record.reason.is_none() && record.values.len() > 3
}

pub(super) const AT01: Rule = Rule {
    id: "AT01",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("什么也没标", "nothing is marked"),
    message: words(
        "标出异常片段，或选“并无异常”，或选“不适合”",
        "mark what is wrong, or say that nothing is, or that the item is unsuitable",
    ),
    check: |subject| {
        let said = !subject.records.is_empty() || subject.mark.level == Some(Level::Fine) || subject.mark.sets_aside();
        if said { Vec::new() } else { vec![Hit::at(Spot::Field("answer"))] }
    },
    passes: &[example("钥匙锁在抽屉里。", "级别: fine"), example("钥锁在抽屉里。", "不宜: 错字")],
    fails: example("他把钥匙锁进抽屉外。", ""),
};

pub(super) const AT02: Rule = Rule {
    id: "AT02",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("片段太少", "too few fragments"),
    message: words("搭配不当和不符合常识至少要两个片段，识别题至少一个", "a type A or C needs two fragments, a candidate one"),
    check: |subject| {
        each_record(subject, |record| {
            let least = match record.reason {
                Some(ReasonType::A | ReasonType::C) => 2,
                Some(ReasonType::B) => 0,
                None => 1,
            };
            // What was begun and left empty is told by AT03.
            record.values.len() < least
        })
    },
    passes: &[example("他每天去泳池旁游泳。", "C: S=他 P=去泳池旁 E=游泳")],
    fails: example("他每天去泳池旁游泳。", "C: P=去泳池旁"),
};

pub(super) const AT03: Rule = Rule {
    id: "AT03",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("空片段", "an empty fragment"),
    message: words("填上或删去", "fill it or remove it"),
    check: |subject| {
        super::each_value(subject, |value| {
            let empty = value.fragment.is_some_and(|fragment| fragment.span.is_empty());
            empty.then(|| Hit::at(value.spot).mended(Fix::Remove(value.spot)))
        })
    },
    passes: &[example("他每天去泳池旁游泳。", "C: P=去泳池旁 E=游泳")],
    fails: example("他每天去泳池旁游泳。", "C: S=∅ P=去泳池旁 E=游泳"),
};

pub(super) const AT04: Rule = Rule {
    id: "AT04",
    on: &[Kind::Reasons],
    severity: Severity::Error,
    title: words("语义冲突不足两句话", "a conflict without two statements"),
    message: words(
        "语义冲突是两个说法相抵触，至少要四个片段；只有一个说法时选“不符合常识”",
        "a conflict is between two statements and needs four fragments; a single statement is of type C",
    ),
    check: |subject| each_record(subject, |record| record.reason == Some(ReasonType::B) && record.values.len() < 4),
    passes: &[example("伞靠在门前，伞倒在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞@2 P2=在门后 E2=倒")],
    fails: example("伞靠在门前，伞倒在门后。", "B: S1=伞 P1=在门前 P2=在门后"),
};

pub(super) const AT05: Rule = Rule {
    id: "AT05",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("两句话只有五个片段", "five fragments in two statements"),
    message: words("原文里真的没有第六个吗", "is the sixth really not in the text"),
    check: |subject| each_record(subject, |record| is_conflict(record) && record.values.len() == 5),
    passes: &[example("伞靠在门前，伞倒在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞@2 P2=在门后 E2=倒")],
    fails: example("伞靠在门前，伞倒在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞@2 P2=在门后"),
};

/// Whether some fragment covers a word that is spatial here, or that the lexicon holds for spatial somewhere.
fn covers_space(subject: &Subject<'_>) -> bool {
    let known = |text: &str| {
        let classes = [
            Class::Locative,
            Class::Place,
            Class::Directional,
            Class::Preposition,
            Class::Demonstrative,
            Class::Adverb,
            Class::Verb,
        ];
        classes.iter().any(|class| Lexicon::shipped().has(text, *class))
    };
    subject.values().any(|(_, value)| value.tokens.iter().any(|token| token.class.is_some() || known(&token.text)))
}

pub(super) const AT06: Rule = Rule {
    id: "AT06",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("没有标到空间词", "no spatial word is marked"),
    message: words("片段里至少要有一个空间词", "at least one fragment must hold a spatial word"),
    check: |subject| {
        let told = subject.records.iter().all(|record| record.filled().count() < 2);
        let placed = subject.values().any(|(_, value)| !value.tokens.is_empty());
        if told || !placed || covers_space(subject) { Vec::new() } else { vec![Hit::at(Spot::Field("answer"))] }
    },
    passes: &[example("他把钥匙锁进抽屉外。", "A: text1=锁进 text2=抽屉外")],
    fails: example("他把钥匙锁进抽屉外。", "A: text1=钥匙 text2=抽屉"),
};

pub(super) const AT07: Rule = Rule {
    id: "AT07",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("没有标到被替换的词", "the replaced word is not marked"),
    message: words("关键片段可能漏了", "the fragment that matters may be missing"),
    check: |subject| {
        let marked: IdxSet = subject.values().flat_map(|(_, value)| value.set().iter().collect::<Vec<_>>()).collect();
        let missed = |span: &&Span| span.to_set().overlap(&marked) == 0;
        let any = !subject.replaced.is_empty() && !marked.is_empty() && subject.replaced.iter().all(|span| missed(&span));
        if any { vec![Hit::at(Spot::Field("answer")).on(subject.replaced.clone())] } else { Vec::new() }
    },
    passes: &[
        example("他把钥匙锁进抽屉外。", "A: text1=锁进 text2=抽屉外 | 被替换: 外"),
        example("他把钥匙锁进抽屉外。", "A: text1=锁进 text2=抽屉外"),
    ],
    fails: example("他把钥匙锁进抽屉外，人在门旁。", "C: S=人 P=在门旁 | 被替换: 外"),
};

/// Pairs of filled fragments that belong together: of one triple, or the two texts of a collocation.
fn pairs<'r, 'a>(record: &'r Record<'a>) -> Vec<(&'r Value<'a>, &'r Value<'a>)> {
    let filled: Vec<&Value<'a>> = record.filled().take(12).collect();
    let mut pairs = Vec::new();
    for (number, one) in filled.iter().enumerate() {
        pairs.extend(filled[number + 1..].iter().map(|other| (*one, *other)));
    }
    pairs
}

pub(super) const AT11: Rule = Rule {
    id: "AT11",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("片段重叠", "fragments overlap"),
    message: words("同一句话里每个字只归一个片段", "within a statement each character is in one fragment"),
    check: |subject| {
        let overlap = |(one, other): &(&Value<'_>, &Value<'_>)| {
            // Two statements may share an entity, but then wholly.
            one.set() != other.set() && one.set().overlap(other.set()) > 0 && one.role.triple() == other.role.triple()
        };
        let hits = |record: &Record<'_>| -> Vec<Hit> {
            pairs(record)
                .into_iter()
                .filter(overlap)
                .map(|(one, other)| Hit::at(other.spot).on([one.span(), other.span()]))
                .collect()
        };
        subject.records.iter().flat_map(hits).collect()
    },
    passes: &[
        example("她把碗搬到楼上。", "C: S=碗 P=到楼上 E=搬"),
        example("伞靠在门前，又靠在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞 P2=在门后 E2=靠@2"),
    ],
    fails: example("她把碗拿到楼上。", "C: S=碗 P=到楼上 E=拿+到楼"),
};

pub(super) const AT12: Rule = Rule {
    id: "AT12",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("片段重复", "a fragment occurs twice"),
    message: words("同一个片段不能填两处", "one fragment cannot fill two boxes"),
    check: |subject| {
        let same = |(one, other): &(&Value<'_>, &Value<'_>)| one.set() == other.set() && one.role.triple() == other.role.triple();
        let hits = |record: &Record<'_>| -> Vec<Hit> {
            let same = pairs(record).into_iter().filter(same);
            same.map(|(_, other)| Hit::at(other.spot).mended(Fix::Remove(other.spot))).collect()
        };
        subject.records.iter().flat_map(hits).collect()
    },
    passes: &[example("伞靠在门前，又倒在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞 P2=在门后 E2=倒")],
    fails: example("伞靠在门后。", "C: S=伞 P=在门后 E=伞"),
};

pub(super) const AT13: Rule = Rule {
    id: "AT13",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("标注重复", "an annotation occurs twice"),
    message: words("与前面的一组完全相同", "it is the same as an earlier one"),
    check: |subject| {
        let key = |record: &Record<'_>| {
            let mut values: Vec<(Role, Vec<u32>)> =
                record.filled().map(|value| (value.role, value.set().iter().map(|idx| idx.0).collect())).collect();
            values.sort_unstable();
            (record.reason, values)
        };
        let keys: Vec<_> = subject.records.iter().map(key).collect();
        let again = |(number, record): (usize, &Record<'_>)| {
            let before = keys[..number].iter().position(|before| *before == keys[number] && !before.1.is_empty())?;
            let detail = Say::new(format!("第 {} 组", before + 1), format!("no. {}", before + 1));
            Some(Hit::at(record.spot()).saying(detail).mended(Fix::Remove(record.spot())))
        };
        subject.records.iter().enumerate().filter_map(again).collect()
    },
    passes: &[example("他把钥匙锁进抽屉外。", "A: text1=锁进 text2=抽屉外 | C: S=钥匙 P=进抽屉外 E=锁")],
    fails: example("他把钥匙锁进抽屉外。", "A: text1=锁进 text2=抽屉外 | A: text1=锁进 text2=抽屉外"),
};

pub(super) const AT17: Rule = Rule {
    id: "AT17",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("两句话没有冲突", "nothing conflicts"),
    message: words("两句话的实体、处所和事件都相同，不是冲突", "entity, place and event are the same in both statements"),
    check: |subject| {
        each_record(subject, |record| {
            let text = |role: Role| record.get(role).and_then(|value| value.fragment).map(|fragment| &fragment.text);
            let (p, e) = (text(Role::P1), text(Role::E1));
            let same = [(Role::S1, Role::S2), (Role::P1, Role::P2), (Role::E1, Role::E2)];
            record.values.len() > 3 && (p.is_some() || e.is_some()) && same.iter().all(|(one, other)| text(*one) == text(*other))
        })
    },
    passes: &[example("伞靠在门前，伞靠在门后。", "B: S1=伞 P1=在门前 E1=靠 S2=伞@2 P2=在门后 E2=靠@2")],
    fails: example("伞靠在门后，伞靠在门后。", "B: S1=伞 P1=在门后 E1=靠 S2=伞@2 P2=在门后@2 E2=靠@2"),
};

pub(super) const AT19: Rule = Rule {
    id: "AT19",
    on: ANOMALIES,
    severity: Severity::Error,
    title: words("“并无异常”与异常并存", "“nothing is wrong” beside what is wrong"),
    message: words("两者只能有一个", "it can only be one of the two"),
    check: |subject| {
        let both = subject.mark.level == Some(Level::Fine) && !subject.records.is_empty();
        if both { vec![Hit::at(Spot::Field("level"))] } else { Vec::new() }
    },
    passes: &[example("钥匙锁在抽屉里。", "级别: fine"), example("他每天去泳池旁游泳。", "级别: someBad | C: P=去泳池旁 E=游泳")],
    fails: example("他每天去泳池旁游泳。", "级别: fine | C: P=去泳池旁 E=游泳"),
};

pub(super) const AT20: Rule = Rule {
    id: "AT20",
    on: &[Kind::Candidates],
    severity: Severity::Error,
    title: words("四个片段不是两两成对", "four fragments that are not two and two"),
    message: words("四个片段要分成两句话，每句两个", "four fragments make two statements of two each"),
    check: |subject| {
        each_record(subject, |record| {
            let second = record.values.iter().filter(|value| value.role.triple() == 2).count();
            record.values.len() == 4 && second != 2
        })
    },
    passes: &[example("伞靠在门前，又倒在门后。", "P1=在门前 E1=靠 P2=在门后 E2=倒")],
    fails: example("伞靠在门前，又倒在门后。", "S1=伞 P1=在门前 E1=靠 P2=在门后"),
};
