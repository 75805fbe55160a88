//! The parts of a form, by what answers are made of and by the mode.

use super::BatchMode;
use super::craft::{author, clean, grade};
use super::look::{self, Look};
use super::make::{CONTEXT, Digits, MOST, choice, field, label, note, record, records, several, span, text};
use super::parts::{Choice, ChoicePart, Field, FieldKind, Part, RecordType, TextPart, When};
use crate::annotate::{Level, Role, Special};
use crate::answer::{Kind, ReasonType};
use crate::lang::{Lang, Words, words};
use crate::score::tuples::MOST_TUPLES;
use crate::tasks::{LABEL_SLOTS, ROLES, SLOTS, TRIPLE_ROLES, labels_of, reason_roles};

/// The name of the field that holds the label of a role of 2023, which may also have a fragment.
pub(super) const LABELS: [(&str, &str); 2] = [("时间", "时间(标签)"), ("距离", "距离(标签)")];

/// The roles of the graph of the early page, in the order of its examples. Other roles are written out under [`OTHER`].
pub(super) const EVENT_ROLES: [&str; 7] = ["施事", "受事", "处所", "起点", "路径", "终点", "方向"];
/// The same for relations.
pub(super) const RELATION_ROLES: [&str; 5] = ["事件", "处所", "起点", "终点", "方向"];
/// The field of the graph that holds the head.
pub(super) const HEAD: &str = "head";
/// The field of the graph that holds roles without a field of their own, as `角色=内容`.
pub(super) const OTHER: &str = "其他";

/// The field of a reason of the early page that holds its type.
pub(super) const TYPE: &str = "type";

/// The parts of a form.
pub(super) fn parts(kind: Kind, mode: BatchMode, judges_reason: bool) -> Vec<Part> {
    let mut digits = Digits::default();
    match mode {
        BatchMode::Clean => clean(kind, &mut digits),
        BatchMode::Author => author(&mut digits),
        BatchMode::Grade => vec![grade(), note()],
        BatchMode::Human => answer(kind, judges_reason, &mut digits),
        BatchMode::Annotate | BatchMode::Agreement => annotate(kind, judges_reason, &mut digits),
    }
}

/// What machines are asked for, and what only people can say beside it.
fn annotate(kind: Kind, judges_reason: bool, digits: &mut Digits) -> Vec<Part> {
    let mut parts = match kind {
        Kind::Verdict if !judges_reason => {
            let level = |level: &Level| (level.as_str(), words(level.title(Lang::Zh), level.title(Lang::En)));
            let levels: Vec<_> = Level::ALL.iter().map(level).chain([UNSUITABLE]).collect();
            vec![choice("level", words("这段话说得通吗", "does the text make sense"), true, digits.options(&levels))]
        }
        Kind::Reasons | Kind::Candidates => {
            let bad = ("bad", words("有异常", "something is wrong"));
            let levels = [bad, ("fine", words("并无异常", "nothing is wrong")), UNSUITABLE];
            let level = choice("level", words("有没有异常", "is anything wrong"), true, digits.options(&levels));
            let mut parts = vec![level];
            parts.extend(answer(kind, judges_reason, digits));
            let shown = Some(When { name: "level", values: vec!["bad", "unsuitable"] });
            for part in &mut parts {
                if let Part::Records(part) = part {
                    part.when.clone_from(&shown);
                }
            }
            parts
        }
        Kind::Slots | Kind::Tuples => {
            let mut parts = answer(kind, judges_reason, digits);
            if let Some(Part::Records(part)) = parts.first_mut() {
                part.types.extend(mention_sets());
                part.most += MOST;
            }
            let special = |special: &Special| (special.as_str(), words(special.title(Lang::Zh), special.title(Lang::En)));
            let values: Vec<_> = Special::ALL.iter().map(special).collect();
            parts.push(several("special", words("特殊情况", "special cases"), digits.options(&values)));
            parts
        }
        _ => answer(kind, judges_reason, digits),
    };
    if !matches!(kind, Kind::Slots | Kind::Tuples) {
        parts.extend(aside(kind, &parts, digits));
    }
    parts.push(note());
    parts
}

const UNSUITABLE: (&str, Words) = ("unsuitable", words("不适合", "unsuitable"));

