//! Forms: every task in every mode, sheets there and back, findings by record and field.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fangwei::annotate::form::{
    BatchMode, Field, FieldKind, Form, Part, RecordType, Sheet, SheetError, SheetFault, SheetRecord, SheetValue, read_given,
};
use fangwei::annotate::{Mark, Reading};
use fangwei::lang::Lang;
use fangwei::record::{Check, Json, Source};
use fangwei::score::read_items;
use fangwei::task::{Item, Task};
use fangwei::tasks::{all, find};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::json;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// The gold of a task that the sample holds.
fn golds(task: &'static dyn Task) -> Vec<Item> {
    let pack = sample().join("pack/answers").join(task.id());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(pack).map(|files| files.flatten().map(|file| file.path()).collect()).unwrap_or_default();
    files.extend(
        ["gold.jsonl", "gold.json"].map(|name| sample().join(task.id()).join(name)).into_iter().filter(|file| file.exists()),
    );
    let read = |file: &PathBuf| read_items(task, Source::open(file).expect("a file"), true).expect("readable").0;
    let items: Vec<Item> = files.iter().flat_map(read).collect();
    assert!(items.len() >= 6, "{} has too few items", task.id());
    items
}

#[test]
fn gold_becomes_a_sheet_and_the_same_gold_again() {
    for task in all() {
        for mode in [BatchMode::Annotate, BatchMode::Agreement, BatchMode::Human] {
            let form = Form::of(task, mode);
            for item in golds(task) {
                let gold = Mark::of_gold(&item);
                let sheet = form.sheet(&gold, &item);
                let mark = form.mark(&sheet, &item).unwrap_or_else(|error| panic!("{} {}: {error}", task.id(), item.qid));
                assert_eq!(mark.answer, gold.answer, "{} {mode} {}", task.id(), item.qid);
                if mode != BatchMode::Human {
                    assert_eq!(mark.corefs, gold.corefs, "{} {}", task.id(), item.qid);
                }
                assert_eq!(form.sheet(&mark, &item), sheet, "{} {mode} {}", task.id(), item.qid);
                let written = serde_json::to_string(&sheet).expect("JSON");
                assert_eq!(serde_json::from_str::<Sheet>(&written).expect("a sheet"), sheet);
            }
        }
    }
}

#[test]
fn keys_and_looks_tell_fields_apart() {
    for task in all() {
        for mode in BatchMode::ALL.iter().copied().filter(|mode| mode.suits(task)) {
            let form = Form::of(task, mode);
            let types =
                || form.parts.iter().flat_map(|part| if let Part::Records(part) = part { part.types.as_slice() } else { &[] });
            let fields: Vec<&Field> = types().flat_map(|kind| &kind.fields).collect();
            let options =
                form.parts.iter().flat_map(|part| if let Part::Choice(part) = part { part.options.as_slice() } else { &[] });
            let keys: Vec<&str> = fields
                .iter()
                .map(|field| field.key)
                .chain(options.map(|option| option.key))
                .filter(|key| !key.is_empty())
                .collect();
            assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{} {mode}: {keys:?}", task.id());
            let looks: Vec<(u8, _)> =
                fields.iter().filter(|field| field.kind == FieldKind::Span).map(|field| (field.colour, field.shape)).collect();
            assert_eq!(looks.iter().collect::<BTreeSet<_>>().len(), looks.len(), "{} {mode}: {looks:?}", task.id());
            assert!(fields.iter().all(|field| field.colour < 8 && !field.key.is_empty()), "{} {mode}", task.id());
            for kind in types() {
                let names = kind.frame.map(|frame| frame.zh.matches('{').count());
                assert!(
                    names.is_none_or(|names| names == kind.fields.len()),
                    "{} {mode} {}: the frame names each field",
                    task.id(),
                    kind.name
                );
            }
        }
    }
}

