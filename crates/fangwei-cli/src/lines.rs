//! Files of JSON lines that steps hand to each other: read whole with the place of what is wrong, written whole or not at all, packed where the name ends in `.gz`.

use std::io::Write;
use std::path::Path;

use fangwei::record::{Code, Severity, Source, each_frame, parse};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lang::t;
use crate::output::{FileSink, Usage, tell};

/// A file of JSON lines that is being written.
pub enum LineSink {
    Plain(FileSink),
    Packed(Box<GzEncoder<FileSink>>),
}

impl LineSink {
    /// Begins to write.
    pub fn create(path: &Path) -> anyhow::Result<LineSink> {
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if ends("zst") {
            anyhow::bail!(Usage(format!("{}: {}", path.display(), t("只能压缩成 .gz", "output is packed as .gz only"))));
        }
        let sink = FileSink::create(path)?;
        let packed = ends("gz");
        // Tagged passages are several times their text; the fast level keeps up with the tagger.
        Ok(if packed { LineSink::Packed(Box::new(GzEncoder::new(sink, Compression::fast()))) } else { LineSink::Plain(sink) })
    }

    /// Writes a value on a line of its own.
    pub fn write(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        self.line(&serde_json::to_vec(value)?)
    }

    /// Writes a line, given without its end.
    pub fn line(&mut self, line: &[u8]) -> std::io::Result<()> {
        let sink: &mut dyn Write = match self {
            LineSink::Plain(sink) => sink,
            LineSink::Packed(sink) => sink,
        };
        sink.write_all(line)?;
        sink.write_all(b"\n")
    }

    /// Ends the file and moves it to its place.
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

/// So many lines that cannot be read are shown.
const SHOWN: usize = 10;

/// Reads a value from each line. What cannot be read is told with its place, and then nothing is given.
pub fn read_lines<T: DeserializeOwned + Send>(path: &Path) -> anyhow::Result<Vec<T>> {
    let (mut values, mut unread) = (Vec::new(), Vec::new());
    let mut defects = each_frame(
        Source::open(path)?,
        |bytes, check| match serde_json::from_slice(bytes) {
            Ok(value) => Some(value),
            Err(error) => {
                if parse(bytes, check).is_some() {
                    check.add(Code::BadType, t("上一步写出的记录", "a record as the step before writes it"), error.to_string());
                }
                None
            }
        },
        |value: Option<T>, check| {
            values.extend(value);
            unread.extend(check.defects);
        },
    )?;
    defects.extend(unread);
    defects.retain(|defect| defect.severity() == Severity::Error && defect.code != Code::EmptyFile);
    // A file of something else has the same to say of every line.
    tell(&defects[..defects.len().min(SHOWN)]);
    anyhow::ensure!(defects.is_empty(), "{}: {} {}", path.display(), defects.len(), t("条记录读不了", "records cannot be read"));
    Ok(values)
}
