//! Checks a submission: every defect, not the first, with its place, what was expected and what was found.
//!
//! The same function serves the command line, the server and whoever uploads; nothing is scored that it has not seen.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::lang::{Lang, Say};
use crate::record::{self, Check, Code, Defect, Fields, Json, ReadError, Severity, Source, gather};
use crate::score::each_record;
use crate::task::{Item, Task, Texts};

/// What was found in a submission.
#[derive(Debug, Default)]
pub struct Report {
    /// How many records were read.
    pub records: u64,
    /// Every defect: those of records in the order of the file, then those of the file as a whole.
    pub defects: Vec<Defect>,
}

impl Report {
    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.defects.iter().filter(|defect| defect.severity() == Severity::Error).count()
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.defects.len() - self.errors()
    }

    /// The report as JSON, errors and warnings apart.
    pub fn to_json(&self, task: &dyn Task, lang: Lang) -> Value {
        let of = |severity: Severity| -> Vec<Value> {
            let defects = self.defects.iter().filter(|defect| defect.severity() == severity);
            defects.map(|defect| json!(defect.in_lang(lang))).collect()
        };
        json!({
            "task": task.id(),
            "records": self.records,
            "ok": self.errors() == 0,
            "errors": of(Severity::Error),
            "warnings": of(Severity::Warning),
        })
    }
}

/// Checks the predictions in `preds`; against `items`, also whether they fit the texts and are complete.
pub fn validate(task: &dyn Task, preds: Source, items: Option<&[Item]>) -> Result<Report, ReadError> {
    let file: Arc<str> = preds.name.clone();
    let texts: Option<FxHashMap<&str, &Texts>> =
        items.map(|items| items.iter().map(|item| (item.qid.as_str(), &item.texts)).collect());
    let check_one = |given: &Json<'_>, check: &mut Check| -> (Option<SmolStr>, Vec<Defect>) {
        check.qid = None;
        let qid = check_record(task, given, texts.as_ref(), check);
        (qid, std::mem::take(&mut check.defects))
    };
    let mut report = Report::default();
    let mut seen: FxHashMap<SmolStr, u64> = FxHashMap::default();
    let file_defects = record::each(
        preds,
        |given, check| each_record(task, &given, check, check_one),
        |records, mut check| {
            for (qid, defects) in records {
                report.records += 1;
                gather(&mut report.defects, defects);
                let Some(qid) = qid else { continue };
                if let Some(line) = seen.insert(qid.clone(), check.line()) {
                    check.qid = Some(qid);
                    let found = Say::new(format!("第 {line} 行已有"), format!("already on line {line}"));
                    check.add(Code::DuplicateQid, Say::new("每个 qid 一次", "each qid once"), found);
                    gather(&mut report.defects, check.defects.drain(..));
                }
            }
        },
    )?;
    gather(&mut report.defects, file_defects);
    // Stable, so that a record's own defects keep their order.
    report.defects.sort_by_key(|defect| defect.line);
    for item in items.unwrap_or_default().iter().filter(|item| !seen.contains_key(&item.qid)) {
        let mut check = Check::new(file.clone(), 0);
        check.qid = Some(item.qid.clone());
        check.add(Code::MissingQid, Say::new("每题一条", "one record an item"), Say::new("没有", "none"));
        report.defects.append(&mut check.defects);
    }
    Ok(report)
}

/// Checks one record; gives its qid where it has one.
fn check_record(
    task: &dyn Task,
    given: &Json<'_>,
    texts: Option<&FxHashMap<&str, &Texts>>,
    check: &mut Check,
) -> Option<SmolStr> {
    let qid = Fields::of(given, check)?.qid(task.about().qid_names, check);
    let item = qid.as_ref().and_then(|qid| texts.and_then(|texts| texts.get(qid.as_str())));
    if let (Some(qid), Some(_), None) = (&qid, texts, item) {
        check.add(Code::UnknownQid, Say::new("题目中的 qid", "a qid of the items"), qid.to_string());
    }
    // Without items the record's own text serves, if it brings one.
    let own = if texts.is_none() { own_texts(task, given) } else { None };
    if let Some(item) = item {
        check_context(given, item, check);
    }
    if let Some(answer) = task.read_answer(given, check) {
        task.check_answer(&answer, item.copied().or(own.as_ref()), check);
    }
    qid
}

fn own_texts(task: &dyn Task, given: &Json<'_>) -> Option<Texts> {
    // Defects of a text that nobody asked for are nobody's matter.
    task.read_texts(given, &mut Check::new("".into(), 0))
}

fn check_context(given: &Json<'_>, item: &Texts, check: &mut Check) {
    for (name, expected) in item.write() {
        if let Some(found) = given.get(name).filter(|found| **found != expected) {
            check.at(name, |check| check.add(Code::ContextMismatch, expected.brief(), found.brief()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::find;

    fn codes(task: &str, preds: &str, items: Option<&str>) -> Vec<&'static str> {
        let task = find(task).expect("a task");
        let items = items.map(|text| {
            let source = Source::from_bytes("items", text).expect("memory");
            crate::score::read_items(task, source, false).expect("memory").0
        });
        let report = validate(task, Source::from_bytes("preds", preds).expect("memory"), items.as_deref()).expect("memory");
        report.defects.iter().map(|defect| defect.code.as_str()).collect()
    }

    #[test]
    fn every_defect_of_a_submission() {
        let items = "{\"qid\":\"1\",\"context\":\"猫跳进箱子外\"}\n{\"qid\":\"2\",\"context\":\"猫\"}\n";
        let preds = concat!(
            r#"{"qid":"1","results":[[{"role":"P1","text":"箱子里","idxes":[3,4,5]},{"role":"X","text":"猫","idxes":[9]},{"role":"P1","text":"猫","idxes":[0]}]]}"#,
            "\n",
            r#"{"qid":"1","results":[[],[],[],[]]}"#,
            "\n",
            r#"{"qid":"3","results":[[{"role":"S2","text":"猫","idxes":[0]}]]}"#,
            "\n",
            "oops\n"
        );
        let found = codes("2023/anomaly", preds, Some(items));
        for code in [
            "text-mismatch",
            "bad-role",
            "idx-out-of-range",
            "repeated-role",
            "duplicate-qid",
            "too-many-candidates",
            "unknown-qid",
            "role-conflict",
            "bad-json",
            "missing-qid",
        ] {
            assert!(found.contains(&code), "{code} is not in {found:?}");
        }
    }

    #[test]
    fn a_record_that_brings_its_text_is_checked_against_it() {
        let pred = r#"{"qid":"1","context":"猫跳","results":[[{"role":"E1","text":"跳","idxes":[5]}]]}"#;
        assert_eq!(codes("2023/anomaly", pred, None), ["idx-out-of-range"]);
    }

    #[test]
    fn a_clean_file() {
        let pred = r#"{"qid":"1","judge":1}"#;
        assert!(codes("2022/judge", pred, Some(r#"{"qid":"1","context":"猫"}"#)).is_empty());
    }
}
