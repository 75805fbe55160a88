//! Tuples as wholes: what each must have, what excludes what, what is said twice.

use super::super::{Fix, Hit, Record, Role, Rule, Severity, Subject, Token, Value, example};
use super::{TUPLES, each_value, without_last};
use crate::lang::{Say, words};
use crate::lexicon::Class;
use crate::text::IdxSet;

/// A hit at each tuple that `wrong` says so of.
fn each_record(subject: &Subject<'_>, wrong: impl Fn(&Record<'_>) -> bool) -> Vec<Hit> {
    subject.records.iter().filter(|record| wrong(record)).map(|record| Hit::at(record.spot())).collect()
}

fn has_distance(record: &Record<'_>) -> bool {
    record.of(Role::is_distance).next().is_some()
}

fn has_place(record: &Record<'_>) -> bool {
    record.of(Role::is_place).next().is_some()
}

pub(super) const SR01: Rule = Rule {
    id: "SR01",
    on: TUPLES,
    severity: Severity::Error,
    title: words("没有空间实体", "no entity"),
    message: words("每组都要有空间实体", "each tuple needs 空间实体"),
    check: |subject| each_record(subject, |record| !record.has(Role::Entity)),
    passes: &[example("票放在柜子里。", "空间实体=票 事件=放 处所=在柜子里")],
    fails: example("票放在柜子里。", "事件=放 处所=在柜子里"),
};

pub(super) const SR02: Rule = Rule {
    id: "SR02",
    on: TUPLES,
    severity: Severity::Error,
    title: words("没有空间信息", "no spatial information"),
    message: words("从处所到距离至少要有一个角色", "at least one role from 处所 to 距离 is needed"),
    check: |subject| each_record(subject, |record| record.has(Role::Entity) && !has_place(record) && !has_distance(record)),
    passes: &[
        example("雨伞靠在墙旁。", "空间实体=雨伞 事件=靠 处所=在墙旁"),
        example("邮局离车站很近。", "空间实体=邮局 参照实体=车站 距离(标签)=近"),
    ],
    fails: example("雨伞靠在墙旁。", "空间实体=雨伞 事件=靠"),
};

pub(super) const SR03: Rule = Rule {
    id: "SR03",
    on: TUPLES,
    severity: Severity::Error,
    title: words("距离没有两个实体", "a distance without two entities"),
    message: words(
        "距离要有空间实体和参照实体，参照实体也只与距离同用",
        "距离 needs 空间实体 and 参照实体, and the latter goes with 距离 only",
    ),
    check: |subject| {
        each_record(subject, |record| {
            record.has(Role::Entity)
                && has_distance(record) != record.has(Role::Reference)
                && (has_distance(record) || has_place(record))
        })
    },
    passes: &[example("邮局离车站三百米。", "空间实体=邮局 参照实体=车站 距离(文本)=三百米")],
    fails: example("邮局离车站三百米。", "空间实体=邮局 距离(文本)=三百米"),
};

pub(super) const SR04: Rule = Rule {
    id: "SR04",
    on: TUPLES,
    severity: Severity::Error,
    title: words("距离与处所同组", "a distance beside a place"),
    message: words("距离单独成一组", "a distance is a tuple of its own"),
    check: |subject| each_record(subject, |record| has_distance(record) && has_place(record)),
    passes: &[example("路口的邮局离车站很近。", "空间实体=邮局 处所=路口 | 空间实体=邮局 参照实体=车站 距离(标签)=近")],
    fails: example("路口的邮局离车站很近。", "空间实体=邮局 参照实体=车站 处所=路口 距离(标签)=近"),
};

pub(super) const SR10: Rule = Rule {
    id: "SR10",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("事件带着趋向词", "an event with a direction at its end"),
    message: words(
        "末尾的趋向词或介词归处所、终点或方向",
        "the direction or preposition at the end belongs to a place, an end point or a direction",
    ),
    check: |subject| {
        each_value(subject, |value| {
            let last = value.last().filter(|_| value.role == Role::Event && value.tokens.len() > 1)?;
            let tail = last.is(Class::Directional) || last.is(Class::Preposition) && last.says(&["到", "往", "向", "在", "至"]);
            tail.then(|| Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)))
        })
    },
    passes: &[
        example("货搬进楼里。", "空间实体=货 事件=搬 终点=进楼里"),
        example("他来到河边。", "空间实体=他 事件=来到 终点=河边"),
    ],
    fails: example("货搬进楼里。", "空间实体=货 事件=搬进 终点=楼里"),
};

