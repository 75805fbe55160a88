//! The 2021 answer sheet ↔ files of answers, one a task.
//!
//! A sheet holds no texts, so its files hold identifiers and answers only. On the way back the identifier (`3-dev-7`) says which task and split an answer
//! belongs to; files of all three tasks may be given at once, whichever of them is named. Of an item answered twice the last answer counts.

use smol_str::SmolStr;

use super::read::{array, each_json};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, ReadError, Source};
use crate::score::each_record;
use crate::task::write_pred;
use crate::tasks::{is_sheet, pack_sheet};

/// `2021/sheet` → the answers to one task.
pub(super) const fn from(task: &'static str) -> Conversion {
    Conversion {
        from: "2021/sheet",
        to: task,
        title: words("从答题卡取出一个任务的答案", "the answers to one task out of a sheet"),
        run: split,
    }
}

/// Files of the tasks of 2021 → `2021/sheet`; `task` is the one that the first file belongs to.
pub(super) const fn to(task: &'static str) -> Conversion {
    Conversion {
        from: task,
        to: "2021/sheet",
        title: words("各任务的答案合成一张答题卡", "answers to several tasks joined into one sheet"),
        run: join,
    }
}

fn split(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let task = super::names::task(conversion.to);
    let taken = each_json(inputs, |given, check| {
        if !is_sheet(given) {
            let expected = Say::new("答题卡（subtask1-dev 等）", "an answer sheet (subtask1-dev …)");
            check.add(Code::BadType, expected, given.brief());
            return vec![None];
        }
        let read = |record: &Json<'_>, check: &mut Check| {
            let qid = Fields(record).qid(&["qID", "qid"], check)?;
            task.read_answer(record, check).map(|answer| write_pred(task, &qid, &answer))
        };
        each_record(task, given, check, read).into_vec()
    })?;
    let report = Report::new(conversion, taken.read, taken.values.len());
    let file = OutFile::new(format!("{}.json", task.id().replace('/', "-")), array(&taken.values));
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}

/// A record with its identifier and answer only, as its task writes them.
fn answer_only(given: &Json<'_>, check: &mut Check) -> Option<(SmolStr, Json<'static>)> {
    let qid = Fields::of(given, check)?.qid(&["qID", "qid"], check)?;
    let task = match qid.split('-').collect::<Vec<_>>().as_slice() {
        ["1", _, _] => "2021/judge",
        ["2", _, _] => "2021/reason",
        ["3", _, _] => "2021/joint",
        _ => {
            check.add(Code::BadQid, Say::new("任务-集合-序号，如 1-dev-7", "task-split-number, as 1-dev-7"), qid.to_string());
            return None;
        }
    };
    let task = super::names::task(task);
    let answer = task.read_answer(given, check)?;
    Some((qid.clone(), write_pred(task, &qid, &answer)))
}

fn join(conversion: &Conversion, inputs: Vec<Source>, options: &Options) -> Result<Converted, ReadError> {
    let taken = each_json(inputs, |given, check| {
        let before = check.errors();
        let record = answer_only(given, check);
        vec![record.filter(|_| check.errors() == before)]
    })?;
    let mut records: Vec<(SmolStr, Json<'static>)> = Vec::new();
    let mut twice = 0;
    let mut places = rustc_hash::FxHashMap::default();
    for (qid, record) in taken.values {
        let at = *places.entry(qid.clone()).or_insert(records.len());
        if at < records.len() {
            records[at].1 = record;
            twice += 1;
        } else {
            records.push((qid, record));
        }
    }
    let mut report = Report::new(conversion, taken.read, records.len());
    report.lose(std::iter::repeat_n("answered-twice", twice));
    // A sheet holds answers and nothing else.
    report.lose(std::iter::repeat_n("texts", records.len()));
    let meta = [("team_name", &options.team_name), ("institution", &options.institution), ("email", &options.email)];
    let meta = Json::map(meta.map(|(name, value)| (name, Json::text(value.clone()))));
    // Each record was read by its task and has an identifier of three parts, so none is refused.
    let (sheet, _) = pack_sheet(meta, records.into_iter().map(|(_, record)| record));
    let file = OutFile::new("sheet.json", format!("{sheet}\n"));
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}
