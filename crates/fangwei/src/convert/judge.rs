//! `2022/judge` ↔ `2021/judge`: the same question under other field names, and a verdict written as 1 or as `true`.
//!
//! A file of 2021 is one array, a file of 2022 has a record a line. Identifiers stay. A value that is no verdict has no image and is kept out.

use super::read::{array, each_item, lines};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::answer::{Answer, Verdict};
use crate::lang::{Say, words};
use crate::record::{Check, Code, ReadError, Source};
use crate::task::{Item, write_item};

/// The item with a plain verdict; what Python's `int()` would read is written as it would be read.
fn plain(mut item: Item, check: &mut Check) -> Option<Item> {
    if let Some(Answer::Verdict(verdict)) = &item.gold {
        let Some(value) = verdict.value() else {
            // Noted as a bad verdict when it was read, unless the reader is ever more lenient.
            if check.errors() == 0 {
                check.add(Code::BadVerdict, "0 / 1", Say::new("其他", "something else"));
            }
            return None;
        };
        item.gold = Some(Answer::Verdict(Verdict::Plain(value)));
    }
    Some(item)
}

fn run(conversion: &Conversion, inputs: Vec<Source>, _: &Options) -> Result<Converted, ReadError> {
    let to = super::names::task(conversion.to);
    let taken = each_item(super::names::task(conversion.from), inputs, plain)?;
    let records: Vec<_> = taken.values.iter().map(|item| write_item(to, item)).collect();
    let report = Report::new(conversion, taken.read, records.len());
    let name = to.id().replace('/', "-");
    let file = if to.form().array {
        OutFile::new(format!("{name}.json"), array(&records))
    } else {
        OutFile::new(format!("{name}.jsonl"), lines(&records))
    };
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}

/// `2022/judge` → `2021/judge`.
pub(super) const BACK: Conversion = Conversion {
    from: "2022/judge",
    to: "2021/judge",
    title: words("判断题：0/1 改写为 false/true，无损", "verdicts 0/1 as false/true, without loss"),
    run,
};

/// `2021/judge` → `2022/judge`.
pub(super) const FORWARD: Conversion = Conversion {
    from: "2021/judge",
    to: "2022/judge",
    title: words("判断题：false/true 改写为 0/1，无损", "verdicts false/true as 0/1, without loss"),
    run,
};
