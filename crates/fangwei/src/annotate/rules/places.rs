//! Values that say where: how they may begin and end, and what belongs to them.

use super::super::{Fix, Hit, Record, Role, Rule, Severity, Subject, Token, Value, example};
use super::collocation::ground_before;
use super::{TUPLES, each_value, joined, run, without_first, without_last};
use crate::lang::{Say, words};
use crate::lexicon::{Class, Lexicon};
use crate::text::{CharIdx, Span};

/// Roles whose values are noun phrases, with or without a preposition. A shape or a path may be said by a verb: 排成一行, 穿过桥洞.
fn is_phrase(role: Role) -> bool {
    role.is_site() || matches!(role, Role::Direction | Role::Facing | Role::Part)
}

/// Verbs that a place may begin with: they say its role as a preposition would.
const LEADING: [&str; 22] = [
    "在", "到", "进", "入", "往", "向", "朝", "面", "面向", "面朝", "朝向", "面对", "对准", "正对", "背对", "斜对", "指向",
    "对着", "背", "靠", "临", "通往",
];

pub(super) const SF04: Rule = Rule {
    id: "SF04",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("处所以动词开头", "a place that begins with a verb"),
    message: words("动词归事件", "the verb belongs to 事件"),
    check: |subject| {
        each_value(subject, |value| {
            let first = value.first().filter(|first| first.whole && first.is(Class::Verb) && !first.says(&LEADING))?;
            // 挂着的大衣里 has a verb in its attribute, 竖杆上面 in its noun.
            let attribute = value.tokens.iter().any(Token::is_de);
            let leads = |next: &Token| next.is(Class::Preposition) || next.is(Class::Directional) || next.is_aspect();
            let verb = is_phrase(value.role) && !attribute && value.tokens.get(1).is_some_and(leads);
            verb.then(|| Hit::at(value.spot).saying(first.text.to_string()).mended(without_first(value)))
        })
    },
    passes: &[
        example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上"),
        example("大门面向广场。", "空间实体=大门 朝向=面向广场"),
        example("旗子系在竖杆上面。", "空间实体=旗子 事件=系 处所=竖杆上面"),
        example("挂着的大衣里有票。", "空间实体=票 处所=挂着的大衣里"),
    ],
    fails: example("票放在桌上。", "空间实体=票 处所=放在桌上"),
};

/// Verbs that tell a direction by themselves.
const TURNS: [&str; 14] =
    ["转弯", "拐弯", "左转", "右转", "左拐", "右拐", "掉头", "调头", "转身", "回身", "前进", "后退", "直行", "斜"];

pub(super) const SF05: Rule = Rule {
    id: "SF05",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("处所以动词结尾", "a place that ends with a verb"),
    message: words("动词归事件", "the verb belongs to 事件"),
    check: |subject| {
        each_value(subject, |value| {
            let last = value.last().filter(|last| last.is_verb() && !(value.role == Role::Direction && last.says(&TURNS)))?;
            (is_phrase(value.role) && value.tokens.len() > 1)
                .then(|| Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)))
        })
    },
    passes: &[
        example("他从门口走来。", "空间实体=他 事件=走 起点=从门口 方向=来"),
        example("他站在树底下。", "空间实体=他 事件=站 处所=在树底下"),
        example("车向北右转弯。", "空间实体=车 方向=向北右转弯"),
        example("车从云杉站开来。", "空间实体=车 事件=开 起点=从云杉站 方向=来"),
    ],
    fails: example("他从门口走来。", "空间实体=他 起点=从门口走 方向=来"),
};

pub(super) const SF07: Rule = Rule {
    id: "SF07",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("处所没有说完", "a place that is not finished"),
    message: words(
        "结尾是介词或副词，后面还有内容没有标",
        "it ends with a preposition or an adverb, and what follows is not marked",
    ),
    check: |subject| {
        each_value(subject, |value| {
            let last = value.last().filter(|last| last.whole && value.tokens.len() > 1)?;
            let locative = Lexicon::shipped().has(&last.text, Class::Locative);
            let adverb = last.class.is_none() && last.pos == "d" && last.text.chars().nth(1).is_none() && !locative;
            let open = last.is(Class::Preposition) || adverb;
            // 由东向西 ends with a locative; 往前靠 with a verb that may also be a preposition.
            (value.role.is_place() && open).then(|| Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)))
        })
    },
    passes: &[example("船沿河向东开去。", "空间实体=船 事件=开 路径=沿河 方向=向东")],
    fails: example("船沿河向东开去。", "空间实体=船 事件=开 路径=沿河向"),
};

