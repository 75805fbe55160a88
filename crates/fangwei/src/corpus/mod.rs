//! Raw text into passages: read, cut at sentence ends, freed of duplicates, segmented and tagged.
//!
//! Files pass through in batches of a few megabytes. While one batch is hashed and tagged on all cores, the next is read and cut and the one before is written;
//! what a batch gives depends on those before it and on nothing else, so the number of threads changes no byte. What stays in memory is a sketch of each passage
//! ([`near`](self::Seen)), never its text.

mod clean;
mod config;
mod counts;
mod cut;
mod document;
mod encoding;
mod genre;
mod input;
mod near;
mod passage;
mod read;
mod reader;
mod sketch;
pub mod tag;

pub use config::{Config, ConfigError, Near};
pub use counts::Counts;
pub use document::cut;
pub use near::{Seen, Verdict};
pub use passage::{Passage, Word};
pub use read::read_passage;
pub use sketch::{Print, Sketch};

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::record::{Defect, gather};
use reader::Reader;

/// Why a run ended early. What is wrong with an input never is a reason.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A passage could not be written.
    #[error("cannot write passages: {0}")]
    Write(#[from] io::Error),
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of input read, packed as they are.
    pub done: u64,
    /// Bytes of all files; less than `done` where standard input or a pipe is among them.
    pub total: u64,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Numbers.
    pub counts: Counts,
    /// Files and records that were skipped (errors) and files that were converted (warnings).
    pub defects: Vec<Defect>,
}

/// Reads `inputs` (files, folders, `-` for standard input) and hands their passages to `sink` in the order of the files.
///
/// `tag` gives the words of a passage and the numbers of doubtful ones; it runs on all cores, and only for passages that stay. The current rayon pool is used.
///
/// ```
/// use fangwei::corpus::{Config, run};
///
/// let folder = std::env::temp_dir().join(format!("fangwei-doc-{}", std::process::id()));
/// std::fs::create_dir_all(folder.join("story"))?;
/// std::fs::write(folder.join("story/lake.txt"), "小船停在湖的中间，船上的人把网撒到水里。\n")?;
/// let mut passages = Vec::new();
/// let outcome = run(&Config::default(), &[folder.clone()], |_| (vec![], vec![]), |_| (), |passage| {
///     passages.push(passage);
///     Ok(())
/// })?;
/// assert_eq!((passages[0].id.as_str(), passages[0].genre.as_str()), ("story/lake.txt#1", "story"));
/// assert_eq!(outcome.counts.passages, 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    config: &Config,
    inputs: &[PathBuf],
    tag: impl Fn(&str) -> (Vec<Word>, Vec<u32>) + Sync,
    mut progress: impl FnMut(Progress),
    mut sink: impl FnMut(Passage) -> io::Result<()> + Send,
) -> Result<Outcome, RunError> {
    config.check()?;
    let (files, missing) = input::list(inputs);
    let total = files.iter().map(|file| file.size).sum();
    let mut reader = Reader::new(config, files);
    reader.counts.skipped_files += missing.len() as u64;
    gather(&mut reader.defects, missing);
    let mut seen = Seen::new(config.near);
    let mut counts = Counts::default();
    let mut finish = |mut drafts: Vec<Passage>| -> Vec<Passage> {
        let prints: Vec<Print> = drafts.par_iter().map(|draft| Print::of(&draft.text)).collect();
        let mut prints = prints.iter();
        drafts.retain(|_| prints.next().is_some_and(|print| counts.judge(seen.see(print))));
        drafts.par_iter_mut().for_each(|passage| (passage.words, passage.doubts) = tag(&passage.text));
        drafts
    };
    let mut write = |passages: Vec<Passage>| passages.into_iter().try_for_each(&mut sink);

    let mut drafts = reader.next_batch();
    let mut finished = Vec::new();
    while !drafts.is_empty() {
        progress(Progress { done: reader.bytes.load(Ordering::Relaxed), total });
        let before = std::mem::take(&mut finished);
        let ((next, written), passages) =
            rayon::join(|| rayon::join(|| reader.next_batch(), || write(before)), || finish(std::mem::take(&mut drafts)));
        written?;
        (drafts, finished) = (next, passages);
    }
    write(finished)?;
    progress(Progress { done: reader.bytes.load(Ordering::Relaxed), total });
    let mut outcome = reader.outcome();
    outcome.counts += counts;
    Ok(outcome)
}
