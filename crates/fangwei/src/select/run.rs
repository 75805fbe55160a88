//! The step itself: passages stream by to be counted, to be judged and to be copied.

use std::io;

use smol_str::SmolStr;

use super::config::{Config, ConfigError};
use super::criterion::{CRITERIA, Criterion, Limit};
use super::draw::{Draw, Drawn, Verdict};
use super::evidence::Judge;
use super::funnel::Funnel;
use super::guess::{Guess, Rank};
use super::ngram::NGram;
use crate::corpus::{Passage, read_passage};
use crate::lang::Unknown;
use crate::lexicon::Lexicon;
use crate::record::{Check, Defect, Frames, Json, OpenError, ReadError, Source, each_frame, gather, parse};

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
    let read = |passage: Passage| (judge.verdict(&passage), passage.id);
    let mut defects = each_passage(open, read, |verdict, check| judged.take(verdict, check))?;
    gather(&mut defects, judged.defects);
    let Drawn { kept, funnel, short } = judged.draw.finish(&judged.fallen, config).map_err(SelectError::UnknownGenre)?;
    copy(&kept, judged.records, open, sink)?;
    Ok(Outcome { funnel, short, load: model.map(|model| model.load()), defects })
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

/// What was said of all records.
#[derive(Default)]
struct Judged {
    /// All records, passages or not.
    records: u64,
    fallen: Funnel,
    draw: Draw,
    defects: Vec<Defect>,
}

impl Judged {
    fn take(&mut self, verdict: Option<(Verdict, SmolStr)>, mut check: Check) {
        match verdict {
            None => self.fallen.defective += 1,
            Some((Verdict { genre, fell: Some(criterion), .. }, _)) => self.fallen.fall(&genre, criterion, 1),
            // Records come in their order: where two have one id, this is the later one.
            Some((verdict, id)) if self.draw.take(self.records, &verdict).is_some() => check.repeated(&id),
            Some(_) => {}
        }
        self.records += 1;
        gather(&mut self.defects, check.defects);
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
