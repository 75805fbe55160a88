//! Inputs that are read several times. What can be read only once (standard input, a pipe) is put into a file first.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::progress::Bar;
use anyhow::Context as _;
use fangwei::record::{OpenError, Source};

/// The inputs of a run, and a bar that shows how far they were read.
pub struct Inputs {
    inputs: Vec<Input>,
    bar: Bar,
}

struct Input {
    /// As it was named.
    name: String,
    place: PathBuf,
    bytes: u64,
    /// Removed at the end.
    _spool: Option<Spool>,
}

/// A file of this run's own, removed at its end.
struct Spool(PathBuf);

impl Drop for Spool {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Inputs {
    /// Looks at the inputs, which will be read `passes` times.
    pub fn open(paths: &[PathBuf], passes: u64) -> anyhow::Result<Inputs> {
        let inputs: Vec<Input> =
            paths.iter().enumerate().map(|(number, path)| Input::open(path, number)).collect::<anyhow::Result<_>>()?;
        let bytes: u64 = inputs.iter().map(|input| input.bytes).sum();
        Ok(Inputs { inputs, bar: Bar::bytes_of("select", passes * bytes) })
    }

    /// Opens the input of a number.
    pub fn source(&self, number: usize) -> Option<Result<Source, OpenError>> {
        let Input { name, place, .. } = self.inputs.get(number)?;
        let source = File::open(place).and_then(|file| Source::from_reader(name, self.bar.wrap_read(file)));
        Some(source.map_err(|error| OpenError { file: name.clone(), error }))
    }

    /// Takes the bar away.
    pub fn done(&self) {
        self.bar.end();
    }
}

impl Input {
    fn open(path: &Path, number: usize) -> anyhow::Result<Input> {
        let name = path.display().to_string();
        let failed = |error| OpenError { file: name.clone(), error };
        if name == "-" {
            return Input::spool(&name, io::stdin(), number);
        }
        let there = path.metadata().map_err(failed)?;
        if there.is_dir() {
            return Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")).into());
        }
        if !there.is_file() {
            return Input::spool(&name, File::open(path).map_err(failed)?, number);
        }
        Ok(Input { place: path.to_owned(), bytes: there.len(), name, _spool: None })
    }

    fn spool(name: &str, mut reader: impl Read, number: usize) -> anyhow::Result<Input> {
        let place = std::env::temp_dir().join(format!("fangwei-select-{}-{number}", std::process::id()));
        let mut file = File::create_new(&place).with_context(|| place.display().to_string())?;
        let spool = Spool(place.clone());
        let bytes = io::copy(&mut reader, &mut file).with_context(|| name.to_owned())?;
        Ok(Input { name: name.to_owned(), place, bytes, _spool: Some(spool) })
    }
}
