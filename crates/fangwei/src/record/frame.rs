//! Cuts a stream into records without parsing them: JSON lines, one JSON array, or objects spread over several lines, told apart by looking.
//!
//! Lines are cut at line ends, so that one broken line spoils no other. Records come in batches of a few megabytes, so that a file of any size passes through
//! little memory and each batch can be parsed on all cores.

use std::io::{self, Read};
use std::ops::Range;

use super::check::{Check, MOST_OF_FILE, gather};
use super::defect::{Code, Defect};
use super::source::Source;
use crate::lang::Say;

/// How much is read before a batch is given out.
const BATCH: usize = 4 << 20;
/// The longest record that is kept. The longest official one has 40 kB.
pub const MAX_RECORD: usize = 64 << 20;

/// A record within a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The line on which it begins, from 1.
    pub line: u64,
    range: Range<usize>,
}

/// Some consecutive records.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    /// The records in their order.
    pub frames: Vec<Frame>,
}

impl Batch {
    /// The bytes of one of its records.
    pub fn bytes(&self, frame: &Frame) -> &[u8] {
        &self.bytes[frame.range.clone()]
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    /// A record a line.
    Lines,
    /// Values that may span lines, at this depth of nesting: 1 inside an array, 0 one after another.
    Nested { base: u32 },
    /// Nothing more is read.
    Over,
}

/// The records of a source, batch by batch.
#[derive(Debug)]
pub struct Frames {
    source: Source,
    style: Option<Style>,
    /// Bytes read and not yet given out; a batch takes the front.
    buffer: Vec<u8>,
    ended: bool,
    line: u64,
    scan: Scan,
    /// What was wrong with the file itself.
    pub defects: Vec<Defect>,
}

/// Where the scan of nested values stands within the buffer.
#[derive(Debug, Default)]
struct Scan {
    at: usize,
    depth: u32,
    in_text: bool,
    escaped: bool,
    /// Start and first line of the value under way.
    open: Option<(usize, u64)>,
    /// The value under way is too long and is not kept.
    skipping: bool,
}

impl Scan {
    /// Ends the value under way before `end`; gives it, unless it was skipped.
    fn close(&mut self, end: usize) -> Option<Frame> {
        let skipped = std::mem::take(&mut self.skipping);
        self.open.take().filter(|_| !skipped).map(|(start, line)| Frame { line, range: start..end })
    }
}

impl Frames {
    /// Begins to read.
    pub fn new(source: Source) -> Frames {
        let (buffer, scan, defects) = (Vec::new(), Scan::default(), Vec::new());
        Frames { source, style: None, buffer, ended: false, line: 1, scan, defects }
    }

    /// The name of the source.
    pub fn name(&self) -> std::sync::Arc<str> {
        self.source.name.clone()
    }

