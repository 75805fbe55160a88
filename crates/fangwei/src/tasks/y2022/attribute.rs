//! `2022/attribute`: which fragments of a text are wrong, and of which type: 搭配不当 (A), 语义冲突 (B), 不符合常识 (C).

use super::super::common::{
    Characters, check_fragment, check_roles, mean_measures, put, read_role_fragment, write_role_fragment,
};
use crate::answer::{Answer, Kind, Reason, ReasonType, RoleFragment};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, list_of, read_list};
use crate::score::fragments::{Best, FragmentRules, Level, align, best};
use crate::score::{Alignment, Measures, Total};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Attribute;

const QUIRKS: &[Quirk] = &[
    Quirk {
        name: "strict-recall-ignores-missing-roles",
        official: words(
            "strict 的召回率只统计预测中也有的角色",
            "strict recall counts only those gold roles that the prediction has too",
        ),
        spec: words("召回率的分母是参考项的全部字符", "recall is out of all gold characters"),
    },
    Quirk {
        name: "repeated-role",
        official: words("重复的角色各自与参考角色比较一次", "each copy of a repeated role is held against gold by itself"),
        spec: words("重复的角色合并后比较", "copies of a role are joined"),
    },
    Quirk {
        name: "duplicate-idx-unmatched",
        official: words(
            "对不上的角色按字序个数计，重复的也算",
            "a role without counterpart counts its indexes as written, repeats included",
        ),
        spec: words("每个字只计一次", "each character counts once"),
    },
    Quirk {
        name: "type-accuracy-by-set",
        official: words(
            "strict 的类型准确率要求预测的类型集合与参考的类型集合相同",
            "strict type accuracy asks that the sets of types be equal",
        ),
        spec: words("看文本最匹配的一项的类型是否正确", "the type of the best-matching reason is right"),
    },
];

/// The roles of a type.
pub fn roles(kind: ReasonType) -> &'static [&'static str] {
    match kind {
        ReasonType::A => &["text1", "text2"],
        ReasonType::B => &["S1", "P1", "E1", "S2", "P2", "E2"],
        ReasonType::C => &["S", "P", "E"],
    }
}

impl AsRef<[RoleFragment]> for Reason {
    fn as_ref(&self) -> &[RoleFragment] {
        &self.fragments
    }
}

fn reasons(answer: Option<&Answer>) -> &[Reason] {
    if let Some(Answer::Reasons(reasons)) = answer { reasons } else { &[] }
}

/// Only the first reason of each type counts, in either mode.
fn counted(pred: Option<&Answer>) -> Vec<&Reason> {
    let mut counted: Vec<&Reason> = Vec::new();
    for reason in reasons(pred) {
        if counted.iter().all(|known| known.kind != reason.kind) {
            counted.push(reason);
        }
    }
    counted
}

fn fragment_rules(rules: Rules) -> FragmentRules {
    FragmentRules { gold_only_roles: !rules.has(0), copies_apart: rules.has(1), one_sided_as_written: rules.has(2) }
}

fn types<'r>(reasons: impl IntoIterator<Item = &'r Reason>) -> [bool; 3] {
    let mut types = [false; 3];
    for reason in reasons {
        types[reason.kind as usize] = true;
    }
    types
}

fn read_reason(given: &Json<'_>, check: &mut Check) -> Option<Reason> {
    let fields = Fields::of(given, check)?;
    let kind = fields.text("type", check).and_then(|text| {
        let kind = ReasonType::parse(&text);
        if kind.is_none() {
            check.at("type", |check| check.add(Code::BadLabel, "A B C", format!("“{text}”")));
        }
        kind
    });
    let fragments = read_list(&fields, "fragments", check, read_role_fragment);
    Some(Reason { kind: kind?, fragments: fragments? })
}

/// The numbers of an item.
const SCALE: Scale = Scale {
    columns: &["loose.p", "loose.r", "loose.f1", "loose.type", "strict.p", "strict.r", "strict.f1", "strict.type"],
    own: 8,
    item: 6,
    ranking: "strict.macro_f1",
    accuracy: false,
};

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2022/attribute",
    alias: "2022/task2",
    title: words("中文空间语义异常归因与异常文本识别", "What is wrong in the text, and of which type is it?"),
    guide: words(include_str!("guide/attribute.zh.md"), include_str!("guide/attribute.en.md")),
    prompts: &[("ours", include_str!("prompt/attribute.ours.md"))],
    qid_names: &["qid"],
    fields: &["qid", "context", "reasons"],
    answer: "reasons",
};