pub(super) const SF08: Rule = Rule {
    id: "SF08",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以数词结尾", "a numeral at the end"),
    message: words("数词后面还有内容，或者数词不属于这里", "something follows the numeral, or it does not belong here"),
    check: |subject| {
        each_value(subject, |value| {
            let last = value.last().filter(|last| value.tokens.len() > 1 && last.is_numeral())?;
            let counts = value.role.is_place() && value.role != Role::Shape || value.role.is_event();
            counts.then(|| Hit::at(value.spot).saying(last.text.to_string()).mended(without_last(value)))
        })
    },
    passes: &[example("桌上三本书都旧了。", "空间实体=书 处所=桌上"), example("他住在三楼。", "空间实体=他 事件=住 处所=在三楼")],
    fails: example("桌上三本书都旧了。", "空间实体=书 处所=桌上+三"),
};

/// Words that need a noun after them.
const DETERMINERS: [&str; 8] = ["这", "那", "哪", "每", "各", "某", "本", "该"];

pub(super) const SF09: Rule = Rule {
    id: "SF09",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("以指示词结尾", "a determiner at the end"),
    message: words("指示词后面的名词也要标", "mark the noun after the determiner as well"),
    check: |subject| {
        each_value(subject, |value| {
            let last = value.last().filter(|last| value.tokens.len() > 1 && last.says(&DETERMINERS))?;
            (value.role.is_place() || value.role.is_event()).then(|| Hit::at(value.spot).saying(last.text.to_string()))
        })
    },
    passes: &[
        example("票放在这张桌上。", "空间实体=票 事件=放 处所=在这张桌上"),
        example("椅子朝着他。", "空间实体=椅子 朝向=朝着他"),
        example("票放在这里。", "空间实体=票 事件=放 处所=在这里"),
    ],
    fails: example("票放在这张桌上。", "空间实体=票 事件=放 处所=在这"),
};

/// What a value is at heart: a verb, or a name or place.
fn is_verbal(value: &Value<'_>) -> Option<bool> {
    let heart = |token: &&Token| token.is(Class::Verb) || token.is_nominal() || token.is(Class::Locative);
    let mut hearts = value.tokens.iter().filter(heart).peekable();
    hearts.peek()?;
    Some(hearts.all(|token| token.is(Class::Verb)))
}

pub(super) const SF10: Rule = Rule {
    id: "SF10",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("并列的值不是一类", "parallel values of different make"),
    message: words(
        "两组只有一个角色不同，这两个值应是同类",
        "two tuples differ in one role only; its two values should be of one kind",
    ),
    check: |subject| {
        let mut hits = Vec::new();
        for (number, record) in subject.records.iter().enumerate() {
            for before in &subject.records[..number] {
                if let Some((one, other)) = only_difference(before, record)
                    && let (Some(a), Some(b)) = (is_verbal(one), is_verbal(other))
                    && a != b
                {
                    hits.push(Hit::at(other.spot).on([one.span(), other.span()]));
                }
            }
        }
        hits
    },
    passes: &[example("票和钱放在桌上。", "空间实体=票 事件=放 处所=在桌上 | 空间实体=钱 事件=放 处所=在桌上")],
    fails: example("票挂在门口，摇晃。", "空间实体=票 处所=在门口 | 空间实体=票 处所=摇晃"),
};

/// The one place role in which two tuples of equal roles differ.
fn only_difference<'r, 'a>(one: &'r Record<'a>, other: &'r Record<'a>) -> Option<(&'r Value<'a>, &'r Value<'a>)> {
    if one.values.len() != other.values.len() {
        return None;
    }
    let mut found = None;
    for (a, b) in one.values.iter().zip(&other.values) {
        if a.role != b.role {
            return None;
        }
        if a.label != b.label || a.set() != b.set() {
            if found.is_some() || !a.role.is_place() {
                return None;
            }
            found = Some((a, b));
        }
    }
    found
}

