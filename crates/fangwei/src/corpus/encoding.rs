//! Bytes of unknown encoding into text, block by block: UTF-8, UTF-16 with its mark, GB18030 (and GBK, GB2312), Big5.
//!
//! The encoding is decided once, on the first block that tells anything. Legacy Chinese encodings share almost all of their byte pairs, so a guess counts only
//! if the text reads like Chinese: the commonest characters make up a third of any real text and a fiftieth of a wrong reading.

use std::io::{self, Read};

use encoding_rs::{BIG5, Decoder, Encoding, GB18030, UTF_8};

use crate::record::Source;

/// How much is decoded at a time.
const BLOCK: usize = 256 << 10;
/// So much plain ASCII is read ahead at most before the encoding is taken to be UTF-8.
const LONGEST_AHEAD: usize = 4 << 20;
/// A reading may spoil one line in so many; the lines are dropped, the file is kept.
const SPOILT_LINES: usize = 10;
/// The least share of common characters in a legacy encoding that is believed.
const SURE: f64 = 0.1;

/// The commonest characters of Chinese, simplified and traditional: about a third of any text.
const COMMON: &str = "的一是了在不我有人他这上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开\
    這為來個們說國時於會後對著裡過發無麼經當與學進將從沒樣開還點見頭話氣邊間長門風聲";

/// Beginnings of files that are no text, whatever follows.
const NO_TEXT: &[&[u8]] = &[b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf", b"{\\rtf"];

/// Why a file is not read as text.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The system or the decompressor failed.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It has no bytes, or only a mark.
    #[error("empty")]
    Empty,
    /// Zero bytes, many control characters, or the beginning of another format.
    #[error("not text: {found} at byte {at}")]
    Binary {
        /// What no text has.
        found: &'static str,
        /// Where, from 0.
        at: usize,
    },
    /// Neither UTF-8 nor surely another encoding.
    #[error("unknown encoding: {bytes} at byte {at}")]
    Unknown {
        /// The first bytes that are not UTF-8, in hexadecimal.
        bytes: String,
        /// Where they stand, from 0.
        at: usize,
    },
}

/// A source read as text. What cannot be decoded becomes U+FFFD.
pub struct Text {
    source: Source,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Bytes read and not yet decoded.
    raw: Vec<u8>,
    ended: bool,
    /// Decoded text that [`Read`] has not handed out, and how far it has.
    decoded: (String, usize),
}

impl Text {
    /// Reads the first block and decides how to decode the source.
    pub fn open(mut source: Source) -> Result<Text, Refusal> {
        let mut raw = Vec::new();
        let mut ended = false;
        while !ended && raw.is_ascii() && raw.len() < LONGEST_AHEAD {
            ended = fill(&mut source, &mut raw)?;
        }
        let encoding = decide(&raw, ended)?;
        let decoder = encoding.new_decoder_with_bom_removal();
        Ok(Text { source, encoding, decoder, raw, ended, decoded: (String::new(), 0) })
    }

    /// The encoding's name where it is another than UTF-8.
    pub fn converted(&self) -> Option<&'static str> {
        (self.encoding != UTF_8).then(|| self.encoding.name())
    }

    /// Decodes another block onto `text`; false at the end.
    pub fn next_block(&mut self, text: &mut String) -> io::Result<bool> {
        if self.raw.is_empty() {
            if self.ended {
                return Ok(false);
            }
            self.ended = fill(&mut self.source, &mut self.raw)?;
        }
        let mut from = 0;
        loop {
            text.reserve(self.raw.len() - from + 64);
            let (result, read, _) = self.decoder.decode_to_string(&self.raw[from..], text, self.ended);
            from += read;
            if result == encoding_rs::CoderResult::InputEmpty {
                self.raw.clear();
                return Ok(true);
            }
        }
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (mut text, mut at) = std::mem::take(&mut self.decoded);
        while at == text.len() {
            text.clear();
            at = 0;
            if !self.next_block(&mut text)? {
                break;
            }
        }
        let read = buffer.len().min(text.len() - at);
        buffer[..read].copy_from_slice(&text.as_bytes()[at..at + read]);
        self.decoded = (text, at + read);
        Ok(read)
    }
}

/// Reads one more block; whether the source has ended.
fn fill(source: &mut Source, raw: &mut Vec<u8>) -> io::Result<bool> {
    let read = source.by_ref().take(BLOCK as u64).read_to_end(raw)?;
    Ok(read < BLOCK)
}

fn decide(raw: &[u8], whole: bool) -> Result<&'static Encoding, Refusal> {
    let marked = Encoding::for_bom(raw);
    if raw.len() <= marked.map_or(0, |(_, length)| length) {
        return Err(Refusal::Empty);
    }
    // A mark of UTF-32 begins like one of UTF-16; its zero bytes tell.
    if let Some((encoding, length)) = marked
        && !raw[length..].starts_with(&[0, 0])
    {
        return Ok(encoding);
    }
    check_text(raw)?;
    let Err(error) = std::str::from_utf8(raw) else { return Ok(UTF_8) };
    // A character that the end of the block cuts in two is no error.
    if error.error_len().is_none() && !whole {
        return Ok(UTF_8);
    }
    if reads(UTF_8, raw, whole).is_some() {
        return Ok(UTF_8);
    }
    let [gb, big5] = [GB18030, BIG5].map(|encoding| reads(encoding, raw, whole).unwrap_or(0.0));
    let (encoding, share, other) = if gb >= big5 { (GB18030, gb, big5) } else { (BIG5, big5, gb) };
    if share >= SURE && share > 2.0 * other {
        return Ok(encoding);
    }
    let at = error.valid_up_to();
    let shown: Vec<String> = raw[at..].iter().take(4).map(|byte| format!("{byte:02X}")).collect();
    Err(Refusal::Unknown { bytes: shown.join(" "), at })
}

