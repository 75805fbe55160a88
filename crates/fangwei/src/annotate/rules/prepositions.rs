//! Prepositions and roles: what a place begins with says which role it has.

use super::super::{Fix, Hit, Record, Role, Rule, Severity, Token, Value, example};
use super::words::is_handle;
use super::{TUPLES, each_value, without_first};
use crate::lang::{Say, words};
use crate::lexicon::Class;

/// Prepositions of a family, and the role that they speak for where they speak for one.
struct Family {
    words: &'static [&'static str],
    role: Option<Role>,
}

const AT: usize = 0;
const FROM: usize = 1;
const TO: usize = 2;
const ALONG: usize = 3;
const TOWARDS: usize = 4;
const FAR: usize = 5;

const FAMILIES: [Family; 6] = [
    Family { words: &["在", "于"], role: Some(Role::Place) },
    Family { words: &["从", "由", "自"], role: Some(Role::Start) },
    Family { words: &["到", "至", "直到", "直至"], role: Some(Role::End) },
    Family { words: &["经", "经由", "通过", "沿", "沿着", "顺", "顺着", "循着"], role: Some(Role::Path) },
    Family { words: &["往", "向", "朝", "向着", "朝着"], role: Some(Role::Direction) },
    Family { words: &["距", "离", "距离"], role: None },
];

/// The families with which values of a role may begin; `None` where anything goes.
fn fitting(role: Role) -> Option<&'static [usize]> {
    Some(match role {
        Role::Place | Role::PartPlace => &[AT],
        Role::Start => &[AT, FROM],
        Role::End => &[AT, TO],
        Role::Direction => &[FROM, TOWARDS],
        Role::Facing => &[TOWARDS],
        Role::Part | Role::Shape => &[],
        Role::Path => &[FROM, TO, ALONG],
        Role::DistanceText => &[FAR],
        _ => return None,
    })
}

/// The family of the preposition that a value begins with. A noun such as 通道 or 离岸 is another word, and 由东 of 由东向西 no start.
fn family<'v>(value: &'v Value<'_>) -> Option<(&'v Token, usize)> {
    let first = value.first().filter(|first| first.class != Some(Class::Place) && !first.pos.starts_with('n'))?;
    FAMILIES.iter().position(|family| first.says(family.words)).map(|at| (first, at))
}

pub(super) const SF15: Rule = Rule {
    id: "SF15",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("介词与角色不合", "the preposition does not fit the role"),
    message: words(
        "在、于归处所，从、由、自归起点，到、至归终点，沿、经、通过归路径，往、向、朝归方向或朝向，距、离归距离",
        "在 and 于 go with 处所, 从, 由 and 自 with 起点, 到 and 至 with 终点, 沿, 经 and 通过 with 路径, 往, 向 and 朝 with 方向 or 朝向, 距 and 离 with 距离",
    ),
    check: |subject| {
        let hit = |(record, value): (&Record<'_>, &Value<'_>)| {
            let (first, family) = family(value)?;
            // 到处 is everywhere.
            let everywhere = value.tokens.get(1).is_some_and(|second| second.text == "处");
            if fitting(value.role)?.contains(&family) || value.tokens.len() < 2 || everywhere {
                return None;
            }
            // A part or a shape has no preposition.
            let bare = matches!(value.role, Role::Part | Role::Shape).then(|| without_first(value)).flatten();
            let better = FAMILIES[family].role.filter(|role| !record.has(*role) && bare.is_none());
            let fix = bare.or(better.map(|role| Fix::Move(value.spot, role)));
            Some(Hit::at(value.spot).saying(first.text.to_string()).mended(fix))
        };
        subject.values().filter_map(hit).collect()
    },
    passes: &[
        example("他从屋里走来。", "空间实体=他 事件=走 起点=从屋里 方向=来"),
        example("老周站在离岸处。", "空间实体=老周 事件=站 处所=离岸处"),
        example("老周站在通道里。", "空间实体=老周 事件=站 处所=通道里"),
        example("票放在经理室内。", "空间实体=票 事件=放 处所=经理室内"),
        example("茶种在向阳坡上。", "空间实体=茶 事件=种 处所=向阳坡上"),
        example("工厂建在顺义城外。", "空间实体=工厂 处所=顺义城外"),
        example("车由东向西行驶。", "空间实体=车 事件=行驶 方向=由东向西"),
        example("自行车旁停着车。", "空间实体=车@2 事件=停 处所=自行车旁"),
    ],
    fails: example("他从屋里走来。", "空间实体=他 事件=走 处所=从屋里 方向=来"),
};

