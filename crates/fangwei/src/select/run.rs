//! The step itself: passages stream by to be counted, to be judged and to be copied.

use std::collections::BTreeSet;
use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::balance::{Passing, balance};
use super::config::{Config, ConfigError};
use super::criterion::{CRITERIA, Criterion, Limit};
use super::evidence::Judge;
use super::funnel::Funnel;
use super::guess::{Guess, Rank};
use super::hash::hash;
use super::ngram::NGram;
use crate::corpus::{Passage, read_passage};
use crate::lang::{Unknown, words};
use crate::lexicon::Lexicon;
use crate::record::{Check, Defect, Frames, Json, OpenError, ReadError, Severity, Source, each_frame, gather, parse};

/// Why nothing was selected.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// A configuration that makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A share of a genre that no passage has.
    #[error(transparent)]
    UnknownGenre(Unknown),
    /// An input that cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// An input that cannot be read to its end.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Output that cannot be written.
    #[error("cannot write: {0}")]
    Write(io::Error),
    /// An input that changed while it was read.
    #[error("the input changed while it was read: expected {expected} records, found {found}")]
    Changed {
        /// When it was judged.
        expected: u64,
        /// When it was copied.
        found: u64,
    },
}

/// What came of a selection.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Where passages fell.
    pub funnel: Funnel,
    /// The genre that has too few passages for more to be kept, where that is what limits the number.
    pub short: Option<SmolStr>,
    /// The share of the model's cells in use, where the shipped model was trained.
    pub load: Option<f64>,
    /// What was wrong with the input.
    pub defects: Vec<Defect>,
}

impl Outcome {
    /// The funnel with what made it, for programs.
    pub fn report(&self, config: &Config) -> serde_json::Value {
        let mut report = self.funnel.report(config);
        report["short"] = self.short.as_deref().into();
        report["model_load"] = self.load.into();
        report
    }
}

/// Opens the input with a number from 0; `None` after the last. Inputs are opened up to three times and must hold the same each time.
pub type Open<'o> = &'o dyn Fn(usize) -> Option<Result<Source, OpenError>>;