pub(super) const SF14: Rule = Rule {
    id: "SF14",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("旁边的空间词没有标进来", "a spatial word beside the place is left out"),
    message: words("处所要连同紧挨着的方位词", "a place includes the locative that follows it"),
    check: |subject| each_value(subject, |value| locative_after(subject, value)),
    passes: &[
        example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上"),
        example("他从山洞里出来。", "空间实体=他 起点=从山洞里 方向=出来"),
        example("他走进山洞，里面很暗。", "空间实体=他 事件=走 终点=进山洞"),
    ],
    fails: example("票放在桌上。", "空间实体=票 事件=放 处所=在桌"),
};

fn locative_after(subject: &Subject<'_>, value: &Value<'_>) -> Option<Hit> {
    let last = value.last().filter(|last| {
        (value.role.is_site() || value.role == Role::Path) && last.is_nominal() && !last.is(Class::Demonstrative)
    })?;
    let next = subject.reading.after(last.end).filter(|next| next.is(Class::Locative))?;
    // Another value may have it: 东西 in two tuples, 前 of 前半截.
    let grown = joined(&value.span(), &run(next.start, next.end));
    Some(
        Hit::at(value.spot)
            .saying(Say::same(format!("“{}”", subject.reading.text(&grown))))
            .mended(Fix::Cover(value.spot, grown)),
    )
}

pub(super) const SF19: Rule = Rule {
    id: "SF19",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("方位词没有依附", "a locative without its ground"),
    message: words(
        "补上方位词所依附的名词，前文里的也可以",
        "add the noun that the locative belongs to, from an earlier clause if need be",
    ),
    check: |subject| each_value(subject, |value| ground_missing(subject, value)),
    passes: &[
        example("箱子打开了，票在里面。", "空间实体=票 事件=在 处所=箱子+里面"),
        example("大家都退到后面。", "空间实体=大家 事件=退 终点=到后面"),
        example("太阳从东边升起。", "空间实体=太阳 事件=升 起点=从东边 方向=起"),
        example("他往前走。", "空间实体=他 事件=走 方向=往前"),
    ],
    fails: example("箱子打开了，票在里面。", "空间实体=票 事件=在 处所=里面"),
};

fn ground_missing(subject: &Subject<'_>, value: &Value<'_>) -> Option<Hit> {
    let (head, rest) = value.tokens.split_at(usize::from(value.first()?.is(Class::Preposition)));
    let [locative] = rest else { return None };
    if !value.role.is_site() || !locative.whole || !locative.is(Class::Locative) {
        return None;
    }
    let CharIdx(start) = value.span().iter().next()?;
    // What stands before a preposition is not the ground of its locative: 太阳从东边升起.
    let beside = if head.is_empty() { ground_before(subject, value) } else { None };
    let ground = beside.or_else(|| earlier_ground(subject, &locative.text, start))?;
    let head: Span = head.iter().flat_map(|token| token.start..token.end).collect();
    let whole = joined(&joined(&head, &ground), &run(locative.start, locative.end));
    Some(
        Hit::at(value.spot)
            .saying(Say::same(format!("“{}”", subject.reading.text(&whole))))
            .mended(Fix::Cover(value.spot, whole)),
    )
}

/// The nearest thing before a place that takes the locative: 箱子 for 里面.
fn earlier_ground(subject: &Subject<'_>, locative: &str, start: u32) -> Option<Span> {
    let first = &locative[..locative.chars().next()?.len_utf8()];
    // A thing has an inside and a top of its own; before and beside it says less of what is meant.
    if !matches!(first, "里" | "内" | "中" | "上" | "顶" | "底") {
        return None;
    }
    let takes = |word: &Token| {
        let noun = Lexicon::shipped().noun(&word.text);
        noun.is_some_and(|noun| noun.takes.iter().any(|takes| takes == first))
    };
    let entities = |word: &Token| {
        !subject.values().any(|(_, value)| value.role.is_entity() && value.set().overlap(&run(word.start, word.end).to_set()) > 0)
    };
    let found = subject.reading.words().rev().find(|word| word.end <= start && takes(word) && entities(word))?;
    Some(run(found.start, found.end))
}