pub(super) const SR12: Rule = Rule {
    id: "SR12",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("实体或事件以介词开头", "an entity or an event that begins with a preposition"),
    message: words("去掉开头的介词", "leave out the preposition at the beginning"),
    check: |subject| {
        each_value(subject, |value| {
            // Alone, 在 and 到 may be the event, and SF12 tells of 把.
            let counts = value.role.is_entity() || value.role == Role::Event;
            let first =
                value.first().filter(|first| counts && value.tokens.len() > 1 && first.whole && first.is_preposition())?;
            let told = value.role == Role::Event && first.says(&["把", "被", "将"]) || is_handle(&value.tokens);
            (!told).then(|| Hit::at(value.spot).saying(first.text.to_string()).mended(without_first(value)))
        })
    },
    passes: &[
        example("票从箱子里掉出来。", "空间实体=票 事件=掉 起点=从箱子里 方向=出来"),
        example("票在桌上。", "空间实体=票 事件=在 处所=桌上"),
        example("向日葵种在墙边。", "空间实体=向日葵 事件=种 处所=在墙边"),
    ],
    fails: example("她把票放在桌上。", "空间实体=把票 事件=放 处所=在桌上"),
};

/// Verbs of rest: what does them stays where it is.
const POSTURES: [&str; 22] = [
    "站", "坐", "躺", "蹲", "趴", "跪", "倚", "卧", "伏", "立", "睡", "住", "待", "呆", "站立", "端坐", "位于", "坐落", "居住",
    "矗立", "耸立", "栖息",
];

fn rests(value: Option<&Value<'_>>) -> bool {
    value.is_some_and(|event| matches!(event.tokens.as_slice(), [one] if one.says(&POSTURES)))
}

pub(super) const SR19: Rule = Rule {
    id: "SR19",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("静止的事件有方向", "a direction without motion"),
    message: words(
        "方向是位移的方向；静止的实体面朝哪里是朝向",
        "方向 is that of a motion; which way a resting entity faces is 朝向",
    ),
    check: |subject| {
        let hit = |record: &Record<'_>| {
            let direction = record.get(Role::Direction)?;
            // 站起来 is a motion.
            let moves = direction.tokens.iter().any(Token::is_directional);
            let fix = (!record.has(Role::Facing)).then_some(Fix::Move(direction.spot, Role::Facing));
            (rests(record.get(Role::Event)) && !moves && !direction.tokens.is_empty())
                .then(|| Hit::at(direction.spot).mended(fix))
        };
        subject.records.iter().filter_map(hit).collect()
    },
    passes: &[
        example("他站起来。", "空间实体=他 事件=站 方向=起来"),
        example("老屋坐落在山脚，朝南。", "空间实体=老屋 事件=坐落 处所=在山脚 朝向=朝南"),
    ],
    fails: example("他向南坐着。", "空间实体=他 事件=坐 方向=向南"),
};

pub(super) const SR22: Rule = Rule {
    id: "SR22",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("静止的事件有终点", "an end point without motion"),
    message: words("站、坐、躺的地方是处所", "where one stands, sits or lies is 处所"),
    check: |subject| {
        let hit = |record: &Record<'_>| {
            let end = record.get(Role::End)?;
            let said = end.first().is_some_and(|first| first.text == "在") && rests(record.get(Role::Event));
            let fix = (!record.has(Role::Place)).then_some(Fix::Move(end.spot, Role::Place));
            let detail = Say::new("处所？", "处所?");
            said.then(|| Hit::at(end.spot).saying(detail).mended(fix))
        };
        subject.records.iter().filter_map(hit).collect()
    },
    passes: &[
        example("他坐在台阶上。", "空间实体=他 事件=坐 处所=在台阶上"),
        example("她把碗搁在台阶上。", "空间实体=碗 事件=搁 终点=在台阶上"),
    ],
    fails: example("他坐在台阶上。", "空间实体=他 事件=坐 终点=在台阶上"),
};
