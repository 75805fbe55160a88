//! No input makes the readers, the validator or the scorers panic or run away.
//!
//! Whatever is pushed through [`everything`] passes every entrance of the library. Time and memory are bounded: the named cases say by how much.

mod files;
mod records;
mod trees;

use fangwei::record::{Check, Json, Source};
use fangwei::score::{explain_modes, read_items, read_preds, score};
use fangwei::task::{Item, Mode, Task, read_item, write_item, write_pred};
use fangwei::tasks::all;
use fangwei::validate::validate;

/// The sample records of a task: gold and predictions.
fn sample(task: &dyn Task) -> (Vec<u8>, Vec<u8>) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample");
    let read = |path: String| std::fs::read(folder.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let year = task.id().split('/').next().unwrap_or_default();
    if year == "2021" {
        return (read(format!("{}/gold.json", task.id())), read("2021/sheet.json".to_owned()));
    }
    (read(format!("{}/gold.jsonl", task.id())), read(format!("{}/pred.jsonl", task.id())))
}

fn source(bytes: &[u8]) -> Option<Source> {
    // A broken compressed stream may be refused at once.
    Source::from_bytes("t", bytes).ok()
}

/// Pushes the bytes of a file through everything that reads files, as gold and as predictions of the task.
fn everything(task: &'static dyn Task, bytes: &[u8]) {
    let (gold, preds) = sample(task);
    let items = source(&gold).and_then(|gold| read_items(task, gold, true).ok()).map_or(Vec::new(), |(items, _)| items);
    assert!(!items.is_empty(), "the sample of {} is readable", task.id());
    for items in [None, Some(items.as_slice())] {
        if let Some(Ok(report)) = source(bytes).map(|source| validate(task, source, items)) {
            assert!(report.errors() + report.warnings() == report.defects.len());
            serde_json::to_string(&report.to_json(task, fangwei::lang::Lang::Zh)).expect("a report is JSON");
        }
    }
    for mode in [Mode::Official, Mode::Spec] {
        // As predictions of the sample gold, and as gold of the sample predictions.
        for (gold, preds) in [(gold.as_slice(), bytes), (bytes, preds.as_slice()), (bytes, bytes)] {
            let Some(Ok(preds)) = source(preds).map(|preds| read_preds(task, preds)) else { continue };
            let Some(Ok(scored)) = source(gold).map(|gold| score(task, mode, gold, &preds, |item, pred| look(task, item, pred)))
            else {
                continue;
            };
            for (path, measure) in scored.measures().flat() {
                if let fangwei::score::Measure::Number(value) = measure {
                    assert!(value.is_finite(), "{} {path} {value}", task.id());
                }
            }
        }
    }
}

/// Looks at an item and its prediction from every side.
fn look(task: &dyn Task, item: &Item, pred: Option<&fangwei::answer::Answer>) {
    explain_modes(task, item, pred);
    for mode in [Mode::Official, Mode::Spec] {
        let alignment = task.align(mode.rules(), item, pred);
        assert!(alignment.numbers.iter().all(|(_, value)| value.is_finite()));
    }
    for facet in task.facets() {
        assert!(task.facet(facet, item).is_some(), "{} {facet}", task.id());
    }
    write_item(task, item).to_line();
    if let Some(pred) = pred {
        write_pred(task, &item.qid, pred).to_line();
    }
}

/// Pushes a value through everything that reads records.
fn every_record(given: &Json<'_>) {
    for task in all() {
        let mut check = Check::new("t".into(), 1);
        for gold_needed in [false, true] {
            if let Some(item) = read_item(task, given, gold_needed, &mut check) {
                look(task, &item, item.gold.as_ref());
                look(task, &item, None);
            }
        }
        if let Some(answer) = task.read_answer(given, &mut check) {
            let texts = task.read_texts(given, &mut check);
            task.check_answer(&answer, None, &mut check);
            task.check_answer(&answer, texts.as_ref(), &mut check);
        }
        assert!(check.defects.len() <= fangwei::record::MOST_OF_RECORD + 1);
        for record in task.unpack(given).into_iter().flatten() {
            task.read_answer(&record, &mut check);
        }
    }
}

/// The codes that the validator finds in a submission, each once, in its order.
fn codes(task: &str, preds: impl Into<Vec<u8>>) -> Vec<&'static str> {
    let task = fangwei::tasks::find(task).expect("a task");
    let report = validate(task, Source::from_bytes("t", preds).expect("memory"), None).expect("memory");
    distinct(report.defects.iter().map(|defect| defect.code.as_str()))
}

fn distinct(codes: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = Vec::new();
    for code in codes {
        if !seen.contains(&code) {
            seen.push(code);
        }
    }
    seen
}
