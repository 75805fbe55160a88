//! `2022/roles`: who is where: tuples of eighteen slots, each empty, a label or a fragment.

use super::super::common::{Characters, check_fragment, mean_measures, put};
use crate::answer::{Answer, Kind, Slot};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, list_of, read_fragment, read_list};
use crate::score::tuples::{Cell, MOST_TUPLES, TupleRules, align, cells_of_slots, score, size};
use crate::score::{Alignment, Measures, Total, f1, ratio};
use crate::task::{About, Item, MentionSets, Mode, Quirk, Rules, Scale, Task, Texts, write_fragment};

/// The task.
#[derive(Debug)]
pub struct Roles;

/// The slots in the order of the released files (the paper lists them in another order).
pub const SLOTS: [&str; 18] = [
    "空间实体",
    "参照实体",
    "事件",
    "事实性",
    "时间(文本)",
    "参照事件",
    "时间(标签)",
    "处所",
    "起点",
    "终点",
    "方向",
    "朝向",
    "部件处所",
    "部位",
    "形状",
    "路径",
    "距离(文本)",
    "距离(标签)",
];

/// The slots that hold a label, with the labels that each may hold.
pub const LABEL_SLOTS: [(usize, &[&str]); 3] =
    [(3, &["假"]), (6, &["说话时", "过去", "将来", "之时", "之前", "之后", "之间"]), (17, &["远", "近", "变远", "变近"])];

/// The quirks that both years' role tasks have, in this order, as the first ones of each.
pub const SHARED_QUIRKS: [Quirk; 6] = [
    Quirk {
        name: "jaccard-not-f1",
        official: words("片段的相似度用 Jaccard 系数", "the similarity of fragments is the Jaccard index"),
        spec: words("片段的相似度用 F1 值", "the similarity of fragments is F1"),
    },
    Quirk {
        name: "text-as-set",
        official: words("文本当作字的集合，重复的字只计一次", "a text is the set of its characters"),
        spec: words("重复的字分别计", "repeated characters count"),
    },
    Quirk {
        name: "plain-coreference",
        official: words(
            "属于两个同指集合的片段只用第一个集合，一次只替换一处",
            "a mention in two coreference sets uses the first; one mention is replaced at a time",
        ),
        spec: words("所有集合、所有组合中取最高分", "the best over all sets and combinations"),
    },
    Quirk {
        name: "mean-over-roles",
        official: words(
            "元组得分是角色得分的平均，精确率和召回率按元组数计",
            "a tuple earns the mean of its roles; precision and recall are out of tuples",
        ),
        spec: words(
            "元组得分是角色得分之和，精确率和召回率按角色数计",
            "a tuple earns the sum of its roles; precision and recall are out of roles",
        ),
    },
    Quirk {
        name: "more-than-100-tuples",
        official: words("超过一百个元组的题计零分", "an item with more than 100 predicted tuples earns 0"),
        spec: words("没有上限", "there is no limit"),
    },
    Quirk {
        name: "empty-is-wrong",
        official: words("参考答案没有元组的题总是零分", "an item without gold tuples always earns 0"),
        spec: words("双方都没有元组即为正确", "no tuples on either side is right"),
    },
];

const QUIRKS: &[Quirk] = &{
    let [jaccard, set, coref, mean, hundred, empty] = SHARED_QUIRKS;
    let reference = Quirk {
        name: "reference-on-one-side",
        official: words("只有一方有参照实体时元组计零分", "a tuple in which only one side has 参照实体 earns 0"),
        spec: words("只有一方有的角色不得分，不影响其他角色", "a role on one side only earns nothing and spoils nothing"),
    };
    [jaccard, set, coref, mean, hundred, empty, reference]
};

/// The rules that both years share, by the first quirks.
pub fn shared_rules(rules: Rules) -> TupleRules {
    TupleRules {
        jaccard: rules.has(0),
        characters_once: rules.has(1),
        plain_coreference: rules.has(2),
        mean_over_roles: rules.has(3),
        hundred_at_most: rules.has(4),
        empty_is_wrong: rules.has(5),
        entity_needed: true,
        reference_on_both: false,
        best_copy: false,
        extra_part_free: false,
    }
}