pub(super) const SR11: Rule = Rule {
    id: "SR11",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("事件里藏着方向或路径", "a direction or path hidden in the event"),
    message: words(
        "直行、转弯、通过说出了方向或路径，看看是否该标成方向或路径",
        "直行, 转弯 and 通过 tell a direction or path; see whether they should be one",
    ),
    check: |subject| {
        each_value(subject, |value| {
            let token = value
                .tokens
                .iter()
                .find(|token| token.says(&["直行", "转弯", "拐弯", "通过", "左转", "右转", "左转弯", "右转弯"]))?;
            (value.role == Role::Event).then(|| Hit::at(value.spot).saying(token.text.to_string()))
        })
    },
    passes: &[example("车向左行驶。", "空间实体=车 事件=行驶 方向=向左")],
    fails: example("车在路口转弯。", "空间实体=车 事件=转弯 处所=在路口"),
};

pub(super) const SR13: Rule = Rule {
    id: "SR13",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("实体、处所、事件分在三个小句", "entity, place and event in three clauses"),
    message: words("确实说的是一件事吗", "are they really about the same thing"),
    check: |subject| {
        each_record(subject, |record| {
            let (Some(entity), Some(event)) = (record.get(Role::Entity), record.get(Role::Event)) else { return false };
            let clauses = |value: &Value<'_>| subject.reading.clauses(&value.span());
            let apart = |one: &[u32], other: &[u32]| {
                !one.is_empty() && !other.is_empty() && one.iter().all(|clause| !other.contains(clause))
            };
            let (s, e) = (clauses(entity), clauses(event));
            let mut places = record.of(Role::is_place).map(clauses).peekable();
            apart(&s, &e) && places.peek().is_some() && places.all(|p| apart(&p, &s) && apart(&p, &e))
        })
    },
    passes: &[example("票丢了，后来在桌上找到。", "空间实体=票 事件=找 处所=在桌上")],
    fails: example("票丢了，桌上很乱，大家都在找。", "空间实体=票 事件=找 处所=桌上"),
};

pub(super) const SR14: Rule = Rule {
    id: "SR14",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("只有部位", "a part and nothing else"),
    message: words(
        "部位之外，还要说明这一部位在哪里；碰撞的部位可以例外",
        "beside 部位 say where that part is; what was hit in a collision may stand alone",
    ),
    check: |subject| {
        each_record(subject, |record| record.has(Role::Part) && record.of(Role::is_place).all(|value| value.role == Role::Part))
    },
    passes: &[example("面包车左前角朝南。", "空间实体=面包车 部位=左前角 朝向=朝南")],
    fails: example("面包车左前角撞坏了。", "空间实体=面包车 部位=左前角 事件=撞"),
};

pub(super) const SR15: Rule = Rule {
    id: "SR15",
    on: TUPLES,
    severity: Severity::Error,
    title: words("两种距离", "two distances"),
    message: words("有数量用文本，没有数量用标签，只能有一个", "a quantity as text, otherwise a label; not both"),
    check: |subject| each_record(subject, |record| record.has(Role::DistanceText) && record.has(Role::DistanceLabel)),
    passes: &[example("邮局离车站两步。", "空间实体=邮局 参照实体=车站 距离(文本)=两步")],
    fails: example("邮局离车站两步。", "空间实体=邮局 参照实体=车站 距离(文本)=两步 距离(标签)=近"),
};

/// Verbs of arranging several things.
const LAYOUTS: [&str; 14] =
    ["排", "围", "列", "并列", "排列", "围成", "排成", "站成", "连成", "串成", "并排", "成行", "成排", "成列"];

/// Whether the words speak of more than one.
fn is_plural(tokens: &[Token]) -> bool {
    let many = |token: &Token| {
        let text = token.text.as_str();
        let counted = token.is_numeral() && text != "一";
        let group = [
            "们", "群", "排", "队", "列", "些", "几", "两", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "众",
            "诸", "大家", "各", "双", "对",
        ];
        counted || group.iter().any(|group| text.contains(group)) || matches!(text, "和" | "与" | "、" | "跟" | "同")
    };
    tokens.iter().any(many)
}

