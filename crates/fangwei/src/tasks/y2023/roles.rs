//! `2023/roles`: who is where: tuples of up to fifteen roles, each with a fragment, a label or both.

use super::super::common::{Characters, check_fragment, check_roles};
use super::super::y2022::roles::{SCALE, SHARED_QUIRKS, align_item, check_tuples, role_measures, score_item, shared_rules};
use crate::answer::{Answer, Element, Kind, Part};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, list_of, read_fragment, read_list};
use crate::score::tuples::{Cell, ENTITY, REFERENCE, TIME, TupleRules, cells_of_elements};
use crate::score::{Alignment, Measures, Total};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts, write_fragment};
use crate::text::CharIdx;

/// The task.
#[derive(Debug)]
pub struct Roles;

/// The roles in their official order.
pub const ROLES: [&str; 15] = [
    ENTITY,
    REFERENCE,
    "事件",
    "事实性",
    TIME,
    "处所",
    "起点",
    "终点",
    "方向",
    "朝向",
    "部件处所",
    "部位",
    "形状",
    "路径",
    "距离",
];

/// Times that stand alone, and times that need a reference event.
const ABSOLUTE_TIMES: &[&str] = &["说话时", "过去", "将来"];
const RELATIVE_TIMES: &[&str] = &["之时", "之前", "之后", "之间"];

/// The labels that a role may have; with or without a fragment beside it.
pub fn labels_of(role: &str, with_fragment: bool) -> &'static [&'static str] {
    match (role, with_fragment) {
        ("事实性", false) => &["假"],
        (TIME, false) => ABSOLUTE_TIMES,
        (TIME, true) => RELATIVE_TIMES,
        ("距离", false) => &["远", "近", "变远", "变近"],
        _ => &[],
    }
}

const QUIRKS: &[Quirk] = &{
    let [jaccard, set, coref, mean, hundred, empty] = SHARED_QUIRKS;
    let missing = Quirk {
        name: "missing-entity-not-zero",
        official: words(
            "预测缺少空间实体时，其他角色仍然得分",
            "the other roles still earn where the prediction has no 空间实体",
        ),
        spec: words("没有空间实体的元组计零分", "a tuple without 空间实体 earns 0"),
    };
    let copies = Quirk {
        name: "repeated-role",
        official: words(
            "重复的角色取最高分；实体的任一副本完全不匹配则元组计零分",
            "of a repeated role the best copy counts; a copy of an entity that misses wholly zeroes the tuple",
        ),
        spec: words(
            "每个角色只有第一次出现得分，其余算多余",
            "only the first occurrence of a role earns; the others are superfluous",
        ),
    };
    let extra = Quirk {
        name: "distance-extra-part",
        official: words(
            "除时间外，参考角色没有的标签或片段不扣分",
            "a label or fragment that gold lacks costs nothing, except in 时间",
        ),
        spec: words("只有一方有的部分按零分计入平均", "a part on one side only counts as 0 in the mean"),
    };
    [jaccard, set, coref, mean, hundred, empty, missing, copies, extra]
};

fn tuple_rules(rules: Rules) -> TupleRules {
    TupleRules { entity_needed: !rules.has(6), best_copy: rules.has(7), extra_part_free: rules.has(8), ..shared_rules(rules) }
}

fn tuples(answer: Option<&Answer>) -> Option<&[Vec<Element>]> {
    if let Some(Answer::Tuples(tuples)) = answer { Some(tuples) } else { None }
}

fn cells(answer: Option<&Answer>, rules: TupleRules) -> Option<Vec<Vec<Cell>>> {
    Some(tuples(answer)?.iter().map(|tuple| cells_of_elements(tuple, rules)).collect())
}

fn read_element(given: &Json<'_>, check: &mut Check) -> Option<Element> {
    let fields = Fields::of(given, check)?;
    let role = fields.text("role", check);
    let label = match given.get("label") {
        None => Part::Absent,
        Some(Json::Text(label)) => Part::Value(label.as_ref().into()),
        Some(other) => {
            check.at("label", |check| check.add(Code::BadType, Say::new("字符串", "a string"), other.brief()));
            Part::Unusable
        }
    };
    let fragment = match given.get("fragment") {
        None => Part::Absent,
        Some(value @ Json::Map(_)) => Part::Value(check.at("fragment", |check| read_fragment(value, true, check))?),
        Some(other) => {
            check.at("fragment", |check| check.add(Code::BadType, Say::new("片段", "a fragment"), other.brief()));
            Part::Unusable
        }
    };
    Some(Element { role: role?, label, fragment })
}

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2023/roles",
    alias: "2023/task2",
    title: words("空间语义角色标注", "Who is where? Tuples of fifteen roles"),
    guide: words(include_str!("guide/roles.zh.md"), include_str!("guide/roles.en.md")),
    prompts: &[("ours", include_str!("prompt/roles.ours.md")), ("organisers", include_str!("prompt/roles.organisers.md"))],
    qid_names: &["qid"],
    fields: &["qid", "context", "corefs", "non_corefs", "results"],
    answer: "results",
};