#[test]
fn forms_have_what_the_guides_ask_for() {
    let fields = |task: &str| {
        let form = Form::of(find(task).expect("a task"), BatchMode::Annotate);
        let records =
            form.parts.iter().find_map(|part| if let Part::Records(part) = part { Some(part.types.clone()) } else { None });
        let types = records.expect("records");
        types.iter().map(|kind| (kind.name, kind.fields.iter().map(|field| field.name).collect::<Vec<_>>())).collect::<Vec<_>>()
    };
    let by_name = |task: &str, kind: &str| fields(task).into_iter().find(|(name, _)| *name == kind).expect("a type").1;
    assert_eq!(by_name("2022/roles", "tuple"), fangwei::tasks::SLOTS.to_vec());
    // 时间 and 距离 of 2023 have a fragment, a label, or both: two fields each.
    let roles = by_name("2023/roles", "tuple");
    assert_eq!(roles.len(), 17);
    assert!(fangwei::tasks::ROLES.iter().all(|role| roles.contains(role)));
    assert_eq!(by_name("2022/attribute", "B"), ["S1", "P1", "E1", "S2", "P2", "E2"]);
    assert_eq!(by_name("2023/anomaly", "candidate").len(), 6);
    let levels = |mode| {
        let form = Form::of(find("2022/judge").expect("a task"), mode);
        let Some(Part::Choice(part)) = form.parts.into_iter().next() else { panic!("a choice") };
        part.options.into_iter().map(|option| option.value).collect::<Vec<_>>()
    };
    assert_eq!(levels(BatchMode::Annotate), ["fine", "someFine", "someBad", "bad", "unsuitable"]);
    assert_eq!(levels(BatchMode::Human), ["true", "false"]);
}

/// An item that a mode shows.
fn item_of(task: &'static dyn Task, mode: BatchMode) -> Item {
    let item = golds(task).swap_remove(0);
    let record = match mode {
        BatchMode::Author => {
            Json::map([("qid", Json::text("1")), ("pair", Json::List(vec![Json::text("上"), Json::text("里")]))])
        }
        _ => fangwei::task::write_item(task, &item),
    };
    let mut check = Check::new("".into(), 0);
    read_given(task, mode, &record, &mut check).unwrap_or_else(|| panic!("{} {mode}: {:?}", task.id(), check.defects)).item
}

fn values(field: &Field, length: u32) -> BoxedStrategy<Vec<SheetValue>> {
    let most = if field.many { 3 } else { 1 };
    let one = match field.kind {
        FieldKind::Span => {
            let text = if field.text.is_none() { Some("context2".to_owned()) } else { None };
            prop::collection::vec(0..length, 1..4).prop_map(move |idxes| SheetValue::Span { idxes, text: text.clone() }).boxed()
        }
        FieldKind::Label => {
            let labels: Vec<&'static str> = field.options.iter().map(|option| option.value).collect();
            prop::sample::select(labels).prop_map(|label| SheetValue::Label { label: label.to_owned() }).boxed()
        }
        FieldKind::Text => "[门里=<>%]{1,4}".prop_map(|value| SheetValue::Written { value }).boxed(),
    };
    prop::collection::vec(one, 1..=most).boxed()
}

fn record(kind: &RecordType, length: u32) -> BoxedStrategy<(String, BTreeMap<String, Vec<SheetValue>>)> {
    let (name, count) = (kind.name.to_owned(), kind.fields.len());
    let fields: Vec<_> = kind.fields.iter().map(|field| (Just(field.name.to_owned()), values(field, length))).collect();
    (fields, prop::collection::vec(prop::bool::weighted(0.4), count))
        .prop_map(move |(fields, kept)| {
            let kept = fields.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(field, _)| field);
            (name.clone(), kept.collect())
        })
        .boxed()
}