/// That the item should not be used: why, and where. A form without levels has a box for it.
fn aside(kind: Kind, parts: &[Part], digits: &mut Digits) -> Vec<Part> {
    let levels = parts.iter().any(|part| matches!(part, Part::Choice(choice) if choice.name == "level"));
    let mut aside = Vec::new();
    if !levels {
        let values = [("yes", words("不适合", "unsuitable"))];
        aside.push(several("unsuitable", words("这道题能用吗", "can the item be used"), digits.options(&values)));
    }
    let when =
        When { name: if levels { "level" } else { "unsuitable" }, values: vec![if levels { "unsuitable" } else { "yes" }] };
    let why = text("why", words("为什么不适合", "why it is unsuitable"), 2, false);
    aside.push(Part::Text(TextPart { when: Some(when.clone()), ..why }));
    let context = if kind == Kind::Scene { "context1" } else { "context" };
    let place = Field { pieces: true, ..span("place", look::PLACE_TO_BLAME, Some(context)) };
    let where_ = record("where", words("哪里不适合", "where"), vec![place], 1, None);
    aside.push(records("where", words("哪里不适合", "where it is unsuitable"), vec![where_], 1, Some(when)));
    aside
}

/// What machines are asked for.
pub(super) fn answer(kind: Kind, judges_reason: bool, digits: &mut Digits) -> Vec<Part> {
    match kind {
        Kind::Verdict if judges_reason => vec![explains("judge", None, digits)],
        Kind::Verdict => vec![normal("judge", digits)],
        Kind::Joint => {
            let abnormal = When { name: "judge1", values: vec!["false"] };
            vec![normal("judge1", digits), explains("judge2", Some(abnormal), digits)]
        }
        Kind::Reasons => vec![records("records", words("异常", "what is wrong"), ReasonType::ALL.map(reason).into(), MOST, None)],
        Kind::Candidates => vec![records("records", words("异常", "what is wrong"), vec![candidate()], MOST, None)],
        Kind::Slots => vec![tuples((0..SLOTS.len()).filter_map(slot).collect())],
        Kind::Tuples => vec![tuples(ROLES.iter().flat_map(|role| elements(role)).collect())],
        Kind::Scene => {
            let values = [
                ("true", words("可以是同一个场景", "can be one scene")),
                ("false", words("不能是同一个场景", "cannot be one scene")),
            ];
            let label = words("两段文本能描述同一个空间场景吗", "can both texts show one scene");
            let reason = text("reason", words("理由", "reason"), 8, true);
            let reason = TextPart { frame: Some(SCENE_FRAME), ..reason };
            vec![choice("judge", label, true, digits.options(&values)), Part::Text(reason)]
        }
        Kind::DraftReason => vec![records("records", words("异常", "what is wrong"), vec![draft()], 1, None)],
        Kind::Graph => {
            let types = vec![
                graph("event", words("事件", "event"), look::HEADS[0], &EVENT_ROLES, &look::EVENT_KEYS),
                graph("relation", words("空间关系", "relation"), look::HEADS[1], &RELATION_ROLES, &look::RELATION_KEYS),
            ];
            vec![records("records", words("事件与关系", "events and relations"), types, MOST, None)]
        }
    }
}

/// What a reason for a scene is made of; what stands in braces is to be replaced.
const SCENE_FRAME: Words = words(
    "两段文本的差别在于“{差异1}”和“{差异2}”。两段文本里都有这些空间实体：“{实体}”。描述“{谁}”{哪个方面}时用词不一，{虽然不一，但其实…是一样的／这说明…并不相同}，{解释}。所以，两段文本{可以／不能}描述同一个空间场景。",
    "The texts differ in “{difference 1}” and “{difference 2}”. Both have the entities “{entities}”. They word {which aspect} of “{which entity}” differently; {yet it is the same / so it is not the same}: {explanation}. So the texts {can / cannot} show one scene.",
);

fn normal(name: &'static str, digits: &mut Digits) -> Part {
    let values = [("true", words("正常", "normal")), ("false", words("异常", "abnormal"))];
    choice(name, words("这段话的空间方位说得通吗", "is the text normal in space"), true, digits.options(&values))
}

fn explains(name: &'static str, when: Option<When>, digits: &mut Digits) -> Part {
    let values = [("true", words("理由成立", "the reason holds")), ("false", words("理由不成立", "the reason does not hold"))];
    let label = words("理由能解释异常吗", "does the reason explain what is wrong");
    Part::Choice(ChoicePart { name, label, required: true, options: digits.options(&values), many: false, when })
}

fn reason(kind: ReasonType) -> RecordType {
    let fields = reason_roles(kind).iter().map(|role| Field { pieces: true, ..span(role, look::of_fragment(role), CONTEXT) });
    let (label, least, frame) = match kind {
        ReasonType::A => (
            words("A 搭配不当", "A bad collocation"),
            2,
            words("{text1} 与 {text2} 搭配不当", "{text1} does not go with {text2}"),
        ),
        ReasonType::B => (
            words("B 语义冲突", "B contradiction"),
            4,
            words("{S1} {P1} {E1} 与 {S2} {P2} {E2} 语义冲突", "{S1} {P1} {E1} contradicts {S2} {P2} {E2}"),
        ),
        ReasonType::C => (
            words("C 不符合常识", "C against common sense"),
            2,
            words("{S} {P} {E} 不符合常识或背景信息", "{S} {P} {E} is against common sense or the background"),
        ),
    };
    record(kind.as_str(), label, fields.collect(), least, Some(frame))
}

