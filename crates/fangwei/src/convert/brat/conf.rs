//! `annotation.conf` and `visual.conf`: the types that an export uses, and how brat shows them.

use std::fmt::Write as _;

use super::super::names::{RoleName, ascii_label};
use super::event_type;
use crate::answer::ReasonType;

fn events(task: &str) -> Vec<(&'static str, &'static str)> {
    match task {
        "2022/attribute" => vec![
            (event_type(task, Some(ReasonType::A)), "A 搭配不当"),
            (event_type(task, Some(ReasonType::B)), "B 语义冲突"),
            (event_type(task, Some(ReasonType::C)), "C 不符合常识"),
        ],
        "2023/anomaly" => vec![(event_type(task, None), "候选答案")],
        _ => vec![(event_type(task, None), "元组")],
    }
}

fn has_mentions(task: &str) -> bool {
    task.ends_with("/roles")
}

/// The types.
pub fn annotation(task: &str, names: &[RoleName]) -> String {
    let mut conf = String::from("[entities]\n");
    for name in names {
        conf.push_str(name.ascii);
        conf.push('\n');
    }
    if has_mentions(task) {
        conf.push_str("Mention\n");
    }
    conf.push_str("\n[relations]\n");
    if has_mentions(task) {
        for set in ["Coref", "NonCoref"] {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(conf, "{set}\tArg1:Mention, Arg2:Mention, <REL-TYPE>:symmetric-transitive");
        }
    }
    conf.push_str("<OVERLAP>\tArg1:<ANY>, Arg2:<ANY>, <OVL-TYPE>:<ANY>\n\n[events]\n");
    for (event, _) in events(task) {
        let arguments: Vec<String> = names.iter().map(|name| format!("{0}*:{0}", name.ascii)).collect();
        let _ = writeln!(conf, "{event}\t{}", arguments.join(", "));
    }
    conf.push_str("\n[attributes]\n");
    for name in names.iter().filter(|name| !name.labels.is_empty()) {
        let values: Vec<&str> = name.labels.iter().filter_map(|label| ascii_label(label)).collect();
        let _ = writeln!(conf, "{}_is\tArg:<ANY>, Value:{}", name.ascii, values.join("|"));
    }
    conf
}

/// The names that people see.
pub fn visual(task: &str, names: &[RoleName]) -> String {
    let mut conf = String::from("[labels]\n");
    for name in names {
        let _ = writeln!(conf, "{} | {}", name.ascii, name.role);
        if !name.labels.is_empty() {
            let _ = writeln!(conf, "{}_is | {}", name.ascii, name.role);
        }
    }
    for (event, shown) in events(task) {
        let _ = writeln!(conf, "{event} | {shown}");
    }
    if has_mentions(task) {
        conf.push_str("Mention | 指称\nCoref | 同指\nNonCoref | 异指\n");
    }
    conf.push_str("\n[drawing]\nSPAN_DEFAULT\tfgColor:black, bgColor:lightgreen, borderColor:darken\nARC_DEFAULT\tcolor:black, arrowHead:triangle-5\n");
    conf
}
