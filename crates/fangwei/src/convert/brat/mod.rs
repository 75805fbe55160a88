//! [brat](https://brat.nlplab.org) folders: a `.txt` and an `.ann` an item, with `annotation.conf` and `visual.conf`.
//!
//! An answer is an event; its arguments are the roles (`E1 Tuple:T1 Entity:T2 Place:T3`). The trigger `T1` covers the fragment of the first role. A label beside
//! a fragment is an attribute of that fragment, a label alone one of the event (`A1 Time_label E1 Past`). A set of mentions is an equivalence
//! (`* Coref T4 T5`). Types are ASCII, as brat asks; `visual.conf` shows them in Chinese. Offsets are code points; pieces of a discontinuous
//! fragment stand in rising order (`0 2;5 6`). What that leaves unsaid is in a note (see [`mod@super::note`]) on the line `#1 Fangwei T0`: no annotation has the
//! number 0, so brat keeps the line and shows nothing.
//!
//! Files without such a line are read too. Then the file's name is the identifier; a line end that closes the text is the file's and not the text's; a trigger whose
//! type is a role fills that role, and the trigger of a tuple without 空间实体 fills that one; fragments that are in no event but are joined by relations are one
//! answer; and if there are neither events nor relations, all fragments together are one answer. An empty or absent `.ann` is an item without gold.

mod conf;
mod read;
mod write;

use std::collections::BTreeMap;

use super::doc::Doc;
use super::names::{roles, task};
use super::read::{each_item, lines, read_text};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::lang::{Say, words};
use crate::record::{Check, Code, ReadError, Source};
use crate::task::write_item;

/// A task → a brat folder.
pub(super) const fn to(task: &'static str) -> Conversion {
    Conversion { from: task, to: "brat", title: words("导出为 brat 标注文件夹", "as a folder for brat"), run: export }
}

/// A brat folder → a task.
pub(super) const fn from(task: &'static str) -> Conversion {
    Conversion { from: "brat", to: task, title: words("读入 brat 标注文件夹", "out of a folder of brat"), run: import }
}

/// The type of a note's line, and what it is said to be about.
const NOTE: (&str, &str) = ("Fangwei", "T0");

fn export(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let names = roles(conversion.from);
    let taken = each_item(task(conversion.from), inputs, |item, check| Doc::of(&item, check))?;
    let report = Report::new(conversion, taken.read, taken.values.len());
    let mut files = vec![
        OutFile::new("annotation.conf", conf::annotation(conversion.from, &names)),
        OutFile::new("visual.conf", conf::visual(conversion.from, &names)),
    ];
    let mut used = std::collections::BTreeSet::new();
    for (i, doc) in taken.values.iter().enumerate() {
        let stem = stem(&doc.qid, &mut used);
        files.push(OutFile::new(format!("{stem}.txt"), doc.context.as_bytes()));
        files.push(OutFile::new(format!("{stem}.ann"), write::annotations(doc, i as u64 + 1, conversion.from, &names)));
    }
    Ok(Converted { files, defects: taken.defects, report })
}

/// A file name for an identifier: no separators, unique also where case does not count.
fn stem(qid: &str, used: &mut std::collections::BTreeSet<String>) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let base: String = qid.chars().map(safe).take(80).collect();
    let mut name = base.clone();
    let mut number = 2;
    while !used.insert(name.to_lowercase()) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

fn import(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let (task, names) = (task(conversion.to), roles(conversion.to));
    let (mut read, mut defects, mut losses) = (0, Vec::new(), Vec::new());
    // By path without ending, so that the order does not depend on how the folder was walked.
    let mut pairs: BTreeMap<String, [Option<Source>; 2]> = BTreeMap::new();
    for source in inputs {
        let name = source.name.to_string();
        for (i, ending) in [".txt", ".ann"].into_iter().enumerate() {
            if let Some(stem) = name.strip_suffix(ending) {
                pairs.entry(stem.to_owned()).or_default()[i] = Some(source);
                break;
            }
        }
    }
    let mut records = Vec::new();
    for (stem, [text, annotations]) in pairs {
        read += 1;
        let Some(text) = text else {
            let mut check = Check::new(format!("{stem}.ann").into(), 0);
            check.add(Code::MissingField, format!("{stem}.txt"), Say::new("没有", "none"));
            defects.append(&mut check.defects);
            continue;
        };
        let Some(context) = read_text(text, &mut defects)? else { continue };
        let lines = match annotations {
            Some(annotations) => read_text(annotations, &mut defects)?,
            None => Some(String::new()),
        };
        let Some(lines) = lines else { continue };
        let mut check = Check::new(format!("{stem}.ann").into(), 0);
        let qid = stem.rsplit(['/', '\\']).next().unwrap_or(&stem);
        let input = read::Input { file: format!("{stem}.ann").into(), qid, text: &context, lines: &lines, task: conversion.to };
        let doc = read::read(input, &names, &mut check, &mut losses);
        let item = doc.and_then(|(number, doc)| Some((number, doc.into_item(task, &mut check)?)));
        defects.append(&mut check.defects);
        records.extend(item);
    }
    // Records of one export come back in their order; others follow by name.
    records.sort_by_key(|(number, _)| number.unwrap_or(u64::MAX));
    let mut report = Report::new(conversion, read, records.len());
    report.lose(losses);
    let records: Vec<_> = records.iter().map(|(_, item)| write_item(task, item)).collect();
    let file = OutFile::new(format!("{}.jsonl", conversion.to.replace('/', "-")), lines(&records));
    Ok(Converted { files: vec![file], defects, report })
}

/// The type of the event that an answer is.
fn event_type(task: &str, kind: Option<crate::answer::ReasonType>) -> &'static str {
    use crate::answer::ReasonType::{A, B, C};
    match (task, kind) {
        (_, Some(A)) => "Reason_A",
        (_, Some(B)) => "Reason_B",
        (_, Some(C)) => "Reason_C",
        ("2023/anomaly", None) => "Candidate",
        ("2022/attribute", None) => "Reason",
        _ => "Tuple",
    }
}