/// The numbers of an item in both years' role tasks; the last three serve pooled measures only.
pub const SCALE: Scale =
    Scale { columns: &["p", "r", "f1", "earned", "pred", "gold"], own: 3, item: 2, ranking: "macro_f1", accuracy: false };

/// The measures of both years' role tasks.
pub fn role_measures(mode: Mode, total: &Total) -> Measures {
    let measures = mean_measures(total, 0);
    if mode == Mode::Official {
        return measures;
    }
    let (p, r) = (ratio(total.sums[3], total.sums[4]), ratio(total.sums[3], total.sums[5]));
    measures.number("pooled_precision", p).number("pooled_recall", r).number("pooled_f1", f1(p, r))
}

/// Reads an answer of either year as cells; `None` where there is none.
pub type ToCells = fn(Option<&Answer>, TupleRules) -> Option<Vec<Vec<Cell>>>;

/// Fills the columns of both years' role tasks.
pub fn score_item(row: &mut [f64], rules: TupleRules, item: &Item, pred: Option<&Answer>, cells: ToCells) {
    let golds = cells(item.gold.as_ref(), rules).unwrap_or_default();
    let Some(preds) = cells(pred, rules) else {
        // Gold that was not answered counts in pooled recall.
        row[5] = size(&golds, rules);
        return;
    };
    let scored = score(&golds, &preds, corefs(item), rules);
    put(row, 0, scored.prf);
    row[3..6].copy_from_slice(&[scored.earned, scored.pred, scored.gold]);
}

/// The alignment of an item of either year.
pub fn align_item(rules: TupleRules, item: &Item, pred: Option<&Answer>, cells: ToCells) -> Alignment {
    let golds = cells(item.gold.as_ref(), rules).unwrap_or_default();
    align(&golds, &cells(pred, rules).unwrap_or_default(), corefs(item), rules)
}

/// The coreference sets of an item.
fn corefs(item: &Item) -> &MentionSets {
    const NONE: &MentionSets = &Vec::new();
    item.corefs.as_ref().map_or(NONE, |corefs| &corefs.same)
}

/// Notes tuples that are too many, or the same.
pub fn check_tuples<T: PartialEq>(tuples: &[T], check: &mut Check) {
    if tuples.len() > MOST_TUPLES {
        let expected = Say::new("至多 100 个元组", "at most 100 tuples");
        check.add(Code::TooManyTuples, expected, tuples.len().to_string());
        return;
    }
    for (number, tuple) in tuples.iter().enumerate() {
        if let Some(before) = tuples[..number].iter().position(|before| before == tuple) {
            let expected = Say::new("各不相同的元组", "tuples that differ");
            check.at(number, |check| check.add(Code::RepeatedTuple, expected, format!("= /{before}")));
        }
    }
}

fn tuples(answer: Option<&Answer>) -> Option<&[Vec<Slot>]> {
    if let Some(Answer::Slots(tuples)) = answer { Some(tuples) } else { None }
}

fn cells(answer: Option<&Answer>, rules: TupleRules) -> Option<Vec<Vec<Cell>>> {
    Some(tuples(answer)?.iter().map(|tuple| cells_of_slots(tuple, &SLOTS, rules)).collect())
}

fn tuple_rules(rules: Rules) -> TupleRules {
    TupleRules { reference_on_both: rules.has(6), ..shared_rules(rules) }
}

fn read_slot(given: &Json<'_>, check: &mut Check) -> Option<Slot> {
    Some(match given {
        Json::Null => Slot::Empty,
        Json::Text(label) => Slot::Label(label.as_ref().into()),
        Json::Map(_) => Slot::Fragment(read_fragment(given, true, check)?),
        other => {
            check.add(Code::BadType, Say::new("null、标签或片段", "null, a label or a fragment"), other.brief());
            Slot::Unusable
        }
    })
}

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2022/roles",
    alias: "2022/task3",
    title: words("中文空间实体识别与空间方位关系标注", "Who is where? Tuples of eighteen slots"),
    guide: words(include_str!("guide/roles.zh.md"), include_str!("guide/roles.en.md")),
    prompts: &[("ours", include_str!("prompt/roles.ours.md"))],
    qid_names: &["qid"],
    fields: &["qid", "context", "corefs", "non_corefs", "outputs"],
    answer: "outputs",
};

