//! From one year to another: the tasks that two years share, and the sheet of 2021.

use fangwei::answer::{Answer, Element, Slot};
use fangwei::convert::{Options, agreement, find};
use fangwei::record::{Json, Source};
use fangwei::score::read_items;
use fangwei::task::Item;
use fangwei::tasks::find as find_task;
use rustc_hash::FxHashMap;

use super::{clean, records, rendered, run, run_text, sample};
use crate::shared::{same, shared};

fn items(task: &str, bytes: Vec<u8>) -> Vec<Item> {
    let source = Source::from_bytes(task, bytes).expect("memory");
    let (items, defects) = read_items(find_task(task).expect("a task"), source, true).expect("memory");
    assert!(defects.is_empty(), "{defects:?}");
    items
}

fn tuples(item: &Item) -> &[Vec<Element>] {
    if let Some(Answer::Tuples(tuples)) = &item.gold { tuples } else { panic!("{} has no tuples", item.qid) }
}

fn slots(item: &Item) -> &[Vec<Slot>] {
    if let Some(Answer::Slots(tuples)) = &item.gold { tuples } else { panic!("{} has no tuples", item.qid) }
}

/// Where a tuple is sorted to.
fn keys(tuples: &[Vec<Element>]) -> Vec<Option<u32>> {
    let key = |tuple: &Vec<Element>| tuple.first()?.fragment.value()?.span.first().map(|idx| idx.0);
    tuples.iter().map(key).collect()
}

/// Whether two lists hold the same values, each as often.
fn same_values<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let count = |list: &[T], value: &T| list.iter().filter(|other| *other == value).count();
    a.len() == b.len() && a.iter().all(|value| count(a, value) == count(b, value))
}

fn forward_and_back(old: &[u8], new: &[u8]) -> usize {
    let old = items("2022/roles", old.to_vec());
    let new = items("2023/roles", new.to_vec());
    let by_context: FxHashMap<&str, &Item> = new.iter().map(|item| (item.texts.context(), item)).collect();
    let old_bytes: Vec<u8> = old
        .iter()
        .flat_map(|item| format!("{}\n", fangwei::task::write_item(find_task("2022/roles").expect("a task"), item)).into_bytes())
        .collect();
    let converted = run("2022/roles", "2023/roles", vec![("in".to_owned(), old_bytes)]);
    assert!(converted.defects.is_empty(), "{}", rendered(&converted));
    let bytes = converted.files[0].bytes.clone();
    let mut compared = 0;
    for item in items("2023/roles", bytes.clone()) {
        let Some(expected) = by_context.get(item.texts.context()) else { continue };
        compared += 1;
        // The order among tuples of one entity is arbitrary in the released file.
        assert_eq!(keys(tuples(&item)), keys(tuples(expected)), "{}", item.qid);
        assert!(same_values(tuples(&item), tuples(expected)), "{}\n{:?}\n{:?}", item.qid, item.gold, expected.gold);
        assert_eq!(item.corefs, expected.corefs, "{}", item.qid);
    }
    let back = run("2023/roles", "2022/roles", vec![("in".to_owned(), bytes)]);
    assert!(back.defects.is_empty() && back.report.lossy.is_empty(), "{}", rendered(&back));
    let back = items("2022/roles", back.files[0].bytes.clone());
    assert_eq!(back.len(), old.len());
    for (item, expected) in back.iter().zip(&old) {
        assert!(same_values(slots(item), slots(expected)), "{}", item.qid);
        assert_eq!((&item.qid, &item.corefs, &item.extra), (&expected.qid, &expected.corefs, &expected.extra));
    }
    compared
}

#[test]
fn roles_of_the_sample_are_equal_in_both_years() {
    let read = |task: &str| std::fs::read(sample(task).join("gold.jsonl")).expect("the sample");
    assert_eq!(forward_and_back(&read("2022/roles"), &read("2023/roles")), 8);
}

