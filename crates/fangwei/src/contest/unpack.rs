//! Archives as files in memory: nothing is written to a disk, no path leads out, and what is small when packed may not be large without bound.

use std::io::{Cursor, Read, Seek};

use zip::ZipArchive;

use super::{FILE, Folder};
use crate::lang::{Lang, Say};

/// So many bytes may the files have together.
pub const MOST_BYTES: u64 = 256 << 20;

/// So many files may there be.
pub const MOST_FILES: usize = 20_000;

/// Why an archive cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// It is no zip file, or it is broken.
    #[error("not a zip file that can be read: {0}")]
    Broken(String),
    /// It is too large when it is unpacked.
    #[error("expected at most {} MB and {MOST_FILES} files, found more", MOST_BYTES >> 20)]
    TooLarge,
}

impl UnpackError {
    /// The message in both languages.
    pub fn say(&self) -> Say {
        match self {
            UnpackError::Broken(why) => Say::new(format!("不是可以读的 zip 文件：{why}"), self.to_string()),
            UnpackError::TooLarge => {
                Say::new(format!("解开后应不超过 {} MB、{MOST_FILES} 个文件", MOST_BYTES >> 20), self.to_string())
            }
        }
    }

    /// The message in one language.
    pub fn get(&self, lang: Lang) -> String {
        self.say().get(lang).to_owned()
    }
}

/// The files of an archive. Archives in it are folders of their names: `reference_data.zip/truth.jsonl`.
pub fn unpack(given: impl Read + Seek) -> Result<Folder, UnpackError> {
    let (mut folder, mut left) = (Folder::new(), MOST_BYTES);
    unpack_into(&mut folder, given, "", &mut left)?;
    Ok(folder)
}

/// Unpacks the archives among files, as [`unpack`] does with those in an archive.
pub fn unpack_within(files: Folder) -> Result<Folder, UnpackError> {
    let (mut folder, mut left) = (Folder::new(), MOST_BYTES);
    for (name, bytes) in files {
        put(&mut folder, name, bytes, &mut left)?;
    }
    Ok(folder)
}

/// The files of the folder that `competition.toml` is in: archives are often made of a folder, not of its files.
pub fn at_root(folder: Folder) -> Folder {
    let roots = folder.keys().filter_map(|path| path.strip_suffix(FILE)).filter(|root| root.is_empty() || root.ends_with('/'));
    let Some(root) = roots.min_by_key(|root| root.len()).map(ToOwned::to_owned) else { return folder };
    folder.into_iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&root)?.to_owned(), bytes))).collect()
}

/// Keeps a file; one that is an archive is unpacked. Archives in archives in archives have no place in a bundle.
fn put(folder: &mut Folder, name: String, bytes: Vec<u8>, left: &mut u64) -> Result<(), UnpackError> {
    if bytes.starts_with(b"PK\x03\x04") && !name.contains(".zip/") {
        return unpack_into(folder, Cursor::new(bytes), &format!("{name}/"), left);
    }
    folder.insert(name, bytes);
    if folder.len() > MOST_FILES { Err(UnpackError::TooLarge) } else { Ok(()) }
}

fn unpack_into(folder: &mut Folder, given: impl Read + Seek, before: &str, left: &mut u64) -> Result<(), UnpackError> {
    let broken = |error: &dyn std::fmt::Display| UnpackError::Broken(error.to_string());
    let mut archive = ZipArchive::new(given).map_err(|error| broken(&error))?;
    if archive.len() > MOST_FILES {
        return Err(UnpackError::TooLarge);
    }
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number).map_err(|error| broken(&error))?;
        let Some(name) = entry.enclosed_name().filter(|_| entry.is_file()) else { continue };
        let name = format!("{before}{}", name.to_string_lossy().replace('\\', "/"));
        let mut bytes = Vec::new();
        // What an entry says of its size need not be true: reading stops at the bound.
        entry.by_ref().take(*left + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        *left = left.checked_sub(bytes.len() as u64).ok_or(UnpackError::TooLarge)?;
        put(folder, name, bytes, left)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            archive.write_all(bytes).expect("written");
        }
        archive.finish().expect("an archive").into_inner()
    }

    #[test]
    fn archives_in_an_archive_are_folders_and_no_path_leads_out() {
        let inner = zipped(&[("truth.jsonl", b"{}")]);
        let outer = zipped(&[("a/competition.toml", b"id"), ("a/data.zip", &inner), ("../b.txt", b"x"), ("/c.txt", b"x")]);
        let folder = unpack(Cursor::new(outer)).expect("unpacked");
        let paths: Vec<&str> = folder.keys().map(String::as_str).collect();
        assert!(paths.contains(&"a/competition.toml") && paths.contains(&"a/data.zip/truth.jsonl"), "{paths:?}");
        assert!(paths.iter().all(|path| !path.contains("..") && !path.starts_with('/')), "{paths:?}");
        assert_eq!(at_root(folder).keys().map(String::as_str).collect::<Vec<_>>(), ["competition.toml", "data.zip/truth.jsonl"]);
    }

    #[test]
    fn what_grows_without_bound_is_refused() {
        // Sixteen megabytes of nothing pack into some kilobytes; seventeen such archives are more than the bound.
        let inner = zipped(&[("zeros", &vec![0; 16 << 20])]);
        let names: Vec<String> = (0..17).map(|number| format!("{number}.zip")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), inner.as_slice())).collect();
        let bomb = zipped(&files);
        assert!(bomb.len() < 1 << 20, "{}", bomb.len());
        assert!(matches!(unpack(Cursor::new(bomb)), Err(UnpackError::TooLarge)));
        for junk in [&b""[..], b"PK\x03\x04", b"no archive"] {
            assert!(matches!(unpack(Cursor::new(junk)), Err(UnpackError::Broken(_))));
        }
    }
}