/// Selects passages and gives each that is kept to `sink`, as it was written, on one line without its end, in the order of the input.
///
/// Without a guesser the model of neighbours is trained on the passages themselves, unless no criterion asks for it.
pub fn run(
    config: &Config,
    lexicon: &Lexicon,
    guess: Option<&dyn Guess>,
    open: Open<'_>,
    sink: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<Outcome, SelectError> {
    config.check()?;
    let model = if guess.is_none() && config.guesses() { Some(train(config, open)?) } else { None };
    let guess = guess.or(model.as_ref().map(|model| model as &dyn Guess));
    let judge = Judge::new(config, lexicon, guess);
    let mut judged = Judged::default();
    let take = |verdict: Option<Verdict>, check: Check| judged.take(verdict, check, config.seed);
    let read = |passage: Passage| {
        let fell = judge.first_missed(&passage);
        Verdict { id: passage.id, genre: passage.genre, source: passage.source, fell }
    };
    let mut defects = each_passage(open, read, take)?;
    gather(&mut defects, std::mem::take(&mut judged.defects));
    for genre in config.shares.keys() {
        if !judged.genres.contains_key(genre.as_str()) {
            let known: BTreeSet<&str> = judged.names.iter().map(SmolStr::as_str).collect();
            return Err(SelectError::UnknownGenre(Unknown::new(words("没有这个体裁", "unknown genre"), genre, known)));
        }
    }
    let shares: Vec<Option<f64>> = judged.names.iter().map(|name| config.shares.get(name.as_str()).copied()).collect();
    let drawn = balance(std::mem::take(&mut judged.passing), &shares, config);
    for (number, name) in judged.names.iter().enumerate() {
        let tally = judged.funnel.genres.entry(name.clone()).or_default();
        tally.over_source = drawn.over_source[number];
        tally.over_share = drawn.over_share[number];
        tally.kept = drawn.kept_of[number];
    }
    copy(&drawn.kept, judged.records, open, sink)?;
    let short = drawn.short.map(|number| judged.names[number].clone());
    Ok(Outcome { funnel: judged.funnel, short, load: model.map(|model| model.load()), defects })
}

/// Trains the model of neighbours on all passages; what cannot be read is passed over.
pub fn train(config: &Config, open: Open<'_>) -> Result<NGram, SelectError> {
    config.check()?;
    let model = NGram::new(config.model_bits);
    each_passage(open, |passage| model.train(&passage), |_, _| ())?;
    Ok(model)
}

/// A passage with every number that it is judged by.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The passage.
    pub passage: Passage,
    /// Each criterion, the passage's number, and its limit.
    pub criteria: Vec<(&'static Criterion, f64, Limit)>,
    /// Its words for things, persons and places.
    pub entities: Vec<SmolStr>,
    /// How each spatial word with rivals ranks among them, by the number of the word.
    pub ranks: Vec<(usize, Rank)>,
}

/// Explains the passage of an id: the first, where several have it.
pub fn explain(
    id: &str,
    config: &Config,
    lexicon: &Lexicon,
    guess: Option<&dyn Guess>,
    open: Open<'_>,
) -> Result<Option<Explained>, SelectError> {
    config.check()?;
    let model = if guess.is_none() { Some(train(config, open)?) } else { None };
    let guess = guess.or(model.as_ref().map(|model| model as &dyn Guess));
    let mut found = None;
    let take = |passage: Option<Option<Passage>>, _| {
        if found.is_none() {
            found = passage.flatten();
        }
    };
    each_passage(open, |passage| (passage.id == id).then_some(passage), take)?;
    Ok(found.map(|passage| {
        let judge = Judge::new(config, lexicon, guess);
        let evidence = judge.look(&passage);
        let criteria = CRITERIA.iter().map(|one| (one, one.value(&evidence), one.limit(config))).collect();
        let entities = evidence.entities.iter().map(SmolStr::new).collect();
        let ranks = evidence.ranks().to_vec();
        Explained { passage, criteria, entities, ranks }
    }))
}

/// Reads the passages of all inputs on all cores; `take` is called once for each record, with nothing for one that is no passage.
fn each_passage<T: Send>(
    open: Open<'_>,
    read: impl Fn(Passage) -> T + Sync,
    mut take: impl FnMut(Option<T>, Check) + Send,
) -> Result<Vec<Defect>, SelectError> {
    let mut defects = Vec::new();
    for source in (0..).map_while(open) {
        let found = each_frame(
            source?,
            |bytes, check| {
                let given = parse(bytes, check)?;
                read_passage(&given, check).map(&read)
            },
            &mut take,
        )?;
        gather(&mut defects, found);
    }
    Ok(defects)
}

/// What is said of one passage.
struct Verdict {
    id: SmolStr,
    genre: SmolStr,
    source: std::sync::Arc<str>,
    fell: Option<usize>,
}

/// What was said of all.
#[derive(Default)]
struct Judged {
    funnel: Funnel,
    /// All records, passages or not.
    records: u64,
    passing: Vec<Passing>,
    /// Hashes of ids that passed.
    ids: FxHashSet<u64>,
    names: Vec<SmolStr>,
    genres: FxHashMap<SmolStr, u32>,
    sources: FxHashMap<std::sync::Arc<str>, u32>,
    defects: Vec<Defect>,
}

impl Judged {
    fn take(&mut self, verdict: Option<Verdict>, mut check: Check, seed: u64) {
        let number = self.records;
        self.records += 1;
        if let Some(verdict) = verdict {
            if verdict.fell.is_some() || self.ids.insert(hash(0, &verdict.id)) {
                self.count(number, verdict, seed);
            } else {
                check.repeated(&verdict.id);
            }
        }
        self.funnel.defective += u64::from(check.defects.iter().any(|defect| defect.severity() == Severity::Error));
        gather(&mut self.defects, check.defects);
    }

    fn count(&mut self, number: u64, verdict: Verdict, seed: u64) {
        let genre = *self.genres.entry(verdict.genre.clone()).or_insert_with(|| {
            self.names.push(verdict.genre.clone());
            self.names.len() as u32 - 1
        });
        let tally = self.funnel.genres.entry(verdict.genre).or_default();
        tally.passages += 1;
        if let Some(criterion) = verdict.fell {
            tally.fell[criterion] += 1;
            return;
        }
        let next = self.sources.len() as u32;
        let source = *self.sources.entry(verdict.source).or_insert(next);
        self.passing.push(Passing { number, lot: hash(seed, &verdict.id), genre, source });
    }
}

/// Gives the records with these numbers to the sink.
fn copy(kept: &[u64], records: u64, open: Open<'_>, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> Result<(), SelectError> {
    let (mut kept, mut number) = (kept.iter().copied().peekable(), 0);
    for source in (0..).map_while(open) {
        let mut frames = Frames::new(source?);
        let name = frames.name();
        while let Some(batch) = frames.next_batch().map_err(|error| ReadError { file: name.clone(), error })? {
            for frame in &batch.frames {
                if kept.next_if_eq(&number).is_some() {
                    give(batch.bytes(frame), &mut sink).map_err(SelectError::Write)?;
                }
                number += 1;
            }
        }
    }
    if number == records { Ok(()) } else { Err(SelectError::Changed { expected: records, found: number }) }
}

/// Gives a record to the sink: as it was, unless it is spread over lines.
fn give(bytes: &[u8], sink: &mut impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    match Json::parse(bytes) {
        Ok(given) if bytes.contains(&b'\n') => sink(given.to_line().as_bytes()),
        _ => sink(bytes),
    }
}