fn candidate() -> RecordType {
    // With one family of fields, the first triple takes the plain letters.
    let plain = |role: &'static str| match role.strip_suffix('1') {
        Some(letter) => Look { label: look::of_fragment(role).label, ..look::of_fragment(letter) },
        None => look::of_fragment(role),
    };
    let fields = TRIPLE_ROLES.iter().map(|role| Field { pieces: true, ..span(role, plain(role), CONTEXT) }).collect();
    let frame = words("{S1} {P1} {E1} 与 {S2} {P2} {E2} 有异常", "{S1} {P1} {E1} and {S2} {P2} {E2} are wrong");
    record("candidate", words("异常", "anomaly"), fields, 1, Some(frame))
}

/// A reason of the early page: one or two texts of the item, and a type.
fn draft() -> RecordType {
    let types = ReasonType::ALL.map(|kind| (kind.as_str(), reason(kind).label));
    let options = types.map(|(value, label)| Choice { value, label, key: "" }).into();
    let kind = Field { options, ..field(TYPE, look::DRAFT_TYPE, FieldKind::Label) };
    let text = |name, role| span(name, look::of_role(role), CONTEXT);
    record("reason", words("异常", "anomaly"), vec![text("text1", Role::Text1), text("text2", Role::Text2), kind], 2, None)
}

fn tuples(fields: Vec<Field>) -> Part {
    let tuple = record("tuple", words("元组", "tuple"), fields, 1, None);
    records("records", words("元组", "tuples"), vec![tuple], MOST_TUPLES, None)
}

/// A slot of 2022.
fn slot(at: usize) -> Option<Field> {
    let (name, role) = (SLOTS.get(at)?, Role::of_slot(at)?);
    Some(match LABEL_SLOTS.iter().find(|(slot, _)| *slot == at) {
        Some((_, labels)) => label(name, look::of_role(role), labels),
        None => role_span(name, role),
    })
}

/// A role of 2023: a field for its fragment, one for its label, or both.
fn elements(role: &'static str) -> Vec<Field> {
    let labels: Vec<&'static str> = [false, true].iter().flat_map(|beside| labels_of(role, *beside)).copied().collect();
    let labelled = LABELS.iter().find(|(name, _)| *name == role).map(|(_, field)| *field);
    match labelled {
        _ if labels.is_empty() => vec![role_span(role, Role::of_element(role, true, false))],
        Some(field) => {
            let (text, mark) = (Role::of_element(role, true, false), Role::of_element(role, false, true));
            vec![role_span(role, text), label(field, look::of_role(mark), &labels)]
        }
        None => vec![label(role, look::of_role(Role::of_element(role, false, true)), &labels)],
    }
}

fn role_span(name: &'static str, role: Role) -> Field {
    // Parallel entities and places each make a tuple; a shape and a distance are of all entities together.
    let many = role == Role::Entity || role.is_place() && role != Role::Shape;
    Field { many, pieces: true, ..span(name, look::of_role(role), CONTEXT) }
}

/// Sets of mentions that mean the same, and of those that do not.
fn mention_sets() -> [RecordType; 2] {
    let mention = |look: Look| vec![Field { many: true, pieces: true, ..span("mention", look, CONTEXT) }];
    [
        record("coref", words("同指", "the same"), mention(look::MENTION), 1, None),
        record("different", words("异指", "not the same"), mention(look::DIFFERENT), 1, None),
    ]
}

/// A head with its roles. The last of the keys is that of other roles.
fn graph(
    name: &'static str,
    title: Words,
    head: Look,
    roles: &'static [&'static str],
    keys: &'static [&'static str],
) -> RecordType {
    let written = |name: &'static str, look: Look, many: bool| Field { many, ..field(name, look, FieldKind::Text) };
    let role = |(role, key): (&&'static str, &&'static str)| {
        let look = look::of_role(Role::of_element(role, true, false));
        written(role, Look { key, label: words(role, role), group: "role", primary: true, ..look }, true)
    };
    let fields = [written(HEAD, head, false)].into_iter().chain(roles.iter().zip(keys).map(role));
    let other = Look { key: keys.last().copied().unwrap_or_default(), ..look::of_role(Role::Unknown) };
    let fields = fields.chain([written(OTHER, other, true)]).collect();
    record(name, title, fields, 1, None)
}
