//! Named files that somebody may send, each with the code that it is answered with; long ones pass through little memory.

use std::io::{self, Cursor, Read, Write as _};
use std::time::{Duration, Instant};

use fangwei::record::{MAX_RECORD, MOST_OF_FILE, Source};
use fangwei::score::read_preds;
use fangwei::tasks::find;
use fangwei::validate::{Report, validate};

use super::{codes, distinct};

const RECORD: &str = r#"{"qid":"1","judge":1}"#;

fn report(source: Source) -> Report {
    validate(find("2022/judge").expect("a task"), source, None).expect("a readable stream")
}

fn found(report: &Report) -> Vec<&'static str> {
    distinct(report.defects.iter().map(|defect| defect.code.as_str()))
}

/// The greatest memory that this process has had, in megabytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes >> 10)
}

/// The tests of one run share their memory; together they stay far below what one unbounded reader would take.
const MOST_MEGABYTES: u64 = 1500;

fn bounded(what: &str, seconds: u64, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    assert!(start.elapsed() < Duration::from_secs(seconds), "{what} took {:?}", start.elapsed());
    assert!(peak().is_none_or(|peak| peak < MOST_MEGABYTES), "{what} took {:?} MB", peak());
}

/// A stream of one long line and a good record after it.
fn long_line(fill: &'static [u8], length: u64, after: &'static str) -> Source {
    let lead = Cursor::new(if after.starts_with(']') { &b"["[..] } else { b"" });
    let line = Repeat { fill, at: 0 }.take(length);
    Source::from_reader("t", lead.chain(line).chain(Cursor::new(after))).expect("a stream")
}

/// Some bytes again and again.
struct Repeat {
    fill: &'static [u8],
    at: usize,
}

impl Read for Repeat {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from = &self.fill[self.at..];
        let count = from.len().min(buffer.len());
        buffer[..count].copy_from_slice(&from[..count]);
        self.at = (self.at + count) % self.fill.len();
        Ok(count)
    }
}

const XS: [u8; 4096] = [b'x'; 4096];
const BRACKETS: [u8; 4096] = [b'['; 4096];
const SPACES: [u8; 4096] = [b' '; 4096];

fn long_lines(length: u64) {
    bounded("a long line", length >> 20, || {
        let report = report(long_line(&XS, length, "\n{\"qid\":\"1\",\"judge\":1}\n"));
        assert_eq!(found(&report), ["line-too-long"]);
        // The record after it is read.
        assert_eq!((report.records, report.defects[0].line), (1, 1));
    });
    bounded("a long line of blanks", length >> 20, || {
        assert_eq!(found(&report(long_line(&SPACES, length, "\n{\"qid\":\"1\",\"judge\":1}\n"))), ["line-too-long"]);
    });
    // In an array a value that does not end takes everything after it along.
    bounded("a long value in an array", length >> 20, || {
        assert_eq!(found(&report(long_line(&XS, length, "]"))), ["line-too-long"]);
    });
    bounded("brackets without end", length >> 20, || {
        assert_eq!(found(&report(long_line(&BRACKETS, length, "]"))), ["line-too-long", "unclosed-array"]);
    });
}

#[test]
fn a_line_of_200_megabytes() {
    const { assert!(MAX_RECORD < 100 << 20) };
    long_lines(200 << 20);
}

#[test]
#[ignore = "takes a minute"]
fn a_line_of_a_gigabyte() {
    long_lines(1 << 30);
}

