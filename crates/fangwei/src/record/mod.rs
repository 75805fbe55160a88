//! Records: read as given, checked, written again.
//!
//! A file passes through three hands: [`Source`] unpacks it, [`Frames`] cuts it into records, and [`each`] parses them on all cores and hands them on in
//! their order. What a task makes of a record is the task's matter (`crate::tasks`).

mod check;
mod defect;
mod fields;
mod frame;
mod json;
mod source;

pub(crate) use check::gather;
pub use check::{Check, MOST_OF_FILE, MOST_OF_RECORD, Step};
pub use defect::{Code, Defect, Severity};
pub use fields::{Fields, list_of, read_fragment, read_list, read_span};
pub use frame::{Batch, Frame, Frames, MAX_RECORD};
pub use json::Json;
pub use source::{OpenError, Source};

use std::sync::Arc;

use rayon::prelude::*;

use crate::lang::Say;

/// What went wrong with a stream below the level of records.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}: {error}")]
pub struct ReadError {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// What the system or the decompressor said.
    pub error: std::io::Error,
}

/// Parses the records of `source` batch by batch: `read` runs on all cores, `take` gets its values in the order of the file.
///
/// Returns the defects of the file itself; those of records are `read`'s to keep.
pub fn each<T: Send>(
    source: Source,
    read: impl Fn(Json<'_>, &mut Check) -> T + Sync,
    mut take: impl FnMut(T, Check) + Send,
) -> Result<Vec<Defect>, ReadError> {
    let mut unparsed = Vec::new();
    let mut defects = each_frame(
        source,
        |bytes, check| parse(bytes, check).map(|given| read(given, check)),
        |value, mut check| match value {
            Some(value) => take(value, check),
            None => gather(&mut unparsed, check.defects.drain(..)),
        },
    )?;
    // An empty file has no record that could not be parsed.
    gather(&mut defects, unparsed);
    Ok(defects)
}

/// The same with the bytes of every record, parsed or not: `take` is called once for each record of the file.
///
/// While one batch is read, the next is cut and the one before is taken.
pub fn each_frame<T: Send>(
    source: Source,
    read: impl Fn(&[u8], &mut Check) -> T + Sync,
    mut take: impl FnMut(T, Check) + Send,
) -> Result<Vec<Defect>, ReadError> {
    let mut frames = Frames::new(source);
    let name = frames.name();
    let failed = |error| ReadError { file: name.clone(), error };
    let read_batch = |batch: &Batch| -> Vec<(T, Check)> {
        let read_one = |frame: &Frame| {
            let mut check = Check::new(name.clone(), frame.line);
            (read(batch.bytes(frame), &mut check), check)
        };
        batch.frames.par_iter().map(read_one).collect()
    };
    let mut take_all = |values: Vec<(T, Check)>| values.into_iter().for_each(|(value, check)| take(value, check));
    let mut batch = frames.next_batch().map_err(failed)?;
    let empty = batch.is_none();
    let mut values = Vec::new();
    while let Some(current) = batch {
        let before = std::mem::take(&mut values);
        let (next, read) = rayon::join(|| rayon::join(|| frames.next_batch(), || take_all(before)).0, || read_batch(&current));
        batch = next.map_err(failed)?;
        values = read;
    }
    take_all(values);
    // Too many warnings are an error of their own, but no reason why there is no record.
    let tolerated = |defect: &Defect| defect.severity() == Severity::Warning || defect.code == Code::TooManyDefects;
    if empty && frames.defects.iter().all(tolerated) {
        let mut check = Check::new(name, 0);
        check.add(Code::EmptyFile, Say::new("至少一条记录", "at least one record"), Say::new("没有记录", "none"));
        // First, so that it is not the one that is left out.
        frames.defects.splice(0..0, check.defects);
    }
    Ok(frames.defects)
}

/// Parses one record, or notes why it cannot be parsed.
pub fn parse<'a>(bytes: &'a [u8], check: &mut Check) -> Option<Json<'a>> {
    let error = match Json::parse(bytes) {
        Ok(given) => return Some(given),
        Err(error) => error,
    };
    if let Err(error) = std::str::from_utf8(bytes) {
        let at = error.valid_up_to();
        let shown: Vec<String> = bytes[at..].iter().take(4).map(|byte| format!("{byte:02X}")).collect();
        let expected = Say::new("UTF-8（若是 GBK/GB18030，请先转换）", "UTF-8 (convert GBK/GB18030 first)");
        let found =
            Say::new(format!("第 {} 字节起：{}", at + 1, shown.join(" ")), format!("{} from byte {}", shown.join(" "), at + 1));
        check.add(Code::BadEncoding, expected, found);
    } else {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(40).collect();
        check.add(Code::BadJson, Say::new("一个 JSON 对象", "a JSON object"), Say::same(format!("{shown} ({error})")));
    }
    None
}

/// A record with the line on which it begins.
pub type LinedRecord = (u64, Json<'static>);

/// All records of a source, parsed.
pub fn read_all(source: Source) -> Result<(Vec<LinedRecord>, Vec<Defect>), ReadError> {
    let mut records = Vec::new();
    let defects = each(source, |given, check| (check.line(), given.into_owned()), |record, _| records.push(record))?;
    Ok((records, defects))
}
