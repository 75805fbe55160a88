//! Files into drafts of passages, in order and in batches: opens one file after another, decodes it, cuts it, and names what it has to skip.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::cut::{Cutter, LONGEST_PARAGRAPH};
use super::encoding::{Refusal, Text};
use super::input::{Input, Kind, skipped, unreadable};
use super::{Config, Counts, Outcome, Passage, genre};
use crate::lang::Say;
use crate::record::{Check, Code, Defect, Frames, Json, Source, gather, parse};

/// Bytes of passages in a batch: enough for all cores, little enough for any memory.
const BATCH: usize = 2 << 20;

/// Reads inputs one after another.
pub struct Reader<'c> {
    config: &'c Config,
    inputs: std::vec::IntoIter<Input>,
    open: Option<Open>,
    cutter: Cutter,
    /// Bytes of input read so far, packed as they are.
    pub bytes: Arc<AtomicU64>,
    /// What was counted so far.
    pub counts: Counts,
    /// What was skipped, and what was converted.
    pub defects: Vec<Defect>,
}

/// A file that is being read.
struct Open {
    name: Arc<str>,
    genre: SmolStr,
    form: Form,
    /// Passages of the file so far.
    passages: u64,
    /// Ids of its records so far, as hashes.
    ids: FxHashSet<u64>,
    /// Whether it had any text or record.
    any: bool,
}

enum Form {
    /// `fresh`: the buffer holds the first block, from which the kind was told.
    Text {
        text: Text,
        buffer: String,
        fresh: bool,
        line: u64,
    },
    Json(Box<Frames>),
}