/// Refuses what no text has: zero bytes, and control characters beyond a few.
fn check_text(raw: &[u8]) -> Result<(), Refusal> {
    if NO_TEXT.iter().any(|magic| raw.starts_with(magic)) {
        return Err(Refusal::Binary { found: "another format", at: 0 });
    }
    if let Some(at) = memchr::memchr(0, raw) {
        return Err(Refusal::Binary { found: "a zero byte", at });
    }
    let control = |byte: &&u8| matches!(byte, 1..=8 | 11 | 14..=26 | 28..=31 | 127);
    let controls = raw.iter().filter(control).count();
    if controls > 4.max(raw.len() / 100) {
        let at = raw.iter().position(|byte| control(&byte)).unwrap_or(0);
        return Err(Refusal::Binary { found: "control characters", at });
    }
    Ok(())
}

/// The share of common characters among all beyond ASCII, if this encoding spoils few of the lines that have any.
fn reads(encoding: &'static Encoding, raw: &[u8], whole: bool) -> Option<f64> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(raw.len())?);
    // Without `whole`, a character that the end of the block cuts in two is left out.
    let _ = decoder.decode_to_string(raw, &mut text, whole);
    let (mut lines, mut spoilt, mut characters, mut common) = (0, 0, 0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.is_ascii()) {
        lines += 1;
        spoilt += usize::from(line.contains('\u{fffd}'));
        for c in line.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()) {
            characters += 1;
            common += usize::from(COMMON.contains(c));
        }
    }
    (spoilt * SPOILT_LINES <= lines).then(|| common as f64 / characters.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMPLIFIED: &str = "小船停在湖的中间，船上的人把网撒到水里。\n岸边的房子后面有一条路。\n";
    const TRADITIONAL: &str = "小船停在湖的中間，船上的人把網撒到水裡。\n岸邊的房子後面有一條路。\n";

    fn decode(bytes: impl Into<Vec<u8>>) -> Result<(Option<&'static str>, String), Refusal> {
        let mut text = Text::open(Source::from_bytes("t", bytes).expect("memory"))?;
        let mut decoded = String::new();
        while text.next_block(&mut decoded)? {}
        Ok((text.converted(), decoded))
    }

    fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    #[test]
    fn each_encoding_is_told_and_read() {
        let wide =
            |order: fn(u16) -> [u8; 2]| format!("\u{feff}{SIMPLIFIED}").encode_utf16().flat_map(order).collect::<Vec<u8>>();
        for (bytes, name, text) in [
            (SIMPLIFIED.as_bytes().to_vec(), None, SIMPLIFIED),
            (format!("\u{feff}{SIMPLIFIED}").into_bytes(), None, SIMPLIFIED),
            (wide(u16::to_le_bytes), Some("UTF-16LE"), SIMPLIFIED),
            (wide(u16::to_be_bytes), Some("UTF-16BE"), SIMPLIFIED),
            (encoded(GB18030, SIMPLIFIED), Some("gb18030"), SIMPLIFIED),
            (encoded(BIG5, TRADITIONAL), Some("Big5"), TRADITIONAL),
            (b"plain".to_vec(), None, "plain"),
        ] {
            assert_eq!(decode(bytes).expect("text"), (name, text.to_owned()));
        }
    }

    #[test]
    fn one_spoilt_line_does_not_change_the_encoding() {
        let mut bytes = SIMPLIFIED.repeat(10).into_bytes();
        bytes.extend(b"\xb7\xbd\xce\xbb\n");
        let (converted, text) = decode(bytes).expect("text");
        assert_eq!(converted, None);
        assert_eq!(text.lines().filter(|line| line.contains('\u{fffd}')).count(), 1);
    }

    #[test]
    fn ascii_before_the_first_character_does_not_mislead() {
        let mut bytes = "a line\n".repeat(100_000).into_bytes();
        bytes.extend(encoded(GB18030, SIMPLIFIED));
        assert_eq!(decode(bytes).expect("text").0, Some("gb18030"));
    }

    #[test]
    fn blocks_join_without_seams() {
        let text = format!("a{}", SIMPLIFIED.repeat(20_000));
        assert!(text.len() > 4 * BLOCK);
        assert_eq!(decode(text.clone()).expect("text").1, text);
        assert_eq!(decode(encoded(GB18030, &text)).expect("text").1, text);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let refused = |bytes: &[u8]| decode(bytes).expect_err("no text").to_string();
        assert_eq!(refused(b""), "empty");
        assert_eq!(refused("\u{feff}".as_bytes()), "empty");
        assert_eq!(refused(b"ab\0cd"), "not text: a zero byte at byte 2");
        assert_eq!(refused(b"%PDF-1.7 and so on"), "not text: another format at byte 0");
        assert_eq!(refused(b"ab\x01\x02\x03\x04\x05"), "not text: control characters at byte 2");
        // Western text: é before a letter would read as a rare character in GB18030.
        assert_eq!(refused(b"caf\xe9s de la place\n"), "unknown encoding: E9 73 20 64 at byte 3");
        // Korean in EUC-KR decodes as GB18030 without error, into characters that nobody writes.
        let korean = encoded(encoding_rs::EUC_KR, "책상 위에 고양이가 앉아 있고 창문 밖에는 나무가 서 있다");
        assert!(refused(&korean).starts_with("unknown encoding"));
    }
}
