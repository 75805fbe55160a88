//! Named records that somebody may send, each with the code that it is answered with, and records made to take long.

use std::time::{Duration, Instant};

use fangwei::answer::{Answer, DraftReason, Element, Fragment, Graph, Part, RoleFragment, Slot};
use fangwei::record::{Check, Code, Json, MOST_OF_RECORD, Severity};
use fangwei::task::{Item, Mode, Task, Texts, read_item};
use fangwei::tasks::{all, find};

use super::{codes, look, sample};

/// An answer of 2023/anomaly whose only index is `idx`.
fn anomaly(idx: &str) -> String {
    format!(r#"{{"qid":"1","context":"猫","results":[[{{"role":"S1","text":"猫","idxes":[{idx}]}}]]}}"#)
}

#[test]
fn indexes_that_are_none() {
    for idx in [
        "1e308",
        "-1",
        "2147483648",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "2.5",
        "\"3\"",
        "\"\"",
        "null",
        "true",
        "[]",
        "[0]",
        "{}",
        "[[0]]",
    ] {
        assert_eq!(codes("2023/anomaly", anomaly(idx)), ["bad-idx"], "{idx}");
    }
    for idx in ["NaN", "Infinity", "-Infinity", "1e999", "0x1", "01", "+1", "1.", ".5", "\"\\ud800\"", "'0'", "undefined"] {
        assert_eq!(codes("2023/anomaly", anomaly(idx)), ["bad-json"], "{idx}");
    }
    for idx in ["1", "1.0", "2147483647"] {
        assert_eq!(codes("2023/anomaly", anomaly(idx)), ["idx-out-of-range"], "{idx}");
    }
    // Python holds these for 0.
    for idx in ["0", "0.0", "-0", "0e5"] {
        assert!(codes("2023/anomaly", anomaly(idx)).is_empty(), "{idx}");
    }
}

#[test]
fn identifiers_that_are_none() {
    for (qid, code) in
        [(r#""""#, "bad-qid"), ("1", "bad-qid"), ("null", "bad-qid"), ("[]", "bad-qid"), ("{}", "bad-qid"), ("true", "bad-qid")]
    {
        assert_eq!(codes("2022/judge", format!(r#"{{"qid":{qid},"judge":1}}"#)), [code], "{qid}");
    }
    assert_eq!(codes("2022/judge", r#"{"judge":1}"#), ["no-qid"]);
    assert_eq!(codes("2022/judge", "{}"), ["no-qid", "missing-field"]);
}

#[test]
fn records_that_are_none() {
    for record in ["7", "null", "\"{}\"", "true", "1.5"] {
        assert_eq!(codes("2022/judge", record), ["not-an-object"], "{record}");
    }
    // A line that begins with a bracket is a file that is an array; within it, an array is no record.
    assert_eq!(codes("2022/judge", "[[]]"), ["not-an-object"]);
    assert_eq!(codes("2022/judge", "[]"), ["empty-file"]);
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    // Python reads it so, and so do the scripts; no defect is noted.
    assert!(codes("2022/judge", r#"{"qid":"1","judge":7,"judge":1}"#).is_empty());
    assert_eq!(codes("2022/judge", r#"{"qid":"1","judge":1,"judge":7}"#), ["bad-verdict"]);
    assert_eq!(codes("2022/judge", r#"{"qid":"1","qid":"","judge":1}"#), ["bad-qid"]);
}

/// Puts an object for an array or an array for an object, and no string for a string, at place number `countdown` of the record.
fn swap(value: &mut Json<'static>, countdown: &mut usize) -> bool {
    let here = *countdown == 0;
    *countdown = countdown.wrapping_sub(1);
    if here {
        *value = match value {
            Json::List(_) => Json::Map(Vec::new()),
            _ => Json::List(vec![Json::Map(Vec::new())]),
        };
        return true;
    }
    match value {
        Json::List(list) => list.iter_mut().any(|value| swap(value, countdown)),
        Json::Map(fields) => fields.iter_mut().any(|(_, value)| swap(value, countdown)),
        _ => false,
    }
}

#[test]
fn an_object_for_an_array_and_an_array_for_an_object_at_every_place() {
    for task in all() {
        let (gold, _) = sample(task);
        let source = fangwei::record::Source::from_bytes("t", gold).expect("memory");
        let (_, mut record) = fangwei::record::read_all(source).expect("memory").0.swap_remove(0);
        // What is not the task's is kept as written and may be anything.
        if let Json::Map(fields) = &mut record {
            fields.retain(|(name, _)| task.about().fields.contains(&name.as_ref()));
        }
        let mut places = 0;
        loop {
            let mut swapped = record.clone();
            if !swap(&mut swapped, &mut { places }) {
                break;
            }
            let mut check = Check::new("t".into(), 1);
            read_item(task, &swapped, true, &mut check);
            let told = check.defects.iter().any(|defect| defect.severity() == Severity::Error);
            assert!(told, "{} says nothing about {swapped}", task.id());
            places += 1;
        }
        assert!(places >= 3, "{} has {places} places", task.id());
    }
}

#[test]
fn a_million_bad_indexes() {
    let idxes = vec!["-1"; 1_000_000].join(",");
    let mut check = Check::new("t".into(), 1);
    let line = anomaly(&idxes);
    let given = Json::parse(line.as_bytes()).expect("JSON");
    find("2023/anomaly").expect("a task").read_answer(&given, &mut check);
    assert_eq!(check.defects.len(), MOST_OF_RECORD + 1);
    assert_eq!(check.defects[MOST_OF_RECORD].code, Code::TooManyDefects);
}

#[test]
fn ten_thousand_candidates() {
    let candidate = r#"[{"role":"S1","text":"猫","idxes":[0]}]"#;
    let line = format!(r#"{{"qid":"1","context":"猫","results":[{}]}}"#, vec![candidate; 10_000].join(","));
    assert_eq!(codes("2023/anomaly", line), ["too-many-candidates"]);
    let tuple = r#"[{"role":"空间实体","fragment":{"text":"猫","idxes":[0]}}]"#;
    let line = format!(r#"{{"qid":"1","context":"猫","results":[{}]}}"#, vec![tuple; 10_000].join(","));
    assert_eq!(codes("2023/roles", line), ["too-many-tuples"]);
}

/// Fails when `work` takes longer than ten seconds; the sizes are such that work that grows with the square takes minutes.
fn in_time<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = work();
    assert!(start.elapsed() < Duration::from_secs(10), "{what} took {:?}", start.elapsed());
    value
}

fn fragment(idxes: impl IntoIterator<Item = u32>) -> Fragment {
    Fragment { text: "猫".into(), span: idxes.into_iter().collect() }
}

fn item(gold: Answer) -> Item {
    let texts = Texts::One { context: "猫跳进箱子".into() };
    let corefs = Some(fangwei::task::Corefs::default());
    Item { qid: "1".into(), texts, gold: Some(gold), corefs, extra: Vec::new() }
}

/// Scores, aligns and checks an answer, in both modes.
fn judge(task: &str, gold: Answer, pred: &Answer) {
    let task: &dyn Task = find(task).expect("a task");
    let item = item(gold);
    for mode in [Mode::Official, Mode::Spec] {
        let mut row = vec![0.0; task.scale().columns.len()];
        in_time(&format!("{} {}", task.id(), mode.as_str()), || task.score(mode.rules(), &item, Some(pred), &mut row));
    }
    in_time("to look at it", || look(task, &item, Some(pred)));
    in_time("to check it", || task.check_answer(pred, Some(&item.texts), &mut Check::new("t".into(), 1)));
}

fn entity(idxes: impl IntoIterator<Item = u32>) -> Element {
    Element { role: "空间实体".into(), label: Part::Absent, fragment: Part::Value(fragment(idxes)) }
}

#[test]
fn ten_thousand_tuples() {
    let tuples = |count: u32| Answer::Tuples((0..count).map(|number| vec![entity([number % 50])]).collect());
    judge("2023/roles", tuples(20), &tuples(10_000));
    let slots = |count: u32| {
        let tuple = |number: u32| {
            let mut slots = vec![Slot::Empty; 18];
            slots[0] = Slot::Fragment(fragment([number % 50]));
            slots
        };
        Answer::Slots((0..count).map(tuple).collect())
    };
    judge("2022/roles", slots(20), &slots(10_000));
}

#[test]
fn many_roles_in_one_answer() {
    let part = |role: String, idx: u32| RoleFragment { role: role.into(), fragment: fragment([idx]) };
    let gold = || Answer::Candidates(vec![vec![part("S1".to_owned(), 0)]]);
    // Each role another; the same role again and again; unknown roles, then known ones.
    let different = (0..200_000).map(|number| part(format!("R{number}"), number)).collect();
    judge("2023/anomaly", gold(), &Answer::Candidates(vec![different]));
    let same = (0..200_000).map(|number| part("S1".to_owned(), number)).collect();
    judge("2023/anomaly", gold(), &Answer::Candidates(vec![same]));
    let names = (0..100_000).map(|_| "X").chain((0..100_000).map(|_| "S1"));
    judge("2023/anomaly", gold(), &Answer::Candidates(vec![names.map(|name| part(name.to_owned(), 1)).collect()]));
    let elements = (0..100_000).map(|number| Element { role: format!("R{number}").into(), ..entity([number]) }).collect();
    judge("2023/roles", Answer::Tuples(vec![vec![entity([0])]]), &Answer::Tuples(vec![elements]));
}

#[test]
fn many_different_bad_indexes() {
    let idxes: Vec<String> = (1..300_000).map(|number| format!("-{number}")).collect();
    let line = anomaly(&idxes.join(","));
    let found = in_time("to read them", || codes("2023/anomaly", line));
    assert_eq!(found, ["bad-idx", "too-many-defects"]);
}

#[test]
fn a_long_head_with_many_edges() {
    let value = "^".repeat(100_000);
    let head = format!("%{}%", "跳".repeat(100_000));
    let role = ("处所".into(), vec![value.as_str().into()]);
    let many = (0..2000).map(|number| (format!("R{number}").into(), vec!["<".into()])).chain([role]).collect();
    let graph = Graph { events: vec![(head.into(), many)], relations: Vec::new() };
    let gold = Graph { events: vec![("%跳%".into(), vec![("处所".into(), vec!["箱子".into()])])], relations: Vec::new() };
    judge("2022-draft/relations", Answer::Graph(gold), &Answer::Graph(graph));
}

#[test]
fn long_texts_against_long_texts() {
    let reason = |text: &str| Answer::DraftReason(DraftReason { texts: vec![text.into()], kind: "C".into() });
    let task = find("2022-draft/attribute").expect("a task");
    // No character of the one is in the other.
    let texts = Texts::One { context: "下".repeat(300_000).into() };
    let mut check = Check::new("t".into(), 1);
    in_time("foreign characters", || task.check_answer(&reason(&"上".repeat(300_000)), Some(&texts), &mut check));
    assert_eq!(check.defects.iter().map(|defect| defect.code.as_str()).collect::<Vec<_>>(), ["text-mismatch"]);
    let (one, other) = ("上".repeat(300_000), "上".repeat(300_000) + "下");
    in_time("differences", || {
        assert!(!fangwei::tasks::is_difference((&one, &other), ("上", "上")));
        assert!(fangwei::tasks::is_difference((&one, &other), ("上", "上下")));
    });
}