    /// The next records, `None` at the end.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        loop {
            self.fill()?;
            let style = match self.style {
                Some(style) => style,
                None => self.look(),
            };
            self.style = Some(style);
            let batch = match style {
                Style::Lines => self.cut_lines()?,
                Style::Nested { base } => self.cut_values(base),
                Style::Over => return Ok(None),
            };
            if !batch.frames.is_empty() {
                return Ok(Some(batch));
            }
            // After a line that was skipped there may be records left, though the source has ended.
            if self.ended && self.buffer.is_empty() {
                self.style = Some(Style::Over);
            }
        }
    }

    fn add(&mut self, line: u64, code: Code, expected: Say, found: Say) {
        let mut check = Check::new(self.source.name.clone(), line);
        check.add(code, expected, found);
        gather(&mut self.defects, check.defects);
    }

    /// Reads until the buffer holds one more batch than it did, or the source ends.
    fn fill(&mut self) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let before = self.buffer.len();
        self.source.by_ref().take(BATCH as u64).read_to_end(&mut self.buffer)?;
        self.ended = self.buffer.len() - before < BATCH;
        Ok(())
    }

    /// Decides by the first bytes how the file is laid out.
    fn look(&mut self) -> Style {
        if self.buffer.starts_with(&[0xff, 0xfe]) || self.buffer.starts_with(&[0xfe, 0xff]) {
            self.add(1, Code::BadEncoding, Say::same("UTF-8"), Say::same("UTF-16"));
            return Style::Over;
        }
        if self.buffer.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.add(1, Code::ByteOrderMark, Say::new("没有 BOM", "no byte order mark"), Say::same("EF BB BF"));
            self.buffer.drain(..3);
        }
        let Some(first) = self.buffer.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            return Style::Lines;
        };
        if self.buffer[first] == b'[' {
            self.scan.depth = 1;
            self.scan.at = first + 1;
            self.line += count_lines(&self.buffer[..first]);
            return Style::Nested { base: 1 };
        }
        let line_end = memchr::memchr(b'\n', &self.buffer[first..]).map_or(self.buffer.len(), |at| first + at);
        // An object that its first line does not close, but a later one does, is spread over lines.
        let open_line = depth_after(&self.buffer[first..line_end]) > 0;
        if open_line && self.buffer[first] == b'{' && closes_later(&self.buffer[first..]) {
            return Style::Nested { base: 0 };
        }
        Style::Lines
    }

    fn cut_lines(&mut self) -> io::Result<Batch> {
        let end = match memchr::memrchr(b'\n', &self.buffer) {
            Some(at) => at + 1,
            None if self.ended => self.buffer.len(),
            None if self.buffer.len() > MAX_RECORD => {
                self.too_long(self.line);
                self.skip_line()?;
                return Ok(Batch::default());
            }
            None => return Ok(Batch::default()),
        };
        let end = if self.ended { self.buffer.len() } else { end };
        let rest = self.buffer.split_off(end);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let mut frames = Vec::with_capacity(bytes.len() / 256);
        let mut start = 0;
        while start < bytes.len() {
            let stop = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
            let line = bytes[start..stop].trim_ascii();
            if line.is_empty() {
                // Nothing is made up for a message that nobody will keep: a small packed file may hold a billion blank lines.
                if self.defects.len() <= MOST_OF_FILE {
                    self.add(self.line, Code::BlankLine, Say::new("一条记录", "a record"), Say::new("空行", "a blank line"));
                }
            } else if line.len() > MAX_RECORD {
                self.too_long(self.line);
            } else {
                let begin = start + bytes[start..stop].len() - bytes[start..stop].trim_ascii_start().len();
                frames.push(Frame { line: self.line, range: begin..begin + line.len() });
            }
            start = stop + 1;
            self.line += 1;
        }
        Ok(Batch { bytes, frames })
    }

    fn too_long(&mut self, line: u64) {
        let limit = MAX_RECORD >> 20;
        let expected = Say::new(format!("不超过 {limit} MB"), format!("at most {limit} MB"));
        self.add(line, Code::LineTooLong, expected, Say::new("更长", "more"));
    }

    /// Drops bytes up to the next line end without keeping them.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer) {
                self.buffer.drain(..=at);
                self.line += 1;
                return Ok(());
            }
            self.buffer.clear();
            if self.ended {
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Cuts complete values at depth `base` out of the buffer.
    fn cut_values(&mut self, base: u32) -> Batch {
        let mut frames = Vec::new();
        let mut over = false;
        while let Some(&byte) = self.buffer.get(self.scan.at) {
            if byte == b'\n' {
                self.line += 1;
            }
            let scan = &mut self.scan;
            if scan.in_text {
                match byte {
                    _ if scan.escaped => scan.escaped = false,
                    b'\\' => scan.escaped = true,
                    b'"' => scan.in_text = false,
                    _ => {}
                }
            } else {
                let ends_scalar = matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                if scan.depth == base && ends_scalar {
                    frames.extend(scan.close(scan.at));
                    if byte == b']' && base == 1 {
                        over = true;
                        break;
                    }
                } else {
                    scan.open.get_or_insert((scan.at, self.line));
                }
                match byte {
                    b'"' => scan.in_text = true,
                    b'{' | b'[' => scan.depth += 1,
                    b'}' | b']' if scan.depth > base => {
                        scan.depth -= 1;
                        if scan.depth == base {
                            frames.extend(scan.close(scan.at + 1));
                        }
                    }
                    _ => {}
                }
            }
            scan.at += 1;
        }
        let at = self.scan.at;
        if over {
            self.after_array(at + 1);
        } else if self.ended {
            frames.extend(self.scan.close(at));
            if base == 1 {
                let expected = Say::same("]");
                self.add(self.line, Code::UnclosedArray, expected, Say::new("文件结束", "end of file"));
            }
            self.style = Some(Style::Over);
        } else if let Some((start, line)) = self.scan.open
            && at - start > MAX_RECORD
            && !self.scan.skipping
        {
            self.too_long(line);
            self.scan.skipping = true;
        }
        frames.retain(|frame| {
            let fits = frame.range.len() <= MAX_RECORD;
            if !fits {
                self.too_long(frame.line);
            }
            fits
        });
        // Of a value under way the bytes stay for the next batch, unless it is skipped.
        let keep = match self.scan.open {
            Some((start, _)) if !self.scan.skipping => start,
            _ => at.min(self.buffer.len()),
        };
        let rest = if self.style == Some(Style::Over) { Vec::new() } else { self.buffer.split_off(keep) };
        self.scan.at = at - keep;
        self.scan.open = self.scan.open.map(|(_, line)| (0, line));
        Batch { bytes: std::mem::replace(&mut self.buffer, rest), frames }
    }

    /// Whatever follows the end of the array is no part of it.
    fn after_array(&mut self, from: usize) {
        let rest = self.buffer[from..].trim_ascii();
        if !rest.is_empty() {
            let found = String::from_utf8_lossy(&rest[..rest.len().min(40)]).into_owned();
            self.add(self.line, Code::BadJson, Say::new("数组之后没有内容", "nothing after the array"), Say::same(found));
        }
        self.style = Some(Style::Over);
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The depth of nesting at the end of `bytes`.
fn depth_after(bytes: &[u8]) -> i64 {
    nesting(bytes).last().unwrap_or(0)
}

/// Whether the first value of `bytes` is closed somewhere in what was read so far.
fn closes_later(bytes: &[u8]) -> bool {
    nesting(bytes).skip_while(|depth| *depth == 0).any(|depth| depth == 0)
}

/// The depth of nesting after each byte.
fn nesting(bytes: &[u8]) -> impl Iterator<Item = i64> + '_ {
    let (mut depth, mut in_text, mut escaped) = (0, false, false);
    bytes.iter().map(move |byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth -= 1,
            _ => {}
        }
        depth
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> (Vec<(u64, String)>, Vec<&'static str>) {
        let mut frames = Frames::new(Source::from_bytes("t", text).expect("memory"));
        let mut records = Vec::new();
        while let Some(batch) = frames.next_batch().expect("memory") {
            for frame in &batch.frames {
                records.push((frame.line, String::from_utf8_lossy(batch.bytes(frame)).into_owned()));
            }
        }
        (records, frames.defects.iter().map(|defect| defect.code.as_str()).collect())
    }

    fn record(line: u64, text: &str) -> (u64, String) {
        (line, text.to_owned())
    }

    #[test]
    fn lines_with_any_line_end() {
        let (records, defects) = frames("{\"a\":1}\r\n{\"a\":2}\n{\"a\":3}");
        assert_eq!(records, [record(1, "{\"a\":1}"), record(2, "{\"a\":2}"), record(3, "{\"a\":3}")]);
        assert!(defects.is_empty());
    }

    #[test]
    fn marks_and_blank_lines_are_tolerated_with_a_warning() {
        let (records, defects) = frames("\u{feff}{\"a\":1}\n\n{\"a\":2}\n");
        assert_eq!(records, [record(1, "{\"a\":1}"), record(3, "{\"a\":2}")]);
        assert_eq!(defects, ["byte-order-mark", "blank-line"]);
    }

    #[test]
    fn a_broken_line_spoils_no_other() {
        let (records, _) = frames("{\"a\":\n{\"a\":2}\n");
        assert_eq!(records, [record(1, "{\"a\":"), record(2, "{\"a\":2}")]);
    }

    #[test]
    fn an_array_over_lines() {
        let (records, defects) = frames("[\n{\n\"a\": \"]}\\\"\"\n},\n{\"a\":2}, 7\n]\n");
        assert_eq!(records, [record(2, "{\n\"a\": \"]}\\\"\"\n}"), record(5, "{\"a\":2}"), record(5, "7")]);
        assert!(defects.is_empty());
    }

    #[test]
    fn an_object_over_lines() {
        let (records, _) = frames("{\n \"meta\": {},\n \"x\": 1\n}\n");
        assert_eq!(records, [record(1, "{\n \"meta\": {},\n \"x\": 1\n}")]);
    }

    #[test]
    fn unfinished_and_overfull_arrays_are_told() {
        assert_eq!(frames("[{\"a\":1}, {\"a\"").1, ["unclosed-array"]);
        assert_eq!(frames("[{\"a\":1}, {\"a\"").0.len(), 2);
        assert_eq!(frames("[1] tail").1, ["bad-json"]);
        assert_eq!(frames("").0.len(), 0);
        assert_eq!(frames("[]").0.len(), 0);
    }

    #[test]
    fn a_record_that_is_too_long_spoils_no_other() {
        let long = "位".repeat(MAX_RECORD / 3 + 3_000_000);
        for text in [
            format!("{{\"a\":1}}\n{{\"a\":\"{long}\"}}\n{{\"a\":3}}"),
            format!("[{{\"a\":1}},{{\"a\":\"{long}\"}},\n{{\"a\":3}}]"),
        ] {
            let (records, defects) = frames(&text);
            assert_eq!(records.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["{\"a\":1}", "{\"a\":3}"]);
            assert_eq!(defects, ["line-too-long"]);
        }
    }

    #[test]
    fn utf16_is_named() {
        let mut frames = Frames::new(Source::from_bytes("t", vec![0xff, 0xfe, b'{', 0]).expect("memory"));
        assert!(frames.next_batch().expect("memory").is_none());
        assert_eq!(frames.defects[0].found.en, "UTF-16");
    }

    #[test]
    fn batches_join_without_seams() {
        let line = format!("{{\"a\":\"{}\"}}", "位".repeat(3000));
        let text = vec![line.as_str(); 2000].join("\n");
        for text in [text.clone(), format!("[{}]", text.replace('\n', ",\n"))] {
            let (records, defects) = frames(&text);
            assert_eq!(records.len(), 2000);
            assert!(records.iter().enumerate().all(|(i, (at, record))| *at == i as u64 + 1 && *record == line));
            assert!(defects.is_empty());
        }
    }
}
