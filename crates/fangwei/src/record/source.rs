//! Where bytes come from: a path, `-` for standard input, plain, gzip or Zstandard, told apart by their first bytes.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}: {error}")]
pub struct OpenError {
    /// The file, as it was named.
    pub file: String,
    /// What the system said.
    pub error: io::Error,
}

/// A named stream of decompressed bytes.
pub struct Source {
    /// The file, as it was named; `-` is standard input.
    pub name: Arc<str>,
    reader: Box<dyn Read + Send>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({})", self.name)
    }
}

impl Source {
    /// Opens a file; `-` is standard input.
    pub fn open(path: impl AsRef<Path>) -> Result<Source, OpenError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let open = || -> io::Result<Source> {
            if name == "-" {
                return Source::from_reader(&name, io::stdin());
            }
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Source::from_reader(&name, file)
        };
        open().map_err(|error| OpenError { file: name.clone(), error })
    }

    /// A source over any reader; gzip and Zstandard are unpacked.
    pub fn from_reader(name: &str, mut reader: impl Read + Send + 'static) -> io::Result<Source> {
        let mut magic = Vec::with_capacity(4);
        reader.by_ref().take(4).read_to_end(&mut magic)?;
        let gzip = magic.starts_with(&[0x1f, 0x8b]);
        let zstd = magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
        let whole = Ahead { bytes: Cursor::new(magic), rest: Box::new(reader) };
        let reader: Box<dyn Read + Send> = if gzip {
            Box::new(flate2::read::MultiGzDecoder::new(whole))
        } else if zstd {
            Box::new(Zstd::new(whole)?)
        } else {
            Box::new(whole)
        };
        Ok(Source { name: name.into(), reader })
    }

    /// A source over bytes in memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> io::Result<Source> {
        Source::from_reader(name, Cursor::new(bytes.into()))
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// A reader of which some bytes were read ahead.
struct Ahead {
    bytes: Cursor<Vec<u8>>,
    rest: Box<dyn Read + Send>,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        if read > 0 { Ok(read) } else { self.rest.read(buffer) }
    }
}

/// A Zstandard stream of one or more frames.
struct Zstd {
    frame: Option<ruzstd::decoding::StreamingDecoder<Ahead, ruzstd::decoding::FrameDecoder>>,
}

impl Zstd {
    fn new(reader: Ahead) -> io::Result<Zstd> {
        let frame = ruzstd::decoding::StreamingDecoder::new(reader).map_err(io::Error::other)?;
        Ok(Zstd { frame: Some(frame) })
    }
}

impl Read for Zstd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(frame) = &mut self.frame {
            let read = frame.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(frame) = self.frame.take() else { break };
            let mut reader = frame.into_inner();
            let mut next = Vec::with_capacity(4);
            reader.by_ref().take(4).read_to_end(&mut next)?;
            if !next.is_empty() {
                // Not a reader around the reader: a file of many frames would nest them until the stack ends.
                reader.bytes = Cursor::new(next);
                *self = Zstd::new(reader)?;
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(source: io::Result<Source>) -> String {
        let mut text = String::new();
        source.expect("opens").read_to_string(&mut text).expect("reads");
        text
    }

    #[test]
    fn gzip_of_several_members_reads_as_plain() {
        let mut packed = Vec::new();
        for part in ["山洞", "里"] {
            let mut writer = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
            writer.write_all(part.as_bytes()).expect("writes to memory");
            writer.finish().expect("writes to memory");
        }
        assert_eq!(read(Source::from_bytes("x.gz", packed)), "山洞里");
        assert_eq!(read(Source::from_bytes("x", "山洞里")), "山洞里");
        assert_eq!(read(Source::from_bytes("x", "")), "");
    }

    #[test]
    fn zstandard_of_several_frames_reads_as_plain() {
        let pack = |part: &str| ruzstd::encoding::compress_to_vec(part.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
        let packed = [pack("山洞"), pack("里")].concat();
        assert_eq!(read(Source::from_bytes("x.zst", packed)), "山洞里");
    }

    #[test]
    fn a_missing_file_and_a_folder_are_named() {
        assert!(Source::open("no/such/file.jsonl").expect_err("is missing").to_string().contains("no/such/file.jsonl"));
        assert!(Source::open(".").expect_err("is a folder").to_string().contains("folder"));
    }
}
