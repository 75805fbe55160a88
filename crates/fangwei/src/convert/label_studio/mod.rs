//! [Label Studio](https://labelstud.io): an array of tasks (`tasks.json`) and the labeling interface that shows them (`config.xml`).
//!
//! A region is a piece of a fragment, labelled with its role (`role`). Pieces of one fragment are joined by relations labelled `piece`, fragments of one answer by
//! relations labelled `answer`, mentions of one set by `same` or `different`. The type of a reason (`type`), the label of a fragment (`label`) and the labels of roles
//! that have no fragment (`answer_label`, on the first region of the answer) are choices of regions, written `时间=之后`. A region belongs to one answer only.
//! What that leaves unsaid is in `data.fangwei` (see [`mod@super::note`]).
//!
//! **Offsets.** `start` and `end` count code points, which is what Label Studio has stored since 2022; before, it stored what JavaScript counts, UTF-16 code
//! units. They differ only after a character outside the basic plane (𠮷, emoji). A record in which some region's `text` stands where code
//! units say, and none only where code points say, is read by units.
//!
//! Files without `data.fangwei` are read too. Then the identifier is `data.qid` or the task's `id`; regions of one role in one answer are pieces of one fragment;
//! and where no relation is drawn, all regions of roles are one answer, and all mentions of a kind one set. Of several annotations the first that
//! was not cancelled counts; a task without any is an item without gold.

mod config;
mod offsets;
mod read;
mod write;

use super::doc::Doc;
use super::names::{roles, task};
use super::read::{array, each_item, each_json, lines};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::lang::words;
use crate::record::{ReadError, Source};
use crate::task::write_item;

/// A task → Label Studio.
pub(super) const fn to(task: &'static str) -> Conversion {
    Conversion {
        from: task,
        to: "label-studio",
        title: words("导出为 Label Studio 任务和标注界面", "as tasks for Label Studio, with the interface"),
        run: export,
    }
}

/// Label Studio → a task.
pub(super) const fn from(task: &'static str) -> Conversion {
    Conversion {
        from: "label-studio",
        to: task,
        title: words("读入 Label Studio 导出的 JSON", "out of the JSON that Label Studio exports"),
        run: import,
    }
}

/// The labels of regions that are mentions, and of the relations that join them.
const SETS: [(&str, &str); 2] = [("同指", "same"), ("异指", "different")];

fn export(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let names = roles(conversion.from);
    let taken = each_item(task(conversion.from), inputs, |item, check| Doc::of(&item, check))?;
    let report = Report::new(conversion, taken.read, taken.values.len());
    let tasks: Vec<_> = (1..).zip(&taken.values).map(|(number, doc)| write::task(doc, number, &names)).collect();
    let files =
        vec![OutFile::new("tasks.json", array(&tasks)), OutFile::new("config.xml", config::interface(conversion.from, &names))];
    Ok(Converted { files, defects: taken.defects, report })
}

fn import(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let (task, names) = (task(conversion.to), roles(conversion.to));
    // The interface lies beside the tasks in the folder and holds no records.
    let inputs = inputs.into_iter().filter(|source| !source.name.ends_with(".xml")).collect();
    let taken = each_json(inputs, |given, check| {
        let mut losses = Vec::new();
        let doc = read::doc(given, conversion.to, &names, check, &mut losses);
        let item = doc.and_then(|(number, doc)| Some((number, doc.into_item(task, check)?)));
        vec![item.map(|(number, item)| (number, write_item(task, &item), losses))]
    })?;
    let mut report = Report::new(conversion, taken.read, taken.values.len());
    let mut records = taken.values;
    for (_, _, losses) in &records {
        report.lose(losses.iter().copied());
    }
    // Label Studio may sort tasks; those of one export come back in their order.
    records.sort_by_key(|(number, _, _)| number.unwrap_or(u64::MAX));
    let name = format!("{}.jsonl", conversion.to.replace('/', "-"));
    let file = OutFile::new(name, lines(records.iter().map(|(_, record, _)| record)));
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}
