//! Reads the items of a conversion's inputs and keeps count: what was found, what was kept out, and why.

use std::io::Read as _;

use rustc_hash::FxHashSet;

use crate::record::{self, Check, Code, Defect, Json, ReadError, Source};
use crate::score::each_record;
use crate::task::{Item, Task, read_item, read_pred};

/// What the records of the inputs became, in their order.
#[derive(Debug)]
pub struct Taken<T> {
    pub values: Vec<T>,
    pub defects: Vec<Defect>,
    /// Records found.
    pub read: u64,
}

/// Reads every item and applies `convert` on all cores; `None` keeps the record out, and says why in the check. Items of one qid are all converted, and noted.
pub fn each_item<T: Send>(
    task: &dyn Task,
    inputs: Vec<Source>,
    convert: impl Fn(Item, &mut Check) -> Option<T> + Sync,
) -> Result<Taken<T>, ReadError> {
    each_read(task, inputs, |given, check| read_item(task, given, false, check), convert)
}

/// The same for items and for predictions, which bring no text.
pub fn each_item_or_pred<T: Send>(
    task: &dyn Task,
    inputs: Vec<Source>,
    convert: impl Fn(Item, &mut Check) -> Option<T> + Sync,
) -> Result<Taken<T>, ReadError> {
    let read = |given: &Json<'_>, check: &mut Check| {
        let is_pred = given.get("context").is_none() && given.get(task.about().answer).is_some();
        if is_pred { read_pred(task, given, check) } else { read_item(task, given, false, check) }
    };
    each_read(task, inputs, read, convert)
}

fn each_read<T: Send>(
    task: &dyn Task,
    inputs: Vec<Source>,
    read: impl Fn(&Json<'_>, &mut Check) -> Option<Item> + Sync,
    convert: impl Fn(Item, &mut Check) -> Option<T> + Sync,
) -> Result<Taken<T>, ReadError> {
    let mut all = Taken { values: Vec::new(), defects: Vec::new(), read: 0 };
    let mut seen = FxHashSet::default();
    for source in inputs {
        let name = source.name.clone();
        let mut taken = each_json(vec![source], |given, check| {
            let one = |given: &Json<'_>, check: &mut Check| {
                let item = read(given, check)?;
                let qid = item.qid.clone();
                convert(item, check).map(|value| (qid, check.line(), value))
            };
            each_record(task, given, check, one).into_vec()
        })?;
        for (qid, line, value) in taken.values {
            if !seen.insert(qid.clone()) {
                let mut check = Check::new(name.clone(), line);
                check.repeated(&qid);
                taken.defects.append(&mut check.defects);
            }
            all.values.push(value);
        }
        // Stable, so that a record's own defects keep their order.
        taken.defects.sort_by_key(|defect| defect.line);
        all.defects.append(&mut taken.defects);
        all.read += taken.read;
    }
    Ok(all)
}

/// Applies `convert` to every JSON value of the inputs. What it gives counts as records; a value that is not JSON counts as one.
pub fn each_json<T: Send>(
    inputs: Vec<Source>,
    convert: impl Fn(&Json<'_>, &mut Check) -> Vec<Option<T>> + Sync,
) -> Result<Taken<T>, ReadError> {
    let mut taken = Taken { values: Vec::new(), defects: Vec::new(), read: 0 };
    for source in inputs {
        let file = record::each(
            source,
            |given, check| convert(&given, check),
            |values, mut check| {
                taken.read += values.len() as u64;
                taken.values.extend(values.into_iter().flatten());
                taken.defects.append(&mut check.defects);
            },
        )?;
        taken.read += file.iter().filter(|defect| matches!(defect.code, Code::BadJson | Code::BadEncoding)).count() as u64;
        taken.defects.extend(file);
    }
    Ok(taken)
}

/// All of a stream as text, or a defect.
pub fn read_text(mut source: Source, defects: &mut Vec<Defect>) -> Result<Option<String>, ReadError> {
    let (name, mut bytes) = (source.name.clone(), Vec::new());
    source.read_to_end(&mut bytes).map_err(|error| ReadError { file: name.clone(), error })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let before = &error.as_bytes()[..at];
            let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
            let mut check = Check::new(name, line);
            check.add(Code::BadEncoding, "UTF-8", format!("{:02X}", error.as_bytes()[at]));
            defects.append(&mut check.defects);
            Ok(None)
        }
    }
}

/// Records one a line.
pub fn lines<'j>(records: impl IntoIterator<Item = &'j Json<'static>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend_from_slice(record.to_line().as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

/// Records as one array, one a line.
pub fn array<'j>(records: impl IntoIterator<Item = &'j Json<'static>>) -> Vec<u8> {
    let lines: Vec<String> = records.into_iter().map(Json::to_line).collect();
    format!("[\n{}\n]\n", lines.join(",\n")).into_bytes()
}
