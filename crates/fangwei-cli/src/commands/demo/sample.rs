//! The sample that travels inside of the program: raw text, judged candidates, gold, and the boards that were published.

use std::path::Path;

use fangwei::convert::OutFile;
use rust_embed::Embed;

use crate::output::write_file;

#[derive(Embed)]
#[folder = "../../data/sample"]
#[include = "source/**"]
#[include = "gold/*"]
#[include = "build.toml"]
#[include = "candidates.jsonl"]
struct Sample;

/// The rows of 2022, as they were published.
pub const PUBLISHED: &str = include_str!("../../../../../data/boards/2022.csv");

/// Every file of the sample, sorted.
fn files() -> Vec<OutFile> {
    let mut files: Vec<OutFile> = Sample::iter()
        .filter_map(|path| Some(OutFile { bytes: Sample::get(&path)?.data.into_owned(), path: path.into_owned() }))
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Lays the sample into a folder; how many files it has.
pub fn lay(folder: &Path) -> anyhow::Result<usize> {
    let files = files();
    for file in &files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        write_file(&path, &file.bytes)?;
    }
    Ok(files.len())
}

/// The marks of the two annotators, by candidate.
pub fn levels() -> String {
    Sample::get("gold/levels.tsv").map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}
