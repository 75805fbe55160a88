//! The rules of annotation from outside: the sample's gold, the pages, hostile marks, speed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use fangwei::annotate::{Mark, RULES, Severity, Waiver, cards, check, survey};
use fangwei::answer::{Answer, Element, Fragment, Kind, Part, Reason, ReasonType, RoleFragment, Slot};
use fangwei::lang::Lang;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Corefs, Item, Task, Texts};
use fangwei::tasks::{ROLES, all, find};
use proptest::prelude::*;

use crate::shared::shared;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn gold(task: &'static dyn Task, path: &Path) -> Vec<Item> {
    read_items(task, Source::open(path).expect("the file"), true).expect("readable").0
}

#[test]
fn the_cards_are_those_of_the_rules() {
    for (lang, folder) in [(Lang::Zh, "zh"), (Lang::En, "en")] {
        let path = root().join("docs/guide").join(folder).join("rules.md");
        // FANGWEI_WRITE=1 writes the pages anew.
        if std::env::var_os("FANGWEI_WRITE").is_some() {
            std::fs::write(&path, cards(lang)).expect("writable");
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(page == cards(lang), "{} is stale: run this test with FANGWEI_WRITE=1", path.display());
    }
}

#[test]
fn the_sample_has_no_errors() {
    let sample = root().join("data/sample");
    let mut wrong = String::new();
    for (task, file) in [
        ("2022/judge", "gold/judge.jsonl"),
        ("2022/attribute", "gold/attribute.jsonl"),
        ("2023/roles", "gold/roles.jsonl"),
        ("2023/scene", "gold/scene.jsonl"),
        ("2022/attribute", "2022/attribute/gold.jsonl"),
        ("2022/roles", "2022/roles/gold.jsonl"),
        ("2023/anomaly", "2023/anomaly/gold.jsonl"),
        ("2023/roles", "2023/roles/gold.jsonl"),
    ] {
        let task = find(task).expect("a task");
        let items = gold(task, &sample.join(file));
        for item in &items {
            for finding in check(task, item, &Mark::of_gold(item), RULES) {
                if finding.severity == Severity::Error && !KNOWN.contains(&(file, finding.rule)) {
                    wrong.push_str(&format!("{file} {} {} {}\n", item.qid, finding.rule, finding.message.zh));
                }
            }
        }
        if std::env::var_os("FANGWEI_SHOW").is_some() {
            eprintln!("{file}\n{}", survey(task, &items, RULES).table(Lang::Zh).render(fangwei::table::Format::Text));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Errors that the sample has on purpose, by file.
const KNOWN: [(&str, &str); 0] = [];

/// How often each rule speaks on released gold, for those who have it: what speaks often is probably wrong. Shown with `FANGWEI_SHOW=1`.
#[test]
fn released_gold_has_few_errors() {
    let Some(data) = shared("data") else { return };
    for (task, file) in [
        ("2022/attribute", "2022/task2_train.jsonl"),
        ("2022/roles", "2022/task3_train.jsonl"),
        ("2023/anomaly", "2023/task1_train.jsonl"),
        ("2023/roles", "2023/task2_train.jsonl"),
    ] {
        let path = data.join(file);
        if !path.is_file() {
            eprintln!("skipped: {} is not here", path.display());
            continue;
        }
        let task = find(task).expect("a task");
        let mut items = gold(task, &path);
        let all = std::env::var_os("FANGWEI_SHOW").is_some() || std::env::var_os("FANGWEI_RULE").is_some();
        items.truncate(if all { usize::MAX } else { 400 });
        let survey = survey(task, &items, RULES);
        if let Some(rule) = std::env::var_os("FANGWEI_RULE") {
            for item in &items {
                for finding in check(task, item, &Mark::of_gold(item), RULES).iter().filter(|finding| *finding.rule == *rule) {
                    eprintln!("{} {} {}", item.qid, finding.message.zh, item.texts.context());
                }
            }
        }
        if std::env::var_os("FANGWEI_SHOW").is_some() {
            eprintln!("{file}\n{}", survey.table(Lang::Zh).render(fangwei::table::Format::Text));
        }
        let share = survey.blocked as f64 / survey.items.max(1) as f64;
        assert!(share < 0.05, "{file}: {} of {} items have errors", survey.blocked, survey.items);
    }
}

fn item(context: String) -> Item {
    Item { qid: "x".into(), texts: Texts::One { context: context.into() }, gold: None, corefs: None, extra: Vec::new() }
}

#[test]
fn a_long_item_is_checked_in_time() {
    let task = find("2023/roles").expect("a task");
    let context: String = "老周把伞靠在门后，又从箱子里取出一件夹克，沿着河边走到桥上。".chars().cycle().take(300).collect();
    let span = |start: u32, end: u32| Fragment {
        text: context.chars().skip(start as usize).take((end - start) as usize).collect::<String>().into(),
        span: (start..end).collect(),
    };
    let element = |role: &str, fragment| Element { role: role.into(), label: Part::Absent, fragment: Part::Value(fragment) };
    let tuple = |at: u32| {
        let at = at * 12;
        vec![
            element("空间实体", span(at + 3, at + 4)),
            element("事件", span(at + 4, at + 5)),
            element("处所", span(at + 5, at + 8)),
        ]
    };
    let mark = Mark::new(Answer::Tuples((0..20).map(tuple).collect()));
    let item = item(context.clone());
    check(task, &item, &mark, RULES);
    let begin = Instant::now();
    let rounds = 20;
    for _ in 0..rounds {
        std::hint::black_box(check(task, &item, &mark, RULES));
    }
    let each = begin.elapsed().as_secs_f64() * 1000.0 / f64::from(rounds);
    eprintln!("{each:.2} ms an item");
    // Unoptimised and on a busy machine; optimised it takes a tenth.
    assert!(each < 100.0, "{each} ms");
}

fn fragment() -> impl Strategy<Value = Fragment> {
    let idx = prop_oneof![0..40u32, 0..40u32, 0..12_000u32, Just(u32::MAX), Just(1 << 31)];
    (prop::collection::vec(idx, 0..6), "[在从的门上，不a]{0,4}")
        .prop_map(|(idxes, text)| Fragment { text: text.into(), span: idxes.into_iter().collect() })
}

fn role() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        ["S", "P", "E", "S1", "P1", "E1", "S2", "P2", "E2", "text1", "text2", "x", ""]
            .into_iter()
            .chain(ROLES)
            .collect::<Vec<_>>(),
    )
}

fn label() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["假", "之间", "之后", "过去", "近", "x"])
}