pub(super) const SR16: Rule = Rule {
    id: "SR16",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("一个实体排不成形状", "one entity in a layout"),
    message: words(
        "排成、围成的是几个实体，标出复数的说法或每个实体各一组",
        "a layout is of several entities: mark the plural, or one tuple for each",
    ),
    check: |subject| {
        let layout = |value: &Value<'_>| value.tokens.iter().any(|token| token.says(&LAYOUTS)).then(|| value.set().clone());
        let shape = |record: &Record<'_>| record.get(Role::Shape).and_then(layout);
        let alone = |record: &Record<'_>, shape: &IdxSet| {
            let others = subject.records.iter().filter(|other| other.number != record.number);
            !others.filter_map(|other| other.get(Role::Shape)).any(|other| other.set() == shape)
        };
        // The counted phrase around an entity may tell the number: 三盏路灯, 路灯 alone being marked.
        let entity = |record: &Record<'_>| {
            let Some(entity) = record.get(Role::Entity) else { return true };
            let before = entity.span().first().and_then(|start| subject.reading.before(start.0));
            is_plural(&entity.tokens) || before.is_some_and(|word| is_plural(&[word])) || entity.tokens.is_empty()
        };
        each_record(subject, |record| shape(record).is_some_and(|shape| !entity(record) && alone(record, &shape)))
    },
    passes: &[
        example("三盏路灯排成一行。", "空间实体=三盏路灯 形状=排成一行"),
        example("孩子们围成一圈。", "空间实体=孩子们 形状=围成一圈"),
        example("小路弯弯曲曲。", "空间实体=小路 形状=弯弯曲曲"),
    ],
    fails: example("路灯排成一行。", "空间实体=路灯 形状=排成一行"),
};

/// A tuple's roles with their places, entities by their coreference set.
fn key(subject: &Subject<'_>, record: &Record<'_>) -> Vec<(Role, Vec<u32>, String)> {
    let mut key: Vec<_> = record
        .values
        .iter()
        .map(|value| {
            let places: Vec<u32> = same_entity(subject, value).iter().map(|idx| idx.0).collect();
            (value.role, places, value.label.unwrap_or_default().to_owned())
        })
        .collect();
    key.sort_unstable();
    key
}

/// The first mention of the set that an entity is in; its own places where it is in none.
fn same_entity(subject: &Subject<'_>, value: &Value<'_>) -> IdxSet {
    let own = value.set().clone();
    if !value.role.is_entity() {
        return own;
    }
    let mut sets = subject.sets.iter().filter(|set| set.same);
    let found = sets.find(|set| set.mentions.iter().any(|mention| mention.fragment.span.to_set() == own));
    found.and_then(|set| set.mentions.first()).map_or(own, |first| first.fragment.span.to_set())
}

pub(super) const SR20: Rule = Rule {
    id: "SR20",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("元组重复", "a tuple occurs twice"),
    message: words(
        "与前面一组相同，或者只是同指的实体不同",
        "it is the same as an earlier one, or differs in coreferent entities only",
    ),
    check: |subject| {
        let keys: Vec<_> = subject.records.iter().map(|record| key(subject, record)).collect();
        let again = |(number, record): (usize, &Record<'_>)| {
            let before = keys[..number].iter().position(|before| *before == keys[number])?;
            let detail = Say::new(format!("第 {} 组", before + 1), format!("no. {}", before + 1));
            Some(Hit::at(record.spot()).saying(detail).mended(Fix::Remove(record.spot())))
        };
        subject.records.iter().enumerate().filter_map(again).collect()
    },
    passes: &[example("小林站在桥上，她靠着栏杆。", "空间实体=小林 事件=站 处所=在桥上 | 同指: 小林 她")],
    fails: example(
        "小林站在桥上，她靠着栏杆。",
        "空间实体=小林 事件=站 处所=在桥上 | 空间实体=她 事件=站 处所=在桥上 | 同指: 小林 她",
    ),
};

pub(super) const SR21: Rule = Rule {
    id: "SR21",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("同一处所标成两种角色", "one place in two roles"),
    message: words(
        "两组的实体、事件和处所文字相同而角色不同，两种意思都要吗",
        "two tuples agree in entity, event and the words of the place, but not in its role; are both meant",
    ),
    check: |subject| {
        let facts = |record: &Record<'_>| {
            let place: Vec<(Role, IdxSet)> = record.of(Role::is_place).map(|value| (value.role, value.set().clone())).collect();
            let [place] = place.as_slice() else { return None };
            Some((
                record.get(Role::Entity)?.set().clone(),
                record.get(Role::Event).map(|event| event.set().clone()),
                place.clone(),
            ))
        };
        let all: Vec<_> = subject.records.iter().map(facts).collect();
        let again = |(number, record): (usize, &Record<'_>)| {
            let own = all[number].as_ref()?;
            let clash = all[..number]
                .iter()
                .flatten()
                .any(|(s, e, (role, place))| *s == own.0 && *e == own.1 && *role != own.2.0 && *place == own.2.1);
            clash.then(|| Hit::at(record.spot()))
        };
        subject.records.iter().enumerate().filter_map(again).collect()
    },
    passes: &[example("票从手里滑落。", "空间实体=票 事件=滑落 起点=从手里")],
    fails: example("票从他手里滑落。", "空间实体=票 事件=滑落 起点=他手里 | 空间实体=票 事件=滑落 处所=他手里"),
};
