//! Flat JSONL, one record an item, for `datasets`, pandas and the like: the same keys in every record of every task, `null` where there is nothing, and no list
//! within a list.
//!
//! | key | what |
//! | --- | --- |
//! | `task`, `qid` | task id and identifier |
//! | `context`, `context2`, `reason` | the texts: `context2` of 2023/scene, `reason` of 2021 |
//! | `answered` | whether there is gold |
//! | `judge`, `judge2`, `why` | verdicts, and the explanation of 2023/scene |
//! | `kinds` | a string an answer: the type of a 2022 reason, otherwise empty; its length is the number of answers |
//! | `spans` | `{answer, role, label, start, end, text, piece, idxes}`: a row a piece of a fragment |
//! | `corefs`, `non_corefs` | how many sets of mentions |
//! | `mentions` | `{set, same, start, end, text, piece, idxes}`: a row a piece of a mention |
//! | `extra` | fields that are not the task's, as one JSON text |
//!
//! `answer`, `set` and `piece` count from 0; `start` and `end` are code points. `text` and `idxes` belong to the whole fragment and stand in each of its rows; `idxes` is
//! written with blanks (`17 5 6 18`), as a list would nest. Pieces are maximal runs in the order written. A role without fragment is one row with piece 0. So nothing is
//! lost, and no note is needed.
//!
//! Rows of other makers are read too: without `idxes` the rows' `start` and `end` serve, without `text` the characters that stand there, without `piece` each row is a
//! fragment of its own; `idxes` may be a list.

mod read;
mod write;

use super::names::task;
use super::read::{each_item, each_json, lines};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::lang::words;
use crate::record::{Json, ReadError, Source};
use crate::task::write_item;

/// A task → flat.
pub(super) const fn to(task: &'static str) -> Conversion {
    Conversion { from: task, to: "flat", title: words("导出为平铺的 JSONL", "as flat JSONL"), run: export }
}

/// Flat → a task.
pub(super) const fn from(task: &'static str) -> Conversion {
    Conversion { from: "flat", to: task, title: words("读入平铺的 JSONL", "out of flat JSONL"), run: import }
}

fn finish(conversion: &Conversion, name: String, taken: super::read::Taken<Json<'static>>) -> Converted {
    let report = Report::new(conversion, taken.read, taken.values.len());
    Converted { files: vec![OutFile::new(name, lines(&taken.values))], defects: taken.defects, report }
}

fn export(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let taken = each_item(task(conversion.from), inputs, |item, check| write::record(conversion.from, &item, check))?;
    Ok(finish(conversion, format!("{}-flat.jsonl", conversion.from.replace('/', "-")), taken))
}

fn import(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let task = task(conversion.to);
    let taken = each_json(inputs, |given, check| vec![read::item(task, given, check).map(|item| write_item(task, &item))])?;
    Ok(finish(conversion, format!("{}.jsonl", conversion.to.replace('/', "-")), taken))
}