/// Sheets of a form, of every sort that an editor can make.
fn sheets(form: &Form, length: u32) -> BoxedStrategy<Sheet> {
    let (mut choices, mut texts, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for part in &form.parts {
        match part {
            Part::Choice(part) => {
                let options: Vec<String> = part.options.iter().map(|option| option.value.to_owned()).collect();
                let most = if part.many { options.len() } else { 1 };
                choices.push((Just(part.name.to_owned()), prop::sample::subsequence(options, 0..=most)));
            }
            Part::Text(part) => texts.push((Just(part.name.to_owned()), "[伞在门后\n]{0,6}")),
            Part::Records(part) => {
                let types: Vec<_> = part.types.iter().map(|kind| record(kind, length)).collect();
                records.push(prop::collection::vec(prop::strategy::Union::new(types), 0..=3.min(part.most)));
            }
        }
    }
    (choices, texts, records)
        .prop_map(|(choices, texts, records)| {
            let filled = choices.into_iter().filter(|(_, chosen)| !chosen.is_empty()).collect();
            let texts = texts.into_iter().filter(|(_, text)| !text.is_empty()).collect();
            let records = records.into_iter().flatten().zip(3..);
            let records = records.map(|((kind, fields), id)| SheetRecord { id, kind, fields }).collect();
            Sheet { choices: filled, texts, records, waivers: Vec::new() }
        })
        .boxed()
}

#[test]
fn any_sheet_is_a_mark_and_comes_back() {
    for task in all() {
        for mode in BatchMode::ALL.iter().copied().filter(|mode| mode.suits(task)) {
            let (form, item) = (Form::of(task, mode), item_of(task, mode));
            let length = item.texts.context().chars().count().max(1) as u32;
            let reading = Reading::of(item.texts.context());
            let mut runner =
                TestRunner::new(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() });
            let run = runner.run(&sheets(&form, length), |sheet| {
                let mark = match form.mark(&sheet, &item) {
                    // Parallel values multiply.
                    Err(SheetError { fault: SheetFault::TooMany { most: 100, .. }, .. }) => return Ok(()),
                    mark => mark.map_err(|error| TestCaseError::fail(error.to_string()))?,
                };
                let back = form.sheet(&mark, &item);
                let again = form.mark(&back, &item).map_err(|error| TestCaseError::fail(format!("{error} in {back:?}")))?;
                prop_assert_eq!(&again, &mark, "by way of {:?}", back);
                prop_assert_eq!(form.sheet(&again, &item), back);
                // A draft is kept as JSON, however far it is from finished.
                let (written, mut check) = (mark.write(task), Check::new("".into(), 0));
                let read = Mark::read(task, &written, &mut check);
                prop_assert_eq!(read.as_ref(), Some(&mark), "{:?} of {}", check.defects, written);
                let findings = form.findings(task, &sheet, &item, &reading, Lang::Zh);
                for finding in findings.map_err(|error| TestCaseError::fail(error.to_string()))? {
                    let known = finding.record.is_none_or(|id| sheet.records.iter().any(|record| record.id == id));
                    prop_assert!(known, "{:?}", finding);
                }
                Ok(())
            });
            run.unwrap_or_else(|error| panic!("{} {mode}: {error}", task.id()));
        }
    }
}

fn sheet(given: serde_json::Value) -> Sheet {
    serde_json::from_value(given).expect("a sheet")
}

#[test]
fn findings_name_the_record_and_the_field() {
    let task = find("2023/roles").expect("a task");
    let record = r#"{"qid":"1","context":"票放在桌上。"}"#;
    let given =
        read_given(task, BatchMode::Annotate, &Json::parse(record.as_bytes()).expect("JSON"), &mut Check::new("".into(), 1));
    let item = given.expect("a record").item;
    let form = Form::of(task, BatchMode::Annotate);
    let sheet = sheet(json!({"records": [
        {"id": 7, "type": "tuple", "fields": {"空间实体": [{"idxes": [0]}], "事件": [{"idxes": [1]}], "处所": [{"idxes": [2, 3, 4]}]}},
        {"id": 4, "type": "tuple", "fields": {"空间实体": [{"idxes": [0]}], "处所": [{"idxes": [3, 4, 5]}]}},
        {"id": 9, "type": "coref", "fields": {"mention": [{"idxes": [0]}]}},
    ]}));
    let findings = form.findings(task, &sheet, &item, &Reading::of(item.texts.context()), Lang::Zh).expect("a mark");
    let stop = findings.iter().find(|finding| finding.rule == "SF11").expect("a full stop in the place");
    assert_eq!((stop.record, stop.field.as_deref()), (Some(4), Some("处所")));
    let fixed = &stop.fix.as_ref().expect("it can be trimmed").sheet;
    assert_eq!(fixed.records[1].fields["处所"], [SheetValue::span([3, 4])], "{fixed:?}");
    let alone = findings.iter().find(|finding| finding.rule == "CR01").expect("a set of one");
    assert_eq!(alone.record, Some(9));
}

