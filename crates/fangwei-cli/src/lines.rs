//! Files of JSON lines that steps hand to each other: read whole with the place of what is wrong, written whole or not at all, packed where the name ends in `.gz`.

use std::io::Write;
use std::path::Path;

use fangwei::record::{Code, Severity, Source, each_frame, parse};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lang::t;
use crate::output::{FileSink, tell};

/// A file of JSON lines that is being written.
pub enum LineSink {
    Plain(FileSink),
    Packed(GzEncoder<FileSink>),
}

impl LineSink {
    pub fn create(path: &Path) -> anyhow::Result<LineSink> {
        let sink = FileSink::create(path)?;
        let packed = path.extension().is_some_and(|end| end == "gz");
        // Tagged passages are several times their text; the fast level keeps up with the tagger.
        Ok(if packed { LineSink::Packed(GzEncoder::new(sink, Compression::fast())) } else { LineSink::Plain(sink) })
    }

    pub fn write(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        match self {
            LineSink::Plain(sink) => sink.write_all(&line),
            LineSink::Packed(sink) => sink.write_all(&line),
        }
    }

    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            LineSink::Plain(sink) => sink.finish(),
            LineSink::Packed(sink) => sink.finish()?.finish(),
        }
    }
}

/// Writes values, one a line.
pub fn write_lines<T: Serialize>(path: &Path, values: &[T]) -> anyhow::Result<()> {
    let mut sink = LineSink::create(path)?;
    for value in values {
        sink.write(value)?;
    }
    sink.finish()
}

/// Reads a value from each line. What cannot be read is told with its place, and then nothing is given.
pub fn read_lines<T: DeserializeOwned + Send>(path: &Path) -> anyhow::Result<Vec<T>> {
    let mut values = Vec::new();
    let mut defects = each_frame(
        Source::open(path)?,
        |bytes, check| match serde_json::from_slice(bytes) {
            Ok(value) => Some(value),
            Err(error) => {
                if parse(bytes, check).is_some() {
                    check.add(Code::BadType, t("这一步写出的记录", "a record as the step before writes it"), error.to_string());
                }
                None
            }
        },
        |value, _| values.push(value),
    )?;
    defects.retain(|defect| defect.severity() == Severity::Error && defect.code != Code::EmptyFile);
    tell(&defects);
    anyhow::ensure!(defects.is_empty(), "{}: {} {}", path.display(), defects.len(), t("条记录读不了", "records cannot be read"));
    Ok(values)
}