impl<'c> Reader<'c> {
    /// A reader of these files.
    pub fn new(config: &'c Config, inputs: Vec<Input>) -> Reader<'c> {
        let (bytes, counts, defects) = (Arc::default(), Counts::default(), Vec::new());
        Reader { config, inputs: inputs.into_iter(), open: None, cutter: Cutter::new(config), bytes, counts, defects }
    }

    /// A reader of one document whose text is at hand. It is read as a file of plain text, whatever its name; without a genre, its name tells one.
    pub fn of_document(config: &'c Config, name: &str, genre: Option<&str>, text: &str) -> Reader<'c> {
        let mut reader = Reader::new(config, Vec::new());
        let opened =
            reader.source(name, io::Cursor::new(text.to_owned())).and_then(|source| reader.open(source, Some(Kind::Text)));
        reader.open = reader.admit(name, opened);
        if let (Some(open), Some(genre)) = (&mut reader.open, genre) {
            open.genre = SmolStr::new(genre);
        }
        reader
    }

    /// The next drafts; none at the end.
    pub fn next_batch(&mut self) -> Vec<Passage> {
        let mut drafts = Vec::new();
        let mut size = 0;
        while size < BATCH {
            let before = drafts.len();
            let Some(mut open) = self.open.take().or_else(|| self.open_next()) else { break };
            match self.step(&mut open, &mut drafts) {
                Ok(true) => self.open = Some(open),
                Ok(false) => self.close(&open, None),
                Err(error) => self.close(&open, Some(&error)),
            }
            size += drafts[before..].iter().map(|draft| draft.text.len()).sum::<usize>();
        }
        drafts
    }

    /// What was read so far.
    pub fn outcome(self) -> Outcome {
        let counts = Counts { bytes: self.bytes.load(Ordering::Relaxed), ..self.counts };
        Outcome { counts, defects: self.defects }
    }

    /// Opens the next file that can be read.
    fn open_next(&mut self) -> Option<Open> {
        loop {
            let input = self.inputs.next()?;
            let source = if input.is_stdin() {
                self.source(&input.name, io::stdin())
            } else {
                File::open(&input.path).map_err(Refusal::from).and_then(|file| self.source(&input.name, file))
            };
            let opened = source.and_then(|source| self.open(source, None));
            if let Some(open) = self.admit(&input.name, opened) {
                return Some(open);
            }
        }
    }

    /// A source whose bytes are counted.
    fn source(&self, name: &str, reader: impl Read + Send + 'static) -> Result<Source, Refusal> {
        Ok(Source::from_reader(name, Counted { reader, bytes: self.bytes.clone() })?)
    }

    /// What was opened, or a note of why it was not.
    fn admit(&mut self, name: &str, opened: Result<Open, Refusal>) -> Option<Open> {
        opened
            .map_err(|refusal| {
                self.counts.skipped_files += 1;
                gather(&mut self.defects, [refused(name, &refusal)]);
            })
            .ok()
    }

    /// Begins to read a source; without a kind, its name or its beginning tells it.
    fn open(&mut self, source: Source, kind: Option<Kind>) -> Result<Open, Refusal> {
        let name = source.name.clone();
        let mut text = Text::open(source)?;
        if let Some(encoding) = text.converted() {
            self.counts.converted_files += 1;
            gather(&mut self.defects, [skipped(&name, Code::ConvertedEncoding, Say::same("UTF-8"), Say::same(encoding))]);
        }
        let mut buffer = String::new();
        text.next_block(&mut buffer)?;
        let form = match kind.unwrap_or_else(|| Kind::of(&name, &buffer)) {
            Kind::Text => Form::Text { text, buffer, fresh: true, line: 1 },
            Kind::Json => {
                let rest = io::Cursor::new(buffer.into_bytes()).chain(text);
                Form::Json(Box::new(Frames::new(Source::from_reader(&name, rest)?)))
            }
        };
        let genre = genre::of_path(&self.config.genre, &name);
        Ok(Open { name, genre, form, passages: 0, ids: FxHashSet::default(), any: false })
    }

    /// Reads some of a file; false at its end.
    fn step(&mut self, open: &mut Open, drafts: &mut Vec<Passage>) -> io::Result<bool> {
        let Open { name, genre, form, passages, ids, any } = open;
        match form {
            Form::Text { text, buffer, fresh, line } => {
                let more = std::mem::take(fresh) || text.next_block(buffer)?;
                let mut take = |line, text: &str| {
                    *passages += 1;
                    drafts.push(draft(format_smolstr!("{name}#{passages}"), genre, name, line, text));
                };
                let taken = take_lines(buffer, !more, |text, ends| {
                    self.cutter.line(*line, text, &mut take);
                    *line += u64::from(ends);
                });
                buffer.drain(..taken);
                if !more {
                    self.cutter.finish(&mut take);
                }
                *any |= self.cutter.cuts.characters > 0 || self.cutter.cuts.garbled > 0;
                Ok(more)
            }
            Form::Json(frames) => {
                let Some(batch) = frames.next_batch()? else {
                    let blank = |defect: &Defect| defect.code == Code::BlankLine;
                    gather(&mut self.defects, frames.defects.drain(..).filter(|defect| !blank(defect)));
                    return Ok(false);
                };
                *any = true;
                for frame in &batch.frames {
                    self.counts.records += 1;
                    let mut check = Check::new(name.clone(), frame.line);
                    let given = parse(batch.bytes(frame), &mut check);
                    let Some(record) = given.as_ref().and_then(|given| self.record(given, &mut check)) else {
                        self.counts.bad_records += 1;
                        gather(&mut self.defects, check.defects.drain(..));
                        continue;
                    };
                    let genre = record.genre.map_or_else(|| genre.clone(), SmolStr::new);
                    let id = self.config.id_field.as_ref().map(|_| record_id(record.id.as_deref(), frame.line, ids));
                    let mut of_record = 0;
                    let mut take = |_, text: &str| {
                        *passages += 1;
                        of_record += 1;
                        let id = match &id {
                            None => format_smolstr!("{name}#{passages}"),
                            Some(id) if of_record == 1 => format_smolstr!("{name}#{id}"),
                            Some(id) => format_smolstr!("{name}#{id}/{of_record}"),
                        };
                        drafts.push(draft(id, &genre, name, frame.line, text));
                    };
                    for line in record.text.lines() {
                        self.cutter.line(frame.line, line, &mut take);
                    }
                    self.cutter.finish(&mut take);
                }
                Ok(true)
            }
        }
    }

    /// The parts of a record that matter, or a defect.
    fn record<'j>(&self, given: &'j Json<'_>, check: &mut Check) -> Option<Record<'j>> {
        if let Some(text) = given.as_str() {
            return Some(Record { text, genre: None, id: None });
        }
        if !matches!(given, Json::Map(_)) {
            check.add(Code::NotAnObject, Say::new("一个对象", "an object"), Say::same(given.brief()));
            return None;
        }
        let fields = &self.config.text_fields;
        let Some((field, value)) = fields.iter().find_map(|field| given.get(field).map(|value| (field, value))) else {
            check.add(Code::MissingField, Say::same(fields.join(" / ")), Say::new("没有", "none of them"));
            return None;
        };
        let Some(text) = value.as_str() else {
            check.at(field.as_str(), |check| {
                check.add(Code::BadType, Say::new("一个字符串", "a string"), Say::same(value.brief()));
            });
            return None;
        };
        let genre = given.get(&self.config.genre_field).and_then(Json::as_str).filter(|genre| !genre.is_empty());
        let id = match self.config.id_field.as_ref().and_then(|field| given.get(field)) {
            Some(Json::Text(id)) if !id.is_empty() => Some(id.to_string()),
            Some(Json::Int(id)) => Some(id.to_string()),
            _ => None,
        };
        Some(Record { text, genre, id })
    }

    /// Ends a file and notes what was wrong with it.
    fn close(&mut self, open: &Open, error: Option<&io::Error>) {
        let mut cuts = std::mem::take(&mut self.cutter.cuts);
        if error.is_some() {
            // The paragraph under way has no end.
            self.cutter = Cutter::new(self.config);
        }
        if let Some(line) = cuts.first_garbled.take() {
            let mut check = Check::new(open.name.clone(), line);
            let found = Say::new(format!("{} 段", cuts.garbled), format!("{} paragraphs", cuts.garbled));
            check.add(Code::GarbledText, Say::new("可以解码的文字", "text that can be decoded"), found);
            gather(&mut self.defects, check.defects);
        }
        let failed = error.map(|error| unreadable(&open.name, error));
        let nothing = || refused(&open.name, &Refusal::Empty);
        let defect = failed.or_else(|| (!open.any).then(nothing));
        if defect.is_some() {
            self.counts.skipped_files += 1;
        } else {
            self.counts.files += 1;
        }
        gather(&mut self.defects, defect);
        self.counts.add(&cuts);
    }
}

/// The parts of a JSON record that matter.
struct Record<'j> {
    text: &'j str,
    genre: Option<&'j str>,
    id: Option<String>,
}

/// A record's own id; its line where it has none, or one that another record has.
fn record_id(id: Option<&str>, line: u64, ids: &mut FxHashSet<u64>) -> SmolStr {
    use std::hash::BuildHasher;
    match id {
        Some(id) if ids.insert(rustc_hash::FxBuildHasher.hash_one(id)) => SmolStr::new(id),
        _ => format_smolstr!("line-{line}"),
    }
}

fn draft(id: SmolStr, genre: &SmolStr, name: &Arc<str>, line: u64, text: &str) -> Passage {
    Passage { id, genre: genre.clone(), source: name.clone(), line, text: text.to_owned(), words: Vec::new(), doubts: Vec::new() }
}

/// Hands out the whole lines of a text, at its end also the last, and pieces of a line that is too long, with whether the line ends; gives the bytes that
/// were handed out.
fn take_lines(text: &str, ended: bool, mut take: impl FnMut(&str, bool)) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        let end = at + found;
        // A return may be followed by the line feed that belongs to it, once there is more to read.
        if bytes[end] == b'\r' && end + 1 == bytes.len() && !ended {
            return at;
        }
        take(&text[at..end], true);
        at = end + 1 + usize::from(bytes[end..].starts_with(b"\r\n"));
    }
    let rest = &text[at..];
    if ended && !rest.is_empty() {
        take(rest, true);
        at = bytes.len();
    } else if rest.len() > LONGEST_PARAGRAPH {
        let end = rest.rfind(['。', '！', '？']).map_or(rest.len(), |end| end + '。'.len_utf8());
        take(&rest[..end], false);
        at += end;
    }
    at
}

fn refused(name: &str, refusal: &Refusal) -> Defect {
    let text = Say::new("文本", "text");
    match refusal {
        Refusal::Unreadable(error) => unreadable(name, error),
        Refusal::Empty => skipped(name, Code::EmptyFile, text, Say::new("没有内容", "nothing")),
        Refusal::Binary { found, at } => {
            let zh = match *found {
                "a zero byte" => "零字节",
                "control characters" => "控制字符",
                _ => "其他格式",
            };
            let found = Say::new(format!("第 {} 字节起：{zh}", at + 1), format!("{found} from byte {}", at + 1));
            skipped(name, Code::BinaryFile, text, found)
        }
        Refusal::Unknown { bytes, at } => {
            let found = Say::new(format!("第 {} 字节起：{bytes}", at + 1), format!("{bytes} from byte {}", at + 1));
            skipped(name, Code::UnknownEncoding, Say::same("UTF-8, UTF-16, GB18030, Big5"), found)
        }
    }
}

/// Counts what is read through it.
struct Counted<R> {
    reader: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
