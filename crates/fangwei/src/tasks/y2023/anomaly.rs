//! `2023/anomaly`: which fragments of a text are wrong, as one or two S-P-E triples. Up to three candidates, of which the best counts.

use super::super::common::{
    Characters, check_fragment, check_roles, mean_measures, put, read_role_fragment, write_role_fragment,
};
use crate::answer::{Answer, Kind, RoleFragment};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, list_of, read_list};
use crate::score::fragments::{FragmentRules, Level, align, best};
use crate::score::{Alignment, Measures, Total};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Anomaly;

/// The roles of two triples.
pub const ROLES: [&str; 6] = ["S1", "P1", "E1", "S2", "P2", "E2"];

/// What the text allows; the script takes any number.
const MOST_CANDIDATES: usize = 3;

const QUIRKS: &[Quirk] = &[
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
        name: "more-than-three-candidates",
        official: words("候选答案不限个数", "any number of candidates counts"),
        spec: words("只计前三个候选答案", "only the first three candidates count"),
    },
];

fn candidates(answer: Option<&Answer>) -> &[Vec<RoleFragment>] {
    if let Some(Answer::Candidates(candidates)) = answer { candidates } else { &[] }
}

fn counted(rules: Rules, pred: Option<&Answer>) -> &[Vec<RoleFragment>] {
    let preds = candidates(pred);
    if rules.has(2) { preds } else { &preds[..preds.len().min(MOST_CANDIDATES)] }
}

fn fragment_rules(rules: Rules) -> FragmentRules {
    FragmentRules { gold_only_roles: true, copies_apart: rules.has(0), one_sided_as_written: rules.has(1) }
}

/// The numbers of an item.
const SCALE: Scale = Scale {
    columns: &["loose.p", "loose.r", "loose.f1", "strict.p", "strict.r", "strict.f1"],
    own: 6,
    item: 5,
    ranking: "strict.macro_f1",
    accuracy: false,
};

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2023/anomaly",
    alias: "2023/task1",
    title: words("空间语义异常识别", "Which fragments of the text are wrong?"),
    guide: words(include_str!("guide/anomaly.zh.md"), include_str!("guide/anomaly.en.md")),
    prompts: &[("ours", include_str!("prompt/anomaly.ours.md")), ("organisers", include_str!("prompt/anomaly.organisers.md"))],
    qid_names: &["qid"],
    fields: &["qid", "context", "results"],
    answer: "results",
};

impl Task for Anomaly {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::Candidates
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let candidate = |given: &Json<'_>, check: &mut Check| list_of(given, check, read_role_fragment);
        read_list(&Fields(given), "results", check, candidate).map(Answer::Candidates)
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let candidate = |parts: &Vec<RoleFragment>| Json::List(parts.iter().map(write_role_fragment).collect());
        vec![("results", Json::List(candidates(Some(answer)).iter().map(candidate).collect()))]
    }

    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check) {
        let candidates = candidates(Some(answer));
        let characters = Characters::of(texts);
        check.at("results", |check| {
            if candidates.is_empty() {
                check.add(Code::EmptyAnswer, Say::new("至少一个候选答案", "at least one candidate"), "[]");
            }
            if candidates.len() > MOST_CANDIDATES {
                check.add(Code::TooManyCandidates, Say::new("至多 3 个", "at most 3"), candidates.len().to_string());
            }
            for (number, parts) in candidates.iter().enumerate() {
                check.at(number, |check| check_candidate(parts, &characters, check));
            }
        });
    }

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        let (golds, preds) = (candidates(item.gold.as_ref()), counted(rules, pred));
        for (first, level) in [(0, Level::Loose), (3, Level::Strict)] {
            let found = best(level, fragment_rules(rules), golds, preds, |_, _| true);
            put(row, first, found.map(|best| best.prf).unwrap_or_default());
        }
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        Measures::default().level("loose", mean_measures(total, 0)).level("strict", mean_measures(total, 3))
    }

    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let preds = counted(rules, pred);
        let mut alignment = align(fragment_rules(rules), candidates(item.gold.as_ref()), preds, |_, _| true);
        let given = candidates(pred).len();
        if given > preds.len() {
            let note = format!("{} / {given}", preds.len());
            alignment.notes.push(Say::new(
                format!("只计前三个候选答案（{note}）"),
                format!("only the first three candidates count ({note})"),
            ));
        }
        alignment
    }

    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        let mut counts: Vec<usize> = candidates(item.gold.as_ref()).iter().map(Vec::len).collect();
        counts.sort_unstable();
        counts.dedup();
        match name {
            "fragments" => Some(counts.into_iter().map(|count| count.to_string()).collect()),
            "answers" => Some(vec![candidates(item.gold.as_ref()).len().to_string()]),
            _ => None,
        }
    }

    fn facets(&self) -> &'static [&'static str] {
        &["fragments", "answers"]
    }
}

fn check_candidate(parts: &[RoleFragment], characters: &Characters<'_>, check: &mut Check) {
    if parts.is_empty() {
        check.add(Code::EmptyAnswer, Say::new("一到六个片段", "one to six fragments"), "[]");
    }
    check_roles(parts.iter().map(|part| part.role.as_str()), &ROLES, check);
    let second: Vec<&str> = parts.iter().map(|part| part.role.as_str()).filter(|role| role.ends_with('2')).collect();
    if parts.len() <= 3 && !second.is_empty() {
        let expected = Say::new("不多于三个片段时只用 S1 P1 E1", "S1 P1 E1 where there are at most three fragments");
        check.add(Code::RoleConflict, expected, second.join(" "));
    }
    for (number, part) in parts.iter().enumerate() {
        check.at(number, |check| check_fragment(&part.fragment, characters, check));
    }
}