#[test]
fn a_record_as_long_as_allowed() {
    let record = |length: usize| {
        format!(r#"{{"qid":"1","judge":1,"x":"{}"}}"#, "x".repeat(length - r#"{"qid":"1","judge":1,"x":""}"#.len()))
    };
    assert!(codes("2022/judge", record(MAX_RECORD)).is_empty());
    assert_eq!(codes("2022/judge", record(MAX_RECORD + 1)), ["line-too-long"]);
}

#[test]
fn nesting_without_end() {
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(codes("2022/judge", open.as_str()), ["unclosed-array", "bad-json"]);
    assert_eq!(codes("2022/judge", format!("{open}{close}")), ["bad-json"]);
    assert_eq!(codes("2022/judge", format!("{{\"qid\":\"1\",\"judge\":{open}{close}}}")), ["bad-json"]);
    assert_eq!(codes("2022/judge", "{\"a\":".repeat(100_000)), ["bad-json"]);
}

#[test]
fn encodings() {
    // 猫 in GBK
    assert_eq!(codes("2022/judge", b"{\"qid\":\"\xc3\xa8\xb5\",\"judge\":1}".as_slice()), ["bad-encoding"]);
    let wide = |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        assert_eq!(codes("2022/judge", wide(&format!("\u{feff}{RECORD}\n"), order)), ["bad-encoding"]);
    }
    // Without a mark it is ASCII and NUL.
    assert_eq!(codes("2022/judge", wide(RECORD, u16::to_le_bytes)), ["bad-json"]);
    assert_eq!(codes("2022/judge", format!("\u{feff}{RECORD}")), ["byte-order-mark"]);
    assert_eq!(codes("2022/judge", format!("{RECORD}\n\u{feff}{{\"qid\":\"2\",\"judge\":1}}")), ["bad-json"]);
    assert_eq!(codes("2022/judge", format!("{RECORD}\n\0\n")), ["bad-json"]);
    assert_eq!(codes("2022/judge", "{\"qid\":\"1\0\",\"judge\":1}"), ["bad-json"]);
    assert_eq!(codes("2022/judge", r#"{"qid":"\ud800","judge":1}"#), ["bad-json"]);
    assert_eq!(codes("2022/judge", r#"{"qid":"\udc00\ud800","judge":1}"#), ["bad-json"]);
    // An escaped NUL is a character like others.
    assert!(codes("2022/judge", r#"{"qid":"1\u0000","judge":1}"#).is_empty());
}

#[test]
fn line_ends() {
    // A carriage return alone ends no line here.
    assert_eq!(codes("2022/judge", format!("{RECORD}\r{{\"qid\":\"2\",\"judge\":1}}\r")), ["bad-json"]);
    assert!(codes("2022/judge", format!("{RECORD}\r\n")).is_empty());
    assert_eq!(codes("2022/judge", ""), ["empty-file"]);
    assert_eq!(codes("2022/judge", "\n\r\n \t\n"), ["empty-file", "blank-line"]);
}

#[test]
fn a_million_empty_lines() {
    bounded("a million empty lines", 20, || {
        let report = report(Source::from_bytes("t", vec![b'\n'; 1_000_000]).expect("memory"));
        assert_eq!(found(&report), ["empty-file", "blank-line", "too-many-defects"]);
        assert_eq!(report.defects.len(), MOST_OF_FILE + 1);
    });
}

#[test]
fn arrays() {
    assert_eq!(codes("2022/judge", format!("[{RECORD}")), ["unclosed-array"]);
    assert_eq!(codes("2022/judge", format!("[{RECORD},")), ["unclosed-array"]);
    assert_eq!(codes("2022/judge", format!("[{RECORD}, {{\"qid\"")), ["unclosed-array", "bad-json"]);
    assert_eq!(codes("2022/judge", "["), ["unclosed-array"]);
    assert_eq!(codes("2022/judge", format!("[{RECORD}] {RECORD}")), ["bad-json"]);
    assert_eq!(codes("2022/judge", format!("[{RECORD}]]")), ["bad-json"]);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

/// A stream that breaks below the level of records has no defect of a line: reading ends with an error that names the file.
#[test]
fn broken_compression() {
    let task = find("2022/judge").expect("a task");
    let read = |bytes: &[u8]| -> Result<usize, String> {
        let source = Source::from_bytes("broken", bytes).map_err(|error| error.to_string())?;
        read_preds(task, source).map(|preds| preds.order.len()).map_err(|error| error.to_string())
    };
    let records: Vec<String> = (0..2000).map(|number| format!("{{\"qid\":\"{number}\",\"judge\":1}}\n")).collect();
    let records = records.concat();
    let zstd = ruzstd::encoding::compress_to_vec(records.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for packed in [gzip(records.as_bytes()), zstd] {
        assert_eq!(read(&packed), Ok(2000));
        for length in [5, 12, packed.len() / 2, packed.len() - 1] {
            assert!(read(&packed[..length]).is_err(), "{length} of {} bytes", packed.len());
        }
        let tail = [packed.as_slice(), b"tail"].concat();
        assert!(read(&tail).is_err(), "what follows the stream is no stream");
    }
    let mut flipped = gzip(records.as_bytes());
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    let error = read(&flipped).expect_err("a checksum");
    assert!(error.starts_with("cannot read broken:"), "{error}");
}

/// A gigabyte of one byte, packed into a few megabytes.
fn bomb(byte: u8, members: usize) -> Source {
    let member = gzip(&vec![byte; 16 << 20]);
    Source::from_bytes("t", member.repeat(members)).expect("gzip")
}

#[test]
fn a_gigabyte_in_a_small_file() {
    bounded("zeros", 60, || assert_eq!(found(&report(bomb(0, 64))), ["line-too-long"]));
    bounded("blanks", 60, || assert_eq!(found(&report(bomb(b' ', 64))), ["line-too-long"]));
    bounded("empty lines", 60, || {
        assert_eq!(found(&report(bomb(b'\n', 2))), ["empty-file", "blank-line", "too-many-defects"]);
    });
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn a_billion_empty_lines() {
    bounded("empty lines", 600, || {
        assert_eq!(found(&report(bomb(b'\n', 64))), ["empty-file", "blank-line", "too-many-defects"]);
    });
}

#[test]
fn many_bad_records() {
    let lines = "{}\n".repeat(200_000);
    bounded("bad records", 30, || {
        let report = report(Source::from_bytes("t", lines).expect("memory"));
        assert_eq!(found(&report), ["no-qid", "missing-field", "too-many-defects"]);
        assert_eq!((report.records, report.defects.len()), (200_000, MOST_OF_FILE + 1));
    });
}

/// Each frame is read where the one before it ends, without a reader around a reader.
#[test]
fn many_compressed_frames() {
    let empty = ruzstd::encoding::compress_to_vec(&b""[..], ruzstd::encoding::CompressionLevel::Fastest);
    let record = ruzstd::encoding::compress_to_vec(RECORD.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let packed = [empty.repeat(200_000), record].concat();
    bounded("many frames", 60, || assert!(found(&report(Source::from_bytes("t", packed).expect("zstd"))).is_empty()));
    let packed = [gzip(b"").repeat(200_000), gzip(RECORD.as_bytes())].concat();
    bounded("many members", 60, || assert!(found(&report(Source::from_bytes("t", packed).expect("gzip"))).is_empty()));
}

#[test]
fn a_long_sheet_of_grades() {
    let rows: Vec<String> = (0..200_000).map(|number| format!("q{number},5,4\n")).collect();
    let rows = rows.concat();
    bounded("grades", 20, || {
        let (grades, defects) = fangwei::score::read_grades("t", &format!("qid,rater1,rater2\n{rows}"));
        assert_eq!((grades.len(), defects.len()), (200_000, 0));
    });
}