impl Task for Roles {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::Tuples
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let tuple = |given: &Json<'_>, check: &mut Check| list_of(given, check, read_element);
        read_list(&Fields(given), "results", check, tuple).map(Answer::Tuples)
    }

    fn has_corefs(&self) -> bool {
        true
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let element = |element: &Element| {
            let mut fields = vec![("role", Json::text(element.role.to_string()))];
            if let Part::Value(fragment) = &element.fragment {
                fields.push(("fragment", Json::map(write_fragment(fragment))));
            }
            if let Part::Value(label) = &element.label {
                fields.push(("label", Json::text(label.to_string())));
            }
            Json::map(fields)
        };
        let tuple = |tuple: &Vec<Element>| Json::List(tuple.iter().map(element).collect());
        vec![("results", Json::List(tuples(Some(answer)).unwrap_or_default().iter().map(tuple).collect()))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let tuples = tuples(Some(answer)).unwrap_or_default();
        let characters = Characters::of(texts);
        check.at("results", |check| {
            let entity = |tuple: &Vec<Element>| {
                tuple
                    .iter()
                    .find(|element| element.role == ENTITY)
                    .and_then(|element| element.fragment.value())
                    .and_then(|fragment| fragment.span.first())
            };
            check_tuples(tuples, check);
            check_order(&tuples.iter().filter_map(entity).collect::<Vec<_>>(), check);
            for (number, tuple) in tuples.iter().enumerate() {
                check.at(number, |check| check_tuple(tuple, &characters, check));
            }
        });
    }

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        score_item(row, tuple_rules(rules), item, pred, cells);
    }

    fn measures(&self, mode: Mode, total: &Total) -> Measures {
        role_measures(mode, total)
    }

    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        align_item(tuple_rules(rules), item, pred, cells)
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        let tuples = tuples(item.gold.as_ref()).unwrap_or_default();
        let used = |role: &&&str| tuples.iter().flatten().any(|element| element.role == **role);
        match name {
            "roles" => Some(ROLES.iter().filter(used).map(|role| (*role).to_owned()).collect()),
            "tuples" => Some(vec![tuples.len().to_string()]),
            _ => None,
        }
    }

    fn facets(&self) -> &'static [&'static str] {
        &["roles", "tuples"]
    }
}

/// Notes tuples that do not follow the places of their entities, as the page of 2023 asks.
fn check_order(entities: &[CharIdx], check: &mut Check) {
    if let Some(at) = entities.windows(2).position(|pair| pair[0] > pair[1]) {
        let expected = Say::new("按空间实体的字序排列", "sorted by the place of 空间实体");
        check.add(Code::UnsortedTuples, expected, format!("{} > {}", entities[at].0, entities[at + 1].0));
    }
}

fn check_tuple(tuple: &[Element], characters: &Characters<'_>, check: &mut Check) {
    check_roles(tuple.iter().map(|element| element.role.as_str()), &ROLES, check);
    for (number, element) in tuple.iter().enumerate() {
        check.at(number, |check| check_element(element, characters, check));
    }
    let has = |role: &str| tuple.iter().any(|element| element.role == role);
    if !has(ENTITY) {
        check.add(Code::MissingEntity, ENTITY, tuple.iter().map(|element| element.role.as_str()).collect::<Vec<_>>().join(" "));
    }
    let mut conflict = |wrong: bool, expected: Say, found: String| {
        if wrong {
            check.add(Code::RoleConflict, expected, found);
        }
    };
    conflict(has(REFERENCE) && !has("距离"), Say::new("参照实体与距离同现", "距离 beside 参照实体"), REFERENCE.to_owned());
    conflict(has("距离") && !has(REFERENCE), Say::new("距离与参照实体同现", "参照实体 beside 距离"), "距离".to_owned());
    let places: Vec<&str> = ROLES[5..14].iter().copied().filter(|role| has(role)).collect();
    let expected = Say::new("6 到 14 号角色不与距离同现", "no role 6 to 14 beside 距离");
    conflict(has("距离") && !places.is_empty(), expected, places.join(" "));
}

fn check_element(element: &Element, characters: &Characters<'_>, check: &mut Check) {
    if let Part::Value(fragment) = &element.fragment {
        check.at("fragment", |check| check_fragment(fragment, characters, check));
    }
    let role = element.role.as_str();
    let has_fragment = element.fragment.is_given();
    match &element.label {
        Part::Value(label) => {
            let labels = labels_of(role, has_fragment);
            if ROLES.contains(&role) && !labels.contains(&label.as_str()) {
                let expected = match (labels.is_empty(), has_fragment) {
                    (true, _) => Say::new("没有标签", "no label"),
                    (false, true) => {
                        Say::new(format!("有片段时：{}", labels.join(" ")), format!("beside a fragment: {}", labels.join(" ")))
                    }
                    (false, false) => {
                        Say::new(format!("没有片段时：{}", labels.join(" ")), format!("without a fragment: {}", labels.join(" ")))
                    }
                };
                check.at("label", |check| check.add(Code::BadLabel, expected, format!("“{label}”")));
            }
        }
        Part::Absent if !has_fragment => {
            check.add(Code::MissingField, Say::same("fragment / label"), format!("“{role}”"));
        }
        Part::Absent if role == "事实性" => check.add(Code::MissingField, "label", "fragment"),
        _ => {}
    }
    if role == "事实性" && has_fragment {
        check.at("fragment", |check| check.add(Code::BadType, Say::new("事实性只有标签", "事实性 has a label only"), "fragment"));
    }
}