#[test]
fn parallel_values_make_a_tuple_each() {
    let task = find("2022/roles").expect("a task");
    let item = item_of(task, BatchMode::Annotate);
    let form = Form::of(task, BatchMode::Annotate);
    let sheet = sheet(json!({"records": [{"id": 1, "type": "tuple", "fields": {
        "空间实体": [{"idxes": [0]}, {"idxes": [1]}], "处所": [{"idxes": [2]}, {"idxes": [3]}, {"idxes": [4]}], "事实性": [{"label": "假"}]}}]}));
    let mark = form.mark(&sheet, &item).expect("a mark");
    let Some(fangwei::answer::Answer::Slots(tuples)) = mark.answer else { panic!("tuples") };
    assert_eq!(tuples.len(), 6, "two entities in three places");
}

#[test]
fn what_a_form_cannot_say_is_refused_by_place() {
    let task = find("2023/roles").expect("a task");
    let (form, item) = (Form::of(task, BatchMode::Annotate), item_of(task, BatchMode::Annotate));
    let length = item.texts.context().chars().count();
    let tuple = |fields: serde_json::Value| json!({"records": [{"id": 5, "type": "tuple", "fields": fields}]});
    let five = 21;
    for (given, record, field, fault) in [
        (
            tuple(json!({"处所": [{"idxes": [length]}]})),
            Some(5),
            Some("处所"),
            SheetFault::Outside { length, found: length as u32 },
        ),
        (tuple(json!({"处所": [{"label": "远"}]})), Some(5), Some("处所"), SheetFault::Value("places in the text")),
        (tuple(json!({"地点": [{"idxes": [1]}]})), Some(5), Some("地点"), SheetFault::Unknown("地点".into())),
        (tuple(json!({"事实性": [{"label": "真"}]})), Some(5), Some("事实性"), SheetFault::Unknown("真".into())),
        (
            tuple(json!({"事件": [{"idxes": [1]}, {"idxes": [2]}]})),
            Some(5),
            Some("事件"),
            SheetFault::TooMany { most: 1, found: 2 },
        ),
        (
            tuple(json!({"处所": vec![json!({"idxes": [1]}); five]})),
            Some(5),
            Some("处所"),
            SheetFault::TooMany { most: 20, found: five },
        ),
        (json!({"records": [{"id": 5, "type": "triple"}]}), Some(5), None, SheetFault::Unknown("triple".into())),
        (json!({"choices": {"special": ["hidden"]}}), None, Some("special"), SheetFault::Unknown("hidden".into())),
        (json!({"texts": {"secret": "x"}}), None, Some("secret"), SheetFault::Unknown("secret".into())),
    ] {
        let error = form.mark(&sheet(given.clone()), &item).expect_err("it cannot be said");
        assert_eq!((error.record, error.field.as_deref(), error.fault), (record, field, fault), "{given}");
    }
}

#[test]
fn a_written_pair_keeps_to_its_words() {
    let task = find("2023/scene").expect("a task");
    let (form, item) = (Form::of(task, BatchMode::Author), item_of(task, BatchMode::Author));
    let told = |one: &str, other: &str, entities: &str| {
        let sheet = sheet(json!({"choices": {"judge": ["true"], "deciding": ["处所"]},
            "texts": {"context1": one, "context2": other, "entities": entities}}));
        let findings = form.findings(task, &sheet, &item, &Reading::default(), Lang::En).expect("a mark");
        findings.into_iter().map(|finding| finding.field.expect("a part")).collect::<Vec<_>>()
    };
    assert_eq!(told("票在手上。", "票在手里。", "票"), Vec::<String>::new());
    assert_eq!(told("票在手上。", "伞在手里。", "票"), ["context2"]);
    assert_eq!(told("票在手上。", "票在手里。", "票\n伞"), ["entities"]);
    assert_eq!(told("", "票在手里。", ""), ["context1", "entities"]);
    let reasoned = |reason: &str| {
        let sheet = sheet(json!({"choices": {"judge": ["true"], "deciding": ["处所"]},
            "texts": {"context1": "票在手上。", "context2": "票在手里。", "entities": "票", "reason": reason}}));
        let mark = form.mark(&sheet, &item).expect("a mark");
        assert_eq!(form.sheet(&mark, &item), sheet, "what was written comes back");
        form.findings(task, &sheet, &item, &Reading::default(), Lang::En).expect("findings").len()
    };
    assert_eq!(reasoned("差别在于“上”和“里”，都由人拿着。"), 0);
    assert_eq!(reasoned("都由人拿着。"), 1, "it quotes no difference");
}
