//! `2023/anomaly`: which fragments of a text are wrong, as one or two S-P-E triples. Up to three candidates, of which the best counts.

use super::super::common::{
    Characters, check_fragment, check_roles, mean_measures, put, read_context, read_role_fragment, write_role_fragment,
    write_texts,
};
use crate::answer::{Answer, RoleFragment};
use crate::lang::{Lang, Say, Words, words};
use crate::record::{Check, Code, Fields, Json, list_of, read_list};
use crate::score::fragments::{FragmentRules, Level, align, best};
use crate::score::{Alignment, Measures, Total};
use crate::task::{Item, Mode, Quirk, Rules, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Anomaly;

const ROLES: [&str; 6] = ["S1", "P1", "E1", "S2", "P2", "E2"];

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

impl Task for Anomaly {
    fn id(&self) -> &'static str {
        "2023/anomaly"
    }

    fn alias(&self) -> &'static str {
        "2023/task1"
    }

    fn title(&self) -> Words {
        words("空间语义异常识别", "Which fragments of the text are wrong?")
    }

    fn guide(&self, lang: Lang) -> &'static str {
        words(include_str!("guide/anomaly.zh.md"), include_str!("guide/anomaly.en.md")).get(lang)
    }

    fn known_fields(&self) -> &'static [&'static str] {
        &["qid", "context", "results"]
    }

    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        read_context(given, check)
    }

    fn has_answer(&self, given: &Json<'_>) -> bool {
        given.get("results").is_some()
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let candidate = |given: &Json<'_>, check: &mut Check| list_of(given, check, read_role_fragment);
        read_list(&Fields(given), "results", check, candidate).map(Answer::Candidates)
    }

    fn write_texts(&self, texts: &Texts) -> Vec<(&'static str, Json<'static>)> {
        write_texts(texts)
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

    fn columns(&self) -> &'static [&'static str] {
        &["loose.p", "loose.r", "loose.f1", "strict.p", "strict.r", "strict.f1"]
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

    fn ranking(&self) -> &'static str {
        "strict.macro_f1"
    }

    fn item_column(&self) -> usize {
        5
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