impl Task for Attribute {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::Reasons
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let value = Fields(given).need("reasons", check)?;
        check.at("reasons", |check| list_of(value, check, read_reason)).map(Answer::Reasons)
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let reason = |reason: &Reason| {
            let fragments = reason.fragments.iter().map(write_role_fragment).collect();
            Json::map([("fragments", Json::List(fragments)), ("type", Json::text(reason.kind.as_str()))])
        };
        vec![("reasons", Json::List(reasons(Some(answer)).iter().map(reason).collect()))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let reasons = reasons(Some(answer));
        let characters = Characters::of(texts);
        check.at("reasons", |check| {
            if reasons.is_empty() {
                check.add(Code::EmptyAnswer, Say::new("至少一个归因", "at least one reason"), "[]");
            }
            for (number, reason) in reasons.iter().enumerate() {
                check.at(number, |check| {
                    if reasons[..number].iter().any(|before| before.kind == reason.kind) {
                        let expected = Say::new("每个类型至多一次", "each type at most once");
                        check.at("type", |check| check.add(Code::RepeatedType, expected, reason.kind.as_str()));
                    }
                    check.at("fragments", |check| check_fragments(reason, &characters, check));
                });
            }
        });
    }

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        if pred.is_none() {
            return;
        }
        let (golds, preds) = (reasons(item.gold.as_ref()), counted(pred));
        let prf = |best: Option<Best>| best.map(|best| best.prf).unwrap_or_default();
        let loose = best(Level::Loose, fragment_rules(rules), golds, &preds, |_, _| true);
        let same_type = |pred: usize, gold: usize| preds[pred].kind == golds[gold].kind;
        let strict = best(Level::Strict, fragment_rules(rules), golds, &preds, same_type);
        put(row, 0, prf(loose));
        put(row, 4, prf(strict));
        let by_best = loose.is_some_and(|best| same_type(best.pred, best.gold));
        let by_set = types(golds) == types(preds.iter().copied());
        row[3] = f64::from(u8::from(by_best));
        row[7] = f64::from(u8::from(if rules.has(3) { by_set } else { by_best }));
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        let level = |first: usize| {
            let Measures(mut measures) = Measures::default().number("type_accuracy", total.mean(first + 3));
            measures.extend(mean_measures(total, first).0);
            Measures(measures)
        };
        Measures::default().level("loose", level(0)).level("strict", level(4))
    }

    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let (golds, preds) = (reasons(item.gold.as_ref()), counted(pred));
        let mut alignment = align(fragment_rules(rules), golds, &preds, |i, j| preds[i].kind == golds[j].kind);
        for pair in &mut alignment.pairs {
            let kind = |reasons: &[&Reason], at: Option<usize>| {
                at.and_then(|at| reasons.get(at)).map_or("–", |reason| reason.kind.as_str())
            };
            let shown = format!("{} ~ {}", kind(&golds.iter().collect::<Vec<_>>(), pair.gold), kind(&preds, pair.pred));
            pair.note = Some(Say::new(format!("类型 {shown}"), format!("types {shown}")));
        }
        alignment
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        let reasons = reasons(item.gold.as_ref());
        match name {
            "type" => {
                let kinds = types(reasons);
                let kinds = ReasonType::ALL.into_iter().filter(|kind| kinds[*kind as usize]).map(ReasonType::as_str);
                Some(vec![kinds.collect::<Vec<_>>().join("&")])
            }
            "fragments" => {
                let mut counts: Vec<usize> = reasons.iter().map(|reason| reason.fragments.len()).collect();
                counts.sort_unstable();
                counts.dedup();
                Some(counts.into_iter().map(|count| count.to_string()).collect())
            }
            _ => None,
        }
    }

    fn facets(&self) -> &'static [&'static str] {
        &["type", "fragments"]
    }
}

fn check_fragments(reason: &Reason, characters: &Characters<'_>, check: &mut Check) {
    if reason.fragments.is_empty() {
        check.add(Code::EmptyAnswer, Say::new("至少一个片段", "at least one fragment"), "[]");
    }
    check_roles(reason.fragments.iter().map(|part| part.role.as_str()), roles(reason.kind), check);
    for (number, part) in reason.fragments.iter().enumerate() {
        check.at(number, |check| check_fragment(&part.fragment, characters, check));
    }
}
