use std::path::PathBuf;

use super::header::Kind;

/// Why a weights file cannot be written, opened or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file cannot be opened or mapped.
    #[error("{}: cannot read the weights: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot write the weights: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Sections are little endian and are used as they lie in the file.
    #[error("{}: weights files are little endian, expected a little-endian machine, found a big-endian one", file.display())]
    BigEndian {
        /// The file.
        file: PathBuf,
    },
    /// The file ends before its header does.
    #[error("{}: the file is cut off: expected at least {expected} bytes, found {found}", file.display())]
    Short {
        /// The file.
        file: PathBuf,
        /// Least length.
        expected: u64,
        /// Length of the file.
        found: u64,
    },
    /// The file is something else.
    #[error("{}: not a weights file: expected the first bytes {expected:?}, found {found:?}", file.display())]
    Magic {
        /// The file.
        file: PathBuf,
        /// The first bytes of every weights file.
        expected: String,
        /// The first bytes of this one.
        found: String,
    },
    /// The file has another format version.
    #[error("{}: expected format version {expected}, found {found}: train the model again with this fangwei", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The version that this library reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The header is damaged.
    #[error("{}: the header is damaged: expected {expected}, found {found}", file.display())]
    Header {
        /// The file.
        file: PathBuf,
        /// What a sound header has.
        expected: String,
        /// What this one has.
        found: String,
    },
    /// A section's bytes are not those that were written.
    #[error("{}: section `{name}` is damaged: expected checksum {expected:08x}, found {found:08x}", file.display())]
    Checksum {
        /// The file.
        file: PathBuf,
        /// The section.
        name: String,
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// Two sections were put under one name.
    #[error("{}: two sections are called `{name}`", file.display())]
    Duplicate {
        /// The file.
        file: PathBuf,
        /// The section.
        name: String,
    },
    /// No section has this name.
    #[error("{}: no section `{name}`: the weights are those of another model", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
        /// The section.
        name: String,
    },
    /// The section holds another type.
    #[error("{}: section `{name}` holds {found}, expected {expected}", file.display())]
    Kind {
        /// The file.
        file: PathBuf,
        /// The section.
        name: String,
        /// The type asked for.
        expected: Kind,
        /// The type in the file.
        found: Kind,
    },
    /// A value is not what its reader takes, or cannot be written as JSON.
    #[error("{}: section `{name}`: {source}", file.display())]
    Json {
        /// The file; empty while it is not known.
        file: PathBuf,
        /// The section.
        name: String,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// The section is whole, but does not fit its model.
    #[error("{}: section `{name}` does not fit: expected {expected}, found {found}", file.display())]
    Unfit {
        /// The file.
        file: PathBuf,
        /// The section.
        name: String,
        /// What the model needs.
        expected: String,
        /// What the section has.
        found: String,
    },
}