impl Task for Roles {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::Slots
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let tuple = |given: &Json<'_>, check: &mut Check| list_of(given, check, read_slot);
        read_list(&Fields(given), "outputs", check, tuple).map(Answer::Slots)
    }

    fn has_corefs(&self) -> bool {
        true
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let slot = |slot: &Slot| match slot {
            Slot::Empty | Slot::Unusable => Json::Null,
            Slot::Label(label) => Json::text(label.to_string()),
            Slot::Fragment(fragment) => Json::map(write_fragment(fragment)),
        };
        let tuple = |tuple: &Vec<Slot>| Json::List(tuple.iter().map(slot).collect());
        vec![("outputs", Json::List(tuples(Some(answer)).unwrap_or_default().iter().map(tuple).collect()))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let tuples = tuples(Some(answer)).unwrap_or_default();
        let characters = Characters::of(texts);
        check.at("outputs", |check| {
            check_tuples(tuples, check);
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
        let used = |slot: &usize| tuples.iter().any(|tuple| tuple.get(*slot).is_some_and(|slot| *slot != Slot::Empty));
        match name {
            "roles" => Some((0..SLOTS.len()).filter(used).map(|slot| SLOTS[slot].to_owned()).collect()),
            "tuples" => Some(vec![tuples.len().to_string()]),
            _ => None,
        }
    }

    fn facets(&self) -> &'static [&'static str] {
        &["roles", "tuples"]
    }
}

fn check_tuple(tuple: &[Slot], characters: &Characters<'_>, check: &mut Check) {
    if tuple.len() != SLOTS.len() {
        check.add(Code::BadLength, Say::new("18 个槽位", "18 slots"), tuple.len().to_string());
        return;
    }
    for (number, slot) in tuple.iter().enumerate() {
        let labels = LABEL_SLOTS.iter().find(|(slot, _)| *slot == number).map(|(_, labels)| *labels);
        check.at(number, |check| match (slot, labels) {
            (Slot::Label(label), Some(labels)) if !labels.contains(&label.as_str()) => {
                check.add(Code::BadLabel, labels.join(" "), format!("“{label}”"));
            }
            (Slot::Label(label), None) => {
                check.add(
                    Code::BadType,
                    Say::new(format!("{} 是片段", SLOTS[number]), format!("a fragment for {}", SLOTS[number])),
                    format!("“{label}”"),
                );
            }
            (Slot::Fragment(fragment), Some(labels)) => {
                check.add(Code::BadType, labels.join(" "), format!("“{}”", fragment.text));
            }
            (Slot::Fragment(fragment), None) => check_fragment(fragment, characters, check),
            _ => {}
        });
    }
    let has = |slot: usize| tuple[slot] != Slot::Empty;
    let distance = has(16) || has(17);
    let mut conflict = |wrong: bool, expected: Say, found: &str| {
        if wrong {
            check.add(Code::RoleConflict, expected, found);
        }
    };
    conflict(has(1) && !distance, Say::new("参照实体与距离同现", "距离 beside 参照实体"), "参照实体");
    conflict(distance && !has(1), Say::new("距离与参照实体同现", "参照实体 beside 距离"), "距离");
    conflict(has(16) && has(17), Say::new("距离只用文本或标签", "距离 as text or as label"), "距离(文本) 距离(标签)");
    conflict(has(5) && !has(6), Say::new("参照事件与时间标签同现", "时间(标签) beside 参照事件"), "参照事件");
    conflict(has(4) && (has(5) || has(6)), Say::new("时间只写一处", "one way of telling the time"), "时间(文本)");
    let places = (7..16).filter(|slot| has(*slot)).map(|slot| SLOTS[slot]).collect::<Vec<_>>();
    conflict(distance && !places.is_empty(), Say::new("距离不与方位角色同现", "no place role beside 距离"), &places.join(" "));
    if !has(0) {
        check.at(0, |check| check.add(Code::MissingEntity, "空间实体", "null"));
    }
}
