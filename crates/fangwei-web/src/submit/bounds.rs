//! How much a file may be: as sent, unpacked, and how much more the one than the other. Nothing is unpacked beyond its bound, whatever a header claims.

use std::io::{Cursor, Read};

use fangwei::lang::Say;
use fangwei::record::{Check, Code, Defect, Source};

/// So large may a file be as it is sent.
pub const MOST_SENT: usize = 16 << 20;
/// So large may it be unpacked: the answers to the largest test set of any year are a tenth of it.
pub const MOST_PLAIN: usize = 64 << 20;
/// So many times its packed size may a file be; answers pack to a fifth, or to a fiftieth where they are all the same.
const MOST_RATIO: usize = 200;
/// So much is let pass whatever the ratio: a small file of nothing but zeros does no harm.
const FREE: usize = 1 << 20;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const ZIP: &[u8] = b"PK\x03\x04";

fn is_packed(bytes: &[u8]) -> bool {
    [GZIP, ZSTD, ZIP].iter().any(|magic| bytes.starts_with(magic))
}

fn defect(name: &str, expected: Say, found: Say) -> Box<Defect> {
    let mut check = Check::new(name.into(), 0);
    check.add(Code::Unreadable, expected, found);
    Box::new(check.defects.remove(0))
}

/// The bytes of a file, unpacked where it is gzip, Zstandard or a zip with one file in it.
pub fn unpack(name: &str, sent: &[u8]) -> Result<Vec<u8>, Box<Defect>> {
    if !is_packed(sent) {
        return Ok(sent.to_vec());
    }
    let broken = |error: &dyn std::fmt::Display| {
        defect(
            name,
            Say::new("可以解压的文件", "a file that can be unpacked"),
            Say::same(error.to_string().chars().take(200).collect::<String>()),
        )
    };
    let plain = if sent.starts_with(ZIP) {
        let mut zip = zip::ZipArchive::new(Cursor::new(sent)).map_err(|error| broken(&error))?;
        let number = only_file(name, &mut zip)?;
        let file = zip.by_index(number).map_err(|error| broken(&error))?;
        bounded(name, sent.len(), file)?
    } else {
        bounded(name, sent.len(), Source::from_bytes(name, sent).map_err(|error| broken(&error))?)?
    };
    // What reads it next would unpack it once more, beyond every bound.
    if is_packed(&plain) {
        let expected = Say::new("只压缩一次的文件", "a file that is packed once");
        return Err(defect(name, expected, Say::new("压缩了两次", "one that is packed twice")));
    }
    Ok(plain)
}

fn bounded(name: &str, sent: usize, reader: impl Read) -> Result<Vec<u8>, Box<Defect>> {
    let most = sent.saturating_mul(MOST_RATIO).clamp(FREE, MOST_PLAIN);
    let mut plain = Vec::new();
    let read = reader.take(most as u64 + 1).read_to_end(&mut plain);
    if plain.len() > most {
        let (expected, mega) = (most >> 20, MOST_PLAIN >> 20);
        let expected = Say::new(
            format!("解压后至多 {expected} MB（至多为压缩文件的 {MOST_RATIO} 倍，且不超过 {mega} MB）"),
            format!("at most {expected} MB unpacked ({MOST_RATIO} times the packed size, and {mega} MB)"),
        );
        return Err(defect(name, expected, Say::new("更多", "more")));
    }
    read.map_err(|error| defect(name, Say::new("可以解压的文件", "a file that can be unpacked"), Say::same(error.to_string())))?;
    Ok(plain)
}

/// The number of the one file of a zip. Folders, and what one system puts beside every file, are passed over.
fn only_file(name: &str, zip: &mut zip::ZipArchive<Cursor<&[u8]>>) -> Result<usize, Box<Defect>> {
    let is_file = |path: &str| !path.ends_with('/') && !path.starts_with("__MACOSX/") && !path.ends_with(".DS_Store");
    let files: Vec<usize> = (0..zip.len())
        .filter(|number| zip.name_for_index(*number).is_some_and(|path| path.is_ok_and(|path| is_file(&path))))
        .collect();
    match files.as_slice() {
        [only] => Ok(*only),
        other => {
            let expected = Say::new("只含一个文件的 zip", "a zip with one file");
            Err(defect(name, expected, Say::new(format!("{} 个文件", other.len()), format!("{} files", other.len()))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(bytes).expect("memory");
        packed.finish().expect("memory")
    }

    #[test]
    fn what_is_packed_is_bounded() {
        let line = b"{\"qid\":\"1\",\"judge\":1}\n".repeat(50);
        assert_eq!(unpack("x", &line).expect("plain"), line);
        assert_eq!(unpack("x.gz", &gzip(&line)).expect("packed"), line);
        assert_eq!(unpack("x", b"").expect("empty"), b"");
        // 40 MB of zeros pack to 40 kB: a thousandth, where a two hundredth is allowed.
        let bomb = gzip(&vec![b' '; 40 << 20]);
        assert!(bomb.len() * MOST_RATIO < 40 << 20, "{}", bomb.len());
        let refused = unpack("x.gz", &bomb).expect_err("too much").expected.en;
        assert!(refused.starts_with("at most 7 MB unpacked"), "{refused}");
        assert!(unpack("x.gz", &gzip(&gzip(&line))).expect_err("twice").found.en.contains("twice"));
        assert_eq!(unpack("x.gz", &gzip(&line)[..30]).expect_err("cut short").code, Code::Unreadable);
    }
}