#[test]
fn roles_of_the_research_data_are_equal_in_both_years() {
    let Some(data) = shared("data") else { return };
    let read = |file: &str| std::fs::read(data.join(file)).expect("a file");
    let (old, new) = (read("2022/task3_train.jsonl"), read("2023/task2_train.jsonl"));
    let all = records(old.clone()).len();
    assert_eq!(forward_and_back(&old, &new), all);
}

/// A 2022 tuple with these slots filled.
fn tuple(filled: &[(usize, &str)]) -> String {
    let slot = |number: usize| filled.iter().find(|(slot, _)| *slot == number).map_or("null", |(_, value)| value);
    let slots: Vec<&str> = (0..18).map(slot).collect();
    format!("[{}]", slots.join(","))
}

fn roles_2022(tuples: &[String]) -> String {
    format!(r#"{{"qid":"1","context":"猫在箱子里睡觉","corefs":[],"non_corefs":[],"outputs":[{}]}}"#, tuples.join(","))
}

const CAT: &str = r#"{"text":"猫","idxes":[0]}"#;
const SLEEP: &str = r#"{"text":"睡觉","idxes":[5,6]}"#;

#[test]
fn time_and_distance_are_joined_and_parted() {
    let given = [
        tuple(&[(0, SLEEP), (4, SLEEP)]),
        tuple(&[(0, CAT), (3, "\"假\""), (5, SLEEP), (6, "\"之后\"")]),
        tuple(&[(0, CAT), (6, "\"过去\""), (1, SLEEP), (17, "\"变远\"")]),
        tuple(&[(0, CAT), (1, SLEEP), (16, SLEEP)]),
    ];
    let converted = run_text("2022/roles", "2023/roles", &roles_2022(&given));
    assert_eq!(converted.report.lossy["order-of-tuples"], 1);
    let record = clean(converted).remove(0);
    let results: Vec<String> =
        record.get("results").and_then(Json::as_list).expect("results").iter().map(Json::to_line).collect();
    let sleep = format!(r#""fragment":{SLEEP}"#);
    // The tuple of 睡觉 is sorted behind those of 猫, which keep their order.
    assert_eq!(
        results,
        [
            format!(
                r#"[{{"role":"空间实体","fragment":{CAT}}},{{"role":"事实性","label":"假"}},{{"role":"时间",{sleep},"label":"之后"}}]"#
            ),
            format!(
                r#"[{{"role":"空间实体","fragment":{CAT}}},{{"role":"参照实体",{sleep}}},{{"role":"时间","label":"过去"}},{{"role":"距离","label":"变远"}}]"#
            ),
            format!(r#"[{{"role":"空间实体","fragment":{CAT}}},{{"role":"参照实体",{sleep}}},{{"role":"距离",{sleep}}}]"#),
            format!(r#"[{{"role":"空间实体",{sleep}}},{{"role":"时间",{sleep}}}]"#),
        ]
    );
    let back = clean(run_text("2023/roles", "2022/roles", &record.to_line())).remove(0);
    let sorted = [&given[1], &given[2], &given[3], &given[0]].map(Clone::clone);
    assert_eq!(back, records(roles_2022(&sorted).into()).remove(0));
}

#[test]
fn what_the_other_year_cannot_hold_is_kept_out() {
    for (slots, code) in [
        (tuple(&[(0, CAT), (4, SLEEP), (6, "\"过去\"")]), "role-conflict"),
        (tuple(&[(0, CAT), (4, SLEEP), (5, SLEEP), (6, "\"之后\"")]), "role-conflict"),
        (tuple(&[(0, CAT), (5, SLEEP)]), "role-conflict"),
        (tuple(&[(0, CAT), (6, "\"明天\"")]), "bad-label"),
        (tuple(&[(0, "\"猫\"")]), "bad-type"),
        (tuple(&[(0, CAT), (17, SLEEP)]), "bad-type"),
        (tuple(&[(0, "7")]), "bad-type"),
        ("[null,null]".to_owned(), "bad-length"),
    ] {
        let good = r#"{"qid":"2","context":"猫","corefs":[],"outputs":[]}"#;
        let converted = run_text("2022/roles", "2023/roles", &format!("{}\n{good}\n", roles_2022(std::slice::from_ref(&slots))));
        assert_eq!(converted.defects.iter().map(|defect| defect.code.as_str()).collect::<Vec<_>>(), [code], "{slots}");
        assert_eq!((converted.defects[0].line, converted.defects[0].pointer.starts_with("/outputs/0")), (1, true));
        assert_eq!((converted.report.read, converted.report.written, converted.report.kept_out), (2, 1, 1));
    }
    for (element, code) in [
        (r#"{"role":"猫","label":"假"}"#, "bad-role"),
        (
            r#"{"role":"空间实体","fragment":{"text":"猫","idxes":[0]}},{"role":"空间实体","fragment":{"text":"猫","idxes":[0]}}"#,
            "repeated-role",
        ),
        (r#"{"role":"事实性","fragment":{"text":"猫","idxes":[0]}}"#, "bad-type"),
        (r#"{"role":"时间","label":"明天"}"#, "bad-label"),
        (r#"{"role":"处所","label":"假"}"#, "bad-label"),
        (r#"{"role":"处所"}"#, "missing-field"),
        (r#"{"role":"处所","fragment":null}"#, "bad-type"),
    ] {
        let given = format!(r#"{{"qid":"1","context":"猫","corefs":[],"results":[[{element}]]}}"#);
        let converted = run_text("2023/roles", "2022/roles", &given);
        assert_eq!(converted.defects.iter().map(|defect| defect.code.as_str()).collect::<Vec<_>>(), [code], "{element}");
        assert_eq!((converted.report.written, converted.report.kept_out), (0, 1));
    }
}

#[test]
fn reasons_become_candidates() {
    let given = concat!(
        r#"{"qid":"2-dev-1","context":"松鼠钻进树洞外","genre":"童话","reasons":["#,
        r#"{"fragments":[{"role":"text1","text":"钻进","idxes":[2,3]},{"role":"text2","text":"树洞外","idxes":[4,5,6]}],"type":"A"},"#,
        r#"{"fragments":[{"role":"P","text":"进树洞外","idxes":[3,4,5,6]},{"role":"E","text":"钻","idxes":[2]}],"type":"C"},"#,
        r#"{"fragments":[{"role":"S1","text":"松鼠","idxes":[0,1]},{"role":"S2","text":"松鼠","idxes":[0,1]}],"type":"B"}]}"#
    );
    let converted = run_text("2022/attribute", "2023/anomaly", given);
    assert_eq!(converted.report.patterns["verb-path-and-loc-phrase"], 1);
    // The C reason is what the A reason becomes, so it is kept once.
    assert_eq!(converted.report.lossy["coinciding-answer"], 1);
    assert_eq!(converted.report.lossy["reason-type"], 3);
    let expected = concat!(
        r#"{"qid":"2-dev-1","context":"松鼠钻进树洞外","results":[[{"role":"P1","text":"进树洞外","idxes":[3,4,5,6]},"#,
        r#"{"role":"E1","text":"钻","idxes":[2]}],[{"role":"S1","text":"松鼠","idxes":[0,1]},{"role":"S2","text":"松鼠","idxes":[0,1]}]],"genre":"童话"}"#
    );
    assert_eq!(clean(converted)[0].to_line(), expected);
    for (reason, code) in [
        (r#"{"fragments":[{"role":"text1","text":"钻","idxes":[2]}],"type":"A"}"#, "bad-length"),
        (r#"{"fragments":[{"role":"S","text":"钻","idxes":[2]}],"type":"B"}"#, "bad-role"),
        (
            r#"{"fragments":[{"role":"text1","text":"钻","idxes":[2]},{"role":"text1","text":"钻","idxes":[2]}],"type":"A"}"#,
            "repeated-role",
        ),
        (
            r#"{"fragments":[{"role":"text1","text":"钻","idxes":[2]},{"role":"text2","text":"外","idxes":[99]}],"type":"A"}"#,
            "idx-out-of-range",
        ),
        (
            r#"{"fragments":[{"role":"text1","text":"","idxes":[]},{"role":"text2","text":"","idxes":[]}],"type":"A"}"#,
            "empty-fragment",
        ),
    ] {
        let given = format!(r#"{{"qid":"1","context":"松鼠钻进树洞外","reasons":[{reason}]}}"#);
        let converted = run_text("2022/attribute", "2023/anomaly", &given);
        assert_eq!(converted.defects.iter().map(|defect| defect.code.as_str()).collect::<Vec<_>>(), [code], "{reason}");
        assert_eq!(converted.report.kept_out, 1);
    }
}

/// What counts as unambiguous and as exact is said at `agreement`.
#[test]
fn reasons_of_type_a_agree_with_the_released_answers() {
    let Some(data) = shared("data") else { return };
    let read = |file: &str, task: &str| items(task, std::fs::read(data.join(file)).expect("a file"));
    let (old, new) = (read("2022/task2_train.jsonl", "2022/attribute"), read("2023/task1_train.jsonl", "2023/anomaly"));
    let all = agreement(&old, &new);
    // The table was made with even lines in view; odd ones, from 1, were not looked at.
    let odd = agreement(old.iter().step_by(2), &new);
    for (name, found) in [("all", &all), ("odd", &odd)] {
        eprintln!("{name}: {} of {} exact, {:.1} %", found.total.exact, found.total.unambiguous, 100.0 * found.share);
        assert!(found.total.unambiguous > 400 && found.share >= 0.8, "{name}: {found:?}");
    }
    assert_eq!(all.by_pattern.values().map(|tally| tally.unambiguous).sum::<u64>(), all.total.unambiguous);
}

#[test]
fn a_sheet_is_parted_and_joined_again() {
    let sheet = std::fs::read(sample("2021/sheet.json")).expect("the sample");
    let given = records(sheet.clone()).remove(0);
    let mut parts = Vec::new();
    for (task, name) in [("2021/judge", "subtask1-dev"), ("2021/reason", "subtask2-dev"), ("2021/joint", "subtask3-dev")] {
        let part = run("2021/sheet", task, vec![("sheet.json".to_owned(), sheet.clone())]);
        assert!(part.defects.is_empty(), "{}", rendered(&part));
        let answers = records(part.files[0].bytes.clone());
        assert_eq!(answers.len(), given.get(name).expect("a subtask").fields().len());
        parts.push((task, part.files[0].bytes.clone()));
    }
    assert_eq!(records(parts[2].1.clone())[1].to_line(), r#"{"qID":"3-dev-2","judge1":false,"judge2":true}"#);
    let meta = |name: &str| given.get("meta").and_then(|meta| meta.get(name)).and_then(Json::as_str).expect("meta").to_owned();
    let options =
        Options { team_name: meta("team_name"), institution: meta("institution"), email: meta("email"), renumber: false };
    let sources = parts.iter().map(|(task, bytes)| Source::from_bytes(task, bytes.clone()).expect("memory")).collect();
    let joined = find("2021/judge", "2021/sheet").expect("a conversion").run(sources, &options).expect("memory");
    assert!(same(&clean(joined)[0], &given));
}

#[test]
fn a_sheet_tells_what_it_cannot_hold() {
    let given = "{\"qID\":\"1-dev-1\",\"context\":\"猫\"}\n{\"qID\":\"x\",\"judge1\":1}\n{\"qID\":\"2-dev-1\",\"judge2\":\"maybe\"}\n{\"qid\":\"1-dev-3\",\"judge1\":0}\n{\"qID\":\"1-dev-3\",\"judge1\":true}\n";
    let converted = run_text("2021/judge", "2021/sheet", given);
    let found: Vec<(u64, &str)> = converted.defects.iter().map(|defect| (defect.line, defect.code.as_str())).collect();
    assert_eq!(found, [(1, "missing-field"), (2, "bad-qid"), (3, "bad-verdict")]);
    // Lines 4 and 5 answer one item; the last counts.
    assert_eq!((converted.report.read, converted.report.written, converted.report.lossy["answered-twice"]), (5, 1, 1));
    assert_eq!(
        records(converted.files[0].bytes.clone())[0].get("subtask1-dev").map(Json::to_line).as_deref(),
        Some(r#"{"3":1}"#)
    );
}