fn answer() -> impl Strategy<Value = Answer> {
    let parts = || {
        let part = (role(), fragment()).prop_map(|(role, fragment)| RoleFragment { role: role.into(), fragment });
        prop::collection::vec(part, 0..8)
    };
    let kind = prop::sample::select(ReasonType::ALL.to_vec());
    let reason = (kind, parts()).prop_map(|(kind, fragments)| Reason { kind, fragments });
    let slot = prop_oneof![
        3 => Just(Slot::Empty),
        2 => fragment().prop_map(Slot::Fragment),
        1 => label().prop_map(|label| Slot::Label(label.into())),
        1 => Just(Slot::Unusable),
    ];
    let part = prop_oneof![Just(Part::Absent), Just(Part::Unusable), fragment().prop_map(Part::Value)];
    let labels = prop_oneof![Just(Part::Absent), Just(Part::Unusable), label().prop_map(|label| Part::Value(label.into()))];
    let element = (role(), labels, part).prop_map(|(role, label, fragment)| Element { role: role.into(), label, fragment });
    prop_oneof![
        prop::collection::vec(reason, 0..5).prop_map(Answer::Reasons),
        prop::collection::vec(parts(), 0..5).prop_map(Answer::Candidates),
        prop::collection::vec(prop::collection::vec(slot, 0..22), 0..6).prop_map(Answer::Slots),
        prop::collection::vec(prop::collection::vec(element, 0..8), 0..6).prop_map(Answer::Tuples),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// No mark makes a rule or a fix fail, whatever it says and whichever task it is given to.
    #[test]
    fn no_mark_makes_a_rule_fail(
        answer in answer(),
        text in "[在从到把的了着过不没门桌上里后箱子他站走，。“”a1 \r\n\t\u{0}\u{200b}😀\u{301}]{0,60}",
        same in prop::collection::vec(prop::collection::vec(fragment(), 0..3), 0..3),
        different in prop::collection::vec(prop::collection::vec(fragment(), 0..3), 0..3),
        number in 0..11usize,
    ) {
        let item = item(text);
        let mut mark = Mark::new(answer);
        mark.corefs = Corefs { same, different };
        mark.waivers.push(Waiver { rule: "SF15".into(), at: String::new().into(), reason: "x".into() });
        let task = all().nth(number).expect("eleven tasks");
        let own = all().find(|task| Some(task.kind()) == mark.answer.as_ref().map(Answer::kind)).expect("a task of each kind");
        let reading = fangwei::annotate::Reading::of(item.texts.context());
        for task in [task, own] {
            for finding in check(task, &item, &mark, RULES) {
                if let Some(fix) = &finding.fix {
                    let mended = fix.apply(&mark, &reading);
                    check(task, &item, &mended, RULES);
                }
                finding.to_json(task, &mark, &reading, Lang::En);
            }
        }
    }
}

#[test]
fn very_long_texts_and_many_tuples_are_checked() {
    let task = find("2022/roles").expect("a task");
    let item = item("桌上有票，".chars().cycle().take(10_000).collect());
    let mut tuple = vec![Slot::Empty; 18];
    tuple[7] = Slot::Fragment(Fragment { text: "桌".into(), span: (0..10_000u32).collect() });
    let mark = Mark::new(Answer::Slots(vec![tuple; 1000]));
    let found = check(task, &item, &mark, RULES);
    assert!(found.iter().any(|finding| finding.rule == "SR01"));
    assert_eq!(task.kind(), Kind::Slots);
}
